import { HOUR, type Instant, toRiyadhIso } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import type { Page } from '../db/pages.ts';
import { paging } from '../http/envelope.ts';
import type { MessageRow } from './message-queries.ts';
import { type FoundMessageRow, listMessagesOfAll } from './operator-queries.ts';
import type { MessagesQuery } from './operator-schema.ts';

/** A page of the messages to customers, the latest first. */
export function searchMessages(
  db: Queryable,
  now: Instant,
  { withinHours, ...query }: MessagesQuery,
): Promise<Page<FoundMessageRow>> {
  const filter = { ...query, ...(withinHours !== undefined && { since: now - withinHours * HOUR }) };
  return listMessagesOfAll(db, filter, paging(query));
}

/** A message in the operator's interface. */
export function messageView(row: MessageRow) {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    reason: row.reason,
    visitAt: toRiyadhIso(row.starts_at),
    at: toRiyadhIso(row.finished_at ?? row.due_at),
    createdAt: toRiyadhIso(row.created_at),
  };
}

/** A message with its visit. */
export function foundMessageView(row: FoundMessageRow) {
  return {
    ...messageView(row),
    bookingId: row.booking_id,
    trackingReference: row.appointment_name,
    partner: { id: row.partner_id, name: row.partner_name },
  };
}
