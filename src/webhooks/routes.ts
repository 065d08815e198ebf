import type { Clock } from '../clock.ts';
import type { Db } from '../platform/db.ts';
import { success, successPage } from '../platform/envelope.ts';
import { type App, absentBodyIsEmpty } from '../platform/http.ts';
import type { Outbound } from '../platform/outbound.ts';
import { NoFields, Removed, Success } from '../platform/schemas.ts';
import { listDeliveries, readDelivery, recoverDeliveries, retryDelivery } from './deliveries.ts';
import {
  CreateSubscription,
  DeliveriesQuery,
  DeliveriesResponse,
  DeliveryDetailResponse,
  DeliveryParams,
  DeliveryResponse,
  RecoverDeliveries,
  RecoveredResponse,
  SubscriptionParams,
  SubscriptionResponse,
  SubscriptionsResponse,
  SubscriptionWithSecretResponse,
  TestResultResponse,
  UpdateSubscription,
} from './schema.ts';
import {
  changeSubscription,
  createSubscription,
  listSubscriptions,
  removeSubscription,
  rotateSecret,
} from './subscriptions.ts';
import { sendTestEvent } from './test-event.ts';
import {
  deliveryDetailView,
  deliveryView,
  subscriptionView,
  subscriptionWithSecretView,
  testResultView,
} from './view.ts';

export type WebhookDeps = {
  db: Db;
  clock: Clock;
  outbound: Outbound;
  /** Hosts that are exempt from the rules of scheme and address. */
  allowHosts: readonly string[];
};

const config = { permission: 'partner_webhooks_manage' as const };

export function webhookRoutes(app: App, { db, clock, outbound, allowHosts }: WebhookDeps): void {
  app.get(
    '/partners/webhooks/subscriptions',
    {
      schema: {
        operationId: 'listWebhookSubscriptions',
        summary: 'List the active webhook subscriptions, newest first',
        tags: ['Webhooks'],
        response: { 200: SubscriptionsResponse },
      },
      config,
    },
    async ({ caller }) => success((await listSubscriptions(db, caller.partnerId)).map(subscriptionView)),
  );

  app.post(
    '/partners/webhooks/subscriptions',
    {
      schema: {
        operationId: 'createWebhookSubscription',
        summary: 'Create a webhook subscription; the answer shows its secret for the only time',
        tags: ['Webhooks'],
        errors: ['WEBHOOK_DOMAIN_NOT_ALLOWED', 'WEBHOOK_LIMIT_REACHED'],
        body: CreateSubscription,
        response: { 200: SubscriptionWithSecretResponse },
      },
      config,
    },
    async ({ caller, body }) =>
      success(
        subscriptionWithSecretView(
          await createSubscription(db, clock.now(), caller.partnerId, body, allowHosts),
        ),
      ),
  );

  app.patch(
    '/partners/webhooks/subscriptions/:id',
    {
      schema: {
        operationId: 'updateWebhookSubscription',
        summary: 'Change a webhook subscription, or switch it off or on',
        tags: ['Webhooks'],
        errors: ['WEBHOOK_DOMAIN_NOT_ALLOWED'],
        missing: ['Webhook subscription'],
        params: SubscriptionParams,
        body: UpdateSubscription,
        response: { 200: SubscriptionResponse },
      },
      config,
    },
    async ({ caller, params, body }) => {
      const change = { id: params.id, changes: body };
      const row = await changeSubscription(db, clock.now(), caller.partnerId, change, allowHosts);
      return success(subscriptionView(row));
    },
  );

  app.delete(
    '/partners/webhooks/subscriptions/:id',
    {
      schema: {
        operationId: 'removeWebhookSubscription',
        summary: 'Remove a webhook subscription; what it has not delivered fails',
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

  app.post(
    '/partners/webhooks/subscriptions/:id/rotate-secret',
    {
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Give a webhook subscription a new secret; the answer shows it for the only time',
        tags: ['Webhooks'],
        missing: ['Webhook subscription'],
        params: SubscriptionParams,
        body: NoFields,
        optionalBody: true,
        response: { 200: SubscriptionWithSecretResponse },
      },
      config,
      preValidation: absentBodyIsEmpty,
    },
    async ({ caller, params }) =>
      success(subscriptionWithSecretView(await rotateSecret(db, clock.now(), caller.partnerId, params.id))),
  );

  app.post(
    '/partners/webhooks/subscriptions/:id/test',
    {
      schema: {
        operationId: 'testWebhookSubscription',
        summary: 'Send a signed test event at once and answer what came of it',
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
      const realNow = clock.now() - clock.offset();
      return success(
        testResultView(await sendTestEvent(db, outbound, realNow, caller.partnerId, params.id, allowHosts)),
      );
    },
  );

  app.post(
    '/partners/webhooks/subscriptions/:id/recover',
    {
      schema: {
        operationId: 'recoverWebhookSubscription',
        summary: 'Retry every delivery of a webhook subscription that failed since then',
        tags: ['Webhooks'],
        missing: ['Webhook subscription'],
        params: SubscriptionParams,
        body: RecoverDeliveries,
        response: { 200: RecoveredResponse },
      },
      config,
    },
    async ({ caller, params, body }) => {
      const input = { id: params.id, since: body.since };
      return success(await recoverDeliveries(db, clock.now(), caller.partnerId, input));
    },
  );

  app.get(
    '/partners/webhooks/deliveries',
    {
      schema: {
        operationId: 'listWebhookDeliveries',
        summary: 'List webhook deliveries, newest first',
        tags: ['Webhooks'],
        querystring: DeliveriesQuery,
        response: { 200: DeliveriesResponse },
      },
      config,
    },
    async ({ caller, query }) => {
      const found = await listDeliveries(db, { ...query, partnerId: caller.partnerId });
      return successPage(query, found, deliveryView);
    },
  );

  app.get(
    '/partners/webhooks/deliveries/:id',
    {
      schema: {
        operationId: 'getWebhookDelivery',
        summary: 'Read a webhook delivery with its payload and attempts',
        tags: ['Webhooks'],
        missing: ['Webhook delivery'],
        params: DeliveryParams,
        response: { 200: DeliveryDetailResponse },
      },
      config,
    },
    async ({ caller, params }) =>
      success(deliveryDetailView(await readDelivery(db, caller.partnerId, params.id))),
  );

  app.post(
    '/partners/webhooks/deliveries/:id/retry',
    {
      schema: {
        operationId: 'retryWebhookDelivery',
        summary: 'Try a failed webhook delivery again at once',
        tags: ['Webhooks'],
        errors: ['DELIVERY_NOT_RETRYABLE'],
        missing: ['Webhook delivery'],
        params: DeliveryParams,
        body: NoFields,
        optionalBody: true,
        response: { 200: DeliveryResponse },
      },
      config,
      preValidation: absentBodyIsEmpty,
    },
    async ({ caller, params }) =>
      success(deliveryView(await retryDelivery(db, clock.now(), caller.partnerId, params.id))),
  );
}
