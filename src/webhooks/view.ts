import { type Instant, SECOND, toRiyadhIso } from '../base/clock.ts';
import { type Links, openPayload } from '../bookings/links.ts';
import type { SubscriptionWithSecret } from './subscriptions.ts';
import type { DeliveryDetail, DeliveryRow, SubscriptionRow } from './table.ts';
import { TEST_EVENT, type TestResult } from './test-event.ts';

const isoOrNull = (at: Instant | null): string | null => (at === null ? null : toRiyadhIso(at));

/** Subscription of section 2. */
export function subscriptionView(row: SubscriptionRow, now: Instant) {
  const overlapEndsAt = row.previous_secret_until;
  return {
    id: row.id,
    partnerClientId: row.partner_id,
    url: row.url,
    events: row.events,
    status: row.status,
    previousSecretEndsAt: isoOrNull(overlapEndsAt !== null && overlapEndsAt > now ? overlapEndsAt : null),
    createdAt: toRiyadhIso(row.created_at),
    updatedAt: toRiyadhIso(row.updated_at),
  };
}

/** A subscription with its secret, for the response to its creation or rotation alone. */
export function subscriptionWithSecretView({ row, secret }: SubscriptionWithSecret, now: Instant) {
  return { ...subscriptionView(row, now), secret };
}

/**
 * Without nextRetryAt when the attempt is due, when the subscription is not active, and when the time without its
 * milliseconds would be in the past.
 */
export function deliveryView(row: DeliveryRow, now: Instant) {
  const isAhead = row.due_at !== null && row.due_at - (row.due_at % SECOND) > now;
  const hasNextAttempt = row.attempt_count > 0 && isAhead && row.subscription_status === 'ACTIVE';
  return {
    id: row.id,
    subscriptionId: row.subscription_id,
    event: row.event,
    status: row.status,
    attemptCount: row.attempt_count,
    statusCode: row.status_code,
    error: row.error,
    nextRetryAt: hasNextAttempt ? isoOrNull(row.due_at) : null,
    deliveredAt: row.status === 'DELIVERED' ? isoOrNull(row.finished_at) : null,
    createdAt: toRiyadhIso(row.created_at),
    replay: row.replay,
  };
}

/** A delivery with all its attempts (decisions on webhooks). */
export function deliveryDetailView(links: Links, row: DeliveryDetail, now: Instant) {
  return {
    ...deliveryView(row, now),
    eventId: row.event_id,
    bookingId: row.booking_id,
    payload: openPayload(links, row.payload),
    attempts: row.attempts.map(({ attemptedAt, durationMs, statusCode, error, responseBody, location }) => ({
      attemptedAt: toRiyadhIso(attemptedAt),
      durationMs,
      statusCode,
      error,
      responseBody,
      ...(location !== undefined && { location }),
    })),
  };
}

const wholeOrNull = (value: number | null): number | null => (value === null ? null : Math.round(value));

export function testResultView({ deliveryId, timings, tls, ...result }: TestResult) {
  return {
    deliveryId,
    event: TEST_EVENT,
    ok: result.error === null,
    statusCode: result.statusCode,
    error: result.error,
    durationMs: result.durationMs,
    timings: { dnsMs: wholeOrNull(timings.dnsMs), connectMs: wholeOrNull(timings.connectMs) },
    tls,
    responseBody: result.responseBody,
    ...(result.location !== null && { location: result.location }),
  };
}
