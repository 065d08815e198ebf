import type { Instant } from '../base/clock.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { firstOf, instant, rowsOf, tablesOf } from '../db/tables.ts';
import type { AppointmentTable, BookingAccessTable } from './table.ts';

const tables = tablesOf<{ booking_access: BookingAccessTable; appointments: AppointmentTable }>();

/** The sealed value; null: there is none. */
export async function findAccessRow(db: Queryable, bookingId: string): Promise<string | null> {
  const query = tables.selectFrom('booking_access').select('value').where('id', '=', bookingId);
  return (await firstOf(db, query))?.value ?? null;
}

export async function saveAccessRow(tx: Tx, bookingId: string, value: string): Promise<void> {
  const query = tables
    .insertInto('booking_access')
    .values({ id: bookingId, value })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ value }));
  await rowsOf(tx, query);
}

export async function deleteAccessRows(db: Queryable, bookingIds: readonly string[]): Promise<void> {
  await rowsOf(db, tables.deleteFrom('booking_access').where('id', 'in', [...bookingIds]));
}

/** Deletes the values of visits that ended before, or were cancelled. */
export async function deleteOldAccess(db: Queryable, endedBefore: Instant): Promise<void> {
  const over = tables
    .selectFrom('appointments')
    .select('booking_id')
    .where((is) => is.or([is('ends_at', '<', instant(endedBefore)), is('status', '=', 'Cancelled')]));
  await rowsOf(db, tables.deleteFrom('booking_access').where('id', 'in', over));
}
