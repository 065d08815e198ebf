import L from 'leaflet';
import leafletStyles from 'leaflet/dist/leaflet.css' with { type: 'text' };
import type { Ring } from './outlines.ts';

/** A map that shows places and the zones around them, to look at: Leaflet, loaded with the pages that have one. */

export type Point = { latitude: number; longitude: number; label: string };

export type PlaceMap = {
  show: (points: readonly Point[], zones: readonly Ring[]) => void;
  remove: () => void;
};

export type PlaceMapOptions = { tiles: string | null; attribution: string; zoomIn: string; zoomOut: string };

const ZOOM = 13;

let areStylesIn = false;

/** A separate style sheet: the content security policy allows no inline styles. */
function addStyles(): void {
  if (areStylesIn) return;
  areStylesIn = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(leafletStyles);
  // First in the list, so that the console's rules override it.
  document.adoptedStyleSheets = [sheet, ...document.adoptedStyleSheets];
}

/** As Leaflet, which takes markup, shows a text. */
function asText(text: string): HTMLElement {
  const element = document.createElement('bdi');
  element.textContent = text;
  return element;
}

export function createPlaceMap(element: HTMLElement, options: PlaceMapOptions): PlaceMap {
  addStyles();
  const { tiles, attribution, zoomIn, zoomOut } = options;
  const map = L.map(element, { zoomControl: false, attributionControl: attribution !== '' });
  L.control.zoom({ zoomInTitle: zoomIn, zoomOutTitle: zoomOut }).addTo(map);
  L.control.scale({ imperial: false }).addTo(map);
  map.attributionControl?.setPrefix(false);
  if (tiles !== null)
    L.tileLayer(tiles, { maxZoom: 19, attribution: asText(attribution).innerHTML }).addTo(map);
  const shown = L.layerGroup().addTo(map);
  return {
    show(points, zones) {
      shown.clearLayers();
      for (const ring of zones)
        L.polygon(
          ring.map(([longitude, latitude]): L.LatLngTuple => [latitude, longitude]),
          { color: 'var(--faint)', weight: 1, fillOpacity: 0.06, interactive: false },
        ).addTo(shown);
      for (const { latitude, longitude, label } of points)
        L.circleMarker([latitude, longitude], { color: 'var(--accent)', radius: 8, fillOpacity: 0.5 })
          .bindTooltip(asText(label))
          .addTo(shown);
      if (points.length === 0) return;
      const bounds = L.latLngBounds(points.map(({ latitude, longitude }) => [latitude, longitude]));
      map.fitBounds(bounds, { padding: [30, 30], maxZoom: ZOOM });
    },
    remove: () => map.remove(),
  };
}
