import type { Instant } from '../base/clock.ts';
import type { Tx } from '../db/connection.ts';
import {
  date,
  first,
  hotStatement,
  jsonbs,
  nullable,
  type Row,
  rows,
  text,
  texts,
  timestamptz,
  uuid,
  uuids,
} from '../db/statement.ts';
import { TO_CHANGE, TO_CHANGE_COLUMNS } from './queries.ts';
import type { EventName } from './rules.ts';

// "no key": foreign key checks do not wait for the lock. Both rows are locked, so that a transaction that waited sees the
// newest version of both.
export const LOCK_BOOKING = hotStatement({
  name: 'lock-booking',
  takes: { bookingId: uuid, partnerId: nullable(uuid) },
  returns: {
    ...TO_CHANGE_COLUMNS,
    contact_id: uuid,
    address_id: uuid,
    service_id: uuid,
    team_id: uuid,
    zone_id: uuid,
  },
  text: `
    select ${TO_CHANGE}, b.contact_id, b.address_id, b.service_id, a.team_id, a.zone_id
    from bookings b join appointments a on a.booking_id = b.id
    where b.id = :bookingId and (:partnerId::uuid is null or b.partner_id = :partnerId) for no key update`,
});

/** A booking that is locked for a change, with its appointment. */
export type LockedBooking = Row<typeof LOCK_BOOKING>;

/** Locks the booking until the end of the transaction; `partnerId` null: of any partner (operator). */
export function lockBooking(
  tx: Tx,
  partnerId: string | null,
  bookingId: string,
): Promise<LockedBooking | null> {
  return first(tx, LOCK_BOOKING, { bookingId, partnerId });
}

export const SAVE_BOOKING = hotStatement({
  name: 'save-booking',
  takes: {
    bookingId: uuid,
    status: text,
    paymentStatus: text,
    externalReference: nullable(text),
    notes: nullable(text),
    serviceDate: date,
    appointmentStatus: text,
    paymentReference: nullable(text),
    paymentConfirmedAt: nullable(timestamptz),
    reasonId: nullable(uuid),
    cancellationNotes: nullable(text),
    cancellationAction: nullable(text),
    cancelledAt: nullable(timestamptz),
    now: timestamptz,
    by: text,
    eventIds: uuids,
    eventNames: texts,
    payloads: jsonbs,
  },
  returns: {},
  text: `
    with booking as (
      update bookings set status = :status, payment_status = :paymentStatus, external_reference = :externalReference,
        notes = :notes, service_date = :serviceDate,
        payment_reference = coalesce(:paymentReference, payment_reference),
        payment_confirmed_at = coalesce(:paymentConfirmedAt, payment_confirmed_at),
        cancellation_reason_id = coalesce(:reasonId, cancellation_reason_id),
        cancellation_notes = coalesce(:cancellationNotes, cancellation_notes),
        cancellation_action = coalesce(:cancellationAction, cancellation_action),
        cancelled_by = case when :cancelledAt::timestamptz is null then cancelled_by else :by end,
        cancelled_at = coalesce(:cancelledAt, cancelled_at),
        updated_at = :now, version = version + 1, event_count = event_count + cardinality(:eventIds::uuid[])
      where id = :bookingId returning id, partner_id, event_count
    ), appointment as (
      update appointments set status = :appointmentStatus, updated_at = :now, version = version + 1
      from booking where booking_id = booking.id and appointments.status <> :appointmentStatus
    )
    insert into events (id, partner_id, booking_id, sequence, event, payload, created_at, actor)
    select e.id, partner_id, booking.id, event_count - cardinality(:eventIds::uuid[]) + e.place, e.name, e.payload,
      :now, :by
    from booking, unnest(:eventIds::uuid[], :eventNames::text[], :payloads::jsonb[])
      with ordinality as e (id, name, payload, place)
    order by e.place`,
});

export type NewEvent = { id: string; name: EventName; payload: unknown };

/** The columns of booking and appointment that a change may write. */
type Saved = Pick<
  LockedBooking,
  'id' | 'status' | 'payment_status' | 'external_reference' | 'notes' | 'service_date' | 'appointment_status'
>;

export type Change = {
  after: Saved;
  events: readonly NewEvent[];
  /** The actor. */
  by: string;
  confirmation?: { paymentReference: string | null };
  cancellation?: { reasonId: string; notes: string | null; action: string };
};

/**
 * Saves a change that was decided on the locked booking: its row, the status of its appointment, and its events. A taken
 * external reference raises bookings_external_reference_key, a deleted reason bookings_cancellation_reason_id_fkey.
 * `commits`: nothing follows in the transaction.
 */
export async function saveBooking(
  tx: Tx,
  now: Instant,
  { after, events, by, confirmation, cancellation }: Change,
  { commits = false } = {},
): Promise<void> {
  const values = {
    bookingId: after.id,
    status: after.status,
    paymentStatus: after.payment_status,
    externalReference: after.external_reference,
    notes: after.notes,
    serviceDate: after.service_date,
    appointmentStatus: after.appointment_status,
    paymentReference: confirmation?.paymentReference ?? null,
    paymentConfirmedAt: confirmation === undefined ? null : now,
    reasonId: cancellation?.reasonId ?? null,
    cancellationNotes: cancellation?.notes ?? null,
    cancellationAction: cancellation?.action ?? null,
    cancelledAt: cancellation === undefined ? null : now,
    now,
    by,
    eventIds: events.map(({ id }) => id),
    eventNames: events.map(({ name }) => name),
    payloads: events.map(({ payload }) => JSON.stringify(payload)),
  };
  await rows(tx, SAVE_BOOKING, values, { commits });
}
