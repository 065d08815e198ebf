import L from 'leaflet';
import '@geoman-io/leaflet-geoman-free';
import geomanStyles from '@geoman-io/leaflet-geoman-free/dist/leaflet-geoman.css' with { type: 'text' };
import leafletStyles from 'leaflet/dist/leaflet.css' with { type: 'text' };
import { type Corner, crossesItself, type Ring, rounded } from './outlines.ts';

/** The map of the zones: Leaflet and Geoman, loaded with this page only. */

export type Outline = { id: string; name: string; ring: Ring; colour: string; isActive: boolean };

export type ZoneMapEvents = {
  /** Edited outlines by id: more than one when they share a corner. */
  onEdited: (changed: ReadonlyMap<string, Ring>) => void;
  onDrawn: (ring: Ring) => void;
  /**
   * true: an edit that would make an outline cross itself was undone; false: a corner was placed without a crossing.
   */
  onCrossing: (crosses: boolean) => void;
  onChosen: (id: string) => void;
};

export type ZoneMap = {
  /** `theirs`: the current outlines of zones with edit conflicts. */
  show: (outlines: readonly Outline[], overlaps: readonly Ring[], theirs: readonly Ring[]) => void;
  edit: (isOn: boolean) => void;
  draw: (isOn: boolean) => void;
  goTo: (id: string) => void;
  remove: () => void;
};

/** The view while there is no zone. */
const RIYADH: L.LatLngTuple = [24.7136, 46.6753];
const EDITING = { allowSelfIntersection: false, snappable: true, snapDistance: 12 };

let areStylesIn = false;

/** A separate style sheet: the content security policy allows no inline styles, and other pages do not need these. */
function addStyles(): void {
  if (areStylesIn) return;
  areStylesIn = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(leafletStyles + geomanStyles);
  // First in the list, so that the console's rules override it.
  document.adoptedStyleSheets = [sheet, ...document.adoptedStyleSheets];
}

const toLatLng = ([longitude, latitude]: Corner): L.LatLngTuple => [latitude, longitude];

const ringOfLayer = (layer: L.Polygon): Corner[] =>
  (layer.getLatLngs()[0] as L.LatLng[]).map(({ lng, lat }): Corner => [rounded(lng), rounded(lat)]);

/** Inactive zones are dashed. */
const dashes = (isActive: boolean): string => (isActive ? '' : '6 6');

const sameRing = (one: Ring, other: Ring): boolean => JSON.stringify(one) === JSON.stringify(other);

type MapOptions = { tiles: string | null; attribution: string; zoomIn: string; zoomOut: string };

export function createZoneMap(element: HTMLElement, options: MapOptions, events: ZoneMapEvents): ZoneMap {
  addStyles();
  const map = createMap(element, options);
  const layers = new Map<string, L.Polygon>();
  /** Overlaps and conflicting outlines, which cannot be edited. */
  const marks = L.layerGroup([], { pmIgnore: true }).addTo(map);
  let isEditing = false;
  let isFitted = false;

  function editLayer(layer: L.Polygon): void {
    if (isEditing) layer.pm.enable(EDITING);
    else layer.pm.disable();
  }

  function setRing(layer: L.Polygon, ring: Ring): void {
    layer.setLatLngs(ring.map(toLatLng));
    layer.getTooltip()?.setLatLng(layer.getCenter());
    // Creates its handles again at the new corners.
    layer.pm.disable();
    editLayer(layer);
  }

  const drags = createCornerDrags(layers, setRing, events);

  function addLayer({ id, name, ring, colour, isActive }: Outline): void {
    const layer = L.polygon(ring.map(toLatLng), {
      color: colour,
      weight: 2,
      fillOpacity: 0.2,
      dashArray: dashes(isActive),
    }).addTo(map);
    layer.bindTooltip(label(name), { permanent: true, direction: 'center', className: 'zone-label' });
    layer.on('click', () => {
      // A corner of a new zone may lie in another zone.
      if (!isEditing && !map.pm.globalDrawModeEnabled()) events.onChosen(id);
    });
    drags.follow(id, layer);
    // An added corner is a change only after it is dragged.
    layer.on('pm:vertexremoved', () => events.onEdited(new Map([[id, ringOfLayer(layer)]])));
    layers.set(id, layer);
    editLayer(layer);
  }

  /** The zone that the view was moved to. */
  let sought: L.Polygon | undefined;

  const placeLabels = (): void => showLabels([...layers.values()], sought);
  map.on('zoomend resize', placeLabels);

  map.on('pm:create', ({ layer }) => {
    const ring = ringOfLayer(layer as L.Polygon);
    layer.remove();
    events.onDrawn(ring);
  });
  // While drawing: a click that would make the outline cross itself adds no corner.
  map.on('pm:intersect', () => events.onCrossing(true));
  map.on('pm:drawstart', ({ workingLayer }) => {
    workingLayer.on('pm:vertexadded', () => events.onCrossing(false));
  });

  return {
    show(outlines, overlaps, theirs) {
      if (drags.postpone(() => this.show(outlines, overlaps, theirs))) return;
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
      showMarks(marks, overlaps, theirs);
      if (!isFitted && layers.size > 0) {
        isFitted = true;
        map.fitBounds(L.featureGroup([...layers.values()]).getBounds(), { padding: [20, 20] });
      }
      placeLabels();
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
      placeLabels();
    },
    remove: () => map.remove(),
  };
}

function createMap(element: HTMLElement, { tiles, attribution, zoomIn, zoomOut }: MapOptions): L.Map {
  // Corners are for the mouse only; for the keyboard there is the list of corners.
  L.Marker.mergeOptions({ keyboard: false });
  const map = L.map(element, { zoomControl: false, attributionControl: attribution !== '' });
  L.control.zoom({ zoomInTitle: zoomIn, zoomOutTitle: zoomOut }).addTo(map);
  L.control.scale({ imperial: false }).addTo(map);
  map.attributionControl?.setPrefix(false);
  if (tiles !== null) L.tileLayer(tiles, { maxZoom: 19, attribution: escaped(attribution) }).addTo(map);
  map.setView(RIYADH, 10);
  map.pm.setGlobalOptions({ ...EDITING, tooltips: false });
  return map;
}

/** A corner of another outline at the dragged one. */
type SharedCorner = { id: string; layer: L.Polygon; index: number; before: Corner[] };

/** Drags of corners, which move the corners of other outlines at the same place along. */
function createCornerDrags(
  layers: ReadonlyMap<string, L.Polygon>,
  setRing: (layer: L.Polygon, ring: Ring) => void,
  events: Pick<ZoneMapEvents, 'onEdited' | 'onCrossing'>,
) {
  let isDragging = false;
  /** The update that waits for the end of a drag. */
  let waiting: (() => void) | null = null;
  let shared: SharedCorner[] = [];

  function findShared(layer: L.Polygon, at: Corner): SharedCorner[] {
    return [...layers].flatMap(([id, other]) => {
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

  function undo(layer: L.Polygon, before: Ring): void {
    setRing(layer, before);
    for (const one of shared) setRing(one.layer, one.before);
    events.onCrossing(true);
    waiting?.();
  }

  function keep(id: string, layer: L.Polygon, before: Ring): void {
    const own = ringOfLayer(layer);
    // Snapping may have moved it further than the pointer.
    for (const one of shared) setRing(one.layer, ringOfLayer(one.layer));
    if (sameRing(own, before)) return;
    events.onEdited(
      new Map([[id, own], ...shared.map((one): [string, Ring] => [one.id, ringOfLayer(one.layer)])]),
    );
  }

  return {
    follow(id: string, layer: L.Polygon): void {
      let before = ringOfLayer(layer);
      layer.on('pm:markerdragstart', ({ indexPath }) => {
        isDragging = true;
        before = ringOfLayer(layer);
        shared = findShared(layer, before[(indexPath as unknown as number[]).at(-1)!]!);
      });
      layer.on('pm:markerdrag', ({ markerEvent }) => moveShared(markerEvent.target.getLatLng()));
      layer.on('pm:markerdragend', ({ intersectionReset }) => {
        isDragging = false;
        const crosses = intersectionReset || shared.some((one) => crossesItself(ringOfLayer(one.layer)));
        if (crosses) undo(layer, before);
        else keep(id, layer, before);
        shared = [];
        waiting = null;
      });
    },
    /** Postpones the update to the end of a drag; false: nothing is dragged. */
    postpone(update: () => void): boolean {
      if (isDragging) waiting = update;
      return isDragging;
    },
  };
}

function showMarks(marks: L.LayerGroup, overlaps: readonly Ring[], theirs: readonly Ring[]): void {
  marks.clearLayers();
  const mark = (ring: Ring, style: L.PathOptions): void => {
    L.polygon(ring.map(toLatLng), { ...style, interactive: false, pmIgnore: true }).addTo(marks);
  };
  for (const ring of overlaps) mark(ring, { color: 'var(--overlap)', weight: 3, fillOpacity: 0.45 });
  for (const ring of theirs)
    mark(ring, { className: 'theirs', color: 'var(--ink)', weight: 3, dashArray: '2 8', fill: false });
}

function sizeOf(layer: L.Polygon): number {
  const bounds = layer.getBounds();
  return (bounds.getEast() - bounds.getWest()) * (bounds.getNorth() - bounds.getSouth());
}

/**
 * Of overlapping labels, shows the one of the zone that the view was moved to, else of the larger zone. More fit at
 * higher zoom.
 */
function showLabels(layers: readonly L.Polygon[], sought: L.Polygon | undefined): void {
  const shown: DOMRect[] = [];
  const rank = (layer: L.Polygon): number => (layer === sought ? Number.POSITIVE_INFINITY : sizeOf(layer));
  for (const layer of [...layers].sort((one, other) => rank(other) - rank(one))) {
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

/** As Leaflet, which takes markup, shows a text. */
function escaped(text: string): string {
  const element = document.createElement('span');
  element.textContent = text;
  return element.innerHTML;
}

/** A label as text, never markup. */
function label(name: string): HTMLElement {
  const element = document.createElement('bdi');
  element.textContent = name;
  return element;
}
