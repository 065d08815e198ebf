import { type Instant, riyadhIsoOrNull, SECOND, toRiyadhIso } from '../base/clock.ts';
import { type Links, openPayload } from '../bookings/links.ts';
import { viewBy } from '../http/fields.ts';
import { Delivery } from './delivery-schema.ts';
import { Subscription } from './subscription-schema.ts';
import type { SubscriptionWithSecret } from './subscriptions.ts';
import type { DeliveryDetail, DeliveryRow, SubscriptionRow } from './table.ts';
import { TEST_EVENT, type TestResult } from './test-event.ts';

/** Subscription of section 2. */
export function subscriptionView(row: SubscriptionRow, now: Instant) {
  const endsAt = row.previous_secret_until;
  return viewBy(Subscription, row, {
    partnerClientId: row.partner_id,
    previousSecretEndsAt: riyadhIsoOrNull(endsAt !== null && endsAt > now ? endsAt : null),
  });
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
  return viewBy(Delivery, row, {
    nextRetryAt: hasNextAttempt ? riyadhIsoOrNull(row.due_at) : null,
    deliveredAt: row.status === 'DELIVERED' ? riyadhIsoOrNull(row.finished_at) : null,
  });
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
