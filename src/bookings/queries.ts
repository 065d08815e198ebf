import { type CalendarDate, type Instant, toUtcIso } from '../clock.ts';
import type { PaymentResponsibility } from '../partners/queries.ts';
import type { Queryable, Tx } from '../platform/db.ts';
import type { AppointmentStatus, BookingStatus, PaymentStatus } from './rules.ts';

/** A booking with its appointment: what the Booking of section 2 is made from. */
export type BookingRow = {
  id: string;
  external_reference: string | null;
  status: BookingStatus;
  payment_status: PaymentStatus;
  service_date: CalendarDate;
  appointment_id: string;
  appointment_name: string;
  appointment_status: AppointmentStatus;
  starts_at: Instant;
  ends_at: Instant;
};

const BOOKING = `b.id, b.external_reference, b.status, b.payment_status, b.service_date,
  a.id as appointment_id, a.name as appointment_name, a.status as appointment_status, a.starts_at, a.ends_at`;

export function findBooking(db: Queryable, partnerId: string, bookingId: string): Promise<BookingRow | null> {
  return db.first<BookingRow>({
    name: 'find-booking',
    text: `
      select ${BOOKING} from bookings b join appointments a on a.booking_id = b.id
      where b.id = $1 and b.partner_id = $2`,
    values: [bookingId, partnerId],
  });
}

/** The number for the next appointment's name, and whether the partner's reference is held by a booking. */
export async function prepareBooking(
  db: Queryable,
  partnerId: string,
  externalReference: string | null,
): Promise<{ number: number; reference_taken: boolean }> {
  const row = await db.first<{ number: number; reference_taken: boolean }>({
    name: 'prepare-booking',
    text: `
      select nextval('appointment_number') as number, exists (
        select 1 from bookings where partner_id = $1 and external_reference = $2 and status <> 'failed'
      ) as reference_taken`,
    values: [partnerId, externalReference],
  });
  return row!;
}

export type NewBooking = {
  row: BookingRow;
  partnerId: string;
  contactId: string;
  addressId: string;
  serviceId: string;
  zoneId: string;
  paymentResponsibility: PaymentResponsibility;
  /** SAR. */
  amount: string;
  /** In order of preference, each with the end of its travel buffer. */
  candidates: { teamId: string; busyUntil: Instant }[];
  /** Of the plan the candidates were chosen from. */
  catalogueVersion: number;
  event: { id: string; name: string; payload: unknown };
};

/**
 * Claims one of the teams and writes the booking, its appointment and its first event, or nothing: TAKEN when
 * no team is free any more, STALE when the catalogue has changed. One statement, so one round trip and one
 * transaction (book_appointment in migrations/0001_foundation.sql).
 */
export async function insertBooking(
  db: Queryable,
  now: Instant,
  booking: NewBooking,
): Promise<'BOOKED' | 'TAKEN' | 'STALE'> {
  const { row, candidates } = booking;
  const result = await db.first<{ outcome: 'BOOKED' | 'TAKEN' | 'STALE' }>({
    name: 'book-appointment',
    text: `
      select book_appointment($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
        $19, $20, $21, $22, $23, $24) as outcome`,
    values: [
      booking.catalogueVersion,
      candidates.map((candidate) => candidate.teamId),
      candidates.map((candidate) => toUtcIso(candidate.busyUntil)),
      row.id,
      booking.partnerId,
      booking.contactId,
      booking.addressId,
      booking.serviceId,
      row.external_reference,
      row.status,
      row.payment_status,
      booking.paymentResponsibility,
      booking.amount,
      row.service_date,
      row.appointment_id,
      booking.zoneId,
      row.appointment_name,
      row.appointment_status,
      toUtcIso(row.starts_at),
      toUtcIso(row.ends_at),
      booking.event.id,
      booking.event.name,
      JSON.stringify(booking.event.payload),
      toUtcIso(now),
    ],
  });
  return result!.outcome;
}

/** Locks some appointments that are not assigned although they start before `startsBefore`, soonest first. */
export function lockUnassigned(
  tx: Tx,
  startsBefore: Instant,
  limit: number,
): Promise<(BookingRow & { partner_id: string })[]> {
  return tx.rows({
    text: `
      select ${BOOKING}, b.partner_id from appointments a join bookings b on b.id = a.booking_id
      where a.status = 'New' and a.starts_at <= $1
      order by a.starts_at, a.id limit $2 for update skip locked`,
    values: [toUtcIso(startsBefore), limit],
  });
}

export async function setAppointmentStatus(
  tx: Tx,
  now: Instant,
  appointmentId: string,
  status: AppointmentStatus,
): Promise<void> {
  await tx.rows({
    text: 'update appointments set status = $2, updated_at = $3 where id = $1',
    values: [appointmentId, status, toUtcIso(now)],
  });
}

/** Appends an event to the booking's sequence. The booking's row must be locked by the transaction. */
export async function insertEvent(
  tx: Tx,
  now: Instant,
  event: { id: string; partnerId: string; bookingId: string; name: string; payload: unknown },
): Promise<void> {
  await tx.rows({
    name: 'insert-event',
    text: `
      with counted as (
        update bookings set event_count = event_count + 1, updated_at = $6 where id = $3 returning event_count
      )
      insert into events (id, partner_id, booking_id, sequence, event, payload, created_at)
      select $1, $2, $3, event_count, $4, $5, $6 from counted`,
    values: [
      event.id,
      event.partnerId,
      event.bookingId,
      event.name,
      JSON.stringify(event.payload),
      toUtcIso(now),
    ],
  });
}

/** How many appointments still wait for their assignment. */
export async function countUnassigned(db: Queryable): Promise<number> {
  const row = await db.first<{ total: number }>({
    text: `select count(*) as total from appointments where status = 'New'`,
  });
  return row!.total;
}
