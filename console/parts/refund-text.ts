import type { BookingDetail } from '../contract.ts';
import { money } from '../format.ts';
import { customerName, t } from '../language.ts';

/** The effect of a cancellation on the customer's money: the amount, and who refunds it. */
export function refundText({ payment, paymentStatus, amount, contact, partnerName }: BookingDetail): string {
  const customer = customerName(contact);
  if (payment === null)
    return paymentStatus === 'PAID'
      ? t('booking.refundByPartner', { amount: money(amount), customer, partner: partnerName })
      : t('booking.refundNothing');
  const { refundOnCancel: refund } = payment;
  if (refund === null) return t('booking.refundNothing');
  return refund.by === 'SERVICE'
    ? t('booking.refundByService', { amount: money(refund.amount), customer })
    : t('booking.refundToDecide', { amount: money(refund.amount), customer });
}
