import assert from 'node:assert/strict';
import type { ErrorCode } from '../src/base/errors.ts';
import { createWorld, type World, type WorldOptions } from './fixtures.ts';
import {
  booking,
  type Context,
  made,
  type Refused,
  type Request,
  reason,
  unique,
  type Valid,
} from './openapi-context.ts';

/** Requests of the operations of policies and quotes, each in a world of its own. */

/** A date that no clock of the tests has reached. */
const DATE = '2026-12-15';
const SLOT = { date: '2026-12-16', timeslot: { startAt: '10:00', endAt: '12:00' } };

const newPolicy = (world: World) => ({
  nameEn: 'Standard',
  nameAr: 'قياسية',
  cancel: [{ hoursBefore: 2_160, percent: 25 }],
  reschedule: [{ hoursBefore: 2_160, amount: 20 }],
  assignments: [{ partnerId: world.partnerId }],
});

type Booked = { world: World; bookingId: string };

async function booked(
  { service }: Context,
  { withPolicy = false, ...options }: WorldOptions & { withPolicy?: boolean } = {},
): Promise<Booked> {
  const world = await createWorld(service, options);
  if (withPolicy) await made(service.operator('POST', '/policies', newPolicy(world)));
  const answer = await world.book({ date: DATE });
  assert.equal(answer.status, 200, answer.text);
  return { world, bookingId: answer.body.data.bookingId };
}

async function canceled(context: Context): Promise<Booked> {
  const found = await booked(context);
  const path = `/partners/bookings/${found.bookingId}/cancel`;
  const body = { reasonId: await reason(context.service) };
  await made(context.service.v1(found.world.key, 'PATCH', path, body));
  return found;
}

const REFUSED_QUOTES: [ErrorCode, string, (context: Context) => Promise<Booked>][] = [
  ['BOOKING_ALREADY_CANCELLED', 'cancel', canceled],
  ['BOOKING_NOT_EDITABLE', 'reschedule', canceled],
  [
    'BOOKING_APPOINTMENT_NOT_FOUND',
    'reschedule',
    (context) => booked(context, { service: { assignment: 'deferred' } }),
  ],
];

const asPartner = ({ world, bookingId }: Booked, path: string, body?: unknown): Request => ({
  path: `/partners/bookings/${bookingId}${path}`,
  ...(body !== undefined && { body }),
  headers: { 'x-api-key': world.key },
});

export const FEE_OPERATIONS: Record<string, Valid> = {
  getBookingQuote: async ({ world }) => ({
    path: `/partners/bookings/${await booking(world)}/quote?action=reschedule&date=2026-12-16&startAt=10:00&endAt=12:00`,
  }),
};

export const FEES_REFUSED: Refused[] = [
  ...REFUSED_QUOTES.map(
    ([code, action, prepared]): Refused => ({
      id: 'getBookingQuote',
      code,
      request: async (context) => asPartner(await prepared(context), `/quote?action=${action}`),
    }),
  ),
  {
    id: 'getBookingQuote',
    code: 'BOOKING_CREATION_FAILED',
    request: async (context) => {
      const sold = await booked(context);
      assert.equal((await sold.world.book(SLOT)).status, 200);
      return asPartner(sold, `/quote?action=reschedule&date=${SLOT.date}`);
    },
  },
  {
    id: 'cancelBooking',
    code: 'FEE_CHANGED',
    request: async (context) => {
      const body = { reasonId: await reason(context.service), maxFee: 37.49 };
      return asPartner(await booked(context, { withPolicy: true }), '/cancel', body);
    },
  },
  {
    id: 'updateBooking',
    code: 'FEE_CHANGED',
    request: async (context) =>
      asPartner(await booked(context, { withPolicy: true }), '', { date: '2026-12-16', maxFee: 0 }),
  },
];

async function policy({ service }: Context): Promise<string> {
  const world = await createWorld(service);
  return (await made(service.operator('POST', '/policies', newPolicy(world)))).id;
}

/** A booking whose visit could not be done. */
async function notDone(context: Context): Promise<string> {
  const { bookingId } = await booked(context);
  const { db } = context.service.deps;
  const text = `update appointments set status = 'Cannot Complete' where booking_id = $1`;
  await db.rows({ text, values: [bookingId] });
  return bookingId;
}

/** A booking that was cancelled with a fee. */
async function withFee(context: Context): Promise<string> {
  const { world, bookingId } = await booked(context, { withPolicy: true });
  const body = { reasonId: await reason(context.service) };
  await made(context.service.v1(world.key, 'PATCH', `/partners/bookings/${bookingId}/cancel`, body));
  return bookingId;
}

/** A booking under a policy, whose appointment is moved on behalf of the customer. */
const movedForCustomer = async (context: Context, more: object): Promise<Request> => {
  const { bookingId } = await booked(context, { withPolicy: true });
  const { appointmentId } = await made(context.service.operator('GET', `/bookings/${bookingId}`));
  return {
    path: `/appointments/${appointmentId}`,
    body: { ...SLOT, onBehalfOf: 'CUSTOMER', ...more },
  };
};

export const OPERATOR_FEE_OPERATIONS: Record<string, Valid> = {
  recordOutcome: async (context) => ({
    path: `/bookings/${await notDone(context)}/outcome`,
    body: { outcome: 'NO_ACCESS', reason: 'The gate was closed' },
  }),
  waiveFees: async (context) => ({
    path: `/bookings/${await withFee(context)}/fees/waive`,
    body: { amount: 10.5, reason: 'A gesture' },
  }),
  closeBooking: async (context) => ({
    path: `/bookings/${await notDone(context)}/close`,
    body: { reasonId: await reason(context.service), outcome: 'CUSTOMER_ABSENT' },
  }),
  revisitBooking: async (context) => ({ path: `/bookings/${await notDone(context)}/revisit`, body: SLOT }),
  listPolicies: () => ({ path: '/policies?search=stand&sortBy=nameAr&limit=2' }),
  createPolicy: async ({ service }) => ({ path: '/policies', body: newPolicy(await createWorld(service)) }),
  getPolicy: async (context) => ({ path: `/policies/${await policy(context)}` }),
  listPolicyVersions: async (context) => ({ path: `/policies/${await policy(context)}/versions` }),
  updatePolicy: async (context) => ({
    path: `/policies/${await policy(context)}`,
    body: { nameEn: unique(), maxReschedules: 1 },
  }),
  getBookingQuote: async (context) => ({
    path: `/bookings/${(await booked(context, { withPolicy: true })).bookingId}/quote?action=cancel`,
  }),
};

export const OPERATOR_FEES_REFUSED: Refused[] = [
  {
    id: 'updateAppointment',
    code: 'FEE_CHANGED',
    request: (context) => movedForCustomer(context, { maxFee: 0 }),
  },
  {
    id: 'updateAppointment',
    code: 'BOOKING_NOT_EDITABLE',
    request: async (context) => {
      const request = await movedForCustomer(context, {});
      const id = request.path.split('/').at(-1)!;
      const text = `
        update bookings set policy_id = (select id from policies where terms ->> 'maxReschedules' = '0' limit 1)
        where id = (select booking_id from appointments where id = $1)`;
      await made(
        context.service.operator('POST', '/policies', { nameEn: unique(), nameAr: 'س', maxReschedules: 0 }),
      );
      await context.service.deps.db.rows({ text, values: [id] });
      return request;
    },
  },
  {
    id: 'cancelBooking',
    code: 'FEE_CHANGED',
    request: async (context) => ({
      path: `/bookings/${(await booked(context, { withPolicy: true })).bookingId}/cancel`,
      body: { reasonId: await reason(context.service), onBehalfOf: 'CUSTOMER', maxFee: 0 },
    }),
  },
  {
    id: 'closeBooking',
    code: 'FEE_CHANGED',
    request: async (context) => {
      const { bookingId } = await booked(context, { withPolicy: true });
      const text = `update appointments set status = 'Cannot Complete' where booking_id = $1`;
      await context.service.deps.db.rows({ text, values: [bookingId] });
      const body = { reasonId: await reason(context.service), outcome: 'NO_ACCESS', maxFee: 0 };
      return { path: `/bookings/${bookingId}/close`, body };
    },
  },
  {
    id: 'recordOutcome',
    code: 'INVALID_TRANSITION',
    request: async (context) => ({
      path: `/bookings/${(await booked(context)).bookingId}/outcome`,
      body: { outcome: 'NO_ACCESS', reason: 'The gate was closed' },
    }),
  },
  {
    id: 'waiveFees',
    code: 'INVALID_TRANSITION',
    request: async (context) => ({
      path: `/bookings/${(await booked(context)).bookingId}/fees/waive`,
      body: { amount: 10, reason: 'A gesture' },
    }),
  },
  ...REFUSED_QUOTES.map(
    ([code, action, prepared]): Refused => ({
      id: 'getBookingQuote',
      code,
      request: async (context) => ({
        path: `/bookings/${(await prepared(context)).bookingId}/quote?action=${action}`,
      }),
    }),
  ),
  {
    id: 'closeBooking',
    code: 'INVALID_TRANSITION',
    request: async (context) => ({
      path: `/bookings/${(await booked(context)).bookingId}/close`,
      body: { reasonId: await reason(context.service) },
    }),
  },
  {
    id: 'revisitBooking',
    code: 'INVALID_TRANSITION',
    request: async (context) => ({
      path: `/bookings/${(await booked(context)).bookingId}/revisit`,
      body: SLOT,
    }),
  },
  {
    id: 'revisitBooking',
    code: 'BOOKING_CREATION_FAILED',
    request: async (context) => ({
      path: `/bookings/${await notDone(context)}/revisit`,
      body: { ...SLOT, timeslot: { startAt: '03:00', endAt: '05:00' } },
    }),
  },
  ...(['createPolicy', 'updatePolicy'] as const).map(
    (id): Refused => ({
      id,
      code: 'CONFLICT',
      message: 'Another policy is assigned to the same partner and service',
      request: async ({ service }) => {
        const world = await createWorld(service);
        const { assignments, ...terms } = newPolicy(world);
        await made(service.operator('POST', '/policies', { ...terms, assignments }));
        if (id === 'createPolicy') return { path: '/policies', body: { ...terms, assignments } };
        const other = await made(service.operator('POST', '/policies', terms));
        return { path: `/policies/${other.id}`, body: { assignments } };
      },
    }),
  ),
];
