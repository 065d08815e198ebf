import { MINUTE } from '../base/clock.ts';
import type { Move } from '../base/moves.ts';

/** Delivery status (decisions on webhooks). */
export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Moves of a delivery by trigger. A failed attempt leaves it PENDING until the schedule ends. */
export const DELIVERY_MOVES = {
  attemptSucceeded: { PENDING: 'DELIVERED' },
  attemptFailed: { PENDING: 'PENDING' },
  lastAttemptFailed: { PENDING: 'FAILED' },
  subscriptionRemoved: { PENDING: 'FAILED' },
  retry: { FAILED: 'PENDING' },
} as const satisfies Record<string, Move<DeliveryStatus>>;
export type DeliveryTrigger = keyof typeof DELIVERY_MOVES;

/** Orders of the operator's list: deliveries are too many for further ones. */
export const DELIVERY_ORDERS = ['createdAt'] as const;
export const SUBSCRIPTION_ORDERS = ['createdAt', 'url', 'status', 'failures'] as const;

export const SUBSCRIPTION_STATUSES = ['ACTIVE', 'INACTIVE'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** Milliseconds from a failed attempt to the next one; after the last there is none (section 6). */
export const RETRY_AFTER = [1 * MINUTE, 5 * MINUTE, 15 * MINUTE] as const;

/** Milliseconds of a whole attempt: connecting, headers and body (section 6). */
export const ATTEMPT_TIMEOUT = 10_000;
/** Bytes of a response that are read, and that are kept. */
export const MAX_READ = 16 * 1024;
export const MAX_KEPT = 1024;
/** Characters of a redirect's `Location` that are kept. */
export const MAX_LOCATION = 2_048;

/** The largest number of subscriptions of a partner. */
export const MAX_SUBSCRIPTIONS = 20;

/** The largest numbers of attempts under way: to one subscription over all workers, and of one worker. */
export const MAX_PER_SUBSCRIPTION = 64;
export const MAX_PER_WORKER = 2048;
/** Beyond its first attempt a subscription gets at most one such part of the room left to others. */
export const FREE_SHARE = 24;

/** The longest overlap of two secrets (hours). */
export const MAX_OVERLAP_HOURS = 168;

/**
 * Milliseconds of a lease on a delivery, and between its renewals during an attempt. Deliveries of a dead worker are
 * attempted again after LEASE at the latest.
 */
export const LEASE = 15_000;
export const RENEW_INTERVAL = 5_000;

/** Errors of attempts without a response of status 2xx. */
export type AttemptError =
  | 'DNS_FAILED'
  | 'ADDRESS_NOT_PUBLIC'
  | 'DOMAIN_NOT_ALLOWED'
  | 'HTTPS_REQUIRED'
  | 'CONNECTION_FAILED'
  | 'TLS_FAILED'
  | 'TIMEOUT'
  | 'CONNECTION_LOST'
  | 'INVALID_ANSWER'
  | 'STATUS_NOT_2XX'
  | 'NOT_SENT';

/**
 * Whether the URL is exempt from the rules of scheme and address. `allowHosts` has `host` and `host:port`
 * (development).
 */
export function isExempt({ protocol, hostname, port }: URL, allowHosts: readonly string[]): boolean {
  // URL drops the default port of the scheme.
  const host = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  return allowHosts.includes(host) || allowHosts.includes(hostname);
}

/** The error of a delivery that ended because its subscription was removed. */
export const SUBSCRIPTION_REMOVED = 'SUBSCRIPTION_REMOVED';

/** Faults of attempts, in a sandbox: a second attempt of the same delivery, or a first one with a wrong secret. */
export type AttemptFault = 'duplicate' | 'bad-signature';
/** The error of the first of the two attempts. */
export const FAULT_ERRORS = {
  duplicate: 'SIMULATED_DUPLICATE',
  'bad-signature': 'SIMULATED_BAD_SIGNATURE',
} as const satisfies Record<AttemptFault, string>;
