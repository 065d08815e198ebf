import type { Instant } from '../base/clock.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import {
  bigint,
  dates,
  first,
  hotStatement,
  ints,
  jsonbs,
  type Row,
  rows,
  texts,
  timestamps,
  typed,
  uuid,
  uuids,
} from '../db/statement.ts';
import { TO_CHANGE, TO_CHANGE_COLUMNS } from './queries.ts';
import type { EventName } from './rules.ts';

// "no key": foreign key checks do not wait for the lock. Both rows are locked, so that a transaction that waited sees the
// newest version of both. Parameters are selected: otherwise PostgreSQL would plan again for each list.
const toChangeStatement = (name: string, lock: string) =>
  hotStatement({
    name,
    takes: { bookingIds: uuids, partnerIds: typed<(string | null)[]>(uuids) },
    returns: {
      place: bigint,
      ...TO_CHANGE_COLUMNS,
      team_id: uuid,
      zone_id: uuid,
    },
    text: `
    select w.place, ${TO_CHANGE}, a.team_id, a.zone_id
    from unnest((select :bookingIds::uuid[]), (select :partnerIds::uuid[])) with ordinality as w (booking_id, partner_id, place)
    join bookings b on b.id = w.booking_id and (w.partner_id is null or b.partner_id = w.partner_id)
    join appointments a on a.booking_id = b.id
    ${lock}`,
  });

export const LOCK_BOOKING = toChangeStatement('lock-booking', 'for no key update of b, a');
export const LOCK_FREE_BOOKINGS = toChangeStatement(
  'lock-free-bookings',
  'for no key update of b, a skip locked',
);
export const FIND_TO_CHANGE = toChangeStatement('find-to-change', '');

/** A booking that is locked for a change, with its appointment. */
export type LockedBooking = Omit<Row<typeof LOCK_BOOKING>, 'place'>;

/** A booking; `partnerId` null: of any partner, for the operator. */
export type BookingKey = { partnerId: string | null; bookingId: string };

/**
 * Locks the bookings until the end of the transaction, in the order of the keys. A single one is waited for, and null when
 * there is none; of several, those that another transaction has locked are null, too.
 */
export async function lockBookings(tx: Tx, keys: readonly BookingKey[]): Promise<(LockedBooking | null)[]> {
  const found = await rows(tx, keys.length === 1 ? LOCK_BOOKING : LOCK_FREE_BOOKINGS, {
    bookingIds: keys.map(({ bookingId }) => bookingId),
    partnerIds: keys.map(({ partnerId }) => partnerId),
  });
  const byPlace = new Map(found.map(({ place, ...booking }) => [place, booking]));
  return keys.map((_, index) => byPlace.get(index + 1) ?? null);
}

/** Locks the booking until the end of the transaction; `partnerId` null: of any partner (operator). */
export async function lockBooking(
  tx: Tx,
  partnerId: string | null,
  bookingId: string,
): Promise<LockedBooking | null> {
  return (await lockBookings(tx, [{ partnerId, bookingId }]))[0]!;
}

export const LOCK_BOOKING_OF = hotStatement({
  name: 'lock-booking-of',
  takes: { appointmentId: uuid },
  returns: { ...TO_CHANGE_COLUMNS, team_id: uuid, zone_id: uuid },
  text: `
    select ${TO_CHANGE}, a.team_id, a.zone_id
    from appointments a join bookings b on b.id = a.booking_id
    where a.id = :appointmentId for no key update of b, a`,
});

/** Locks the appointment's booking until the end of the transaction; null: there is no such appointment. */
export function lockBookingOf(tx: Tx, appointmentId: string): Promise<LockedBooking | null> {
  return first(tx, LOCK_BOOKING_OF, { appointmentId });
}

/** The booking as a change would find it, without a lock; null: there is none. */
export async function findToChange(db: Queryable, key: BookingKey): Promise<LockedBooking | null> {
  return first(db, FIND_TO_CHANGE, { bookingIds: [key.bookingId], partnerIds: [key.partnerId] });
}

export const SAVE_BOOKINGS = hotStatement({
  name: 'save-bookings',
  takes: {
    bookingIds: uuids,
    statuses: texts,
    paymentStatuses: texts,
    externalReferences: typed<(string | null)[]>(texts),
    notes: typed<(string | null)[]>(texts),
    serviceDates: dates,
    appointmentStatuses: texts,
    paymentReferences: typed<(string | null)[]>(texts),
    paymentConfirmedAt: typed<(Instant | null)[]>(timestamps),
    reasonIds: typed<(string | null)[]>(uuids),
    cancellationNotes: typed<(string | null)[]>(texts),
    cancellationActions: typed<(string | null)[]>(texts),
    cancelledAt: typed<(Instant | null)[]>(timestamps),
    fees: typed<(string | null)[]>(jsonbs),
    cancelledFor: typed<(string | null)[]>(texts),
    savedAt: timestamps,
    actors: texts,
    eventCounts: ints,
    eventIds: uuids,
    eventBookingIds: uuids,
    /** Of an event among those of its booking, from 1. */
    eventPlaces: ints,
    eventNames: texts,
    payloads: jsonbs,
  },
  returns: {},
  text: `
    with change as materialized (
      select * from unnest((select :bookingIds::uuid[]), (select :statuses::text[]), (select :paymentStatuses::text[]),
        (select :externalReferences::text[]), (select :notes::text[]), (select :serviceDates::date[]),
        (select :appointmentStatuses::text[]), (select :paymentReferences::text[]),
        (select :paymentConfirmedAt::timestamptz[]), (select :reasonIds::uuid[]), (select :cancellationNotes::text[]),
        (select :cancellationActions::text[]), (select :cancelledAt::timestamptz[]), (select :fees::jsonb[]),
        (select :cancelledFor::text[]), (select :savedAt::timestamptz[]),
        (select :actors::text[]), (select :eventCounts::int[]))
        as c (id, status, payment_status, external_reference, notes, service_date, appointment_status, payment_reference,
          payment_confirmed_at, reason_id, cancellation_notes, cancellation_action, cancelled_at, fees, cancelled_for, saved_at, actor, events)
    ), booking as (
      update bookings b set status = c.status, payment_status = c.payment_status,
        external_reference = c.external_reference, notes = c.notes, service_date = c.service_date,
        payment_reference = coalesce(c.payment_reference, b.payment_reference),
        payment_confirmed_at = coalesce(c.payment_confirmed_at, b.payment_confirmed_at),
        cancellation_reason_id = coalesce(c.reason_id, b.cancellation_reason_id),
        cancellation_notes = coalesce(c.cancellation_notes, b.cancellation_notes),
        cancellation_action = coalesce(c.cancellation_action, b.cancellation_action),
        cancelled_by = case when c.cancelled_at is null then b.cancelled_by else c.actor end,
        cancelled_at = coalesce(c.cancelled_at, b.cancelled_at), fees = c.fees,
        cancelled_for = c.cancelled_for,
        updated_at = c.saved_at, version = b.version + 1, event_count = b.event_count + c.events
      from change c where b.id = c.id
      returning b.id, b.partner_id, b.event_count - c.events as events_before, c.saved_at, c.actor
    ), appointment as (
      update appointments a set status = c.appointment_status, updated_at = c.saved_at, version = a.version + 1
      from change c where a.booking_id = c.id and a.status <> c.appointment_status
    )
    insert into events (id, partner_id, booking_id, sequence, event, payload, created_at, actor)
    select e.id, b.partner_id, b.id, b.events_before + e.place, e.name, e.payload, b.saved_at, b.actor
    from unnest((select :eventIds::uuid[]), (select :eventBookingIds::uuid[]), (select :eventPlaces::int[]),
        (select :eventNames::text[]), (select :payloads::jsonb[]))
      with ordinality as e (id, booking_id, place, name, payload, number)
    join booking b on b.id = e.booking_id
    order by e.number`,
});

export type NewEvent = { id: string; name: EventName; payload: unknown };

/** The columns of booking and appointment that a change may write. */
type Saved = Pick<
  LockedBooking,
  | 'id'
  | 'status'
  | 'payment_status'
  | 'external_reference'
  | 'notes'
  | 'service_date'
  | 'appointment_status'
  | 'fees'
  | 'cancelled_for'
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
 * Saves changes that were decided on locked bookings: their rows, the statuses of their appointments, and their events. A
 * taken external reference raises bookings_external_reference_key, a deleted reason bookings_cancellation_reason_id_fkey.
 * `commits`: nothing follows in the transaction.
 */
export async function saveBookings(
  tx: Tx,
  changes: readonly (Change & { now: Instant })[],
  { commits = false } = {},
): Promise<void> {
  const events = changes.flatMap(({ after, events }) =>
    events.map((event, index) => ({ ...event, bookingId: after.id, place: index + 1 })),
  );
  const values = {
    bookingIds: changes.map(({ after }) => after.id),
    statuses: changes.map(({ after }) => after.status),
    paymentStatuses: changes.map(({ after }) => after.payment_status),
    externalReferences: changes.map(({ after }) => after.external_reference),
    notes: changes.map(({ after }) => after.notes),
    serviceDates: changes.map(({ after }) => after.service_date),
    appointmentStatuses: changes.map(({ after }) => after.appointment_status),
    paymentReferences: changes.map(({ confirmation }) => confirmation?.paymentReference ?? null),
    paymentConfirmedAt: changes.map(({ confirmation, now }) => (confirmation === undefined ? null : now)),
    reasonIds: changes.map(({ cancellation }) => cancellation?.reasonId ?? null),
    cancellationNotes: changes.map(({ cancellation }) => cancellation?.notes ?? null),
    cancellationActions: changes.map(({ cancellation }) => cancellation?.action ?? null),
    cancelledAt: changes.map(({ cancellation, now }) => (cancellation === undefined ? null : now)),
    fees: changes.map(({ after }) => after.fees && JSON.stringify(after.fees)),
    cancelledFor: changes.map(({ after }) => after.cancelled_for),
    savedAt: changes.map(({ now }) => now),
    actors: changes.map(({ by }) => by),
    eventCounts: changes.map(({ events }) => events.length),
    eventIds: events.map(({ id }) => id),
    eventBookingIds: events.map(({ bookingId }) => bookingId),
    eventPlaces: events.map(({ place }) => place),
    eventNames: events.map(({ name }) => name),
    payloads: events.map(({ payload }) => JSON.stringify(payload)),
  };
  await rows(tx, SAVE_BOOKINGS, values, { commits });
}

/** `saveBookings` of one, at `now`. */
export const saveBooking = (
  tx: Tx,
  now: Instant,
  change: Change,
  options?: { commits: boolean },
): Promise<void> => saveBookings(tx, [{ ...change, now }], options);
