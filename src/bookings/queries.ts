import type { CalendarDate } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import {
  bigint,
  date,
  first,
  hotStatement,
  int,
  nullable,
  type Row,
  rows,
  text,
  timestamptz,
  typed,
  uuid,
  uuids,
} from '../db/statement.ts';
import type { PaymentResponsibility } from '../partners/rules.ts';
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

export const FIND_BOOKINGS = hotStatement({
  name: 'find-bookings',
  takes: { partnerIds: uuids, bookingIds: uuids },
  returns: { place: bigint, ...BOOKING_COLUMNS },
  text: `
    select w.place, ${BOOKING}
    from unnest(:partnerIds::uuid[], :bookingIds::uuid[]) with ordinality as w (partner_id, booking_id, place)
    join bookings b on b.id = w.booking_id and b.partner_id = w.partner_id
    join appointments a on a.booking_id = b.id`,
});

/** A booking with its appointment: what the Booking of section 2 is made from. */
export type BookingRow = Omit<Row<typeof FIND_BOOKINGS>, 'place'>;

/** Bookings of partners, in the order of the keys; null: the partner has none of this id. */
export async function findBookings(
  db: Queryable,
  keys: readonly { partnerId: string; bookingId: string }[],
): Promise<(BookingRow | null)[]> {
  const found = await rows(db, FIND_BOOKINGS, {
    partnerIds: keys.map(({ partnerId }) => partnerId),
    bookingIds: keys.map(({ bookingId }) => bookingId),
  });
  const byPlace = new Map(found.map(({ place, ...booking }) => [place, booking]));
  return keys.map((_, index) => byPlace.get(index + 1) ?? null);
}

/** The partner's booking; null: the partner has none of this id. */
export async function findBooking(
  db: Queryable,
  partnerId: string,
  bookingId: string,
): Promise<BookingRow | null> {
  return (await findBookings(db, [{ partnerId, bookingId }]))[0]!;
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

/** What a change has to know of a booking. */
export const TO_CHANGE_COLUMNS = {
  ...BOOKING_COLUMNS,
  partner_id: uuid,
  payment_responsibility: typed<PaymentResponsibility>(text),
  notes: nullable(text),
  version: int,
};
export const TO_CHANGE = `${BOOKING}, b.partner_id, b.payment_responsibility, b.notes, b.version`;
