import { type Instant, toUtcIso } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';

/** The appointment that a batch ended with: its time and id. */
export type Place = { start: Instant; id: string };

/** Before every appointment. */
export const BEGINNING: Place = { start: 0, id: '00000000-0000-0000-0000-000000000000' };

/**
 * Moves closed bookings that are older than `months` months to the archive, those among the next `limit` appointments
 * after the place. Returns how many were moved, and the place where the next batch goes on; null: there are no more.
 */
export async function archiveBatch(
  db: Queryable,
  now: Instant,
  months: number,
  { after, limit }: { after: Place; limit: number },
): Promise<{ moved: number; last: Place | null }> {
  const found = await db.first<{ looked_at: number; moved: number; last_start: Instant; last_id: string }>({
    text: `
      select * from archive_bookings($1::timestamptz - make_interval(months => $2::int), $3::timestamptz, $4::uuid,
        $5::bigint)`,
    values: [toUtcIso(now), months, toUtcIso(after.start), after.id, limit],
  });
  const { looked_at: lookedAt, moved, last_start: start, last_id: id } = found!;
  return { moved, last: lookedAt < limit ? null : { start, id } };
}

/**
 * Brings bookings back from the archive, by their ids, or those of their appointments or payments, and by tracking
 * reference, external reference, or that at the gateway. Returns whether one was there, or one of these ids is here.
 */
export async function recallBookings(
  db: Queryable,
  { ids = [], references = [] }: { ids?: readonly string[]; references?: readonly string[] },
): Promise<boolean> {
  const found = await db.first<{ recalled: boolean }>({
    name: 'recall-bookings',
    text: 'select recall_bookings($1::uuid[], $2::text[]) as recalled',
    values: [ids, references],
  });
  return found!.recalled;
}

/** A pass of the worker's job may move it again before the next look, each at most once. */
const RECALLS = 4;

/**
 * Resolves to what `look` finds, if `isFound`, or after bringing the named bookings back from the archive. Throws what
 * `look` throws.
 */
export async function findOrRecall<T>(
  db: Queryable,
  named: { ids?: readonly string[]; references?: readonly string[] },
  { look, isFound }: { look: () => Promise<T>; isFound: (found: T) => boolean },
): Promise<T> {
  let found = await look();
  for (let recalls = 0; recalls < RECALLS && !isFound(found); recalls++) {
    if (!(await recallBookings(db, named))) break;
    found = await look();
  }
  return found;
}

/** Brings all bookings of the contact back from the archive. */
export async function recallBookingsOf(db: Queryable, contactId: string): Promise<void> {
  await db.rows({
    text: `
      select recall_bookings(ids, '{}')
      from (select array_agg(id) as ids from archived_bookings where contact_id = $1) found where ids is not null`,
    values: [contactId],
  });
}
