import { type Instant, timeOf } from '../clock.ts';
import type { Db } from '../platform/db.ts';
import type { Logger } from '../platform/logger.ts';
import { type Gateway, GatewayError, type GatewayStatus } from './gateway.ts';
import { paymentLinkMessage } from './messages.ts';
import { type Notifier, NotifierError } from './notifier.ts';
import {
  clearNotified,
  clearResend,
  holdsRefund,
  markLinkClosed,
  markSent,
  type PaymentRow,
  saveLink,
  saveRefund,
} from './queries.ts';
import {
  endOfLink,
  FOLLOW_UP,
  hasToBeSent,
  nextLateLook,
  nextStep,
  pollAfter,
  TRY_AGAIN_AFTER,
} from './rules.ts';
import { applyStatus, failPayment } from './settle.ts';

export type StepDeps = {
  db: Db;
  logger: Logger;
  /** Of new links, and of any that is configured by its name. */
  gateways: { current: Gateway; named(name: string): Gateway };
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

async function createLink({ db, logger, gateways }: StepDeps, now: Instant, payment: PaymentRow) {
  const gateway = gateways.current;
  try {
    const link = await gateway.createLink({
      paymentId: payment.id,
      bookingId: payment.booking_id,
      amount: payment.amount,
      description: `${payment.service_name}, ${payment.appointment_name}`,
      // Not the start of the appointment, which may still move: then the worker closes the link.
      expiresAt: payment.expires_at,
      mayExist: payment.link_asks > 1,
    });
    await saveLink(db, now, payment, gateway.name, link);
    return { dueAt: now, done: true };
  } catch (error) {
    const again = laterOrNever(error, now, payment);
    say(logger, error, payment, 'the payment link could not be made');
    if (again === null) await failPayment(db, now, payment, 'LINK_NOT_CREATED');
    return { dueAt: again ?? now, done: again === null };
  }
}

async function sendLink({ db, logger, notifier }: StepDeps, now: Instant, payment: PaymentRow) {
  try {
    await notifier.send({
      id: payment.id,
      to: payment.contact_phone,
      text: paymentLinkMessage({
        language: 'both',
        serviceName: payment.service_name,
        date: payment.service_date,
        time: timeOf(payment.starts_at),
        amount: payment.amount,
        url: payment.link_url!,
        expiresAt: endOfLink(payment),
        againAt: payment.resend_asked_at,
      }),
    });
  } catch (error) {
    const again = laterOrNever(error, now, payment);
    say(logger, error, payment, 'the payment link could not be sent');
    if (again !== null) return { dueAt: Math.min(again, endOfLink(payment)), done: false };
    // A link that the customer has can still be paid.
    if (payment.sent_at === null) await failPayment(db, now, payment, 'LINK_NOT_SENT');
    else await clearResend(db, payment);
    return { dueAt: now, done: true };
  }
  await markSent(db, now, payment);
  return { dueAt: nextLook(payment, now), done: true };
}

async function poll(deps: StepDeps, now: Instant, payment: PaymentRow): Promise<Outcome> {
  try {
    const status = await gatewayOf(deps, payment).readStatus(payment.gateway_reference!);
    await clearNotified(deps.db, payment);
    await applyStatus(deps.db, now, payment, ownStatus(payment, status));
    return { dueAt: hasToBeSent(payment) ? now : nextLook(payment, now), done: true };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // Notifications and later polls make up for it; the end of the link is what bounds it.
    say(deps.logger, error, payment, 'the gateway could not be asked about a payment');
    return { dueAt: nextLook(payment, now), done: true };
  }
}

/** The time of the link is up: the slot is given free now, whether the gateway answers or not. */
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
    return { dueAt: nextLateLook(payment.link_closed_at ?? now, now), done: true };
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
      deps.logger.error({ paymentId: payment.id }, 'a refund was made that had been settled otherwise');
    return { dueAt: now, done: true };
  } catch (error) {
    // The customer's money: far longer than for a link, which somebody waits for.
    const again = laterOrNever(error, now, payment, payment.updated_at + FOLLOW_UP);
    say(deps.logger, error, payment, 'a refund could not be made');
    if (again === null) {
      await saveRefund(deps.db, now, payment, { status: 'FAILED', error: (error as Error).message });
    }
    return { dueAt: again ?? now, done: again === null };
  }
}

/**
 * Closes the link at the gateway and answers what the gateway says of it then; null when it does not answer. A link
 * whose making was never answered is looked for; when there is none, nothing can be paid.
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
      await saveLink(deps.db, now, payment, gateway.name, link);
      reference = link.reference;
    }
    const before = await gateway.readStatus(reference);
    if (before.state !== 'open') return ownStatus(payment, before);
    await gateway.closeLink(reference);
    return ownStatus(payment, await gateway.readStatus(reference));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    say(deps.logger, error, payment, 'a payment link could not be closed');
    return null;
  }
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
  return payment.gateway === null ? gateways.current : gateways.named(payment.gateway);
}

/** Throws when the gateway speaks of another payment: nothing it says counts for this one. */
function ownStatus(payment: PaymentRow, status: GatewayStatus): GatewayStatus {
  if (status.paymentId === null || status.paymentId === payment.id) return status;
  throw new GatewayError('the gateway answered with another payment', true);
}

function nextLook(payment: PaymentRow, now: Instant): Instant {
  return Math.min(now + pollAfter(now - payment.created_at), Math.max(endOfLink(payment), now));
}

function waitAfter({ tries }: PaymentRow): number {
  return TRY_AGAIN_AFTER[Math.min(Math.max(tries, 1), TRY_AGAIN_AFTER.length) - 1]!;
}

/**
 * When the step is tried again after this error, as often as there are waits and until `longer`; null: it has failed
 * for good. Throws what is a fault of ours.
 */
function laterOrNever(error: unknown, now: Instant, payment: PaymentRow, longer = now): Instant | null {
  if (!isRefusal(error)) throw error;
  const goesOn = payment.tries <= TRY_AGAIN_AFTER.length || now < longer;
  return error.temporary && goesOn ? now + waitAfter(payment) : null;
}

function isRefusal(error: unknown): error is GatewayError | NotifierError {
  return error instanceof GatewayError || error instanceof NotifierError;
}

function say(logger: Logger, error: unknown, payment: PaymentRow, what: string): void {
  logger.warn({ err: error, paymentId: payment.id, tries: payment.tries }, what);
}
