import { DAY, type Instant } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import { hotStatement, pg, type Row, rows } from '../db/statement.ts';

export const LOAD_BOOKED = hotStatement({
  name: 'load-booked',
  takes: { midnights: pg.timestamps, nexts: pg.timestamps },
  returns: { midnight: pg.timestamptz, team_id: pg.uuid, zone_id: pg.uuid, minutes: pg.bigint },
  // A check of the table bounds the length of appointments, so the index on starts_at is used.
  text: `
    select d.midnight, a.team_id, a.zone_id,
      round(sum(extract(epoch from least(a.ends_at, d.next) - greatest(a.starts_at, d.midnight))) / 60)::bigint
        as minutes
    from unnest(:midnights::timestamptz[], :nexts::timestamptz[]) as d (midnight, next)
    join appointments a on a.starts_at < d.next and a.starts_at > d.midnight - interval '32 hours'
      and a.ends_at > d.midnight and a.status not in ('Cancelled', 'Held')
    group by d.midnight, a.team_id, a.zone_id`,
});

export type BookedRow = Row<typeof LOAD_BOOKED>;

/** The minutes of appointments, not cancelled, on each day that begins at a midnight, by team and zone. */
export function loadBooked(db: Queryable, midnights: Instant[]): Promise<BookedRow[]> {
  return rows(db, LOAD_BOOKED, { midnights, nexts: midnights.map((midnight) => midnight + DAY) });
}
