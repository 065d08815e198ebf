import { type App, absentBodyIsEmpty } from '../http/edge.ts';
import { success, successPage } from '../http/envelope.ts';
import { IdParams, NoFields } from '../http/schemas.ts';
import type { Deps } from '../program/deps.ts';
import { readDelivery } from './deliveries.ts';
import {
  OperatorDeliveriesQuery,
  OperatorDeliveriesResponse,
  OperatorDeliveryDetailResponse,
  OperatorDeliveryResponse,
  REPLAY,
  RETRY,
} from './delivery-schema.ts';
import {
  readSubscription,
  recoverForOperator,
  replayForOperator,
  retryForOperator,
  searchDeliveries,
  searchSubscriptions,
  testForOperator,
} from './operator.ts';
import {
  operatorDeliveryDetailView,
  operatorDeliveryView,
  operatorSubscriptionView,
} from './operator-view.ts';
import {
  OperatorSubscriptionResponse,
  OperatorSubscriptionsQuery,
  OperatorSubscriptionsResponse,
  RecoverDeliveries,
  RecoveredResponse,
  TestResultResponse,
} from './subscription-schema.ts';
import { testResultView } from './view.ts';

type WebhookOperatorDeps = Pick<Deps, 'db' | 'clock' | 'sealer' | 'outbound' | 'config'>;

/** Webhook subscriptions and deliveries of all partners in the operator's interface. */
export function webhookOperatorRoutes(app: App, deps: WebhookOperatorDeps): void {
  subscriptionRoutes(app, deps);
  deliveryRoutes(app, deps);
}

function subscriptionRoutes(app: App, deps: WebhookOperatorDeps): void {
  const { db, clock } = deps;
  app.get(
    '/subscriptions',
    {
      schema: {
        operationId: 'listSubscriptions',
        summary: "List all partners' webhook subscriptions, newest first",
        tags: ['Webhooks'],
        querystring: OperatorSubscriptionsQuery,
        response: { 200: OperatorSubscriptionsResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ query }) => {
      const now = clock.now();
      return successPage(query, await searchSubscriptions(db, query), (row) =>
        operatorSubscriptionView(row, now),
      );
    },
  );

  app.get(
    '/subscriptions/:id',
    {
      schema: {
        operationId: 'getSubscription',
        summary: 'Read a webhook subscription',
        tags: ['Webhooks'],
        missing: ['Webhook subscription'],
        params: IdParams,
        response: { 200: OperatorSubscriptionResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ params }) =>
      success(operatorSubscriptionView(await readSubscription(db, params.id), clock.now())),
  );

  app.post(
    '/subscriptions/:id/test',
    {
      schema: {
        operationId: 'testSubscription',
        summary: 'Send a signed test event now and return its result',
        tags: ['Webhooks'],
        missing: ['Webhook subscription'],
        params: IdParams,
        body: NoFields,
        optionalBody: true,
        response: { 200: TestResultResponse },
      },
      config: { role: 'dispatcher' },
      preValidation: absentBodyIsEmpty,
    },
    async ({ actor, params }) => {
      const allowHosts = deps.config.webhookAllowHosts;
      return success(testResultView(await testForOperator({ ...deps, allowHosts }, actor, params.id)));
    },
  );

  app.post(
    '/subscriptions/:id/recover',
    {
      schema: {
        operationId: 'recoverSubscription',
        summary:
          'Retry all deliveries of a webhook subscription that failed since a given time or wait for a retry',
        tags: ['Webhooks'],
        missing: ['Webhook subscription'],
        params: IdParams,
        body: RecoverDeliveries,
        response: { 200: RecoveredResponse },
      },
      config: { role: 'dispatcher' },
    },
    async ({ actor, params, body }) => {
      const input = { id: params.id, since: body.since };
      return success(await recoverForOperator(db, clock.now(), actor, input));
    },
  );
}

function deliveryRoutes(app: App, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  app.get(
    '/deliveries',
    {
      schema: {
        operationId: 'listDeliveries',
        summary: "List all partners' webhook deliveries, newest first",
        tags: ['Webhooks'],
        querystring: OperatorDeliveriesQuery,
        response: { 200: OperatorDeliveriesResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ query }) => {
      const now = clock.now();
      const found = await searchDeliveries(db, now, query);
      return successPage(query, found, (row) => operatorDeliveryView(row, now));
    },
  );

  app.get(
    '/deliveries/:id',
    {
      schema: {
        operationId: 'getDelivery',
        summary: 'Read a webhook delivery with its payload and attempts',
        tags: ['Webhooks'],
        missing: ['Webhook delivery'],
        params: IdParams,
        response: { 200: OperatorDeliveryDetailResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ params }) =>
      success(operatorDeliveryDetailView(await readDelivery(db, null, params.id), clock.now())),
  );

  app.post(
    '/deliveries/:id/retry',
    {
      schema: {
        operationId: 'retryDelivery',
        ...RETRY,
        params: IdParams,
        response: { 200: OperatorDeliveryResponse },
      },
      config: { role: 'dispatcher' },
      preValidation: absentBodyIsEmpty,
    },
    async ({ actor, params }) => {
      const now = clock.now();
      return success(operatorDeliveryView(await retryForOperator(db, now, actor, params.id), now));
    },
  );

  app.post(
    '/deliveries/:id/replay',
    {
      schema: {
        operationId: 'replayDelivery',
        ...REPLAY,
        description: 'The replay has an ID of its own. While one is yet to arrive, it is returned again.',
        params: IdParams,
        response: { 200: OperatorDeliveryResponse },
      },
      config: { role: 'dispatcher' },
      preValidation: absentBodyIsEmpty,
    },
    async ({ actor, params }) => {
      const now = clock.now();
      return success(operatorDeliveryView(await replayForOperator(db, now, actor, params.id), now));
    },
  );
}
