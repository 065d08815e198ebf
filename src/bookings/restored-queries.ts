import type { Db } from '../db/connection.ts';
import { bigint, hotStatement, rows, uuid } from '../db/statement.ts';

/** Bookings that one statement takes over: a second or two of work, so that no time-out of statements ends it. */
const AT_ONCE = 5_000;

/**
 * What this cluster's snapshot sees is of transactions that it has begun. A booking of a later one was made in another
 * cluster, and came with a dump.
 */
export const ADOPT_BOOKINGS = hotStatement({
  name: 'adopt-bookings',
  takes: { atOnce: bigint },
  returns: { id: uuid },
  text: `
    with foreign_bookings as materialized (
      select b.id from partners p cross join lateral (
        select id from bookings
        where partner_id = p.id and created_in >= pg_snapshot_xmax(pg_current_snapshot()) limit :atOnce
      ) b limit :atOnce
    )
    update bookings set created_in = pg_current_xact_id()
    from foreign_bookings where bookings.id = foreign_bookings.id returning bookings.id`,
});

/**
 * After a dump was restored into another cluster: lists with `asOf` would leave out bookings whose transaction that
 * cluster has not come to yet. They count as made now. Answers how many there were; with none, it is a look into an
 * index for each partner.
 */
export async function adoptBookings(db: Db): Promise<number> {
  for (let adopted = 0; ; ) {
    const { length } = await rows(db, ADOPT_BOOKINGS, { atOnce: AT_ONCE });
    adopted += length;
    if (length === 0) return adopted;
  }
}
