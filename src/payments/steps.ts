import { type Instant, timeOf } from '../clock.ts';
import type { Db } from '../db/connection.ts';
import type { Sealer } from '../db/sealing.ts';
import type { Logger } from '../runtime/logger.ts';
import { type Gateway, GatewayError, type GatewayLink, type GatewayStatus } from './gateway.ts';
import { openLink, sealLink } from './links.ts';
import { paymentLinkMessage } from './messages.ts';
import { type Notifier, NotifierError } from './notifier.ts';
import type { PaymentRow } from './queries.ts';
import {
  endOfLink,
  FOLLOW_UP,
  needsSending,
  nextLatePollAt,
  nextStep,
  pollAfter,
  TRY_AGAIN_AFTER,
} from './rules.ts';
import { applyStatus, failPayment } from './settle.ts';
import {
  clearNotified,
  clearResend,
  holdsRefund,
  markLinkClosed,
  markSent,
  saveLink,
  saveRefund,
} from './step-queries.ts';

export type StepDeps = {
  db: Db;
  sealer: Sealer;
  logger: Logger;
  /** Of new links, and of any that is configured by its name. */
  gateways: { current(): Gateway; named(name: string): Gateway };
  notifier: Notifier;
};

/** When the payment is looked at again (null: never, unless something happens), and whether the step is done. */
export type Outcome = { dueAt: Instant | null; done: boolean };

/**
 * Does the one thing that is due on a payment that this worker has claimed. Network calls are outside transactions
 * and may be repeated after a crash: a link is looked for before it is made again, a refund before it is given again.
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
      return { dueAt: null, done: true };
  }
}

async function createLink(deps: StepDeps, now: Instant, payment: PaymentRow) {
  const { db, logger, gateways } = deps;
  try {
    const gateway = gateways.current();
    const link = await gateway.createLink({
      paymentId: payment.id,
      bookingId: payment.booking_id,
      amount: payment.amount,
      description: descriptionOf(payment),
      // Not the start of the appointment, which may still move: then the worker closes the link.
      expiresAt: payment.expires_at,
      mayExist: payment.link_asks > 1,
    });
    await saveSealed(deps, now, payment, gateway, link);
    return { dueAt: now, done: true };
  } catch (error) {
    const again = retryAt(error, now, payment);
    logFailure(logger, error, payment, 'the payment link could not be made');
    if (again === null) await failPayment(db, now, payment, 'LINK_NOT_CREATED');
    return { dueAt: again ?? now, done: again === null };
  }
}

/** What a customer reads on the gateway's page: whom it comes from, and the service in both languages. */
function descriptionOf(payment: PaymentRow): string {
  const { partner_name, service_name_ar, service_name, appointment_name } = payment;
  return [...new Set([partner_name, service_name_ar ?? service_name, service_name, appointment_name])].join(
    ' | ',
  );
}

async function sendLink({ db, sealer, logger, notifier }: StepDeps, now: Instant, payment: PaymentRow) {
  try {
    await notifier.send({
      id: payment.id,
      to: payment.contact_phone,
      text: paymentLinkMessage({
        language: 'both',
        partnerName: payment.partner_name,
        serviceName: { en: payment.service_name, ar: payment.service_name_ar },
        date: payment.service_date,
        time: timeOf(payment.starts_at),
        amount: payment.amount,
        url: openLink(sealer, payment.id, payment.link_url!),
        expiresAt: endOfLink(payment),
        againAt: payment.resend_asked_at,
      }),
    });
  } catch (error) {
    const again = retryAt(error, now, payment);
    logFailure(logger, error, payment, 'the payment link could not be sent');
    if (again !== null) return { dueAt: again, done: false };
    // A link that the customer has can still be paid.
    if (payment.sent_at === null) await failPayment(db, now, payment, 'LINK_NOT_SENT');
    else await clearResend(db, payment);
    return { dueAt: now, done: true };
  }
  await markSent(db, now, payment);
  return { dueAt: nextPollAt(payment, now), done: true };
}

async function poll(deps: StepDeps, now: Instant, payment: PaymentRow): Promise<Outcome> {
  try {
    const status = await gatewayOf(deps, payment).readStatus(payment.gateway_reference!);
    await clearNotified(deps.db, payment);
    await applyStatus(deps.db, now, payment, ownStatus(payment, status));
    return { dueAt: needsSending(payment) ? now : nextPollAt(payment, now), done: true };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // Notifications and later polls make up for it; the end of the link is what bounds it.
    logFailure(deps.logger, error, payment, 'the gateway could not be asked about a payment');
    return { dueAt: nextPollAt(payment, now), done: true };
  }
}

/** The link has expired: the slot is released now, whether the gateway responds or not. */
async function expire(deps: StepDeps, now: Instant, payment: PaymentRow): Promise<Outcome> {
  const closed = await tryClosing(deps, now, payment);
  if (closed !== null) await applyStatus(deps.db, now, payment, closed);
  if (closed?.state !== 'paid') await failPayment(deps.db, now, payment, 'LINK_EXPIRED');
  return { dueAt: now, done: true };
}

/** The booking waits no longer: nothing may be paid any more, and what has been goes back. */
async function close(deps: StepDeps, now: Instant, payment: PaymentRow): Promise<Outcome> {
  const closed = await tryClosing(deps, now, payment);
  if (closed !== null) await applyStatus(deps.db, now, payment, closed);
  if (closed !== null && closed.state !== 'open')
    return { dueAt: nextLatePollAt(payment.link_closed_at ?? now, now), done: true };
  const again = now + waitAfter(payment);
  return { dueAt: again < payment.expires_at + FOLLOW_UP ? again : null, done: false };
}

async function refund(deps: StepDeps, now: Instant, payment: PaymentRow): Promise<Outcome> {
  // This process may have stood still while its claim ran out and the operator gave the money back by hand.
  if (!(await holdsRefund(deps.db, payment))) return { dueAt: now, done: true };
  try {
    const { refundReference } = await gatewayOf(deps, payment).refund(
      payment.gateway_reference!,
      payment.paid_amount!,
    );
    const saved = await saveRefund(deps.db, now, payment, {
      status: 'DONE',
      reference: refundReference,
      by: 'payments',
    });
    if (!saved)
      deps.logger.error(
        { paymentId: payment.id },
        'a refund was made that had already been settled manually',
      );
    return { dueAt: now, done: true };
  } catch (error) {
    // The customer's money: far longer than for a link, which somebody waits for.
    const again = retryAt(error, now, payment, payment.updated_at + FOLLOW_UP);
    logFailure(deps.logger, error, payment, 'a refund could not be made');
    if (again === null) {
      await saveRefund(deps.db, now, payment, { status: 'FAILED', error: (error as Error).message });
    }
    return { dueAt: again ?? now, done: again === null };
  }
}

/**
 * Closes the link at the gateway and returns its status there; null when the gateway does not respond. A link
 * whose creation got no response is looked for; when there is none, nothing can be paid.
 */
async function tryClosing(deps: StepDeps, now: Instant, payment: PaymentRow): Promise<GatewayStatus | null> {
  try {
    const gateway = gatewayOf(deps, payment);
    let reference = payment.gateway_reference;
    if (reference === null) {
      const link = payment.link_asks > 0 ? await gateway.findLink(payment.id) : null;
      if (link === null) {
        await markLinkClosed(deps.db, now, payment.id);
        return NEVER_MADE;
      }
      await saveSealed(deps, now, payment, gateway, link);
      reference = link.reference;
    }
    const before = await gateway.readStatus(reference);
    if (before.state !== 'open') return ownStatus(payment, before);
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
  gateway: Gateway,
  { reference, url }: GatewayLink,
): Promise<boolean> {
  return saveLink(db, now, payment, gateway.name, { reference, url: sealLink(sealer, payment.id, url) });
}

const NEVER_MADE: GatewayStatus = {
  reference: '',
  paymentId: null,
  state: 'closed',
  paidAmount: null,
  currency: null,
  paidAt: null,
  refundedAmount: '0.00',
};

function gatewayOf({ gateways }: StepDeps, payment: PaymentRow): Gateway {
  return payment.gateway === null ? gateways.current() : gateways.named(payment.gateway);
}

/** Throws when the gateway's response is about another payment: it must not be applied to this one. */
function ownStatus(payment: PaymentRow, status: GatewayStatus): GatewayStatus {
  if (status.paymentId === null || status.paymentId === payment.id) return status;
  throw new GatewayError('the gateway answered with another payment', true);
}

function nextPollAt(payment: PaymentRow, now: Instant): Instant {
  return now + pollAfter(now - payment.created_at);
}

function waitAfter({ tries }: PaymentRow): number {
  return TRY_AGAIN_AFTER[Math.min(Math.max(tries, 1), TRY_AGAIN_AFTER.length) - 1]!;
}

/**
 * When the step is tried again after this error, as often as there are waits and until `longer`; null: it has failed
 * for good. Throws what is a fault of ours.
 */
function retryAt(error: unknown, now: Instant, payment: PaymentRow, longer = now): Instant | null {
  if (!isRefusal(error)) throw error;
  const goesOn = payment.tries <= TRY_AGAIN_AFTER.length || now < longer;
  return error.temporary && goesOn ? now + waitAfter(payment) : null;
}

function isRefusal(error: unknown): error is GatewayError | NotifierError {
  return error instanceof GatewayError || error instanceof NotifierError;
}

function logFailure(logger: Logger, error: unknown, payment: PaymentRow, what: string): void {
  logger.warn({ err: error, paymentId: payment.id, tries: payment.tries }, what);
}
