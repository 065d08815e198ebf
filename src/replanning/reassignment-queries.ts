import type { Instant } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import { hotStatement, pg, rows } from '../db/statement.ts';

export const APPOINTMENTS_BETWEEN = hotStatement({
  name: 'appointments-between',
  takes: { teamId: pg.uuid, from: pg.timestamptz, until: pg.timestamptz },
  returns: { id: pg.uuid },
  // A check of the table bounds the length of appointments, so the index on starts_at is used.
  text: `
    select id from appointments
    where team_id = :teamId and status not in ('Cancelled', 'Held') and starts_at < :until
      and starts_at > :from::timestamptz - interval '32 hours' and ends_at > :from
    order by starts_at, id`,
});

/** The ids of a team's appointments that touch the period, without the cancelled ones, by start. */
export async function appointmentsBetween(
  db: Queryable,
  teamId: string,
  from: Instant,
  until: Instant,
): Promise<string[]> {
  return (await rows(db, APPOINTMENTS_BETWEEN, { teamId, from, until })).map(({ id }) => id);
}
