import type { Instant } from '../base/clock.ts';
import { toHalalas, toSar } from '../base/money.ts';
import type { LockedBooking } from '../bookings/change-queries.ts';
import { saveFees } from '../bookings/fee-changes.ts';
import { ledgerOf } from '../bookings/fees.ts';
import { bookingRefunded, customerPaid, lockForPayment, paymentFailed } from '../bookings/payment.ts';
import { type BookingPayment, refundedOf } from '../bookings/refund.ts';
import type { FailureReason } from '../bookings/rules.ts';
import type { Db, Tx } from '../db/connection.ts';
import { isSettled, withTotal } from '../policies/ledger.ts';
import type { GatewayStatus } from './gateway.ts';
import { lockPayment, type PaymentRow } from './queries.ts';
import {
  amountOwed,
  type Charge,
  type ChargeTotals,
  chargeTotals,
  type LinkTrigger,
  linkAfter,
  refundAfter,
  refundShares,
  remainderOf,
  type Share,
} from './rules.ts';
import {
  listCharges,
  markLinkClosed,
  type Settlement,
  saveCharges,
  saveSettlement,
  settlementOf,
} from './step-queries.ts';

/** The actor of automatic changes of payments in histories. */
const ACTOR = 'payments';
/** The actor of refunds that were made at the gateway itself. */
const AT_GATEWAY = 'gateway';

/**
 * Applies the status of a link that the gateway returned; idempotent. Only payments that the gateway returned count,
 * never a notification. A charge beyond the amount owed becomes a refund, which the worker makes. `ended`: the reason
 * for which a booking fails whose link is over without money. Throws when the link is not saved yet; the worker is
 * about to.
 */
export async function applyStatus(
  db: Db,
  now: Instant,
  payment: { id: string; booking_id: string },
  { state, payments, ended = 'LINK_EXPIRED' }: GatewayStatus & { ended?: FailureReason },
): Promise<void> {
  if (state === 'open' && payments.length === 0) return;
  await db.transaction(async (tx) => {
    const locked = await lockBoth(tx, payment);
    const { row } = locked;
    const isByHand = wasRefundedManually(row, await listCharges(tx, row.id));
    await saveCharges(tx, now, row.id, { payments, isByHand });
    const charges = await listCharges(tx, row.id);
    if (row.status === 'CREATED' && charges.some((charge) => remainderOf(charge) > 0))
      throw new Error('a payment was paid whose link is not saved');
    const money: MoneyAt = (status) => refundOf(now, row, status, charges);
    const link = await settleLink(tx, now, locked, { charges, state, ended, money });
    if (state !== 'open') await markLinkClosed(tx, now, row.id);
    const after = { ...money(link.status), ...link };
    await saveChanges(tx, now, row, after);
    await followReturned(tx, now, locked, { kept: chargeTotals(charges).kept, after });
    if (isRefunded(row, after)) await bookingRefunded(tx, now, row.booking_id, after.refundedBy ?? ACTOR);
  }, payment.booking_id);
}

/** What went back at the gateway, in its dashboard or by a chargeback, is not kept any more. */
async function followReturned(
  tx: Tx,
  now: Instant,
  { booking, row }: Locked,
  { kept, after }: { kept: number; after: Settlement },
): Promise<void> {
  const fees = ledgerOf(booking);
  const isGone = row.refund_to_decide && !after.refundToDecide;
  const isLess = isSettled(fees) && row.kept_amount !== null && kept < toHalalas(row.kept_amount);
  if (!isGone && !isLess) return;
  const entry = { action: isGone ? ('decide' as const) : ('gateway' as const), at: now, by: AT_GATEWAY };
  await saveFees(tx, now, booking, { fees: withTotal(fees, kept, entry), cause: 'GATEWAY', by: AT_GATEWAY });
}

/** Whether the payment was refunded manually by a version that kept no rows of payments. */
function wasRefundedManually({ refund_status, refunded_by }: PaymentRow, known: readonly Charge[]): boolean {
  return known.length === 0 && refund_status === 'DONE' && refunded_by !== ACTOR;
}

type Locked = { booking: LockedBooking; row: PaymentRow };

/** The booking first, then the payment: everywhere in this order. */
async function lockBoth(tx: Tx, payment: { id: string; booking_id: string }): Promise<Locked> {
  const booking = await lockForPayment(tx, payment.booking_id);
  return { booking, row: (await lockPayment(tx, payment.id))! };
}

const triggerOf = (reason: FailureReason): LinkTrigger => (reason === 'LINK_EXPIRED' ? 'expired' : 'failed');

type LinkEnd = Pick<Settlement, 'status' | 'failureReason'>;

/** The money of the payment when its link gets the status. */
type MoneyAt = (status: PaymentRow['status']) => Settlement;

/** The payment as its booking shows it when the link has ended. */
function shownPayment(row: PaymentRow, after: Settlement): BookingPayment {
  return {
    id: row.id,
    link: null,
    expires_at: row.expires_at,
    is_open: false,
    paid_amount: after.paidAmount,
    refunded_amount: after.refundedAmount,
    refund_status: after.refundStatus,
    refund_amount: after.refundAmount,
    refund_to_decide: after.refundToDecide,
    kept_amount: row.kept_amount,
  };
}

/** Ends the link and its booking, both or neither, and returns the link's end. */
async function settleLink(
  tx: Tx,
  now: Instant,
  locked: Locked,
  {
    charges,
    state,
    ended,
    money,
  }: { charges: readonly Charge[]; ended: FailureReason; money: MoneyAt } & Pick<GatewayStatus, 'state'>,
): Promise<LinkEnd> {
  const { booking, row } = locked;
  const settled = linkAfter('customerPaid', row.status);
  const isPaid = chargeTotals(charges).kept >= toHalalas(row.amount);
  if (isPaid) {
    if (settled !== null && (await customerPaid(tx, now, booking, shownPayment(row, money(settled)))))
      return { status: settled, failureReason: null };
    return { status: row.status, failureReason: row.failure_reason };
  }
  if (charges.some((charge) => remainderOf(charge) > 0))
    return endLink(tx, now, locked, { trigger: 'failed', reason: 'AMOUNT_MISMATCH', money });
  if (state === 'open') return { status: row.status, failureReason: row.failure_reason };
  // Paid and refunded between two polls.
  const hadMoney = charges.some(({ charged }) => toHalalas(charged) > 0);
  return state === 'failed' || hadMoney
    ? endLink(tx, now, locked, { trigger: 'failed', reason: 'PAYMENT_FAILED', money })
    : endLink(tx, now, locked, { trigger: triggerOf(ended), reason: ended, money });
}

/** Ends a payment that can no longer succeed, and its booking with it. Does nothing when it has ended already. */
export async function failPayment(
  db: Db,
  now: Instant,
  payment: { id: string; booking_id: string },
  reason: FailureReason,
): Promise<void> {
  await db.transaction(async (tx) => {
    const locked = await lockBoth(tx, payment);
    const { row } = locked;
    const money = () => settlementOf(row);
    const end = await endLink(tx, now, locked, { trigger: triggerOf(reason), reason, money });
    await saveChanges(tx, now, row, { ...settlementOf(row), ...end });
  }, payment.booking_id);
}

async function endLink(
  tx: Tx,
  now: Instant,
  { booking, row }: Locked,
  { trigger, reason, money }: { trigger: LinkTrigger; reason: FailureReason; money: MoneyAt },
): Promise<LinkEnd> {
  const before = { status: row.status, failureReason: row.failure_reason };
  const status = linkAfter(trigger, row.status);
  if (status === null) return before;
  const payment = shownPayment(row, money(status));
  return (await paymentFailed(tx, now, booking, { reason, by: ACTOR, payment }))
    ? { status, failureReason: reason }
    : before;
}

/** The shares still to be refunded, by the last known charges. The payment must be locked. */
export function pendingRefunds(
  row: Pick<PaymentRow, 'amount' | 'booking_status' | 'refund_to_decide' | 'kept_amount'>,
  charges: readonly Charge[],
): Share[] {
  return refundShares(charges, amountOwed(row));
}

/** The money of the payment and its refund when its link gets the status `link`. */
function refundOf(
  now: Instant,
  row: PaymentRow,
  link: PaymentRow['status'],
  charges: readonly (Charge & { charged_at: Instant })[],
): Settlement {
  const money = chargeTotals(charges);
  const before = settlementOf(row);
  const first = charges.find(({ charged }) => toHalalas(charged) > 0);
  if (first === undefined) return before;
  const known = {
    ...before,
    paidAt: row.paid_at ?? first.charged_at,
    paidAmount: toSar(money.charged),
    refundedAmount: toSar(money.returned),
    // Without a decision when it was refunded at the gateway meanwhile.
    refundToDecide: row.refund_to_decide && money.kept > 0,
  };
  const hasFailed = link !== row.status && link !== 'PAID';
  const booking = { ...row, refund_to_decide: known.refundToDecide };
  const shares = pendingRefunds(hasFailed ? { ...booking, booking_status: 'failed' } : booking, charges);
  return shares.length > 0
    ? { ...known, ...requestedRefund(before, money, shares, charges) }
    : { ...known, ...completedRefund(now, before, money, charges) };
}

/** Requests a refund of the shares. A failed refund is requested again only with a larger amount. */
function requestedRefund(
  before: Settlement,
  money: ChargeTotals,
  shares: readonly Share[],
  charges: readonly Charge[],
): Partial<Settlement> {
  const isSar = new Set(
    charges.filter(({ currency }) => currency === 'SAR').map((charge) => charge.reference),
  );
  const missing = shares.reduce((sum, { reference, share }) => sum + (isSar.has(reference) ? share : 0), 0);
  const inAll = money.returned + missing;
  const isKnown =
    before.refundStatus === 'FAILED' && inAll <= toHalalas(before.refundAmount ?? before.paidAmount ?? '0');
  const status = isKnown ? null : refundAfter('asked', before.refundStatus);
  if (status === null) return before.refundStatus === 'PENDING' ? { refundAmount: toSar(inAll) } : {};
  return {
    refundStatus: status,
    refundAmount: toSar(inAll),
    refundReference: null,
    refundError: null,
    refundedAt: null,
    refundedBy: null,
  };
}

/** The refund when nothing is left to refund. */
function completedRefund(
  now: Instant,
  before: Settlement,
  { returned }: ChargeTotals,
  charges: readonly Charge[],
): Partial<Settlement> {
  const last = charges.findLast(({ refunded, by_hand }) => toHalalas(refunded) + toHalalas(by_hand) > 0);
  const status = last === undefined ? null : refundAfter('gone', before.refundStatus);
  if (last === undefined || status === null) return {};
  return {
    refundStatus: status,
    refundAmount: toSar(returned),
    refundReference: last.reference,
    refundError: null,
    refundedAt: now,
    refundedBy: before.refundStatus === 'PENDING' ? ACTOR : AT_GATEWAY,
  };
}

/** Whether this refunds something, and nothing is left to refund. */
function isRefunded(before: PaymentRow, after: Settlement): boolean {
  if (after.refundStatus !== 'DONE') return false;
  return (
    before.refund_status !== 'DONE' || toHalalas(after.refundedAmount ?? '0') > toHalalas(refundedOf(before))
  );
}

/** Without a difference nothing is written, and the payment does not become due. */
async function saveChanges(tx: Tx, now: Instant, row: PaymentRow, after: Settlement): Promise<void> {
  const before = settlementOf(row);
  const changed = (Object.keys(before) as (keyof Settlement)[]).some(
    (field) => before[field] !== after[field],
  );
  if (changed) await saveSettlement(tx, now, row.id, after);
}
