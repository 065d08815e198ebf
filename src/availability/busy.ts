import type { CalendarDate } from '../base/clock.ts';
import type { Db, Tx } from '../db/connection.ts';
import { type BusyWindow, loadBusy, type PackedBusy } from './queries.ts';
import type { BusyRanges, Held } from './rules.ts';

/** What unpacking needs of a plan. */
type PlanTeams = { version: number; teamNumbers: ReadonlyMap<string, number> };

/** One date's held ranges as this process last read them, with what it takes to see whether they still hold. */
type CachedDate = {
  ranges: BusyRanges;
  planVersion: number;
  /** Rows of busy_changes from this transaction on … */
  horizon: string;
  /** … that the ranges already contain. */
  changes: number;
  /** Counted there: since when it runs (epoch seconds). */
  server: number;
};

/** How many changes of a date there are from a transaction on, and on which server. */
export type Counted = Pick<CachedDate, 'horizon' | 'changes' | 'server'>;

export type BusyCache = {
  /** From which transaction on busy_changes has to be counted to check what is remembered of the date. */
  horizon(date: CalendarDate): string | null;
  /**
   * The ranges of the date when they still hold: plan and server are the same, and no change has come. Another request
   * may have remembered the date anew since it was counted.
   */
  confirmed(date: CalendarDate, plan: PlanTeams, counted: Counted | null): BusyRanges | null;
  /** What was true a while ago, unchecked; good enough to guess who is free. */
  hint(date: CalendarDate): BusyRanges | null;
  /** The ranges unpacked; what is kept of them stays when another request has read the same before. */
  remember(date: CalendarDate, plan: PlanTeams, packed: PackedBusy): BusyRanges;
};

/** Dates kept. */
export const MAX_DATES = 400;

/**
 * Held ranges in memory, a date at a time, for all zones. They are used only if the database confirms, in a
 * statement that every request runs anyway, that the date has not changed since. So results are as exact as if the
 * ranges had been read again, at the cost of one index lookup (bench/README.md).
 */
export function createBusyCache(): BusyCache {
  const dates = new Map<CalendarDate, CachedDate>();

  const confirmed: BusyCache['confirmed'] = (date, plan, counted) => {
    const found = dates.get(date);
    const holds =
      found?.planVersion === plan.version &&
      found.horizon === counted?.horizon &&
      found.changes === counted.changes &&
      found.server === counted.server;
    return holds ? found.ranges : null;
  };

  return {
    horizon: (date) => dates.get(date)?.horizon ?? null,
    confirmed,
    hint: (date) => dates.get(date)?.ranges ?? null,
    remember(date, plan, packed) {
      const known = confirmed(date, plan, packed);
      if (known !== null) return known;
      // The oldest entry goes: a Map keeps the order of insertion.
      dates.delete(date);
      if (dates.size >= MAX_DATES) dates.delete(dates.keys().next().value!);
      const ranges = unpackBusy(packed, plan);
      const { horizon, changes, server } = packed;
      dates.set(date, { ranges, planVersion: plan.version, horizon, changes, server });
      return ranges;
    },
  };
}

/** Reads the held ranges of some days; `movingBookingId`: the appointment of that booking is left out. */
export async function readBusy(
  db: Db | Tx,
  plan: PlanTeams,
  window: BusyWindow,
  movingBookingId: string | null,
): Promise<BusyRanges> {
  return unpackBusy(await loadBusy(db, window, movingBookingId), plan);
}

/** Epoch minutes of 2000-01-01, from which PostgreSQL counts the microseconds of a timestamp. */
const PG_EPOCH_MINUTES = Date.UTC(2000, 0, 1) / 60_000;
const MICROSECONDS_PER_MINUTE = 60_000_000;

/** Undoes the packing of loadBusy. Teams that the plan does not know (inactive ones) are left out. */
export function unpackBusy({ team_ids, starts, ends, buffers }: PackedBusy, plan: PlanTeams): BusyRanges {
  const busy = new Map<number, Held[]>();
  if (team_ids === null || starts === null || ends === null || buffers === null) return busy;
  const microseconds = (packed: Buffer, at: number): number =>
    packed.readInt32BE(at) * 2 ** 32 + packed.readUInt32BE(at + 4);
  for (let row = 0; row * 16 < team_ids.length; row++) {
    const number = plan.teamNumbers.get(team_ids.toString('hex', row * 16, row * 16 + 16));
    if (number === undefined) continue;
    // Whole minutes: one that has begun is held.
    const range = {
      from: PG_EPOCH_MINUTES + Math.floor(microseconds(starts, row * 8) / MICROSECONDS_PER_MINUTE),
      until: PG_EPOCH_MINUTES + Math.ceil(microseconds(ends, row * 8) / MICROSECONDS_PER_MINUTE),
      bufferMinutes: buffers.readInt32BE(row * 4),
    };
    const ranges = busy.get(number);
    if (ranges === undefined) busy.set(number, [range]);
    else ranges.push(range);
  }
  return busy;
}
