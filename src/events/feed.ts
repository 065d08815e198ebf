import { DAY, type Instant, toRiyadhIso } from '../clock.ts';
import type { Db } from '../db/connection.ts';
import { keepPartitions, type PartitionedTable, type PartitionPlan } from '../db/partitions.ts';
import { validationError } from '../errors.ts';
import { runParts } from '../runtime/jobs.ts';
import { type EventRow, lastPlace, listEvents, placeEvents } from './queries.ts';
import { CURSOR, decodeCursor, encodeCursor, LATEST } from './rules.ts';

/** How long the feed keeps events, and how long deliveries are kept. */
export const RETENTION = 90 * DAY;

/**
 * The partner's events after the cursor, oldest first, and where to go on. Gap-free: no event ever appears behind
 * a cursor that was handed out. Without a cursor: from the oldest event kept. With `latest`: no event, and a cursor
 * behind all that are committed. `after` has the form of ours (CURSOR). Throws VALIDATION_ERROR for one that is ahead of all
 * events, of another database or of what was lost of this one: what comes up to it would never be seen.
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
  const { last } = await placeEvents(db);
  if (position > last) {
    throw validationError(
      [`after ${CURSOR.message}`],
      [
        'after: it is ahead of the feed, as after a restore: go on without it, and skip the events you have by their id',
      ],
    );
  }
  const rows = await listEvents(db, partnerId, position, now - RETENTION, limit + 1);
  const page = rows.slice(0, limit);
  return {
    success: true as const,
    data: page.map(eventView),
    meta: { nextCursor: encodeCursor(page.at(-1)?.place ?? position), hasMore: rows.length > limit },
  };
}

/** An event as the feed shows it. */
export function eventView(row: Omit<EventRow, 'place'>) {
  return {
    id: row.id,
    event: row.event,
    bookingId: row.booking_id,
    sequence: row.sequence,
    createdAt: toRiyadhIso(row.created_at),
    payload: row.payload,
  };
}

/** Both by the time of the event. */
export const EVENT_PARTITIONS: readonly PartitionedTable[] = [
  { name: 'event_places', key: 'created_at', kind: 'time' },
  { name: 'events', key: 'created_at', kind: 'time' },
];

/** The months that the feed needs: some ahead, and those in which not everything is older than it keeps it. */
export const eventPartitionPlans = (now: Instant): PartitionPlan[] =>
  EVENT_PARTITIONS.map((table) => ({ table, step: 'month', now, keptSince: now - RETENTION }));

/** Makes the months that the feed needs next, and drops those in which everything is older than the feed keeps it. */
export async function keepEventPartitions(db: Db, now: Instant): Promise<void> {
  await runParts(eventPartitionPlans(now).map((plan) => () => keepPartitions(db, plan)));
}
