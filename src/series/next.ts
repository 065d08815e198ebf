import type { Tx } from '../db/connection.ts';
import { type FoundSeries, listVisits } from './queries.ts';
import { isOver, placeOf } from './rules.ts';

/** Columns of the series after its visits in the transaction: the next index, which may follow skipped ones, and its end. */
export async function nextOf(tx: Tx, series: FoundSeries) {
  const known = new Set((await listVisits(tx, [series.id])).map(({ index }) => index));
  let index = series.next_index;
  while (known.has(index)) index++;
  const place = placeOf(series, index);
  const reason = series.status === 'ENDED' ? series.reason : ('OVER' as const);
  return {
    ...{ next_index: index, next_date: place.date },
    ...(isOver(series, place) && { status: 'ENDED' as const, reason }),
  };
}
