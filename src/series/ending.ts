import { addDays, type CalendarDate, dateOf, type Instant } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import { statusesIn } from '../bookings/rules.ts';
import type { Db } from '../db/connection.ts';
import type { FoundSeries, VisitRow } from './queries.ts';
import { hasEnded } from './refusals.ts';
import { isOver, isPaused, MAX_VISITS, placeOf, startOf, startOfWeek } from './rules.ts';
import { type Cancelling, type SeriesKey, type SeriesRecord, type Withdrawn, withdraw } from './withdraw.ts';

/** Ends of dates: of one, of some weeks, of all from an index on. Each is all or nothing, and costs what cancelling costs. */

type Asked = {
  key: SeriesKey;
  by: string;
  cancelling: Cancelling;
  record?: SeriesRecord | undefined;
};

/**
 * Skips one visit, also before it is placed. Sent again, it changes nothing. Throws RESOURCE_NOT_FOUND, INVALID_TRANSITION (it
 * is past, or the series is over by then) and as `withdraw`.
 */
export function skipVisit(
  db: Db,
  now: Instant,
  { index, ...asked }: Asked & { index: number },
): Promise<Withdrawn[]> {
  return withdraw(db, now, {
    ...asked,
    which(series, visits) {
      const known = visits.find((visit) => visit.index === index);
      if (known?.state === 'SKIPPED') return [];
      const place = known ?? placeOf(series, index);
      const date = known === undefined ? place.date : dateNow(known);
      if (known === undefined && (series.status === 'ENDED' || isOver(series, place))) throw hasEnded(series);
      if (date < dateOf(now))
        throw new ApiError('INVALID_TRANSITION', 'The visit is past', {
          hints: ['only visits from today on are skipped'],
        });
      return [place];
    },
  });
}

/** Skips the visits of these Riyadh dates, both inclusive. Throws as `withdraw`, and INVALID_TRANSITION when it has ended. */
export function pauseSeries(
  db: Db,
  now: Instant,
  { from, to, ...asked }: Asked & { from: CalendarDate; to: CalendarDate },
): Promise<Withdrawn[]> {
  const isWithin = (visit: VisitRow): boolean => isPaused({ pauses: [{ from, to }] }, dateNow(visit));
  return withdraw(db, now, {
    ...asked,
    which: (series, visits) => {
      if (series.status === 'ENDED' && series.reason !== 'OVER') throw hasEnded(series);
      return openFrom(visits, 1, dateOf(now)).filter(isWithin);
    },
    change: ({ pauses }) =>
      pauses.some((known) => known.from === from && known.to === to)
        ? {}
        : { pauses: [...pauses, { from, to }] },
  });
}

/** Ends the series before an index: what comes from it on does not take place. Sent again, it changes nothing. */
export function endSeries(
  db: Db,
  now: Instant,
  { fromIndex, ...asked }: Asked & { fromIndex: number },
): Promise<Withdrawn[]> {
  return withdraw(db, now, {
    ...asked,
    which: (_series, visits) => openFrom(visits, fromIndex, dateOf(now)),
    change: (series) => endBefore(series, fromIndex),
  });
}

function endBefore(series: FoundSeries, index: number): Partial<FoundSeries> {
  const place = placeOf(series, index);
  if (series.reason === 'CUSTOMER_ERASED' || isOver(series, place)) return {};
  const visits = index - 1;
  const end =
    visits >= 1 && visits <= MAX_VISITS
      ? { visits, until_date: null }
      : { visits: null, until_date: addDays(startOfWeek(place.date), -1) };
  return { ...end, ...(index <= series.next_index && { status: 'ENDED', reason: 'ENDED' }) };
}

/** Its Riyadh date as it is now, also when it was moved by itself. */
const dateNow = (visit: VisitRow): CalendarDate => dateOf(visit.starts_at ?? startOf(visit));

const DONE = statusesIn('done');
const isDone = ({ appointment_status: status }: VisitRow): boolean =>
  status !== null && DONE.includes(status);

/** The visits that something was decided about from the index on, from today on, but for skipped and done ones. */
function openFrom(visits: readonly VisitRow[], index: number, today: CalendarDate): VisitRow[] {
  return visits.filter(
    (visit) => visit.index >= index && dateNow(visit) >= today && visit.state !== 'SKIPPED' && !isDone(visit),
  );
}
