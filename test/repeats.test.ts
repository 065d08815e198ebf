import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { NAMES } from '../scripts/sdk-document.ts';
import { createClient } from '../sdk/src/client.ts';
import { ROUTES } from '../sdk/src/contract.ts';
import type { OperationName } from '../sdk/src/model.ts';
import { REPEATABLE } from '../sdk/src/retries.ts';
import { type Fault, startProxy } from '../sdk/test/setting.ts';
import { DAY } from '../src/base/clock.ts';
import { afterwards } from './afterwards.ts';
import { createWorld, randomPhone, WORLD_DATE } from './fixtures.ts';
import { alsoOnServer, startTestService, TEST_NOW, type TestService } from './harness.ts';
import {
  booking,
  type Context,
  delivery,
  made,
  newBooking,
  nextSlot,
  type Request,
  reason,
  unique,
  type Valid,
} from './openapi-context.ts';
import { PARTNER } from './openapi-partner-operations.ts';
import { newSeries } from './openapi-series-operations.ts';
import { seeded } from './storm.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import { createHookWorld } from './webhook-fixtures.ts';
import { startReceiver } from './webhook-receiver.ts';

/** Each operation of the partners with its answer lost, and orders through a bad network, with both SDKs (docs/retries.md). */

// ---------------------------------------------------------------------------
// The SDKs

type Sdk = {
  /** Returns the data; throws an error with `name` and `code`. */
  call(operation: OperationName, ids: string[], input: unknown, requestId: string): Promise<unknown>;
};
type Settings = { apiKey: string; baseUrl: string; retries: number };

function typescriptSdk(_t: TestContext, settings: Settings): Sdk {
  const client = createClient(settings);
  return {
    async call(operation, ids, input, requestId) {
      // biome-ignore lint/suspicious/noExplicitAny: the method has the name of the operation
      const method = operation.split('.').reduce((parent: any, part) => parent[part], client);
      const given = ROUTES[operation].takes === 'nothing' ? [] : [input];
      return await method(...ids, ...given, { requestId });
    },
  };
}

/** Calls what a line asks for, and prints what came of it. */
const PYTHON_CALLS = `
import json, re, sys
import partner_booking, partner_booking.core

partner_booking.core.random.random = lambda: 0.0
key, base_url, retries = sys.argv[1:]
client = partner_booking.Client(api_key=key, base_url=base_url, retries=int(retries))
for line in sys.stdin:
    name, ids, given, request_id = json.loads(line)
    method = client
    for part in name.split("."):
        method = getattr(method, re.sub("([A-Z])", r"_\\1", part).lower())
    try:
        data = method(*ids, *given, request_id=request_id)
        answer = {"data": getattr(data, "data", data)}
    except Exception as error:
        answer = {"name": type(error).__name__, "code": getattr(error, "code", None), "message": str(error)}
    print(json.dumps(answer, default=bytes.hex), flush=True)
`;

const PYTHON = ['python3', '/usr/bin/python3'].find(
  (program) => spawnSync(program, ['-c', 'import httpx']).status === 0,
);

function pythonSdk(t: TestContext, { apiKey, baseUrl, retries }: Settings): Sdk {
  const child = spawn(PYTHON!, ['-B', '-c', PYTHON_CALLS, apiKey, baseUrl, String(retries)], {
    env: { ...process.env, PYTHONPATH: fileURLToPath(new URL('../sdk-python/src', import.meta.url)) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  afterwards(t, () => child.kill());
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    async call(operation, ids, input, requestId) {
      const given = ROUTES[operation].takes === 'nothing' ? [] : [input];
      child.stdin.write(`${JSON.stringify([operation, ids, given, requestId])}\n`);
      const { data, ...error } = JSON.parse((await lines.next()).value!);
      if (data === undefined) throw Object.assign(new Error(error.message), error);
      return data;
    },
  };
}

const SDKS = [
  { language: 'TypeScript', open: typescriptSdk, skip: false },
  { language: 'Python', open: pythonSdk, skip: PYTHON === undefined && 'Python with httpx is not installed' },
] as const;

const isLost = (error: unknown): boolean =>
  error instanceof Error && ['ConnectionError', 'ConnectionFailed'].includes(error.name);

// ---------------------------------------------------------------------------
// Every operation

/** Tables that have a row for each thing that an operation makes. */
const TABLES = [
  'contacts',
  'addresses',
  'holds',
  'bookings',
  'appointments',
  'events',
  'series',
  'series_visits',
  'privacy_requests',
  'webhook_subscriptions',
  'webhook_deliveries',
  'simulator_runs',
  'webhook_faults',
  'certifications',
] as const;
type Rows = { [Table in (typeof TABLES)[number]]?: number };

/** Whether the service did it, found as docs/retries.md says. `ids` are those of the call. */
type Find = (context: Context, ids: string[]) => Promise<boolean>;
const idOf = (name: OperationName): string => Object.keys(NAMES).find((id) => NAMES[id] === name)!;

type Case = {
  /** The rows that one call makes. */
  makes: Rows;
  /** Only these tables are counted: a worker goes on with the others. */
  counted?: readonly (typeof TABLES)[number][];
  /** Instead of the request in openapi-partner-operations.ts. */
  request?: Valid;
  /** Fields over those of its body. */
  fields?: () => Record<string, unknown>;
};
type NamesThat<Verdict extends string> = {
  [Name in OperationName]: (typeof REPEATABLE)[Name] extends Verdict ? Name : never;
}[OperationName];

const NOTHING: Case = { makes: {} };
const read = async <Data>({ service, world }: Context, path: string): Promise<Data> =>
  (await made(service.v1(world.key, 'GET', `/partners${path}`))) as unknown as Data;
type Row = Record<string, string> & { replay: number };

/** A series with one visit, which is booked. */
const ONE_VISIT: Case = {
  makes: { series: 1, series_visits: 1, bookings: 1, appointments: 1, events: 1 },
  async request({ world }) {
    const { date, timeslot } = nextSlot(world);
    const one = { firstDate: date, startAt: timeslot.startAt, visits: 1, externalReference: unique() };
    return { path: '/partners/series', body: newSeries(world, one) };
  },
};

/** Later than the end of a new hold: seconds from the tests' now on. */
const LATER = 700;

const CASES: Record<Exclude<OperationName, NamesThat<'no'>>, Case> &
  Record<NamesThat<'no'>, Case & { find: Find }> = {
  'contacts.findOrCreate': { makes: { contacts: 1, addresses: 1 } },
  'contacts.get': NOTHING,
  'contacts.update': NOTHING,
  'contacts.updateAddress': NOTHING,
  'contacts.export': NOTHING,
  'contacts.erase': { makes: { privacy_requests: 1, addresses: -1 } },
  'services.list': NOTHING,
  'services.get': NOTHING,
  'coverage.get': NOTHING,
  'timeslots.list': NOTHING,
  'timeslots.calendar': NOTHING,
  'timeslots.next': NOTHING,
  'holds.create': {
    makes: { holds: 1, appointments: 1 },
    async request({ world }) {
      const { contactId: _, ...slot } = newBooking(world);
      const { addressId } = await made(world.contact());
      return { path: '/partners/holds', body: { ...slot, addressId } };
    },
  },
  'holds.list': NOTHING,
  'holds.get': NOTHING,
  'holds.extend': {
    makes: {},
    fields: () => ({ seconds: undefined, until: new Date(TEST_NOW + LATER * 1000).toISOString() }),
  },
  'holds.release': { makes: { appointments: -1 } },
  'bookings.create': {
    makes: { bookings: 1, appointments: 1, events: 1 },
    fields: () => ({ externalReference: unique() }),
  },
  'bookings.get': NOTHING,
  'bookings.list': NOTHING,
  'bookings.export': NOTHING,
  'statements.list': NOTHING,
  'statements.get': NOTHING,
  'statements.lines': NOTHING,
  'statements.invoices': NOTHING,
  'statements.page': NOTHING,
  'bookings.quote': {
    makes: {},
    request: async ({ world }) => ({
      path: `/partners/bookings/${await booking(world)}/quote?action=cancel`,
    }),
  },
  'bookings.update': {
    makes: { events: 1 },
    request: async ({ world }) => ({
      path: `/partners/bookings/${await booking(world)}`,
      body: nextSlot(world),
    }),
  },
  // Of the booking, and of its appointment.
  'bookings.cancel': { makes: { events: 2 } },
  'bookings.confirmPayment': { makes: { events: 1 } },
  'bookings.listCancellationReasons': NOTHING,
  'pricing.listTiers': NOTHING,
  'pricing.calculate': NOTHING,
  'series.create': ONE_VISIT,
  'series.list': NOTHING,
  'series.get': NOTHING,
  'series.update': NOTHING,
  'series.place': { makes: { bookings: 1, appointments: 1, events: 1 } },
  'series.skip': { makes: { series_visits: 1 }, fields: () => ({ preview: undefined }) },
  'series.pause': NOTHING,
  'series.end': NOTHING,
  'events.list': NOTHING,
  'webhooks.subscriptions.create': {
    makes: { webhook_subscriptions: 1 },
    find: async (context) =>
      (await read<Row[]>(context, '/webhooks/subscriptions'))[0]!.url === context.receiver.url,
  },
  'webhooks.subscriptions.list': NOTHING,
  'webhooks.subscriptions.get': NOTHING,
  'webhooks.subscriptions.update': NOTHING,
  'webhooks.subscriptions.remove': NOTHING,
  'webhooks.subscriptions.rotateSecret': NOTHING,
  'webhooks.subscriptions.test': {
    makes: {},
    find: async ({ receiver }) =>
      receiver.received.filter(({ json }) => json.event === 'webhook.test').length === 1,
  },
  'webhooks.subscriptions.recover': {
    makes: {},
    async request(context) {
      await delivery(context);
      const [row] = await read<Row[]>(context, '/webhooks/subscriptions');
      const path = `/partners/webhooks/subscriptions/${row!.id}/recover`;
      return { path, body: { since: '2026-11-01T00:00:00+03:00' } };
    },
    find: async (context, [id]) =>
      (await read<Row[]>(context, `/webhooks/deliveries?subscriptionId=${id}&status=FAILED`)).length === 0,
  },
  'webhooks.deliveries.list': NOTHING,
  'webhooks.deliveries.get': NOTHING,
  'webhooks.deliveries.retry': {
    makes: {},
    find: async (context, [id]) =>
      (await read<Row>(context, `/webhooks/deliveries/${id}`)).status !== 'FAILED',
  },
  'webhooks.deliveries.replay': {
    makes: { webhook_deliveries: 1 },
    async find(context, [id]) {
      const { eventId, replay } = await read<Row>(context, `/webhooks/deliveries/${id}`);
      const rows = await read<Row[]>(context, `/webhooks/deliveries?eventId=${eventId}`);
      return rows.some((row) => row.replay > replay);
    },
  },
  'sandbox.bookings.advance': { makes: { events: 1 }, fields: () => ({ to: 'Confirmed' }) },
  'sandbox.bookings.startRun': {
    makes: { simulator_runs: 1 },
    fields: () => ({ everySeconds: 3_600 }),
    find: async (context, [id]) =>
      (await read<Row[]>(context, `/sandbox/bookings/${id}/runs`))[0]!.script === 'complete',
  },
  'sandbox.bookings.listRuns': NOTHING,
  'sandbox.bookings.getRun': NOTHING,
  'sandbox.bookings.stopRun': NOTHING,
  'sandbox.webhooks.setFault': { makes: { webhook_faults: 1 } },
  'sandbox.webhooks.listFaults': NOTHING,
  'sandbox.webhooks.clearFaults': NOTHING,
  // The one whose ID was lost is finished.
  'sandbox.certifications.start': { makes: { certifications: 2 }, counted: ['certifications'] },
  'sandbox.certifications.get': { makes: {}, counted: ['certifications'] },
};

/** With the other field that prevents a second booking. */
const WITH_HOLD: Case = {
  makes: { bookings: 1, events: 1 },
  async request({ service, world }) {
    const { contactId, ...slot } = newBooking(world);
    const hold = await made(service.v1(world.key, 'POST', '/partners/holds', slot));
    return { path: '/partners/bookings', body: { ...slot, contactId, holdId: hold.holdId } };
  },
};

/** A hold of a place. */
const ofPlace =
  (more: () => object): NonNullable<Case['request']> =>
  async ({ world }) => {
    const { contactId: _, addressId: __, ...slot } = newBooking(world);
    const place = { latitude: String(world.latitude), longitude: String(world.longitude) };
    return { path: '/partners/holds', body: { ...slot, ...place, ...more() } };
  };

const WITH_REFERENCE: Case = {
  makes: { holds: 1, appointments: 1 },
  request: ofPlace(() => ({ reference: unique() })),
};

/** Without any of the fields with which the operation is repeated. */
const WITHOUT: Record<NamesThat<`with ${string}`>, Case & { find: Find }> = {
  'bookings.create': {
    makes: { bookings: 1, appointments: 1, events: 1 },
    find: async (context) =>
      (await read<Row[]>(context, `/bookings?contactId=${context.world.contactId}`))[0]!.externalReference ===
      null,
  },
  'series.create': {
    ...ONE_VISIT,
    fields: () => ({ externalReference: undefined }),
    find: async (context) =>
      (await read<Row[]>(context, `/series?contactId=${context.world.contactId}`))[0]!.externalReference ===
      null,
  },
  'holds.create': {
    makes: { holds: 1, appointments: 1 },
    request: ofPlace(() => ({})),
    find: async (context) =>
      (await read<Row[]>(context, '/holds')).some(
        (hold) => hold.addressId === null && hold.reference === null,
      ),
  },
  'holds.extend': {
    makes: {},
    fields: () => ({ seconds: LATER }),
    find: async (context, [id]) =>
      Date.parse((await read<Row>(context, `/holds/${id}`)).expiresAt!) >= TEST_NOW + LATER * 1000,
  },
  'sandbox.bookings.advance': {
    makes: { events: 1 },
    find: async (context, [id]) =>
      (await read<{ appointment: Row }>(context, `/bookings/${id}/status`)).appointment.status ===
      'Confirmed',
  },
};

/** Sends the request of the case, and what its path and query say, through the SDK. */
function argumentsOf(name: OperationName, { path, body }: Request, fields: object) {
  const [given = '', query] = path.split('?');
  const pattern = new RegExp(`^${ROUTES[name].path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`);
  const [, ...ids] = pattern.exec(given) ?? assert.fail(`${path} is not that of ${name}`);
  const input = ROUTES[name].takes === 'query' ? Object.fromEntries(new URLSearchParams(query)) : body;
  return { ids, input: { ...(input as object), ...fields } };
}

const rowsOf = async ({ deps }: TestService): Promise<Record<string, number>> => {
  const counts = TABLES.map((table) => `(select count(*)::integer from ${table}) as ${table}`);
  const [row] = await deps.db.rows<Record<string, number>>({ text: `select ${counts.join(', ')}` });
  return row!;
};

/** The number of requests with this ID that the service has answered for the operation. */
async function attemptsOf({ deps }: TestService, name: OperationName, requestId: string): Promise<number> {
  await deps.requestLog!.flush();
  const { method, path } = ROUTES[name];
  const [row] = await deps.db.rows<{ attempts: number }>({
    text: `select count(*)::integer as attempts from request_log where request_id = $1 and method = $2 and route = $3`,
    values: [requestId, method, `/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`],
  });
  return row!.attempts;
}

for (const { language, open, skip } of SDKS)
  test(`each operation with its answer lost: ${language}`, { skip }, async (t) => {
    t.mock.method(Math, 'random', () => 0);
    const receiver = await startReceiver(t);
    const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
    const context = { service, world: await createHookWorld(service), receiver };
    const proxy = await startTcpProxy(t, service.url!);
    const baseUrl = `${proxy.through(service.url!).replace(/\/$/, '')}/v1`;
    const sdk = open(t, { apiKey: context.world.key, baseUrl, retries: 3 });

    async function lose(name: OperationName, one: Case, label: string) {
      const valid = one.request ?? PARTNER[idOf(name)]!;
      const { ids, input } = argumentsOf(name, await valid(context), one.fields?.() ?? {});
      const before = await rowsOf(service);
      const requestId = label.replaceAll(' ', '-');
      const lost = proxy.injectFaultAt(requestId, 'reset', 'answered');
      let error: unknown = null;
      await sdk.call(name, ids, input, requestId).catch((thrown: unknown) => {
        error = thrown;
      });
      await lost;
      const after = await rowsOf(service);
      const counted = one.counted ?? TABLES;
      const made = counted.flatMap((table) =>
        after[table] === before[table] ? [] : [[table, after[table]! - before[table]!]],
      );
      assert.deepEqual(Object.fromEntries(made), one.makes, label);
      return { ids, error, attempts: await attemptsOf(service, name, requestId) };
    }
    async function isRepeated(name: OperationName, one: Case, label: string = name) {
      const { error, attempts } = await lose(name, one, label);
      assert.equal(error, null, label);
      assert.equal(attempts, 2, `${label} reached the service again`);
    }
    async function isFound(name: OperationName, one: Case & { find: Find }, label: string = name) {
      const { ids, error, attempts } = await lose(name, one, label);
      assert.ok(isLost(error), `${label}: ${error}`);
      assert.equal(attempts, 1, `${label} is not repeated`);
      assert.ok(await one.find(context, ids), `${label} is found`);
    }

    await isRepeated('bookings.create', WITH_HOLD, 'bookings.create with holdId');
    await isRepeated('holds.create', WITH_REFERENCE, 'holds.create with reference');
    for (const [name, one] of Object.entries(WITHOUT) as [keyof typeof WITHOUT, Case & { find: Find }][])
      await isFound(name, one, `${name} without`);
    for (const name of Object.keys(REPEATABLE) as OperationName[]) {
      const one: Case & { find?: Find } = CASES[name];
      if (REPEATABLE[name] === 'no') await isFound(name, { ...one, find: one.find! });
      else await isRepeated(name, one);
    }
  });

// ---------------------------------------------------------------------------
// Orders

const ORDERS = 40;
const FAULTS: readonly Fault[] = [
  { kind: 'down' },
  { kind: 'lost' },
  { kind: 'half' },
  { kind: 'twice' },
  { kind: 'slow', milliseconds: 3 },
  { kind: 'answer', status: 503, text: '<html>' },
  { kind: 'answer', status: 502, text: '<html>', isAfter: true },
];

for (const { language, open, skip } of SDKS)
  test(`orders through a bad network: ${language}`, { skip, ...alsoOnServer }, async (t) => {
    const random = seeded(20_261_122);
    t.mock.method(Math, 'random', () => 0);
    const service = await startTestService(t);
    const world = await createWorld(service, { teams: 2 });
    const proxy = await startProxy(t, service);
    const seen = new Set<string>();
    proxy.choose = () => {
      if (random() < 0.5) return null;
      const fault = FAULTS[Math.floor(random() * FAULTS.length)]!;
      seen.add(JSON.stringify(fault));
      return fault;
    };
    const sdk = open(t, { apiKey: world.key, baseUrl: proxy.baseUrl, retries: 20 });
    const reasonId = await reason(service);

    for (let number = 0; number < ORDERS; number++) {
      const call = async (operation: OperationName, ids: string[], input: object) =>
        // biome-ignore lint/suspicious/noExplicitAny: of several operations
        (await sdk.call(operation, ids, input, `${number}-${operation}`)) as any;
      const { latitude, longitude, serviceId } = world;
      const place = { latitude: String(latitude), longitude: String(longitude) };
      const { id: contactId, addressId } = await call('contacts.findOrCreate', [], {
        phone: randomPhone(),
        name: 'Noura',
        ...place,
      });
      const date = new Date(Date.parse(WORLD_DATE) + number * DAY).toISOString().slice(0, 10);
      const slot = { addressId, serviceId, date, timeslot: { startAt: '10:00', endAt: '12:00' } };
      const { holdId } = await call('holds.create', [], slot);
      const until = new Date(TEST_NOW + LATER * 1000).toISOString();
      const extended = await call('holds.extend', [holdId], { until });
      assert.equal(Date.parse(extended.expiresAt), TEST_NOW + LATER * 1000);
      const externalReference = `ORDER-${number}`;
      const order = { ...slot, contactId, holdId, externalReference };
      const { bookingId } = await call('bookings.create', [], order);
      assert.equal((await call('bookings.quote', [bookingId], { action: 'reschedule' })).fee, 0);
      const moved = await call('bookings.update', [bookingId], {
        date,
        timeslot: { startAt: '14:00', endAt: '16:00' },
      });
      assert.deepEqual([moved.externalReference, moved.timeslot.startAt], [externalReference, '14:00']);
      assert.equal((await call('bookings.confirmPayment', [bookingId], {})).paymentStatus, 'PAID');
      assert.equal((await call('bookings.cancel', [bookingId], { reasonId })).status, 'canceled');
    }
    assert.equal(seen.size, FAULTS.length, 'every fault has happened');

    const rows = await rowsOf(service);
    assert.deepEqual([rows.bookings, rows.holds], [ORDERS, ORDERS]);
    const { db } = service.deps;
    const histories = await db.rows({
      text: 'select array_agg(event order by sequence) as events from events group by booking_id',
    });
    for (const { events } of histories as { events: string[] }[])
      assert.deepEqual(events, [
        'booking.created',
        'booking.updated',
        'booking.payment_confirmed',
        'booking.cancelled',
        'booking.appointment_status_changed',
      ]);
  });
