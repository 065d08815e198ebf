import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createWorld, type World } from './fixtures.ts';
import {
  type Context,
  countOf,
  made,
  newBooking,
  type Refused,
  type Request,
  unique,
  type Valid,
} from './openapi-context.ts';

/** Requests of the operations of holds (test/openapi-partner-operations.ts). */

const HOLDS = '/partners/holds';

const times = { startAt: '10:00', endAt: '12:00' };
/** A hold replaces the one before. */
const SLOT = { date: '2026-11-24', timeslot: times };

/** A slot of a day of its own, before those of other operations. */
function bookedSlot({ world }: Context): typeof SLOT {
  return { date: `2026-11-${25 + countOf('held day', world)}`, timeslot: times };
}

const newHold = ({ addressId, serviceId }: World, overrides: Record<string, unknown> = {}) => ({
  addressId,
  serviceId,
  ...SLOT,
  ...overrides,
});

type Held = { body: ReturnType<typeof newHold>; holdId: string };

async function held({ service, world }: Context, slot = SLOT): Promise<Held> {
  const body = newHold(world, slot);
  const answer = await service.v1(world.key, 'POST', HOLDS, body);
  assert.equal(answer.status, 200, answer.text);
  return { body, holdId: answer.body.data.holdId };
}

async function consumed(context: Context, slot = bookedSlot(context)): Promise<Held> {
  const { world } = context;
  const { body, holdId } = await held(context, slot);
  await made(world.book({ ...body, contactId: world.contactId, holdId }));
  return { body, holdId };
}

async function holdPath(context: Context): Promise<string> {
  return `${HOLDS}/${(await held(context)).holdId}`;
}

const consumedPath = async (context: Context) => `${HOLDS}/${(await consumed(context)).holdId}`;

export const HOLD_OPERATIONS: Record<string, Valid> = {
  createHold: ({ world }) => ({ path: HOLDS, body: newHold(world, { seconds: 300 }) }),
  listOwnHolds: async (context) => {
    await held(context);
    return { path: HOLDS };
  },
  getHold: async (context) => ({ path: await holdPath(context) }),
  releaseHold: async (context) => ({ path: await holdPath(context) }),
  extendHold: async (context) => ({ path: `${await holdPath(context)}/extend`, body: { seconds: 60 } }),
};

async function repeated({ service, world }: Context, overrides: Record<string, unknown>): Promise<Request> {
  const body = newHold(world);
  const headers = { 'idempotency-key': unique() };
  await made(service.v1(world.key, 'POST', HOLDS, body, headers));
  return { path: HOLDS, body: { ...body, ...overrides }, headers };
}

const nobody = (what: string) => ({ [`${what.toLowerCase()}Id`]: randomUUID() });

export const HOLDS_REFUSED: Refused[] = [
  ...(['Contact', 'Address', 'Service'] as const).map(
    (what): Refused => ({
      id: 'createHold',
      code: 'RESOURCE_NOT_FOUND',
      message: `${what} not found`,
      request: ({ world }) => ({ path: HOLDS, body: newHold(world, nobody(what)) }),
    }),
  ),
  {
    id: 'createHold',
    code: 'SERVICE_NOT_ALLOWED',
    request: async ({ service, world }) => {
      const { serviceId } = await createWorld(service);
      return { path: HOLDS, body: newHold(world, { serviceId }) };
    },
  },
  {
    id: 'createHold',
    code: 'IDEMPOTENCY_KEY_CONFLICT',
    request: (context) => repeated(context, { seconds: 61 }),
  },
  {
    id: 'createHold',
    code: 'IDEMPOTENCY_KEY_IN_PROGRESS',
    request: async (context) => {
      const request = await repeated(context, {});
      const values = [request.headers!['idempotency-key']];
      const text = 'update idempotency_keys set response_status = null, response_body = null where key = $1';
      await context.service.deps.db.rows({ text, values });
      return request;
    },
  },
  {
    id: 'createHold',
    code: 'CONFLICT',
    request: async ({ service, world }) => {
      const { addressId: _, ...body } = newHold(world, {
        latitude: String(world.latitude),
        longitude: String(world.longitude),
        reference: unique(),
        date: '2026-12-13',
      });
      await made(service.v1(world.key, 'POST', HOLDS, body));
      return { path: HOLDS, body: { ...body, date: '2026-12-14' } };
    },
  },
  {
    id: 'createHold',
    code: 'BOOKING_CREATION_FAILED',
    request: async (context) => {
      const { world } = context;
      const slot = bookedSlot(context);
      assert.equal((await world.book(slot)).status, 200);
      return { path: HOLDS, body: newHold(world, slot) };
    },
  },
  {
    id: 'createHold',
    code: 'HOLD_LIMIT_REACHED',
    request: async ({ service }) => {
      const world = await createWorld(service, { partner: { maxHolds: 0 } });
      return { path: HOLDS, body: newHold(world), headers: { 'x-api-key': world.key } };
    },
  },
  ...['getHold', 'releaseHold', 'extendHold'].map(
    (id): Refused => ({
      id,
      code: 'RESOURCE_NOT_FOUND',
      request: () => ({
        path: `${HOLDS}/${randomUUID()}${id === 'extendHold' ? '/extend' : ''}`,
        ...(id === 'extendHold' && { body: { seconds: 60 } }),
      }),
    }),
  ),
  {
    id: 'releaseHold',
    code: 'HOLD_CONSUMED',
    request: async (context) => ({ path: await consumedPath(context) }),
  },
  {
    id: 'extendHold',
    code: 'HOLD_CONSUMED',
    request: async (context) => ({ path: `${await consumedPath(context)}/extend`, body: { seconds: 60 } }),
  },
  {
    id: 'extendHold',
    code: 'HOLD_ENDED',
    request: async (context) => {
      const path = await holdPath(context);
      await made(context.service.v1(context.world.key, 'DELETE', path));
      return { path: `${path}/extend`, body: { seconds: 60 } };
    },
  },
  {
    id: 'extendHold',
    code: 'HOLD_LIMIT_REACHED',
    request: async (context) => {
      const path = `${await holdPath(context)}/extend`;
      await made(context.service.v1(context.world.key, 'POST', path, { seconds: 900 }));
      return { path, body: { seconds: 900 } };
    },
  },
  {
    id: 'createBooking',
    code: 'RESOURCE_NOT_FOUND',
    message: 'Hold not found',
    request: ({ world }) => ({
      path: '/partners/bookings',
      body: newBooking(world, { holdId: randomUUID() }),
    }),
  },
  {
    id: 'createBooking',
    code: 'RESOURCE_NOT_FOUND',
    message: 'Booking not found',
    request: ({ world }) => ({
      path: '/partners/bookings',
      body: newBooking(world, { preferTeamOf: randomUUID() }),
    }),
  },
  {
    id: 'createHold',
    code: 'RESOURCE_NOT_FOUND',
    message: 'Booking not found',
    request: ({ world }) => ({ path: HOLDS, body: newHold(world, { preferTeamOf: randomUUID() }) }),
  },
  {
    id: 'createBooking',
    code: 'HOLD_MISMATCH',
    request: async (context) => {
      const { holdId } = await held(context);
      return { path: '/partners/bookings', body: newBooking(context.world, { holdId }) };
    },
  },
  {
    id: 'createBooking',
    code: 'HOLD_CONSUMED',
    request: async (context) => {
      const { body, holdId } = await consumed(context);
      return { path: '/partners/bookings', body: newBooking(context.world, { ...body, holdId }) };
    },
  },
];

/** Another world: the operator has moved the clock past some slots, and its other operations take the rest. */
async function apart(context: Context): Promise<[Context, typeof SLOT]> {
  return [
    { ...context, world: await createWorld(context.service) },
    { ...SLOT, date: '2026-12-15' },
  ];
}

export const OPERATOR_HOLD_OPERATIONS: Record<string, Valid> = {
  listHolds: async (context) => {
    await held(...(await apart(context)));
    return { path: '/holds?limit=5' };
  },
  releaseHoldForPartner: async (context) => ({
    path: `/holds/${(await held(...(await apart(context)))).holdId}`,
  }),
};

export const OPERATOR_HOLDS_REFUSED: Refused[] = [
  {
    id: 'releaseHoldForPartner',
    code: 'RESOURCE_NOT_FOUND',
    request: () => ({ path: `/holds/${randomUUID()}` }),
  },
  {
    id: 'releaseHoldForPartner',
    code: 'HOLD_CONSUMED',
    request: async (context) => ({ path: `/holds/${(await consumed(...(await apart(context)))).holdId}` }),
  },
];
