import type { BookingDetail } from '../contract.ts';
import { money } from '../format.ts';
import { customerName, t } from '../language.ts';

/** What a cancellation by the operator does with the customer's money: the amount, and who refunds it. */
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

/** What is kept of an ended booking, and what goes back. */
export function keptText({ cancellation, payment }: BookingDetail): string {
  const kept = cancellation?.kept ?? null;
  if (kept === null) return t('money.undecided');
  if (payment === null) return t('money.ofPartner', { kept: money(kept) });
  if (payment.paidAmount === null) return t('money.none');
  return t('money.kept', { kept: money(kept), refund: money(payment.refund?.amount ?? 0) });
}
