import { onAbort } from './abort.ts';
import type { ErrorCode } from './contract.ts';
import { ConnectionError, isCode, PartnerBookingError, UnexpectedAnswerError } from './errors.ts';
import type { OperationName } from './model.ts';

/**
 * Which failures are retried, and when (contract, section 7): INTERNAL_ERROR and lost connections with backoff,
 * RATE_LIMIT_EXCEEDED after its Retry-After, BOOKING_CREATION_FAILED once; nothing else.
 */

/** Milliseconds: the upper bound of the first pause, which doubles with each further one. */
export const FIRST_PAUSE = 500;
export const LONGEST_PAUSE = 10_000;

/** Milliseconds: the window of the rate limit, the pause when a response has no Retry-After. */
export const RATE_WINDOW = 60_000;

/** The longest Retry-After that a call waits for by default: somebody may be waiting for the call. */
export const RATE_PAUSE = 5_000;
/** The same for following the feed, which nobody waits for. */
export const RATE_PAUSE_OF_FOLLOW = 120_000;

/** Reasons of BOOKING_CREATION_FAILED that a retry does not change. */
export const LASTING: readonly string[] = [
  'SLOT_NOT_OFFERED',
  'SLOT_IN_PAST',
  'SLOT_INSIDE_NOTICE',
  'SLOT_BEYOND_HORIZON',
  'PAYMENT_UNAVAILABLE',
  'PRICE_CHANGED',
];

/**
 * Whether an operation may be sent again when its outcome is unclear: always, never, or with one of some fields. The
 * guide about retries, the Python SDK and a test of each operation are made from it.
 */
export const REPEATABLE = {
  'contacts.findOrCreate': 'yes',
  'contacts.get': 'yes',
  'contacts.update': 'yes',
  'contacts.updateAddress': 'yes',
  'contacts.export': 'yes',
  'contacts.erase': 'yes',
  'services.list': 'yes',
  'services.get': 'yes',
  'coverage.get': 'yes',
  'timeslots.list': 'yes',
  'timeslots.calendar': 'yes',
  'timeslots.next': 'yes',
  'holds.create': 'with addressId or reference', // then the same slot is the same hold
  'holds.list': 'yes',
  'holds.get': 'yes',
  'holds.extend': 'with until',
  'holds.release': 'yes',
  'bookings.create': 'with externalReference or holdId', // either makes one booking at most
  'bookings.get': 'yes',
  'bookings.list': 'yes',
  'bookings.export': 'yes',
  'bookings.quote': 'yes',
  'bookings.update': 'yes',
  'bookings.cancel': 'yes',
  'bookings.confirmPayment': 'yes',
  'bookings.listCancellationReasons': 'yes',
  'pricing.listTiers': 'yes',
  'pricing.calculate': 'yes',
  'series.create': 'with externalReference',
  'series.list': 'yes',
  'series.get': 'yes',
  'series.update': 'yes', // the second moves what is left
  'series.place': 'yes',
  'series.skip': 'yes',
  'series.pause': 'yes',
  'series.end': 'yes',
  'statements.list': 'yes',
  'statements.get': 'yes',
  'statements.lines': 'yes',
  'statements.invoices': 'yes',
  'statements.page': 'yes',
  'events.list': 'yes',
  'webhooks.subscriptions.create': 'no',
  'webhooks.subscriptions.list': 'yes',
  'webhooks.subscriptions.get': 'yes',
  'webhooks.subscriptions.update': 'yes',
  'webhooks.subscriptions.remove': 'yes',
  'webhooks.subscriptions.rotateSecret': 'yes', // the secret of the lost response is of no use
  'webhooks.subscriptions.test': 'no',
  'webhooks.subscriptions.recover': 'no', // the second response would count only what the first left
  'webhooks.deliveries.list': 'yes',
  'webhooks.deliveries.get': 'yes',
  'webhooks.deliveries.retry': 'no',
  'webhooks.deliveries.replay': 'no', // the second is another one when the first has arrived
  'sandbox.bookings.advance': 'with to', // without it the second is another step
  'sandbox.bookings.startRun': 'no',
  'sandbox.bookings.listRuns': 'yes',
  'sandbox.bookings.getRun': 'yes',
  'sandbox.bookings.stopRun': 'yes',
  'sandbox.webhooks.setFault': 'yes',
  'sandbox.webhooks.listFaults': 'yes',
  'sandbox.webhooks.clearFaults': 'yes',
  'sandbox.certifications.start': 'yes', // the second finishes the first, whose id nobody has
  'sandbox.certifications.get': 'yes',
} as const satisfies Record<OperationName, 'yes' | 'no' | `with ${string}`>;

/** The codes by which the service refuses a repetition because the first attempt has done it. */
export const DONE_CODES = {
  'bookings.create': ['DUPLICATE_EXTERNAL_REFERENCE', 'HOLD_CONSUMED'],
  'bookings.cancel': ['BOOKING_ALREADY_CANCELLED'],
  'bookings.confirmPayment': ['PAYMENT_ALREADY_CONFIRMED'],
  'series.create': ['DUPLICATE_EXTERNAL_REFERENCE'],
  'webhooks.subscriptions.remove': ['RESOURCE_NOT_FOUND'],
} as const satisfies { [Name in OperationName]?: readonly ErrorCode[] };

export type RefusedWhenDone = keyof typeof DONE_CODES;

export function isRepeatable(operation: OperationName, input: unknown): boolean {
  const [, fields] = REPEATABLE[operation].split('with ');
  if (fields === undefined) return REPEATABLE[operation] === 'yes';
  const given = (input ?? {}) as Record<string, unknown>;
  return fields.split(' or ').some((field) => typeof given[field] === 'string' && given[field] !== '');
}

/** Whether the service may have processed the request, although the attempt failed. */
export function isUnclear(error: unknown): boolean {
  if (error instanceof PartnerBookingError) return error.status >= 500;
  return error instanceof ConnectionError || (error instanceof UnexpectedAnswerError && error.status >= 500);
}

export type Failure = {
  error: unknown;
  /** The response's Retry-After in milliseconds; null: none. */
  retryAfterMs: number | null;
  repeatable: boolean;
  /** Attempts so far, this one included. */
  attempts: number;
  /** Attempts that ended with BOOKING_CREATION_FAILED. */
  creationsFailed: number;
  /** The allowed retries. */
  retries: number;
  /** The longest Retry-After that is waited for; the caller has to wait for a longer one. */
  rateLimitWaitMs: number;
};

/** Milliseconds until the next attempt, or null: none. `random` is from 0 up to 1. */
export function pauseAfter(failure: Failure, random: number): number | null {
  const { error, retryAfterMs, repeatable, attempts, creationsFailed, retries, rateLimitWaitMs } = failure;
  if (attempts > retries) return null;
  const pause = random * Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempts - 1));

  if (isRateLimited(error)) {
    const asked = askedPause(retryAfterMs);
    // Jitter is added: many callers must not retry at the same instant, nor too early.
    return asked <= rateLimitWaitMs ? asked + pause : null;
  }
  if (isCode(error, 'BOOKING_CREATION_FAILED'))
    return creationsFailed > 1 || LASTING.includes(error.details.reason) ? null : pause;
  return isUnclear(error) && repeatable ? pause : null;
}

const askedPause = (retryAfterMs: number | null): number => retryAfterMs ?? RATE_WINDOW;

/** Adds to the error of a used up rate limit why the call does not wait. */
export function explainRateLimit({ error, retryAfterMs, rateLimitWaitMs }: Failure): void {
  if (!isRateLimited(error) || askedPause(retryAfterMs) <= rateLimitWaitMs) return;
  const [asked, most] = [askedPause(retryAfterMs) / 1000, rateLimitWaitMs / 1000];
  (error as Error).message += `; not repeated: it asks for ${asked} s, and rateLimitWaitMs allows ${most} s`;
}

/** Refused before processing; a proxy's 429 counts as well. */
function isRateLimited(error: unknown): boolean {
  return (
    (error instanceof PartnerBookingError || error instanceof UnexpectedAnswerError) && error.status === 429
  );
}

/** The Retry-After of a response in milliseconds: whole seconds, or an HTTP date. */
export function retryAfterOf(value: string | null, now: number): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const at = value.endsWith(' GMT') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** Resolves after that many milliseconds; throws the signal's reason when it is aborted before. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const forget = onAbort(signal, () => {
      clearTimeout(timer);
      reject(signal!.reason);
    });
    const timer = setTimeout(() => {
      forget();
      resolve();
    }, milliseconds);
  });
}
