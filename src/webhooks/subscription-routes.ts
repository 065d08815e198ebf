import type { FastifyRequest } from 'fastify';
import type { Clock } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import type { Sealer } from '../db/sealing.ts';
import { type App, absentBodyIsEmpty } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import { NoFields, Removed, Success } from '../http/schemas.ts';
import type { RequestFaults } from '../http/validation.ts';
import type { Outbound } from '../outbound/requests.ts';
import type { Access } from '../partners/access.ts';
import { recoverDeliveries } from './deliveries.ts';
import {
  CreateSubscription,
  RecoverDeliveries,
  RecoveredResponse,
  RotatedSecretResponse,
  RotateSecret,
  SubscriptionParams,
  SubscriptionResponse,
  SubscriptionsQuery,
  SubscriptionsResponse,
  SubscriptionWithSecretResponse,
  TestResultResponse,
  UpdateSubscription,
} from './subscription-schema.ts';
import {
  changeSubscription,
  createSubscription,
  listSubscriptions,
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

const config = { permission: 'partner_webhooks_manage' as const };

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

/** The subscriptions of section 4.15. */
export function subscriptionRoutes(app: App, deps: SubscriptionDeps): void {
  readRoutes(app, deps);
  changeRoutes(app, deps);
  secretRoutes(app, deps);
  deliveryRoutes(app, deps);
}

function readRoutes(app: App, { db, clock }: Pick<SubscriptionDeps, 'db' | 'clock'>): void {
  app.get(
    '/partners/webhooks/subscriptions',
    {
      schema: {
        operationId: 'listWebhookSubscriptions',
        summary: 'List the active webhook subscriptions, or the inactive ones, newest first',
        tags: ['Webhooks'],
        querystring: SubscriptionsQuery,
        response: { 200: SubscriptionsResponse },
      },
      config,
    },
    async ({ caller, query }) => {
      const now = clock.now();
      const rows = await listSubscriptions(db, caller.partnerId, query.status);
      return success(rows.map((row) => subscriptionView(row, now)));
    },
  );

  app.get(
    '/partners/webhooks/subscriptions/:id',
    {
      schema: {
        operationId: 'getWebhookSubscription',
        summary: 'Read a webhook subscription, active or not',
        tags: ['Webhooks'],
        missing: ['Webhook subscription'],
        params: SubscriptionParams,
        response: { 200: SubscriptionResponse },
      },
      config,
    },
    async ({ caller, params }) =>
      success(subscriptionView(await readOwnSubscription(db, caller.partnerId, params.id), clock.now())),
  );
}

function changeRoutes(app: App, deps: SubscriptionDeps): void {
  const { db, clock, allowHosts } = deps;
  const rules = (body: { url?: string }, request: FastifyRequest) => urlFaults(body, request, allowHosts);

  app.post(
    '/partners/webhooks/subscriptions',
    {
      schema: {
        operationId: 'createWebhookSubscription',
        summary: 'Create a webhook subscription; its secret is only shown in this response',
        tags: ['Webhooks'],
        errors: ['WEBHOOK_DOMAIN_NOT_ALLOWED', 'WEBHOOK_LIMIT_REACHED'],
        body: CreateSubscription,
        response: { 200: SubscriptionWithSecretResponse },
      },
      config: { ...config, rules },
    },
    async ({ caller, body }) => {
      const now = clock.now();
      return success(
        subscriptionWithSecretView(await createSubscription(deps, now, caller.partnerId, body), now),
      );
    },
  );

  app.patch(
    '/partners/webhooks/subscriptions/:id',
    {
      schema: {
        operationId: 'updateWebhookSubscription',
        summary: 'Update, deactivate or reactivate a webhook subscription',
        tags: ['Webhooks'],
        errors: ['WEBHOOK_DOMAIN_NOT_ALLOWED'],
        missing: ['Webhook subscription'],
        params: SubscriptionParams,
        body: UpdateSubscription,
        response: { 200: SubscriptionResponse },
      },
      config: { ...config, rules },
    },
    async ({ caller, params, body }) => {
      const change = { id: params.id, changes: body };
      const now = clock.now();
      return success(subscriptionView(await changeSubscription(deps, now, caller.partnerId, change), now));
    },
  );

  app.delete(
    '/partners/webhooks/subscriptions/:id',
    {
      schema: {
        operationId: 'removeWebhookSubscription',
        summary: 'Remove a webhook subscription; its pending deliveries fail',
        tags: ['Webhooks'],
        missing: ['Webhook subscription'],
        params: SubscriptionParams,
        response: { 200: Success(Removed) },
      },
      config,
    },
    async ({ caller, params }) => {
      const { id } = await removeSubscription(db, clock.now(), caller.partnerId, params.id);
      return success({ id, removed: true as const });
    },
  );
}

function secretRoutes(app: App, deps: Pick<SubscriptionDeps, 'db' | 'sealer' | 'clock'>): void {
  app.post(
    '/partners/webhooks/subscriptions/:id/rotate-secret',
    {
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Rotate the secret of a webhook subscription; the new one is only shown in this response',
        tags: ['Webhooks'],
        missing: ['Webhook subscription'],
        params: SubscriptionParams,
        body: RotateSecret,
        optionalBody: true,
        response: { 200: RotatedSecretResponse },
      },
      config,
      preValidation: absentBodyIsEmpty,
    },
    async ({ caller, params, body }) => {
      const input = { id: params.id, overlapHours: body.overlapHours };
      const now = deps.clock.now();
      return success(subscriptionWithSecretView(await rotateSecret(deps, now, caller.partnerId, input), now));
    },
  );
}

/** Deliveries on request: a test event, and the recovery of failed ones. */
function deliveryRoutes(app: App, deps: SubscriptionDeps): void {
  const { db, clock } = deps;
  app.post(
    '/partners/webhooks/subscriptions/:id/test',
    {
      schema: {
        operationId: 'testWebhookSubscription',
        summary: 'Send a signed test event now and return its result',
        tags: ['Webhooks'],
        missing: ['Webhook subscription'],
        params: SubscriptionParams,
        body: NoFields,
        optionalBody: true,
        response: { 200: TestResultResponse },
      },
      config,
      preValidation: absentBodyIsEmpty,
    },
    async ({ caller, params }) => {
      const now = clock.now();
      const subscription = { partnerId: caller.partnerId, id: params.id };
      const result = await sendTestEvent(deps, { now, realNow: now - clock.offset() }, subscription);
      return success(testResultView(result));
    },
  );

  app.post(
    '/partners/webhooks/subscriptions/:id/recover',
    {
      schema: {
        operationId: 'recoverWebhookSubscription',
        summary:
          'Retry all deliveries of a webhook subscription that failed since a given time or wait for a retry',
        tags: ['Webhooks'],
        missing: ['Webhook subscription'],
        params: SubscriptionParams,
        body: RecoverDeliveries,
        response: { 200: RecoveredResponse },
      },
      config,
    },
    async ({ caller, params, body }) => {
      const input = { partnerId: caller.partnerId, id: params.id, since: body.since };
      return success(await recoverDeliveries(db, clock.now(), input));
    },
  );
}
