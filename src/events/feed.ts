import { DAY, type Instant, parseOffsetDateTime, toRiyadhIso } from '../base/clock.ts';
import { validationError } from '../base/errors.ts';
import { type Links, openPayload } from '../bookings/links.ts';
import type { Db } from '../db/connection.ts';
import { keepPartitions, type PartitionedTable, type PartitionPlan } from '../db/partitions.ts';
import { runParts } from '../runtime/jobs.ts';
import { type EventRow, isCursorValid, lastPlace, listEvents, placeEvents } from './queries.ts';
import { CURSOR, decodeCursor, encodeCursor, LATEST, wantedEvents } from './rules.ts';

/** Milliseconds for which events and deliveries are kept. */
export const RETENTION = 90 * DAY;

/**
 * The partner's events after the cursor, oldest first, and the next cursor. No event ever appears before a cursor that
 * was returned. Without a cursor: from the oldest kept event, or the oldest at `since` or later. With `latest`: no
 * event, and a cursor after all committed ones. `after` must have the form CURSOR. Throws VALIDATION_ERROR for a cursor
 * after events that were lost since, or of another database: events that took their places would be skipped.
 */
export async function readFeed(
  { db, links }: { db: Db; links: Links },
  now: Instant,
  partnerId: string,
  { after, since, events, limit = 20 }: { after?: string; since?: string; events?: string; limit?: number },
) {
  const { history, last } = await placeEvents(db);
  // `position`: of the cursor; null: that of the last event.
  const page = (rows: EventRow[], position: number | null, hasMore: boolean) => ({
    success: true as const,
    data: rows.map((row) => eventView(links, row)),
    meta: { nextCursor: encodeCursor({ history, position: position ?? rows.at(-1)!.place }), hasMore },
  });
  if (after === LATEST) return page([], await lastPlace(db, partnerId), false);
  const cursor = after === undefined ? null : decodeCursor(after);
  const isLost =
    cursor !== null &&
    (cursor.position > last || (cursor.history !== history && !(await isCursorValid(db, cursor))));
  if (isLost) throw lostCursor();
  const begin = cursor === null && since !== undefined ? parseOffsetDateTime(since) : null;
  // The cursor of an empty page: later events are placed after it.
  const end = begin === null ? 0 : await lastPlace(db, partnerId);
  const from = cursor?.position ?? 0;
  const { rows, scannedTo, hasMore } = await listEvents(db, partnerId, {
    after: from,
    keptSince: Math.max(now - RETENTION, begin ?? 0),
    names: wantedEvents(events),
    limit: limit + 1,
  });
  if (rows.length > limit) return page(rows.slice(0, limit), null, true);
  return page(rows, scannedTo ?? Math.max(from, end), hasMore);
}

const lostCursor = () =>
  validationError(
    [`after ${CURSOR.message}`],
    [
      'after: events before this cursor were lost, as after a restore or a failover, and it stays refused: begin from a ' +
        'time before your last event with since=<time>, skip the events you have by their id, and reconcile your ' +
        'bookings with GET /partners/bookings',
    ],
  );

/** An event in the feed. */
export function eventView(links: Links, row: Omit<EventRow, 'place'>) {
  return {
    id: row.id,
    event: row.event,
    bookingId: row.booking_id,
    sequence: row.sequence,
    createdAt: toRiyadhIso(row.created_at),
    payload: openPayload(links, row.payload),
  };
}

/** By the time of the event. */
export const EVENT_PARTITIONS: readonly PartitionedTable[] = [
  { name: 'event_places', key: 'created_at' },
  { name: 'events', key: 'created_at' },
];

/** The months of the feed: RETENTION back, and some ahead. */
export const eventPartitionPlans = (now: Instant): PartitionPlan[] =>
  EVENT_PARTITIONS.map((table) => ({ table, step: 'month', now, keptSince: now - RETENTION }));

/** Creates the partitions of the next months and drops those that end before RETENTION. */
export async function keepEventPartitions(db: Db, now: Instant): Promise<void> {
  await runParts(eventPartitionPlans(now).map((plan) => () => keepPartitions(db, plan)));
}
