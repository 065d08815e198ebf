import type { Static, TSchema } from 'typebox';
import type { Instant } from '../base/clock.ts';
import { linksOf } from '../bookings/links.ts';
import type { Tracking } from '../bookings/tracking.ts';
import type { Sealer } from '../db/sealing.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { pageOf } from '../http/envelope.ts';
import { routesOf } from '../http/routes.ts';
import { listDeliveries, readDelivery, replayForPartner, retryDelivery } from './deliveries.ts';
import {
  DeliveriesQuery,
  Delivery,
  DeliveryDetail,
  DeliveryParams,
  REPLAY,
  RETRY,
} from './delivery-schema.ts';
import type { DeliveryRow } from './table.ts';
import { deliveryDetailView, deliveryView } from './view.ts';

const DELIVERIES = {
  tags: ['Webhooks'],
  params: DeliveryParams,
  config: { permission: 'partner_webhooks_manage' },
} as const;

/** Deliveries of a partner's subscriptions, manual retries and replays. */
export function deliveryRoutes(app: App, deps: RouteParts & { sealer: Sealer; tracking: Tracking }): void {
  const { db, clock } = deps;
  const route = routesOf(app, DELIVERIES);

  route.get('/v1/partners/webhooks/deliveries', {
    operationId: 'listWebhookDeliveries',
    summary: 'List webhook deliveries, newest first',
    query: DeliveriesQuery,
    response: { page: Delivery },
    answer: async ({ caller, query }) => {
      const now = clock.now();
      const found = await listDeliveries(db, now, { ...query, partnerId: caller.partnerId });
      return pageOf(found, (row) => deliveryView(row, now));
    },
  });

  route.get('/v1/partners/webhooks/deliveries/:id', {
    operationId: 'getWebhookDelivery',
    summary: 'Read a webhook delivery with its payload and attempts',
    missing: ['Webhook delivery'],
    response: { data: DeliveryDetail },
    answer: async ({ caller, params }) => {
      const delivery = await readDelivery(db, caller.partnerId, params.id);
      return deliveryDetailView(linksOf(deps, caller), delivery, clock.now());
    },
  });

  repeatRoutes(app, deps, Delivery, deliveryView);
}

/** Retries and replays on request, also on the pages of partners. */
export function repeatRoutes<Shown extends TSchema>(
  app: App,
  { db, clock }: RouteParts,
  shown: Shown,
  viewOf: (row: DeliveryRow, now: Instant) => Static<Shown> | Promise<Static<Shown>>,
): void {
  const route = routesOf(app, { ...DELIVERIES, inPortal: true });
  const response = { data: shown } as { data: TSchema };

  route.post('/v1/partners/webhooks/deliveries/:id/retry', {
    operationId: 'retryWebhookDelivery',
    ...RETRY,
    response,
    answer: async ({ account, params }) => {
      const now = clock.now();
      return await viewOf(await retryDelivery(db, now, account.partnerId, params.id), now);
    },
  });

  route.post('/v1/partners/webhooks/deliveries/:id/replay', {
    operationId: 'replayWebhookDelivery',
    description:
      'For a receiver that has lost what it accepted. The replay has an ID of its own and `replay` above 0. ' +
      'While one is yet to arrive, it is returned again.',
    ...REPLAY,
    response,
    answer: async ({ account, params }) => {
      const now = clock.now();
      return await viewOf(await replayForPartner(db, now, account.partnerId, params.id), now);
    },
  });
}
