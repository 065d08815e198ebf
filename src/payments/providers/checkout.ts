import { dateOf, type Instant, timeOf } from '../../base/clock.ts';
import type { Db } from '../../db/connection.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Gateway } from '../gateway.ts';
import { endOfLink } from '../rules.ts';
import { applyStatus } from '../settle.ts';
import { markNotified } from '../step-queries.ts';
import type { CheckoutView } from './checkout-page.ts';
import { isToken } from './checkout-tokens.ts';
import { type CheckoutPageRow, declineCheckout, endCheckout, findCheckoutPage } from './sandbox-queries.ts';

/** The outcomes of the page's buttons: paid, one attempt declined, failed permanently. */
export const OUTCOMES = ['paid', 'declined', 'failed'] as const;
export type CheckoutOutcome = (typeof OUTCOMES)[number];

async function findPage(db: Db, token: string): Promise<CheckoutPageRow | null> {
  return isToken(token) ? findCheckoutPage(db, token) : null;
}

/** The view of a link of the sandbox gateway. */
export async function viewCheckout(db: Db, now: Instant, token: string): Promise<CheckoutView> {
  const row = await findPage(db, token);
  return row === null ? { state: 'unknown' } : checkoutView(row, now, false);
}

/**
 * Applies a button of the page to an open link; without effect on others. The booking changes at once, or by the worker
 * when this process dies before that. Returns the view after it.
 */
export async function useCheckout(
  { db, gateway, logger }: { db: Db; gateway: Gateway; logger: Logger },
  now: Instant,
  token: string,
  outcome: CheckoutOutcome,
): Promise<CheckoutView> {
  const before = await findPage(db, token);
  if (before === null) return { state: 'unknown' };
  if (checkoutView(before, now, false).state !== 'open') return checkoutView(before, now, false);

  const payment = { id: before.payment_id, booking_id: before.booking_id };
  let declined = false;
  if (outcome === 'declined') {
    declined = await declineCheckout(db, now, token);
  } else if (await endCheckout(db, now, token, outcome)) {
    await markNotified(db, now, gateway.name, { reference: before.reference, paymentId: payment.id });
    await gateway
      .readStatus(before.reference)
      .then((status) => applyStatus(db, now, payment, status))
      .catch((error) => {
        logger.warn({ err: error, paymentId: payment.id }, 'a payment waits for the worker');
      });
  }
  const after = await findPage(db, token);
  return after === null ? { state: 'unknown' } : checkoutView(after, now, declined);
}

function checkoutView(row: CheckoutPageRow, now: Instant, declined: boolean): CheckoutView {
  const shown = {
    partner: row.partner_name,
    service: { en: row.service_name, ar: row.service_name_ar ?? row.service_name },
    date: row.service_date,
    startAt: timeOf(row.starts_at),
    endAt: timeOf(row.ends_at),
    endsAtNextDay: dateOf(row.ends_at) > row.service_date,
    amount: row.amount,
    reference: row.appointment_name,
  };
  if (row.booking_status === 'canceled') return { ...shown, state: 'canceled' };
  // A late payment is refunded, so the page shows the link as expired.
  if (row.payment_status === 'EXPIRED') return { ...shown, state: 'expired' };
  if (row.payment_status === 'FAILED') return { ...shown, state: 'failed' };
  if (row.state === 'paid' || row.state === 'failed') return { ...shown, state: row.state };
  const expiresAt = endOfLink(row);
  if (row.state === 'closed' || now >= expiresAt) return { ...shown, state: 'expired' };
  return { ...shown, state: 'open', expiresAt, declined };
}
