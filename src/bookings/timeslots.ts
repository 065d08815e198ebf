import { type CalendarDate, secondsOfDay } from '../base/clock.ts';

/** A timeslot in requests (section 2). */
export type TimeslotInput = { startAt: string; endAt: string; endsAtNextDay?: boolean; date?: CalendarDate };

/** Faults of a timeslot whose optional fields contradict its times or the date beside it. */
export function timeslotFaults({
  date,
  timeslot = {},
}: {
  date?: CalendarDate;
  timeslot?: Partial<TimeslotInput>;
}): string[] {
  const { startAt, endAt, endsAtNextDay } = timeslot;
  const faults: string[] = [];
  if (startAt !== undefined && endAt !== undefined && endsAtNextDay !== undefined) {
    const onNextDay = secondsOfDay(endAt) <= secondsOfDay(startAt);
    const because = onNextDay ? 'not after' : 'after';
    if (endsAtNextDay !== onNextDay)
      faults.push(`timeslot.endsAtNextDay must be ${onNextDay}: endAt is ${because} startAt`);
  }
  if (date !== undefined && timeslot.date !== undefined && timeslot.date !== date)
    faults.push('timeslot.date must be the same as date');
  return faults;
}

/** Faults of the new time of a quote. */
export function quoteFaults(
  input: { action?: string; date?: string; startAt?: string; endAt?: string },
  given: readonly string[],
): string[] {
  const times = (['startAt', 'endAt'] as const).filter((name) => given.includes(name));
  const foreign = (['date', 'startAt', 'endAt'] as const).filter((name) => input[name] !== undefined);
  return [
    ...(input.action === 'cancel' ? foreign.map((name) => `${name} is for action reschedule`) : []),
    ...(times.length === 1 ? ['startAt and endAt must be given together'] : []),
  ];
}
