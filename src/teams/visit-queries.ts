import type { Instant } from '../base/clock.ts';
import { CONFLICT, type ConflictRow, conflictsBy } from '../catalogue/conflict-queries.ts';
import type { ConflictCause } from '../catalogue/conflict-schema.ts';
import type { Queryable } from '../db/connection.ts';
import { first, hotStatement, pg, rows } from '../db/statement.ts';
import type { SchedulePeriod } from './schedule-rules.ts';

/** The reasons why a team cannot do a visit as it was sold. */
export type VisitRefusal = Extract<
  ConflictCause,
  'INACTIVE' | 'NOT_IN_ZONE' | 'NO_SKILL' | 'OFF_SHIFT' | 'TIME_OFF'
>;

/** Riyadh is 3 hours ahead of UTC, and 1970-01-01 was a Thursday: seconds from a Riyadh Monday to the epoch. */
const EPOCH_IN_WEEK = (3 * 24 + 3) * 3_600;
const WEEK = 7 * 24 * 3_600;

/** SQL: an instant as a Riyadh date. */
const dateOf = (instant: string): string => `(${instant} at time zone 'UTC' + interval '3 hours')::date`;

/**
 * The conditions of a team for a visit as it was sold, as SQL over a row `t` of teams. `visit` is the alias of a row of
 * appointments, `serviceId` an expression. They compare the team with zone and service of the visit, which may have
 * been changed or withdrawn since.
 */
function conditions(visit: string, serviceId: string): Record<VisitRefusal, string> {
  const intoWeek = `extract(epoch from ${visit}.starts_at)::bigint + ${EPOCH_IN_WEEK}`;
  const intoShift = `mod(${intoWeek} - ((w.weekday - 1) * 1440 + w.start_minute) * 60, ${WEEK})`;
  const shiftMinutes =
    'w.end_minute - w.start_minute + case when w.end_minute <= w.start_minute then 1440 else 0 end';
  return {
    INACTIVE: 't.is_active',
    NOT_IN_ZONE: `exists (select from team_zones z where z.team_id = t.id and z.zone_id = ${visit}.zone_id)`,
    NO_SKILL: `exists (select from team_services s where s.team_id = t.id and s.service_id = ${serviceId})`,
    // Lists of attention ask for every visit to come, most of them far from any schedule.
    OFF_SHIFT: `case when exists (
        select from schedule_periods where first_date <= ${dateOf(`${visit}.ends_at`)}
          and coalesce(last_date, 'infinity') >= ${dateOf(`${visit}.starts_at`)} - 1)
      then is_in_team_hours(t.id, ${visit}.starts_at, ${visit}.ends_at)
      else exists (
        select from team_shifts w where w.team_id = t.id
          and ${intoShift} + extract(epoch from ${visit}.ends_at - ${visit}.starts_at) <= (${shiftMinutes}) * 60) end`,
    TIME_OFF: `not exists (
      select from team_time_off o
      where o.team_id = t.id and o.starts_at < ${visit}.ends_at and o.ends_at > ${visit}.starts_at)`,
  };
}

/** SQL: whether the team of the row `t` can do the visit as it was sold, apart from its other appointments. */
export function canDo(visit: string, serviceId: string): string {
  return `(${Object.values(conditions(visit, serviceId)).join(' and ')})`;
}

/** SQL: a text[] of the reasons against the team of the row `t`; empty: it can do the visit. */
export function refusals(visit: string, serviceId: string): string {
  const cases = Object.entries(conditions(visit, serviceId)).map(
    ([reason, condition]) => `case when not ${condition} then '${reason}' end`,
  );
  return `array_remove(array[${cases.join(', ')}], null)`;
}

export const FIND_VISIT_REFUSALS = hotStatement({
  name: 'find-visit-refusals',
  takes: { appointmentId: pg.uuid },
  returns: { reasons: pg.typed<VisitRefusal[]>(pg.texts) },
  text: `
    select ${refusals('a', 'b.service_id')} as reasons
    from appointments a join bookings b on b.id = a.booking_id join teams t on t.id = a.team_id
    where a.id = :appointmentId`,
});

/**
 * The reasons why the appointment's team cannot do it as it was sold; empty: it can, or there is no such appointment.
 */
export async function findVisitRefusals(db: Queryable, appointmentId: string): Promise<VisitRefusal[]> {
  return (await first(db, FIND_VISIT_REFUSALS, { appointmentId }))?.reasons ?? [];
}

export const LIST_TEAM_CONFLICTS = hotStatement({
  name: 'list-team-conflicts',
  takes: {
    teamId: pg.nullable(pg.uuid),
    firstDates: pg.nullable(pg.dates),
    lastDates: pg.nullable(pg.dates),
    now: pg.timestamptz,
  },
  returns: CONFLICT,
  // A shift may end on the day after the dates.
  text: conflictsBy(
    refusals('a', 'b.service_id'),
    `(:teamId::uuid is null or a.team_id = :teamId)
      and (:firstDates::date[] is null or exists (
        select from unnest(:firstDates::date[], :lastDates::date[]) as p (first_date, last_date)
        where ${dateOf('a.ends_at')} >= first_date and ${dateOf('a.starts_at')} <= last_date + 1))`,
  ),
});

/** The unfinished visits that the team, or with null any, cannot do as they were sold, by start. */
export function listTeamConflicts(
  db: Queryable,
  now: Instant,
  teamId: string | null,
): Promise<ConflictRow[]> {
  return rows(db, LIST_TEAM_CONFLICTS, { teamId, firstDates: null, lastDates: null, now });
}

/** The unfinished visits on the dates that their teams cannot do as they were sold, by start. */
export function listConflictsOn(
  db: Queryable,
  now: Instant,
  periods: readonly SchedulePeriod[],
): Promise<ConflictRow[]> {
  return rows(db, LIST_TEAM_CONFLICTS, {
    teamId: null,
    firstDates: periods.map(([first]) => first),
    lastDates: periods.map(([, last]) => last ?? 'infinity'),
    now,
  });
}
