import { randomUUID } from 'node:crypto';
import { existing } from '../catalogue/admin.ts';
import type { Instant } from '../clock.ts';
import type { Queryable } from '../platform/db.ts';
import type { Outbound } from '../platform/outbound.ts';
import { type AttemptResult, makeAttempt } from './attempt.ts';
import { findTarget } from './queries.ts';

export const TEST_EVENT = 'webhook.test' as const;

export type TestResult = AttemptResult & { deliveryId: string };

/**
 * Sends a signed event to the subscription at once, past the queue, and answers what came of it; nothing is stored.
 * Also when the subscription is inactive or its circuit breaker open. `realNow` is real time. Throws
 * RESOURCE_NOT_FOUND. `partnerId` null: whoever's it is.
 */
export async function sendTestEvent(
  db: Queryable,
  outbound: Outbound,
  realNow: Instant,
  partnerId: string | null,
  id: string,
  allowHosts: readonly string[],
): Promise<TestResult> {
  const subscription = await existing(findTarget(db, partnerId, id), 'Webhook subscription');
  const deliveryId = randomUUID();
  const result = await makeAttempt(
    outbound,
    {
      id: deliveryId,
      event: TEST_EVENT,
      payload: { subscriptionId: subscription.id, message: 'A test of this subscription: nothing happened' },
      url: subscription.url,
      secret: subscription.secret,
      allowedDomains: subscription.allowed_webhook_domains,
      requireHttps: subscription.require_https_webhooks,
    },
    realNow,
    allowHosts,
  );
  return { ...result, deliveryId };
}
