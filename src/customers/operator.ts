import { HOUR, type Instant, toRiyadhIso } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import type { Page } from '../db/pages.ts';
import { paging } from '../http/envelope.ts';
import { viewBy } from '../http/fields.ts';
import type { MessageRow } from './message-queries.ts';
import { type FoundMessageRow, listMessagesOfAll } from './operator-queries.ts';
import { CustomerMessage, FoundMessage, type MessagesQuery } from './operator-schema.ts';

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
export const messageView = (row: MessageRow) =>
  viewBy(CustomerMessage, row, {
    visitAt: toRiyadhIso(row.starts_at),
    at: toRiyadhIso(row.finished_at ?? row.due_at),
  });

/** A message with its visit. */
export const foundMessageView = (row: FoundMessageRow) =>
  viewBy(FoundMessage, row, {
    ...messageView(row),
    trackingReference: row.appointment_name,
    partner: { id: row.partner_id, name: row.partner_name },
  });
