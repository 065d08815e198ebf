import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { EVENT_NAMES } from '../src/bookings/rules.ts';
import { MAX_SUBSCRIPTIONS } from '../src/webhooks/rules.ts';
import { createWorld, WORLD_DATE, type World } from './fixtures.ts';
import {
  addressInUse,
  addressTwice,
  booking,
  type Context,
  canceled,
  delivery,
  made,
  newBooking,
  newSubscription,
  type Refused,
  type Request,
  reason,
  removeSubscriptions,
  SINCE,
  SUBSCRIPTIONS,
  subscription,
  unique,
  type Valid,
} from './openapi-context.ts';
import { FEE_OPERATIONS, FEES_REFUSED } from './openapi-fee-operations.ts';
import { HOLD_OPERATIONS, HOLDS_REFUSED } from './openapi-hold-operations.ts';
import { SERIES_OPERATIONS, SERIES_REFUSED } from './openapi-series-operations.ts';
import { STATEMENT_OPERATIONS } from './statement-fixtures.ts';
import { subscribe } from './webhook-fixtures.ts';

/** A valid request of each operation of the partner API, and one for each of its codes (test/openapi.test.ts). */

/** The operations of free timeslots: their paths, and the queries of theirs alone. */
const TIMESLOTS: Record<string, { path: string; query: Record<string, string> }> = {
  listAvailableTimeslots: { path: 'available', query: { date: WORLD_DATE } },
  getTimeslotCalendar: { path: 'calendar', query: { from: WORLD_DATE, to: WORLD_DATE } },
  findNextTimeslots: { path: 'next', query: { count: '2' } },
};

function slotsPath(
  id: string,
  { addressId, serviceId }: World,
  overrides: Record<string, string> = {},
): string {
  const { path, query } = TIMESLOTS[id]!;
  return `/partners/timeslots/${path}?${new URLSearchParams({ addressId, serviceId, ...query, ...overrides })}`;
}

const DELIVERIES = '/partners/webhooks/deliveries';
const SANDBOX = '/partners/sandbox';

export const PARTNER: Record<string, Valid> = {
  findOrCreateContact: () => ({
    path: '/partners/contacts',
    body: { phone: '+966501234567', name: 'Noura', latitude: '24.7', longitude: '46.7' },
  }),
  getContact: ({ world }) => ({ path: `/partners/contacts/${world.contactId}` }),
  updateContact: ({ world }) => ({ path: `/partners/contacts/${world.contactId}`, body: { name: 'Noura' } }),
  updateAddress: ({ world }) => ({ path: `/partners/addresses/${world.addressId}`, body: { unit: '12' } }),
  exportContact: ({ world }) => ({ path: `/partners/contacts/${world.contactId}/export` }),
  eraseContact: async ({ world }) => ({
    path: `/partners/contacts/${(await made(world.contact())).id}/erase`,
    body: { reason: 'She asked for it' },
  }),
  listServices: ({ world }) => ({ path: `/partners/services?addressId=${world.addressId}` }),
  getService: ({ world }) => ({ path: `/partners/services/${world.serviceId}` }),
  ...Object.fromEntries(
    Object.keys(TIMESLOTS).map((id): [string, Valid] => [
      id,
      ({ world }) => ({ path: slotsPath(id, world) }),
    ]),
  ),
  getCoverage: ({ world: { latitude, longitude } }) => ({
    path: `/partners/coverage?latitude=${latitude}&longitude=${longitude}`,
  }),
  listPricingTiers: () => ({ path: '/partners/pricing/tiers' }),
  calculatePrice: ({ world }) => ({
    path: '/partners/pricing/calculate-price',
    body: { items: [{ serviceId: world.serviceId, hours: 2 }] },
  }),
  ...HOLD_OPERATIONS,
  ...FEE_OPERATIONS,
  ...SERIES_OPERATIONS,
  ...STATEMENT_OPERATIONS,
  createBooking: ({ world }) => ({ path: '/partners/bookings', body: newBooking(world) }),
  listBookings: () => ({ path: '/partners/bookings?updatedSince=2026-11-22T00:00:00Z&limit=5' }),
  exportBookings: () => ({ path: '/partners/bookings/export?month=2026-11' }),
  getBookingStatus: async ({ world }) => ({ path: `/partners/bookings/${await booking(world)}/status` }),
  updateBooking: async ({ world }) => ({
    path: `/partners/bookings/${await booking(world)}`,
    body: { notes: 'Please ring twice' },
  }),
  listCancellationReasons: () => ({ path: '/partners/bookings/cancellation-reasons' }),
  cancelBooking: async ({ service, world }) => ({
    path: `/partners/bookings/${await booking(world)}/cancel`,
    body: { reasonId: await reason(service) },
  }),
  confirmPayment: async ({ world }) => ({
    path: `/partners/bookings/${await booking(world)}/confirm-payment`,
    body: { paymentReference: 'PAY-1' },
  }),
  listEvents: () => ({ path: '/partners/events?limit=5' }),
  listWebhookSubscriptions: async (context) => {
    await subscription(context);
    return { path: SUBSCRIPTIONS };
  },
  getWebhookSubscription: async (context) => ({ path: `${SUBSCRIPTIONS}/${await subscription(context)}` }),
  createWebhookSubscription: async (context) => {
    await removeSubscriptions(context);
    return { path: SUBSCRIPTIONS, body: newSubscription(context) };
  },
  updateWebhookSubscription: async (context) => ({
    path: `${SUBSCRIPTIONS}/${await subscription(context)}`,
    body: { events: ['booking.created'], status: 'ACTIVE' },
  }),
  removeWebhookSubscription: async (context) => ({ path: `${SUBSCRIPTIONS}/${await subscription(context)}` }),
  rotateWebhookSecret: async (context) => ({
    path: `${SUBSCRIPTIONS}/${await subscription(context)}/rotate-secret`,
    body: { overlapHours: 24 },
  }),
  testWebhookSubscription: async (context) => ({
    path: `${SUBSCRIPTIONS}/${await subscription(context)}/test`,
  }),
  recoverWebhookSubscription: async (context) => ({
    path: `${SUBSCRIPTIONS}/${await subscription(context)}/recover`,
    body: { since: SINCE },
  }),
  listWebhookDeliveries: async (context) => {
    await delivery(context);
    return { path: `${DELIVERIES}?event=booking.updated&limit=5` };
  },
  getWebhookDelivery: async (context) => ({ path: `${DELIVERIES}/${await delivery(context)}` }),
  retryWebhookDelivery: async (context) => ({ path: `${DELIVERIES}/${await delivery(context)}/retry` }),
  replayWebhookDelivery: async (context) => ({
    path: `${DELIVERIES}/${await delivery(context, 'arrived')}/replay`,
  }),
  advanceSandboxBooking: async ({ world }) => ({
    path: `${SANDBOX}/bookings/${await booking(world)}/advance`,
  }),
  startSandboxRun: async ({ world }) => ({
    path: `${SANDBOX}/bookings/${await booking(world)}/runs`,
    body: { script: 'complete' },
  }),
  listSandboxRuns: async (context) => ({
    path: `${SANDBOX}/bookings/${(await run(context)).bookingId}/runs`,
  }),
  getSandboxRun: async (context) => ({ path: await runPath(context) }),
  stopSandboxRun: async (context) => ({ path: await runPath(context) }),
  setSandboxFault: async (context) => ({
    path: `${SANDBOX}/webhooks/subscriptions/${await subscription(context)}/faults`,
    body: { kind: 'delay', count: 2, delaySeconds: 30 },
  }),
  listSandboxFaults: async (context) => ({
    path: `${SANDBOX}/webhooks/subscriptions/${await subscription(context)}/faults`,
  }),
  startCertification: async (context) => ({
    path: `${SANDBOX}/certifications`,
    body: { subscriptionId: await fullSubscription(context) },
  }),
  getCertification: async (context) => {
    const body = { subscriptionId: await fullSubscription(context) };
    const path = `${SANDBOX}/certifications`;
    const { id } = await made(context.service.v1(context.world.key, 'POST', path, body));
    return { path: `${path}/${id}` };
  },
  clearSandboxFaults: async (context) => ({
    path: `${SANDBOX}/webhooks/subscriptions/${await subscription(context)}/faults`,
  }),
};

async function fullSubscription(context: Context): Promise<string> {
  await removeSubscriptions(context);
  const { service, world } = context;
  const { id } = await subscribe(service, world.key, { events: [...EVENT_NAMES] });
  return id;
}

/** A run that lasts longer than any test. */
async function run({ service, world }: Context): Promise<{ bookingId: string; id: string }> {
  const path = `${SANDBOX}/bookings/${await booking(world)}/runs`;
  return (await made(
    service.v1(world.key, 'POST', path, { script: 'complete', everySeconds: 3_600 }),
  )) as unknown as { bookingId: string; id: string };
}

async function runPath(context: Context): Promise<string> {
  const { bookingId, id } = await run(context);
  return `${SANDBOX}/bookings/${bookingId}/runs/${id}`;
}

/** The same body again with the same Idempotency-Key, after the changes of `between`. */
async function repeated({ service, world }: Context, overrides: Record<string, unknown>): Promise<Request> {
  const body = newBooking(world);
  const headers = { 'idempotency-key': unique() };
  await made(service.v1(world.key, 'POST', '/partners/bookings', body, headers));
  return { path: '/partners/bookings', body: { ...body, ...overrides }, headers };
}

export const PARTNER_REFUSED: Refused[] = [
  ...HOLDS_REFUSED,
  ...FEES_REFUSED,
  ...SERIES_REFUSED,
  {
    id: 'updateAddress',
    code: 'CONFLICT',
    message: 'The address has bookings: register another one for another place',
    request: (context) => addressInUse(context, '/partners/addresses'),
  },
  {
    id: 'updateAddress',
    code: 'CONFLICT',
    message: 'The customer has this address already',
    request: (context) => addressTwice(context, '/partners/addresses'),
  },
  {
    id: 'eraseContact',
    code: 'CONFLICT',
    request: async ({ world }) => {
      const { contactId } = await made(world.book({ date: WORLD_DATE }));
      return { path: `/partners/contacts/${contactId}/erase`, body: { reason: 'She asked for it' } };
    },
  },
  ...(['Contact', 'Address', 'Service'] as const).map(
    (what): Refused => ({
      id: 'createBooking',
      code: 'RESOURCE_NOT_FOUND',
      message: `${what} not found`,
      request: ({ world }) => ({
        path: '/partners/bookings',
        body: newBooking(world, { [`${what.toLowerCase()}Id`]: randomUUID() }),
      }),
    }),
  ),
  {
    id: 'createBooking',
    code: 'SERVICE_NOT_ALLOWED',
    request: async ({ service, world }) => {
      const other = await createWorld(service);
      return { path: '/partners/bookings', body: newBooking(world, { serviceId: other.serviceId }) };
    },
  },
  {
    id: 'createBooking',
    code: 'DUPLICATE_EXTERNAL_REFERENCE',
    request: async ({ world }) => {
      const externalReference = unique();
      await booking(world, { externalReference });
      return { path: '/partners/bookings', body: newBooking(world, { externalReference }) };
    },
  },
  {
    id: 'createBooking',
    code: 'DUPLICATE_EXTERNAL_REFERENCE',
    message: 'This request has made its booking already',
    request: async ({ world }) => {
      const body = newBooking(world, { externalReference: unique() });
      await made(world.book(body));
      return { path: '/partners/bookings', body };
    },
  },
  {
    id: 'createBooking',
    code: 'IDEMPOTENCY_KEY_CONFLICT',
    request: (context) => repeated(context, { externalReference: unique() }),
  },
  {
    id: 'createBooking',
    code: 'IDEMPOTENCY_KEY_IN_PROGRESS',
    request: async (context) => {
      const request = await repeated(context, {});
      // As if the first request were still running.
      const values = [request.headers!['idempotency-key']];
      const text = 'update idempotency_keys set response_status = null, response_body = null where key = $1';
      await context.service.deps.db.rows({ text, values });
      return request;
    },
  },
  {
    id: 'createBooking',
    code: 'BOOKING_CREATION_FAILED',
    request: async ({ world }) => {
      const body = newBooking(world);
      assert.equal((await world.book(body)).status, 200);
      return { path: '/partners/bookings', body };
    },
  },
  {
    id: 'getTimeslotCalendar',
    code: 'RESOURCE_NOT_FOUND',
    message: 'Booking not found',
    request: ({ world }) => ({
      path: slotsPath('getTimeslotCalendar', world, { preferTeamOf: randomUUID() }),
    }),
  },
  ...Object.keys(TIMESLOTS).flatMap((id): Refused[] => [
    ...(['Address', 'Service'] as const).map((what) => ({
      id,
      code: 'RESOURCE_NOT_FOUND' as const,
      message: `${what} not found`,
      request: ({ world }: Context) => ({
        path: slotsPath(id, world, { [`${what.toLowerCase()}Id`]: randomUUID() }),
      }),
    })),
    {
      id,
      code: 'SERVICE_NOT_ALLOWED',
      request: async ({ service, world }) => {
        const other = await createWorld(service);
        const services = [{ serviceId: world.serviceId, price: null }];
        await made(
          service.operator('PUT', `/partners/${world.partnerId}/services`, { restricted: true, services }),
        );
        return { path: slotsPath(id, world, { serviceId: other.serviceId }) };
      },
    },
  ]),
  {
    id: 'listServices',
    code: 'RESOURCE_NOT_FOUND',
    request: () => ({ path: `/partners/services?addressId=${randomUUID()}` }),
  },
  {
    id: 'calculatePrice',
    code: 'SERVICE_NOT_ALLOWED',
    request: () => ({
      path: '/partners/pricing/calculate-price',
      body: { items: [{ serviceId: randomUUID() }] },
    }),
  },
  {
    id: 'updateBooking',
    code: 'DUPLICATE_EXTERNAL_REFERENCE',
    request: async ({ world }) => {
      const externalReference = unique();
      await booking(world, { externalReference });
      return { path: `/partners/bookings/${await booking(world)}`, body: { externalReference } };
    },
  },
  {
    id: 'updateBooking',
    code: 'BOOKING_CREATION_FAILED',
    request: async ({ world }) => {
      const { date, timeslot } = newBooking(world);
      await booking(world, { date, timeslot });
      return { path: `/partners/bookings/${await booking(world)}`, body: { date, timeslot } };
    },
  },
  {
    id: 'updateBooking',
    code: 'BOOKING_NOT_EDITABLE',
    request: async (context) => ({
      path: `/partners/bookings/${await canceled(context)}`,
      body: { notes: 'x' },
    }),
  },
  {
    id: 'updateBooking',
    code: 'BOOKING_APPOINTMENT_NOT_FOUND',
    request: async ({ service, world }) => {
      await made(service.operator('PATCH', `/services/${world.serviceId}`, { assignment: 'deferred' }));
      const id = await booking(world);
      await made(service.operator('PATCH', `/services/${world.serviceId}`, { assignment: 'instant' }));
      return { path: `/partners/bookings/${id}`, body: { date: '2027-01-10' } };
    },
  },
  {
    id: 'cancelBooking',
    code: 'BOOKING_ALREADY_CANCELLED',
    request: async (context) => ({
      path: `/partners/bookings/${await canceled(context)}/cancel`,
      body: { reasonId: await reason(context.service) },
    }),
  },
  {
    id: 'confirmPayment',
    code: 'BOOKING_NOT_PAYABLE',
    request: async (context) => ({
      path: `/partners/bookings/${await canceled(context)}/confirm-payment`,
      body: {},
    }),
  },
  {
    id: 'confirmPayment',
    code: 'PAYMENT_ALREADY_CONFIRMED',
    request: async ({ service, world }) => {
      const path = `/partners/bookings/${await booking(world)}/confirm-payment`;
      await made(service.v1(world.key, 'POST', path, {}));
      return { path, body: {} };
    },
  },
  {
    id: 'confirmPayment',
    code: 'PAYMENT_RESPONSIBILITY_MISMATCH',
    request: async ({ service, world }) => {
      const pay = (paymentResponsibility: string) =>
        made(service.operator('PATCH', `/partners/${world.partnerId}`, { paymentResponsibility }));
      await pay('PLATFORM');
      const path = `/partners/bookings/${await booking(world)}/confirm-payment`;
      await pay('PARTNER');
      return { path, body: {} };
    },
  },
];

PARTNER_REFUSED.push(
  {
    id: 'createWebhookSubscription',
    code: 'WEBHOOK_DOMAIN_NOT_ALLOWED',
    request: () => ({
      path: SUBSCRIPTIONS,
      body: { url: 'https://hooks.example.com/in', events: ['booking.created'] },
    }),
  },
  {
    id: 'createWebhookSubscription',
    code: 'WEBHOOK_LIMIT_REACHED',
    request: async (context) => {
      await removeSubscriptions(context);
      const body = newSubscription(context);
      for (let count = 0; count < MAX_SUBSCRIPTIONS; count++)
        await subscribe(context.service, context.world.key, body);
      return { path: SUBSCRIPTIONS, body };
    },
  },
  {
    id: 'updateWebhookSubscription',
    code: 'WEBHOOK_DOMAIN_NOT_ALLOWED',
    request: async (context) => ({
      path: `${SUBSCRIPTIONS}/${await subscription(context)}`,
      body: { url: 'https://hooks.example.com/in' },
    }),
  },
  {
    id: 'retryWebhookDelivery',
    code: 'DELIVERY_NOT_RETRYABLE',
    request: async (context) => ({ path: `${DELIVERIES}/${await delivery(context, 'waiting')}/retry` }),
  },
  {
    id: 'replayWebhookDelivery',
    code: 'DELIVERY_NOT_RETRYABLE',
    request: async (context) => ({ path: `${DELIVERIES}/${await delivery(context)}/replay` }),
  },
  {
    id: 'advanceSandboxBooking',
    code: 'INVALID_TRANSITION',
    request: async ({ world }) => ({
      path: `${SANDBOX}/bookings/${await booking(world)}/advance`,
      body: { to: 'Completed' },
    }),
  },
  {
    id: 'startSandboxRun',
    code: 'INVALID_TRANSITION',
    request: async ({ world }) => ({
      path: `${SANDBOX}/bookings/${await booking(world)}/runs`,
      body: { script: 'customer-pays' },
    }),
  },
  ...['getSandboxRun', 'stopSandboxRun'].map(
    (id): Refused => ({
      id,
      code: 'RESOURCE_NOT_FOUND',
      message: 'Run not found',
      request: async ({ world }) => ({
        path: `${SANDBOX}/bookings/${await booking(world)}/runs/${randomUUID()}`,
      }),
    }),
  ),
  {
    id: 'startCertification',
    code: 'RESOURCE_NOT_FOUND',
    request: () => ({ path: `${SANDBOX}/certifications`, body: { subscriptionId: randomUUID() } }),
  },
  {
    id: 'startSandboxRun',
    code: 'CONFLICT',
    request: async (context) => ({
      path: `${SANDBOX}/bookings/${(await run(context)).bookingId}/runs`,
      body: { script: 'complete' },
    }),
  },
);
