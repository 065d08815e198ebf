import type { Instant } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import {
  date,
  first,
  hotStatement,
  jsonb,
  nullable,
  numeric,
  text,
  timestamptz,
  typed,
  uuid,
} from '../db/statement.ts';
import type { PaymentResponsibility } from '../partners/rules.ts';
import { CLAIM, type Claim, type ClaimOutcome, claimed } from './claim-queries.ts';
import type { BookingRow } from './queries.ts';

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
  claim: Pick<Claim, 'catalogueVersion' | 'teamIds'>;
  event: { id: string; name: string; payload: unknown };
};

export const BOOK_APPOINTMENT = hotStatement({
  name: 'book-appointment',
  writesEvent: true,
  takes: {
    ...CLAIM,
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
    eventId: uuid,
    event: text,
    payload: typed<unknown>(jsonb()),
    now: timestamptz,
  },
  returns: { outcome: typed<ClaimOutcome>(text), name: nullable(text) },
  text: `
    with ${claimed()}, named as materialized (
      select team_id, busy_until, 'SA-' || lpad(number, greatest(4, length(number)), '0') as name
      from (
        select team_id, busy_until, nextval('appointment_number')::text as number from claimed where outcome = 'CLAIMED'
      ) numbered
    ), booking as (
      insert into bookings (id, partner_id, contact_id, address_id, service_id, external_reference, status,
        payment_status, payment_responsibility, amount, service_date, event_count, created_at, updated_at)
      select :bookingId, :partnerId, :contactId, :addressId, :serviceId, :externalReference, :status, :paymentStatus,
        :paymentResponsibility, :amount, :serviceDate, 1, :now, :now
      from named
    ), appointment as (
      insert into appointments (id, booking_id, team_id, zone_id, name, status, starts_at, ends_at, busy_until,
        created_at, updated_at)
      select :appointmentId, :bookingId, team_id, :zoneId, name, :appointmentStatus, :startsAt, :endsAt, busy_until, :now,
        :now
      from named
    ), event as (
      insert into events (id, partner_id, booking_id, sequence, event, payload, created_at)
      select :eventId, :partnerId, :bookingId, 1, :event,
        jsonb_set(:payload::jsonb || jsonb_build_object('trackingReference', name), '{appointment,name}', to_jsonb(name)),
        :now
      from named
    )
    select outcome, name from claimed left join named on true`,
});

/**
 * Claims one of the teams and inserts the booking, its appointment and its first event, or nothing, in one statement.
 * The appointment gets its name here, also in the event. A taken external reference raises
 * bookings_external_reference_key.
 */
export async function insertBooking(
  db: Queryable,
  now: Instant,
  { row, claim, event, ...booking }: NewBooking,
): Promise<{ outcome: ClaimOutcome; name: string | null }> {
  const found = await first(db, BOOK_APPOINTMENT, {
    ...booking,
    ...claim,
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
  return found!;
}
