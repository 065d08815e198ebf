import { randomUUID } from 'node:crypto';
import type { Instant } from '../clock.ts';
import { ApiError, notFound } from '../errors.ts';
import type { PaymentResponsibility } from '../partners/queries.ts';
import type { Db } from '../platform/db.ts';
import { lockBooking, savePaymentConfirmation } from './queries.ts';
import { bookingAfter, paymentAfter, statusesFor } from './rules.ts';
import { type BookingView, bookingView } from './view.ts';

/**
 * Section 4.11: the partner says that its customer has paid. Throws RESOURCE_NOT_FOUND,
 * PAYMENT_RESPONSIBILITY_MISMATCH (the account, or the booking when it was made, is PLATFORM),
 * BOOKING_NOT_PAYABLE (canceled, failed) and PAYMENT_ALREADY_CONFIRMED.
 */
export function confirmPayment(
  db: Db,
  now: Instant,
  partner: { id: string; paymentResponsibility: PaymentResponsibility },
  bookingId: string,
  paymentReference: string | null,
): Promise<BookingView> {
  return db.transaction(async (tx) => {
    const booking = await lockBooking(tx, partner.id, bookingId);
    if (booking === null) throw notFound('Booking');
    if (partner.paymentResponsibility !== 'PARTNER' || booking.payment_responsibility !== 'PARTNER') {
      throw new ApiError(
        'PAYMENT_RESPONSIBILITY_MISMATCH',
        'Payment of this booking is collected by the platform',
        { paymentResponsibility: 'PLATFORM', paymentStatus: booking.payment_status },
      );
    }
    if (bookingAfter('confirmPayment', booking.status) === null) {
      throw new ApiError('BOOKING_NOT_PAYABLE', `A booking that is ${booking.status} cannot be paid`, {
        status: booking.status,
        payable: statusesFor('confirmPayment'),
      });
    }
    const paymentStatus = paymentAfter('confirmPayment', booking.payment_status);
    if (paymentStatus === null) {
      throw new ApiError('PAYMENT_ALREADY_CONFIRMED', 'Payment of this booking is already confirmed', {
        paymentStatus: booking.payment_status,
      });
    }
    const view = bookingView({ ...booking, payment_status: paymentStatus });
    await savePaymentConfirmation(tx, now, booking, paymentReference, {
      id: randomUUID(),
      name: 'booking.payment_confirmed',
      payload: view,
      actor: 'partner',
    });
    return view;
  });
}
