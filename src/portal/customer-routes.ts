import { readContact } from '../contacts/contacts.ts';
import { correctAddress, correctContact } from '../contacts/corrections.ts';
import { findContactByPhone, listAddresses } from '../contacts/queries.ts';
import type { CheckPlace } from '../contacts/resolver.ts';
import { guessPhone, normalizePhone } from '../contacts/rules.ts';
import {
  ADDRESS_CONFLICTS,
  Address,
  AddressParams,
  ContactDetail,
  ContactParams,
  UPDATE_ADDRESS,
  UpdateAddress,
  UpdateContact,
} from '../contacts/schema.ts';
import { addressView, contactDetailView } from '../contacts/view.ts';
import { exportCustomer } from '../customers/export.ts';
import { CustomerExport, EXPORT_DESCRIPTION } from '../customers/export-schema.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { eraseContact } from '../privacy/erasure.ts';
import type { PhoneHash } from '../privacy/rules.ts';
import { ERASE_CONFLICTS, ERASE_DESCRIPTION, EraseContact, ErasedContact } from '../privacy/schema.ts';
import { erasedView } from '../privacy/view.ts';
import type { RequestLog } from '../requests/recorder.ts';
import type { Logger } from '../runtime/logger.ts';
import { ContactsQuery } from './customer-schema.ts';

/** The partner's customers: what is stored about one, and its correction. */
export function portalCustomerRoutes(
  app: App,
  {
    clock,
    checkPlace,
    ...deps
  }: RouteParts & {
    phoneHash: PhoneHash;
    requestLog: RequestLog | null;
    checkPlace: CheckPlace;
    logger: Logger;
  },
): void {
  const { db } = deps;
  const route = routesOf(app, {
    tags: ['Contacts'],
    params: ContactParams,
    config: { permission: 'partner_contacts_read' },
  });

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

  route.get('/portal/api/contacts/:contactId', {
    operationId: 'getContact',
    summary: 'Read a contact and its addresses',
    response: { data: ContactDetail },
    answer: async ({ visitor, params }) =>
      contactDetailView(await readContact(db, visitor.partnerId, params.contactId)),
  });

  route.get('/portal/api/contacts/:contactId/export', {
    operationId: 'exportContact',
    summary: 'Copy what is stored about a contact',
    description: EXPORT_DESCRIPTION,
    response: { data: CustomerExport },
    answer: async ({ visitor, params }) =>
      await exportCustomer(db, clock.now(), { partnerId: visitor.partnerId, id: params.contactId }),
  });

  route.patch('/portal/api/contacts/:contactId', {
    operationId: 'updateContact',
    summary: 'Correct the name of a contact',
    body: UpdateContact,
    response: { data: ContactDetail },
    answer: async ({ visitor, params, body }) => {
      const owned = { partnerId: visitor.partnerId, id: params.contactId };
      return contactDetailView(await correctContact(db, owned, body));
    },
  });

  route.patch('/portal/api/addresses/:addressId', {
    operationId: 'updateAddress',
    summary: 'Correct an address',
    description: UPDATE_ADDRESS,
    errors: ADDRESS_CONFLICTS,
    params: AddressParams,
    body: UpdateAddress,
    response: { data: Address },
    answer: async ({ visitor, params, body }) => {
      const owned = { partnerId: visitor.partnerId, id: params.addressId };
      return addressView(await correctAddress({ db, checkPlace }, owned, body));
    },
  });

  route.post('/portal/api/contacts/:contactId/erase', {
    operationId: 'eraseContact',
    summary: 'Erase what is stored about a contact',
    description: ERASE_DESCRIPTION,
    errors: ERASE_CONFLICTS,
    body: EraseContact,
    config: { permission: 'partner_contacts_erase' },
    response: { data: ErasedContact },
    answer: async ({ visitor, params, body }) => {
      const owned = { partnerId: visitor.partnerId, id: params.contactId };
      const erasure = {
        kind: 'ERASURE' as const,
        reason: body.reason,
        actor: `partner:${visitor.partnerId}`,
      };
      return erasedView(await eraseContact(deps, clock.now(), owned, erasure));
    },
  });
}
