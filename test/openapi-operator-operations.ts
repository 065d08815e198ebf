import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createWorld, randomPhone, squareAround, WORLD_DATE, type World } from './fixtures.ts';
import { call, OPERATOR_TOKEN } from './harness.ts';
import {
  addressInUse,
  addressTwice,
  booking,
  type Context,
  canceled,
  delivery,
  made,
  newBooking,
  nextSlot,
  type Refused,
  type Request,
  reason,
  SINCE,
  subscription,
  unique,
  type Valid,
} from './openapi-context.ts';
import { OPERATOR_FEE_OPERATIONS, OPERATOR_FEES_REFUSED } from './openapi-fee-operations.ts';
import { OPERATOR_HOLD_OPERATIONS, OPERATOR_HOLDS_REFUSED } from './openapi-hold-operations.ts';
import { OPERATOR_SERIES_OPERATIONS, OPERATOR_SERIES_REFUSED } from './openapi-series-operations.ts';
import type { Any } from './read-back.ts';
import { OPERATOR_STATEMENT_OPERATIONS, OPERATOR_STATEMENTS_REFUSED } from './statement-fixtures.ts';

/** A valid request of each operation of the operator API, and one for each of its codes (test/openapi.test.ts). */

const forPartner = (world: World, overrides: Record<string, unknown> = {}) => ({
  partnerId: world.partnerId,
  ...newBooking(world, overrides),
});

/** A team's delay by minutes that moves one appointment. */
const delayOf = (world: World, visit: Record<string, unknown>, minutes = 30): Request => ({
  path: `/teams/${world.teamIds[0]}/delays`,
  body: { date: '2026-12-01', minutes, apply: [visit] },
});

/** A place on a date of its own. */
const backOf = ({ world }: Context, startAt = '08:00', endAt = '10:00') => ({
  version: 1,
  teamId: world.teamIds[0],
  date: '2027-01-13',
  timeslot: { startAt, endAt },
});

const undoOf = (back: Record<string, unknown>): Request => ({
  path: '/appointments/reassignments/undo',
  body: { apply: [back] },
});

/** The same for the operator's creations for a partner. */
async function repeatedForPartner(
  { service, world }: Context,
  overrides: Record<string, unknown>,
): Promise<Request> {
  const body = forPartner(world);
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, 'idempotency-key': unique() };
  await made(call(`${service.operatorUrl}/operator`, 'POST', '/bookings', body, headers));
  return { path: '/bookings', body: { ...body, ...overrides }, headers };
}

const create = async ({ service }: Context, path: string, body: unknown): Promise<string> =>
  (await made(service.operator('POST', path, body))).id;

/** The path of a step of a crew that was refused. */
export async function refusedStep(context: Context): Promise<string> {
  const { service, world } = context;
  const [bookingId, key, teamId] = [await booking(world), randomUUID(), world.teamIds[0]];
  const linkId = await create(context, `/teams/${teamId}/crew-links`, {});
  const text = `insert into crew_steps (team_id, key, link_id, appointment_id, status, happened_at, received_at, refusal)
    select $1, $2, $3, id, 'In The Way', now(), now(), 'TOO_OLD' from appointments where booking_id = $4`;
  await service.deps.db.rows({ text, values: [teamId, key, linkId, bookingId] });
  return `/teams/${teamId}/crew-steps/${key}`;
}

let tiers = 0;
let zones = 0;
export const NEW = {
  '/partners': () => ({ name: `Partner ${unique()}` }),
  '/categories': () => ({ code: unique(), nameEn: 'Cleaning', nameAr: 'تنظيف' }),
  '/services': ({ world }: Context) => ({
    name: unique(),
    categoryId: world.categoryId,
    durationMinutes: 60,
    defaultPrice: 99.5,
  }),
  '/zones': () => ({ name: unique(), area: squareAround(20, ++zones * 0.3) }),
  '/teams': () => ({ name: unique(), shifts: [{ weekday: 7, startAt: '08:00', endAt: '20:00' }] }),
  '/schedules': () => ({ nameEn: 'Eid', nameAr: 'عيد', from: '2031-12-01', to: '2031-12-02', closed: true }),
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

/** A payment after a worker's step. */
const LINK = `status = 'OPEN', gateway = 'sandbox', gateway_reference = booking_id::text, link_url = 'https://pay.example/'`;
export const REFUND_FAILED = `${LINK.replace('OPEN', 'PAID')}, paid_at = created_at, paid_amount = amount, refund_status = 'FAILED'`;
export const TO_DECIDE = `${LINK.replace('OPEN', 'PAID')}, paid_at = created_at, paid_amount = amount, refund_to_decide = true`;

/** A payment by link as its booking created it, then with the assignments of a worker. */
export async function payment({ service, world }: Context, assignments = 'tries = 0'): Promise<string> {
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

const privacyRequest = (context: Context, kind = 'ACCESS', phone = randomPhone()): Promise<string> =>
  create(context, '/privacy-requests', { kind, phone });

/** A request that is finished. */
async function finishedRequest(context: Context): Promise<string> {
  const path = `/privacy-requests/${await privacyRequest(context)}`;
  await made(context.service.operator('POST', `${path}/complete`));
  return path;
}

/** The response to a creation names its effects beside the schedule. */
const schedule = async ({ service }: Context): Promise<string> => {
  const answer = await service.operator('POST', '/schedules', NEW['/schedules']());
  return answer.body.data.schedule.id;
};

const scheduleChanges = (): Record<string, Valid> => ({
  createSchedule: () => ({ path: '/schedules?preview=true', body: NEW['/schedules']() }),
  updateSchedule: async (context) => ({
    path: `/schedules/${await schedule(context)}`,
    body: { zoneIds: [context.world.zoneId], breaks: [{ weekdays: [5], startAt: '11:45', endAt: '13:00' }] },
  }),
  removeSchedule: async (context) => ({ path: `/schedules/${await schedule(context)}` }),
});

export const OPERATOR: Record<string, Valid> = {
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
  listSchedules: () => ({ path: '/schedules?from=2031-12-01&to=2031-12-31&sortBy=nameAr&limit=2' }),
  ...scheduleChanges(),
  getSchedule: async (context) => ({ path: `/schedules/${await schedule(context)}` }),
  listScheduleTemplates: () => ({ path: '/schedules/templates?year=1448' }),
  getZoneHours: ({ world }) => ({ path: `/zones/${world.zoneId}/hours?from=2026-12-01&to=2026-12-07` }),
  getTeamHours: ({ world }) => ({ path: `/teams/${world.teamIds[0]}/hours?from=2026-12-01&to=2026-12-07` }),
  ...resource('/tokens', ['listTokens', 'createToken', null, 'updateToken', 'removeToken'], { name: 'Desk' }),
  openSession: () => ({ path: '/sessions', body: { token: OPERATOR_TOKEN } }),
  listSessions: () => ({ path: '/sessions?limit=5' }),
  endSession: async (context) => ({
    path: `/sessions/${await create(context, '/sessions', { token: OPERATOR_TOKEN })}`,
  }),
  endSignIns: async (context) => ({ path: `/tokens/${await one(context, '/tokens')}/sessions` }),
  createSignInLink: async (context) => ({ path: `/tokens/${await one(context, '/tokens')}/sign-in-links` }),
  listKeys: ({ world }) => ({ path: `/partners/${world.partnerId}/keys` }),
  listPortalLinks: ({ world }) => ({ path: `/partners/${world.partnerId}/portal-links` }),
  createPortalLink: ({ world }) => ({
    path: `/partners/${world.partnerId}/portal-links`,
    body: { expiresInSeconds: 3_600, readOnly: true },
  }),
  revokePortalLink: async (context) => ({
    path: `/portal-links/${await create(context, `/partners/${context.world.partnerId}/portal-links`, {})}`,
  }),
  listCrewLinks: ({ world }) => ({ path: `/teams/${world.teamIds[0]}/crew-links` }),
  createCrewLink: ({ world }) => ({
    path: `/teams/${world.teamIds[0]}/crew-links`,
    body: { lasts: 'UNTIL_REVOKED', pin: '4711' },
  }),
  revokeCrewLink: async (context) => ({
    path: `/crew-links/${await create(context, `/teams/${context.world.teamIds[0]}/crew-links`, {})}`,
  }),
  listCrewSteps: ({ world }) => ({
    path: `/crew-steps?teamId=${world.teamIds[0]}&outcome=REFUSED&withinHours=24`,
  }),
  decideCrewStep: async (context) => ({
    path: `${await refusedStep(context)}/decide`,
    body: { decision: 'LEAVE' },
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
  exportBookings: ({ world }) => ({ path: `/partners/${world.partnerId}/bookings/export?month=2026-11` }),
  createBookingForPartner: ({ world }) => ({ path: '/bookings', body: forPartner(world) }),
  getBooking: async ({ world }) => ({ path: `/bookings/${await booking(world)}` }),
  listBookingMessages: async ({ world }) => ({ path: `/bookings/${await booking(world)}/messages` }),
  listCustomers: () => ({ path: '/contacts?search=050&page=1&limit=20' }),
  listMessages: ({ world }) => ({
    path: `/messages?partnerId=${world.partnerId}&status=FAILED&withinHours=24`,
  }),
  cancelBooking: async ({ service, world }) => ({
    path: `/bookings/${await booking(world)}/cancel`,
    body: { reasonId: await reason(service) },
  }),
  correctBooking: async ({ world }) => ({
    path: `/bookings/${await booking(world)}`,
    body: { notes: 'Bring a ladder', address: { unit: '12' } },
  }),
  locateShortAddress: () => ({ path: '/addresses/locate', body: { shortAddress: 'RRRD2929' } }),
  failBooking: async ({ world }) => ({
    path: `/bookings/${await booking(world)}/fail`,
    body: { reason: 'Nobody can be reached' },
  }),
  getCustomer: ({ world }) => ({ path: `/contacts/${world.contactId}` }),
  updateCustomer: ({ world }) => ({ path: `/contacts/${world.contactId}`, body: { name: 'Noura' } }),
  eraseCustomer: async ({ world }) => ({
    path: `/contacts/${(await made(world.contact())).id}/erase`,
    body: { reason: 'She asked for it' },
  }),
  updateCustomerAddress: ({ world }) => ({ path: `/addresses/${world.addressId}`, body: { unit: '12' } }),
  revealPhone: ({ world }) => ({ path: `/contacts/${world.contactId}/reveal` }),
  exportCustomer: ({ world }) => ({ path: `/contacts/${world.contactId}/export` }),
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
  reassignChosen: async (context) => {
    const id = await appointment(context);
    const path = '/appointments/reassignments';
    await made(context.service.operator('POST', path, { appointmentIds: [id] }));
    const move = {
      appointmentId: id,
      version: 1,
      teamId: context.world.teamIds[0],
      date: '2026-12-30',
      timeslot: { startAt: '08:00', endAt: '10:00' },
    };
    return { path, body: { appointmentIds: [id], apply: [move] } };
  },
  reportDone: async (context) => ({
    path: '/appointments/done',
    body: {
      visits: [
        {
          appointmentId: await appointment(context),
          begin: '2026-11-22T06:00:00+03:00',
          end: '2026-11-22T07:00:00+03:00',
        },
      ],
    },
  }),
  recordCall: async (context) => ({
    path: `/appointments/${await appointment(context)}/calls`,
    body: { answer: 'CALL_BACK', startsAt: '2026-12-01T09:00:00+03:00' },
  }),
  revealTeamPhone: ({ world }) => ({ path: `/teams/${world.teamIds[0]}/reveal` }),
  undoReassignments: async (context) =>
    undoOf({ appointmentId: await appointment(context), ...backOf(context) }),
  delayTeam: async (context) => {
    await booking(context.world);
    const path = `/teams/${context.world.teamIds[0]}/delays`;
    await made(context.service.operator('POST', path, { date: '2026-12-01', minutes: 30 }));
    const apply = [{ appointmentId: await appointment(context), version: 1 }];
    return { path, body: { date: '2026-12-01', minutes: 30, apply } };
  },
  updateAppointment: async (context) => ({
    path: `/appointments/${await appointment(context)}`,
    body: { status: 'Confirmed' },
    headers: { 'if-match': '"1"' },
  }),
  correctAppointment: async (context) => ({
    path: `/appointments/${await appointment(context)}/correct`,
    body: { status: 'Confirmed', reason: 'The customer had confirmed' },
    headers: { 'if-match': '"1"' },
  }),
  getAttention: () => ({ path: '/attention?limit=3' }),
  search: () => ({ path: '/search?q=050' }),
  listTimeOffOfTeams: () => ({ path: '/time-off?from=2026-12-01&to=2026-12-31' }),
  getUtilisation: () => ({ path: '/utilisation?from=2026-12-01&to=2026-12-07' }),
  getPunctuality: () => ({ path: '/punctuality?from=2026-12-01&to=2026-12-07&minutes=10' }),
  changeZones: async (context) => ({
    path: '/zones/changes?preview=true',
    body: { zones: [{ id: await one(context, '/zones'), priority: 3 }] },
  }),
  getMe: () => ({ path: '/me' }),
  ...OPERATOR_HOLD_OPERATIONS,
  ...OPERATOR_FEE_OPERATIONS,
  ...OPERATOR_SERIES_OPERATIONS,
  ...OPERATOR_STATEMENT_OPERATIONS,
  getBoard: async ({ service, world }) => {
    const id = await booking(world);
    const { date } = await made(service.operator('GET', `/bookings/${id}`));
    return { path: `/board?date=${String(date).slice(0, 10)}&zoneId=${world.zoneId}` };
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
  refundPayment: async (context) => ({
    path: `/payments/${await payment(context, TO_DECIDE)}/refund`,
    body: { amount: 75, reason: 'Half of the work was done' },
  }),
  declineRefund: async (context) => ({
    path: `/payments/${await payment(context, TO_DECIDE)}/refund/decline`,
    body: { reason: 'The work was done' },
  }),
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
  listPrivacyRequests: async (context) => {
    await privacyRequest(context);
    return { path: '/privacy-requests?status=OPEN&dueWithinDays=30&limit=5' };
  },
  getPrivacyRequest: async (context) => ({ path: `/privacy-requests/${await privacyRequest(context)}` }),
  exportPrivacyRequest: async (context) => ({
    path: `/privacy-requests/${await privacyRequest(context)}/export`,
  }),
  createPrivacyRequest: () => ({
    path: '/privacy-requests',
    body: { kind: 'ERASURE', phone: randomPhone() },
  }),
  completePrivacyRequest: async (context) => ({
    path: `/privacy-requests/${await privacyRequest(context)}/complete`,
    body: { answer: 'Handed over' },
  }),
  refusePrivacyRequest: async (context) => ({
    path: `/privacy-requests/${await privacyRequest(context)}/refuse`,
    body: { answer: 'The caller could not prove the number' },
  }),
  listAudit: () => ({ path: '/audit?limit=50' }),
  getAlerts: () => ({ path: '/alerts' }),
  testAlerts: () => ({ path: '/alerts/test' }),
  getClock: () => ({ path: '/clock' }),
  advanceClock: () => ({ path: '/clock/advance', body: { seconds: 60 } }),
  resetClock: () => ({ path: '/clock' }),
};

/** These exist only with a sandbox's clock; elsewhere they are unknown routes. */
export const CLOCK = ['getClock', 'advanceClock', 'resetClock'];
/** They use memory only, so they work without the database. */
export const NEVER_500 = ['getAlerts', 'getClock', 'getMe', 'listScheduleTemplates'];

/** Another resource with a duplicate unique field, created and changed. */
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

const OVERLAPS = 'The zone overlaps another zone of equal priority';

export const OPERATOR_REFUSED: Refused[] = [
  {
    id: 'createPrivacyRequest',
    code: 'CONFLICT',
    request: async (context) => {
      const body = { kind: 'ACCESS', phone: randomPhone() };
      await privacyRequest(context, body.kind, body.phone);
      return { path: '/privacy-requests', body };
    },
  },
  {
    id: 'completePrivacyRequest',
    code: 'CONFLICT',
    request: async (context) => {
      const { service, world } = context;
      const contact = await made(service.v1(world.key, 'GET', `/partners/contacts/${world.contactId}`));
      await booking(world);
      const { phone } = contact as unknown as { phone: string };
      return { path: `/privacy-requests/${await privacyRequest(context, 'ERASURE', phone)}/complete` };
    },
  },
  {
    id: 'completePrivacyRequest',
    code: 'INVALID_TRANSITION',
    request: async (context) => ({ path: `${await finishedRequest(context)}/complete` }),
  },
  {
    id: 'refusePrivacyRequest',
    code: 'INVALID_TRANSITION',
    request: async (context) => ({
      path: `${await finishedRequest(context)}/refuse`,
      body: { answer: 'Not the customer' },
    }),
  },
  {
    id: 'exportPrivacyRequest',
    code: 'RESOURCE_NOT_FOUND',
    message: 'Copy not found',
    request: async (context) => ({ path: `${await finishedRequest(context)}/export` }),
  },
  ...OPERATOR_HOLDS_REFUSED,
  ...OPERATOR_FEES_REFUSED,
  ...OPERATOR_SERIES_REFUSED,
  ...OPERATOR_STATEMENTS_REFUSED,
  {
    id: 'updateCustomerAddress',
    code: 'CONFLICT',
    message: 'The address has bookings: register another one for another place',
    request: (context) => addressInUse(context, '/addresses'),
  },
  {
    id: 'updateCustomerAddress',
    code: 'CONFLICT',
    message: 'The customer has this address already',
    request: (context) => addressTwice(context, '/addresses'),
  },
  {
    id: 'eraseCustomer',
    code: 'CONFLICT',
    request: async ({ world }) => {
      await booking(world);
      return { path: `/contacts/${world.contactId}/erase`, body: { reason: 'She asked for it' } };
    },
  },
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
  {
    id: 'createZone',
    code: 'CONFLICT',
    message: OVERLAPS,
    request: async (context) => {
      const { area } = await made(context.service.operator('POST', '/zones', NEW['/zones']()));
      return { path: '/zones', body: { name: unique(), area } };
    },
  },
  {
    id: 'updateZone',
    code: 'CONFLICT',
    message: OVERLAPS,
    request: async (context) => {
      const { area } = await made(context.service.operator('POST', '/zones', NEW['/zones']()));
      return { path: `/zones/${await one(context, '/zones')}`, body: { area } };
    },
  },
  {
    id: 'changeZones',
    code: 'CONFLICT',
    message: OVERLAPS,
    request: async (context) => {
      const { area } = await made(context.service.operator('POST', '/zones', NEW['/zones']()));
      return { path: '/zones/changes', body: { zones: [{ name: unique(), area }] } };
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
      // As if the first request were still running.
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
  {
    id: 'createBookingForPartner',
    code: 'RESOURCE_NOT_FOUND',
    message: 'Booking not found',
    request: ({ world }) => ({ path: '/bookings', body: forPartner(world, { preferTeamOf: randomUUID() }) }),
  },
  {
    id: 'reassignChosen',
    code: 'RESOURCE_NOT_FOUND',
    message: 'Appointment not found',
    request: () => ({ path: '/appointments/reassignments', body: { appointmentIds: [randomUUID()] } }),
  },
  {
    id: 'undoReassignments',
    code: 'RESOURCE_NOT_FOUND',
    message: 'Appointment not found',
    request: (context) => undoOf({ appointmentId: randomUUID(), ...backOf(context) }),
  },
  {
    id: 'undoReassignments',
    code: 'CONFLICT',
    request: async (context) =>
      undoOf({ appointmentId: await appointment(context), ...backOf(context), version: 99 }),
  },
  {
    id: 'undoReassignments',
    code: 'INVALID_TRANSITION',
    request: async (context) => {
      const appointmentId = await appointment(context);
      const path = `/appointments/${appointmentId}`;
      await made(context.service.operator('PATCH', path, { status: 'Cancelled' }));
      const { version } = await made(context.service.operator('GET', path));
      return undoOf({ appointmentId, ...backOf(context), version });
    },
  },
  {
    id: 'undoReassignments',
    code: 'BOOKING_CREATION_FAILED',
    request: async (context) => {
      const taken = await appointment(context);
      const place = backOf(context, '14:00', '16:00');
      await made(
        context.service.operator('PATCH', `/appointments/${taken}`, {
          ...place,
          version: undefined,
          force: true,
          reason: 'Ill',
        }),
      );
      return undoOf({ appointmentId: await appointment(context), ...place });
    },
  },
  {
    id: 'delayTeam',
    code: 'RESOURCE_NOT_FOUND',
    message: 'Appointment not found',
    request: ({ world }) => delayOf(world, { appointmentId: randomUUID(), version: 1 }),
  },
  {
    id: 'delayTeam',
    code: 'CONFLICT',
    request: async (context) =>
      delayOf(context.world, { appointmentId: await appointment(context), version: 99 }),
  },
  {
    id: 'delayTeam',
    code: 'INVALID_TRANSITION',
    request: async (context) => {
      const appointmentId = await appointment(context);
      const path = `/appointments/${appointmentId}`;
      await made(context.service.operator('PATCH', path, { status: 'Cancelled' }));
      const { version } = await made(context.service.operator('GET', path));
      return delayOf(context.world, { appointmentId, version });
    },
  },
  {
    id: 'delayTeam',
    code: 'BOOKING_CREATION_FAILED',
    request: async (context) => {
      const book = async (startAt: string, endAt: string) => {
        const answer = await context.world.book({ date: '2027-01-12', timeslot: { startAt, endAt } });
        assert.equal(answer.status, 200, answer.text);
        return answer.body.data.appointment.id;
      };
      const [appointmentId] = [await book('08:00', '10:00'), await book('11:00', '13:00')];
      return delayOf(context.world, { appointmentId, version: 1 }, 120);
    },
  },
  ...[
    'updateAppointment',
    'correctAppointment',
    'cancelBooking',
    'correctBooking',
    'failBooking',
    'updateTeam',
    'updateZone',
    'updateSchedule',
    'removeSchedule',
    'updatePolicy',
    'closeBooking',
    'revisitBooking',
    'recordOutcome',
    'waiveFees',
    'putPartnerServices',
  ].map(
    (id): Refused => ({
      id,
      code: 'CONFLICT',
      message: 'It has changed since: look at its present state and decide again',
      request: async (context) => ({ ...(await OPERATOR[id]!(context)), headers: { 'if-match': '"99"' } }),
    }),
  ),
  ...[
    'updateTeam',
    'createTimeOff',
    'updateZone',
    'changeZones',
    'updateCatalogueService',
    'updateCategory',
    'createSchedule',
    'updateSchedule',
    'removeSchedule',
  ].map(
    (id): Refused => ({
      id,
      code: 'CONFLICT',
      message: 'It hits other appointments by now: look at them and decide again',
      request: async (context) => {
        const taken = await OPERATOR[id]!(context);
        return { ...taken, path: `${taken.path!.replace('?preview=true', '')}?expect=${'0'.repeat(16)}` };
      },
    }),
  ),
  { id: 'getRequest', code: 'VALIDATION_ERROR', request: () => ({ path: '/requests/-' }) },
  {
    id: 'listScheduleTemplates',
    code: 'VALIDATION_ERROR',
    request: () => ({ path: '/schedules/templates?year=1400' }),
  },
  { id: 'getRequest', code: 'RESOURCE_NOT_FOUND', request: () => ({ path: '/requests/999999' }) },
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
    id: 'revokeCrewLink',
    code: 'INVALID_TRANSITION',
    request: async (context) => {
      const id = await create(context, `/teams/${context.world.teamIds[0]}/crew-links`, {});
      const text = `update crew_links set created_at = '2026-01-01', expires_at = '2026-01-02' where id = $1`;
      await context.service.deps.db.rows({ text, values: [id] });
      return { path: `/crew-links/${id}` };
    },
  },
  {
    id: 'decideCrewStep',
    code: 'INVALID_TRANSITION',
    request: async (context) => {
      const path = `${await refusedStep(context)}/decide`;
      const body = { decision: 'LEAVE' };
      await made(context.service.operator('POST', path, body));
      return { path, body };
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
    id: 'createSignInLink',
    code: 'INVALID_TRANSITION',
    request: async (context) => ({
      path: `${await revoked(context, `/tokens/${await one(context, '/tokens')}`)}/sign-in-links`,
    }),
  },
  {
    id: 'openSession',
    code: 'UNAUTHORIZED',
    request: () => ({ path: '/sessions', body: { token: 'wrong' } }),
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
    id: 'correctBooking',
    code: 'BOOKING_NOT_EDITABLE',
    request: async (context) => {
      const id = await booking(context.world);
      const { appointment } = (await made(context.service.operator('GET', `/bookings/${id}`))) as Any;
      for (const status of ['In The Way', 'In The location', 'In Progress'])
        await made(context.service.operator('PATCH', `/appointments/${appointment.id}`, { status }));
      return { path: `/bookings/${id}`, body: { address: { unit: '12' } } };
    },
  },
  {
    id: 'correctBooking',
    code: 'CONFLICT',
    message: 'The address is in another zone than the visit',
    request: async ({ world }) => ({
      path: `/bookings/${await booking(world)}`,
      body: { address: { latitude: '20.1', longitude: '50.1' } },
    }),
  },
  {
    id: 'correctBooking',
    code: 'CONFLICT',
    message: 'The customer has this address already',
    request: async (context) => {
      const { path, body } = await addressTwice(context, '');
      const addressId = path.slice(1);
      const contact = { text: 'select contact_id as id from addresses where id = $1', values: [addressId] };
      const { id: contactId } = (await context.service.deps.db.first<Any>(contact))!;
      const id = await booking(context.world, { contactId, addressId });
      return { path: `/bookings/${id}`, body: { address: body } };
    },
  },
  ...(['Contact', 'Address'] as const).map(
    (what): Refused => ({
      id: 'correctBooking',
      code: 'RESOURCE_NOT_FOUND',
      message: `${what} not found`,
      request: async ({ service, world }) => {
        const { id: contactId, addressId } = (await made(world.contact())) as Any;
        const path = `/bookings/${await booking(world, { contactId, addressId })}`;
        if (what === 'Address') return { path, body: { addressId: randomUUID() } };
        await made(service.operator('POST', `${path}/cancel`, { reasonId: await reason(service) }));
        await made(service.operator('POST', `/contacts/${contactId}/erase`, { reason: 'She asked for it' }));
        return { path, body: {} };
      },
    }),
  ),
  {
    id: 'failBooking',
    code: 'INVALID_TRANSITION',
    request: async (context) => ({
      path: `/bookings/${await canceled(context)}/fail`,
      body: { reason: 'Nobody can be reached' },
    }),
  },
  {
    id: 'correctAppointment',
    code: 'INVALID_TRANSITION',
    request: async (context) => ({
      path: `/appointments/${await appointment(context)}/correct`,
      body: { status: 'Cancelled', reason: 'The customer cancelled' },
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
      ['refundPayment', 'refund', { reason: 'Half of the work was done' }],
      ['declineRefund', 'refund/decline', { reason: 'The work was done' }],
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
      const taken = nextSlot(context.world);
      await booking(context.world, taken);
      return { path: `/appointments/${await appointment(context)}`, body: taken };
    },
  },
];
