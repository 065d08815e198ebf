import { riyadhIsoOrNull, toRiyadhIso } from '../base/clock.ts';
import { openLink } from '../bookings/payment-links.ts';
import { keptOf, refundedOf, refundOf } from '../bookings/refund.ts';
import { BEGUN } from '../bookings/rules.ts';
import type { Sealer } from '../db/sealing.ts';
import { viewBy } from '../http/fields.ts';
import type { Logger } from '../runtime/logger.ts';
import type { OperatorPaymentRow } from './operator-queries.ts';
import { PaymentOfBooking, RecordedPayment } from './operator-schema.ts';
import { endOfLink, isLate, needsSending } from './rules.ts';

/** Payments by link in the operator's interface and the audit log. */

/** Without its link: the audit log keeps its entries forever. */
export function paymentRecord(row: OperatorPaymentRow) {
  return viewBy(RecordedPayment, row, {
    expiresAt: toRiyadhIso(endOfLink(row)),
    refundedAmount: Number(refundedOf(row)),
    keptAmount: keptAmountOf(row),
    payments: row.charges.map(chargeView),
    late: isLate(row),
    refund: refundView(row),
    refundDecision: decisionView(row),
    refundOnCancel: refundOnCancel(row),
    tries: row.status === 'OPEN' && needsSending(row) ? row.send_tries : row.tries,
  });
}

export type LinkDeps = { sealer: Sealer; logger: Pick<Logger, 'error'> };

/** A payment in the operator's interface, with its link. */
export function paymentView(deps: LinkDeps, row: OperatorPaymentRow) {
  return { ...paymentRecord(row), linkUrl: linkOf(deps, row) };
}

/** null: there is no link, or it cannot be opened. */
function linkOf({ sealer, logger }: LinkDeps, row: OperatorPaymentRow): string | null {
  if (row.link_url === null) return null;
  try {
    return openLink(sealer, row.id, row.link_url);
  } catch (error) {
    logger.error({ err: error, paymentId: row.id }, 'a payment link cannot be shown');
    return null;
  }
}

const keptAmountOf = (row: OperatorPaymentRow): number => keptOf(row) / 100;

function chargeView({ at, by_hand, charged, ...charge }: OperatorPaymentRow['charges'][number]) {
  return {
    ...charge,
    charged,
    refundedByHand: by_hand,
    at: toRiyadhIso(Date.parse(at)),
  };
}

/** The amount is the whole refund, made or to be made, or the one that can be decided on. */
function refundView(row: OperatorPaymentRow) {
  const refund = refundOf(row, row.amount);
  if (refund === null) return null;
  return {
    ...refund,
    reference: row.refund_reference,
    error: row.refund_error,
    refundedAt: riyadhIsoOrNull(row.refunded_at),
    by: row.refunded_by,
  };
}

function decisionView(row: OperatorPaymentRow) {
  const { kept_amount: kept, decision_reason: reason, decided_by: by, decided_at: at } = row;
  if (kept === null || reason === null || by === null || at === null) return null;
  return { keptAmount: Number(kept), reason, by, at: toRiyadhIso(at) };
}

/** The effect of a cancellation now on the customer's money; null: the booking has ended, or nothing was paid. */
function refundOnCancel(row: OperatorPaymentRow) {
  const kept = keptOf(row);
  if (row.booking_status === 'canceled' || row.booking_status === 'failed' || kept <= 0) return null;
  return {
    amount: kept / 100,
    to: 'CUSTOMER' as const,
    by: hasBegun(row) ? ('OPERATOR' as const) : ('SERVICE' as const),
  };
}

/** The condition of the trigger cancel_payment. */
function hasBegun({ began_at, appointment_status }: OperatorPaymentRow): boolean {
  return began_at !== null || BEGUN.includes(appointment_status);
}

/** The payment in the details of its booking. */
export function bookingPaymentView(deps: LinkDeps, row: OperatorPaymentRow | undefined) {
  if (row === undefined) return null;
  return viewBy(PaymentOfBooking, row, paymentView(deps, row));
}
