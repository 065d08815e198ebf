import type { Instant } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import { hotStatement, pg, type Row, rows } from '../db/statement.ts';

export const COUNT_BEGINNINGS = hotStatement({
  name: 'count-beginnings',
  takes: { from: pg.timestamptz, until: pg.timestamptz, minutes: pg.bigint, now: pg.timestamptz },
  returns: {
    team_id: pg.uuid,
    zone_id: pg.uuid,
    partner_id: pg.uuid,
    visits: pg.bigint,
    punctual: pg.bigint,
    late: pg.bigint,
    not_begun: pg.bigint,
  },
  // Those that could not be done before they were begun have no beginning.
  text: `
    select a.team_id, a.zone_id, b.partner_id, count(*) as visits,
      count(*) filter (where a.began_at <= a.starts_at + :minutes::bigint * interval '1 minute') as punctual,
      count(*) filter (where a.began_at > a.starts_at + :minutes::bigint * interval '1 minute') as late,
      count(*) filter (where a.began_at is null) as not_begun
    from appointments a join bookings b on b.id = a.booking_id
    where a.starts_at >= :from::timestamptz and a.starts_at < :until::timestamptz
      and a.starts_at + :minutes::bigint * interval '1 minute' <= :now::timestamptz
      and a.status not in ('Cancelled', 'Held') and (a.status <> 'Cannot Complete' or a.began_at is not null)
    group by a.team_id, a.zone_id, b.partner_id`,
});

export type BeginningsRow = Row<typeof COUNT_BEGINNINGS>;

/** Visits that should have begun by now, by team, zone and partner: how many began within the minutes, and later. */
export function countBeginnings(
  db: Queryable,
  period: { from: Instant; until: Instant; minutes: number; now: Instant },
): Promise<BeginningsRow[]> {
  return rows(db, COUNT_BEGINNINGS, period);
}
