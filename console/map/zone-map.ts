import L from 'leaflet';
import '@geoman-io/leaflet-geoman-free';
import geomanStyles from '@geoman-io/leaflet-geoman-free/dist/leaflet-geoman.css' with { type: 'text' };
import leafletStyles from 'leaflet/dist/leaflet.css' with { type: 'text' };
import { type Corner, crossesItself, type Ring, rounded } from './outlines.ts';

/** The map of the zones: Leaflet and Geoman, loaded with this page only. */

export type Outline = { id: string; name: string; ring: Ring; colour: string; isActive: boolean };

export type ZoneMapEvents = {
  /** Outlines that were edited, by id: more than one when they share a corner. */
  onEdited: (changed: ReadonlyMap<string, Ring>) => void;
  onDrawn: (ring: Ring) => void;
  /** An outline would have crossed itself and is as before, or (false) a corner was put where it does not. */
  onCrossing: (crosses: boolean) => void;
  onChosen: (id: string) => void;
};

export type ZoneMap = {
  /** `theirs`: outlines of others beside those that were changed here. */
  show: (outlines: readonly Outline[], overlaps: readonly Ring[], theirs: readonly Ring[]) => void;
  edit: (isOn: boolean) => void;
  draw: (isOn: boolean) => void;
  goTo: (id: string) => void;
  remove: () => void;
};

/** Where the map is before there is a zone. */
const RIYADH: L.LatLngTuple = [24.7136, 46.6753];
const EDITING = { allowSelfIntersection: false, snappable: true, snapDistance: 12 };

let areStylesIn = false;

/** In a sheet of its own: the policy allows no inline styles, and other pages need none of these. */
function addStyles(): void {
  if (areStylesIn) return;
  areStylesIn = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(leafletStyles + geomanStyles);
  // Before the console's own rules in effect, though behind them in the list.
  document.adoptedStyleSheets = [sheet, ...document.adoptedStyleSheets];
}

const toLatLng = ([longitude, latitude]: Corner): L.LatLngTuple => [latitude, longitude];

const ringOfLayer = (layer: L.Polygon): Corner[] =>
  (layer.getLatLngs()[0] as L.LatLng[]).map(({ lng, lat }): Corner => [rounded(lng), rounded(lat)]);

/** What covers no addresses is dashed. */
const dashes = (isActive: boolean): string => (isActive ? '' : '6 6');

const sameRing = (one: Ring, other: Ring): boolean => JSON.stringify(one) === JSON.stringify(other);

export function createZoneMap(
  element: HTMLElement,
  {
    tiles,
    attribution,
    zoomIn,
    zoomOut,
  }: { tiles: string | null; attribution: string; zoomIn: string; zoomOut: string },
  events: ZoneMapEvents,
): ZoneMap {
  addStyles();
  // Corners are handles of the mouse; the keyboard has the list of corners.
  L.Marker.mergeOptions({ keyboard: false });
  const map = L.map(element, { zoomControl: false, attributionControl: attribution !== '' });
  L.control.zoom({ zoomInTitle: zoomIn, zoomOutTitle: zoomOut }).addTo(map);
  L.control.scale({ imperial: false }).addTo(map);
  map.attributionControl?.setPrefix(false);
  if (tiles !== null) L.tileLayer(tiles, { maxZoom: 19, attribution: escaped(attribution) }).addTo(map);
  map.setView(RIYADH, 10);
  map.pm.setGlobalOptions({ ...EDITING, tooltips: false });

  const layers = new Map<string, L.Polygon>();
  /** Overlaps and outlines of others, which nobody edits. */
  const marks = L.layerGroup([], { pmIgnore: true }).addTo(map);
  let isEditing = false;
  let isFitted = false;

  function editLayer(layer: L.Polygon): void {
    if (isEditing) layer.pm.enable(EDITING);
    else layer.pm.disable();
  }

  /** Corners of other outlines at the one that is being dragged. */
  let isDragging = false;
  /** What came to be shown while a corner was dragged. */
  let waiting: (() => void) | null = null;
  let shared: { id: string; layer: L.Polygon; index: number; before: Corner[] }[] = [];

  function beginCorner(layer: L.Polygon, indexPath: readonly number[]): void {
    const at = ringOfLayer(layer)[indexPath.at(-1)!]!;
    shared = [...layers].flatMap(([id, other]) => {
      if (other === layer) return [];
      const before = ringOfLayer(other);
      const index = before.findIndex((corner) => corner[0] === at[0] && corner[1] === at[1]);
      return index < 0 ? [] : { id, layer: other, index, before };
    });
  }

  function moveShared({ lng, lat }: L.LatLng): void {
    for (const { layer, index } of shared) {
      const ring = ringOfLayer(layer);
      ring[index] = [rounded(lng), rounded(lat)];
      layer.setLatLngs(ring.map(toLatLng));
    }
  }

  function setRing(layer: L.Polygon, ring: Ring): void {
    layer.setLatLngs(ring.map(toLatLng));
    layer.getTooltip()?.setLatLng(layer.getCenter());
    // Its handles are made anew where its corners are now.
    layer.pm.disable();
    editLayer(layer);
  }

  function addLayer({ id, name, ring, colour, isActive }: Outline): void {
    const layer = L.polygon(ring.map(toLatLng), {
      color: colour,
      weight: 2,
      fillOpacity: 0.2,
      dashArray: dashes(isActive),
    }).addTo(map);
    layer.bindTooltip(label(name), { permanent: true, direction: 'center', className: 'zone-label' });
    layer.on('click', () => {
      // A corner of a new zone may lie in another one.
      if (!isEditing && !map.pm.globalDrawModeEnabled()) events.onChosen(id);
    });
    let before = ringOfLayer(layer);
    layer.on('pm:markerdragstart', ({ indexPath }) => {
      isDragging = true;
      before = ringOfLayer(layer);
      beginCorner(layer, indexPath as unknown as number[]);
    });
    layer.on('pm:markerdrag', ({ markerEvent }) => moveShared(markerEvent.target.getLatLng()));
    layer.on('pm:markerdragend', ({ intersectionReset }) => {
      isDragging = false;
      const crosses = intersectionReset || shared.some((one) => crossesItself(ringOfLayer(one.layer)));
      if (crosses) {
        setRing(layer, before);
        for (const one of shared) setRing(one.layer, one.before);
        events.onCrossing(true);
        waiting?.();
      } else {
        const own = ringOfLayer(layer);
        // Snapping may have moved it a little further than the pointer.
        for (const one of shared) setRing(one.layer, ringOfLayer(one.layer));
        if (!sameRing(own, before)) {
          events.onEdited(
            new Map([[id, own], ...shared.map((one): [string, Ring] => [one.id, ringOfLayer(one.layer)])]),
          );
        }
      }
      shared = [];
      waiting = null;
    });
    for (const name of ['pm:vertexadded', 'pm:vertexremoved'] as const) {
      layer.on(name, () => {
        // An added corner is only a change once it is dragged; that is told above.
        if (name === 'pm:vertexremoved') events.onEdited(new Map([[id, ringOfLayer(layer)]]));
      });
    }
    layers.set(id, layer);
    editLayer(layer);
  }

  const sizeOf = (layer: L.Polygon): number => {
    const bounds = layer.getBounds();
    return (bounds.getEast() - bounds.getWest()) * (bounds.getNorth() - bounds.getSouth());
  };

  /** The zone that was gone to. */
  let sought: L.Polygon | undefined;

  /**
   * Of labels that would lie over each other, that of the zone that was gone to is shown, else that of the larger one;
   * closer there is room for the others.
   */
  function showLabels(): void {
    const shown: DOMRect[] = [];
    const rank = (layer: L.Polygon): number => (layer === sought ? Number.POSITIVE_INFINITY : sizeOf(layer));
    for (const layer of [...layers.values()].sort((one, other) => rank(other) - rank(one))) {
      const element = layer.getTooltip()?.getElement();
      if (!element) continue;
      const box = element.getBoundingClientRect();
      const isCovered = shown.some(
        (one) => one.left < box.right && box.left < one.right && one.top < box.bottom && box.top < one.bottom,
      );
      element.classList.toggle('is-covered', isCovered);
      if (!isCovered) shown.push(box);
    }
  }
  map.on('zoomend resize', showLabels);

  map.on('pm:create', ({ layer }) => {
    const ring = ringOfLayer(layer as L.Polygon);
    layer.remove();
    events.onDrawn(ring);
  });
  // While one is drawn; a click that would make it cross itself puts no corner.
  map.on('pm:intersect', () => events.onCrossing(true));
  map.on('pm:drawstart', ({ workingLayer }) => {
    workingLayer.on('pm:vertexadded', () => events.onCrossing(false));
  });

  return {
    show(outlines, overlaps, theirs) {
      if (isDragging) {
        waiting = () => this.show(outlines, overlaps, theirs);
        return;
      }
      for (const [id, layer] of layers) {
        if (outlines.some((one) => one.id === id)) continue;
        layer.remove();
        layers.delete(id);
      }
      for (const outline of outlines) {
        const layer = layers.get(outline.id);
        if (layer === undefined) addLayer(outline);
        else {
          if (!sameRing(ringOfLayer(layer), outline.ring)) setRing(layer, outline.ring);
          layer.setStyle({ color: outline.colour, dashArray: dashes(outline.isActive) });
          layer.setTooltipContent(label(outline.name));
        }
      }
      marks.clearLayers();
      const mark = (ring: Ring, style: L.PathOptions): void => {
        L.polygon(ring.map(toLatLng), { ...style, interactive: false, pmIgnore: true }).addTo(marks);
      };
      for (const ring of overlaps) mark(ring, { color: 'var(--overlap)', weight: 3, fillOpacity: 0.45 });
      for (const ring of theirs)
        mark(ring, { className: 'theirs', color: 'var(--ink)', weight: 3, dashArray: '2 8', fill: false });
      if (!isFitted && layers.size > 0) {
        isFitted = true;
        map.fitBounds(L.featureGroup([...layers.values()]).getBounds(), { padding: [20, 20] });
      }
      showLabels();
    },
    edit(isOn) {
      isEditing = isOn;
      for (const layer of layers.values()) editLayer(layer);
    },
    draw(isOn) {
      if (isOn) map.pm.enableDraw('Polygon', { ...EDITING, tooltips: false, continueDrawing: false });
      else map.pm.disableDraw();
    },
    goTo(id) {
      sought = layers.get(id);
      if (sought !== undefined) map.fitBounds(sought.getBounds(), { padding: [40, 40] });
      showLabels();
    },
    remove: () => map.remove(),
  };
}

/** As Leaflet, which takes markup, shows a text. */
function escaped(text: string): string {
  const element = document.createElement('span');
  element.textContent = text;
  return element.innerHTML;
}

/** Text, never markup. */
function label(name: string): HTMLElement {
  const element = document.createElement('bdi');
  element.textContent = name;
  return element;
}
