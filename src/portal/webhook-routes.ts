import { canonicalJson } from '../base/canonical-json.ts';
import { HOUR, type Instant } from '../base/clock.ts';
import type { Links } from '../bookings/links.ts';
import { type App, absentBodyIsEmpty } from '../http/edge.ts';
import { success, successPage } from '../http/envelope.ts';
import { NoFields } from '../http/schemas.ts';
import type { Deps } from '../program/deps.ts';
import {
  listDeliveries,
  readDelivery,
  recoverDeliveries,
  replayForPartner,
  retryDelivery,
} from '../webhooks/deliveries.ts';
import { DeliveryParams, REPLAY, RETRY } from '../webhooks/delivery-schema.ts';
import { MAX_SUBSCRIPTIONS } from '../webhooks/rules.ts';
import { headersSent } from '../webhooks/signature.ts';
import { findSubscription, listSubscriptionRows } from '../webhooks/subscription-queries.ts';
import {
  RecoverDeliveries,
  RecoveredResponse,
  SubscriptionParams,
  TestResultResponse,
} from '../webhooks/subscription-schema.ts';
import type { DeliveryDetail, DeliveryRow } from '../webhooks/table.ts';
import { sendTestEvent } from '../webhooks/test-event.ts';
import { deliveryDetailView, deliveryView, subscriptionView, testResultView } from '../webhooks/view.ts';
import { shownLinks } from './booking-routes.ts';
import {
  DeliveriesResponse,
  DeliveryDetailResponse,
  DeliveryResponse,
  PortalDeliveriesQuery,
  SubscriptionsResponse,
} from './webhook-schema.ts';

const config = { permission: 'partner_webhooks_manage' as const };
const ALL = { limit: MAX_SUBSCRIPTIONS, offset: 0 };

type PortalWebhookDeps = Pick<Deps, 'db' | 'clock' | 'sealer' | 'tracking' | 'outbound' | 'config'>;

/** Subscriptions and deliveries of the partner, and retries on request. */
export function portalWebhookRoutes(app: App, deps: PortalWebhookDeps): void {
  subscriptionRoutes(app, deps);
  deliveryRoutes(app, deps);
}

function subscriptionRoutes(app: App, deps: PortalWebhookDeps): void {
  const { db, clock } = deps;
  app.get(
    '/subscriptions',
    {
      schema: {
        operationId: 'listSubscriptions',
        summary: 'List the webhook subscriptions, active or not, those that fail first',
        tags: ['Webhooks'],
        response: { 200: SubscriptionsResponse },
      },
      config,
    },
    async ({ visitor: { partnerId } }) => {
      const { rows } = await listSubscriptionRows(db, { partnerId }, ALL);
      const sorted = rows.toSorted((one, other) => other.failures_in_a_row - one.failures_in_a_row);
      const now = clock.now();
      return success(
        sorted.map((row) => ({ ...subscriptionView(row, now), failures: row.failures_in_a_row })),
      );
    },
  );

  app.post(
    '/subscriptions/:id/test',
    {
      schema: {
        operationId: 'testSubscription',
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
    async ({ visitor, params }) => {
      const now = clock.now();
      const allowHosts = deps.config.webhookAllowHosts;
      const subscription = { partnerId: visitor.partnerId, id: params.id };
      const times = { now, realNow: now - clock.offset() };
      return success(testResultView(await sendTestEvent({ ...deps, allowHosts }, times, subscription)));
    },
  );

  app.post(
    '/subscriptions/:id/recover',
    {
      schema: {
        operationId: 'recoverSubscription',
        summary: 'Retry all deliveries of a subscription that failed since a given time or wait for a retry',
        tags: ['Webhooks'],
        missing: ['Webhook subscription'],
        params: SubscriptionParams,
        body: RecoverDeliveries,
        response: { 200: RecoveredResponse },
      },
      config,
    },
    async ({ visitor, params, body }) => {
      const input = { partnerId: visitor.partnerId, id: params.id, since: body.since };
      return success(await recoverDeliveries(db, clock.now(), input));
    },
  );
}

function deliveryRoutes(app: App, deps: Pick<Deps, 'db' | 'clock' | 'config' | 'sealer' | 'tracking'>): void {
  const { db, clock } = deps;
  const urlsOf = async (partnerId: string): Promise<Map<string, string>> => {
    const { rows } = await listSubscriptionRows(db, { partnerId }, ALL);
    return new Map(rows.map(({ id, url }) => [id, url]));
  };

  app.get(
    '/deliveries',
    {
      schema: {
        operationId: 'listDeliveries',
        summary: 'List webhook deliveries, newest first',
        tags: ['Webhooks'],
        querystring: PortalDeliveriesQuery,
        response: { 200: DeliveriesResponse },
      },
      config,
    },
    async ({ visitor: { partnerId }, query }) => {
      const now = clock.now();
      const { failingWithinHours, ...filter } = query;
      const failing =
        failingWithinHours === undefined ? {} : { failingSince: now - failingWithinHours * HOUR };
      const found = await listDeliveries(db, { ...filter, ...failing, partnerId });
      const urls = await urlsOf(partnerId);
      return successPage(query, found, (row) => portalDeliveryView(row, urls, now));
    },
  );

  app.get(
    '/deliveries/:id',
    {
      schema: {
        operationId: 'getDelivery',
        summary: 'Read a webhook delivery: the body, and every attempt with the headers sent and the answer',
        tags: ['Webhooks'],
        missing: ['Webhook delivery'],
        params: DeliveryParams,
        response: { 200: DeliveryDetailResponse },
      },
      config,
    },
    async ({ visitor, params }) => {
      const links = shownLinks(deps, visitor);
      const delivery = await readDelivery(db, visitor.partnerId, params.id);
      const subscription = await findSubscription(db, delivery.subscription_id);
      return success(portalDetailView(links, delivery, subscription?.url ?? null, clock.now()));
    },
  );

  app.post(
    '/deliveries/:id/retry',
    {
      schema: {
        operationId: 'retryDelivery',
        ...RETRY,
        params: DeliveryParams,
        response: { 200: DeliveryResponse },
      },
      config,
      preValidation: absentBodyIsEmpty,
    },
    async ({ visitor, params }) => {
      const now = clock.now();
      const retried = await retryDelivery(db, now, visitor.partnerId, params.id);
      return success(portalDeliveryView(retried, await urlsOf(visitor.partnerId), now));
    },
  );

  app.post(
    '/deliveries/:id/replay',
    {
      schema: {
        operationId: 'replayDelivery',
        ...REPLAY,
        params: DeliveryParams,
        response: { 200: DeliveryResponse },
      },
      config,
      preValidation: absentBodyIsEmpty,
    },
    async ({ visitor, params }) => {
      const now = clock.now();
      const replay = await replayForPartner(db, now, visitor.partnerId, params.id);
      return success(portalDeliveryView(replay, await urlsOf(visitor.partnerId), now));
    },
  );
}

function portalDeliveryView(row: DeliveryRow, urls: ReadonlyMap<string, string>, now: Instant) {
  const url = urls.get(row.subscription_id) ?? null;
  return { ...deliveryView(row, now), eventId: row.event_id, bookingId: row.booking_id, url };
}

function portalDetailView(links: Links, row: DeliveryDetail, url: string | null, now: Instant) {
  const { attempts, ...detail } = deliveryDetailView(links, row, now);
  return {
    ...detail,
    url,
    body: canonicalJson({ deliveryId: row.id, event: row.event, payload: detail.payload }),
    attempts: attempts.map((attempt, index) => {
      const sent = row.attempts[index]?.sent ?? null;
      const headers = sent === null ? {} : headersSent(row.id, row.event, sent);
      return { ...attempt, headers: Object.entries(headers).map(([name, value]) => ({ name, value })) };
    }),
  };
}
