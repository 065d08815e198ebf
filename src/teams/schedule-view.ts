import { formatMinutes } from '../base/clock.ts';
import { viewBy } from '../http/fields.ts';
import { ScheduleResource } from './schedule-schema.ts';
import type { ScheduleRow } from './table.ts';

/** A schedule in the operator's interface and the audit log. */
export function scheduleView(row: ScheduleRow) {
  const [first] = row.periods;
  const isYearly = row.yearly !== null;
  return viewBy(ScheduleResource, row, {
    from: isYearly ? null : first![0],
    to: isYearly ? null : first![1],
    periods: row.periods.map(([from, to]) => ({ from, to })),
    closed: row.weekly?.length === 0,
    weekly:
      row.weekly === null || row.weekly.length === 0
        ? null
        : row.weekly.map(({ weekday, start, end }) => ({
            weekday,
            startAt: formatMinutes(start),
            endAt: formatMinutes(end),
          })),
    breaks: row.breaks.map(({ weekdays, start, end }) => ({
      ...(weekdays !== null && { weekdays }),
      startAt: formatMinutes(start),
      endAt: formatMinutes(end),
    })),
  });
}
