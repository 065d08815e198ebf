import type { Instant } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import { hotStatement, pg, rows } from '../db/statement.ts';
import { refusals, type VisitRefusal } from '../teams/visit-queries.ts';

export const DELAYED_VISITS = hotStatement({
  name: 'delayed-visits',
  takes: {
    teamId: pg.uuid,
    from: pg.timestamptz,
    until: pg.timestamptz,
    now: pg.timestamptz,
    minutes: pg.int,
  },
  returns: { id: pg.uuid, problem: pg.typed<VisitRefusal | null>(pg.nullable(pg.text)) },
  text: `
    select a.id, (${refusals('a', 'b.service_id')})[1] as problem
    from (
      select id, booking_id, team_id, zone_id, starts_at + make_interval(mins => :minutes::integer) as starts_at,
        ends_at + make_interval(mins => :minutes::integer) as ends_at
      from appointments
      where team_id = :teamId and starts_at >= :from and starts_at < :until and ends_at > :now
        and status in ('New', 'Scheduled', 'Confirmed', 'In The Way', 'In The location')
    ) a
    join bookings b on b.id = a.booking_id join teams t on t.id = a.team_id
    order by a.starts_at, a.id`,
});

/**
 * The team's appointments that start in the period, have not begun and are not over by the plan, by start; `problem`:
 * why the team could not do them so many minutes later.
 */
export function listDelayedVisits(
  db: Queryable,
  now: Instant,
  visits: { teamId: string; from: Instant; until: Instant; minutes: number },
): Promise<{ id: string; problem: VisitRefusal | null }[]> {
  return rows(db, DELAYED_VISITS, { ...visits, now });
}
