import { type Instant, toUtcIso } from '../clock.ts';
import type { Db, Queryable } from '../platform/db.ts';
import type { EventName } from './rules.ts';

export type EventRow = {
  id: string;
  feed_position: number;
  event: EventName;
  booking_id: string;
  sequence: number;
  created_at: Instant;
  payload: unknown;
};

/**
 * Gives the events that have none yet their place in the feed (place_events in migrations/0002); answers how many.
 * Asks before it takes the lock: readers of a feed with nothing new do not wait for each other.
 */
export async function placeEvents(db: Queryable): Promise<number> {
  const row = await db.first<{ placed: number | null }>({
    name: 'place-events',
    text: `
      select case when exists (select 1 from events where feed_position is null) then place_events() end as placed`,
  });
  return row?.placed ?? 0;
}

/** The partner's placed events behind the position, oldest first. */
export function listEvents(
  db: Db,
  partnerId: string,
  after: number,
  keptSince: Instant,
  limit: number,
): Promise<EventRow[]> {
  return db.rows<EventRow>({
    name: 'list-events',
    text: `
      select id, feed_position, event, booking_id, sequence, created_at, payload from events
      where partner_id = $1 and feed_position > $2 and created_at >= $3
      order by feed_position limit $4`,
    values: [partnerId, after, toUtcIso(keptSince), limit],
  });
}

/**
 * The place of the partner's last placed event, 0 when it has none. Places are committed in their order (place_events
 * runs one at a time), so whatever is placed later comes behind it.
 */
export async function lastPlace(db: Db, partnerId: string): Promise<number> {
  const row = await db.first<{ place: number }>({
    name: 'last-place',
    text: 'select coalesce(max(feed_position), 0) as place from events where partner_id = $1',
    values: [partnerId],
  });
  return row!.place;
}

/** Deletes some of the events that are older than the feed keeps them; answers how many. */
export async function deleteEventsBefore(db: Queryable, keptSince: Instant, limit: number): Promise<number> {
  const rows = await db.rows({
    text: `
      delete from events where id in (
        select id from events where created_at < $1 and feed_position is not null order by created_at limit $2)
      returning 1`,
    values: [toUtcIso(keptSince), limit],
  });
  return rows.length;
}
