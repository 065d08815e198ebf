import { MINUTE } from '../clock.ts';

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
} as const satisfies Record<string, Partial<Record<DeliveryStatus, DeliveryStatus>>>;

export const SUBSCRIPTION_STATUSES = ['ACTIVE', 'INACTIVE'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** How long after a failed attempt the next one is made (milliseconds); after the last one there is none (section 6). */
export const RETRY_AFTER = [1 * MINUTE, 5 * MINUTE, 15 * MINUTE] as const;

/** A receiver's time for an attempt: connecting, headers and body together (milliseconds, section 6). */
export const ATTEMPT_TIMEOUT = 10_000;
/** How much of a receiver's answer is read, and how much of it is kept (bytes). */
export const MOST_READ = 16 * 1024;
export const MOST_KEPT = 1024;

/** How many subscriptions a partner may have. */
export const MOST_SUBSCRIPTIONS = 20;

/**
 * After so many failures in a row a subscription's circuit breaker opens: no attempt for a while, then a single one
 * that tries whether the endpoint is back. What waits spends no attempt of its schedule.
 */
export const BREAKER_AFTER = 20;
/** How long it pauses: the first time, the second time, ... (milliseconds). */
export const BREAKER_PAUSES = [10_000, 20_000, 40_000, 60_000] as const;

/** How many attempts may be under way at once: to one subscription, over all workers, and by one worker in all. */
export const MOST_TO_ONE = 64;
export const MOST_AT_ONCE = 1024;

/**
 * How long a worker's claim on a delivery holds, and how often the claims of attempts under way are renewed
 * (milliseconds). What a dead worker had claimed is sent again after LEASE at the latest.
 */
export const LEASE = 15_000;
export const RENEW_EVERY = 5_000;

/** Why an attempt failed that got no answer, or none with a status of 2xx. */
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
export function isExempt(url: URL, allowHosts: readonly string[]): boolean {
  return allowHosts.includes(url.host) || allowHosts.includes(url.hostname);
}

/** What a delivery says that ended because its subscription was removed. */
export const SUBSCRIPTION_REMOVED = 'SUBSCRIPTION_REMOVED';
