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
