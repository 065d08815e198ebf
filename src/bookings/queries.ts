import type { CalendarDate, Instant } from '../base/clock.ts';
import type { Db, Queryable, Tx } from '../db/connection.ts';
import { SERVER_STARTED } from '../db/server.ts';
import {
  bigint,
  bigints,
  date,
  dates,
  first,
  float,
  gappy,
  hotStatement,
  int,
  ints,
  jsonb,
  jsonbs,
  nullable,
  numeric,
  numerics,
  type Row,
  rows,
  text,
  texts,
  timestamps,
  timestamptz,
  typed,
  uuid,
  uuids,
} from '../db/statement.ts';
import type { PaymentResponsibility } from '../partners/rules.ts';
import { gatherLookups, gatherWrites, LEFT } from '../runtime/gather.ts';
import type { AppointmentStatus, BookingStatus, PaymentStatus } from './rules.ts';

export const BOOKING_COLUMNS = {
  id: uuid,
  external_reference: nullable(text),
  status: typed<BookingStatus>(text),
  payment_status: typed<PaymentStatus>(text),
  service_date: typed<CalendarDate>(date),
  appointment_id: uuid,
  appointment_name: text,
  appointment_status: typed<AppointmentStatus>(text),
  starts_at: timestamptz,
  ends_at: timestamptz,
};

export const BOOKING = `b.id, b.external_reference, b.status, b.payment_status, b.service_date,
  a.id as appointment_id, a.name as appointment_name, a.status as appointment_status, a.starts_at, a.ends_at`;

export const FIND_BOOKING = hotStatement({
  name: 'find-booking',
  takes: { partnerId: uuid, bookingId: uuid },
  returns: BOOKING_COLUMNS,
  text: `
    select ${BOOKING} from bookings b join appointments a on a.booking_id = b.id
    where b.id = :bookingId and b.partner_id = :partnerId`,
});

/** A booking with its appointment: what the Booking of section 2 is made from. */
export type BookingRow = Row<typeof FIND_BOOKING>;

/** The partner's booking; null: the partner has none of this id. */
export function findBooking(db: Queryable, partnerId: string, bookingId: string): Promise<BookingRow | null> {
  return first(db, FIND_BOOKING, { partnerId, bookingId });
}

// Laterally, so that each is a look into the index whatever the planner thinks of the number of ids. In a subselect it does
// not see that number: a plan for few would seem cheaper than the one that is kept, and each run would be planned anew.
export const FIND_BOOKINGS = hotStatement({
  name: 'find-bookings',
  takes: { bookingIds: uuids, partnerIds: uuids },
  returns: { place: bigint, ...BOOKING_COLUMNS },
  text: `
    select wanted.place, found.*
    from unnest((select :bookingIds::uuid[]), (select :partnerIds::uuid[])) with ordinality as wanted (id, partner_id, place)
    cross join lateral (
      select ${BOOKING} from bookings b join appointments a on a.booking_id = b.id
      where b.id = wanted.id and b.partner_id = wanted.partner_id offset 0
    ) found`,
});

type BookingKey = { partnerId: string; bookingId: string };

/** findBooking for many at once, in the order of the keys. */
async function findBookings(db: Queryable, keys: readonly BookingKey[]): Promise<(BookingRow | null)[]> {
  const found = await rows(db, FIND_BOOKINGS, {
    bookingIds: keys.map(({ bookingId }) => bookingId),
    partnerIds: keys.map(({ partnerId }) => partnerId),
  });
  const bookings = new Array<BookingRow | null>(keys.length).fill(null);
  for (const { place, ...booking } of found) bookings[place - 1] = booking;
  return bookings;
}

export type BookingFinder = (key: BookingKey) => Promise<BookingRow | null>;

/** findBooking, shared by requests that arrive together. */
export function createBookingFinder(db: Queryable): BookingFinder {
  return gatherLookups<BookingKey, BookingRow | null>({
    one: ({ partnerId, bookingId }) => findBooking(db, partnerId, bookingId),
    many: (keys) => findBookings(db, keys),
    maxKeys: 100,
    maxRunning: 2,
  });
}

export const FIND_REFERENCE = hotStatement({
  name: 'find-reference',
  takes: { partnerId: uuid, externalReference: text },
  returns: { id: uuid },
  text: `
    select id from bookings
    where partner_id = :partnerId and external_reference = :externalReference and not reference_released`,
});

/** The partner's booking that holds the reference, or null. A failed booking has given it up. */
export async function findReferenceHolder(
  db: Queryable,
  partnerId: string,
  externalReference: string,
): Promise<string | null> {
  const row = await first(db, FIND_REFERENCE, { partnerId, externalReference });
  return row?.id ?? null;
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

export type BookingOutcome = {
  outcome: 'BOOKED' | 'TAKEN' | 'STALE';
  appointmentName: string;
  /** The one it was written on (SERVER_STARTED). */
  server: number;
};

// Named arguments, so that two of one type cannot change places; one jsonb value for them all is slower
// (docs/decisions/booking-creation.md).
export const BOOK_APPOINTMENT = hotStatement({
  name: 'book-appointment',
  writesEvent: true,
  takes: {
    catalogueVersion: bigint,
    teamIds: uuids,
    teamNumbers: ints,
    busyUntil: timestamps,
    bookingId: uuid,
    partnerId: uuid,
    contactId: uuid,
    addressId: uuid,
    serviceId: uuid,
    externalReference: nullable(text),
    status: text,
    paymentStatus: text,
    paymentResponsibility: text,
    amount: numeric,
    serviceDate: date,
    appointmentId: uuid,
    zoneId: uuid,
    appointmentStatus: text,
    startsAt: timestamptz,
    endsAt: timestamptz,
    eventId: uuid,
    event: text,
    payload: typed<unknown>(jsonb()),
    now: timestamptz,
  },
  returns: {
    outcome: typed<BookingOutcome['outcome']>(text),
    appointment_name: nullable(text),
    server: float,
  },
  text: `
    select outcome, appointment_name, ${SERVER_STARTED} as server from book_appointment(
      p_catalogue_version => :catalogueVersion, p_team_ids => :teamIds, p_team_numbers => :teamNumbers,
      p_busy_until => :busyUntil, p_booking_id => :bookingId, p_partner_id => :partnerId, p_contact_id => :contactId,
      p_address_id => :addressId, p_service_id => :serviceId, p_external_reference => :externalReference,
      p_status => :status, p_payment_status => :paymentStatus, p_payment_responsibility => :paymentResponsibility,
      p_amount => :amount, p_service_date => :serviceDate, p_appointment_id => :appointmentId, p_zone_id => :zoneId,
      p_appointment_status => :appointmentStatus, p_starts_at => :startsAt, p_ends_at => :endsAt,
      p_event_id => :eventId, p_event => :event, p_payload => :payload, p_now => :now)`,
});

/**
 * Claims one of the teams and writes the booking, its appointment and its first event, or nothing: TAKEN when
 * no team is free any more, STALE when the catalogue has changed. One statement, so one round trip and one
 * transaction (book_appointment in functions.sql), which also names the appointment.
 */
export async function insertBooking(
  db: Queryable,
  now: Instant,
  { row, candidates, event, ...booking }: NewBooking,
): Promise<BookingOutcome> {
  const result = await first(db, BOOK_APPOINTMENT, {
    ...booking,
    teamIds: candidates.map(({ teamId }) => teamId),
    teamNumbers: candidates.map(({ teamNumber }) => teamNumber),
    busyUntil: candidates.map(({ busyUntil }) => busyUntil),
    bookingId: row.id,
    externalReference: row.external_reference,
    status: row.status,
    paymentStatus: row.payment_status,
    serviceDate: row.service_date,
    appointmentId: row.appointment_id,
    appointmentStatus: row.appointment_status,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    eventId: event.id,
    event: event.name,
    payload: event.payload,
    now,
  });
  const { outcome, appointment_name, server } = result!;
  return { outcome, appointmentName: appointment_name ?? '', server };
}

export const BOOK_APPOINTMENTS = hotStatement({
  name: 'book-appointments',
  writesEvent: true,
  takes: {
    catalogueVersions: bigints,
    candidateCounts: ints,
    teamIds: uuids,
    teamNumbers: ints,
    busyUntil: timestamps,
    bookingIds: uuids,
    partnerIds: uuids,
    contactIds: uuids,
    addressIds: uuids,
    serviceIds: uuids,
    externalReferences: gappy(texts),
    statuses: texts,
    paymentStatuses: texts,
    paymentResponsibilities: texts,
    amounts: numerics,
    serviceDates: dates,
    appointmentIds: uuids,
    zoneIds: uuids,
    appointmentStatuses: texts,
    startsAt: timestamps,
    endsAt: timestamps,
    eventIds: uuids,
    events: texts,
    payloads: jsonbs,
    times: timestamps,
  },
  returns: {
    place: int,
    outcome: typed<BookingOutcome['outcome'] | 'LEFT'>(text),
    appointment_name: nullable(text),
    server: float,
  },
  text: `
    select place, outcome, appointment_name, ${SERVER_STARTED} as server from book_appointments(
      p_catalogue_versions => :catalogueVersions, p_candidate_counts => :candidateCounts, p_team_ids => :teamIds,
      p_team_numbers => :teamNumbers, p_busy_until => :busyUntil, p_booking_ids => :bookingIds,
      p_partner_ids => :partnerIds, p_contact_ids => :contactIds, p_address_ids => :addressIds,
      p_service_ids => :serviceIds, p_external_references => :externalReferences, p_statuses => :statuses,
      p_payment_statuses => :paymentStatuses, p_payment_responsibilities => :paymentResponsibilities,
      p_amounts => :amounts, p_service_dates => :serviceDates, p_appointment_ids => :appointmentIds,
      p_zone_ids => :zoneIds, p_appointment_statuses => :appointmentStatuses, p_starts_at => :startsAt,
      p_ends_at => :endsAt, p_event_ids => :eventIds, p_events => :events, p_payloads => :payloads, p_times => :times)`,
});

type Booked = { now: Instant; booking: NewBooking };

/** insertBooking for several in one statement (book_appointments in functions.sql). */
async function insertBookings(
  db: Queryable,
  items: readonly Booked[],
): Promise<(BookingOutcome | typeof LEFT)[]> {
  const bookings = items.map(({ booking }) => booking);
  const bookingRows = bookings.map(({ row }) => row);
  const candidates = bookings.flatMap((booking) => booking.candidates);
  const found = await rows(db, BOOK_APPOINTMENTS, {
    catalogueVersions: bookings.map(({ catalogueVersion }) => catalogueVersion),
    candidateCounts: bookings.map((booking) => booking.candidates.length),
    teamIds: candidates.map(({ teamId }) => teamId),
    teamNumbers: candidates.map(({ teamNumber }) => teamNumber),
    busyUntil: candidates.map(({ busyUntil }) => busyUntil),
    bookingIds: bookingRows.map(({ id }) => id),
    partnerIds: bookings.map(({ partnerId }) => partnerId),
    contactIds: bookings.map(({ contactId }) => contactId),
    addressIds: bookings.map(({ addressId }) => addressId),
    serviceIds: bookings.map(({ serviceId }) => serviceId),
    externalReferences: bookingRows.map((row) => row.external_reference),
    statuses: bookingRows.map(({ status }) => status),
    paymentStatuses: bookingRows.map((row) => row.payment_status),
    paymentResponsibilities: bookings.map(({ paymentResponsibility }) => paymentResponsibility),
    amounts: bookings.map(({ amount }) => amount),
    serviceDates: bookingRows.map((row) => row.service_date),
    appointmentIds: bookingRows.map((row) => row.appointment_id),
    zoneIds: bookings.map(({ zoneId }) => zoneId),
    appointmentStatuses: bookingRows.map((row) => row.appointment_status),
    startsAt: bookingRows.map((row) => row.starts_at),
    endsAt: bookingRows.map((row) => row.ends_at),
    eventIds: bookings.map(({ event }) => event.id),
    events: bookings.map(({ event }) => event.name),
    payloads: bookings.map(({ event }) => JSON.stringify(event.payload)),
    times: items.map(({ now }) => now),
  });
  const outcomes = new Array<BookingOutcome | typeof LEFT>(items.length).fill(LEFT);
  for (const { place, outcome, appointment_name, server } of found) {
    if (outcome !== 'LEFT')
      outcomes[place - 1] = { outcome, appointmentName: appointment_name ?? '', server };
  }
  return outcomes;
}

export type Booker = (now: Instant, booking: NewBooking) => Promise<BookingOutcome>;

/** insertBooking, shared by requests that arrive together. */
export function createBooker(db: Db): Booker {
  const book = gatherWrites<Booked, BookingOutcome>({
    one: ({ now, booking }) => insertBooking(db, now, booking),
    many: (items) => insertBookings(db, items),
    // Of two with one reference one would be left.
    keyOf: ({ booking: { partnerId, row } }) =>
      row.external_reference === null ? null : `${partnerId} ${row.external_reference}`,
    mayShare: () => !db.isTraced(),
    maxKeys: 32,
    maxRunning: 2,
  });
  return (now, booking) => book({ now, booking });
}

/** What a change without a new time has to know. */
export const TO_CHANGE_COLUMNS = {
  ...BOOKING_COLUMNS,
  partner_id: uuid,
  payment_responsibility: typed<PaymentResponsibility>(text),
  notes: nullable(text),
  version: int,
};
export const TO_CHANGE = `${BOOKING}, b.partner_id, b.payment_responsibility, b.notes, b.version`;

// "no key": changes of one booking take turns, foreign key checks on it need not wait. Both rows are locked:
// a transaction that had to wait for one then sees the newest version of both.
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

/** A booking that is locked for a change, with what the change has to know. */
export type LockedBooking = Row<typeof LOCK_BOOKING>;

/** Locks the booking until the end of the transaction; `partnerId` null: of any partner (operator). */
export function lockBooking(
  tx: Tx,
  partnerId: string | null,
  bookingId: string,
): Promise<LockedBooking | null> {
  return first(tx, LOCK_BOOKING, { bookingId, partnerId });
}

/**
 * SQL: the booking's row is the one that was seen, on the server on which it was seen; without a version it is locked, and so
 * what it was.
 */
export const AS_SEEN = `(:version::integer is null or version = :version)
      and (:server::float8 is null or :server = ${SERVER_STARTED})`;
