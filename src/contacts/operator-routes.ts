import { type Instant, riyadhIsoOrNull } from '../base/clock.ts';
import { orNotFound } from '../base/errors.ts';
import { audit } from '../db/audit.ts';
import type { Tx } from '../db/connection.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { IdParams } from '../http/schemas.ts';
import { contactOf, correctAddress, correctContact } from './corrections.ts';
import { type ContactOfAny, findContactOfAny, listAddresses } from './queries.ts';
import type { CheckPlace, LocateAddress } from './resolver.ts';
import {
  ADDRESS_CONFLICTS,
  Address,
  LocatedAddress,
  LocateShortAddress,
  OperatorContact,
  RevealedPhone,
  UPDATE_ADDRESS,
  UpdateAddress,
  UpdateContact,
} from './schema.ts';
import type { AddressRow } from './table.ts';
import { addressView, contactDetailView } from './view.ts';

/** Customers of all partners in the operator API. */
export function contactOperatorRoutes(
  app: App,
  { db, clock, checkPlace, locate }: RouteParts & { checkPlace: CheckPlace; locate: LocateAddress },
): void {
  const route = routesOf(app, { tags: ['Contacts'], missing: ['Contact'], params: IdParams });

  route.get('/operator/contacts/:id', {
    operationId: 'getCustomer',
    summary: "Read a partner's contact and its addresses",
    description: 'What booking for the customer takes; `GET /operator/search` finds contacts.',
    response: { data: OperatorContact },
    answer: async ({ params }) => {
      const contact = await orNotFound(findContactOfAny(db, params.id), 'Contact');
      return customerView({ contact, addresses: await listAddresses(db, contact.id) });
    },
  });

  route.post('/operator/contacts/:id/reveal', {
    operationId: 'revealPhone',
    summary: "Read the phone of a partner's contact, which viewers see masked",
    description: 'Each call is recorded in the audit log, without the number.',
    config: { role: 'viewer', showsPhone: true },
    response: { data: RevealedPhone },
    answer: async ({ actor, params }) =>
      await db.transaction(async (tx) => {
        const { phone } = await contactOf(tx, { partnerId: null, id: params.id });
        const target = `contact:${params.id}`;
        await audit(tx, clock.now(), { actor, action: 'contact.reveal', target });
        return { phone };
      }),
  });

  route.patch('/operator/contacts/:id', {
    operationId: 'updateCustomer',
    summary: "Correct name and language of a partner's contact",
    body: UpdateContact,
    config: { role: 'dispatcher' },
    response: { data: OperatorContact },
    answer: async ({ actor, params, body }) => {
      const record = (tx: Tx, fields: string[]) =>
        audit(tx, clock.now(), {
          actor,
          action: 'contact.update',
          target: `contact:${params.id}`,
          // Without personal data: the audit log is never erased.
          after: { id: params.id, fields },
        });
      return customerView(await correctContact(db, { partnerId: null, id: params.id }, body, record));
    },
  });

  routesOf(app, { tags: ['Contacts'] }).post('/operator/addresses/locate', {
    operationId: 'locateShortAddress',
    summary: 'Find the coordinates of a short address',
    description: 'Of the National Address, from the provider of `ADDRESS_RESOLVER`.',
    body: LocateShortAddress,
    config: { role: 'dispatcher' },
    response: { data: LocatedAddress },
    answer: async ({ body }) => {
      const { outcome, place } = await locate(body.shortAddress);
      const [latitude = null, longitude = null] = place ? [`${place.latitude}`, `${place.longitude}`] : [];
      return { outcome, latitude, longitude };
    },
  });

  route.patch('/operator/addresses/:id', {
    operationId: 'updateCustomerAddress',
    summary: "Correct an address of a partner's contact",
    description: UPDATE_ADDRESS,
    missing: ['Address'],
    errors: ADDRESS_CONFLICTS,
    body: UpdateAddress,
    config: { role: 'dispatcher' },
    response: { data: Address },
    answer: async ({ actor, params, body }) => {
      const record = (tx: Tx, fields: string[]) =>
        audit(tx, clock.now(), {
          actor,
          action: 'address.update',
          target: `address:${params.id}`,
          after: { id: params.id, fields },
        });
      return addressView(
        await correctAddress({ db, checkPlace }, { partnerId: null, id: params.id }, body, record),
      );
    },
  });
}

type Customer = {
  contact: Omit<ContactOfAny, 'erased_at'> & { erased_at?: Instant | null };
  addresses: AddressRow[];
};

function customerView({ contact, addresses }: Customer) {
  const { erased_at: erasedAt = null } = contact;
  return {
    ...contactDetailView({ contact, addresses }),
    partnerId: contact.partner_id,
    partnerName: contact.partner_name,
    erasedAt: riyadhIsoOrNull(erasedAt),
  };
}
