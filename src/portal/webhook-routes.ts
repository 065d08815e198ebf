import { canonicalJson } from '../base/canonical-json.ts';
import { HOUR, type Instant } from '../base/clock.ts';
import type { Links } from '../bookings/links.ts';
import type { Tracking } from '../bookings/tracking.ts';
import type { Sealer } from '../db/sealing.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { pageOf } from '../http/envelope.ts';
import { routesOf } from '../http/routes.ts';
import { NoFields } from '../http/schemas.ts';
import type { Outbound } from '../outbound/requests.ts';
import type { Deployment } from '../partners/keys.ts';
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
  Recovered,
  SubscriptionParams,
  TestResult,
} from '../webhooks/subscription-schema.ts';
import type { DeliveryDetail, DeliveryRow } from '../webhooks/table.ts';
import { sendTestEvent } from '../webhooks/test-event.ts';
import { deliveryDetailView, deliveryView, subscriptionView, testResultView } from '../webhooks/view.ts';
import { shownLinks } from './booking-routes.ts';
import {
  PortalDeliveriesQuery,
  PortalDelivery,
  PortalDeliveryDetail,
  PortalSubscription,
} from './webhook-schema.ts';

const ALL = { limit: MAX_SUBSCRIPTIONS, offset: 0 };

type PortalWebhookDeps = RouteParts & {
  sealer: Sealer;
  tracking: Tracking;
  outbound: Outbound;
  config: { deployment: Deployment; webhookAllowHosts: readonly string[] };
};

/** Subscriptions and deliveries of the partner, and retries on request. */
export function portalWebhookRoutes(app: App, deps: PortalWebhookDeps): void {
  subscriptionRoutes(app, deps);
  deliveryRoutes(app, deps);
}

function subscriptionRoutes(app: App, deps: PortalWebhookDeps): void {
  const { db, clock } = deps;
  const route = routesOf(app, {
    tags: ['Webhooks'],
    missing: ['Webhook subscription'],
    params: SubscriptionParams,
    config: { permission: 'partner_webhooks_manage' },
  });

  route.get('/portal/api/subscriptions', {
    operationId: 'listSubscriptions',
    summary: 'List the webhook subscriptions, active or not, those that fail first',
    response: { list: PortalSubscription },
    answer: async ({ visitor: { partnerId } }) => {
      const { rows } = await listSubscriptionRows(db, { partnerId }, ALL);
      const sorted = rows.toSorted((one, other) => other.failures_in_a_row - one.failures_in_a_row);
      const now = clock.now();
      return sorted.map((row) => ({ ...subscriptionView(row, now), failures: row.failures_in_a_row }));
    },
  });

  route.post('/portal/api/subscriptions/:id/test', {
    operationId: 'testSubscription',
    summary: 'Send a signed test event now and return its result',
    body: NoFields,
    response: { data: TestResult },
    answer: async ({ visitor, params }) => {
      const now = clock.now();
      const allowHosts = deps.config.webhookAllowHosts;
      const subscription = { partnerId: visitor.partnerId, id: params.id };
      const times = { now, realNow: now - clock.offset() };
      return testResultView(await sendTestEvent({ ...deps, allowHosts }, times, subscription));
    },
  });

  route.post('/portal/api/subscriptions/:id/recover', {
    operationId: 'recoverSubscription',
    summary: 'Retry all deliveries of a subscription that failed since a given time or wait for a retry',
    body: RecoverDeliveries,
    response: { data: Recovered },
    answer: async ({ visitor, params, body }) => {
      const input = { partnerId: visitor.partnerId, id: params.id, since: body.since };
      return await recoverDeliveries(db, clock.now(), input);
    },
  });
}

function deliveryRoutes(app: App, deps: PortalWebhookDeps): void {
  const { db, clock } = deps;
  const urlsOf = async (partnerId: string): Promise<Map<string, string>> => {
    const { rows } = await listSubscriptionRows(db, { partnerId }, ALL);
    return new Map(rows.map(({ id, url }) => [id, url]));
  };

  const route = routesOf(app, {
    tags: ['Webhooks'],
    params: DeliveryParams,
    config: { permission: 'partner_webhooks_manage' },
  });

  route.get('/portal/api/deliveries', {
    operationId: 'listDeliveries',
    summary: 'List webhook deliveries, newest first',
    query: PortalDeliveriesQuery,
    response: { page: PortalDelivery },
    answer: async ({ visitor: { partnerId }, query }) => {
      const now = clock.now();
      const { failingWithinHours, ...filter } = query;
      const failing =
        failingWithinHours === undefined ? {} : { failingSince: now - failingWithinHours * HOUR };
      const found = await listDeliveries(db, { ...filter, ...failing, partnerId });
      const urls = await urlsOf(partnerId);
      return pageOf(found, (row) => portalDeliveryView(row, urls, now));
    },
  });

  route.get('/portal/api/deliveries/:id', {
    operationId: 'getDelivery',
    summary: 'Read a webhook delivery: the body, and every attempt with the headers sent and the answer',
    missing: ['Webhook delivery'],
    response: { data: PortalDeliveryDetail },
    answer: async ({ visitor, params }) => {
      const links = shownLinks(deps, visitor);
      const delivery = await readDelivery(db, visitor.partnerId, params.id);
      const subscription = await findSubscription(db, delivery.subscription_id);
      return portalDetailView(links, delivery, subscription?.url ?? null, clock.now());
    },
  });

  route.post('/portal/api/deliveries/:id/retry', {
    operationId: 'retryDelivery',
    ...RETRY,
    response: { data: PortalDelivery },
    answer: async ({ visitor, params }) => {
      const now = clock.now();
      const retried = await retryDelivery(db, now, visitor.partnerId, params.id);
      return portalDeliveryView(retried, await urlsOf(visitor.partnerId), now);
    },
  });

  route.post('/portal/api/deliveries/:id/replay', {
    operationId: 'replayDelivery',
    ...REPLAY,
    response: { data: PortalDelivery },
    answer: async ({ visitor, params }) => {
      const now = clock.now();
      const replay = await replayForPartner(db, now, visitor.partnerId, params.id);
      return portalDeliveryView(replay, await urlsOf(visitor.partnerId), now);
    },
  });
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
