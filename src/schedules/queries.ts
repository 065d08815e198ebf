import type { CalendarDate, Instant } from '../base/clock.ts';
import type { Tx } from '../db/connection.ts';
import { dates, hotStatement, nullable, type Row, rows, text, timestamptz, uuid } from '../db/statement.ts';

export const LIST_VISITS_OUTSIDE_HOURS = hotStatement({
  name: 'list-visits-outside-hours',
  takes: { firstDates: dates, lastDates: dates, now: timestamptz },
  returns: {
    id: uuid,
    name: text,
    booking_id: uuid,
    starts_at: timestamptz,
    ends_at: timestamptz,
    zone_id: uuid,
    zone_name: text,
    zone_name_ar: nullable(text),
    team_id: uuid,
    team_name: text,
    team_name_ar: nullable(text),
    contact_name: text,
    phone: text,
  },
  // A shift may end on the day after the dates.
  text: `
    select a.id, a.name, a.booking_id, a.starts_at, a.ends_at, z.id as zone_id, z.name as zone_name, z.name_ar as zone_name_ar,
      t.id as team_id, t.name as team_name, t.name_ar as team_name_ar, c.name as contact_name, c.phone
    from appointments a
    join zones z on z.id = a.zone_id
    join teams t on t.id = a.team_id
    join bookings b on b.id = a.booking_id
    join contacts c on c.id = b.contact_id
    where a.starts_at > :now and a.status in ('New', 'Scheduled', 'Confirmed')
      and exists (
        select from unnest(:firstDates::date[], :lastDates::date[]) as p (first_date, last_date)
        where (a.ends_at at time zone 'UTC' + interval '3 hours')::date >= first_date
          and (a.starts_at at time zone 'UTC' + interval '3 hours')::date <= last_date + 1)
      and not is_in_team_hours(t.id, a.starts_at, a.ends_at)
    order by a.starts_at, a.id`,
});

export type VisitOutsideHours = Row<typeof LIST_VISITS_OUTSIDE_HOURS>;

/** The visits to begin on the dates that lie outside of their team's hours, by start. */
export function listVisitsOutsideHours(
  tx: Tx,
  periods: readonly (readonly [CalendarDate, CalendarDate | null])[],
  now: Instant,
): Promise<VisitOutsideHours[]> {
  return rows(tx, LIST_VISITS_OUTSIDE_HOURS, {
    firstDates: periods.map(([first]) => first),
    lastDates: periods.map(([, last]) => last ?? 'infinity'),
    now,
  });
}
