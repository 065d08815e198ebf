import { DAY, type Instant, toRiyadhIso } from '../clock.ts';
import type { Db } from '../db/connection.ts';
import { deleteEventsBefore, type EventRow, lastPlace, listEvents, placeEvents } from './queries.ts';
import { decodeCursor, encodeCursor, LATEST } from './rules.ts';

/** How long the feed keeps events. */
const RETENTION = 90 * DAY;

/**
 * The partner's events after the cursor, oldest first, and where to go on. Gap-free: no event ever appears behind
 * a cursor that was handed out. Without a cursor: from the oldest event kept. With `latest`: no event, and a cursor
 * behind all that are committed. `after` is one of ours (CURSOR).
 */
export async function readFeed(
  db: Db,
  now: Instant,
  partnerId: string,
  { after, limit = 20 }: { after?: string; limit?: number },
) {
  if (after === LATEST) {
    await placeEvents(db);
    const end = await lastPlace(db, partnerId);
    return { success: true as const, data: [], meta: { nextCursor: encodeCursor(end), hasMore: false } };
  }
  const position = after === undefined ? 0 : decodeCursor(after)!;
  await placeEvents(db);
  const rows = await listEvents(db, partnerId, position, now - RETENTION, limit + 1);
  const page = rows.slice(0, limit);
  return {
    success: true as const,
    data: page.map(eventView),
    meta: { nextCursor: encodeCursor(page.at(-1)?.feed_position ?? position), hasMore: rows.length > limit },
  };
}

/** An event as the feed shows it. */
export function eventView(row: Omit<EventRow, 'feed_position'>) {
  return {
    id: row.id,
    event: row.event,
    bookingId: row.booking_id,
    sequence: row.sequence,
    createdAt: toRiyadhIso(row.created_at),
    payload: row.payload,
  };
}

const BATCH = 1_000;

/** Deletes the events that the feed keeps no longer; returns how many. */
export async function forgetOldEvents(db: Db, now: Instant): Promise<number> {
  let forgotten = 0;
  for (let batch = BATCH; batch === BATCH; forgotten += batch) {
    batch = await deleteEventsBefore(db, now - RETENTION, BATCH);
  }
  return forgotten;
}
