import { type Instant, isTimeOfDay, type Minutes, parseOffsetDateTime, secondsOfDay } from '../base/clock.ts';
import { repeatFaults } from '../http/id-lists.ts';
import type { Rule } from '../http/validation.ts';

/** Checks and conversions of shifts and times off. Pure. */

/** The orders of the operator's list of teams. */
export const TEAM_ORDERS = ['name', 'nameAr', 'travelBufferMinutes', 'isActive', 'createdAt'] as const;

/** A weekly shift in Riyadh time; `end` <= `start` ends on the next day. */
export type Shift = { weekday: number; start: Minutes; end: Minutes };

export type ShiftInput = { weekday: number; startAt: string; endAt: string };

const DAY_MINUTES: Minutes = 1_440;
const WEEK_MINUTES: Minutes = 7 * DAY_MINUTES;

/** The form of the times of shifts. */
export const WHOLE_MINUTE: Rule<string> = {
  check: (time) => isTimeOfDay(time) && secondsOfDay(time) % 60 === 0,
  message: 'must be a whole minute (HH:MM)',
};

/** Faults of overlapping shifts; incomplete ones are ignored. */
export function shiftFaults(inputs: readonly (Partial<ShiftInput> | undefined)[] = []): string[] {
  const whole = inputs.filter(
    (input): input is ShiftInput =>
      input?.weekday !== undefined && input.startAt !== undefined && input.endAt !== undefined,
  );
  return whole.length > 0 && overlap(toShifts(whole)) ? ['shifts must not overlap'] : [];
}

/** Faults of a team's fields, beyond their form. */
export function teamFaults(input: {
  zoneIds?: readonly (string | undefined)[];
  serviceIds?: readonly (string | undefined)[];
  shifts?: readonly (Partial<ShiftInput> | undefined)[];
}): string[] {
  return [
    ...repeatFaults('zoneIds', input.zoneIds),
    ...repeatFaults('serviceIds', input.serviceIds),
    ...shiftFaults(input.shifts),
  ];
}

/** The stored form of shifts: minutes after midnight, by day and start. */
export function toShifts(inputs: readonly ShiftInput[]): Shift[] {
  return inputs
    .map(({ weekday, startAt, endAt }) => ({
      weekday,
      start: secondsOfDay(startAt) / 60,
      end: secondsOfDay(endAt) / 60,
    }))
    .sort((a, b) => a.weekday - b.weekday || a.start - b.start);
}

/** Whether two shifts of a week overlap, the last and the first of the next week included. They may touch. */
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

/** Faults of a period, beyond the form of its instants (ISO 8601 with offset). */
export function periodFaults({ startsAt, endsAt }: { startsAt?: string; endsAt?: string }): string[] {
  if (startsAt === undefined || endsAt === undefined) return [];
  return parseOffsetDateTime(endsAt)! <= parseOffsetDateTime(startsAt)!
    ? ['endsAt must be after startsAt']
    : [];
}

/** The instants of a time off. */
export function toPeriod(input: { startsAt: string; endsAt: string }): {
  startsAt: Instant;
  endsAt: Instant;
} {
  return { startsAt: parseOffsetDateTime(input.startsAt)!, endsAt: parseOffsetDateTime(input.endsAt)! };
}
