import { ContactParams } from '../contacts/schema.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { exportCustomer } from './export.ts';
import { CustomerExport, EXPORT_DESCRIPTION } from './export-schema.ts';

/** The copy of a customer's data, for partners and on their pages. */
export function customerExportRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, {
    tags: ['Contacts'],
    params: ContactParams,
    config: { permission: 'partner_contacts_read' },
    inPortal: true,
  });

  route.get('/v1/partners/contacts/:contactId/export', {
    operationId: 'exportContact',
    summary: 'Copy what is stored about a contact',
    description: EXPORT_DESCRIPTION,
    response: { data: CustomerExport },
    answer: async ({ account, params }) =>
      await exportCustomer(db, clock.now(), { partnerId: account.partnerId, id: params.contactId }),
  });
}
