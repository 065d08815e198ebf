import type { Db } from '../db/connection.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { createContactFinder, readContact } from './contacts.ts';
import { correctAddress, correctContact } from './corrections.ts';
import type { CheckPlace } from './resolver.ts';
import {
  ADDRESS_CONFLICTS,
  Address,
  AddressParams,
  ContactDetail,
  ContactParams,
  ContactResult,
  FindOrCreateContact,
  UPDATE_ADDRESS,
  UpdateAddress,
  UpdateContact,
} from './schema.ts';
import { addressView, contactDetailView, contactResultView } from './view.ts';

const CONTACTS = {
  tags: ['Contacts'],
  params: ContactParams,
  config: { permission: 'partner_contacts_read' },
} as const;

/** Finding or creating a contact: section 4.1. */
export function contactRoutes(
  app: App,
  { db, clock, checkPlace }: RouteParts & { checkPlace: CheckPlace },
): void {
  const findOrCreate = createContactFinder(db);
  const route = routesOf(app, CONTACTS);

  route.post('/v1/partners/contacts', {
    operationId: 'findOrCreateContact',
    summary: 'Find or create a contact',
    description:
      'Call it before booking. Contacts are identified by phone; an existing contact keeps its ' +
      'name. With any address field, the address is also matched or created, and `addressId` is ' +
      'set; booking needs an address with coordinates. At one point, another `buildingNumber`, `unit`, ' +
      '`shortAddress`, street, district or city than that of an address makes another address; empty texts ' +
      'are filled in.',
    body: FindOrCreateContact,
    config: { makesNoWork: true },
    response: { data: ContactResult },
    answer: async ({ caller, body }) => {
      const partner = { id: caller.partnerId, name: caller.partnerName };
      await checkPlace(body);
      return contactResultView(await findOrCreate(clock.now(), partner, body));
    },
  });
}

/** Reading and correcting a contact: section 4.14. */
export function contactDetailRoutes(app: App, { db, checkPlace }: { db: Db; checkPlace: CheckPlace }): void {
  const route = routesOf(app, { ...CONTACTS, inPortal: true });

  route.get('/v1/partners/contacts/:contactId', {
    operationId: 'getContact',
    summary: 'Read a contact and its addresses',
    description: 'One of your contacts, with all its addresses.',
    response: { data: ContactDetail },
    answer: async ({ account, params }) =>
      contactDetailView(await readContact(db, account.partnerId, params.contactId)),
  });

  route.patch('/v1/partners/contacts/:contactId', {
    operationId: 'updateContact',
    summary: 'Correct name and language of a contact',
    description: 'The phone stays: it is what identifies the contact.',
    body: UpdateContact,
    response: { data: ContactDetail },
    answer: async ({ account, params, body }) => {
      const owned = { partnerId: account.partnerId, id: params.contactId };
      return contactDetailView(await correctContact(db, owned, body));
    },
  });

  route.patch('/v1/partners/addresses/:addressId', {
    operationId: 'updateAddress',
    summary: 'Correct an address',
    description: UPDATE_ADDRESS,
    errors: ADDRESS_CONFLICTS,
    params: AddressParams,
    body: UpdateAddress,
    response: { data: Address },
    answer: async ({ account, params, body }) => {
      const owned = { partnerId: account.partnerId, id: params.addressId };
      return addressView(await correctAddress({ db, checkPlace }, owned, body));
    },
  });
}
