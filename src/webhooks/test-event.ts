import { randomUUID } from 'node:crypto';
import type { Instant } from '../base/clock.ts';
import { orNotFound } from '../base/errors.ts';
import type { Queryable } from '../db/connection.ts';
import type { Sealer } from '../db/sealing.ts';
import type { Outbound } from '../outbound/requests.ts';
import { type AttemptResult, makeAttempt } from './attempt.ts';
import { findTarget } from './subscription-queries.ts';

export const TEST_EVENT = 'webhook.test' as const;

export type TestResult = AttemptResult & { deliveryId: string };

/**
 * Sends a signed event to the subscription at once, past the queue, and returns what came of it; nothing is stored.
 * Also when the subscription is inactive. `now` is business time, `realNow` real
 * time. `partnerId` null: of any partner. `before` is done before anything is sent. Throws RESOURCE_NOT_FOUND.
 */
export async function sendTestEvent(
  { db, outbound, sealer }: { db: Queryable; outbound: Outbound; sealer: Sealer },
  now: Instant,
  realNow: Instant,
  partnerId: string | null,
  id: string,
  allowHosts: readonly string[],
  before: (subscriptionId: string, deliveryId: string) => Promise<void> = async () => {},
): Promise<TestResult> {
  const subscription = await orNotFound(findTarget(db, now, partnerId, id), 'Webhook subscription');
  const deliveryId = randomUUID();
  await before(subscription.id, deliveryId);
  const result = await makeAttempt(
    { outbound, sealer },
    {
      id: deliveryId,
      event: TEST_EVENT,
      payload: { subscriptionId: subscription.id, message: 'A test of this subscription: nothing happened' },
      url: subscription.url,
      subscriptionId: subscription.id,
      secret: subscription.secret,
      previousSecret: subscription.previous_secret,
      allowedDomains: subscription.allowed_webhook_domains,
      requireHttps: subscription.require_https_webhooks,
    },
    realNow,
    allowHosts,
  );
  return { ...result, deliveryId };
}
