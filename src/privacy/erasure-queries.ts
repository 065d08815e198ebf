import { type Instant, toUtcIso } from '../base/clock.ts';
import type { AppointmentStatus, BookingStatus } from '../bookings/rules.ts';
import type { BookingTable } from '../bookings/table.ts';
import { ERASED_NAME } from '../contacts/rules.ts';
import type { ContactRow, ContactTable } from '../contacts/table.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { firstOf, rowsOf, tablesOf } from '../db/tables.ts';
import { FAILURE_REASONS } from '../payments/rules.ts';
import { withoutWords } from '../webhooks/queue-queries.ts';
import { isAbout, type LoggedTexts } from './logged-texts.ts';
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
  updated_at: Instant;
  appointment_id: string;
  appointment_status: AppointmentStatus;
};

/** The contact's bookings, locked: nothing changes them until the end of the transaction. */
export function lockBookingsOf(tx: Tx, contactId: string): Promise<BookingToErase[]> {
  const query = tables
    .selectFrom('bookings as b')
    .innerJoin('appointments as a', 'a.booking_id', 'b.id')
    .select(['b.id', 'b.status', 'b.updated_at', 'a.id as appointment_id', 'a.status as appointment_status'])
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

/** Removes name and number. */
export async function forgetContact(tx: Tx, contactId: string, requestId: string): Promise<void> {
  const query = tables
    .updateTable('contacts')
    .set({ name: ERASED_NAME, phone: null, erasure_id: requestId })
    .where('id', '=', contactId);
  await rowsOf(tx, query);
}

/** Ends the contact's holds and deletes those that no booking took. */
export async function deleteHolds(tx: Tx, contactId: string): Promise<void> {
  const found = await tx.rows<{ id: string }>({
    text: 'select id from holds where contact_id = $1 and booking_id is null order by id for update',
    values: [contactId],
  });
  const ids = found.map(({ id }) => id);
  if (ids.length === 0) return;
  await tx.rows({ text: `delete from appointments where id = any ($1) and status = 'Held'`, values: [ids] });
  await tx.rows({ text: 'delete from holds where id = any ($1)', values: [ids] });
}

/** A centimetre or ten, in degrees: two addresses of a contact are never the same. */
const APART = '0.000001';

/**
 * Deletes the contact's addresses that nothing was booked at; of the others removes the texts, and moves them to the
 * middle of the zone of their last visit.
 */
export async function forgetAddresses(tx: Tx, contactId: string): Promise<void> {
  const values = [contactId];
  await tx.rows({
    text: `
      delete from addresses d where d.contact_id = $1
        and not exists (select from bookings b where b.contact_id = d.contact_id and b.partner_id = d.partner_id
          and b.address_id = d.id)`,
    values,
  });
  // First without a place, so that none has for a moment that of another (addresses_door_key).
  await tx.rows({
    text: `
      update addresses set latitude = null, longitude = null, city_name = id::text, district_name = null,
        street_name = null, short_address = null, building_number = null, unit = null, floor = null,
        postal_code = null, directions = null
      where contact_id = $1`,
    values,
  });
  await tx.rows({
    text: `
      update addresses d set city_name = null,
        latitude = round(z.middle[1]::numeric, 6) + z.number * ${APART}, longitude = round(z.middle[0]::numeric, 6)
      from (
        select distinct on (b.address_id) b.address_id, point(z.area) as middle,
          dense_rank() over (order by b.address_id) - 1 as number
        from bookings b join appointments a on a.booking_id = b.id join zones z on z.id = a.zone_id
        where b.contact_id = $1 order by b.address_id, a.starts_at desc
      ) z
      where d.id = z.address_id and d.contact_id = $1`,
    values,
  });
}

/** Why a booking failed, when that was not told by a code: in capitals too it may be a name. */
const ERASED_REASON = 'ERASED';
const CODES = [...FAILURE_REASONS, ERASED_REASON].map((code) => `'${code}'`).join();
const IN_WORDS = (value: string): string => `${value} not in (${CODES})`;

/** Removes the texts of the bookings, of what crews wrote about them, of decisions and of receivers' answers. */
export async function forgetTexts(tx: Tx, bookings: readonly BookingToErase[]): Promise<void> {
  const ids = bookings.map(({ id }) => id);
  const values = [ids];
  await tx.rows({
    text: `
      update bookings set notes = null, cancellation_notes = null,
        failure_reason = case when ${IN_WORDS('failure_reason')} then $2 else failure_reason end
      where id = any ($1)
        and (notes is not null or cancellation_notes is not null or ${IN_WORDS('failure_reason')})`,
    values: [ids, ERASED_REASON],
  });
  await tx.rows({ text: 'delete from booking_access where id = any ($1)', values });
  await tx.rows({
    text: 'update crew_steps set notes = null where appointment_id = any ($1) and notes is not null',
    values: [bookings.map(({ appointment_id }) => appointment_id)],
  });
  await tx.rows({
    text: `
      update payments set refund_error = null, decision_reason = case when decision_reason is not null then $2 end
      where booking_id = any ($1) and coalesce(decision_reason, refund_error) is not null`,
    values: [ids, ERASED_NAME],
  });
  await tx.rows({
    text: `
      update events set payload = jsonb_set(payload, '{cancellation,notes}', 'null')
      where booking_id = any ($1) and payload #>> '{cancellation,notes}' is not null`,
    values,
  });
  await tx.rows({
    text: `
      update events set payload = payload || '{"isErased": true}'
      where booking_id = any ($1) and payload ? 'trackingReference'`,
    values,
  });
  for (const field of ['failureReason', 'reason'])
    await tx.rows({
      text: `
        update events set payload = payload || jsonb_build_object('${field}', $2::text)
        where booking_id = any ($1) and ${IN_WORDS(`(payload ->> '${field}')`)}`,
      values: [ids, ERASED_REASON],
    });
  // Those without an attempt too: one that is under way then waits for the erasure, and asks for it (is_erased).
  await tx.rows({
    text: `
      update webhook_deliveries set error = null, attempts = ${withoutWords('attempts')}
      where event_id in (select id from events where booking_id = any ($1))`,
    values,
  });
}

/** Messages that were not sent are not sent any more; the provider's answers are removed. */
export async function dropMessages(tx: Tx, now: Instant, bookingIds: readonly string[]): Promise<void> {
  await tx.rows({
    text: `
      update customer_messages set reason = null,
        status = case when status = 'QUEUED' then 'DROPPED' else status end,
        finished_at = case when status = 'QUEUED' then $2::timestamptz else finished_at end
      where booking_id = any ($1) and (reason is not null or status = 'QUEUED')`,
    values: [bookingIds, toUtcIso(now)],
  });
}

/** Deletes the kept responses about the bookings. */
export async function forgetResponses(
  tx: Tx,
  partnerId: string,
  bookingIds: readonly string[],
): Promise<void> {
  if (bookingIds.length === 0) return;
  await tx.rows({
    text: `
      delete from idempotency_keys k
      where partner_id = $1 and exists (select from unnest($2::text[]) known where strpos(k.response_body, known) > 0)`,
    values: [partnerId, bookingIds],
  });
}

/** Rows of the request log that are read at once. */
const LOG_BATCH = 1_000;

/** Removes paths and bodies of requests about the customer from the log of a sandbox, which alone has them. */
export async function forgetBodies(
  tx: Tx,
  { id, partner_id, name }: Pick<ContactRow, 'id' | 'partner_id' | 'name'>,
  bookingIds: readonly string[],
): Promise<void> {
  const addresses = await tx.rows<{ id: string }>({
    text: 'select id from addresses where contact_id = $1',
    values: [id],
  });
  const person = { ids: new Set([id, ...addresses.map((address) => address.id), ...bookingIds]), name };
  for (let last = '0', isMore = true; isMore; ) {
    const batch = await tx.rows<LoggedTexts & { id: string }>({
      text: `
        select id::text, status, path, bodies from request_log
        where partner_id = $1 and id > $2::bigint and (bodies is not null or path is not null)
        order by id limit ${LOG_BATCH}`,
      values: [partner_id, last],
    });
    await tx.rows({
      text: `
        update request_log set bodies = null, details = null, message = null, hints = '{}', ignored_parameters = '{}',
          path = null
        where partner_id = $1 and id = any ($2::bigint[])`,
      values: [partner_id, batch.filter((row) => isAbout(row, person)).map((row) => row.id)],
    });
    last = batch.at(-1)?.id ?? last;
    isMore = batch.length === LOG_BATCH;
  }
}
