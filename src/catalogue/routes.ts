import type { Clock } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import type { App } from '../http/edge.ts';
import { pageOf, paging, successPage } from '../http/envelope.ts';
import { routesOf } from '../http/routes.ts';
import { offeredServices, readService } from './offered-services.ts';
import { ListServicesQuery, ListServicesResponse, Service, ServiceParams } from './schema.ts';
import { categoryView, serviceView } from './view.ts';

/** The services of sections 4.2 and, with `serviceDetailRoute`, 4.3. */
export function catalogueRoutes(
  app: App,
  { db, clock, serviceDetailRoute }: { db: Db; clock: Clock; serviceDetailRoute: boolean },
): void {
  const route = routesOf(app, {
    tags: ['Catalogue'],
    params: ServiceParams,
    config: { permission: 'partner_services_read' },
  });

  route.get('/v1/partners/services', {
    operationId: 'listServices',
    summary: 'List the services that can be booked at an address',
    description:
      'Categories with the services that you may book and that are available at the address, at your prices. Pages ' +
      'count categories. Where nothing is offered the list is empty, and `meta.reason` says why.',
    missing: ['Address'],
    query: ListServicesQuery,
    response: { body: ListServicesResponse },
    answer: async ({ caller, query }) => {
      const offered = await offeredServices(db, caller.partnerId, query.addressId, paging(query));
      const now = clock.now();
      const { meta, ...page } = successPage(
        query,
        pageOf(offered, (row) => categoryView(row, now)),
      );
      return { ...page, meta: { ...meta, ...(offered.unserved && { reason: offered.unserved }) } };
    },
  });

  if (!serviceDetailRoute) return;
  route.get('/v1/partners/services/:serviceId', {
    operationId: 'getService',
    summary: 'Read a service',
    description: 'A service that is enabled for you.',
    response: { data: Service },
    answer: async ({ caller, params }) =>
      serviceView(await readService(db, caller.partnerId, params.serviceId)),
  });
}
