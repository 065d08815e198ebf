import type { Instant } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { PaymentResponsibility } from '../partners/rules.ts';
import { type ChangePlainly, type Decided, PARTNER, sameRequest } from './change.ts';
import type { LockedBooking } from './change-queries.ts';
import { bookingAfter, paymentAfter, statusesFor } from './rules.ts';
import { type BookingView, bookingView } from './view.ts';

/**
 * Section 4.11: the partner confirms that its customer has paid. Throws, in this order, RESOURCE_NOT_FOUND,
 * BOOKING_NOT_PAYABLE (canceled, failed), PAYMENT_RESPONSIBILITY_MISMATCH (the account, or the booking when it was
 * made, is PLATFORM) and PAYMENT_ALREADY_CONFIRMED. Also when its appointment alone was cancelled: attention tells that.
 */
export function confirmPayment(
  change: ChangePlainly,
  now: Instant,
  partner: { id: string; paymentResponsibility: PaymentResponsibility },
  {
    bookingId,
    paymentReference,
    requestId,
  }: { bookingId: string; paymentReference: string | null; requestId?: string },
): Promise<BookingView> {
  const decide = (booking: LockedBooking): Decided => {
    if (bookingAfter('confirmPayment', booking.status) === null) {
      throw new ApiError('BOOKING_NOT_PAYABLE', `A booking that is ${booking.status} cannot be paid`, {
        status: booking.status,
        payable: statusesFor('confirmPayment'),
      });
    }
    if (partner.paymentResponsibility !== 'PARTNER' || booking.payment_responsibility !== 'PARTNER') {
      throw new ApiError(
        'PAYMENT_RESPONSIBILITY_MISMATCH',
        'Payment of this booking is collected by the platform',
        { paymentResponsibility: 'PLATFORM', paymentStatus: booking.payment_status },
      );
    }
    const paymentStatus = paymentAfter('confirmPayment', booking.payment_status);
    if (paymentStatus === null) {
      throw new ApiError('PAYMENT_ALREADY_CONFIRMED', 'Payment of this booking is already confirmed', {
        paymentStatus: booking.payment_status,
        ...sameRequest(booking, requestId),
      });
    }
    const after = {
      ...booking,
      payment_status: paymentStatus,
      payment_reference: paymentReference,
      payment_confirmed_at: now,
      decided_by_request: requestId ?? null,
      updated_at: now,
    };
    const view = bookingView(after);
    return {
      view,
      change: {
        after,
        events: [{ id: newId(now), name: 'booking.payment_confirmed', payload: view }],
        by: PARTNER,
      },
    };
  };
  return change({ key: { partnerId: partner.id, bookingId }, now, decide });
}
