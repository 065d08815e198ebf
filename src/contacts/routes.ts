import type { App } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import type { Deps } from '../program/deps.ts';
import { createContactFinder, readContact } from './contacts.ts';
import { correctAddress, correctContact } from './corrections.ts';
import {
  ADDRESS_CONFLICTS,
  AddressParams,
  AddressResponse,
  ContactDetailResponse,
  ContactParams,
  ContactResultResponse,
  FindOrCreateContact,
  UPDATE_ADDRESS,
  UpdateAddress,
  UpdateContact,
} from './schema.ts';
import { addressView, contactDetailView, contactResultView } from './view.ts';

/** The contacts of sections 4.1 and 4.14. */
export function contactRoutes(
  app: App,
  { db, clock, checkPlace }: Pick<Deps, 'db' | 'clock' | 'checkPlace'>,
): void {
  const findOrCreate = createContactFinder(db);
  app.post(
    '/partners/contacts',
    {
      schema: {
        operationId: 'findOrCreateContact',
        summary: 'Find or create a contact',
        tags: ['Contacts'],
        description:
          'Call it before booking. Contacts are identified by phone; an existing contact keeps its ' +
          'name. With any address field, the address is also matched or created, and `addressId` is ' +
          'set; booking needs an address with coordinates. At one point, another `buildingNumber`, `unit`, ' +
          '`shortAddress`, street, district or city than that of an address makes another address; empty texts ' +
          'are filled in.',
        body: FindOrCreateContact,
        response: { 200: ContactResultResponse },
      },
      config: { permission: 'partner_contacts_read', makesNoWork: true },
    },
    async ({ caller, body }) => {
      const partner = { id: caller.partnerId, name: caller.partnerName };
      await checkPlace(body);
      return success(contactResultView(await findOrCreate(clock.now(), partner, body)));
    },
  );

  app.get(
    '/partners/contacts/:contactId',
    {
      schema: {
        operationId: 'getContact',
        summary: 'Read a contact and its addresses',
        tags: ['Contacts'],
        description: 'One of your contacts, with all its addresses.',
        params: ContactParams,
        response: { 200: ContactDetailResponse },
      },
      config: { permission: 'partner_contacts_read' },
    },
    async ({ caller, params }) =>
      success(contactDetailView(await readContact(db, caller.partnerId, params.contactId))),
  );

  app.patch(
    '/partners/contacts/:contactId',
    {
      schema: {
        operationId: 'updateContact',
        summary: 'Correct the name of a contact',
        tags: ['Contacts'],
        description: 'The phone stays: it is what identifies the contact.',
        params: ContactParams,
        body: UpdateContact,
        response: { 200: ContactDetailResponse },
      },
      config: { permission: 'partner_contacts_read' },
    },
    async ({ caller, params, body }) => {
      const owned = { partnerId: caller.partnerId, id: params.contactId };
      return success(contactDetailView(await correctContact(db, owned, body)));
    },
  );

  app.patch(
    '/partners/addresses/:addressId',
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
      config: { permission: 'partner_contacts_read' },
    },
    async ({ caller, params, body }) => {
      const owned = { partnerId: caller.partnerId, id: params.addressId };
      return success(addressView(await correctAddress({ db, checkPlace }, owned, body)));
    },
  );
}
