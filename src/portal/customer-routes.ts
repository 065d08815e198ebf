import { findContactByPhone, listAddresses } from '../contacts/queries.ts';
import type { CheckPlace } from '../contacts/resolver.ts';
import { contactDetailRoutes } from '../contacts/routes.ts';
import { guessPhone, normalizePhone } from '../contacts/rules.ts';
import { ContactDetail } from '../contacts/schema.ts';
import { contactDetailView } from '../contacts/view.ts';
import { customerExportRoutes } from '../customers/export-routes.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { privacyRoutes } from '../privacy/routes.ts';
import type { PhoneHash } from '../privacy/rules.ts';
import type { RequestLog } from '../requests/recorder.ts';
import type { Logger } from '../runtime/logger.ts';
import { ContactsQuery } from './customer-schema.ts';

type PortalCustomerDeps = RouteParts & {
  phoneHash: PhoneHash;
  requestLog: RequestLog | null;
  checkPlace: CheckPlace;
  logger: Logger;
};

/** The partner's customers: what is stored about one, and its correction. */
export function portalCustomerRoutes(app: App, deps: PortalCustomerDeps): void {
  const { db } = deps;
  const route = routesOf(app, { tags: ['Contacts'], config: { permission: 'partner_contacts_read' } });

  route.get('/portal/api/contacts', {
    operationId: 'findContacts',
    summary: 'Find the contact with a phone',
    query: ContactsQuery,
    response: { list: ContactDetail },
    answer: async ({ visitor, query: { phone } }) => {
      if (phone === undefined) return [];
      const wanted = normalizePhone(phone) ?? guessPhone(phone)!;
      const contact = await findContactByPhone(db, visitor.partnerId, wanted);
      if (contact === null) return [];
      return [contactDetailView({ contact, addresses: await listAddresses(db, contact.id) })];
    },
  });

  contactDetailRoutes(app, deps);
  customerExportRoutes(app, deps);
  privacyRoutes(app, deps);
}
