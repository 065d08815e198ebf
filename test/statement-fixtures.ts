import type { World } from './fixtures.ts';
import { createWorld } from './fixtures.ts';
import type { TestService } from './harness.ts';
import { type Context, made, type Refused, type Valid } from './openapi-context.ts';

/** Parties, and statements of a month that is over, for the tables of operations. */

export const PARTY = {
  legalNameEn: 'Riyadh Homes Company',
  legalNameAr: 'شركة بيوت الرياض',
  vatNumber: '300000000000003',
  registrationNumber: '7001234567',
  address: {
    buildingNumber: '7461',
    street: 'King Fahd Road',
    district: 'Al Olaya',
    city: 'Riyadh',
    postalCode: '12333',
    additionalNumber: null,
  },
};
export const SETTINGS = {
  seller: { ...PARTY, legalNameEn: 'Cleaning Company', vatNumber: '311111111111113' },
  vatRates: [{ from: '2020-07-01', percent: 15 }],
  vatCategories: { VISIT: 'S', FEE: 'O' },
};

const DONE_ON = '2026-10-05';
const MONTH = '2026-10';

export const openAccount = (
  service: TestService,
  { partnerId }: Pick<World, 'partnerId'>,
  openedOn: string,
) => made(service.operator('PUT', `/partners/${partnerId}/statement-account`, { buyer: PARTY, openedOn }));

/** A draft for the partner of the world, with a visit that was done in a month that is over. */
export async function drafted(service: TestService, world: World): Promise<string> {
  await made(service.operator('PUT', '/statement-settings', SETTINGS));
  await openAccount(service, world, '2026-10-01');
  const { bookingId } = (await made(world.book())) as unknown as { bookingId: string };
  const values = [bookingId];
  const { db } = service.deps;
  await db.rows({ text: `update bookings set service_date = '${DONE_ON}' where id = $1`, values });
  await db.rows({ text: `update appointments set status = 'Finished' where booking_id = $1`, values });
  return (await made(service.operator('POST', '/statements', { partnerId: world.partnerId, month: MONTH })))
    .id;
}

const newDraft = async ({ service }: Context): Promise<string> =>
  drafted(service, await createWorld(service));

async function newStatement(context: Context): Promise<string> {
  const id = await newDraft(context);
  await made(context.service.operator('POST', `/statements/${id}/issue`));
  return id;
}

const issuedFor = new WeakMap<World, Promise<string>>();

/** The statement of the context's partner. */
export function ownStatement({ service, world }: Pick<Context, 'service' | 'world'>): Promise<string> {
  const known = issuedFor.get(world) ?? issue();
  issuedFor.set(world, known);
  return known;

  async function issue(): Promise<string> {
    const id = await drafted(service, { ...world, book: () => world.book({ date: '2026-12-30' }) });
    await made(service.operator('POST', `/statements/${id}/issue`));
    return id;
  }
}

const FILES: Record<string, string> = {
  downloadStatementLines: 'lines.csv',
  downloadStatementInvoices: 'invoices.json',
  downloadStatementPage: 'print.html',
};
const filesOf = (prefix: string, idOf: (context: Context) => Promise<string>): Record<string, Valid> =>
  Object.fromEntries(
    Object.entries(FILES).map(([id, name]) => [
      id,
      async (context) => ({ path: `${prefix}/${await idOf(context)}/${name}` }),
    ]),
  );

export const STATEMENT_OPERATIONS: Record<string, Valid> = {
  listStatements: async (context) => {
    await ownStatement(context);
    return { path: '/partners/statements?limit=5' };
  },
  getStatement: async (context) => ({ path: `/partners/statements/${await ownStatement(context)}` }),
  ...filesOf('/partners/statements', ownStatement),
};

export const OPERATOR_STATEMENT_OPERATIONS: Record<string, Valid> = {
  getStatementSettings: () => ({ path: '/statement-settings' }),
  saveStatementSettings: () => ({ path: '/statement-settings', body: SETTINGS }),
  getStatementAccount: async ({ service, world }) => {
    await openAccount(service, world, '2026-10-01');
    return { path: `/partners/${world.partnerId}/statement-account` };
  },
  saveStatementAccount: ({ world }) => ({
    path: `/partners/${world.partnerId}/statement-account`,
    body: { buyer: PARTY, openedOn: '2026-10-01' },
  }),
  listStatements: () => ({ path: '/statements?month=2026-10&status=ISSUED&limit=5' }),
  createStatement: async ({ service, world }) => {
    await openAccount(service, world, '2026-10-01');
    return { path: '/statements', body: { partnerId: world.partnerId, month: '2026-11' } };
  },
  checkStatements: () => ({ path: '/statements/check' }),
  getStatement: async (context) => ({ path: `/statements/${await newDraft(context)}` }),
  listStatementLines: async (context) => ({ path: `/statements/${await newDraft(context)}/lines` }),
  ...filesOf('/statements', newStatement),
  issueStatement: async (context) => ({ path: `/statements/${await newDraft(context)}/issue` }),
  markStatementPaid: async (context) => ({
    path: `/statements/${await newStatement(context)}/paid`,
    body: { reference: 'SARIE 1', paidOn: '2026-11-20' },
  }),
  listBookingStatementLines: async (context) => {
    const { service } = context;
    const id = await newStatement(context);
    const [line] = (await made(service.operator('GET', `/statements/${id}/lines`))) as unknown as {
      bookingId: string;
    }[];
    return { path: `/bookings/${line!.bookingId}/statement-lines` };
  },
};

export const OPERATOR_STATEMENTS_REFUSED: Refused[] = [
  {
    id: 'createStatement',
    code: 'RESOURCE_NOT_FOUND',
    request: async ({ service }) => {
      const { partnerId } = await createWorld(service);
      return { path: '/statements', body: { partnerId, month: MONTH } };
    },
  },
  {
    id: 'createStatement',
    code: 'INVALID_TRANSITION',
    request: async ({ service }) => {
      const world = await createWorld(service);
      await drafted(service, world);
      return { path: '/statements', body: { partnerId: world.partnerId, month: '2026-11' } };
    },
  },
  {
    id: 'issueStatement',
    code: 'INVALID_TRANSITION',
    message: 'An earlier month is to be issued first',
    request: async (context) => {
      // A visit of the month before became known after the draft.
      const world = await createWorld(context.service);
      const id = await drafted(context.service, world);
      const text = `update bookings set service_date = '2026-09-20' where partner_id = $1`;
      await context.service.deps.db.rows({ text, values: [world.partnerId] });
      await openAccount(context.service, world, '2026-09-01');
      return { path: `/statements/${id}/issue` };
    },
  },
  {
    id: 'issueStatement',
    code: 'INVALID_TRANSITION',
    message: 'The month is not over',
    request: async ({ service }) => {
      const world = await createWorld(service);
      await openAccount(service, world, '2026-11-01');
      const body = { partnerId: world.partnerId, month: '2026-11' };
      return { path: `/statements/${(await made(service.operator('POST', '/statements', body))).id}/issue` };
    },
  },
  {
    id: 'issueStatement',
    code: 'INVALID_TRANSITION',
    message: 'There is nothing on the statement',
    request: async ({ service }) => {
      const world = await createWorld(service);
      await openAccount(service, world, '2026-10-01');
      const body = { partnerId: world.partnerId, month: MONTH };
      return { path: `/statements/${(await made(service.operator('POST', '/statements', body))).id}/issue` };
    },
  },
  {
    id: 'markStatementPaid',
    code: 'INVALID_TRANSITION',
    request: async (context) => ({
      path: `/statements/${await newDraft(context)}/paid`,
      body: { reference: 'SARIE 1' },
    }),
  },
  ...Object.entries(FILES).map(
    ([id, name]): Refused => ({
      id,
      code: 'INVALID_TRANSITION',
      request: async (context) => ({ path: `/statements/${await newDraft(context)}/${name}` }),
    }),
  ),
  {
    id: 'saveStatementAccount',
    code: 'INVALID_TRANSITION',
    request: async (context) => {
      const world = await createWorld(context.service);
      const id = await drafted(context.service, world);
      await made(context.service.operator('POST', `/statements/${id}/issue`));
      return {
        path: `/partners/${world.partnerId}/statement-account`,
        body: { buyer: PARTY, openedOn: '2026-09-01' },
      };
    },
  },
];
