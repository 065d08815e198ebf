import type { Sealer } from '../db/sealing.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { pageOf } from '../http/envelope.ts';
import { routesOf } from '../http/routes.ts';
import { IdParams, NoFields } from '../http/schemas.ts';
import type { Outbound } from '../outbound/requests.ts';
import { listDeliveries, readDelivery } from './deliveries.ts';
import {
  OperatorDeliveriesQuery,
  OperatorDelivery,
  OperatorDeliveryDetail,
  REPLAY,
  RETRY,
} from './delivery-schema.ts';
import {
  readSubscription,
  recoverForOperator,
  replayForOperator,
  retryForOperator,
  testForOperator,
} from './operator.ts';
import {
  operatorDeliveryDetailView,
  operatorDeliveryView,
  operatorSubscriptionView,
} from './operator-view.ts';
import { listSubscriptionRows } from './subscription-queries.ts';
import {
  OperatorSubscription,
  OperatorSubscriptionsQuery,
  RecoverDeliveries,
  Recovered,
  TestResult,
} from './subscription-schema.ts';
import { testResultView } from './view.ts';

type WebhookOperatorDeps = RouteParts & {
  sealer: Sealer;
  outbound: Outbound;
  config: { webhookAllowHosts: readonly string[] };
};

/** Webhook subscriptions and deliveries of all partners in the operator's interface. */
export function webhookOperatorRoutes(app: App, deps: WebhookOperatorDeps): void {
  subscriptionRoutes(app, deps);
  deliveryRoutes(app, deps);
}

function subscriptionRoutes(app: App, deps: WebhookOperatorDeps): void {
  const { db, clock } = deps;
  const route = routesOf(app, { tags: ['Webhooks'], missing: ['Webhook subscription'], params: IdParams });

  route.get('/operator/subscriptions', {
    operationId: 'listSubscriptions',
    summary: "List all partners' webhook subscriptions, newest first",
    query: OperatorSubscriptionsQuery,
    response: { page: OperatorSubscription },
    answer: async ({ query }) => {
      const now = clock.now();
      return pageOf(await listSubscriptionRows(db, query), (row) => operatorSubscriptionView(row, now));
    },
  });

  route.get('/operator/subscriptions/:id', {
    operationId: 'getSubscription',
    summary: 'Read a webhook subscription',
    response: { data: OperatorSubscription },
    answer: async ({ params }) =>
      operatorSubscriptionView(await readSubscription(db, params.id), clock.now()),
  });

  route.post('/operator/subscriptions/:id/test', {
    operationId: 'testSubscription',
    summary: 'Send a signed test event now and return its result',
    body: NoFields,
    config: { role: 'dispatcher' },
    response: { data: TestResult },
    answer: async ({ actor, params }) => {
      const allowHosts = deps.config.webhookAllowHosts;
      return testResultView(await testForOperator({ ...deps, allowHosts }, actor, params.id));
    },
  });

  route.post('/operator/subscriptions/:id/recover', {
    operationId: 'recoverSubscription',
    summary:
      'Retry all deliveries of a webhook subscription that failed since a given time or wait for a retry',
    body: RecoverDeliveries,
    config: { role: 'dispatcher' },
    response: { data: Recovered },
    answer: async ({ actor, params, body }) => {
      const input = { id: params.id, since: body.since };
      return await recoverForOperator(db, clock.now(), actor, input);
    },
  });
}

function deliveryRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, { tags: ['Webhooks'], params: IdParams });

  route.get('/operator/deliveries', {
    operationId: 'listDeliveries',
    summary: "List all partners' webhook deliveries, newest first",
    query: OperatorDeliveriesQuery,
    response: { page: OperatorDelivery },
    answer: async ({ query }) => {
      const now = clock.now();
      const found = await listDeliveries(db, now, query);
      return pageOf(found, (row) => operatorDeliveryView(row, now));
    },
  });

  route.get('/operator/deliveries/:id', {
    operationId: 'getDelivery',
    summary: 'Read a webhook delivery with its payload and attempts',
    missing: ['Webhook delivery'],
    response: { data: OperatorDeliveryDetail },
    answer: async ({ params }) =>
      operatorDeliveryDetailView(await readDelivery(db, null, params.id), clock.now()),
  });

  route.post('/operator/deliveries/:id/retry', {
    operationId: 'retryDelivery',
    ...RETRY,
    config: { role: 'dispatcher' },
    response: { data: OperatorDelivery },
    answer: async ({ actor, params }) => {
      const now = clock.now();
      return operatorDeliveryView(await retryForOperator(db, now, actor, params.id), now);
    },
  });

  route.post('/operator/deliveries/:id/replay', {
    operationId: 'replayDelivery',
    description: 'The replay has an ID of its own. While one is yet to arrive, it is returned again.',
    ...REPLAY,
    config: { role: 'dispatcher' },
    response: { data: OperatorDelivery },
    answer: async ({ actor, params }) => {
      const now = clock.now();
      return operatorDeliveryView(await replayForOperator(db, now, actor, params.id), now);
    },
  });
}
