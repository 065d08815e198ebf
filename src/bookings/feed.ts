import { DAY, type Instant, toRiyadhIso } from '../clock.ts';
import { validationError } from '../errors.ts';
import type { Db } from '../platform/db.ts';
import { deleteEventsBefore, type EventRow, lastPlace, listEvents, placeEvents } from './feed-queries.ts';

/** How long the feed keeps events. */
const KEPT = 90 * DAY;
/** Instead of a cursor: the end of the feed at that moment. */
const LATEST = 'latest';

/**
 * The partner's events after the cursor, oldest first, and where to go on. Gap-free: no event ever appears behind
 * a cursor that was handed out. Without a cursor: from the oldest event kept. With `latest`: no event, and a cursor
 * behind all that are committed. Throws VALIDATION_ERROR for a cursor that is none of ours.
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
  const position = after === undefined ? 0 : decodeCursor(after);
  if (position === null) throw validationError(['after must be a cursor that the feed answered']);
  await placeEvents(db);
  const rows = await listEvents(db, partnerId, position, now - KEPT, limit + 1);
  const page = rows.slice(0, limit);
  return {
    success: true as const,
    data: page.map(eventView),
    meta: { nextCursor: encodeCursor(page.at(-1)?.feed_position ?? position), hasMore: rows.length > limit },
  };
}

function eventView(row: EventRow) {
  return {
    id: row.id,
    event: row.event,
    bookingId: row.booking_id,
    sequence: row.sequence,
    createdAt: toRiyadhIso(row.created_at),
    payload: row.payload,
  };
}

/** Opaque to partners, so that what it holds may change. */
function encodeCursor(position: number): string {
  return Buffer.from(`f1.${position}`).toString('base64url');
}

function decodeCursor(cursor: string): number | null {
  const match = /^f1\.(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString());
  return match && encodeCursor(Number(match[1])) === cursor ? Number(match[1]) : null;
}

const BATCH = 1_000;

/** Deletes the events that the feed keeps no longer; answers how many. */
export async function forgetOldEvents(db: Db, now: Instant): Promise<number> {
  let forgotten = 0;
  for (let batch = BATCH; batch === BATCH; forgotten += batch) {
    batch = await deleteEventsBefore(db, now - KEPT, BATCH);
  }
  return forgotten;
}
