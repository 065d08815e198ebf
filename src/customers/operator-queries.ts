import { type InferResult, sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import type { AppointmentTable, BookingTable } from '../bookings/table.ts';
import type { Queryable } from '../db/connection.ts';
import type { Page, Window } from '../db/pages.ts';
import { instant, pageOf, tablesOf } from '../db/tables.ts';
import type { MessageStatus, MessageTable } from './table.ts';

/** Messages of all customers, as the operator searches them. */

const tables = tablesOf<{
  customer_messages: MessageTable;
  bookings: BookingTable;
  appointments: AppointmentTable;
  partners: { id: string; name: string };
}>();

const messages = tables
  .selectFrom('customer_messages as m')
  .innerJoin('bookings as b', 'b.id', 'm.booking_id')
  .innerJoin('appointments as a', 'a.booking_id', 'b.id')
  .innerJoin('partners as p', 'p.id', 'b.partner_id')
  .select(['m.id', 'm.booking_id', 'm.kind', 'm.status', 'm.reason'])
  .select(['m.starts_at', 'm.due_at', 'm.created_at', 'm.finished_at'])
  .select(['a.name as appointment_name', 'b.partner_id', 'p.name as partner_name']);

export type FoundMessageRow = InferResult<typeof messages>[number];

export type MessageFilter = { status?: MessageStatus; partnerId?: string; since?: Instant };

/** Messages of all bookings, the latest first: by when they ended or are due. `since` is of those that ended. */
export function listMessagesOfAll(
  db: Queryable,
  { status, partnerId, since }: MessageFilter,
  page: Window,
): Promise<Page<FoundMessageRow>> {
  const query = messages
    .$if(status !== undefined, (found) => found.where('m.status', '=', status!))
    .$if(partnerId !== undefined, (found) => found.where('b.partner_id', '=', partnerId!))
    .$if(since !== undefined, (found) => found.where('m.finished_at', '>=', instant(since!)))
    .orderBy(sql`coalesce(m.finished_at, m.due_at)`, 'desc')
    .orderBy('m.id', 'desc');
  return pageOf(db, query, page);
}
