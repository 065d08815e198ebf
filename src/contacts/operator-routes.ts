import { orNotFound } from '../base/errors.ts';
import type { App } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import { IdParams } from '../http/schemas.ts';
import type { Deps } from '../program/deps.ts';
import { findContactOfAny, listAddresses } from './queries.ts';
import { OperatorContactResponse } from './schema.ts';
import { contactDetailView } from './view.ts';

/** Customers of all partners in the operator API. */
export function contactOperatorRoutes(app: App, { db }: Pick<Deps, 'db'>): void {
  app.get(
    '/contacts/:id',
    {
      schema: {
        operationId: 'getCustomer',
        summary: "Read a partner's contact and its addresses",
        description: 'What booking for the customer takes; `GET /operator/search` finds contacts.',
        tags: ['Contacts'],
        missing: ['Contact'],
        params: IdParams,
        response: { 200: OperatorContactResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ params }) => {
      const contact = await orNotFound(findContactOfAny(db, params.id), 'Contact');
      const addresses = await listAddresses(db, contact.id);
      return success({
        ...contactDetailView({ contact, addresses }),
        partnerId: contact.partner_id,
        partnerName: contact.partner_name,
      });
    },
  );
}
