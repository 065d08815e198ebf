import { MINUTE } from '../base/clock.ts';
import type { Move } from '../base/moves.ts';

/** Delivery status (decisions on webhooks). */
export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** What moves a delivery, and from where to where. A failed attempt leaves it PENDING until the schedule ends. */
export const DELIVERY_MOVES = {
  attemptSucceeded: { PENDING: 'DELIVERED' },
  attemptFailed: { PENDING: 'PENDING' },
  lastAttemptFailed: { PENDING: 'FAILED' },
  subscriptionRemoved: { PENDING: 'FAILED' },
  retry: { FAILED: 'PENDING' },
} as const satisfies Record<string, Move<DeliveryStatus>>;
export type DeliveryTrigger = keyof typeof DELIVERY_MOVES;

/** What the operator's lists can be sorted by: deliveries are too many for more. */
export const DELIVERY_ORDERS = ['createdAt'] as const;
export const SUBSCRIPTION_ORDERS = ['createdAt', 'url', 'status', 'failures'] as const;

export const SUBSCRIPTION_STATUSES = ['ACTIVE', 'INACTIVE'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/**
 * How long after a failed attempt the next one is made (milliseconds); after the last one there is none (section 6).
 */
export const RETRY_AFTER = [1 * MINUTE, 5 * MINUTE, 15 * MINUTE] as const;

/** A receiver's time for an attempt: connecting, headers and body together (milliseconds, section 6). */
export const ATTEMPT_TIMEOUT = 10_000;
/** How much of a receiver's response is read, and how much of it is kept (bytes). */
export const MAX_READ = 16 * 1024;
export const MAX_KEPT = 1024;
/** How much of a redirect's `Location` is kept (characters). */
export const MAX_LOCATION = 2_048;

/** How many subscriptions a partner may have. */
export const MAX_SUBSCRIPTIONS = 20;

/** How many attempts may be under way at once: to one subscription, over all workers, and by one worker in all. */
export const MAX_PER_SUBSCRIPTION = 64;
export const MAX_PER_WORKER = 2048;
/** A subscription leaves so many times as much of a worker's room to others as it has itself, beyond its first attempt. */
export const FREE_SHARE = 24;

/** How long the secret before may sign beside a new one (hours). */
export const MAX_OVERLAP_HOURS = 168;

/**
 * How long a worker's claim on a delivery holds, and how often the claims of attempts under way are renewed
 * (milliseconds). What a dead worker had claimed is sent again after LEASE at the latest.
 */
export const LEASE = 15_000;
export const RENEW_INTERVAL = 5_000;

/** Why an attempt failed that got no response, or none with a status of 2xx. */
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

/** May deliveries go there whatever its scheme and address? `allowHosts` has `host` and `host:port` (development). */
export function isExempt({ protocol, hostname, port }: URL, allowHosts: readonly string[]): boolean {
  // A URL drops the port that is usual for its scheme.
  const host = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  return allowHosts.includes(host) || allowHosts.includes(hostname);
}

/** The error of a delivery that ended because its subscription was removed. */
export const SUBSCRIPTION_REMOVED = 'SUBSCRIPTION_REMOVED';

/** How an attempt goes wrong on purpose, in a sandbox: what was sent is sent again, or signed with a wrong secret first. */
export type AttemptFault = 'duplicate' | 'bad-signature';
/** What is written as the error of the first of the two attempts; nothing else of it is changed. */
export const FAULT_ERRORS = {
  duplicate: 'SIMULATED_DUPLICATE',
  'bad-signature': 'SIMULATED_BAD_SIGNATURE',
} as const satisfies Record<AttemptFault, string>;
