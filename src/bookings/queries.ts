import type { CalendarDate } from '../base/clock.ts';
import { SOLD_IN_ARABIC, SOLD_NAME } from '../catalogue/sold-names.ts';
import type { Queryable } from '../db/connection.ts';
import {
  bigint,
  boolean,
  date,
  first,
  hotStatement,
  int,
  jsonb,
  nullable,
  numeric,
  type Row,
  rows,
  text,
  timestamptz,
  typed,
  uuid,
  uuids,
} from '../db/statement.ts';
import type { PaymentResponsibility } from '../partners/rules.ts';
import type { FeeEntry } from '../policies/ledger.ts';
import { termsOf } from '../policies/queries.ts';
import type { Terms } from '../policies/rules.ts';
import type { Outcome } from '../policies/words.ts';
import type { BookingPayment } from './refund.ts';
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
  contact_id: uuid,
  is_erased: boolean,
  address_id: uuid,
  service_id: uuid,
  service_name: text,
  service_name_ar: text,
  amount: numeric,
  cancellation_reason_id: nullable(uuid),
  cancellation_notes: nullable(text),
  cancelled_by: nullable(text),
  cancelled_at: nullable(timestamptz),
  failure_reason: nullable(text),
  /** Of the visit, when it could not be done. */
  outcome: typed<Outcome | null>(nullable(text)),
  /** The version of its policy; null: none. */
  policy_id: nullable(uuid),
  /** What happened to its fees, oldest first; null: nothing. */
  fees: nullable(jsonb<FeeEntry[]>()),
  /** For whom the operator cancelled it; null: for nobody else. */
  cancelled_for: typed<'CUSTOMER' | null>(nullable(text)),
  /** How far the work had come when the appointment was cancelled; null: it had not begun. */
  work_reached: typed<AppointmentStatus | null>(nullable(text)),
  payment: nullable(jsonb<BookingPayment>()),
  created_at: timestamptz,
  updated_at: timestamptz,
};

/** SQL: the payment by link of the booking `b`, or null. */
const paymentOf = (source: string) => `
  case when b.payment_responsibility = 'PLATFORM' then (
    select jsonb_build_object('id', p.id, 'link', case when p.status = 'OPEN' then p.link_url end,
      'expires_at', floor(extract(epoch from p.expires_at) * 1000), 'is_open', p.status in ('CREATED', 'OPEN'),
      'paid_amount', p.paid_amount::text, 'refunded_amount', p.refunded_amount::text, 'refund_status', p.refund_status,
      'refund_amount', p.refund_amount::text, 'refund_to_decide', p.refund_to_decide, 'kept_amount', p.kept_amount::text)
    from ${source}) end`;
export const PAYMENT = paymentOf('payments p where p.booking_id = b.id');

const bookingWith = (
  payment: string,
) => `b.id, b.external_reference, b.status, b.payment_status, b.service_date,
  a.id as appointment_id, a.name as appointment_name, a.status as appointment_status, a.starts_at, a.ends_at,
  b.contact_id, (select c.erasure_id is not null from contacts c where c.id = b.contact_id) as is_erased, b.address_id, b.service_id, (select ${SOLD_NAME} from services s where s.id = b.service_id) as service_name,
  (select ${SOLD_IN_ARABIC} from services s where s.id = b.service_id) as service_name_ar, b.amount,
  b.cancellation_reason_id, b.cancellation_notes, b.cancelled_by, b.cancelled_at, b.failure_reason, b.policy_id, b.fees, b.cancelled_for, a.work_reached, a.outcome, ${payment} as payment,
  b.created_at, b.updated_at`;

export const BOOKING = bookingWith(PAYMENT);

// Parameters are selected: otherwise PostgreSQL would plan again for each list.
export const FIND_BOOKINGS = hotStatement({
  name: 'find-bookings',
  takes: { partnerIds: uuids, bookingIds: uuids },
  returns: { place: bigint, ...BOOKING_COLUMNS },
  text: `
    select w.place, ${BOOKING}
    from unnest((select :partnerIds::uuid[]), (select :bookingIds::uuid[]))
      with ordinality as w (partner_id, booking_id, place)
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

/** The columns of a booking that a change needs. */
export const TO_CHANGE_COLUMNS = {
  ...BOOKING_COLUMNS,
  partner_id: uuid,
  payment_responsibility: typed<PaymentResponsibility>(text),
  notes: nullable(text),
  version: int,
  has_begun: boolean,
  terms: nullable(jsonb<Terms>()),
};
// The function is called again for a booking that another transaction has changed meanwhile, and sees that one's payment.
export const TO_CHANGE = `${bookingWith(paymentOf('payment_of(b.id) p where p.id is not null'))}, b.partner_id,
  b.payment_responsibility, b.notes, b.version, a.began_at is not null as has_begun,
  ${termsOf('b.policy_id')} as terms`;
