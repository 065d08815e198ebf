import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { lockForPayment, paymentFailed } from '../src/bookings/payment.ts';
import { EVENT_NAMES } from '../src/bookings/rules.ts';
import type { ErrorCode } from '../src/errors.ts';
import { RESPONSE_HEADERS } from '../src/http/raw-responses.ts';
import type { Permission } from '../src/partners/rules.ts';
import { MAX_SUBSCRIPTIONS } from '../src/webhooks/rules.ts';
import {
  createPartner,
  createPartnerKey,
  createWorld,
  squareAround,
  WORLD_DATE,
  type World,
} from './fixtures.ts';
import {
  type Answer,
  call,
  OPERATOR_TOKEN,
  startTestService,
  TEST_NOW,
  type TestService,
} from './harness.ts';
import {
  type Side as AnySide,
  checkerOf,
  createChecker,
  type DocumentedOperation,
  deliveryFaults,
  exchangeFaults,
  faultsAgainst,
} from './openapi-check.ts';
import { until } from './until.ts';
import { createHookWorld, makeDeliveries, subscribe } from './webhook-fixtures.ts';
import { startReceiver, type WebhookReceiver } from './webhook-receiver.ts';

/** What the portal answers is held against its document by test/portal.test.ts. */
type Side = Exclude<AnySide, 'portal'>;

/**
 * Calls every operation of the documents in every status and with every code that is documented for it; `call` holds
 * each answer against the document. What is the same for all operations follows from the document itself. A new
 * operation needs a line in VALID, and one in REFUSED for each code of its own; what is missing is named.
 * The same on every database.
 */
type Request = { path: string; body?: unknown; headers?: Record<string, string> };
type Context = {
  service: TestService;
  world: World;
  /** Where its webhooks go. */
  receiver: WebhookReceiver;
};
type Valid = (context: Context) => Request | Promise<Request>;
/** Brings the operation to answer the code; `message` where one code has several. */
type Refused = { id: string; code: ErrorCode; message?: string; request: Valid };

const unique = (): string => randomBytes(6).toString('hex');

async function made(answer: Promise<Answer>): Promise<Record<string, never> & { id: string }> {
  const { status, body, text } = await answer;
  assert.ok(status < 300, text);
  return body.data;
}

// ---------------------------------------------------------------------------
// The partners' operations

let slotsTaken = 0;

/** A date and timeslot that nobody has, four a day from 1 December on. */
function nextSlot(): { date: string; timeslot: { startAt: string; endAt: string } } {
  const [day, quarter] = [Math.floor(slotsTaken / 4), slotsTaken % 4];
  slotsTaken += 1;
  const date = new Date(Date.UTC(2026, 11, 1 + day)).toISOString().slice(0, 10);
  const hour = (hours: number): string => `${String(hours).padStart(2, '0')}:00`;
  return { date, timeslot: { startAt: hour(8 + 3 * quarter), endAt: hour(10 + 3 * quarter) } };
}

/** A booking at a time of its own: the next one, unless a certification has moved a booking there. */
async function booking(world: World, overrides: Record<string, unknown> = {}): Promise<string> {
  let answer = await world.book({ ...nextSlot(), ...overrides });
  for (let moved = 0; moved < 5 && answer.body.error?.code === 'BOOKING_CREATION_FAILED'; moved++)
    answer = await world.book({ ...nextSlot(), ...overrides });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.bookingId;
}

async function canceled({ service, world }: Context): Promise<string> {
  const id = await booking(world);
  await made(
    service.v1(world.key, 'PATCH', `/partners/bookings/${id}/cancel`, { reasonId: await reason(service) }),
  );
  return id;
}

const reason = async (service: TestService): Promise<string> =>
  (await made(service.operator('POST', '/cancellation-reasons', { nameEn: unique(), nameAr: unique() }))).id;

const newBooking = (world: World, overrides: Record<string, unknown> = {}) => ({
  contactId: world.contactId,
  addressId: world.addressId,
  serviceId: world.serviceId,
  ...nextSlot(),
  ...overrides,
});

const forPartner = (world: World, overrides: Record<string, unknown> = {}) => ({
  partnerId: world.partnerId,
  ...newBooking(world, overrides),
});

const slotsPath = (world: World, overrides: Record<string, string> = {}): string => {
  const { addressId, serviceId } = world;
  const query = new URLSearchParams({ addressId, serviceId, date: WORLD_DATE, ...overrides });
  return `/partners/timeslots/available?${query}`;
};

const SUBSCRIPTIONS = '/partners/webhooks/subscriptions';
const DELIVERIES = '/partners/webhooks/deliveries';
const SANDBOX = '/partners/sandbox';
const SINCE = '2026-11-01T00:00:00+03:00';
const HOUR = 3_600_000;

/** Removes the partner's subscriptions, so that no more of them come than there may be. */
async function removeSubscriptions({ service, world }: Context): Promise<void> {
  const rows = (await made(service.v1(world.key, 'GET', SUBSCRIPTIONS))) as unknown as { id: string }[];
  for (const { id } of rows) await made(service.v1(world.key, 'DELETE', `${SUBSCRIPTIONS}/${id}`));
}

const newSubscription = ({ receiver }: Context) => ({ url: receiver.url, events: ['booking.updated'] });

/** The partner's only subscription. */
async function subscription(context: Context): Promise<string> {
  await removeSubscriptions(context);
  return (await subscribe(context.service, context.world.key, newSubscription(context))).id;
}

/** A delivery that failed, waits for its next attempt, or has arrived. */
async function delivery(
  context: Context,
  state: 'failed' | 'waiting' | 'arrived' = 'failed',
): Promise<string> {
  const { service, world } = context;
  await subscription(context);
  const become = state === 'waiting' ? { dueAt: service.clock.now() + HOUR } : { failedAt: TEST_NOW };
  const [id] = await makeDeliveries(service, await booking(world), 1, become);
  if (state === 'arrived') {
    await service.deps.db.rows({
      text: `update webhook_deliveries set status = 'DELIVERED' where id = $1`,
      values: [id],
    });
  }
  return id!;
}

const PARTNER: Record<string, Valid> = {
  findOrCreateContact: () => ({
    path: '/partners/contacts',
    body: { phone: '+966501234567', name: 'Noura', latitude: '24.7', longitude: '46.7' },
  }),
  getContact: ({ world }) => ({ path: `/partners/contacts/${world.contactId}` }),
  listServices: ({ world }) => ({ path: `/partners/services?addressId=${world.addressId}` }),
  getService: ({ world }) => ({ path: `/partners/services/${world.serviceId}` }),
  listAvailableTimeslots: ({ world }) => ({ path: slotsPath(world) }),
  listPricingTiers: () => ({ path: '/partners/pricing/tiers' }),
  calculatePrice: ({ world }) => ({
    path: '/partners/pricing/calculate-price',
    body: { items: [{ serviceId: world.serviceId, hours: 2 }] },
  }),
  createBooking: ({ world }) => ({ path: '/partners/bookings', body: newBooking(world) }),
  listBookings: () => ({ path: '/partners/bookings?sortBy=date&limit=5' }),
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

/** A run that goes on for longer than any test. */
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

/** The same body again with the same Idempotency-Key, after what `between` does to it. */
async function repeated({ service, world }: Context, overrides: Record<string, unknown>): Promise<Request> {
  const body = newBooking(world);
  const headers = { 'idempotency-key': unique() };
  await made(service.v1(world.key, 'POST', '/partners/bookings', body, headers));
  return { path: '/partners/bookings', body: { ...body, ...overrides }, headers };
}

/** The same of the operator for a partner. */
async function repeatedForPartner(
  { service, world }: Context,
  overrides: Record<string, unknown>,
): Promise<Request> {
  const body = forPartner(world);
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, 'idempotency-key': unique() };
  await made(call(`${service.operatorUrl}/operator`, 'POST', '/bookings', body, headers));
  return { path: '/bookings', body: { ...body, ...overrides }, headers };
}

const PARTNER_REFUSED: Refused[] = [
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
    code: 'IDEMPOTENCY_KEY_CONFLICT',
    request: (context) => repeated(context, { externalReference: unique() }),
  },
  {
    id: 'createBooking',
    code: 'IDEMPOTENCY_KEY_IN_PROGRESS',
    request: async (context) => {
      const request = await repeated(context, {});
      // As if the first request had not been answered yet.
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
  ...(['Address', 'Service'] as const).map(
    (what): Refused => ({
      id: 'listAvailableTimeslots',
      code: 'RESOURCE_NOT_FOUND',
      message: `${what} not found`,
      request: ({ world }) => ({ path: slotsPath(world, { [`${what.toLowerCase()}Id`]: randomUUID() }) }),
    }),
  ),
  {
    id: 'listServices',
    code: 'RESOURCE_NOT_FOUND',
    request: () => ({ path: `/partners/services?addressId=${randomUUID()}` }),
  },
  {
    id: 'listAvailableTimeslots',
    code: 'SERVICE_NOT_ALLOWED',
    request: async ({ service, world }) => {
      const other = await createWorld(service);
      const services = [{ serviceId: world.serviceId, price: null }];
      await made(
        service.operator('PUT', `/partners/${world.partnerId}/services`, { restricted: true, services }),
      );
      return { path: slotsPath(world, { serviceId: other.serviceId }) };
    },
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
      body: { url: 'https://elsewhere.sa/hooks', events: ['booking.created'] },
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
      body: { url: 'https://elsewhere.sa/hooks' },
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

// ---------------------------------------------------------------------------
// The operator's operations

const create = async ({ service }: Context, path: string, body: unknown): Promise<string> =>
  (await made(service.operator('POST', path, body))).id;

let tiers = 0;
const NEW = {
  '/partners': () => ({ name: `Partner ${unique()}` }),
  '/categories': () => ({ code: unique(), nameEn: 'Cleaning', nameAr: 'تنظيف' }),
  '/services': ({ world }: Context) => ({
    name: unique(),
    categoryId: world.categoryId,
    durationMinutes: 60,
    defaultPrice: 99.5,
  }),
  '/zones': () => ({ name: unique(), area: squareAround(20, 40) }),
  '/teams': () => ({ name: unique(), shifts: [{ weekday: 7, startAt: '08:00', endAt: '20:00' }] }),
  '/cancellation-reasons': () => ({ nameEn: unique(), nameAr: unique() }),
  '/pricing-tiers': () => ({ minMinutes: ++tiers * 10, maxMinutes: tiers * 10 + 5, factor: 0.9 }),
  '/tokens': () => ({ name: unique(), role: 'viewer' }),
} satisfies Record<string, (context: Context) => Record<string, unknown>>;
type Resource = keyof typeof NEW;

const one = (context: Context, resource: Resource): Promise<string> =>
  create(context, resource, NEW[resource](context));
const newKey = (context: Context): Promise<string> =>
  create(context, `/partners/${context.world.partnerId}/keys`, {
    name: 'Server',
    permissions: ['partner_bookings_read'],
  });

async function appointment({ service, world }: Context): Promise<string> {
  const path = `/partners/bookings/${await booking(world)}/status`;
  return ((await made(service.v1(world.key, 'GET', path))) as unknown as { appointmentId: string })
    .appointmentId;
}

/** What a worker may have made of a payment. */
const LINK = `status = 'OPEN', gateway = 'sandbox', gateway_reference = booking_id::text, link_url = 'https://pay.example/'`;
const REFUND_FAILED = `${LINK.replace('OPEN', 'PAID')}, paid_at = created_at, paid_amount = amount, refund_status = 'FAILED'`;

/** A payment by link as its booking made it, then as a worker would have written it. */
async function payment({ service, world }: Context, assignments = 'tries = 0'): Promise<string> {
  const pay = (paymentResponsibility: string) =>
    made(service.operator('PATCH', `/partners/${world.partnerId}`, { paymentResponsibility }));
  await pay('PLATFORM');
  const bookingId = await booking(world);
  await pay('PARTNER');
  const text = `update payments set ${assignments} where booking_id = $1 returning id`;
  return (await service.deps.db.first<{ id: string }>({ text, values: [bookingId] }))!.id;
}

/** List, create, read, change and remove of a resource, as far as it has them. */
function resource(
  path: Resource,
  names: (string | null)[],
  change: Record<string, unknown>,
): Record<string, Valid> {
  const valid: Valid[] = [
    () => ({ path: `${path}?limit=2` }),
    (context) => ({ path, body: NEW[path](context) }),
    async (context) => ({ path: `${path}/${await one(context, path)}` }),
    async (context) => ({ path: `${path}/${await one(context, path)}`, body: change }),
    async (context) => ({ path: `${path}/${await one(context, path)}` }),
  ];
  return Object.fromEntries(names.flatMap((name, index) => (name === null ? [] : [[name, valid[index]!]])));
}

const OPERATOR: Record<string, Valid> = {
  ...resource('/partners', ['listPartners', 'createPartner', 'getPartner', 'updatePartner'], {
    rateLimitPerMinute: 60,
  }),
  ...resource(
    '/categories',
    ['listCategories', 'createCategory', 'getCategory', 'updateCategory', 'removeCategory'],
    { sortOrder: 2 },
  ),
  ...resource(
    '/services',
    [
      'listCatalogueServices',
      'createCatalogueService',
      'getCatalogueService',
      'updateCatalogueService',
      'removeCatalogueService',
    ],
    { defaultPrice: 10 },
  ),
  ...resource('/zones', ['listZones', 'createZone', 'getZone', 'updateZone', 'removeZone'], { priority: 2 }),
  ...resource('/teams', ['listTeams', 'createTeam', 'getTeam', 'updateTeam', 'removeTeam'], {
    isActive: false,
  }),
  ...resource(
    '/cancellation-reasons',
    [
      'listCancellationReasons',
      'createCancellationReason',
      'getCancellationReason',
      'updateCancellationReason',
      'removeCancellationReason',
    ],
    { isActive: false },
  ),
  ...resource(
    '/pricing-tiers',
    ['listPricingTiers', 'createPricingTier', 'getPricingTier', 'updatePricingTier', 'removePricingTier'],
    { factor: 0.8 },
  ),
  ...resource('/tokens', ['listTokens', 'createToken', null, 'updateToken', 'removeToken'], { name: 'Desk' }),
  listKeys: ({ world }) => ({ path: `/partners/${world.partnerId}/keys` }),
  listPortalLinks: ({ world }) => ({ path: `/partners/${world.partnerId}/portal-links` }),
  createPortalLink: ({ world }) => ({
    path: `/partners/${world.partnerId}/portal-links`,
    body: { expiresInSeconds: 3_600, readOnly: true },
  }),
  revokePortalLink: async (context) => ({
    path: `/portal-links/${await create(context, `/partners/${context.world.partnerId}/portal-links`, {})}`,
  }),
  createKey: ({ world }) => ({
    path: `/partners/${world.partnerId}/keys`,
    body: { name: 'Server', permissions: ['partner_bookings_read'], ipAllowlist: ['203.0.113.0/24'] },
  }),
  updateKey: async (context) => ({ path: `/keys/${await newKey(context)}`, body: { name: 'Desk' } }),
  rotateKey: async (context) => ({
    path: `/keys/${await newKey(context)}/rotate`,
    body: { overlapMinutes: 5 },
  }),
  getPartnerServices: ({ world }) => ({ path: `/partners/${world.partnerId}/services` }),
  putPartnerServices: ({ world }) => ({
    path: `/partners/${world.partnerId}/services`,
    body: { restricted: false, services: [{ serviceId: world.serviceId, price: 120 }] },
  }),
  listTimeOff: ({ world }) => ({ path: `/teams/${world.teamIds[0]}/time-off` }),
  createTimeOff: async (context) => ({
    path: `/teams/${await one(context, '/teams')}/time-off`,
    body: { startsAt: '2026-12-01T00:00:00+03:00', endsAt: '2026-12-02T00:00:00+03:00' },
  }),
  removeTimeOff: async (context) => {
    const path = `/teams/${await one(context, '/teams')}/time-off`;
    const body = { startsAt: '2026-12-01T00:00:00+03:00', endsAt: '2026-12-02T00:00:00+03:00' };
    return { path: `${path}/${await create(context, path, body)}` };
  },
  listBookings: () => ({ path: '/bookings?limit=5' }),
  createBookingForPartner: ({ world }) => ({ path: '/bookings', body: forPartner(world) }),
  getBooking: async ({ world }) => ({ path: `/bookings/${await booking(world)}` }),
  cancelBooking: async ({ service, world }) => ({
    path: `/bookings/${await booking(world)}/cancel`,
    body: { reasonId: await reason(service) },
  }),
  failBooking: async ({ world }) => ({
    path: `/bookings/${await booking(world)}/fail`,
    body: { reason: 'Nobody can be reached' },
  }),
  getCustomer: ({ world }) => ({ path: `/contacts/${world.contactId}` }),
  listAppointments: () => ({ path: '/appointments?limit=5' }),
  getAppointment: async (context) => ({ path: `/appointments/${await appointment(context)}` }),
  listPlacements: async (context) => ({
    path: `/appointments/${await appointment(context)}/placements?date=2026-12-01`,
  }),
  reassignAppointments: async (context) => {
    await booking(context.world);
    const [from, to] = ['2026-12-01T00:00:00+03:00', '2026-12-03T00:00:00+03:00'];
    const path = `/teams/${context.world.teamIds[0]}/reassignments`;
    await made(context.service.operator('POST', path, { from, to }));
    const [date, timeslot] = ['2026-12-30', { startAt: '08:00', endAt: '10:00' }];
    const move = {
      appointmentId: randomUUID(),
      version: 1,
      teamId: context.world.teamIds[0],
      date,
      timeslot,
    };
    return { path, body: { from, to, apply: [move] } };
  },
  updateAppointment: async (context) => ({
    path: `/appointments/${await appointment(context)}`,
    body: { status: 'Confirmed' },
    headers: { 'if-match': '"1"' },
  }),
  getAttention: () => ({ path: '/attention?limit=3' }),
  search: () => ({ path: '/search?q=050' }),
  listTimeOffOfTeams: () => ({ path: '/time-off?from=2026-12-01&to=2026-12-31' }),
  getUtilisation: () => ({ path: '/utilisation?from=2026-12-01&to=2026-12-07' }),
  changeZones: async (context) => ({
    path: '/zones/changes?preview=true',
    body: { zones: [{ id: await one(context, '/zones'), priority: 3 }] },
  }),
  getMe: () => ({ path: '/me' }),
  getBoard: async ({ world }) => {
    await booking(world);
    return { path: `/board?date=2026-12-01&zoneId=${world.zoneId}` };
  },
  explainAvailability: ({ world }) => ({
    path: `/availability?addressId=${world.addressId}&serviceId=${world.serviceId}&date=${WORLD_DATE}`,
  }),
  listSubscriptions: async (context) => {
    await subscription(context);
    return { path: '/subscriptions?status=ACTIVE&search=127.0.0.1&limit=5' };
  },
  getSubscription: async (context) => ({ path: `/subscriptions/${await subscription(context)}` }),
  testSubscription: async (context) => ({ path: `/subscriptions/${await subscription(context)}/test` }),
  recoverSubscription: async (context) => ({
    path: `/subscriptions/${await subscription(context)}/recover`,
    body: { since: SINCE },
  }),
  listDeliveries: async (context) => {
    await delivery(context);
    return { path: '/deliveries?limit=5' };
  },
  getDelivery: async (context) => ({ path: `/deliveries/${await delivery(context)}` }),
  retryDelivery: async (context) => ({ path: `/deliveries/${await delivery(context)}/retry` }),
  replayDelivery: async (context) => ({ path: `/deliveries/${await delivery(context, 'arrived')}/replay` }),
  listPayments: async (context) => {
    await payment(context, LINK);
    return { path: '/payments?status=OPEN&late=false&limit=5' };
  },
  getPayment: async (context) => ({ path: `/payments/${await payment(context, REFUND_FAILED)}` }),
  resendPaymentLink: async (context) => ({ path: `/payments/${await payment(context, LINK)}/resend` }),
  retryRefund: async (context) => ({
    path: `/payments/${await payment(context, REFUND_FAILED)}/refund/retry`,
  }),
  markRefundDone: async (context) => ({
    path: `/payments/${await payment(context, REFUND_FAILED)}/refund/done`,
    body: { reference: 'BANK-2026-118' },
  }),
  streamChanges: () => ({ path: '/stream', headers: { 'last-event-id': '0-0-0-0' } }),
  listRequests: ({ world }) => ({ path: `/requests?partnerId=${world.partnerId}&outcome=success` }),
  getRequest: async ({ service, world }) => {
    await service.v1(world.key, 'GET', '/partners/bookings');
    const listed = await service.operator('GET', `/requests?partnerId=${world.partnerId}&limit=1`);
    return { path: `/requests/${listed.body.data[0].id}` };
  },
  listAudit: () => ({ path: '/audit?limit=50' }),
  getClock: () => ({ path: '/clock' }),
  advanceClock: () => ({ path: '/clock/advance', body: { seconds: 60 } }),
  resetClock: () => ({ path: '/clock' }),
};

/** These are there only where the clock of the sandbox is; elsewhere they are unknown routes. */
const CLOCK = ['getClock', 'advanceClock', 'resetClock'];
/** It reads memory alone, so that a database that is away does not hinder it. */
const NEVER_500 = ['getClock', 'getMe'];

/** A second one of what must be unique, made and changed. */
function taken(path: Resource, createId: string, updateId: string): Refused[] {
  const again = async (context: Context) => {
    const body = NEW[path](context);
    await create(context, path, body);
    return body;
  };
  return [
    { id: createId, code: 'CONFLICT', request: async (context) => ({ path, body: await again(context) }) },
    {
      id: updateId,
      code: 'CONFLICT',
      request: async (context) => ({
        path: `${path}/${await one(context, path)}`,
        body: await again(context),
      }),
    },
  ];
}

const inUse = (id: string, pathOf: (world: World) => string): Refused => ({
  id,
  code: 'CONFLICT',
  request: async ({ world }) => {
    await booking(world);
    return { path: pathOf(world) };
  },
});

async function revoked(context: Context, path: string): Promise<string> {
  await made(context.service.operator('PATCH', path, { status: 'REVOKED' }));
  return path;
}

const OPERATOR_REFUSED: Refused[] = [
  {
    id: 'changeZones',
    code: 'CONFLICT',
    request: async (context) => ({
      path: '/zones/changes',
      body: { zones: [{ id: await one(context, '/zones'), version: 9 }] },
    }),
  },
  {
    id: 'changeZones',
    code: 'CONFLICT',
    request: async (context) => {
      const { name } = await made(context.service.operator('POST', '/zones', NEW['/zones']()));
      return { path: '/zones/changes', body: { zones: [{ id: await one(context, '/zones'), name }] } };
    },
  },
  ...(['Partner', 'Contact', 'Address', 'Service'] as const).map(
    (what): Refused => ({
      id: 'createBookingForPartner',
      code: 'RESOURCE_NOT_FOUND',
      message: `${what} not found`,
      request: ({ world }) => ({
        path: '/bookings',
        body: forPartner(world, { [`${what.toLowerCase()}Id`]: randomUUID() }),
      }),
    }),
  ),
  {
    id: 'createBookingForPartner',
    code: 'CONFLICT',
    request: async ({ service, world }) => {
      const other = await createWorld(service);
      await made(service.operator('PATCH', `/partners/${other.partnerId}`, { status: 'SUSPENDED' }));
      return { path: '/bookings', body: forPartner(world, { partnerId: other.partnerId }) };
    },
  },
  {
    id: 'createBookingForPartner',
    code: 'SERVICE_NOT_ALLOWED',
    request: async ({ service, world }) => {
      const other = await createWorld(service);
      return { path: '/bookings', body: forPartner(world, { serviceId: other.serviceId }) };
    },
  },
  {
    id: 'createBookingForPartner',
    code: 'DUPLICATE_EXTERNAL_REFERENCE',
    request: async ({ world }) => {
      const externalReference = unique();
      await booking(world, { externalReference });
      return { path: '/bookings', body: forPartner(world, { externalReference }) };
    },
  },
  {
    id: 'createBookingForPartner',
    code: 'IDEMPOTENCY_KEY_CONFLICT',
    request: (context) => repeatedForPartner(context, { externalReference: unique() }),
  },
  {
    id: 'createBookingForPartner',
    code: 'IDEMPOTENCY_KEY_IN_PROGRESS',
    request: async (context) => {
      const request = await repeatedForPartner(context, {});
      // As if the first request had not been answered yet.
      const text = 'update idempotency_keys set response_status = null, response_body = null';
      await context.service.deps.db.rows({ text });
      return request;
    },
  },
  {
    id: 'createBookingForPartner',
    code: 'BOOKING_CREATION_FAILED',
    request: async ({ world }) => {
      const body = newBooking(world);
      assert.equal((await world.book(body)).status, 200);
      return { path: '/bookings', body: forPartner(world, body) };
    },
  },
  ...[
    'updateAppointment',
    'cancelBooking',
    'failBooking',
    'updateTeam',
    'updateZone',
    'putPartnerServices',
  ].map(
    (id): Refused => ({
      id,
      code: 'CONFLICT',
      message: 'It has changed since: look at its present state and decide again',
      request: async (context) => ({ ...(await OPERATOR[id]!(context)), headers: { 'if-match': '"99"' } }),
    }),
  ),
  { id: 'getRequest', code: 'VALIDATION_ERROR', request: () => ({ path: '/requests/-' }) },
  { id: 'getRequest', code: 'RESOURCE_NOT_FOUND', request: () => ({ path: '/requests/999999-0' }) },
  {
    id: 'getBoard',
    code: 'RESOURCE_NOT_FOUND',
    request: () => ({ path: `/board?date=${WORLD_DATE}&zoneId=${randomUUID()}` }),
  },
  ...taken('/partners', 'createPartner', 'updatePartner'),
  ...taken('/categories', 'createCategory', 'updateCategory'),
  ...taken('/zones', 'createZone', 'updateZone'),
  ...taken('/teams', 'createTeam', 'updateTeam'),
  ...taken('/pricing-tiers', 'createPricingTier', 'updatePricingTier'),
  inUse('removeCategory', ({ categoryId }) => `/categories/${categoryId}`),
  inUse('removeCatalogueService', ({ serviceId }) => `/services/${serviceId}`),
  inUse('removeZone', ({ zoneId }) => `/zones/${zoneId}`),
  inUse('removeTeam', ({ teamIds }) => `/teams/${teamIds[0]}`),
  {
    id: 'removeCancellationReason',
    code: 'CONFLICT',
    request: async ({ service, world }) => {
      const reasonId = await reason(service);
      await made(service.operator('POST', `/bookings/${await booking(world)}/cancel`, { reasonId }));
      return { path: `/cancellation-reasons/${reasonId}` };
    },
  },
  ...(['Address', 'Service'] as const).map(
    (what): Refused => ({
      id: 'explainAvailability',
      code: 'RESOURCE_NOT_FOUND',
      message: `${what} not found`,
      request: ({ world }) => {
        const { addressId, serviceId } = world;
        const ids = { addressId, serviceId, [`${what.toLowerCase()}Id`]: randomUUID() };
        return { path: `/availability?${new URLSearchParams({ ...ids, date: WORLD_DATE })}` };
      },
    }),
  ),
  {
    id: 'removeTimeOff',
    code: 'RESOURCE_NOT_FOUND',
    message: 'Time off not found',
    request: ({ world }) => ({ path: `/teams/${world.teamIds[0]}/time-off/${randomUUID()}` }),
  },
  {
    id: 'updateKey',
    code: 'INVALID_TRANSITION',
    request: async (context) => ({
      path: await revoked(context, `/keys/${await newKey(context)}`),
      body: { status: 'ACTIVE' },
    }),
  },
  {
    id: 'rotateKey',
    code: 'INVALID_TRANSITION',
    request: async (context) => ({
      path: `${await revoked(context, `/keys/${await newKey(context)}`)}/rotate`,
      body: {},
    }),
  },
  {
    id: 'revokePortalLink',
    code: 'INVALID_TRANSITION',
    request: async (context) => {
      const id = await create(context, `/partners/${context.world.partnerId}/portal-links`, {});
      const text = `update portal_links set created_at = '2026-01-01', expires_at = '2026-01-02' where id = $1`;
      await context.service.deps.db.rows({ text, values: [id] });
      return { path: `/portal-links/${id}` };
    },
  },
  {
    id: 'updateToken',
    code: 'INVALID_TRANSITION',
    request: async (context) => ({
      path: await revoked(context, `/tokens/${await one(context, '/tokens')}`),
      body: { status: 'ACTIVE' },
    }),
  },
  {
    id: 'cancelBooking',
    code: 'BOOKING_ALREADY_CANCELLED',
    request: async (context) => ({
      path: `/bookings/${await canceled(context)}/cancel`,
      body: { reasonId: await reason(context.service) },
    }),
  },
  {
    id: 'failBooking',
    code: 'INVALID_TRANSITION',
    request: async (context) => ({
      path: `/bookings/${await canceled(context)}/fail`,
      body: { reason: 'Nobody can be reached' },
    }),
  },
  {
    id: 'updateAppointment',
    code: 'INVALID_TRANSITION',
    request: async (context) => ({
      path: `/appointments/${await appointment(context)}`,
      body: { status: 'Completed' },
    }),
  },
  ...(
    [
      ['resendPaymentLink', 'resend', undefined],
      ['retryRefund', 'refund/retry', undefined],
      ['markRefundDone', 'refund/done', { reference: 'BANK-2026-118' }],
    ] as const
  ).map(
    ([id, path, body]): Refused => ({
      id,
      code: 'INVALID_TRANSITION',
      request: async (context) => ({ path: `/payments/${await payment(context)}/${path}`, body }),
    }),
  ),
  {
    id: 'retryDelivery',
    code: 'DELIVERY_NOT_RETRYABLE',
    request: async (context) => ({ path: `/deliveries/${await delivery(context, 'waiting')}/retry` }),
  },
  {
    id: 'replayDelivery',
    code: 'DELIVERY_NOT_RETRYABLE',
    request: async (context) => ({ path: `/deliveries/${await delivery(context)}/replay` }),
  },
  {
    id: 'updateAppointment',
    code: 'BOOKING_CREATION_FAILED',
    request: async (context) => {
      const taken = nextSlot();
      await booking(context.world, taken);
      return { path: `/appointments/${await appointment(context)}`, body: taken };
    },
  },
];

const TABLES = {
  partner: { valid: PARTNER, refused: PARTNER_REFUSED },
  operator: { valid: OPERATOR, refused: OPERATOR_REFUSED },
};

// ---------------------------------------------------------------------------
// What is documented, and what was seen

type Told = { code?: string; message?: string; details?: Record<string, unknown> };

/** Details whose values are those of the example or of the test: only their types are compared. */
const OF_THEIR_OWN = [
  'alternatives',
  'current',
  'domain',
  'externalReference',
  'runId',
  'serviceIds',
  'source',
  'usedBy',
  'version',
];

/** The message and the details of a refusal, to compare examples with what is answered. */
function told({ message = '', details = {} }: Told): string {
  const shown = Object.entries(details)
    .map(([name, value]) => {
      if (OF_THEIR_OWN.includes(name)) return `${name}: ${typeof value}`;
      const text = JSON.stringify(value);
      return `${name}: ${name === 'docUrl' ? text.slice(text.indexOf('#')) : text}`;
    })
    .sort();
  return [message, ...shown].join(' | ').replaceAll(/externalReference=[^ ]+/g, 'externalReference=');
}

/** `createBooking 409 CONFLICT`: a status, and of a refusal its code and what its examples tell. */
function documented(side: Side): Map<string, string[]> {
  const { document, operations } = checkerOf(side);
  const found = new Map<string, string[]>();
  for (const { operation } of operations) {
    for (const [status, response] of Object.entries(operation.responses)) {
      const name = response.$ref?.slice(response.$ref.lastIndexOf('/') + 1);
      const { content } = name === undefined ? response : document.components.responses[name]!;
      const examples = Object.values(content?.['application/json']?.examples ?? {});
      if (examples.length === 0) found.set(`${operation.operationId} ${status}`, []);
      for (const { value } of examples) {
        const { error } = value as { error: Told };
        const key = `${operation.operationId} ${status} ${error.code}`;
        found.set(key, [...(found.get(key) ?? []), told(error)]);
      }
    }
  }
  return found;
}

type Seen = Map<string, Set<string>>;

function saw(seen: Seen, id: string, { status, body }: Pick<Answer, 'status' | 'body'>): void {
  const error: Told = body?.error ?? {};
  const key = error.code === undefined ? `${id} ${status}` : `${id} ${status} ${error.code}`;
  seen.set(key, (seen.get(key) ?? new Set()).add(told(error)));
}

/** Refusals that tell of the one thing that was wrong, so that the examples are held to be exact. */
const EXACT = /^\S+ (?:(?:401|404|409|422) |403 (?!FORBIDDEN))/;

/** What is documented and was never seen. */
function unseen(side: Side, seen: Seen): string[] {
  return [...documented(side)].flatMap(([key, examples]) => {
    const answered = seen.get(key);
    if (answered === undefined) return [key];
    if (!EXACT.test(key)) return [];
    return examples.filter((example) => !answered.has(example)).map((example) => `${key}: ${example}`);
  });
}

// ---------------------------------------------------------------------------
// Calls that follow from the document

type Caller = (request: Request, headers?: Record<string, string>) => Promise<Answer>;

function callerOf(
  service: TestService,
  side: Side,
  method: string,
  credentials: Record<string, string>,
): Caller {
  const base = side === 'partner' ? `${service.url}/v1` : `${service.operatorUrl}/operator`;
  return ({ path, body, headers }, more = {}) =>
    call(base, method, path, body, { ...credentials, ...headers, ...more });
}

const elsewhere = (path: string, id: () => string): string =>
  path.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, id);

const credentialsOf = (side: Side, key: string): Record<string, string> =>
  side === 'partner' ? { 'x-api-key': key } : { authorization: `Bearer ${key}` };

/** A request that is no HTTP, on this path. Answers what the document is about. */
function malformed(url: string, method: string): Promise<Answer> {
  const { hostname, port, pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    let raw = '';
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${method} ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n`),
    );
    socket.on('data', (chunk) => {
      raw += chunk;
    });
    socket.on('error', reject);
    socket.on('end', () => {
      const [head = '', text = ''] = raw.split('\r\n\r\n');
      const [first = '', ...lines] = head.split('\r\n');
      const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]));
      const answer = { status: Number(first.split(' ')[1]), headers, text, body: JSON.parse(text) };
      const exchange = { ...answer, method, url, requestHeaders: {}, requestBody: undefined };
      assert.deepEqual(exchangeFaults(exchange), []);
      resolve(answer);
    });
  });
}

type Credentials = { good: string; weak: string };

async function provoke(
  found: DocumentedOperation,
  side: Side,
  context: Context,
  { good, weak }: Credentials,
  seen: Seen,
): Promise<void> {
  const { service } = context;
  const { operation, method } = found;
  const id = operation.operationId;
  const valid = TABLES[side].valid[id] ?? assert.fail(`${side} ${id}: no line in VALID`);
  const send = callerOf(service, side, method, credentialsOf(side, good));
  const see = async (answer: Promise<Answer>): Promise<void> => saw(seen, id, await answer);

  const request = await valid(context);
  await see(send(request));
  const { path, body } = request;
  await see(callerOf(service, side, method, {})(request));
  await see(callerOf(service, side, method, credentialsOf(side, weak))(request));
  if (operation.requestBody !== undefined) {
    await see(send({ path, body: '{' }));
    await see(send({ path, body: { unknown: 'x'.repeat(1024 * 1024) } }));
  } else if (operation.parameters?.some((each) => each.in === 'path')) {
    await see(send({ path: elsewhere(path, () => '-') }));
  } else if (operation.parameters?.some((each) => each.in === 'query')) {
    await see(send({ path: `${path.split('?')[0]}?limit=0&status=unknown` }));
  } else {
    const base = side === 'partner' ? `${service.url}/v1` : `${service.operatorUrl}/operator`;
    await see(malformed(base + path, method));
  }
  if (found.path.includes('{')) {
    await see(send({ path: elsewhere(path, () => randomUUID()), ...(body !== undefined && { body }) }));
  }
}

async function provokePartner(found: DocumentedOperation, context: Context, seen: Seen): Promise<void> {
  const { service, world } = context;
  const { operation, method } = found;
  const id = operation.operationId;
  const request = await PARTNER[id]!(context);
  const permissions = [operation['x-permission'] as Permission];
  const send = callerOf(service, 'partner', method, {});

  const { key: limited } = await createPartner(service, { permissions, partner: { rateLimitPerMinute: 1 } });
  await send(request, { 'x-api-key': limited });
  saw(seen, id, await send(request, { 'x-api-key': limited }));

  const domains = { allowedDomains: ['example.sa'], sandboxDomains: ['sandbox.example.sa'] };
  const { key } = await createPartner(service, { permissions, partner: domains });
  for (const domain of ['elsewhere.sa', 'sandbox.example.sa']) {
    saw(seen, id, await send(request, { 'x-api-key': key, 'x-partner-domain': domain }));
  }
  assert.ok(world.key !== key);
}

// ---------------------------------------------------------------------------

async function openContext(
  t: TestContext,
  env: Record<string, string> = {},
  sandboxClock = false,
): Promise<Context> {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, {
    env: {
      IDEMPOTENCY: 'on',
      SANDBOX_DOMAIN_CHECK: 'true',
      WEBHOOK_ALLOW_HOSTS: receiver.host,
      ...env,
    },
    sandboxClock,
  });
  // Every payment is in the hands of a worker that does nothing: it stays as the tests write it.
  await service.deps.db.rows({
    text: `
      alter table payments alter lease set default gen_random_uuid(),
        alter leased_until set default '2100-01-01'`,
  });
  return { service, world: await createHookWorld(service), receiver };
}

test("the partners' operations, in every documented status and with every documented code", async (t) => {
  const seen: Seen = new Map();
  const context = await openContext(t);
  const { service, world } = context;
  const { key: weak } = await createPartnerKey(service, world.partnerId, ['partner_webhooks_manage']);
  const { key: other } = await createPartnerKey(service, world.partnerId, ['partner_pricing_read']);
  const { operations } = checkerOf('partner');

  for (const found of operations) {
    const isWebhooks = found.operation['x-permission'] === 'partner_webhooks_manage';
    await provoke(found, 'partner', context, { good: world.key, weak: isWebhooks ? other : weak }, seen);
    await provokePartner(found, context, seen);
  }
  await provokeRefusals('partner', context, world.key, seen);
  await provokeFailures('partner', context, world.key, seen);
  assert.deepEqual(unseen('partner', seen), [], 'documented, but never seen');
});

test("the operator's operations, in every documented status and with every documented code", async (t) => {
  const seen: Seen = new Map();
  const context = await openContext(t);
  const clockGround = await openContext(t, {}, true);
  const secured = await startTestService(t, { env: { REQUIRE_HTTPS: 'true' } });
  const guessed = await startTestService(t, { maxAuthFailures: 1 });
  assert.equal((await call(guessed.url, 'GET', '/operator/partners')).status, 401);
  const { operations } = checkerOf('operator');
  const viewer = await made(context.service.operator('POST', '/tokens', NEW['/tokens']()));
  const weakToken = (viewer as unknown as { token: string }).token;

  for (const found of operations) {
    const { operationId } = found.operation;
    const isClock = CLOCK.includes(operationId);
    const here = isClock ? clockGround : context;
    await provoke(found, 'operator', here, { good: OPERATOR_TOKEN, weak: weakToken }, seen);
    const request = await OPERATOR[operationId]!(here);
    const credentials = credentialsOf('operator', OPERATOR_TOKEN);
    // What a viewer may is refused to nobody but those who come without TLS where it is demanded.
    saw(seen, operationId, await callerOf(secured, 'operator', found.method, credentials)(request));
    const wrong = credentialsOf('operator', 'wrong');
    saw(seen, operationId, await callerOf(guessed, 'operator', found.method, wrong)(request));
    if (isClock) {
      saw(seen, operationId, await callerOf(context.service, 'operator', found.method, credentials)(request));
    }
  }
  await provokeRefusals('operator', context, OPERATOR_TOKEN, seen);
  await provokeFailures('operator', context, OPERATOR_TOKEN, seen);
  await provokeFailures('operator', clockGround, OPERATOR_TOKEN, seen);
  for (const id of NEVER_500) seen.set(`${id} 500 INTERNAL_ERROR`, new Set());
  assert.deepEqual(unseen('operator', seen), [], 'documented, but never seen');
});

async function provokeRefusals(side: Side, context: Context, good: string, seen: Seen): Promise<void> {
  for (const { id, code, message, request } of TABLES[side].refused) {
    const found = checkerOf(side).operations.find(({ operation }) => operation.operationId === id);
    assert.ok(found, `${side} ${id} is not documented`);
    const send = callerOf(context.service, side, found.method, credentialsOf(side, good));
    const answer = await send(await request(context));
    assert.equal(answer.body.error?.code, code, `${id}: ${answer.text}`);
    if (message !== undefined) assert.equal(answer.body.error.message, message);
    saw(seen, id, answer);
  }
}

/** Every valid request once more, while the database does not answer. */
async function provokeFailures(side: Side, context: Context, good: string, seen: Seen): Promise<void> {
  const prepared: { found: DocumentedOperation; request: Request }[] = [];
  for (const found of checkerOf(side).operations) {
    prepared.push({ found, request: await TABLES[side].valid[found.operation.operationId]!(context) });
  }
  await context.service.deps.db.close();
  for (const { found, request } of prepared) {
    const send = callerOf(context.service, side, found.method, credentialsOf(side, good));
    saw(seen, found.operation.operationId, await send(request));
  }
}

// ---------------------------------------------------------------------------
// What receivers of webhooks get

test('every event arrives as the document says', async (t) => {
  const context = await openContext(t);
  const { service, world, receiver } = context;
  const { id } = await subscribe(service, world.key, { url: receiver.url, events: [...EVENT_NAMES] });
  const bookingId = await booking(world);
  const path = `/partners/bookings/${bookingId}`;
  await made(service.v1(world.key, 'PATCH', path, nextSlot()));
  await made(service.v1(world.key, 'POST', `${path}/confirm-payment`, {}));
  const { appointmentId } = (await made(service.v1(world.key, 'GET', `${path}/status`))) as Record<
    string,
    string
  >;
  await made(service.operator('PATCH', `/appointments/${appointmentId}`, { status: 'Confirmed' }));
  await made(service.v1(world.key, 'PATCH', `${path}/cancel`, { reasonId: await reason(service) }));
  await made(
    service.operator('PATCH', `/partners/${world.partnerId}`, { paymentResponsibility: 'PLATFORM' }),
  );
  const unpaid = await booking(world);
  await service.deps.db.transaction(async (tx) => {
    const locked = await lockForPayment(tx, unpaid);
    assert.ok(await paymentFailed(tx, service.clock.now(), locked, 'The payment link expired', 'test'));
  });
  await made(service.v1(world.key, 'POST', `${SUBSCRIPTIONS}/${id}/test`));

  const events = Object.keys(checkerOf('partner').document.webhooks ?? {});
  assert.deepEqual(events, [...EVENT_NAMES, 'webhook.test']);
  const missing = (): string[] =>
    events.filter((event) => receiver.received.every(({ json }) => json.event !== event));
  await until(() => missing().length === 0, missing);
  for (const received of receiver.received) {
    assert.deepEqual(deliveryFaults(received), [], received.body.toString());
  }

  const good = receiver.received[0]!;
  const headers = (change: Record<string, string>) =>
    deliveryFaults({ ...good, headers: { ...good.headers, ...change } });
  assert.equal(headers({ 'x-service-signature': 'sha256=0' }).length, 1, 'a header of another form');
  assert.equal(headers({ 'x-new': '1' }).length, 1, 'a header that is not documented');
  const { 'webhook-id': _, ...fewer } = good.headers;
  assert.equal(deliveryFaults({ ...good, headers: fewer }).length, 1, 'a header that is missing');
  const { payload, ...rest } = good.json;
  assert.equal(deliveryFaults({ ...good, json: rest }).length, 1, 'a field that is missing');
  assert.equal(deliveryFaults({ ...good, json: { ...good.json, at: 1 } }).length, 1, 'a field too many');
  const more = { ...rest, payload: { ...payload, price: 1 } };
  assert.equal(deliveryFaults({ ...good, json: more }).length, 1, 'a field of the payload too many');
  assert.equal(headers({ 'x-service-event': 'booking.lost' }).length, 1, 'an event that is not documented');
});

// ---------------------------------------------------------------------------
// The check itself

test('an answer or a request that is not as documented is caught', () => {
  const { document } = checkerOf('partner');
  const data = (document.paths['/partners/contacts']!.post!.responses[200]!.content!['application/json']!
    .example ?? {}) as { success: true; data: Record<string, unknown> };
  const good = {
    method: 'POST',
    url: 'http://x/v1/partners/contacts',
    requestHeaders: {},
    requestBody: { phone: '+966501234567', name: 'Noura' },
    status: 200,
    headers: new Headers({ ...RESPONSE_HEADERS, 'x-request-id': 'a', 'content-type': 'application/json' }),
    text: JSON.stringify(data),
  };
  const faults = (change: Partial<typeof good>): number => exchangeFaults({ ...good, ...change }).length;
  assert.equal(faults({}), 0);
  assert.equal(faults({ text: JSON.stringify({ ...data, extra: 1 }) }), 1, 'a field that is not documented');
  const { phone: _, ...rest } = data.data;
  assert.equal(faults({ text: JSON.stringify({ ...data, data: rest }) }), 1, 'a field that is missing');
  assert.equal(faults({ text: JSON.stringify({ ...data, data: { ...rest, phone: 5 } }) }), 1, 'a wrong type');
  assert.equal(faults({ status: 201 }), 1, 'a status that is not documented');
  const headers = (more: Record<string, string>) =>
    new Headers({ ...Object.fromEntries(good.headers), ...more });
  assert.equal(faults({ headers: headers({ 'x-new': '1' }) }), 1, 'a header that is not documented');
  assert.equal(faults({ headers: headers({ 'x-api-version': '2' }) }), 1, 'a header of another value');
  for (const name of ['x-request-id', ...Object.keys(RESPONSE_HEADERS)]) {
    const fewer = new Headers(good.headers);
    fewer.delete(name);
    assert.equal(faults({ headers: fewer }), 1, `a header that is missing: ${name}`);
  }
  assert.equal(
    faults({ requestBody: { name: 'Noura' } as typeof good.requestBody }),
    1,
    'a request that was accepted',
  );
  const details = { docUrl: 'http://x/docs/errors#conflict' };
  const error = { code: 'CONFLICT', message: 'x', details, requestId: 'a' };
  const refusal = JSON.stringify({ success: false, error });
  assert.equal(faults({ status: 401, text: refusal }), 1, 'a code that is not of the operation');
  assert.equal(faults({ url: 'http://x/v1/partners/nothing' }), 1, 'an operation that is not documented');
  assert.equal(faults({ url: 'http://x/livez' }), 0, 'outside the interfaces');

  const other = createChecker({ ...document, paths: {} });
  assert.equal(faultsAgainst(other, good, '/partners/contacts', new URLSearchParams()).length, 1);
});

test('what is documented and not seen is named', () => {
  const all = documented('partner');
  const seen: Seen = new Map([...all].map(([key, examples]) => [key, new Set(examples)]));
  assert.deepEqual(unseen('partner', seen), []);
  seen.delete('createBooking 200');
  const contact = 'Contact not found | docUrl: #resource-not-found" | resource: "contact"';
  assert.ok(seen.get('createBooking 404 RESOURCE_NOT_FOUND')!.delete(contact));
  assert.deepEqual(unseen('partner', seen), [
    'createBooking 200',
    `createBooking 404 RESOURCE_NOT_FOUND: ${contact}`,
  ]);
  // Also when the message is the same, and the details are not.
  seen.get('createBooking 404 RESOURCE_NOT_FOUND')!.add('Contact not found | resource: "contact"');
  assert.equal(unseen('partner', seen).length, 2);
});
