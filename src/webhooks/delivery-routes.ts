import type { Clock } from '../base/clock.ts';
import { linksOf } from '../bookings/links.ts';
import type { Tracking } from '../bookings/tracking.ts';
import type { Db } from '../db/connection.ts';
import type { Sealer } from '../db/sealing.ts';
import { type App, absentBodyIsEmpty } from '../http/edge.ts';
import { success, successPage } from '../http/envelope.ts';
import { listDeliveries, readDelivery, replayForPartner, retryDelivery } from './deliveries.ts';
import {
  DeliveriesQuery,
  DeliveriesResponse,
  DeliveryDetailResponse,
  DeliveryParams,
  DeliveryResponse,
  REPLAY,
  RETRY,
} from './delivery-schema.ts';
import { deliveryDetailView, deliveryView } from './view.ts';

const config = { permission: 'partner_webhooks_manage' as const };

/** Deliveries of a partner's subscriptions, manual retries and replays. */
export function deliveryRoutes(
  app: App,
  deps: { db: Db; clock: Clock; sealer: Sealer; tracking: Tracking },
): void {
  const { db, clock } = deps;
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
      const now = clock.now();
      return successPage(query, found, (row) => deliveryView(row, now));
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
    async ({ caller, params }) => {
      const delivery = await readDelivery(db, caller.partnerId, params.id);
      return success(deliveryDetailView(linksOf(deps, caller), delivery, clock.now()));
    },
  );

  app.post(
    '/partners/webhooks/deliveries/:id/retry',
    {
      schema: {
        operationId: 'retryWebhookDelivery',
        ...RETRY,
        params: DeliveryParams,
        response: { 200: DeliveryResponse },
      },
      config,
      preValidation: absentBodyIsEmpty,
    },
    async ({ caller, params }) => {
      const now = clock.now();
      return success(deliveryView(await retryDelivery(db, now, caller.partnerId, params.id), now));
    },
  );

  app.post(
    '/partners/webhooks/deliveries/:id/replay',
    {
      schema: {
        operationId: 'replayWebhookDelivery',
        ...REPLAY,
        description:
          'For a receiver that has lost what it accepted. The replay has an ID of its own and `replay` above 0. ' +
          'While one is yet to arrive, it is returned again.',
        params: DeliveryParams,
        response: { 200: DeliveryResponse },
      },
      config,
      preValidation: absentBodyIsEmpty,
    },
    async ({ caller, params }) => {
      const now = clock.now();
      return success(deliveryView(await replayForPartner(db, now, caller.partnerId, params.id), now));
    },
  );
}
