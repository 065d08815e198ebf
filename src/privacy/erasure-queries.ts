import { type Instant, toUtcIso } from '../base/clock.ts';
import type { AppointmentStatus, BookingStatus } from '../bookings/rules.ts';
import type { BookingTable } from '../bookings/table.ts';
import type { ContactRow, ContactTable } from '../contacts/table.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { firstOf, rowsOf, tablesOf } from '../db/tables.ts';
import type { PrivacyRequestTable } from './table.ts';

const tables = tablesOf<{
  contacts: ContactTable;
  bookings: BookingTable;
  appointments: { id: string; booking_id: string | null; status: AppointmentStatus };
  privacy_requests: PrivacyRequestTable;
}>();

/** The contact, locked: nothing is sold to it until the end of the transaction. null: there is none. */
export function lockContactToErase(tx: Tx, contactId: string): Promise<ContactRow | null> {
  return firstOf(tx, tables.selectFrom('contacts').selectAll().where('id', '=', contactId).forUpdate());
}

/** When the contact was erased; null: it was not. */
export function findErasure(
  db: Queryable,
  contactId: string,
): Promise<{ id: string; finished_at: Instant | null } | null> {
  const query = tables
    .selectFrom('contacts as c')
    .innerJoin('privacy_requests as r', 'r.id', 'c.erasure_id')
    .select(['r.id', 'r.finished_at']);
  return firstOf(db, query.where('c.id', '=', contactId));
}

export type BookingToErase = {
  id: string;
  status: BookingStatus;
  hold_id: string | null;
  updated_at: Instant;
  appointment_id: string;
  appointment_status: AppointmentStatus;
};

/** The contact's bookings, locked: nothing changes them until the end of the transaction. */
export function lockBookingsOf(tx: Tx, contactId: string): Promise<BookingToErase[]> {
  const query = tables
    .selectFrom('bookings as b')
    .innerJoin('appointments as a', 'a.booking_id', 'b.id')
    .select([
      'b.id',
      'b.status',
      'b.hold_id',
      'b.updated_at',
      'a.id as appointment_id',
      'a.status as appointment_status',
    ])
    .where('b.contact_id', '=', contactId)
    .orderBy('b.id')
    .forNoKeyUpdate();
  return rowsOf(tx, query);
}

export type NewRequest = Omit<PrivacyRequestTable, 'received_at' | 'due_at' | 'finished_at'> & {
  receivedAt: Instant;
  dueAt: Instant;
  finishedAt: Instant | null;
};

export async function insertRequest(
  tx: Tx,
  { receivedAt, dueAt, finishedAt, ...columns }: NewRequest,
): Promise<void> {
  const query = tables.insertInto('privacy_requests').values({
    ...columns,
    received_at: toUtcIso(receivedAt),
    due_at: toUtcIso(dueAt),
    finished_at: finishedAt === null ? null : toUtcIso(finishedAt),
  });
  await rowsOf(tx, query);
}
