import { type Instant, toRiyadhIso } from '../clock.ts';
import type { Sealer } from '../db/sealing.ts';
import type { Logger } from '../runtime/logger.ts';
import { openLink } from './links.ts';
import type { OperatorPaymentRow } from './operator-queries.ts';
import { endOfLink, isLate } from './rules.ts';

/** Payments by link as the operator's interface and the audit log show them. */

const stampOrNull = (at: Instant | null): string | null => (at === null ? null : toRiyadhIso(at));

/** Without its link: the audit log keeps its entries forever. */
export function paymentRecord(row: OperatorPaymentRow) {
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

export type LinkDeps = { sealer: Sealer; logger: Pick<Logger, 'error'> };

/** A payment as the operator sees it, with its link while that can be opened. */
export function paymentView(deps: LinkDeps, row: OperatorPaymentRow) {
  return { ...paymentRecord(row), linkUrl: linkOf(deps, row) };
}

/** A link that cannot be opened is not shown; everything else about its payment is. */
function linkOf({ sealer, logger }: LinkDeps, row: OperatorPaymentRow): string | null {
  if (row.link_url === null) return null;
  try {
    return openLink(sealer, row.id, row.link_url);
  } catch (error) {
    logger.error({ err: error, paymentId: row.id }, 'a payment link cannot be shown');
    return null;
  }
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
export function bookingPaymentView(deps: LinkDeps, row: OperatorPaymentRow | undefined) {
  if (row === undefined) return null;
  const { id, status, linkUrl, gateway, gatewayReference, paidAt, failureReason, refund } = paymentView(
    deps,
    row,
  );
  return { id, status, linkUrl, gateway, gatewayReference, paidAt, failureReason, refund };
}
