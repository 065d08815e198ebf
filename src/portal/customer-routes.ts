import { readContact } from '../contacts/contacts.ts';
import { correctAddress, correctContact } from '../contacts/corrections.ts';
import { findContactByPhone, listAddresses } from '../contacts/queries.ts';
import { guessPhone, normalizePhone } from '../contacts/rules.ts';
import {
  ADDRESS_CONFLICTS,
  AddressParams,
  AddressResponse,
  ContactDetailResponse,
  ContactParams,
  UPDATE_ADDRESS,
  UpdateAddress,
  UpdateContact,
} from '../contacts/schema.ts';
import { addressView, contactDetailView } from '../contacts/view.ts';
import { exportCustomer } from '../customers/export.ts';
import { CustomerExportResponse, EXPORT_DESCRIPTION } from '../customers/export-schema.ts';
import type { App } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import { eraseContact } from '../privacy/erasure.ts';
import {
  ERASE_CONFLICTS,
  ERASE_DESCRIPTION,
  EraseContact,
  ErasedContactResponse,
} from '../privacy/schema.ts';
import { erasedView } from '../privacy/view.ts';
import type { Deps } from '../program/deps.ts';
import { ContactsQuery, ContactsResponse } from './customer-schema.ts';

const config = { permission: 'partner_contacts_read' as const };

/** The partner's customers: what is stored about one, and its correction. */
export function portalCustomerRoutes(
  app: App,
  {
    clock,
    checkPlace,
    ...deps
  }: Pick<Deps, 'db' | 'clock' | 'phoneHash' | 'requestLog' | 'checkPlace' | 'logger'>,
): void {
  const { db } = deps;
  app.get(
    '/contacts',
    {
      schema: {
        operationId: 'findContacts',
        summary: 'Find the contact with a phone',
        tags: ['Contacts'],
        querystring: ContactsQuery,
        response: { 200: ContactsResponse },
      },
      config,
    },
    async ({ visitor, query: { phone } }) => {
      if (phone === undefined) return success([]);
      const wanted = normalizePhone(phone) ?? guessPhone(phone)!;
      const contact = await findContactByPhone(db, visitor.partnerId, wanted);
      if (contact === null) return success([]);
      return success([contactDetailView({ contact, addresses: await listAddresses(db, contact.id) })]);
    },
  );

  app.get(
    '/contacts/:contactId',
    {
      schema: {
        operationId: 'getContact',
        summary: 'Read a contact and its addresses',
        tags: ['Contacts'],
        params: ContactParams,
        response: { 200: ContactDetailResponse },
      },
      config,
    },
    async ({ visitor, params }) =>
      success(contactDetailView(await readContact(db, visitor.partnerId, params.contactId))),
  );

  app.get(
    '/contacts/:contactId/export',
    {
      schema: {
        operationId: 'exportContact',
        summary: 'Copy what is stored about a contact',
        tags: ['Contacts'],
        description: EXPORT_DESCRIPTION,
        params: ContactParams,
        response: { 200: CustomerExportResponse },
      },
      config,
    },
    async ({ visitor, params }) =>
      success(await exportCustomer(db, clock.now(), { partnerId: visitor.partnerId, id: params.contactId })),
  );

  app.patch(
    '/contacts/:contactId',
    {
      schema: {
        operationId: 'updateContact',
        summary: 'Correct the name of a contact',
        tags: ['Contacts'],
        params: ContactParams,
        body: UpdateContact,
        response: { 200: ContactDetailResponse },
      },
      config,
    },
    async ({ visitor, params, body }) => {
      const owned = { partnerId: visitor.partnerId, id: params.contactId };
      return success(contactDetailView(await correctContact(db, owned, body)));
    },
  );

  app.patch(
    '/addresses/:addressId',
    {
      schema: {
        operationId: 'updateAddress',
        summary: 'Correct an address',
        tags: ['Contacts'],
        description: UPDATE_ADDRESS,
        errors: ADDRESS_CONFLICTS,
        params: AddressParams,
        body: UpdateAddress,
        response: { 200: AddressResponse },
      },
      config,
    },
    async ({ visitor, params, body }) => {
      const owned = { partnerId: visitor.partnerId, id: params.addressId };
      return success(addressView(await correctAddress({ db, checkPlace }, owned, body)));
    },
  );

  app.post(
    '/contacts/:contactId/erase',
    {
      schema: {
        operationId: 'eraseContact',
        summary: 'Erase what is stored about a contact',
        tags: ['Contacts'],
        description: ERASE_DESCRIPTION,
        errors: ERASE_CONFLICTS,
        params: ContactParams,
        body: EraseContact,
        response: { 200: ErasedContactResponse },
      },
      config: { permission: 'partner_contacts_erase' },
    },
    async ({ visitor, params, body }) => {
      const owned = { partnerId: visitor.partnerId, id: params.contactId };
      const erasure = {
        kind: 'ERASURE' as const,
        reason: body.reason,
        actor: `partner:${visitor.partnerId}`,
      };
      return success(erasedView(await eraseContact(deps, clock.now(), owned, erasure)));
    },
  );
}
