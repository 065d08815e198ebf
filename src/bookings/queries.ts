import { type CalendarDate, type Instant, toUtcIso } from '../clock.ts';
import type { PaymentResponsibility } from '../partners/queries.ts';
import type { Queryable, Tx } from '../platform/db.ts';
import type { AppointmentStatus, BookingStatus, EventName, PaymentStatus } from './rules.ts';

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

/** Does one of the partner's bookings hold the reference? A failed one holds it no longer. */
export async function isReferenceHeld(
  db: Queryable,
  partnerId: string,
  externalReference: string,
): Promise<boolean> {
  const row = await db.first({
    name: 'is-reference-held',
    text: `
      select 1 from bookings where partner_id = $1 and external_reference = $2 and status <> 'failed'`,
    values: [partnerId, externalReference],
  });
  return row !== null;
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
  candidates: { teamId: string; teamNumber: number; busyUntil: Instant }[];
  /** Of the plan the candidates were chosen from. */
  catalogueVersion: number;
  event: { id: string; name: string; payload: unknown };
};

export type BookingOutcome = { outcome: 'BOOKED' | 'TAKEN' | 'STALE'; appointmentName: string };

/**
 * Claims one of the teams and writes the booking, its appointment and its first event, or nothing: TAKEN when
 * no team is free any more, STALE when the catalogue has changed. One statement, so one round trip and one
 * transaction (book_appointment in migrations/0001_foundation.sql), which also names the appointment.
 */
export async function insertBooking(
  db: Queryable,
  now: Instant,
  booking: NewBooking,
): Promise<BookingOutcome> {
  const { row, candidates } = booking;
  const result = await db.first<{ outcome: BookingOutcome['outcome']; appointment_name: string | null }>({
    name: 'book-appointment',
    text: `
      select outcome, appointment_name from book_appointment($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
        $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)`,
    values: [
      booking.catalogueVersion,
      candidates.map((candidate) => candidate.teamId),
      candidates.map((candidate) => candidate.teamNumber),
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
      row.appointment_status,
      toUtcIso(row.starts_at),
      toUtcIso(row.ends_at),
      booking.event.id,
      booking.event.name,
      JSON.stringify(booking.event.payload),
      toUtcIso(now),
    ],
  });
  return { outcome: result!.outcome, appointmentName: result!.appointment_name ?? '' };
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
      order by a.starts_at, a.id limit $2 for no key update skip locked`,
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

export type NewEvent = { id: string; name: EventName; payload: unknown; actor: string };

/** Appends an event to the booking's sequence. The booking's row must be locked by the transaction. */
export async function insertEvent(
  tx: Tx,
  now: Instant,
  booking: { id: string; partner_id: string },
  event: NewEvent,
): Promise<void> {
  await tx.rows({
    name: 'insert-event',
    text: `
      with counted as (
        update bookings set event_count = event_count + 1, updated_at = $6 where id = $3 returning event_count
      )
      insert into events (id, partner_id, booking_id, sequence, event, payload, created_at, actor)
      select $1, $2, $3, event_count, $4, $5, $6, $7 from counted`,
    values: [
      event.id,
      booking.partner_id,
      booking.id,
      event.name,
      JSON.stringify(event.payload),
      toUtcIso(now),
      event.actor,
    ],
  });
}

// ---------------------------------------------------------------------------
// Changes

/** A booking that is locked for a change, with what the change has to know. */
export type LockedBooking = BookingRow & {
  partner_id: string;
  contact_id: string;
  address_id: string;
  service_id: string;
  team_id: string;
  payment_responsibility: PaymentResponsibility;
  notes: string | null;
};

// "no key": changes of one booking take turns, foreign key checks on it need not wait. Both rows are locked:
// whoever had to wait for one then sees the newest version of both.
const LOCKED = `
  select ${BOOKING}, b.partner_id, b.contact_id, b.address_id, b.service_id, b.payment_responsibility, b.notes, a.team_id
  from bookings b join appointments a on a.booking_id = b.id`;

/** Locks the booking until the end of the transaction; `partnerId` null: whoever's it is (operator). */
export function lockBooking(
  tx: Tx,
  partnerId: string | null,
  bookingId: string,
): Promise<LockedBooking | null> {
  return tx.first<LockedBooking>({
    name: 'lock-booking',
    text: `${LOCKED} where b.id = $1 and ($2::uuid is null or b.partner_id = $2) for no key update`,
    values: [bookingId, partnerId],
  });
}

/** Saves what cancelling changes, frees the team, and appends the event: one statement. */
export async function saveCancellation(
  tx: Tx,
  now: Instant,
  booking: LockedBooking,
  cancellation: { reasonId: string; notes: string | null; action: string; by: string },
  event: NewEvent,
): Promise<void> {
  await tx.rows({
    name: 'save-cancellation',
    text: `
      with booking as (
        update bookings set status = 'canceled', payment_status = 'CANCELLED', cancellation_reason_id = $2,
          cancellation_notes = $3, cancellation_action = $4, cancelled_by = $5, cancelled_at = $6, updated_at = $6,
          event_count = event_count + 1
        where id = $1 returning id, partner_id, event_count
      ), appointment as (
        update appointments set status = 'Cancelled', updated_at = $6
        where booking_id = $1 and status <> 'Cancelled'
      )
      insert into events (id, partner_id, booking_id, sequence, event, payload, created_at, actor)
      select $7, partner_id, id, event_count, $8, $9, $6, $5 from booking`,
    values: [
      booking.id,
      cancellation.reasonId,
      cancellation.notes,
      cancellation.action,
      cancellation.by,
      toUtcIso(now),
      event.id,
      event.name,
      JSON.stringify(event.payload),
    ],
  });
}

/** Saves the partner's confirmation of payment and appends the event: one statement. */
export async function savePaymentConfirmation(
  tx: Tx,
  now: Instant,
  booking: LockedBooking,
  paymentReference: string | null,
  event: NewEvent,
): Promise<void> {
  await tx.rows({
    name: 'save-payment-confirmation',
    text: `
      with booking as (
        update bookings set payment_status = 'PAID', payment_reference = $2, payment_confirmed_at = $3,
          updated_at = $3, event_count = event_count + 1
        where id = $1 returning id, partner_id, event_count
      )
      insert into events (id, partner_id, booking_id, sequence, event, payload, created_at, actor)
      select $4, partner_id, id, event_count, $5, $6, $3, $7 from booking`,
    values: [
      booking.id,
      paymentReference,
      toUtcIso(now),
      event.id,
      event.name,
      JSON.stringify(event.payload),
      event.actor,
    ],
  });
}

type AfterPayment = { status: BookingStatus; paymentStatus: PaymentStatus };

/** Saves that the customer has paid by the link. */
export async function saveCustomerPayment(
  tx: Tx,
  now: Instant,
  bookingId: string,
  after: AfterPayment,
): Promise<void> {
  await tx.rows({
    text: 'update bookings set status = $2, payment_status = $3, updated_at = $4 where id = $1',
    values: [bookingId, after.status, after.paymentStatus, toUtcIso(now)],
  });
}

/** Saves that the payment failed for good, frees the team, and appends the event: one statement. */
export async function savePaymentFailure(
  tx: Tx,
  now: Instant,
  bookingId: string,
  after: AfterPayment,
  event: NewEvent,
): Promise<void> {
  await tx.rows({
    text: `
      with booking as (
        update bookings set status = $2, payment_status = $3, updated_at = $4, event_count = event_count + 1
        where id = $1 returning id, partner_id, event_count
      ), appointment as (
        update appointments set status = 'Cancelled', updated_at = $4
        where booking_id = $1 and status <> 'Cancelled'
      )
      insert into events (id, partner_id, booking_id, sequence, event, payload, created_at, actor)
      select $5, partner_id, id, event_count, $6, $7, $4, $8 from booking`,
    values: [
      bookingId,
      after.status,
      after.paymentStatus,
      toUtcIso(now),
      event.id,
      event.name,
      JSON.stringify(event.payload),
      event.actor,
    ],
  });
}

/**
 * Saves the changed fields of an update; with an event, appends it in the same statement. A taken external
 * reference raises bookings_external_reference_key.
 */
export async function saveUpdate(
  tx: Tx,
  now: Instant,
  booking: LockedBooking,
  changed: { externalReference: string | null; notes: string | null; serviceDate: CalendarDate },
  event: NewEvent | null,
): Promise<void> {
  await tx.rows({
    name: 'save-update',
    text: `
      with booking as (
        update bookings set external_reference = $2, notes = $3, service_date = $4, updated_at = $5,
          event_count = event_count + case when $6::uuid is null then 0 else 1 end
        where id = $1 returning id, partner_id, event_count
      )
      insert into events (id, partner_id, booking_id, sequence, event, payload, created_at, actor)
      select $6, partner_id, id, event_count, $7, $8, $5, $9 from booking where $6::uuid is not null`,
    values: [
      booking.id,
      changed.externalReference,
      changed.notes,
      changed.serviceDate,
      toUtcIso(now),
      event?.id ?? null,
      event?.name ?? null,
      event === null ? null : JSON.stringify(event.payload),
      event?.actor ?? null,
    ],
  });
}

export async function isReferenceTaken(
  tx: Tx,
  booking: LockedBooking,
  externalReference: string,
): Promise<boolean> {
  const row = await tx.first({
    text: `
      select 1 from bookings
      where partner_id = $1 and external_reference = $2 and status <> 'failed' and id <> $3`,
    values: [booking.partner_id, externalReference, booking.id],
  });
  return row !== null;
}

export type Move = {
  catalogueVersion: number;
  candidates: { teamId: string; busyUntil: Instant }[];
  appointmentId: string;
  zoneId: string;
  startsAt: Instant;
  endsAt: Instant;
};

/** Holds one of the teams for the new time instead of the old; see move_appointment in migrations/0002. */
export async function moveAppointment(
  tx: Tx,
  now: Instant,
  move: Move,
): Promise<'MOVED' | 'TAKEN' | 'STALE'> {
  const result = await tx.first<{ outcome: 'MOVED' | 'TAKEN' | 'STALE' }>({
    name: 'move-appointment',
    text: 'select move_appointment($1, $2, $3, $4, $5, $6, $7, $8) as outcome',
    values: [
      move.catalogueVersion,
      move.candidates.map((candidate) => candidate.teamId),
      move.candidates.map((candidate) => toUtcIso(candidate.busyUntil)),
      move.appointmentId,
      move.zoneId,
      toUtcIso(move.startsAt),
      toUtcIso(move.endsAt),
      toUtcIso(now),
    ],
  });
  return result!.outcome;
}

/** How many appointments still wait for their assignment. */
export async function countUnassigned(db: Queryable): Promise<number> {
  const row = await db.first<{ total: number }>({
    text: `select count(*) as total from appointments where status = 'New'`,
  });
  return row!.total;
}
