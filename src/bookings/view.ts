import { riyadhText, toExactRiyadhIso, toRiyadhIso } from '../base/clock.ts';
import { fieldsShown } from '../http/fields.ts';
import { chargesOf, type FeeEntry, isSettled, isUndecided, totalOf } from '../policies/ledger.ts';
import type { StoredLink } from './payment-links.ts';
import type { BookingRow } from './queries.ts';
import { refundOf } from './refund.ts';
import type { AppointmentStatus } from './rules.ts';
import { BOOKINGS } from './table.ts';

/** The Booking without its payment link, as it is in the audit log, which keeps its entries forever. */
export function bookingRecord(row: Omit<BookingRow, 'is_erased'>) {
  // A deferred assignment: a team is held, but partners see no appointment yet.
  const assigned = row.appointment_status !== 'New';
  // Each instant is formatted once: this is most of the work of a response (bench/serialize.ts).
  const starts = riyadhText(row.starts_at);
  const ends = riyadhText(row.ends_at);
  return {
    bookingId: row.id,
    externalReference: row.external_reference,
    appointmentId: assigned ? row.appointment_id : null,
    status: row.status,
    paymentStatus: row.payment_status,
    trackingReference: row.appointment_name,
    date: `${row.service_date}T00:00:00.000Z`,
    timeslot: { startAt: starts.time, endAt: ends.time, endsAtNextDay: ends.date > row.service_date },
    appointment: assigned
      ? {
          id: row.appointment_id,
          name: row.appointment_name,
          status: row.appointment_status,
          scheduledStartDateTime: starts.iso,
          scheduledEndDateTime: ends.iso,
        }
      : null,
    serviceId: row.service_id,
    serviceNameEn: row.service_name,
    serviceNameAr: row.service_name_ar,
    contactId: row.contact_id,
    addressId: row.address_id,
    price: Number(row.amount),
    currency: 'SAR' as const,
    cancellation: cancellationOf(row),
    outcome: row.outcome,
    ...fieldsShown(BOOKINGS, 'partner', row),
    fees: feesOf(row.fees),
    refund: row.payment === null ? null : refundOf(row.payment, row.amount),
    createdAt: toRiyadhIso(row.created_at),
    updatedAt: toExactRiyadhIso(row.updated_at),
  };
}

/** The partner, or anyone else: to a partner, that is the operator. The operator's notes are not for partners. */
function cancellationOf({ cancelled_at, cancelled_by, ...row }: Omit<BookingRow, 'is_erased'>) {
  if (cancelled_at === null) return null;
  const isOwn = cancelled_by === 'partner';
  return {
    reasonId: row.cancellation_reason_id,
    by: isOwn ? ('PARTNER' as const) : ('OPERATOR' as const),
    at: toRiyadhIso(cancelled_at),
    notes: isOwn ? row.cancellation_notes : null,
    ...costView(row),
  };
}

/** What a cancellation costs now, for whom it was, and how far the work had come. */
export function costView({
  fees,
  payment,
  cancelled_for: onBehalfOf,
  work_reached: workReached,
}: Pick<BookingRow, 'fees' | 'payment' | 'cancelled_for' | 'work_reached'>) {
  const feeToDecide = isUndecided(fees);
  return { fee: cancellationFee(fees), feeToDecide, kept: keptView(), onBehalfOf, workReached };

  function keptView(): number | null {
    if (feeToDecide || payment?.refund_to_decide) return null;
    return isSettled(fees) ? totalOf(fees ?? []) / 100 : Number(payment?.kept_amount ?? 0);
  }
}

/** The fees that were charged, as they are now. */
const feesOf = (fees: readonly FeeEntry[] | null) =>
  chargesOf(fees ?? [])
    .filter(({ undecided }) => undecided === undefined || !isUndecided(fees))
    .map(({ action, amount, at, on_behalf_of }) => ({
      action,
      amount: Number(amount),
      at: toRiyadhIso(at),
      onBehalfOf: on_behalf_of ?? null,
    }));

/** SAR; null: no policy held, the operator cancelled, or the operator still decides. */
function cancellationFee(fees: readonly FeeEntry[] | null): number | null {
  if (fees === null || isUndecided(fees)) return null;
  const fee = chargesOf(fees).find(({ action }) => action === 'cancel');
  return fee === undefined ? null : Number(fee.amount);
}

/** The Booking of section 2, in responses and webhook payloads, with its links as they are stored. */
export function bookingView(row: BookingRow) {
  const links = { paymentLink: paymentLinkOf(row), trackingUrl: null };
  return { ...bookingRecord(row), ...links, ...(row.is_erased && { isErased: true }) };
}

function paymentLinkOf({ status, payment, starts_at }: BookingRow): StoredLink | null {
  if (status !== 'waiting payment' || payment === null || payment.link === null) return null;
  const expiresAt = toRiyadhIso(Math.min(payment.expires_at, starts_at));
  return { paymentId: payment.id, stored: payment.link, expiresAt };
}

export type BookingView = ReturnType<typeof bookingView>;

/** Payload of booking.appointment_status_changed (section 6). */
export function appointmentStatusChangedView(
  row: BookingRow,
  change: { from: AppointmentStatus; to: AppointmentStatus; changedAt: number },
) {
  return {
    ...bookingView(row),
    appointmentStatusChange: { from: change.from, to: change.to, changedAt: toRiyadhIso(change.changedAt) },
  };
}
