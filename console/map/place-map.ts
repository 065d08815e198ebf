import L from 'leaflet';
import leafletStyles from 'leaflet/dist/leaflet.css' with { type: 'text' };
import type { Ring } from './outlines.ts';

/** A map that shows places and the zones around them, to look at: Leaflet, loaded with the pages that have one. */

export type Point = { latitude: number; longitude: number; label: string };

export type PlaceMap = {
  show: (points: readonly Point[], zones: readonly Ring[]) => void;
  middle: () => { latitude: number; longitude: number };
  remove: () => void;
};

export type PlaceMapOptions = {
  tiles: string | null;
  attribution: string;
  zoomIn: string;
  zoomOut: string;
} & {
  /** Called with a pin's new place; left out: points are to look at. */
  onPick?: ((place: { latitude: number; longitude: number }) => void) | undefined;
};

/** Without a zone. */
const RIYADH: L.LatLngTuple = [24.7136, 46.6753];
/** To 11 cm. */
const placeAt = ({ lat, lng }: L.LatLng) => ({
  latitude: Number(lat.toFixed(6)),
  longitude: Number(lng.toFixed(6)),
});

const ZOOM = 13;
/** Without the library's image, which the page would have to load. */
const PIN = L.divIcon({ className: 'map-pin', iconSize: [22, 22], iconAnchor: [11, 22] });

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
  const { tiles, attribution, zoomIn, zoomOut, onPick } = options;
  const map = L.map(element, { zoomControl: false, attributionControl: attribution !== '' });
  L.control.zoom({ zoomInTitle: zoomIn, zoomOutTitle: zoomOut }).addTo(map);
  L.control.scale({ imperial: false }).addTo(map);
  map.attributionControl?.setPrefix(false);
  if (tiles !== null)
    L.tileLayer(tiles, { maxZoom: 19, attribution: asText(attribution).innerHTML }).addTo(map);
  const shown = L.layerGroup().addTo(map);
  let isFitted = false;
  if (onPick !== undefined) map.setView(RIYADH, 10).on('click', ({ latlng }) => onPick(placeAt(latlng)));
  return {
    show(points, zones) {
      shown.clearLayers();
      for (const ring of zones)
        L.polygon(
          ring.map(([longitude, latitude]): L.LatLngTuple => [latitude, longitude]),
          { color: 'var(--faint)', weight: 1, fillOpacity: 0.06, interactive: false },
        ).addTo(shown);
      for (const { latitude, longitude, label } of onPick === undefined ? [] : points)
        L.marker([latitude, longitude], { draggable: true, autoPan: true, title: label, icon: PIN })
          .on('dragend', ({ target }) => onPick?.(placeAt(target.getLatLng())))
          .addTo(shown);
      for (const { latitude, longitude, label } of onPick === undefined ? points : [])
        L.circleMarker([latitude, longitude], { color: 'var(--accent)', radius: 8, fillOpacity: 0.5 })
          .bindTooltip(asText(label))
          .addTo(shown);
      const places = points.map(({ latitude, longitude }): L.LatLngTuple => [latitude, longitude]);
      const corners = zones.flatMap((ring) => ring.map(([lng, lat]): L.LatLngTuple => [lat, lng]));
      const bounds = L.latLngBounds(onPick !== undefined && places.length === 0 ? corners : places);
      // A pin that is put where the reader looks leaves the view.
      if (!bounds.isValid() || (isFitted && onPick !== undefined && map.getBounds().contains(bounds))) return;
      if (onPick !== undefined && places.length === 0 && isFitted) return;
      isFitted = true;
      map.fitBounds(bounds, { padding: [30, 30], maxZoom: ZOOM });
    },
    middle: () => placeAt(map.getCenter()),
    remove: () => map.remove(),
  };
}
