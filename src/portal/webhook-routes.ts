import { canonicalJson } from '../base/canonical-json.ts';
import type { Instant } from '../base/clock.ts';
import type { Links } from '../bookings/links.ts';
import type { Tracking } from '../bookings/tracking.ts';
import type { Sealer } from '../db/sealing.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { pageOf } from '../http/envelope.ts';
import { routesOf } from '../http/routes.ts';
import type { Outbound } from '../outbound/requests.ts';
import type { Deployment } from '../partners/keys.ts';
import { listDeliveries, readDelivery } from '../webhooks/deliveries.ts';
import { repeatRoutes } from '../webhooks/delivery-routes.ts';
import { DeliveryParams } from '../webhooks/delivery-schema.ts';
import { MAX_SUBSCRIPTIONS } from '../webhooks/rules.ts';
import { headersSent } from '../webhooks/signature.ts';
import { findSubscription, listSubscriptionRows } from '../webhooks/subscription-queries.ts';
import { subscriptionActionRoutes } from '../webhooks/subscription-routes.ts';
import type { DeliveryDetail, DeliveryRow } from '../webhooks/table.ts';
import { deliveryDetailView, deliveryView, subscriptionView } from '../webhooks/view.ts';
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

  const allowHosts = deps.config.webhookAllowHosts;
  subscriptionActionRoutes(app, { ...deps, allowHosts });
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
      const found = await listDeliveries(db, now, { ...query, partnerId });
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

  repeatRoutes(app, deps, PortalDelivery, async (row, now) =>
    portalDeliveryView(row, await urlsOf(row.partner_id), now),
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
