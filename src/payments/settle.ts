import type { Instant } from '../base/clock.ts';
import { toHalalas, toSar } from '../base/money.ts';
import type { LockedBooking } from '../bookings/change-queries.ts';
import { customerPaid, lockForPayment, paymentFailed } from '../bookings/payment.ts';
import type { Db, Tx } from '../db/connection.ts';
import type { GatewayStatus } from './gateway.ts';
import { lockPayment, type PaymentRow } from './queries.ts';
import {
  type Charge,
  type FailureReason,
  goesBack,
  type LinkTrigger,
  leftOf,
  linkAfter,
  type Money,
  moneyOf,
  owedFor,
  refundAfter,
  type Share,
} from './rules.ts';
import {
  type Ending,
  endingOf,
  listCharges,
  markLinkClosed,
  saveCharges,
  saveEnding,
} from './step-queries.ts';

/** Who is behind what happens to payments by themselves, in histories. */
const ACTOR = 'payments';
/** Who gave money back that nobody here has asked for. */
const AT_GATEWAY = 'gateway';

/**
 * Applies the status of a link that the gateway returned; applying it twice changes nothing more. A payment counts only
 * if the gateway returned it, never because of a notification. Whatever was charged beyond what is owed goes back: by the
 * worker, which is due then. `ended`: why a booking fails whose link is over without money. Throws when the link is not saved
 * yet: the worker is about to save it.
 */
export async function applyStatus(
  db: Db,
  now: Instant,
  payment: { id: string; booking_id: string },
  { state, payments }: GatewayStatus,
  ended: FailureReason = 'LINK_EXPIRED',
): Promise<void> {
  if (state === 'open' && payments.length === 0) return;
  await db.transaction(async (tx) => {
    const booking = await lockForPayment(tx, payment.booking_id);
    const row = (await lockPayment(tx, payment.id))!;
    await saveCharges(tx, now, row.id, payments, wasGivenBackByHand(row, await listCharges(tx, row.id)));
    const charges = await listCharges(tx, row.id);
    if (row.status === 'CREATED' && charges.some((charge) => leftOf(charge) > 0))
      throw new Error('a payment was paid whose link is not saved');
    const link = await settleLink(tx, now, booking, row, charges, state, ended);
    if (state !== 'open') await markLinkClosed(tx, now, row.id);
    await saveChanges(tx, now, row, { ...refundOf(now, row, link.status, charges), ...link });
  }, payment.booking_id);
}

/** By a version that kept no rows of the payments. */
function wasGivenBackByHand({ refund_status, refunded_by }: PaymentRow, known: readonly Charge[]): boolean {
  return known.length === 0 && refund_status === 'DONE' && refunded_by !== ACTOR;
}

type LinkEnd = Pick<Ending, 'status' | 'failureReason'>;

/** What becomes of the link, and of the booking with it, or neither. Both must be locked. */
async function settleLink(
  tx: Tx,
  now: Instant,
  booking: LockedBooking,
  row: PaymentRow,
  charges: readonly Charge[],
  state: GatewayStatus['state'],
  ended: FailureReason,
): Promise<LinkEnd> {
  const settled = linkAfter('customerPaid', row.status);
  const isPaid = moneyOf(charges).kept >= toHalalas(row.amount);
  if (isPaid) {
    if (settled !== null && (await customerPaid(tx, now, booking)))
      return { status: settled, failureReason: null };
    return { status: row.status, failureReason: row.failure_reason };
  }
  if (charges.some((charge) => leftOf(charge) > 0))
    return endLink(tx, now, booking, row, 'failed', 'AMOUNT_MISMATCH');
  if (state === 'open') return { status: row.status, failureReason: row.failure_reason };
  // Paid and given back before anybody looked.
  const hadMoney = charges.some(({ charged }) => toHalalas(charged) > 0);
  return state === 'failed' || hadMoney
    ? endLink(tx, now, booking, row, 'failed', 'PAYMENT_FAILED')
    : endLink(tx, now, booking, row, ended === 'LINK_EXPIRED' ? 'expired' : 'failed', ended);
}

/** Ends a payment that can no longer succeed, and its booking with it. Does nothing when it has ended already. */
export async function failPayment(
  db: Db,
  now: Instant,
  payment: { id: string; booking_id: string },
  reason: FailureReason,
): Promise<void> {
  await db.transaction(async (tx) => {
    const booking = await lockForPayment(tx, payment.booking_id);
    const row = (await lockPayment(tx, payment.id))!;
    const trigger = reason === 'LINK_EXPIRED' ? 'expired' : 'failed';
    await saveChanges(tx, now, row, {
      ...endingOf(row),
      ...(await endLink(tx, now, booking, row, trigger, reason)),
    });
  }, payment.booking_id);
}

async function endLink(
  tx: Tx,
  now: Instant,
  booking: LockedBooking,
  row: PaymentRow,
  trigger: LinkTrigger,
  reason: FailureReason,
): Promise<LinkEnd> {
  const status = linkAfter(trigger, row.status);
  if (status === null || !(await paymentFailed(tx, now, booking, { reason, by: ACTOR })))
    return { status: row.status, failureReason: row.failure_reason };
  return { status, failureReason: reason };
}

/** What is still to go back of a payment that is locked, by what was last heard of its link. */
export function stillGoesBack(
  row: Pick<PaymentRow, 'amount' | 'booking_status' | 'refund_to_decide' | 'kept_amount'>,
  charges: readonly Charge[],
): Share[] {
  return goesBack(charges, owedFor(row));
}

/** The money of the payment and its refund, now that its link is in that status. */
function refundOf(
  now: Instant,
  row: PaymentRow,
  link: PaymentRow['status'],
  charges: readonly (Charge & { charged_at: Instant })[],
): Ending {
  const money = moneyOf(charges);
  const before = endingOf(row);
  const first = charges.find(({ charged }) => toHalalas(charged) > 0);
  if (first === undefined) return before;
  const known = {
    ...before,
    paidAt: row.paid_at ?? first.charged_at,
    paidAmount: toSar(money.charged),
    refundedAmount: toSar(money.returned),
    // Given back at the gateway meanwhile: nothing is left to decide on.
    refundToDecide: row.refund_to_decide && money.kept > 0,
  };
  // It has failed with this look.
  const hasFailed = link !== row.status && link !== 'PAID';
  const booking = { ...row, refund_to_decide: known.refundToDecide };
  const shares = stillGoesBack(hasFailed ? { ...booking, booking_status: 'failed' } : booking, charges);
  return shares.length > 0
    ? { ...known, ...askedRefund(before, money, shares, charges) }
    : { ...known, ...goneRefund(now, before, money, charges) };
}

/** More is to go back. What was given up is tried again only when it is more than it was. */
function askedRefund(
  before: Ending,
  money: Money,
  shares: readonly Share[],
  charges: readonly Charge[],
): Partial<Ending> {
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

/** All has gone back that had to, if anything had. */
function goneRefund(
  now: Instant,
  before: Ending,
  { returned }: Money,
  charges: readonly Charge[],
): Partial<Ending> {
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

/** Nothing is written, and the worker is not due, when nothing has changed. */
async function saveChanges(tx: Tx, now: Instant, row: PaymentRow, after: Ending): Promise<void> {
  const before = endingOf(row);
  const changed = (Object.keys(before) as (keyof Ending)[]).some((field) => before[field] !== after[field]);
  if (changed) await saveEnding(tx, now, row.id, after);
}
