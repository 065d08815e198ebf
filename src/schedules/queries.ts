import type { CalendarDate, Instant } from '../base/clock.ts';
import type { Tx } from '../db/connection.ts';
import { hotStatement, pg, type Row, rows } from '../db/statement.ts';

export const LIST_VISITS_OUTSIDE_HOURS = hotStatement({
  name: 'list-visits-outside-hours',
  takes: { firstDates: pg.dates, lastDates: pg.dates, now: pg.timestamptz },
  returns: {
    id: pg.uuid,
    name: pg.text,
    booking_id: pg.uuid,
    starts_at: pg.timestamptz,
    ends_at: pg.timestamptz,
    zone_id: pg.uuid,
    zone_name: pg.text,
    zone_name_ar: pg.nullable(pg.text),
    team_id: pg.uuid,
    team_name: pg.text,
    team_name_ar: pg.nullable(pg.text),
    contact_name: pg.text,
    phone: pg.text,
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
