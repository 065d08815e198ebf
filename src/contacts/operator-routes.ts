import { type Instant, toRiyadhIso } from '../base/clock.ts';
import { orNotFound } from '../base/errors.ts';
import { audit } from '../db/audit.ts';
import type { Tx } from '../db/connection.ts';
import type { App } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import { IdParams } from '../http/schemas.ts';
import type { Deps } from '../program/deps.ts';
import { contactOf, correctAddress, correctContact } from './corrections.ts';
import { type ContactOfAny, findContactOfAny, listAddresses } from './queries.ts';
import {
  ADDRESS_CONFLICTS,
  AddressResponse,
  OperatorContactResponse,
  RevealedPhoneResponse,
  UPDATE_ADDRESS,
  UpdateAddress,
  UpdateContact,
} from './schema.ts';
import type { AddressRow } from './table.ts';
import { addressView, contactDetailView } from './view.ts';

/** Customers of all partners in the operator API. */
export function contactOperatorRoutes(
  app: App,
  { db, clock, checkPlace }: Pick<Deps, 'db' | 'clock' | 'checkPlace'>,
): void {
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
      return success(customerView({ contact, addresses: await listAddresses(db, contact.id) }));
    },
  );

  app.post(
    '/contacts/:id/reveal',
    {
      schema: {
        operationId: 'revealPhone',
        summary: "Read the phone of a partner's contact, which viewers see masked",
        description: 'Each call is recorded in the audit log, without the number.',
        tags: ['Contacts'],
        missing: ['Contact'],
        params: IdParams,
        response: { 200: RevealedPhoneResponse },
      },
      config: { role: 'viewer', showsPhone: true },
    },
    async ({ actor, params }) =>
      success(
        await db.transaction(async (tx) => {
          const { phone } = await contactOf(tx, { partnerId: null, id: params.id });
          const target = `contact:${params.id}`;
          await audit(tx, clock.now(), { actor, action: 'contact.reveal', target });
          return { phone };
        }),
      ),
  );

  app.patch(
    '/contacts/:id',
    {
      schema: {
        operationId: 'updateCustomer',
        summary: "Correct the name of a partner's contact",
        tags: ['Contacts'],
        missing: ['Contact'],
        params: IdParams,
        body: UpdateContact,
        response: { 200: OperatorContactResponse },
      },
      config: { role: 'dispatcher' },
    },
    async ({ actor, params, body }) => {
      const record = (tx: Tx, fields: string[]) =>
        audit(tx, clock.now(), {
          actor,
          action: 'contact.update',
          target: `contact:${params.id}`,
          // Without personal data: the audit log is never erased.
          after: { id: params.id, fields },
        });
      return success(
        customerView(await correctContact(db, { partnerId: null, id: params.id }, body, record)),
      );
    },
  );

  app.patch(
    '/addresses/:id',
    {
      schema: {
        operationId: 'updateCustomerAddress',
        summary: "Correct an address of a partner's contact",
        description: UPDATE_ADDRESS,
        tags: ['Contacts'],
        missing: ['Address'],
        errors: ADDRESS_CONFLICTS,
        params: IdParams,
        body: UpdateAddress,
        response: { 200: AddressResponse },
      },
      config: { role: 'dispatcher' },
    },
    async ({ actor, params, body }) => {
      const record = (tx: Tx, fields: string[]) =>
        audit(tx, clock.now(), {
          actor,
          action: 'address.update',
          target: `address:${params.id}`,
          after: { id: params.id, fields },
        });
      return success(
        addressView(
          await correctAddress({ db, checkPlace }, { partnerId: null, id: params.id }, body, record),
        ),
      );
    },
  );
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
    erasedAt: erasedAt === null ? null : toRiyadhIso(erasedAt),
  };
}
