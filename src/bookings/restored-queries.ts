import type { Db } from '../db/connection.ts';
import { hotStatement, pg, rows } from '../db/statement.ts';

/** Bookings of one statement: few enough for the time-out of statements. */
const BATCH = 5_000;

/**
 * A booking whose transaction this cluster has not begun yet was made or changed in another cluster and restored from a
 * dump.
 */
export const ADOPT_BOOKINGS = hotStatement({
  name: 'adopt-bookings',
  takes: { atOnce: pg.bigint },
  returns: { id: pg.uuid },
  text: `
    with foreign_bookings as materialized (
      select b.id from partners p cross join lateral (
        select id from bookings
        where partner_id = p.id and created_in >= pg_snapshot_xmax(pg_current_snapshot())
        union
        select id from bookings
        where partner_id = p.id and changed_in >= pg_snapshot_xmax(pg_current_snapshot()) limit :atOnce
      ) b limit :atOnce
    )
    update bookings set created_in = pg_current_xact_id()
    from foreign_bookings where bookings.id = foreign_bookings.id returning bookings.id`,
});

/**
 * Assigns bookings of another cluster (a restored dump) to a current transaction, without which lists with `asOf` would
 * leave them out, and lists of changes would not. Returns their number. When there are none, it reads an index once for each partner.
 */
export async function adoptBookings(db: Db): Promise<number> {
  for (let adopted = 0; ; ) {
    const { length } = await rows(db, ADOPT_BOOKINGS, { atOnce: BATCH });
    adopted += length;
    if (length === 0) return adopted;
  }
}
