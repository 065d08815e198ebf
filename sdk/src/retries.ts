import { ConnectionError, isCode, PartnerBookingError, UnexpectedAnswerError } from './errors.ts';
import type { OperationName } from './model.ts';

/**
 * What is tried again, and when (contract, section 7): INTERNAL_ERROR and lost connections with growing pauses,
 * RATE_LIMIT_EXCEEDED after its Retry-After, BOOKING_CREATION_FAILED once; nothing else.
 */

/** Milliseconds: the first pause is at most this long, each further one at most twice the one before. */
export const FIRST_PAUSE = 500;
export const LONGEST_PAUSE = 10_000;

/** Milliseconds: the window of the rate limit, waited for when an answer does not say how long. */
export const RATE_WINDOW = 60_000;

/** A longer Retry-After is the caller's to wait for. */
export const LONGEST_RATE_PAUSE = 120_000;

/** Reasons of BOOKING_CREATION_FAILED that no repetition soon changes. */
export const LASTING: readonly string[] = [
  'SLOT_NOT_OFFERED',
  'SLOT_IN_PAST',
  'SLOT_INSIDE_NOTICE',
  'SLOT_BEYOND_HORIZON',
  'PAYMENT_UNAVAILABLE',
];

/**
 * May an operation be sent again when nobody knows whether the service did it? Those that read may, and those that
 * come to the same when done twice. A booking may when its externalReference keeps it from being made twice.
 */
export const REPEATABLE: Record<OperationName, 'yes' | 'no' | 'with externalReference'> = {
  'contacts.findOrCreate': 'yes',
  'contacts.get': 'yes',
  'services.list': 'yes',
  'services.get': 'yes',
  'timeslots.list': 'yes',
  'bookings.create': 'with externalReference',
  'bookings.get': 'yes',
  'bookings.list': 'yes',
  'bookings.update': 'yes',
  'bookings.cancel': 'yes',
  'bookings.confirmPayment': 'yes',
  'bookings.listCancellationReasons': 'yes',
  'pricing.listTiers': 'yes',
  'pricing.calculate': 'yes',
  'events.list': 'yes',
  'webhooks.subscriptions.create': 'no',
  'webhooks.subscriptions.list': 'yes',
  'webhooks.subscriptions.get': 'yes',
  'webhooks.subscriptions.update': 'yes',
  'webhooks.subscriptions.remove': 'yes',
  'webhooks.subscriptions.rotateSecret': 'yes', // the secret of the lost answer is of no use to anybody
  'webhooks.subscriptions.test': 'no',
  'webhooks.subscriptions.recover': 'no', // the second answer would count only what the first left
  'webhooks.deliveries.list': 'yes',
  'webhooks.deliveries.get': 'yes',
  'webhooks.deliveries.retry': 'no',
  'webhooks.deliveries.replay': 'no', // the second is another one when the first has arrived
  'sandbox.bookings.advance': 'no', // without `to` the second is another step
  'sandbox.bookings.startRun': 'no',
  'sandbox.bookings.listRuns': 'yes',
  'sandbox.bookings.getRun': 'yes',
  'sandbox.bookings.stopRun': 'yes',
  'sandbox.webhooks.setFault': 'yes',
  'sandbox.webhooks.listFaults': 'yes',
  'sandbox.webhooks.clearFaults': 'yes',
  'sandbox.certifications.start': 'no', // the second finishes the first
  'sandbox.certifications.get': 'yes',
};

export function isRepeatable(operation: OperationName, input: unknown): boolean {
  if (REPEATABLE[operation] !== 'with externalReference') return REPEATABLE[operation] === 'yes';
  const { externalReference } = (input ?? {}) as { externalReference?: unknown };
  return typeof externalReference === 'string' && externalReference !== '';
}

/** Did the service perhaps do what it was asked, although the attempt failed? */
export function isUnclear(error: unknown): boolean {
  if (error instanceof PartnerBookingError) return error.status >= 500;
  return error instanceof ConnectionError || (error instanceof UnexpectedAnswerError && error.status >= 500);
}

export type Failure = {
  error: unknown;
  /** Of the answer, in milliseconds; null: it does not say. */
  retryAfterMs: number | null;
  repeatable: boolean;
  /** How many attempts there were, this one included. */
  attempts: number;
  /** How many of them ended with BOOKING_CREATION_FAILED. */
  creationsFailed: number;
  /** How many repetitions are allowed. */
  retries: number;
};

/** Milliseconds until the next attempt, or null: there is none. `random` is from 0 up to 1. */
export function pauseAfter(failure: Failure, random: number): number | null {
  const { error, retryAfterMs, repeatable, attempts, creationsFailed, retries } = failure;
  if (attempts > retries) return null;
  const pause = random * Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempts - 1));

  if (isRateLimited(error)) {
    const asked = retryAfterMs ?? RATE_WINDOW;
    // The jitter comes on top: many callers must not come back in the same instant, nor too early.
    return asked <= LONGEST_RATE_PAUSE ? asked + pause : null;
  }
  if (isCode(error, 'BOOKING_CREATION_FAILED'))
    return creationsFailed > 1 || LASTING.includes(error.details.reason) ? null : pause;
  return isUnclear(error) && repeatable ? pause : null;
}

/** Refused before anything was done; a proxy's 429 counts as well. */
function isRateLimited(error: unknown): boolean {
  return (
    (error instanceof PartnerBookingError || error instanceof UnexpectedAnswerError) && error.status === 429
  );
}

/** The Retry-After of an answer in milliseconds: whole seconds, or a date of HTTP. */
export function retryAfterOf(value: string | null, now: number): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const at = value.endsWith(' GMT') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** Resolves after so many milliseconds; throws the signal's reason when it is aborted before. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
