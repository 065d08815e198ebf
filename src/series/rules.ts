import {
  addDays,
  type CalendarDate,
  type Instant,
  MINUTE,
  type Minutes,
  startOfDate,
  weekdayOf,
} from '../base/clock.ts';

/**
 * The dates of a series. Each index is a week: the n-th of them after the week of the first date, and terms say its day
 * and time. So a change "from here on" touches no earlier date, and no index has two.
 */

export const SERIES_STATUSES = ['ACTIVE', 'STOPPED', 'ENDED'] as const;
export type SeriesStatus = (typeof SERIES_STATUSES)[number];

/** Why a series places nothing more: for now those before `OVER`, else for good. */
export const STOP_REASONS = [
  'PARTNER_SUSPENDED',
  'ACCOUNT_PLATFORM',
  'SERVICE_NOT_AVAILABLE',
  'OVER',
  'ENDED',
  'CUSTOMER_ERASED',
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

export const VISIT_STATES = ['PLACED', 'UNPLACED', 'SKIPPED'] as const;
export type VisitState = (typeof VISIT_STATES)[number];

export const EVERY_WEEKS = [1, 2, 4] as const;
/** The largest number of visits that a series may name, and the largest index. */
export const MAX_VISITS = 260;
export const MAX_INDEX = 9_999;

/** From an index on. */
export type Terms = { from: number; weekday: number; start: Minutes; sameCrew: boolean };
/** Both dates inclusive. */
export type Pause = { from: CalendarDate; to: CalendarDate };

export type Planned = {
  first_date: CalendarDate;
  every_weeks: number;
  until_date: CalendarDate | null;
  visits: number | null;
  terms: readonly Terms[];
  pauses: readonly Pause[];
};

/** A date of a series. */
export type Place = { index: number; date: CalendarDate; start: Minutes };

/** Saudi weeks begin on Sunday, which is 7. */
export const startOfWeek = (date: CalendarDate): CalendarDate => addDays(date, -(weekdayOf(date) % 7));

/** The terms of the index. */
export const termsAt = ({ terms }: Pick<Planned, 'terms'>, index: number): Terms =>
  terms.findLast(({ from }) => from <= index)!;

/** The place of the index, from 1; also after the end of the series. */
export function placeOf({ first_date, every_weeks, terms }: Planned, index: number): Place {
  const { weekday, start } = termsAt({ terms }, index);
  const week = addDays(startOfWeek(first_date), (index - 1) * every_weeks * 7);
  return { index, date: addDays(week, weekday % 7), start };
}

/** The start of a place. */
export const startOf = ({ date, start }: Pick<Place, 'date' | 'start'>): Instant =>
  startOfDate(date) + start * MINUTE;

/** Whether the series has no visit at the place, nor later. */
export const isOver = ({ until_date, visits }: Planned, { index, date }: Place): boolean =>
  (visits !== null && index > visits) || (until_date !== null && date > until_date);

export const isPaused = ({ pauses }: Pick<Planned, 'pauses'>, date: CalendarDate): boolean =>
  pauses.some(({ from, to }) => from <= date && date <= to);

/** The places from the index to the date, at most `most` of them. */
export function placesFrom(series: Planned, index: number, until: CalendarDate, most = MAX_VISITS): Place[] {
  const places: Place[] = [];
  for (let place = placeOf(series, index); places.length < most; place = placeOf(series, place.index + 1)) {
    if (place.date > until || isOver(series, place)) break;
    places.push(place);
  }
  return places;
}

/** The terms with others from the index on; the same list when nothing changes. */
export function withTerms(
  { terms }: Pick<Planned, 'terms'>,
  from: number,
  changes: Partial<Omit<Terms, 'from'>>,
): readonly Terms[] {
  const before = terms.filter((each) => each.from < from);
  const known = termsAt({ terms }, from);
  const wanted = { ...known, ...changes, from };
  const last = before.at(-1);
  const isSame = (a: Terms, b: Terms): boolean =>
    a.weekday === b.weekday && a.start === b.start && a.sameCrew === b.sameCrew;
  const later = terms.filter((each) => each.from > from);
  if (later.length === 0 && isSame(known, wanted)) return terms;
  return last !== undefined && isSame(last, wanted) ? before : [...before, wanted];
}
