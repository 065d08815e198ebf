import { HOLD_IN_THE_WAY, type HoldInTheWay } from '../availability/hold-in-the-way.ts';
import type { Instant } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import { hotStatement, pg, type Row, rows } from '../db/statement.ts';
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
  returns: {
    id: pg.uuid,
    problem: pg.typed<VisitRefusal | null>(pg.nullable(pg.text)),
    holds: pg.json<HoldInTheWay[]>(),
  },
  text: `
    select a.id, (${refusals('a', 'b.service_id')})[1] as problem,
      (select coalesce(json_agg(${HOLD_IN_THE_WAY} order by h.starts_at, h.id), '[]')
        from appointments o join holds h on h.id = o.id join partners p on p.id = h.partner_id
        where o.team_id = a.team_id and o.status = 'Held' and h.expires_at > :now
          and o.starts_at > a.starts_at - interval '32 hours' and o.starts_at < a.ends_at + interval '16 hours'
          and is_too_close(o.starts_at, o.ends_at, o.busy_until, make_interval(mins => t.travel_buffer_minutes),
            a.starts_at, a.ends_at + make_interval(mins => t.travel_buffer_minutes))
          and not (h.contact_id is not distinct from b.contact_id and h.service_id = b.service_id)) as holds
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
 * why the team could not do them so many minutes later; `holds`: those in their way then.
 */
export function listDelayedVisits(
  db: Queryable,
  now: Instant,
  visits: { teamId: string; from: Instant; until: Instant; minutes: number },
): Promise<Row<typeof DELAYED_VISITS>[]> {
  return rows(db, DELAYED_VISITS, { ...visits, now });
}
