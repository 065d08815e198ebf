import type { Instant } from '../base/clock.ts';
import { sqlBefore } from '../base/moves.ts';
import { TO_CHANGE, TO_CHANGE_COLUMNS } from '../bookings/queries.ts';
import { AUTOMATIC_MOVES } from '../bookings/rules.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { first, hotStatement, pg, type Row, rows } from '../db/statement.ts';
import { canDo } from '../teams/visit-queries.ts';

/** SQL: whether the team of the row `t` can do the visit `a` of the booking `b` as it was sold and is free for it, as claims ask it. */
const CAN_TAKE_OVER = `(${canDo('a', 'b.service_id')}
        and team_is_free(t.id, make_interval(mins => t.travel_buffer_minutes), a.starts_at,
          a.ends_at + make_interval(mins => t.travel_buffer_minutes), a.id, :now))`;

const IS_UNASSIGNED = sqlBefore('a.status', AUTOMATIC_MOVES.assigned);

export const LOCK_UNASSIGNED = hotStatement({
  name: 'lock-unassigned',
  takes: { startsBefore: pg.timestamptz, limit: pg.bigint },
  returns: TO_CHANGE_COLUMNS,
  text: `
    select ${TO_CHANGE} from appointments a join bookings b on b.id = a.booking_id
    where ${IS_UNASSIGNED} and a.starts_at <= :startsBefore
      and exists (select from teams t where t.id = a.team_id and ${canDo('a', 'b.service_id')})
    order by a.starts_at, a.id limit :limit for no key update skip locked`,
});

/**
 * Locks a batch of unassigned appointments that start before `startsBefore` and that their team can do, soonest first.
 */
export function lockUnassigned(
  tx: Tx,
  startsBefore: Instant,
  limit: number,
): Promise<Row<typeof LOCK_UNASSIGNED>[]> {
  return rows(tx, LOCK_UNASSIGNED, { startsBefore, limit });
}

export const LIST_WITHOUT_ABLE_TEAM = hotStatement({
  name: 'list-without-able-team',
  takes: { now: pg.timestamptz, startsBefore: pg.timestamptz, limit: pg.bigint },
  returns: { booking_id: pg.uuid },
  text: `
    select b.id as booking_id from appointments a join bookings b on b.id = a.booking_id
    where ${IS_UNASSIGNED} and a.starts_at > :now and a.starts_at <= :startsBefore
      and not exists (select from teams t where t.id = a.team_id and ${canDo('a', 'b.service_id')})
      and exists (select from teams t where ${CAN_TAKE_OVER})
    order by a.starts_at, a.id limit :limit`,
});

/** Bookings with an unassigned appointment that its team cannot do and another team can, soonest first. */
export async function listWithoutAbleTeam(
  db: Queryable,
  now: Instant,
  startsBefore: Instant,
  limit: number,
): Promise<string[]> {
  const found = await rows(db, LIST_WITHOUT_ABLE_TEAM, { now, startsBefore, limit });
  return found.map((row) => row.booking_id);
}

export const TEAMS_FOR_VISIT = hotStatement({
  name: 'teams-for-visit',
  takes: { appointmentId: pg.uuid, now: pg.timestamptz },
  returns: { id: pg.uuid, catalogue_version: pg.bigint },
  // The least versatile teams first, as for a creation.
  text: `
    select t.id, (select version from change_counters where name = 'catalogue') as catalogue_version
    from appointments a join bookings b on b.id = a.booking_id cross join teams t
    where a.id = :appointmentId and ${CAN_TAKE_OVER}
    order by t.id <> a.team_id, (select count(*) from team_services where team_id = t.id)
      * (select count(*) from team_zones where team_id = t.id), t.lock_number`,
});

/** The teams that can do the appointment as it was sold and are free: its own first, then the least versatile. */
export function teamsForVisit(
  tx: Tx,
  now: Instant,
  appointmentId: string,
): Promise<Row<typeof TEAMS_FOR_VISIT>[]> {
  return rows(tx, TEAMS_FOR_VISIT, { appointmentId, now });
}

export const COUNT_UNASSIGNED = hotStatement({
  name: 'count-unassigned',
  takes: {},
  returns: { total: pg.bigint },
  text: `select count(*) as total from appointments a where ${IS_UNASSIGNED}`,
});

/** The number of unassigned appointments. */
export async function countUnassigned(db: Queryable): Promise<number> {
  return (await first(db, COUNT_UNASSIGNED, {}))!.total;
}
