import type { Db } from '../db/connection.ts';
import type { App } from '../http/edge.ts';
import { paging, success, successPage } from '../http/envelope.ts';
import { offeredServices, readService } from './offered-services.ts';
import { ListServicesQuery, ListServicesResponse, ServiceParams, ServiceResponse } from './schema.ts';
import { categoryView, serviceView } from './view.ts';

/** The services of sections 4.2 and, with `serviceDetailRoute`, 4.3. */
export function catalogueRoutes(
  app: App,
  { db, serviceDetailRoute }: { db: Db; serviceDetailRoute: boolean },
): void {
  app.get(
    '/partners/services',
    {
      schema: {
        operationId: 'listServices',
        summary: 'List the services that can be booked at an address',
        tags: ['Catalogue'],
        description:
          'Categories with the services that you may book and that are available at the address, at your prices. Pages ' +
          'count categories. Where nothing is offered the list is empty, and `meta.reason` says why.',
        missing: ['Address'],
        querystring: ListServicesQuery,
        response: { 200: ListServicesResponse },
      },
      config: { permission: 'partner_services_read' },
    },
    async ({ caller, query }) => {
      const offered = await offeredServices(db, caller.partnerId, query.addressId, paging(query));
      const { meta, ...page } = successPage(query, offered, categoryView);
      return { ...page, meta: { ...meta, ...(offered.unserved && { reason: offered.unserved }) } };
    },
  );

  if (!serviceDetailRoute) return;
  app.get(
    '/partners/services/:serviceId',
    {
      schema: {
        operationId: 'getService',
        summary: 'Read a service',
        tags: ['Catalogue'],
        description: 'A service that is enabled for you.',
        params: ServiceParams,
        response: { 200: ServiceResponse },
      },
      config: { permission: 'partner_services_read' },
    },
    async ({ caller, params }) =>
      success(serviceView(await readService(db, caller.partnerId, params.serviceId))),
  );
}
