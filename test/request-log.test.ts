import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, MINUTE } from '../src/base/clock.ts';
import type { Db, Queryable, Statement } from '../src/db/connection.ts';
import { listPartitions } from '../src/db/partitions.ts';
import { DatabaseUnavailableError } from '../src/db/unavailable.ts';
import { createKey } from '../src/partners/key-rules.ts';
import type { RequestFilter } from '../src/requests/filter.ts';
import {
  errorsByRoute,
  findRequest,
  insertRequests,
  listRequests,
  peaksByKey,
} from '../src/requests/queries.ts';
import { keepRequestPartitions, REQUEST_PARTITIONS } from '../src/requests/retention.ts';
import type { NewRequest } from '../src/requests/rules.ts';
import { createPartner, createPartnerKey, createWorld } from './fixtures.ts';
import {
  alsoOnServer,
  call,
  createPostgresDatabase,
  onPostgres,
  onServer,
  openTestDatabase,
  startTestService,
  TEST_NOW,
  type TestService,
} from './harness.ts';
import { until } from './until.ts';

const NOWHERE = '/partners/contacts/5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';
const ALL = { from: TEST_NOW - DAY, to: TEST_NOW + DAY };

/** The log, newest first; waits until it has that many entries. A request is recorded after its response. */
async function logOf(service: TestService, filter: RequestFilter, count: number) {
  return until(async () => {
    await service.deps.requestLog?.flush();
    const { requests } = await listRequests(service.deps.db, filter, { limit: 100 });
    return requests.length >= count && requests;
  });
}

test('stored fields of requests, and filters', async (t) => {
  const service = await startTestService(t);
  const { db } = service.deps;
  const world = await createWorld(service, { partner: { rateLimitPerMinute: 5 } });
  const other = await createPartner(service);
  const partner = { partnerId: world.partnerId };

  const booked = await world.book({ externalReference: 'order-1' });
  const { bookingId } = booked.body.data;
  const headers = { 'x-request-id': 'trace-1', 'user-agent': 'example/1.0' };
  await service.v1(
    world.key,
    'GET',
    `/partners/bookings/${bookingId.toUpperCase()}/status`,
    undefined,
    headers,
  );
  const twice = await world.book({ externalReference: 'order-1', date: '2026-11-24' });
  assert.equal(twice.status, 409);
  await service.v1(other.key, 'GET', NOWHERE);
  const [conflict, status, create] = await logOf(service, partner, 3);

  await t.test('every field', async () => {
    assert.deepEqual(
      { ...status, durationMs: 0 },
      {
        id: status?.id,
        at: TEST_NOW,
        requestId: 'trace-1',
        partnerId: world.partnerId,
        keyId: world.keyId,
        method: 'GET',
        route: '/v1/partners/bookings/:bookingId/status',
        path: `/v1/partners/bookings/${bookingId.toUpperCase()}/status`,
        status: 200,
        code: null,
        message: null,
        check: null,
        reason: null,
        hints: [],
        ignoredParameters: [],
        details: null,
        durationMs: 0,
        bookingId,
        userAgent: 'example/1.0',
      },
    );
    assert.ok(status !== undefined && status.durationMs >= 0);
    assert.equal(create?.bookingId, bookingId, 'of the answer');
    assert.equal(create?.requestId, booked.headers.get('x-request-id'));
    assert.deepEqual(
      [conflict?.status, conflict?.code, conflict?.bookingId],
      [409, 'DUPLICATE_EXTERNAL_REFERENCE', bookingId],
    );
    assert.equal(conflict?.message, twice.body.error.message);
    assert.deepEqual(conflict?.hints, twice.body.error.details.hints ?? []);
  });

  await t.test('refusals of the guard: check, reason, details', async () => {
    const { key: narrow, keyId } = await createPartnerKey(service, other.partnerId, [], {
      ipAllowlist: ['192.0.2.1'],
    });
    const { key: poor, keyId: poorId } = await createPartnerKey(service, other.partnerId, []);
    await service.v1(narrow, 'GET', NOWHERE);
    await service.v1(poor, 'GET', NOWHERE);
    await service.v1(poor, 'GET', '/partners/nowhere/%zz?latitude=24.7&page=2');
    const [unknown, permission, address] = await logOf(
      service,
      { partnerId: other.partnerId, statusClass: 'refused' },
      4,
    );
    assert.deepEqual(
      [address?.keyId, address?.status, address?.code, address?.check, address?.details],
      [keyId, 403, 'FORBIDDEN', 'address', { address: '127.0.0.1' }],
    );
    assert.deepEqual(
      [permission?.keyId, permission?.check, permission?.details],
      [poorId, 'permission', { permission: 'partner_contacts_read' }],
    );
    assert.deepEqual(
      [unknown?.route, unknown?.path, unknown?.status],
      [null, '/v1/partners/nowhere/%zz?latitude=•••&page=2', 404],
    );
  });

  await t.test('a rate limit that is used up', async () => {
    await service.v1(world.key, 'GET', '/partners/services');
    await service.v1(world.key, 'GET', '/partners/services');
    assert.equal((await service.v1(world.key, 'GET', '/partners/services')).status, 429);
    const [full, invalid] = await logOf(service, partner, 6);
    assert.deepEqual([full?.code, full?.check], ['RATE_LIMIT_EXCEEDED', 'rate-limit']);
    assert.equal(full?.details?.limit, 5);
    assert.deepEqual([invalid?.code, invalid?.details], ['VALIDATION_ERROR', { message: ['addressId must be a UUID'] }]); // biome-ignore format: as one line
    assert.deepEqual(await peaksByKey(db, world.partnerId, ALL), [
      // Of the limit, which does not count its own refusals.
      { keyId: world.keyId, requests: 5, from: TEST_NOW },
    ]);
  });

  await t.test('filters', async () => {
    const found = async (filter: RequestFilter): Promise<string[]> =>
      (await listRequests(db, { ...partner, ...filter }, { limit: 100 })).requests.map(
        ({ method, status }) => `${method} ${status}`,
      );
    const all = ['GET 429', 'GET 400', 'GET 400', 'POST 409', 'GET 200', 'POST 200'];
    assert.deepEqual(await found({}), all);
    assert.deepEqual(await found({ requestId: 'trace-1' }), ['GET 200']);
    assert.deepEqual(await found({ requestId: 'trace' }), ['GET 200']);
    assert.deepEqual(await found({ requestId: 'race-1' }), []);
    assert.deepEqual(await found({ status: 409 }), ['POST 409']);
    assert.deepEqual(await found({ statusClass: 2 }), ['GET 200', 'POST 200']);
    assert.deepEqual(await found({ statusClass: 'refused' }), all.slice(0, 4));
    assert.deepEqual(await found({ code: 'VALIDATION_ERROR' }), ['GET 400', 'GET 400']);
    assert.deepEqual(await found({ keyId: other.keyId }), []);
    assert.deepEqual(await found({ keyId: world.keyId, method: 'POST' }), ['POST 409', 'POST 200']);
    assert.deepEqual(await found({ route: '/v1/partners/bookings' }), ['POST 409', 'POST 200']);
    assert.deepEqual(await found({ route: '/v1/partners/bookings', method: 'GET' }), []);
    assert.deepEqual(await found({ bookingId }), ['POST 409', 'GET 200', 'POST 200']);
    assert.deepEqual(await found({ from: TEST_NOW, to: TEST_NOW + 1 }), all);
    assert.deepEqual(await found({ from: TEST_NOW + 1 }), []);
    assert.deepEqual(await found({ to: TEST_NOW }), []);

    const pages: string[] = [];
    let before: string | undefined;
    do {
      const page = await listRequests(db, partner, { limit: 1, ...(before && { before }) });
      pages.push(...page.requests.map(({ method, status }) => `${method} ${status}`));
      before = page.nextCursor ?? undefined;
    } while (before !== undefined);
    assert.deepEqual(pages, all, 'pages of one, each request once');
  });

  await t.test('errors by code and route', async () => {
    const groups = await errorsByRoute(db, world.partnerId, ALL);
    assert.deepEqual(
      groups.map(({ code, count, method, route }) => [code, count, method, route]),
      [
        ['VALIDATION_ERROR', 2, 'GET', '/v1/partners/services'],
        ['RATE_LIMIT_EXCEEDED', 1, 'GET', '/v1/partners/services'],
        ['DUPLICATE_EXTERNAL_REFERENCE', 1, 'POST', '/v1/partners/bookings'],
      ],
    );
    for (const { lastId, lastAt, code } of groups) {
      const last = await findRequest(db, world.partnerId, lastId);
      assert.deepEqual([last?.code, lastAt], [code, TEST_NOW]);
    }
    assert.deepEqual(await errorsByRoute(db, world.partnerId, { from: TEST_NOW + 1, to: ALL.to }), []);
  });

  await t.test('one request, with its bodies; only its own partner', async () => {
    const found = await findRequest(db, world.partnerId, create!.id);
    const bodies = found?.bodies;
    assert.deepEqual(JSON.parse(bodies?.request ?? ''), {
      contactId: world.contactId,
      addressId: world.addressId,
      serviceId: world.serviceId,
      date: '2026-11-23',
      timeslot: { startAt: '10:00', endAt: '12:00' },
      externalReference: 'order-1',
    });
    assert.deepEqual(JSON.parse(bodies?.response ?? ''), booked.body);
    assert.deepEqual([bodies?.requestCut, bodies?.responseCut], [false, false]);
    assert.equal(await findRequest(db, other.partnerId, create!.id), null);
    assert.equal(await findRequest(db, world.partnerId, '999999'), null);
  });

  await t.test('the operator filters by partner', async () => {
    const path = `/requests?partnerId=${world.partnerId}&outcome=refused&route=/v1/partners/bookings`;
    const { body } = await service.operator('GET', path);
    assert.equal(body.data.length, 1);
    assert.match(body.data[0].key, /^pbs_test_.{4}….{4}$/);
    assert.equal(body.data[0].id, conflict?.id);
    const first = await service.operator('GET', `/requests?partnerId=${world.partnerId}&limit=2`);
    const next = await service.operator(
      'GET',
      `/requests?partnerId=${world.partnerId}&limit=100&before=${first.body.meta.nextCursor}`,
    );
    assert.equal(first.body.data.length + next.body.data.length, 6);
    assert.equal(next.body.meta.nextCursor, null);
    const one = await service.operator('GET', `/requests/${conflict?.id}`);
    assert.equal(one.body.data.code, 'DUPLICATE_EXTERNAL_REFERENCE');
    assert.equal((await service.operator('GET', '/requests/999999')).status, 404);
    assert.equal((await service.operator('GET', '/requests/x')).status, 400);
    assert.equal((await service.operator('GET', '/requests?outcome=all&before=x')).status, 400);
  });

  await t.test('phones, coordinates and secrets are masked; long bodies are truncated', async () => {
    const phone = '+966501234567';
    await service.v1(other.key, 'POST', '/partners/contacts', {
      phone,
      name: 'Noura',
      latitude: '24.7136',
      longitude: '46.6753',
      streetName: 'call 0501234567',
      shortAddress: 'RRRD2929',
      directions: 'Blue gate',
    });
    await service.v1(other.key, 'POST', '/partners/pricing/calculate-price', { items: 'x'.repeat(20_000) });
    await call(`${service.url}/v1`, 'GET', `${NOWHERE}?api_key=${other.key}`);
    const [bare, long, contact] = await logOf(service, { partnerId: other.partnerId }, 7);
    const masked = await findRequest(db, null, contact!.id);
    const text = JSON.stringify(masked);
    for (const hidden of [phone, '0501234567', '24.7136', '46.6753', 'RRRD2929', 'Blue'])
      assert.ok(!text.includes(hidden), text);
    assert.equal(JSON.parse(masked?.bodies?.request ?? '').name, 'Noura');
    const cut = await findRequest(db, null, long!.id);
    assert.deepEqual(
      [cut?.bodies?.request, cut?.bodies?.requestCut, cut?.bodies?.responseCut],
      [`${JSON.stringify({ items: 'x'.repeat(20_000) }).slice(0, 4_096)}"}`, true, false],
    );
    assert.equal(bare?.path, `/v1${NOWHERE}`, 'a key in the query is not kept');
  });

  await t.test('values in place of a UUID', async () => {
    const known = `/partners/bookings/${world.serviceId}/status`;
    await service.v1(other.key, 'GET', '/partners/bookings/0501234567/status');
    await service.v1(other.key, 'GET', `${known}?phone=0501234567`);
    await service.v1(other.key, 'GET', known);
    const [plain, query, phone] = await logOf(service, { partnerId: other.partnerId }, 10);
    assert.equal(phone?.path, '/v1/partners/bookings/0501•••/status');
    assert.equal(query?.path, `/v1${known}?phone=•••`);
    assert.equal(plain?.path, `/v1${known}`);
  });
});

test('an invalid known key: the log says why, the response does not', async (t) => {
  const service = await startTestService(t);
  const { db, keys } = service.deps;
  const partner = await createPartner(service);
  const { key: expired, keyId: expiredId } = await createPartnerKey(
    service,
    partner.partnerId,
    ['partner_bookings_read'],
    {
      expiresAt: TEST_NOW,
    },
  );
  const { key: revoked, keyId: revokedId } = await createPartnerKey(service, partner.partnerId, [
    'partner_bookings_read',
  ]);
  await service.operator('PATCH', `/keys/${revokedId}`, { status: 'REVOKED' });
  const { key: replaced, keyId: replacedId } = await createPartnerKey(service, partner.partnerId, [
    'partner_bookings_read',
  ]);
  await service.operator('POST', `/keys/${replacedId}/rotate`, { overlapMinutes: 1 });
  service.clock.advance(MINUTE);
  const suspended = await createPartner(service, { partner: { status: 'SUSPENDED' } });
  const unknown = createKey('sandbox').key;

  const { touch } = keys;
  const touched: string[] = [];
  t.mock.method(keys, 'touch', (keyId: string, now: number) => {
    touched.push(keyId);
    touch(keyId, now);
  });
  const said = new Set<string>();
  for (const key of [unknown, 'nonsense', expired, revoked, replaced, suspended.key]) {
    const { status, body } = await service.v1(key, 'GET', NOWHERE, undefined, { 'x-request-id': 'same' });
    said.add(JSON.stringify([status, body]).replace('malformed', 'not-valid'));
  }
  assert.equal(said.size, 1, 'one answer for all');
  assert.equal((await service.v1(null, 'GET', NOWHERE)).status, 401);
  assert.deepEqual(touched, [], 'none of them counts as a use');

  const log = await logOf(service, { code: 'UNAUTHORIZED' }, 4);
  assert.deepEqual(
    log
      .map(({ partnerId, keyId, status, check, reason }) => [partnerId, keyId, status, check, reason])
      .reverse(),
    [
      [partner.partnerId, expiredId, 401, 'key', 'expired'],
      [partner.partnerId, revokedId, 401, 'key', 'revoked'],
      [partner.partnerId, replacedId, 401, 'key', 'replaced'],
      [suspended.partnerId, suspended.keyId, 401, 'key', 'suspended'],
    ],
  );
  const kept = await db.rows<{ text: string }>({
    text: 'select row_to_json(l)::text as text from request_log l',
  });
  assert.equal(kept.length, 4, 'nothing of unknown keys');
});

test('a request whose key is looked up later is ordered by its time', async (t) => {
  const service = await startTestService(t);
  const { key, partnerId } = await createPartner(service);
  const { key: revoked, keyId } = await createPartnerKey(service, partnerId, ['partner_bookings_read']);
  await service.operator('PATCH', `/keys/${keyId}`, { status: 'REVOKED' });
  // One write, unless the half second between two of them ends just here.
  for (const [presented, requestId] of [
    [key, 'first'],
    [revoked, 'second'],
    [key, 'third'],
  ] as const) {
    service.clock.advance(1);
    await service.v1(presented, 'GET', NOWHERE, undefined, { 'x-request-id': requestId });
  }
  const log = await logOf(service, { partnerId }, 3);
  assert.deepEqual(
    log.map(({ requestId }) => requestId),
    ['third', 'second', 'first'],
  );
});

test('production stores no bodies, and no path of a known route', async (t) => {
  const service = await startTestService(t, { env: { DEPLOYMENT: 'production' } });
  const world = await createWorld(service);
  const booked = await world.book();
  await service.v1(world.key, 'GET', '/partners/bookings?externalReference=secret');
  await service.v1(world.key, 'GET', '/partners/0501234567?externalReference=secret');
  const [unknown, listed, created] = await logOf(service, { partnerId: world.partnerId }, 3);
  assert.equal(created?.bookingId, booked.body.data.bookingId, 'the booking is known all the same');
  assert.deepEqual([listed?.route, listed?.path], ['/v1/partners/bookings', null]);
  assert.deepEqual([unknown?.route, unknown?.path], [null, '/v1/partners/0501•••']);
  for (const { id } of [unknown!, listed!, created!])
    assert.equal((await findRequest(service.deps.db, null, id))?.bodies, null);
  const kept = await service.deps.db.rows({ text: 'select 1 from request_log where bodies is not null' });
  assert.equal(kept.length, 0);
});

test('a loaded sandbox stores bodies of some requests, and of as many errors', async (t) => {
  const service = await startTestService(t, { maxAuthFailures: 1_000 });
  const { key, partnerId } = await createPartner(service, { partner: { rateLimitPerMinute: null } });
  const db = service.deps.db as { rows: (statement: Statement) => Promise<unknown[]> };
  const { rows } = db;
  const written = Promise.withResolvers<void>();
  const writing = Promise.withResolvers<void>();
  db.rows = async (statement) => {
    if (statement.name === 'insert-requests') {
      writing.resolve();
      await written.promise;
    }
    return rows(statement);
  };
  const ask = (path: string, requestId: string) =>
    service.v1(key, 'GET', path, undefined, { 'x-request-id': requestId });
  // Requests during a write belong to the next one.
  await ask(NOWHERE, 'before');
  await writing.promise;
  for (let time = 0; time < 61; time++) await ask('/partners/webhooks/subscriptions', `listed-${time}`);
  const unknown = createKey('sandbox').key;
  for (let time = 0; time < 61; time++) assert.equal((await service.v1(unknown, 'GET', NOWHERE)).status, 401);
  await ask(NOWHERE, 'refused');
  written.resolve();
  const bodiesOf = async (requestId: string) => {
    const [found] = await logOf(service, { partnerId, requestId }, 1);
    return (await findRequest(service.deps.db, partnerId, found!.id))?.bodies ?? null;
  };
  assert.match((await bodiesOf('listed-59'))?.response ?? '', /"success":true/);
  assert.equal(await bodiesOf('listed-60'), null);
  assert.match((await bodiesOf('refused'))?.response ?? '', /RESOURCE_NOT_FOUND/);
  const { text } = await call(service.url, 'GET', '/metrics');
  assert.match(text, /^request_log_bodies_left_out_total\{outcome="succeeded"\} 1$/m);
  assert.match(text, /^request_log_bodies_left_out_total\{outcome="refused"\} 0$/m);
  assert.match(text, /^request_log_bodies_left_out_total\{outcome="unauthenticated"\} 1$/m);

  await ask('/partners/webhooks/subscriptions', 'later');
  assert.match((await bodiesOf('later'))?.response ?? '', /"success":true/);
});

test('during an outage requests are served, and lost entries counted', async (t) => {
  const service = await startTestService(t);
  const { key, partnerId } = await createPartner(service);
  const db = service.deps.db as { rows: (statement: Statement) => Promise<unknown[]> };
  const { rows } = db;
  let isAway = true;
  db.rows = async (statement) => {
    if (isAway && statement.name === 'insert-requests') throw new DatabaseUnavailableError('away');
    return rows(statement);
  };
  const dropped = async (): Promise<number> => {
    await service.deps.requestLog?.flush();
    const { text } = await call(service.url, 'GET', '/metrics');
    return Number(/^request_log_dropped_total\{why="database"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  for (let time = 0; time < 3; time++)
    assert.equal((await service.v1(key, 'GET', NOWHERE)).body.error.code, 'RESOURCE_NOT_FOUND');
  await until(async () => (await dropped()) === 3);
  assert.equal(service.logged().match(/requests could not be written/g)?.length, 1, 'told once');
  isAway = false;
  await service.v1(key, 'GET', NOWHERE, undefined, { 'x-request-id': 'later' });
  const [first, ...more] = await logOf(service, { partnerId }, 1);
  assert.deepEqual([first?.requestId, more], ['later', []]);
});

test('entries older than the retention are dropped, by real time', alsoOnServer, async (t) => {
  const service = await startTestService(t, onPostgres ? { env: { ROLES: 'api' } } : {});
  const { db, requestLog } = service.deps;
  const { key, partnerId } = await createPartner(service);
  await service.v1(key, 'GET', NOWHERE, undefined, { 'x-request-id': 'old' });
  await logOf(service, { partnerId }, 1);
  service.clock.advance(DAY);
  await service.v1(key, 'GET', NOWHERE, undefined, { 'x-request-id': 'new' });
  await logOf(service, { partnerId }, 2);
  const nextDay = Date.UTC(2026, 10, 23);
  assert.equal((await keepRequestPartitions(db, nextDay + 14 * DAY - 1, 14)).dropped, 0, 'not yet');
  assert.equal((await keepRequestPartitions(db, nextDay + 14 * DAY, 14)).dropped, 1);
  const left = await logOf(service, { partnerId }, 1);
  assert.deepEqual(
    left.map(({ requestId }) => requestId),
    ['new'],
  );

  // A stop writes the rest.
  await service.v1(key, 'GET', NOWHERE, undefined, { 'x-request-id': 'last' });
  await until(async () => {
    await requestLog?.close();
    const { requests } = await listRequests(db, { partnerId }, { limit: 1 });
    return requests[0]?.requestId === 'last';
  });
});

/** The rows that the statements of the work read, as PostgreSQL plans them. */
async function rowsRead(db: Db, work: (explained: Queryable) => Promise<unknown>): Promise<number> {
  type Plan = Record<string, unknown> & { Plans?: Plan[] };
  const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
  let read = 0;
  const explain = async ({ text, values }: Statement): Promise<never[]> => {
    const [row] = await db.rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>({
      text: `explain (analyze, format json) ${text}`,
      values: values ?? [],
    });
    for (const node of nodesOf(row!['QUERY PLAN'][0].Plan))
      if (node['Relation Name'] !== undefined)
        read +=
          ((node['Actual Rows'] as number) + ((node['Rows Removed by Filter'] as number) ?? 0)) *
          (node['Actual Loops'] as number);
    return [];
  };
  await work({
    ...db,
    rows: explain,
    first: async (statement: Statement) => (await explain(statement))[0] ?? null,
  });
  return read;
}

test('pages, searches and statistics read only their rows, among many days of many partners', async (t) => {
  const db = await openTestDatabase(t);
  for (let day = 0; day < 14; day++) await keepRequestPartitions(db, TEST_NOW + day * DAY, 31);
  assert.ok((await listPartitions(db, REQUEST_PARTITIONS)).length > 14);
  const partnerId = '00000000-0000-4000-8000-000000000001';
  // One of the partner among nine others, a minute apart; each with another booking.
  await db.rows({
    text: `
      insert into request_log (recorded_at, answered_at, request_id, partner_id, key_id, method, route, status, hints,
        ignored_parameters, duration_ms, booking_id)
      select at, at, md5(n::text), ('00000000-0000-4000-8000-00000000000' || n % 10)::uuid, gen_random_uuid(), 'GET', '/',
        case when n % 100 = 1 then 404 else 200 end, '{}', '{}', 1, md5('b' || n)::uuid
      from generate_series(1, 20000) n, lateral (select $1::timestamptz + n * interval '1 minute' as at) time`,
    values: [new Date(TEST_NOW).toISOString()],
  });
  await db.rows({ text: 'analyze request_log' });
  const list = (filter: RequestFilter, before?: string) =>
    rowsRead(db, (queryable) => listRequests(queryable, filter, { limit: 20, ...(before && { before }) }));
  const range = { from: TEST_NOW + 5 * DAY, to: TEST_NOW + 5 * DAY + 600 * MINUTE };
  const read = {
    'the newest of all': await list({}),
    'the newest of a partner': await list({ partnerId }),
    'a later page': await list({ partnerId }, '8000'),
    'a request by its id': await list({ requestId: 'c4ca4238a0b923820dcc509a6f75849b' }),
    'requests by the beginning of their id': await list({ partnerId, requestId: 'c4ca42' }),
    'requests of a booking': await list({ bookingId: 'a'.repeat(32) }),
    'some hours of a partner': await list({ partnerId, ...range }),
    'errors of a partner': await rowsRead(db, (queryable) => errorsByRoute(queryable, partnerId, range)),
    'peaks of a partner': await rowsRead(db, (queryable) => peaksByKey(queryable, partnerId, range)),
    'one request': await rowsRead(db, (queryable) => findRequest(queryable, partnerId, '19991')),
  };
  // 2,000 are the partner's; the last day has some hundred, which are read as a whole.
  assert.deepEqual(
    Object.entries(read).filter(([, rows]) => rows > 500),
    [],
  );
  const unindexed = await list({ partnerId, code: 'UNAUTHORIZED' });
  assert.ok(unindexed >= 2_000, 'a filter without an index reads all of the partner, and is counted');
});

test('a page that scans too many requests ends early, and the next continues', async (t) => {
  const db = await openTestDatabase(t);
  const partnerId = '00000000-0000-4000-8000-000000000001';
  await db.rows({
    text: `
      insert into request_log (recorded_at, answered_at, request_id, partner_id, key_id, method, status, hints,
        ignored_parameters, duration_ms)
      select $1, $1, n, $2, $2, 'GET', case when n in (1, 50000, 50001) then 404 else 200 end, '{}', '{}', 1
      from generate_series(1, 50001) n`,
    values: [new Date(TEST_NOW).toISOString(), partnerId],
  });
  const pages: string[][] = [];
  let before: string | undefined;
  do {
    const page = await listRequests(db, { partnerId, status: 404 }, { limit: 20, ...(before && { before }) });
    pages.push(page.requests.map(({ requestId }) => requestId));
    before = page.nextCursor ?? undefined;
  } while (before !== undefined);
  assert.deepEqual(pages, [['50001', '50000'], ['1']]);
});

test('a peak is of any window, of each key, of requests that count for its limit', async (t) => {
  const db = await openTestDatabase(t);
  const [partnerId, one, other] = [1, 2, 3].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
  const request: NewRequest = {
    at: 0,
    requestId: 'r',
    partnerId: partnerId!,
    keyId: one!,
    method: 'GET',
    route: null,
    path: null,
    status: 200,
    code: null,
    message: null,
    check: null,
    reason: null,
    hints: [],
    ignoredParameters: [],
    details: null,
    durationMs: 1.5,
    bookingId: null,
    userAgent: null,
    bodies: null,
  };
  const note = (second: number, count: number, more: Partial<NewRequest> = {}) =>
    insertRequests(
      db,
      TEST_NOW,
      Array(count).fill({ ...request, at: TEST_NOW + second * 1_000 + 7, ...more }),
    );
  await note(5, 2, { keyId: other! });
  await note(100, 3);
  await note(159, 4);
  await note(160, 5);
  await note(400, 8);
  for (const check of ['key', 'address', 'rate-limit', 'https', 'failed-authentications'])
    await note(130, 9, { check, status: 403 });
  const peaks = () => peaksByKey(db, partnerId!, ALL);
  // The sixtieth second still counts, the sixty-first does not.
  assert.deepEqual(await peaks(), [
    { keyId: one, requests: 9, from: TEST_NOW + 159_000 },
    { keyId: other, requests: 2, from: TEST_NOW + 5_000 },
  ]);
  await note(100, 3, { check: 'permission', status: 403 });
  assert.deepEqual((await peaks())[0], { keyId: one, requests: 10, from: TEST_NOW + 100_000 });
  assert.deepEqual(await peaksByKey(db, partnerId!, { from: ALL.to, to: ALL.to + 1 }), []);
});

test(
  'a stop writes the buffer',
  onServer('an embedded database in memory ends with its service'),
  async (t) => {
    const databaseUrl = await createPostgresDatabase(t);
    const service = await startTestService(t, { databaseUrl });
    const { key, partnerId } = await createPartner(service);
    for (let time = 0; time < 5; time++) await service.v1(key, 'GET', NOWHERE);
    await service.close();
    const next = await startTestService(t, { databaseUrl });
    const { requests } = await listRequests(next.deps.db, { partnerId }, { limit: 100 });
    assert.equal(requests.length, 5);
  },
);

test('REQUEST_LOG_DAYS=0 stores nothing', async (t) => {
  const service = await startTestService(t, { env: { REQUEST_LOG_DAYS: '0' } });
  const { key } = await createPartner(service);
  await service.v1(key, 'GET', NOWHERE);
  assert.equal(service.deps.requestLog, null);
  const { body } = await service.operator('GET', '/requests');
  assert.deepEqual(body.data, []);
});
