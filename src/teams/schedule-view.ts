import { formatMinutes, toRiyadhIso } from '../base/clock.ts';
import type { ScheduleRow } from './table.ts';

/** A schedule in the operator's interface and the audit log. */
export function scheduleView(row: ScheduleRow) {
  const [first] = row.periods;
  const isYearly = row.yearly !== null;
  return {
    id: row.id,
    nameEn: row.name_en,
    nameAr: row.name_ar,
    from: isYearly ? null : first![0],
    to: isYearly ? null : first![1],
    yearly: row.yearly,
    periods: row.periods.map(([from, to]) => ({ from, to })),
    zoneIds: row.zone_ids,
    teamIds: row.team_ids,
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
    priority: row.priority,
    version: row.version,
    createdAt: toRiyadhIso(row.created_at),
    updatedAt: toRiyadhIso(row.updated_at),
  };
}
