import { useEffect, useRef } from 'preact/hooks';
import { direction, t } from '../language.ts';
import { type Ring, ringOf } from '../map/outlines.ts';
import { createPlaceMap, type PlaceMap as MapOfPlaces, type Point } from '../map/place-map.ts';
import { useAll } from '../query.ts';

/** Places on a map, within the zones; with `onPick` one of them is a pin, put by a click, by dragging or by the button. */
export function PlaceMap({
  points,
  onPick,
}: {
  points: readonly Point[];
  onPick?: (place: Pick<Point, 'latitude' | 'longitude'>) => void;
}) {
  const { answer: zones = [] } = useAll('listZones', { query: { isActive: 'true' } }, ['availability']);
  const element = useRef<HTMLDivElement>(null);
  const map = useRef<MapOfPlaces | null>(null);
  const pick = useRef(onPick);
  pick.current = onPick;
  useEffect(() => {
    const { tiles = '', tilesAttribution = '' } = document.documentElement.dataset;
    const made = createPlaceMap(element.current!, {
      tiles: tiles === '' ? null : tiles,
      attribution: tilesAttribution,
      zoomIn: t('map.zoomIn'),
      zoomOut: t('map.zoomOut'),
      onPick: onPick && ((at) => pick.current?.(at)),
    });
    map.current = made;
    return () => made.remove();
  }, [direction()]);
  const rings = zones.map(({ area }): Ring => ringOf(area));
  useEffect(() => map.current?.show(points, rings), [JSON.stringify(points), zones, direction()]);
  const shown = (
    <section
      class={onPick ? 'map small-map has-middle' : 'map small-map'}
      dir="ltr"
      ref={element}
      aria-label={t('map.label')}
    />
  );
  if (onPick === undefined) return shown;
  return (
    <>
      {shown}
      <p class="small faint">
        {t('place.mapHint')}{' '}
        <button type="button" onClick={() => onPick(map.current!.middle())}>
          {t('place.middle')}
        </button>
      </p>
    </>
  );
}
