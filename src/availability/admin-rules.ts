import {
  dateOf,
  type Instant,
  isCalendarDate,
  type Minutes,
  parseOffsetDateTime,
  secondsOfDay,
} from '../clock.ts';
import type { Shift } from './rules.ts';

/** What may be a team's week and its time off: pure checks and conversions. */

export type ShiftInput = { weekday: number; startAt: string; endAt: string };

const DAY_MINUTES: Minutes = 1_440;
const WEEK_MINUTES: Minutes = 7 * DAY_MINUTES;

/** What is wrong with the shifts: times between two minutes, shifts over each other. */
export function shiftFaults(inputs: readonly ShiftInput[] = []): string[] {
  const faults = inputs.flatMap((input, index) =>
    (['startAt', 'endAt'] as const)
      .filter((field) => secondsOfDay(input[field]) % 60 !== 0)
      .map((field) => `shifts.${index}.${field} must be a whole minute (HH:MM)`),
  );
  if (faults.length > 0) return faults;
  return overlap(toShifts(inputs)) ? ['shifts must not overlap'] : [];
}

/** Shifts as they are stored and compared: minutes after midnight, by day and start. */
export function toShifts(inputs: readonly ShiftInput[]): Shift[] {
  return inputs
    .map(({ weekday, startAt, endAt }) => ({
      weekday,
      start: secondsOfDay(startAt) / 60,
      end: secondsOfDay(endAt) / 60,
    }))
    .sort((a, b) => a.weekday - b.weekday || a.start - b.start);
}

/** Do two shifts of one week overlap, the last of it and the first of the next included? They may touch. */
function overlap(sorted: readonly Shift[]): boolean {
  const ranges = sorted.map(({ weekday, start, end }) => {
    const from = (weekday - 1) * DAY_MINUTES + start;
    return { from, until: from + (end > start ? end - start : end - start + DAY_MINUTES) };
  });
  return ranges.some((range, index) => {
    const next = ranges[index + 1];
    const nextFrom = next === undefined ? ranges[0]!.from + WEEK_MINUTES : next.from;
    return range.until > nextFrom;
  });
}

/** The instants of a time off, or what is wrong with them. The texts are ISO 8601 with offset. */
export function toPeriod(input: {
  startsAt: string;
  endsAt: string;
}): { startsAt: Instant; endsAt: Instant } | { faults: string[] } {
  const startsAt = parseOffsetDateTime(input.startsAt)!;
  const endsAt = parseOffsetDateTime(input.endsAt)!;
  const faults: string[] = [];
  if (!isSupported(startsAt)) faults.push('startsAt must be in the years 2000 to 2100');
  if (!isSupported(endsAt)) faults.push('endsAt must be in the years 2000 to 2100');
  if (faults.length === 0 && endsAt <= startsAt) faults.push('endsAt must be after startsAt');
  return faults.length > 0 ? { faults } : { startsAt, endsAt };
}

function isSupported(instant: Instant): boolean {
  return isCalendarDate(dateOf(instant));
}
