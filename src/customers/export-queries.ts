import { sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import type { AppointmentTable, BookingTable } from '../bookings/table.ts';
import { SOLD_NAME } from '../catalogue/sold-names.ts';
import type { ServiceTable } from '../catalogue/table.ts';
import type { Queryable } from '../db/connection.ts';
import { rowsOf, tablesOf } from '../db/tables.ts';
import type { SeriesTable } from '../series/table.ts';
import type { MessageTable } from './table.ts';

/** Data of a customer beside contact and addresses. */

const tables = tablesOf<{
  bookings: BookingTable;
  appointments: AppointmentTable;
  services: ServiceTable;
  customer_messages: MessageTable;
  series: SeriesTable;
}>();

/** The contact's bookings, oldest first. */
export function listBookingsOf(db: Queryable, contactId: string) {
  const query = tables
    .selectFrom('bookings as b')
    .innerJoin('appointments as a', 'a.booking_id', 'b.id')
    .innerJoin('services as s', 's.id', 'b.service_id')
    .select(['b.id', 'b.external_reference', 'b.status', 'b.payment_status', 'b.amount', 'b.address_id'])
    .select(['b.notes', 'b.cancellation_notes', 'b.failure_reason', 'b.payment_reference', 'b.created_at'])
    .select(['a.name', 'a.starts_at', 'a.ends_at', sql<string>`${sql.raw(SOLD_NAME)}`.as('service_name')])
    .where('b.contact_id', '=', contactId);
  return rowsOf(db, query.orderBy('b.created_at').orderBy('b.id'));
}

/** The contact's series, oldest first. */
export function listSeriesOf(db: Queryable, contactId: string) {
  const query = tables
    .selectFrom('series')
    .select([
      'id',
      'external_reference',
      'address_id',
      'first_date',
      'every_weeks',
      'status',
      'notes',
      'created_at',
    ])
    .where('contact_id', '=', contactId);
  return rowsOf(db, query.orderBy('created_at').orderBy('id'));
}

/**
 * What operators and crews wrote about the bookings, each text once, oldest first: all that erasing removes, beside what the
 * bookings have.
 */
export function listRemarks(
  db: Queryable,
  bookingIds: readonly string[],
): Promise<{ booking_id: string; at: Instant; text: string }[]> {
  return db.rows({
    text: `
      select booking_id, min(at) as at, text from (
        select t.booking_id, l.at, value #>> '{}' as text
        from audit_texts t join audit_log l on l.id = t.entry_id
        cross join lateral jsonb_path_query(jsonb_build_array(t.before, t.after), 'strict $.**') as value
        where t.booking_id = any ($1) and jsonb_typeof(value) = 'string'
        union all
        select a.booking_id, s.received_at, s.notes from crew_steps s join appointments a on a.id = s.appointment_id
        where a.booking_id = any ($1) and s.notes is not null
        union all
        select booking_id, decided_at, decision_reason from payments
        where booking_id = any ($1) and decision_reason is not null
      ) as written
      group by booking_id, text order by at, text`,
    values: [bookingIds],
  });
}

/** The messages to the contact, oldest first. */
export function listMessagesTo(db: Queryable, contactId: string) {
  const query = tables
    .selectFrom('customer_messages as m')
    .innerJoin('bookings as b', 'b.id', 'm.booking_id')
    .select(['m.booking_id', 'm.kind', 'm.status', 'm.due_at', 'm.finished_at'])
    .where('b.contact_id', '=', contactId);
  return rowsOf(db, query.orderBy('m.due_at').orderBy('m.id'));
}
