import type { FastifyRequest } from 'fastify';
import type { Clock } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import type { Sealer } from '../db/sealing.ts';
import type { App } from '../http/edge.ts';
import { removed } from '../http/envelope.ts';
import { routesOf } from '../http/routes.ts';
import { NoFields, Removed } from '../http/schemas.ts';
import type { RequestFaults } from '../http/validation.ts';
import type { Outbound } from '../outbound/requests.ts';
import type { Access } from '../partners/access.ts';
import type { AttemptDeps } from './attempt.ts';
import { recoverDeliveries } from './deliveries.ts';
import { listSubscriptionsOf } from './subscription-queries.ts';
import {
  CreateSubscription,
  RecoverDeliveries,
  Recovered,
  RotatedSecret,
  RotateSecret,
  Subscription,
  SubscriptionParams,
  SubscriptionsQuery,
  SubscriptionWithSecret,
  TestResult,
  UpdateSubscription,
} from './subscription-schema.ts';
import {
  changeSubscription,
  createSubscription,
  readOwnSubscription,
  removeSubscription,
  rotateSecret,
} from './subscriptions.ts';
import { sendTestEvent } from './test-event.ts';
import { urlHints, urlProblem } from './url-rules.ts';
import { subscriptionView, subscriptionWithSecretView, testResultView } from './view.ts';

export type SubscriptionDeps = {
  db: Db;
  sealer: Sealer;
  clock: Clock;
  outbound: Outbound;
  /** Hosts that are exempt from the rules of scheme and address. */
  allowHosts: readonly string[];
};

const NO_FAULTS: RequestFaults = { messages: [], hints: [] };

/** Checks the URL with the cached settings of the partner; the use case checks again in its transaction. */
function urlFaults(
  { url }: { url?: string },
  { caller }: { caller: Access },
  allowHosts: readonly string[],
): RequestFaults {
  const problem =
    url === undefined ? null : urlProblem(url, { requireHttps: caller.requireHttpsWebhooks, allowHosts });
  return problem === null ? NO_FAULTS : { messages: [problem], hints: urlHints(url!) };
}

const SUBSCRIPTIONS = {
  tags: ['Webhooks'],
  missing: ['Webhook subscription'],
  params: SubscriptionParams,
  config: { permission: 'partner_webhooks_manage' },
} as const;

/** The subscriptions of section 4.15. */
export function subscriptionRoutes(app: App, deps: SubscriptionDeps): void {
  const { db, clock, allowHosts } = deps;
  const rules = (body: { url?: string }, request: FastifyRequest) => urlFaults(body, request, allowHosts);
  const route = routesOf(app, SUBSCRIPTIONS);

  route.get('/v1/partners/webhooks/subscriptions', {
    operationId: 'listWebhookSubscriptions',
    summary: 'List the active webhook subscriptions, or the inactive ones, newest first',
    query: SubscriptionsQuery,
    response: { list: Subscription },
    answer: async ({ caller, query }) => {
      const now = clock.now();
      const rows = await listSubscriptionsOf(db, caller.partnerId, query.status);
      return rows.map((row) => subscriptionView(row, now));
    },
  });

  route.get('/v1/partners/webhooks/subscriptions/:id', {
    operationId: 'getWebhookSubscription',
    summary: 'Read a webhook subscription, active or not',
    response: { data: Subscription },
    answer: async ({ caller, params }) =>
      subscriptionView(await readOwnSubscription(db, caller.partnerId, params.id), clock.now()),
  });

  route.post('/v1/partners/webhooks/subscriptions', {
    operationId: 'createWebhookSubscription',
    summary: 'Create a webhook subscription; its secret is only shown in this response',
    errors: ['WEBHOOK_DOMAIN_NOT_ALLOWED', 'WEBHOOK_LIMIT_REACHED'],
    body: CreateSubscription,
    config: { rules },
    response: { data: SubscriptionWithSecret },
    answer: async ({ caller, body }) => {
      const now = clock.now();
      return subscriptionWithSecretView(await createSubscription(deps, now, caller.partnerId, body), now);
    },
  });

  route.patch('/v1/partners/webhooks/subscriptions/:id', {
    operationId: 'updateWebhookSubscription',
    summary: 'Update, deactivate or reactivate a webhook subscription',
    errors: ['WEBHOOK_DOMAIN_NOT_ALLOWED'],
    body: UpdateSubscription,
    config: { rules },
    response: { data: Subscription },
    answer: async ({ caller, params, body }) => {
      const change = { id: params.id, changes: body };
      const now = clock.now();
      return subscriptionView(await changeSubscription(deps, now, caller.partnerId, change), now);
    },
  });

  route.delete('/v1/partners/webhooks/subscriptions/:id', {
    operationId: 'removeWebhookSubscription',
    summary: 'Remove a webhook subscription; its pending deliveries fail',
    response: { data: Removed },
    answer: async ({ caller, params }) =>
      removed(await removeSubscription(db, clock.now(), caller.partnerId, params.id)),
  });

  route.post('/v1/partners/webhooks/subscriptions/:id/rotate-secret', {
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate the secret of a webhook subscription; the new one is only shown in this response',
    body: RotateSecret,
    optionalBody: true,
    response: { data: RotatedSecret },
    answer: async ({ caller, params, body }) => {
      const input = { id: params.id, overlapHours: body.overlapHours };
      const now = clock.now();
      return subscriptionWithSecretView(await rotateSecret(deps, now, caller.partnerId, input), now);
    },
  });
}

/** The test of a subscription and the recovery of its deliveries, also on the pages of partners. */
export function subscriptionActionRoutes(
  app: App,
  deps: Omit<SubscriptionDeps, 'sealer'> & AttemptDeps,
): void {
  const { db, clock } = deps;
  const route = routesOf(app, { ...SUBSCRIPTIONS, inPortal: true });

  route.post('/v1/partners/webhooks/subscriptions/:id/test', {
    operationId: 'testWebhookSubscription',
    summary: 'Send a signed test event now and return its result',
    body: NoFields,
    response: { data: TestResult },
    answer: async ({ account, params }) => {
      const now = clock.now();
      const subscription = { partnerId: account.partnerId, id: params.id };
      return testResultView(await sendTestEvent(deps, { now, realNow: now - clock.offset() }, subscription));
    },
  });

  route.post('/v1/partners/webhooks/subscriptions/:id/recover', {
    operationId: 'recoverWebhookSubscription',
    summary:
      'Retry all deliveries of a webhook subscription that failed since a given time or wait for a retry',
    body: RecoverDeliveries,
    response: { data: Recovered },
    answer: async ({ account, params, body }) => {
      const input = { partnerId: account.partnerId, id: params.id, since: body.since };
      return await recoverDeliveries(db, clock.now(), input);
    },
  });
}
