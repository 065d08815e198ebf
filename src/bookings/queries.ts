import { SOLD_IN_ARABIC, SOLD_NAME } from '../catalogue/sold-names.ts';
import { each, listed } from '../db/columns.ts';
import type { Queryable } from '../db/connection.ts';
import { first, hotStatement, pg, type Row, rows } from '../db/statement.ts';
import { termsOf } from '../policies/queries.ts';
import type { Terms } from '../policies/rules.ts';
import type { BookingPayment } from './refund.ts';
import type { AppointmentStatus } from './rules.ts';
import { APPOINTMENTS, BOOKINGS } from './table.ts';

const READ = listed(BOOKINGS, 'read');
const READ_APPOINTMENT = listed(APPOINTMENTS, 'read');

export const BOOKING_COLUMNS = {
  ...READ,
  appointment_id: pg.uuid,
  appointment_name: pg.text,
  appointment_status: pg.typed<AppointmentStatus>(pg.text),
  ...READ_APPOINTMENT,
  is_erased: pg.boolean,
  service_name: pg.text,
  service_name_ar: pg.text,
  payment: pg.nullable(pg.jsonb<BookingPayment>()),
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

const bookingWith = (payment: string) => `${each(READ, (name) => `b.${name}`)},
  a.id as appointment_id, a.name as appointment_name, a.status as appointment_status,
  ${each(READ_APPOINTMENT, (name) => `a.${name}`)},
  (select c.erasure_id is not null from contacts c where c.id = b.contact_id) as is_erased,
  (select ${SOLD_NAME} from services s where s.id = b.service_id) as service_name,
  (select ${SOLD_IN_ARABIC} from services s where s.id = b.service_id) as service_name_ar, ${payment} as payment`;

export const BOOKING = bookingWith(PAYMENT);

// Parameters are selected: otherwise PostgreSQL would plan again for each list.
export const FIND_BOOKINGS = hotStatement({
  name: 'find-bookings',
  takes: { partnerIds: pg.uuids, bookingIds: pg.uuids },
  returns: { place: pg.bigint, ...BOOKING_COLUMNS },
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

export const FIND_MADE = hotStatement({
  name: 'find-made',
  takes: { partnerId: pg.uuid, externalReference: pg.nullable(pg.text), holdId: pg.nullable(pg.uuid) },
  returns: {
    id: pg.uuid,
    has_reference: pg.boolean,
    creation_hash: pg.nullable(pg.bytea),
    created_at: pg.timestamptz,
  },
  text: `
    select id, true as has_reference, creation_hash, created_at from bookings
    where partner_id = :partnerId and external_reference = :externalReference and not reference_released
    union all
    select b.id, false, b.creation_hash, b.created_at from holds h join bookings b on b.id = h.booking_id
    where h.id = :holdId and h.partner_id = :partnerId
    order by has_reference desc limit 1`,
});

/**
 * The partner's booking that holds the reference, which a failed one has given up, else the one that took the hold; null: there
 * is neither.
 */
export function findMade(
  db: Queryable,
  partnerId: string,
  { externalReference, holdId }: { externalReference?: string; holdId?: string },
): Promise<Row<typeof FIND_MADE> | null> {
  return first(db, FIND_MADE, {
    partnerId,
    externalReference: externalReference ?? null,
    holdId: holdId ?? null,
  });
}

const LOCKED = listed(BOOKINGS, 'lock');

/** The columns of a booking that a change needs. */
export const TO_CHANGE_COLUMNS = {
  ...BOOKING_COLUMNS,
  ...LOCKED,
  has_begun: pg.boolean,
  terms: pg.nullable(pg.jsonb<Terms>()),
};
// The function is called again for a booking that another transaction has changed meanwhile, and sees that one's payment.
export const TO_CHANGE = `${bookingWith(paymentOf('payment_of(b.id) p where p.id is not null'))},
  ${each(LOCKED, (name) => `b.${name}`)}, a.began_at is not null as has_begun, ${termsOf('b.policy_id')} as terms`;
