import type { CalendarDate, Instant } from '../base/clock.ts';
import { sqlBefore } from '../base/moves.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import {
  bigint,
  boolean,
  date,
  first,
  float,
  hotStatement,
  int,
  jsonb,
  jsonbs,
  nullable,
  rows,
  text,
  texts,
  timestamptz,
  typed,
  uuid,
  uuids,
} from '../db/statement.ts';
import { isCustomerReasonSql } from '../reasons/queries.ts';
import { canDo, couldTakeOver } from '../teams/visit-queries.ts';
import { AS_SEEN, BOOKING, BOOKING_COLUMNS, type BookingRow } from './queries.ts';
import {
  type AppointmentStatus,
  AUTOMATIC_MOVES,
  type BookingStatus,
  type EventName,
  type PaymentStatus,
} from './rules.ts';

const IS_UNASSIGNED = sqlBefore('a.status', AUTOMATIC_MOVES.assigned);

export const LOCK_UNASSIGNED = hotStatement({
  name: 'lock-unassigned',
  takes: { startsBefore: timestamptz, limit: bigint },
  returns: { ...BOOKING_COLUMNS, partner_id: uuid },
  text: `
    select ${BOOKING}, b.partner_id from appointments a join bookings b on b.id = a.booking_id
    where ${IS_UNASSIGNED} and a.starts_at <= :startsBefore
      and exists (select from teams t where t.id = a.team_id and ${canDo('a', 'b.service_id')})
    order by a.starts_at, a.id limit :limit for no key update skip locked`,
});

/**
 * Locks some appointments that are not assigned although they start before `startsBefore`, and that their team can do,
 * soonest first.
 */
export function lockUnassigned(
  tx: Tx,
  startsBefore: Instant,
  limit: number,
): Promise<(BookingRow & { partner_id: string })[]> {
  return rows(tx, LOCK_UNASSIGNED, { startsBefore, limit });
}

export const LIST_WITHOUT_ABLE_TEAM = hotStatement({
  name: 'list-without-able-team',
  takes: { now: timestamptz, startsBefore: timestamptz, limit: bigint },
  returns: { booking_id: uuid },
  text: `
    select b.id as booking_id from appointments a join bookings b on b.id = a.booking_id
    where ${IS_UNASSIGNED} and a.starts_at > :now and a.starts_at <= :startsBefore
      and not exists (select from teams t where t.id = a.team_id and ${canDo('a', 'b.service_id')})
      and exists (select from teams t where ${couldTakeOver('a', 'b.service_id')})
    order by a.starts_at, a.id limit :limit`,
});

/** Bookings whose appointment is not assigned and that its team cannot do, while another team could; soonest first. */
export async function listWithoutAbleTeam(
  db: Queryable,
  now: Instant,
  startsBefore: Instant,
  limit: number,
): Promise<string[]> {
  const found = await rows(db, LIST_WITHOUT_ABLE_TEAM, { now, startsBefore, limit });
  return found.map((row) => row.booking_id);
}

export const SET_APPOINTMENT_STATUS = hotStatement({
  name: 'set-appointment-status',
  takes: { appointmentId: uuid, status: text, now: timestamptz },
  returns: {},
  text: 'update appointments set status = :status, updated_at = :now where id = :appointmentId',
});

/**
 * Writes the status, whatever it was: the caller has decided on the move under a lock of the appointment's row, and
 * writes the event. An appointment that is not there is no error.
 */
export async function setAppointmentStatus(
  tx: Tx,
  now: Instant,
  appointmentId: string,
  status: AppointmentStatus,
): Promise<void> {
  await rows(tx, SET_APPOINTMENT_STATUS, { appointmentId, status, now });
}

export type NewEvent = { id: string; name: EventName; payload: unknown; actor: string };

export const INSERT_EVENT = hotStatement({
  name: 'insert-event',
  takes: {
    id: uuid,
    partnerId: uuid,
    bookingId: uuid,
    event: text,
    payload: typed<unknown>(jsonb()),
    now: timestamptz,
    actor: text,
  },
  returns: {},
  text: `
    with counted as (
      update bookings set event_count = event_count + 1, updated_at = :now where id = :bookingId returning event_count
    )
    insert into events (id, partner_id, booking_id, sequence, event, payload, created_at, actor)
    select :id, :partnerId, :bookingId, event_count, :event, :payload, :now, :actor from counted`,
});

/** Appends an event to the booking's sequence. The booking's row must be locked by the transaction. */
export async function insertEvent(
  tx: Tx,
  now: Instant,
  booking: { id: string; partner_id: string },
  { name, ...event }: NewEvent,
): Promise<void> {
  await rows(tx, INSERT_EVENT, {
    ...event,
    event: name,
    partnerId: booking.partner_id,
    bookingId: booking.id,
    now,
  });
}

// The end of a statement whose `booking` has counted the events already.
const INSERT_EVENTS = `
    insert into events (id, partner_id, booking_id, sequence, event, payload, created_at, actor)
    select e.id, partner_id, booking.id, event_count - cardinality(:eventIds::uuid[]) + e.place, e.name, e.payload,
      :now, :actor
    from booking, unnest(:eventIds::uuid[], :eventNames::text[], :payloads::jsonb[])
      with ordinality as e (id, name, payload, place)
    order by e.place`;

const EVENTS = { eventIds: uuids, eventNames: texts, payloads: jsonbs, actor: text };

function eventParameters(events: readonly NewEvent[]) {
  return {
    eventIds: events.map(({ id }) => id),
    eventNames: events.map(({ name }) => name),
    payloads: events.map(({ payload }) => JSON.stringify(payload)),
  };
}

/** The booking to save; without a version and a server it is locked. */
type Seen = { id: string; version?: number; server?: number };
export type After = {
  status: BookingStatus;
  paymentStatus: PaymentStatus;
  appointmentStatus: AppointmentStatus;
};

const ENDED = {
  bookingId: uuid,
  version: nullable(int),
  server: nullable(float),
  status: text,
  paymentStatus: text,
  appointmentStatus: text,
  now: timestamptz,
  ...EVENTS,
};

/**
 * Ends a booking, frees the team, and appends the events in their order. `also` sets more columns of the booking, `onlyIf` is
 * one more condition.
 */
const endBooking = (also = '', onlyIf = 'true'): string => `
    with booking as (
      update bookings set status = :status, payment_status = :paymentStatus, ${also} updated_at = :now,
        event_count = event_count + cardinality(:eventIds::uuid[])
      where id = :bookingId and ${AS_SEEN} and ${onlyIf} returning id, partner_id, event_count
    ), appointment as (
      -- After the booking's row, as every change takes them.
      update appointments set status = :appointmentStatus, updated_at = :now
      from booking where booking_id = booking.id and status <> :appointmentStatus
    ), event as (${INSERT_EVENTS})
    select true as saved from booking`;

export const SAVE_CANCELLATION = hotStatement({
  name: 'save-cancellation',
  writesEvent: true,
  waitsFor: 'bookingId',
  takes: { ...ENDED, reasonId: uuid, notes: nullable(text), action: text },
  returns: { saved: boolean },
  text: endBooking(
    `cancellation_reason_id = :reasonId, cancellation_notes = :notes, cancellation_action = :action,
        cancelled_by = :actor, cancelled_at = :now,`,
    // Nobody looks at the reason for a booking that is remembered.
    `(:server::float8 is null or ${isCustomerReasonSql(':reasonId')})`,
  ),
});

/**
 * Saves what cancelling changes, frees the team, and appends the events in their order: one statement. False: the booking
 * is not what was seen any more, and nothing was written.
 */
export async function saveCancellation(
  db: Queryable,
  now: Instant,
  { id: bookingId, version, server }: Seen,
  after: After,
  { by, ...cancellation }: { reasonId: string; notes: string | null; action: string; by: string },
  events: readonly NewEvent[],
): Promise<boolean> {
  const row = await first(db, SAVE_CANCELLATION, {
    bookingId,
    version: version ?? null,
    server: server ?? null,
    ...after,
    ...cancellation,
    now,
    actor: by,
    ...eventParameters(events),
  });
  return row !== null;
}

export const SAVE_PAYMENT_CONFIRMATION = hotStatement({
  name: 'save-payment-confirmation',
  writesEvent: true,
  waitsFor: 'bookingId',
  takes: {
    bookingId: uuid,
    version: nullable(int),
    server: nullable(float),
    paymentStatus: text,
    paymentReference: nullable(text),
    now: timestamptz,
    eventId: uuid,
    event: text,
    payload: typed<unknown>(jsonb()),
    actor: text,
  },
  returns: { saved: boolean },
  text: `
    with booking as (
      update bookings set payment_status = :paymentStatus, payment_reference = :paymentReference,
        payment_confirmed_at = :now, updated_at = :now, event_count = event_count + 1
      where id = :bookingId and ${AS_SEEN} returning id, partner_id, event_count
    )
    insert into events (id, partner_id, booking_id, sequence, event, payload, created_at, actor)
    select :eventId, partner_id, id, event_count, :event, :payload, :now, :actor from booking returning true as saved`,
});

/** Saves the partner's confirmation of payment and appends the event: one statement. False as of saveCancellation. */
export async function savePaymentConfirmation(
  db: Queryable,
  now: Instant,
  { id: bookingId, version, server }: Seen,
  confirmation: { paymentStatus: PaymentStatus; paymentReference: string | null },
  { id, name, payload, actor }: NewEvent,
): Promise<boolean> {
  const row = await first(db, SAVE_PAYMENT_CONFIRMATION, {
    bookingId,
    version: version ?? null,
    server: server ?? null,
    ...confirmation,
    now,
    eventId: id,
    event: name,
    payload,
    actor,
  });
  return row !== null;
}

export const SAVE_CUSTOMER_PAYMENT = hotStatement({
  name: 'save-customer-payment',
  takes: { bookingId: uuid, status: text, paymentStatus: text, now: timestamptz },
  returns: {},
  text: `
    update bookings set status = :status, payment_status = :paymentStatus, updated_at = :now
    where id = :bookingId`,
});

/** Saves that the customer has paid by the link. */
export async function saveCustomerPayment(
  tx: Tx,
  now: Instant,
  bookingId: string,
  after: Omit<After, 'appointmentStatus'>,
): Promise<void> {
  await rows(tx, SAVE_CUSTOMER_PAYMENT, {
    bookingId,
    status: after.status,
    paymentStatus: after.paymentStatus,
    now,
  });
}

export const SAVE_FAILURE = hotStatement({
  name: 'save-failure',
  takes: ENDED,
  returns: { saved: boolean },
  text: endBooking(),
});

/** Saves that the booking has failed, frees the team, and appends the events in their order: one statement. */
export async function saveFailure(
  tx: Tx,
  now: Instant,
  bookingId: string,
  after: After,
  actor: string,
  events: readonly NewEvent[],
): Promise<void> {
  await rows(tx, SAVE_FAILURE, {
    bookingId,
    version: null,
    server: null,
    ...after,
    now,
    actor,
    ...eventParameters(events),
  });
}

export const SAVE_UPDATE = hotStatement({
  name: 'save-update',
  writesEvent: true,
  waitsFor: 'bookingId',
  takes: {
    bookingId: uuid,
    version: nullable(int),
    server: nullable(float),
    externalReference: nullable(text),
    notes: nullable(text),
    serviceDate: date,
    now: timestamptz,
    eventId: nullable(uuid),
    event: nullable(text),
    payload: typed<unknown>(jsonb()),
    actor: nullable(text),
  },
  returns: { saved: boolean },
  text: `
    with booking as (
      update bookings set external_reference = :externalReference, notes = :notes, service_date = :serviceDate,
        updated_at = :now, event_count = event_count + case when :eventId::uuid is null then 0 else 1 end
      where id = :bookingId and ${AS_SEEN} returning id, partner_id, event_count
    ), event as (
      insert into events (id, partner_id, booking_id, sequence, event, payload, created_at, actor)
      select :eventId, partner_id, id, event_count, :event, :payload, :now, :actor from booking
      where :eventId::uuid is not null
    )
    select true as saved from booking`,
});

/**
 * Saves the changed fields of an update; with an event, appends it in the same statement. False as of saveCancellation.
 * A taken external reference raises bookings_external_reference_key.
 */
export async function saveUpdate(
  db: Queryable,
  now: Instant,
  { id: bookingId, version, server }: Seen,
  changed: { externalReference: string | null; notes: string | null; serviceDate: CalendarDate },
  event: NewEvent | null,
): Promise<boolean> {
  const row = await first(db, SAVE_UPDATE, {
    bookingId,
    version: version ?? null,
    server: server ?? null,
    ...changed,
    now,
    eventId: event?.id ?? null,
    event: event?.name ?? null,
    payload: event?.payload ?? null,
    actor: event?.actor ?? null,
  });
  return row !== null;
}

export const COUNT_UNASSIGNED = hotStatement({
  name: 'count-unassigned',
  takes: {},
  returns: { total: bigint },
  text: `select count(*) as total from appointments a where ${IS_UNASSIGNED}`,
});

/** How many appointments still wait for their assignment. */
export async function countUnassigned(db: Queryable): Promise<number> {
  return (await first(db, COUNT_UNASSIGNED, {}))!.total;
}

export const SET_BOOKING_STATUS = hotStatement({
  name: 'set-booking-status',
  takes: { bookingId: uuid, status: text, now: timestamptz },
  returns: {},
  text: 'update bookings set status = :status, updated_at = :now where id = :bookingId',
});

/** The same for a booking, whose row the caller has locked. */
export async function setBookingStatus(
  tx: Tx,
  now: Instant,
  bookingId: string,
  status: BookingStatus,
): Promise<void> {
  await rows(tx, SET_BOOKING_STATUS, { bookingId, status, now });
}
