import { IdParams } from '../catalogue/admin-schema.ts';
import type { Deps } from '../deps.ts';
import { success, successPage } from '../platform/envelope.ts';
import { type App, absentBodyIsEmpty } from '../platform/http.ts';
import { NoFields } from '../platform/schemas.ts';
import { listDeliveries, readDelivery } from '../webhooks/deliveries.ts';
import {
  readSubscription,
  recoverForOperator,
  retryForOperator,
  searchSubscriptions,
} from '../webhooks/operate.ts';
import {
  operatorDeliveryDetailView,
  operatorDeliveryView,
  operatorSubscriptionView,
} from '../webhooks/operate-view.ts';
import {
  OperatorDeliveriesQuery,
  OperatorDeliveriesResponse,
  OperatorDeliveryDetailResponse,
  OperatorDeliveryResponse,
  OperatorSubscriptionResponse,
  OperatorSubscriptionsQuery,
  OperatorSubscriptionsResponse,
  RecoverDeliveries,
  RecoveredResponse,
  TestResultResponse,
} from '../webhooks/schema.ts';
import { sendTestEvent } from '../webhooks/test-event.ts';
import { testResultView } from '../webhooks/view.ts';

/** Webhook subscriptions and deliveries of all partners in the operator's interface. */
export function webhookAdminRoutes(app: App, { db, clock, config, outbound }: Deps): void {
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
        summary: 'Send a signed test event at once and answer what came of it',
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
    async ({ params }) => {
      const realNow = clock.now() - clock.offset();
      return success(
        testResultView(await sendTestEvent(db, outbound, realNow, null, params.id, config.webhookAllowHosts)),
      );
    },
  );

  app.post(
    '/subscriptions/:id/recover',
    {
      schema: {
        operationId: 'recoverSubscription',
        summary: 'Retry every delivery of a webhook subscription that failed since then',
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
    async ({ query }) => successPage(query, await listDeliveries(db, query), operatorDeliveryView),
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
    async ({ params }) => success(operatorDeliveryDetailView(await readDelivery(db, null, params.id))),
  );

  app.post(
    '/deliveries/:id/retry',
    {
      schema: {
        operationId: 'retryDelivery',
        summary: 'Try a failed webhook delivery again at once',
        tags: ['Webhooks'],
        errors: ['DELIVERY_NOT_RETRYABLE'],
        missing: ['Webhook delivery'],
        params: IdParams,
        body: NoFields,
        optionalBody: true,
        response: { 200: OperatorDeliveryResponse },
      },
      config: { role: 'dispatcher' },
      preValidation: absentBodyIsEmpty,
    },
    async ({ actor, params }) =>
      success(operatorDeliveryView(await retryForOperator(db, clock.now(), actor, params.id))),
  );
}
