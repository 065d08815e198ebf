import { type Instant, timeOf } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { toSar } from '../base/money.ts';
import { plainLine } from '../base/text.ts';
import { openLink } from '../bookings/payment-links.ts';
import type { FailureReason } from '../bookings/rules.ts';
import type { Db } from '../db/connection.ts';
import type { Sealer } from '../db/sealing.ts';
import type { Logger } from '../runtime/logger.ts';
import { type Gateway, GatewayError, type GatewayLink, type GatewayStatus } from './gateway.ts';
import { sealLink } from './links.ts';
import { paymentLinkMessage } from './messages.ts';
import { type Notifier, NotifierError } from './notifier.ts';
import { findPayment, type PaymentRow } from './queries.ts';
import { endOfLink, FOLLOW_UP, nextDueAt, nextStep, type Share, STEP_RETRY_AFTER } from './rules.ts';
import { applyStatus, failPayment, pendingRefunds } from './settle.ts';
import {
  clearResend,
  delaySending,
  failRefund,
  holdsRefund,
  listCharges,
  markLinkClosed,
  markPolled,
  markSent,
  saveLink,
} from './step-queries.ts';

export type StepDeps = {
  db: Db;
  sealer: Sealer;
  logger: Logger;
  /** The gateway of new links, and those of existing links by name. */
  gateways: { current(): Gateway; named(name: string): Gateway };
  notifier: Notifier;
};

/** The due time of the next step (null: none unless the payment changes), and whether this step is done. */
export type Outcome = { dueAt: Instant | null; done: boolean };

/**
 * Takes the due step of a claimed payment. Network calls are outside transactions and may be repeated after a crash: an
 * existing link or refund is searched first.
 */
export async function takeStep(deps: StepDeps, now: Instant, payment: PaymentRow): Promise<Outcome> {
  switch (nextStep(payment, now)) {
    case 'create-link':
      return createLink(deps, now, payment);
    case 'send':
      return sendLink(deps, now, payment);
    case 'poll':
      return poll(deps, now, payment);
    case 'expire':
      return expire(deps, now, payment);
    case 'close':
      return close(deps, now, payment);
    case 'refund':
      return refund(deps, now, payment);
    case null:
      return { dueAt: nextDueAt(payment), done: true };
  }
}

async function createLink(deps: StepDeps, now: Instant, payment: PaymentRow) {
  const { logger, gateways } = deps;
  try {
    const gateway = gateways.current();
    const link = await gateway.createLink({
      paymentId: payment.id,
      bookingId: payment.booking_id,
      amount: payment.amount,
      description: descriptionOf(payment),
      // Not the start of the appointment, which may still change: the worker closes the link then.
      expiresAt: payment.expires_at,
      mayExist: payment.link_asks > 1,
    });
    await saveSealed(deps, now, payment, { gateway, link });
    return { dueAt: now, done: true };
  } catch (error) {
    const again = retryAt(error, now, payment.tries);
    logFailure(logger, error, payment, 'the payment link could not be made');
    if (again === null) await endLink(deps, now, payment, 'LINK_NOT_CREATED');
    return { dueAt: again ?? now, done: again === null };
  }
}

/** The text on the gateway's page: the partner, and the service in both languages. */
function descriptionOf(payment: PaymentRow): string {
  const { partner_name, service_name_ar, service_name, appointment_name } = payment;
  const texts = [partner_name, service_name_ar ?? service_name, service_name, appointment_name];
  return [...new Set(texts.map(plainLine))].join(' | ');
}

async function sendLink(deps: StepDeps, now: Instant, payment: PaymentRow): Promise<Outcome> {
  const { db, sealer, logger, notifier } = deps;
  const url = openLink(sealer, payment.id, payment.link_url!);
  const language = payment.contact_language ?? 'both';
  const { id, send_tries, resend_asked_at: askedAt } = payment;
  try {
    await notifier.send({
      // Receivers drop an id that they have had: one that the operator asks for is another message.
      id: askedAt === null ? id : newId(askedAt, id),
      to: payment.contact_phone!,
      language,
      kind: 'PAYMENT_LINK',
      url,
      text: paymentLinkMessage({
        language,
        partnerName: payment.partner_name,
        serviceName: { en: payment.service_name, ar: payment.service_name_ar },
        date: payment.service_date,
        time: timeOf(payment.starts_at),
        amount: payment.amount,
        url,
        expiresAt: endOfLink(payment),
        againAt: askedAt,
      }),
    });
  } catch (error) {
    const again = retryAt(error, now, send_tries + 1);
    logFailure(logger, error, payment, 'the payment link could not be sent');
    if (again !== null) {
      await delaySending(db, payment, { dueAt: again, tries: send_tries + 1 });
      return { dueAt: nextDueAt({ ...payment, send_due_at: again }), done: true };
    }
    // A link that was sent before can still be paid.
    if (payment.sent_at === null) await endLink(deps, now, payment, 'LINK_NOT_SENT');
    else await clearResend(db, payment);
    return { dueAt: now, done: true };
  }
  if (notifier.name === 'none') {
    // The partner passes on the link of its booking: it waits for no message, and is never marked as sent.
    const { expires_at: dueAt } = payment;
    await delaySending(db, payment, { dueAt, tries: 0 });
    return { dueAt: nextDueAt({ ...payment, send_due_at: dueAt }), done: true };
  }
  await markSent(db, now, payment);
  return { dueAt: nextDueAt({ ...payment, sent_at: now, resend_asked_at: null }), done: true };
}

async function poll(deps: StepDeps, now: Instant, payment: PaymentRow): Promise<Outcome> {
  const { notified_at } = payment;
  try {
    await pollStatus(deps, now, payment);
    return { dueAt: nextDueAt({ ...payment, looked_at: now, notified_at: null }), done: true };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // Notifications and later polls follow, at the latest at the end of the link.
    logFailure(deps.logger, error, payment, 'the gateway could not be asked about a payment');
    await markPolled(deps.db, now, payment, false);
    return { dueAt: nextDueAt({ ...payment, looked_at: now, notified_at }), done: true };
  }
}

/** Reads the link's status at the gateway and applies it. */
async function pollStatus(deps: StepDeps, now: Instant, payment: PaymentRow): Promise<void> {
  const status = await gatewayOf(deps, payment).readStatus(payment.gateway_reference!);
  await applyStatus(deps.db, now, payment, ownStatus(payment, status));
  await markPolled(deps.db, now, payment, true);
}

/** An expired link releases the slot, also when the gateway does not respond. */
async function expire(deps: StepDeps, now: Instant, payment: PaymentRow): Promise<Outcome> {
  await endLink(deps, now, payment, 'LINK_EXPIRED');
  return { dueAt: now, done: true };
}

/** Reads the gateway's status once more before the payment fails: a payment that was made counts. */
async function endLink(
  deps: StepDeps,
  now: Instant,
  payment: PaymentRow,
  reason: FailureReason,
): Promise<void> {
  const closed = await tryToClose(deps, now, payment);
  if (closed !== null) await applyStatus(deps.db, now, payment, { ...closed, ended: reason });
  // Without effect when it was paid or has ended already.
  await failPayment(deps.db, now, payment, reason);
}

/** Closes the link of a booking that is paid or no longer waits, and requests refunds of what is not owed. */
async function close(deps: StepDeps, now: Instant, payment: PaymentRow): Promise<Outcome> {
  const closed = await tryToClose(deps, now, payment);
  if (closed !== null) {
    await applyStatus(deps.db, now, payment, closed);
    await markPolled(deps.db, now, payment, true);
    const link_closed_at = payment.link_closed_at ?? (closed.state === 'open' ? null : now);
    if (link_closed_at !== null)
      return { dueAt: nextDueAt({ ...payment, link_closed_at, looked_at: now }), done: true };
  }
  const again = now + backoff(payment.tries);
  const until = endOfTries(payment, now);
  if (again < until) return { dueAt: again, done: false };
  await markPolled(deps.db, now, payment, false);
  return { dueAt: nextDueAt({ ...payment, looked_at: now }), done: true };
}

/**
 * The end of the tries to poll a link that has ended. Without a notification it is one of several polls, with few
 * tries.
 */
function endOfTries({ link_closed_at, expires_at, notified_at, tries }: PaymentRow, now: Instant): Instant {
  if (link_closed_at === null) return expires_at + FOLLOW_UP;
  if (notified_at !== null) return notified_at + FOLLOW_UP;
  return tries <= STEP_RETRY_AFTER.length ? Number.POSITIVE_INFINITY : now;
}

/**
 * Refunds what is not owed. Reads the gateway's status before, so that nothing is refunded twice, and after, so that
 * only completed refunds count.
 */
async function refund(deps: StepDeps, now: Instant, payment: PaymentRow): Promise<Outcome> {
  const { db, logger } = deps;
  let asked = payment.refund_amount;
  try {
    await pollStatus(deps, now, payment);
    // The claim may have expired during a pause of this process, and the operator may have made the refund manually.
    if (!(await holdsRefund(db, payment))) return { dueAt: now, done: true };
    const row = (await findPayment(db, payment.id))!;
    asked = row.refund_amount;
    const shares = pendingRefunds(row, await listCharges(db, payment.id));
    if (shares.length === 0) throw new GatewayError('nothing was paid, so nothing can be given back', false);
    await refundAll(deps, payment, shares);
    const { refund_status, refunded_by } = (await findPayment(db, payment.id))!;
    if (refund_status === 'DONE' && refunded_by !== 'payments')
      logger.error({ paymentId: payment.id }, 'a refund was made that had already been settled manually');
    await pollStatus(deps, now, payment);
    return { dueAt: now, done: true };
  } catch (error) {
    // Much longer than for a link: it is the customer's money.
    const again = retryAt(error, now, payment.tries, payment.updated_at + FOLLOW_UP);
    logFailure(logger, error, payment, 'a refund could not be made');
    if (again === null)
      await failRefund(db, now, { ...payment, refund_amount: asked }, (error as Error).message);
    return { dueAt: again ?? now, done: again === null };
  }
}

/** Refunds every payment, also after a refusal. Throws the last refusal, a temporary one if there is any. */
async function refundAll(deps: StepDeps, payment: PaymentRow, shares: readonly Share[]): Promise<void> {
  const gateway = gatewayOf(deps, payment);
  let refusal: unknown = null;
  for (const { reference, inAll } of shares) {
    try {
      await gateway.refund(payment.gateway_reference!, reference, toSar(inAll));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (!isRefusal(refusal) || error.temporary) refusal = error;
    }
  }
  if (refusal !== null) throw refusal;
}

/**
 * Closes the link at the gateway and returns its status there; null when the gateway does not respond. After a creation
 * without a response the link is searched first.
 */
async function tryToClose(deps: StepDeps, now: Instant, payment: PaymentRow): Promise<GatewayStatus | null> {
  try {
    const gateway = gatewayOf(deps, payment);
    let reference = payment.gateway_reference;
    if (reference === null) {
      const link = payment.link_asks > 0 ? await gateway.findLink(payment.id) : null;
      if (link === null) {
        await markLinkClosed(deps.db, now, payment.id);
        return NEVER_MADE;
      }
      await saveSealed(deps, now, payment, { gateway, link });
      reference = link.reference;
    }
    const before = ownStatus(payment, await gateway.readStatus(reference));
    if (before.state !== 'open') return before;
    await gateway.closeLink(reference);
    return ownStatus(payment, await gateway.readStatus(reference));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    logFailure(deps.logger, error, payment, 'a payment link could not be closed');
    return null;
  }
}

function saveSealed(
  { db, sealer }: StepDeps,
  now: Instant,
  payment: PaymentRow,
  { gateway, link }: { gateway: Gateway; link: GatewayLink },
): Promise<boolean> {
  const url = sealLink(sealer, payment.id, link.url);
  return saveLink(db, now, payment, { gateway: gateway.name, reference: link.reference, url });
}

const NEVER_MADE: GatewayStatus = { reference: '', paymentId: null, state: 'closed', payments: [] };

function gatewayOf({ gateways }: StepDeps, payment: PaymentRow): Gateway {
  return payment.gateway === null ? gateways.current() : gateways.named(payment.gateway);
}

/** Throws GatewayError when the response is about another payment. */
function ownStatus(payment: PaymentRow, status: GatewayStatus): GatewayStatus {
  if (status.paymentId === null || status.paymentId === payment.id) return status;
  throw new GatewayError('the gateway answered with another payment', true);
}

function backoff(tries: number): number {
  return STEP_RETRY_AFTER[Math.min(Math.max(tries, 1), STEP_RETRY_AFTER.length) - 1]!;
}

/**
 * The time of the next try after this error, as many as STEP_RETRY_AFTER has and until `longer`; null: failed for good.
 * Rethrows internal errors.
 */
function retryAt(error: unknown, now: Instant, tries: number, longer = now): Instant | null {
  if (!isRefusal(error)) throw error;
  const mayRetry = tries <= STEP_RETRY_AFTER.length || now < longer;
  return error.temporary && mayRetry ? now + backoff(tries) : null;
}

function isRefusal(error: unknown): error is GatewayError | NotifierError {
  return error instanceof GatewayError || error instanceof NotifierError;
}

function logFailure(logger: Logger, error: unknown, payment: PaymentRow, what: string): void {
  logger.warn({ err: error, paymentId: payment.id, tries: payment.tries }, what);
}
