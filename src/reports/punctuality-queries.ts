import type { Instant } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import { bigint, hotStatement, type Row, rows, timestamptz, uuid } from '../db/statement.ts';

export const COUNT_BEGINNINGS = hotStatement({
  name: 'count-beginnings',
  takes: { from: timestamptz, until: timestamptz, minutes: bigint, now: timestamptz },
  returns: {
    team_id: uuid,
    zone_id: uuid,
    partner_id: uuid,
    visits: bigint,
    punctual: bigint,
    late: bigint,
    not_begun: bigint,
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
