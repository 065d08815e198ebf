import { ContactParams } from '../contacts/schema.ts';
import type { App } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import type { Deps } from '../program/deps.ts';
import { exportCustomer } from './export.ts';
import { CustomerExportResponse, EXPORT_DESCRIPTION } from './export-schema.ts';

/** The copy of a customer's data, for partners. */
export function customerExportRoutes(app: App, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  app.get(
    '/partners/contacts/:contactId/export',
    {
      schema: {
        operationId: 'exportContact',
        summary: 'Copy what is stored about a contact',
        tags: ['Contacts'],
        description: EXPORT_DESCRIPTION,
        params: ContactParams,
        response: { 200: CustomerExportResponse },
      },
      config: { permission: 'partner_contacts_read' },
    },
    async ({ caller, params }) =>
      success(await exportCustomer(db, clock.now(), { partnerId: caller.partnerId, id: params.contactId })),
  );
}
