import { useEffect, useRef } from 'preact/hooks';
import { direction, t } from '../language.ts';
import { type Ring, ringOf } from '../map/outlines.ts';
import { createPlaceMap, type PlaceMap as MapOfPlaces, type Point } from '../map/place-map.ts';
import { useAll } from '../query.ts';

/** Places on a map, within the zones. */
export function PlaceMap({ points }: { points: readonly Point[] }) {
  const { answer: zones = [] } = useAll('listZones', { query: { isActive: 'true' } }, ['availability']);
  const element = useRef<HTMLDivElement>(null);
  const map = useRef<MapOfPlaces | null>(null);
  useEffect(() => {
    const { tiles = '', tilesAttribution = '' } = document.documentElement.dataset;
    const made = createPlaceMap(element.current!, {
      tiles: tiles === '' ? null : tiles,
      attribution: tilesAttribution,
      zoomIn: t('map.zoomIn'),
      zoomOut: t('map.zoomOut'),
    });
    map.current = made;
    return () => made.remove();
  }, [direction()]);
  const rings = zones.map(({ area }): Ring => ringOf(area));
  useEffect(() => map.current?.show(points, rings), [JSON.stringify(points), zones, direction()]);
  return <section class="map small-map" dir="ltr" ref={element} aria-label={t('map.label')} />;
}
