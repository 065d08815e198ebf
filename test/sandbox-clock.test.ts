import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { Redis } from 'ioredis';
import {
  addDays,
  DAY,
  dateOf,
  HOUR,
  isSandboxClock,
  MAX_AHEAD,
  MINUTE,
  sandboxClock,
  startOfDate,
} from '../src/base/clock.ts';
import type { Db } from '../src/db/connection.ts';
import { buildApp } from '../src/program/app.ts';
import { memoryRateLimiter, WINDOW } from '../src/runtime/rate-limit.ts';
import { watchVersions } from '../src/runtime/versions.ts';
import { DUE_DATES } from '../src/simulator/due-dates-queries.ts';
import { RETRY_AFTER } from '../src/webhooks/rules.ts';
import { createPartner, createPartnerKey, createWorld } from './fixtures.ts';
import {
  alsoOnServer,
  call,
  createPostgresDatabase,
  OPERATOR_TOKEN,
  onServer,
  startTestService,
  type TestService,
} from './harness.ts';
import { makeLink, portal, signIn } from './portal-fixtures.ts';
import { isNow, until } from './until.ts';
import { createHookWorld, subscribe } from './webhook-fixtures.ts';
import { startReceiver } from './webhook-receiver.ts';

const startSandbox = (t: TestContext, env: Record<string, string> = {}): Promise<TestService> =>
  startTestService(t, { sandboxClock: true, env });

async function advance(service: TestService, milliseconds: number) {
  const answer = await service.operator('POST', '/clock/advance', {
    seconds: Math.ceil(milliseconds / 1000),
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function reset(service: TestService) {
  const answer = await service.operator('DELETE', '/clock');
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

/** Is the text of Riyadh within two seconds of the instant? */
function isAbout(text: string, ahead = 0): void {
  assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+03:00$/);
  isNow(Date.parse(text) - ahead);
}

test('the clock is read, advanced and returned to real time, each with its audit row', async (t) => {
  const service = await startSandbox(t);
  const began = await service.operator('GET', '/clock');
  assert.deepEqual(Object.keys(began.body.data), ['now', 'realNow', 'offsetSeconds']);
  assert.equal(began.body.data.offsetSeconds, 0);
  isAbout(began.body.data.now);

  for (const total of [3_600, 7_200]) {
    const view = await advance(service, HOUR);
    assert.equal(view.offsetSeconds, total);
    isAbout(view.now, total * 1000);
    isAbout(view.realNow);
  }
  const partner = await service.operator('POST', '/partners', { name: 'Ahead' });
  isAbout(partner.body.data.createdAt, 2 * HOUR);

  const after = await reset(service);
  assert.equal(after.offsetSeconds, 0);
  isAbout(after.now);
  assert.equal((await reset(service)).offsetSeconds, 0);

  const audit = await service.deps.db.rows({
    text: `select action, before, after from audit_log where target = 'clock:sandbox' order by position`,
  });
  assert.deepEqual(audit, [
    { action: 'clock.advance', before: { offsetSeconds: 0 }, after: { offsetSeconds: 3_600 } },
    { action: 'clock.advance', before: { offsetSeconds: 3_600 }, after: { offsetSeconds: 7_200 } },
    { action: 'clock.reset', before: { offsetSeconds: 7_200 }, after: { offsetSeconds: 0 } },
  ]);
});

test('the clock moves forward only, a year at a time and ten years in all', async (t) => {
  const service = await startSandbox(t);
  const refused = async (body: unknown, message: string) => {
    const answer = await service.operator('POST', '/clock/advance', body);
    assert.equal(answer.status, 400, answer.text);
    assert.deepEqual(answer.body.error.details.message, [message]);
  };
  await refused({}, 'seconds must be an integer number');
  await refused({ seconds: 1.5 }, 'seconds must be an integer number');
  await refused({ seconds: '60' }, 'seconds must be an integer number');
  await refused({ seconds: 0 }, 'seconds must not be less than 1');
  await refused({ seconds: -60 }, 'seconds must not be less than 1');
  await refused({ seconds: 31_536_001 }, 'seconds must not be greater than 31536000');

  let view: { offsetSeconds: number; now: string } | undefined;
  for (let year = 1; year <= 10; year++) view = await advance(service, 365 * DAY);
  assert.equal(view!.offsetSeconds, MAX_AHEAD / 1000);
  isAbout(view!.now, MAX_AHEAD);
  await refused({ seconds: 1 }, 'seconds must not take the clock more than 10 years ahead');
  assert.equal((await service.operator('GET', '/clock')).body.data.offsetSeconds, MAX_AHEAD / 1000);
});

test('simultaneous advances all count', alsoOnServer, async (t) => {
  const service = await startSandbox(t);
  const body = { seconds: 60 };
  await Promise.all(Array.from({ length: 20 }, () => service.operator('POST', '/clock/advance', body)));
  assert.equal((await service.operator('GET', '/clock')).body.data.offsetSeconds, 1_200);
});

test('slots, notice and the expiry of keys follow the clock', async (t) => {
  const service = await startSandbox(t);
  const world = await createWorld(service);
  const today = dateOf(service.deps.clock.now());
  const date = addDays(today, 2);
  const slotsOn = async (day: string): Promise<string[]> => {
    const query = `addressId=${world.addressId}&serviceId=${world.serviceId}&date=${day}`;
    const answer = await service.v1(world.key, 'GET', `/partners/timeslots/available?${query}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.slots.map((slot: { startAt: string }) => slot.startAt);
  };
  const whole = await slotsOn(date);
  assert.deepEqual([whole[0], whole.at(-1)], ['08:00', '18:00']);
  const farthest = addDays(today, 61);
  assert.deepEqual(await slotsOn(farthest), []);

  const expiresAt = service.deps.clock.now() + HOUR;
  const expiring = await createPartnerKey(service, world.partnerId, ['partner_pricing_read'], { expiresAt });
  const knock = async () => (await service.v1(expiring.key, 'GET', '/partners/pricing/tiers')).status;
  assert.equal(await knock(), 200);

  // Five past ten on the day: with two hours of notice and a grid of half hours, 12:30 is the next.
  await advance(service, startOfDate(date) + 10 * HOUR + 5 * MINUTE - service.deps.clock.now());
  assert.deepEqual([(await slotsOn(date))[0], (await slotsOn(date)).at(-1)], ['12:30', '18:00']);
  assert.deepEqual(await slotsOn(addDays(date, -1)), []);
  assert.deepEqual(await slotsOn(farthest), whole);
  assert.equal(await knock(), 401);
  const late = await world.book({ date });
  assert.equal(late.status, 422, late.text);

  await reset(service);
  assert.deepEqual(await slotsOn(date), whole);
  assert.deepEqual(await slotsOn(farthest), []);
  assert.equal(await knock(), 200);
  assert.equal((await world.book({ date })).status, 200);
});

async function windowsFollow(
  service: TestService,
  ready: (keyId: string) => Promise<boolean>,
): Promise<void> {
  const limited = { partner: { rateLimitPerMinute: 2 } };
  const knockWith = async (key: string) => {
    const answer = await service.v1(key, 'GET', '/partners/pricing/tiers');
    return [answer.status, answer.headers.get('ratelimit-remaining')];
  };
  await until(async () => {
    const warmUp = await createPartner(service, limited);
    await knockWith(warmUp.key);
    return ready(warmUp.keyId);
  });

  const { key } = await createPartner(service, limited);
  const knocks = async () => [await knockWith(key), await knockWith(key), await knockWith(key)];
  const full = [
    [200, '1'],
    [200, '0'],
    [429, '0'],
  ];
  assert.deepEqual(await knocks(), full);
  await advance(service, 30_000);
  assert.deepEqual(await knockWith(key), [429, '0'], 'within the window');
  await advance(service, 31_000);
  assert.deepEqual(await knocks(), full, 'after the window');
  await advance(service, DAY);
  assert.deepEqual(await knocks(), full);
  await reset(service);
  assert.deepEqual(await knocks(), full, 'back from a future that does not count');
}

test('rate windows follow the clock', async (t) => {
  await windowsFollow(await startSandbox(t), async () => true);
});

const redisUrl = process.env.TEST_REDIS_URL;
test('rate windows in Redis follow the clock', {
  ...alsoOnServer,
  skip: redisUrl === undefined && 'TEST_REDIS_URL names no Redis',
}, async (t) => {
  const redis = new Redis(redisUrl!);
  t.after(() => redis.disconnect());
  const service = await startSandbox(t, { REDIS_URL: redisUrl! });
  await windowsFollow(service, async (keyId) => (await redis.exists(`rate:${keyId}`)) === 1);
});

test('a window drops only times that are further ahead than a window', async () => {
  const limiter = memoryRateLimiter();
  const now = 1_000_000;
  const take = async (at: number) => (await limiter.take('key', 1, at)).allowed;
  assert.equal(await take(now), true);
  // Requests are counted in the order in which they finish waiting, not exactly by their times.
  assert.equal(await take(now - 5), false);
  assert.equal(await take(now - WINDOW), false);
  assert.equal(await take(now - WINDOW - 1), true);
});

/** Future dates that are not due dates, or were chosen by a user. */
const NOT_DUE = new Set([
  'api_keys.expires_at', // chosen by the operator
  'appointments.busy_until', // of the appointment
  'privacy_requests.due_at', // a deadline of people
  'holds.expires_at', // the sweep ends those that were made ahead
  'privacy_requests.due_at', // follows from when it was received
  'webhook_pending.due_at', // follows webhook_deliveries
  // Links of crews, tokens, links and sessions of operators end, and leases run, by real time.
  'crew_links.expires_at',
  'operator_enrolments.expires_at',
  'operator_links.expires_at',
  'operator_sessions.expires_at',
  'operator_tokens.expires_at',
  'customer_messages.leased_until',
  'payments.leased_until',
  'simulator_steps.leased_until',
  'webhook_faulty_deliveries.leased_until',
  'webhook_pending.leased_until',
]);

test('every due date is capped when the clock goes back', async (t) => {
  const { deps } = await startTestService(t);
  const columns = await deps.db.rows<{ name: string }>({
    text: `
      select c.relname || '.' || a.attname as name
      from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0
        and format_type(a.atttypid, null) = 'timestamp with time zone'
        and a.attname ~ '(^|_)(due_at|expires_at|until|before)$'`,
  });
  const limited = new Set(DUE_DATES.map(({ table, column }) => `${table}.${column}`));
  const forgotten = columns.filter(({ name }) => !limited.has(name) && !NOT_DUE.has(name));
  assert.deepEqual(forgotten, []);
  assert.ok(columns.length > NOT_DUE.size);
});

type Delivery = { attemptCount: number; status: string; nextRetryAt: string | null };

test(
  'a reset limits due dates itself, before any worker follows',
  onServer('needs several connections'),
  async (t) => {
    const service = await startSandbox(t, { ROLES: 'api' });
    await advance(service, 100 * DAY);
    await makeLink(service, (await createPartner(service)).partnerId);
    await reset(service);
    const { ends } = (await service.deps.db.first<{ ends: number }>({
      text: 'select expires_at as ends from portal_links',
    }))!;
    assert.ok(ends <= service.deps.clock.now() + 7 * DAY, `${ends}`);
  },
);

test('after the clock has gone back nothing is due too far ahead', async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer = (_, response) => response.writeHead(500).end();
  const service = await startSandbox(t, { WEBHOOK_ALLOW_HOSTS: receiver.host, IDEMPOTENCY: 'true' });
  const { db, clock } = service.deps;
  await advance(service, 100 * DAY);
  const date = addDays(dateOf(clock.now()), 5);
  const world = await createHookWorld(service, { partner: { paymentResponsibility: 'PLATFORM' }, teams: 3 });
  const webhook = await subscribe(service, world.key, { url: receiver.url, events: ['booking.created'] });
  const book = async () => {
    const { contactId, addressId, serviceId } = world;
    const body = { contactId, addressId, serviceId, date, timeslot: { startAt: '10:00', endAt: '12:00' } };
    const headers = { 'x-api-key': world.key, 'idempotency-key': randomUUID() };
    const answer = await call(service.url, 'POST', '/v1/partners/bookings', body, headers);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.bookingId as string;
  };
  const bookingId = await book();
  const played = await book();
  // Its steps are an hour apart.
  const run = await service.v1(world.key, 'POST', `/partners/sandbox/bookings/${played}/runs`, {
    script: 'complete',
    everySeconds: 3_600,
  });
  assert.equal(run.status, 200, run.text);
  await makeLink(service, world.partnerId);
  const session = await signIn(service, { key: world.key });
  const deliveriesOf = async () => {
    const answer = await service.v1(world.key, 'GET', '/partners/webhooks/deliveries');
    return answer.body.data as Delivery[];
  };
  const paymentOf = async () => (await service.operator('GET', `/bookings/${bookingId}`)).body.data.payment;
  await until(async () => (await deliveriesOf()).every(({ attemptCount }) => attemptCount === 1));
  await until(async () => (await paymentOf()).status === 'OPEN');
  await db.rows({
    text: `
      insert into customer_messages (id, booking_id, kind, version, starts_at, status, due_at, created_at)
      values (gen_random_uuid(), $1, 'BOOKED', 1, now(), 'QUEUED', $2, $2)`,
    values: [bookingId, new Date(clock.now() + 12 * HOUR)],
  });

  await reset(service);
  // A worker that had not followed the clock yet may have made the next attempt, and written its due date of the time
  // before the reset, until that is limited too.
  const isDue = ({ nextRetryAt, attemptCount }: Delivery) =>
    nextRetryAt === null || Date.parse(nextRetryAt) <= clock.now() + RETRY_AFTER[attemptCount - 1]!;
  await until(async () => (await deliveriesOf()).every(isDue));
  for (const { table, column } of DUE_DATES) {
    const latest = () =>
      db.first<{ rows: number; latest: number | null }>({
        text: `select count(*)::integer as rows, max(${column}) as latest from ${table}`,
      });
    const isLimited = async () => ((await latest())!.latest ?? 0) <= clock.now() + 31 * DAY;
    await until(isLimited, () => `${table}.${column}`);
    const isEmpty = table === 'certifications';
    assert.ok((await latest())!.rows > 0 || isEmpty, `${table} has rows`);
  }
  const now = clock.now();
  // Real time continues meanwhile.
  const isWithin = (text: string | number, milliseconds: number) =>
    assert.ok(new Date(text).getTime() <= now + milliseconds + MINUTE, `${text}`);
  const steps = await db.rows<{ due_at: number }>({
    text: `select due_at from simulator_steps where status = 'WAITING' order by number`,
  });
  assert.ok(steps.length > 1);
  isWithin(steps[0]!.due_at, HOUR);
  assert.equal(steps[1]!.due_at - steps[0]!.due_at, HOUR, 'the steps keep their distance');
  for (const { expiresAt } of (await service.operator('GET', '/payments')).body.data)
    isWithin(expiresAt, DAY);
  // And due work is done.
  receiver.answer = (_, response) => response.writeHead(204).end();
  await advance(service, Math.max(...RETRY_AFTER) + 1_000);
  await until(async () => (await deliveriesOf()).every(({ status }) => status === 'DELIVERED'));
  await advance(service, DAY);
  await until(async () => (await paymentOf()).status === 'EXPIRED');
  assert.equal((await portal(service, session, 'GET', '/account')).status, 401, 'the session has ended');
  assert.equal(webhook.url, receiver.url);
});

test('every process follows, and a new one at once', onServer('needs several connections'), async (t) => {
  const databaseUrl = await createPostgresDatabase(t);
  const start = () => startTestService(t, { databaseUrl, sandboxClock: true });
  const [first, second] = [await start(), await start()];
  const offsetReaches = (milliseconds: number) => until(() => second.deps.clock.offset() === milliseconds);
  await advance(first, HOUR);
  await offsetReaches(HOUR);
  isAbout((await second.operator('GET', '/clock')).body.data.now, HOUR);
  assert.equal((await start()).deps.clock.offset(), HOUR);
  await reset(first);
  await offsetReaches(0);
});

test('production has no such routes, and real time', async (t) => {
  const service = await startTestService(t, { sandboxClock: true, env: { DEPLOYMENT: 'production' } });
  for (const [method, path] of [
    ['GET', '/clock'],
    ['POST', '/clock/advance'],
    ['DELETE', '/clock'],
  ] as const) {
    const answer = await service.operator(method, path, method === 'POST' ? { seconds: 1 } : undefined);
    assert.equal(answer.status, 404, `${method} ${path}`);
    assert.equal(answer.body.error.message, 'Route not found');
  }
  // Whatever is in the database.
  await service.deps.db.rows({ text: 'update sandbox_clock set offset_seconds = 3600' });
  await service.deps.versions.refresh();
  assert.equal(service.deps.clock.offset(), 0);
  isNow(service.deps.clock.now());
  assert.equal(isSandboxClock(service.deps.clock), false);

  // Nor would a clock that can be moved bring them.
  const app = buildApp({ ...service.deps, clock: sandboxClock() }, ['operator']);
  t.after(() => app.close());
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  assert.equal((await app.inject({ url: '/operator/clock', headers })).statusCode, 404);
  assert.equal((await app.inject({ url: '/operator/partners', headers })).statusCode, 200);
});

test('with a clock that cannot be moved there are no such routes', async (t) => {
  const service = await startTestService(t);
  assert.equal((await service.operator('GET', '/clock')).status, 404);
});

test('an offset stays within the range of time', () => {
  const clock = sandboxClock();
  clock.setOffset(HOUR);
  for (const wrong of [Number.NaN, -1, MAX_AHEAD + 1, Number.POSITIVE_INFINITY])
    assert.throws(() => clock.setOffset(wrong), RangeError, `${wrong}`);
  assert.equal(clock.offset(), HOUR);
  clock.setOffset(MAX_AHEAD);
  isNow(clock.now() - MAX_AHEAD);
});

test('a watch that is started again, or closed during its start, leaves no poll', async (t) => {
  let looks = 0;
  const rows = async (): Promise<unknown[]> => {
    looks++;
    return [];
  };
  const db = { rows } as unknown as Db;
  t.mock.timers.enable({ apis: ['setInterval'] });
  const again = watchVersions(db, assert.fail);
  await again.start();
  await again.start();
  t.mock.timers.tick(300);
  assert.equal(looks, 3, 'it polls');
  await again.close();
  t.mock.timers.tick(300);
  assert.equal(looks, 3);

  const early = watchVersions(db, assert.fail);
  const started = early.start();
  await early.close();
  await started;
  t.mock.timers.tick(300);
  assert.equal(looks, 4);
});

test('a late result of a poll does not overwrite a newer one', async (t) => {
  const answers: ((offset: number) => void)[] = [];
  const rows = (): Promise<unknown[]> =>
    new Promise((resolve) => {
      answers.push((offset) => resolve([{ name: 'access', version: offset, offset_seconds: offset }]));
    });
  const offsets: number[] = [];
  const versions = watchVersions({ rows } as unknown as Db, assert.fail, (offset) => offsets.push(offset));
  const started = versions.start();
  answers[0]!(1);
  await started;
  t.after(() => {
    for (const answer of answers) answer(3);
    return versions.close();
  });
  const [early, late] = [versions.refresh(), versions.refresh()];
  answers[2]!(3);
  await late;
  answers[1]!(2);
  await early;
  assert.deepEqual(offsets, [1, 3]);
  assert.equal(versions.current('access'), 3);
});
