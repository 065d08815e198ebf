import { type Instant, toRiyadhIso } from '../clock.ts';
import type { OperatorPaymentRow } from './operate-queries.ts';
import { endOfLink, isLate } from './rules.ts';

/** Payments by link as the operator's interface and the audit log show them. */

const stampOrNull = (at: Instant | null): string | null => (at === null ? null : toRiyadhIso(at));

export function paymentView(row: OperatorPaymentRow) {
  return {
    id: row.id,
    bookingId: row.booking_id,
    trackingReference: row.tracking_reference,
    partnerId: row.partner_id,
    partnerName: row.partner_name,
    amount: Number(row.amount),
    status: row.status,
    gateway: row.gateway,
    gatewayReference: row.gateway_reference,
    linkUrl: row.link_url,
    expiresAt: toRiyadhIso(endOfLink(row)),
    sentAt: stampOrNull(row.sent_at),
    paidAt: stampOrNull(row.paid_at),
    paidAmount: row.paid_amount === null ? null : Number(row.paid_amount),
    late: isLate(row),
    failureReason: row.failure_reason,
    refund: refundView(row),
    tries: row.tries,
    createdAt: toRiyadhIso(row.created_at),
    updatedAt: toRiyadhIso(row.updated_at),
  };
}

/** What is given back: all that was paid. */
function refundView(row: OperatorPaymentRow) {
  if (row.refund_status === 'NONE') return null;
  return {
    status: row.refund_status,
    amount: Number(row.paid_amount),
    reference: row.refund_reference,
    error: row.refund_error,
    refundedAt: stampOrNull(row.refunded_at),
    by: row.refunded_by,
  };
}

/** As the details of its booking show it. */
export function bookingPaymentView(row: OperatorPaymentRow | undefined) {
  if (row === undefined) return null;
  const { id, status, linkUrl, gateway, gatewayReference, paidAt, failureReason, refund } = paymentView(row);
  return { id, status, linkUrl, gateway, gatewayReference, paidAt, failureReason, refund };
}
