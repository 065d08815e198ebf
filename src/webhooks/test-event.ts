import { randomUUID } from 'node:crypto';
import type { Instant } from '../base/clock.ts';
import { orNotFound } from '../base/errors.ts';
import type { Queryable } from '../db/connection.ts';
import { type AttemptDeps, type AttemptResult, makeAttempt } from './attempt.ts';
import { findTarget } from './subscription-queries.ts';

export const TEST_EVENT = 'webhook.test' as const;

export type TestResult = AttemptResult & { deliveryId: string };

/**
 * Sends a signed event to the subscription at once, past the queue, and returns the result of the attempt; nothing is
 * stored. Inactive subscriptions get it as well. `now` is business time, `realNow` real time. `partnerId` null: of any
 * partner. `before` runs before anything is sent. Throws RESOURCE_NOT_FOUND.
 */
export async function sendTestEvent(
  deps: { db: Queryable } & AttemptDeps,
  { now, realNow }: { now: Instant; realNow: Instant },
  { partnerId, id }: { partnerId: string | null; id: string },
  before: (subscriptionId: string, deliveryId: string) => Promise<void> = async () => {},
): Promise<TestResult> {
  const subscription = await orNotFound(findTarget(deps.db, now, partnerId, id), 'Webhook subscription');
  const deliveryId = randomUUID();
  await before(subscription.id, deliveryId);
  const result = await makeAttempt(
    deps,
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
  );
  return { ...result, deliveryId };
}
