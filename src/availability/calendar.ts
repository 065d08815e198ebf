import { addDays, type CalendarDate, DAY, dateOf, type Instant, MINUTE, startOfDate } from '../base/clock.ts';
import type { Unserved } from '../catalogue/rules.ts';
import type { Db } from '../db/connection.ts';
import { earlierTeam, type Preference } from './earlier-team.ts';
import type { PlanCache } from './plan.ts';
import type { Days } from './queries.ts';
import { firstDate, freeStarts, lastDate } from './rules.ts';
import {
  type DatedSlot,
  type Day,
  datedSlot,
  dayOn,
  loadSlotContext,
  onlyTeam,
  type Slot,
  type SlotContext,
  type SlotQuery,
  unservedAt,
} from './slots.ts';

/** Free timeslots over several days, from one snapshot. */

/** The longest calendar, in days. */
export const MAX_CALENDAR_DAYS = 31;

/** `keepsTeam`: whether the team of the earlier visit is free then, if that was asked for. */
type CalendarDay = Omit<Day, 'slots'> & { date: CalendarDate; slots: (Slot & { keepsTeam?: boolean })[] };

export type Calendar = {
  /** The first date that the service can be booked on. */
  bookableFrom: CalendarDate;
  /** The last date that the service can be booked on. */
  bookableUntil: CalendarDate;
  /** Every date, also past ones and those beyond the horizon. */
  days: CalendarDay[];
  unserved: Unserved | null;
};

/**
 * The free slots of each date from `from` to `to`, both inclusive. Throws as loadSlotContext does, and RESOURCE_NOT_FOUND (earlier
 * booking).
 */
export async function readCalendar(
  db: Db,
  plans: PlanCache,
  now: Instant,
  { from, to, preferTeamOf, ...query }: SlotQuery & Preference & { from: CalendarDate; to: CalendarDate },
): Promise<Calendar> {
  const dates = datesBetween(from, to);
  const earlier = await earlierTeam(db, query.partnerId, { preferTeamOf });
  const context = await loadSlotContext(db, plans, query, futureDays(dates, dateOf(now)));
  const { place, service } = context;
  return {
    bookableFrom: firstDate(
      { gridMinutes: 1, noticeMinutes: service.minimumNoticeMinutes, ...place?.rules },
      now,
    ),
    bookableUntil: lastDate({ horizonDays: service.bookingHorizonDays }, now),
    days: dates.map((date) => ({ date, ...markedDay(context, date, { now, earlier }) })),
    unserved: unservedAt(context),
  };
}

/** The day; each slot says whether the team is free then, if there is one. */
function markedDay(
  context: SlotContext,
  date: CalendarDate,
  { now, earlier }: { now: Instant; earlier: string | undefined },
): Omit<CalendarDay, 'date'> {
  const day = dayOn(context, date, now);
  if (earlier === undefined) return day;
  const kept = new Set(dayOn(onlyTeam(context, earlier), date, now).slots.map(({ startAt }) => startAt));
  return { ...day, slots: day.slots.map((slot) => ({ ...slot, keepsTeam: kept.has(slot.startAt) })) };
}

function datesBetween(from: CalendarDate, to: CalendarDate): CalendarDate[] {
  const dates: CalendarDate[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) dates.push(date);
  return dates;
}

/** null: all dates are past. */
function futureDays(dates: readonly CalendarDate[], today: CalendarDate): Days | null {
  const future = dates.filter((date) => date >= today);
  return future.length === 0 ? null : { from: future[0]!, days: future.length };
}

/** The first window of a search. */
const FIRST_DAYS = 7;
const GROWTH = 4;

/**
 * Reads a growing number of days from the date on, each time all of them, so that the result is of one snapshot.
 * `find` returns the result, complete or not, and the last date that can have a slot.
 */
export async function searchDays<Found>(
  from: CalendarDate,
  find: (days: Days) => Promise<{ found: Found; isComplete: boolean; bookableUntil: CalendarDate }>,
): Promise<Found> {
  for (let days = FIRST_DAYS; ; ) {
    const { found, isComplete, bookableUntil } = await find({ from, days });
    const more = Math.min(days * GROWTH, daysUntil(from, bookableUntil));
    if (isComplete || more <= days) return found;
    days = more;
  }
}

/** The number of days from one date to another, both inclusive; 0 and less: it is before. */
const daysUntil = (from: CalendarDate, to: CalendarDate): number =>
  Math.round((startOfDate(to) - startOfDate(from)) / DAY) + 1;

/** The earliest slots that start at `notBefore` or later, and the last bookable date. Throws as loadSlotContext does. */
export function findNextSlots(
  db: Db,
  plans: PlanCache,
  now: Instant,
  { notBefore, count, ...query }: SlotQuery & { notBefore: Instant; count: number },
): Promise<{ bookableUntil: CalendarDate; slots: DatedSlot[]; unserved: Unserved | null }> {
  const from = dateOf(Math.max(now, notBefore));
  return searchDays(from, async (days) => {
    const context = await loadSlotContext(db, plans, query, days);
    const bookableUntil = lastDate({ horizonDays: context.service.bookingHorizonDays }, now);
    const { place } = context;
    const busy = context.busyAt(now);
    const slots: DatedSlot[] = [];
    for (let day = 0; place !== null && day < days.days && slots.length < count; day++) {
      const date = addDays(from, day);
      for (const start of freeStarts({ ...place, busy }, date, now)) {
        if (start * MINUTE >= notBefore) slots.push(datedSlot(start, place.rules.durationMinutes));
      }
    }
    const isComplete = place === null || slots.length >= count;
    const found = { bookableUntil, slots: slots.slice(0, count), unserved: unservedAt(context) };
    return { found, isComplete, bookableUntil };
  });
}
