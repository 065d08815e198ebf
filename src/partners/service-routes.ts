import type { App, RouteParts } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { PartnerParams } from './account-schema.ts';
import { PartnerServices, PutPartnerServices } from './service-schema.ts';
import { readPartnerServices, setPartnerServices } from './services.ts';
import { partnerServicesView } from './view.ts';

/** The services that a partner may book, and its prices, in the operator's interface. */
export function operatorPartnerServiceRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, { tags: ['Partners'], missing: ['Partner'], params: PartnerParams });

  route.get('/operator/partners/:id/services', {
    operationId: 'getPartnerServices',
    summary: 'Read the services that a partner may book, with their prices',
    etag: true,
    response: { data: PartnerServices },
    answer: async ({ params }) => partnerServicesView(await readPartnerServices(db, params.id), clock.now()),
  });

  route.put('/operator/partners/:id/services', {
    operationId: 'putPartnerServices',
    summary: 'Replace the services that a partner may book, with their prices',
    body: PutPartnerServices,
    ifMatch: true,
    etag: true,
    response: { data: PartnerServices },
    answer: async ({ actor, params, body, wanted }) => {
      const input = { ...body, partnerId: params.id, wantedVersions: wanted };
      const now = clock.now();
      return partnerServicesView(
        await db.transaction((tx) => setPartnerServices(tx, now, actor, input)),
        now,
      );
    },
  });
}
