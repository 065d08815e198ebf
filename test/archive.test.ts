import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import Fastify from 'fastify';
import { archiveClosed, recallWhenNotFound } from '../src/archive/archive.ts';
import { recallBookings } from '../src/archive/queries.ts';
import { DAY } from '../src/base/clock.ts';
import { notFound } from '../src/base/errors.ts';
import { verifyAudit } from '../src/db/audit.ts';
import { listForRetention } from '../src/privacy/request-queries.ts';
import { archive, forget, placeOf } from './archive-fixtures.ts';
import { createWorld, type World, type WorldOptions } from './fixtures.ts';
import {
  type Answer,
  createPostgresDatabase,
  onPostgres,
  startTestService,
  type TestService,
} from './harness.ts';
import { tablesWith } from './needle.ts';
import { awaited, isSent, withMoyasar, write } from './operator-payment-fixtures.ts';
import { makeLink, portal, signIn } from './portal-fixtures.ts';
import { until } from './until.ts';

/** The archive (docs/SCALING.md#the-archive): closed bookings leave the working set, and nothing else changes. */

const TABLES = ['bookings', 'appointments', 'payments', 'gateway_payments'];

const ok = (answer: Answer, status = 200): Answer => {
  assert.equal(answer.status, status, answer.text);
  return answer;
};

type Made = { bookingId: string; appointmentId: string; paymentId: string | null };
type Scene = { service: TestService; worlds: Record<'PARTNER' | 'PLATFORM', World>; reasonId: string };

async function sceneOf(
  t: TestContext,
  options: WorldOptions = {},
  where: { databaseUrl?: string } = {},
): Promise<Scene> {
  const service = await startTestService(t, where);
  const world = (paymentResponsibility: 'PARTNER' | 'PLATFORM') =>
    createWorld(service, { teams: 3, ...options, partner: { paymentResponsibility } });
  const worlds = { PARTNER: await world('PARTNER'), PLATFORM: await world('PLATFORM') };
  const names = { nameEn: 'Moved away', nameAr: 'انتقل' };
  const reason = ok(await service.operator('POST', '/cancellation-reasons', names), 201);
  return { service, worlds, reasonId: reason.body.data.id };
}

async function bookedBy(world: World, overrides: Record<string, unknown> = {}): Promise<Made> {
  const { bookingId, appointmentId } = ok(await world.book(overrides)).body.data;
  return { bookingId, appointmentId, paymentId: null };
}

async function completed(scene: Scene, overrides: Record<string, unknown> = {}): Promise<Made> {
  const made = await bookedBy(scene.worlds.PARTNER, overrides);
  ok(
    await scene.service.v1(
      scene.worlds.PARTNER.key,
      'POST',
      `/partners/bookings/${made.bookingId}/confirm-payment`,
      {},
    ),
  );
  for (const status of ['In The Way', 'In The location', 'In Progress', 'Finished', 'Completed'])
    ok(await scene.service.operator('PATCH', `/appointments/${made.appointmentId}`, { status, force: true }));
  return made;
}

const cancelled = async (scene: Scene, { bookingId }: Made): Promise<void> => {
  const { service, reasonId } = scene;
  ok(
    await service.operator('POST', `/bookings/${bookingId}/cancel`, { reasonId, notes: 'Zq71 gave notice' }),
  );
};

/** Closed bookings of every kind; those that customers paid for have a payment. */
const KINDS: Record<string, (scene: Scene) => Promise<Made>> = {
  completed,
  async canceled(scene) {
    const made = await bookedBy(scene.worlds.PARTNER);
    await cancelled(scene, made);
    return made;
  },
  async failed(scene) {
    const made = await bookedBy(scene.worlds.PARTNER, { externalReference: `F-${randomUUID()}` });
    ok(await scene.service.operator('POST', `/bookings/${made.bookingId}/fail`, { reason: 'No crew' }));
    return made;
  },
  async refunded(scene) {
    const { service, worlds } = scene;
    const made = await bookedBy(worlds.PLATFORM);
    const { id, linkUrl } = await awaited(service, made.bookingId, ({ status }) => status === 'OPEN');
    const paying = await fetch(linkUrl, { method: 'POST', body: new URLSearchParams({ outcome: 'paid' }) });
    assert.equal(paying.status, 200, await paying.text());
    await awaited(service, made.bookingId, ({ status }) => status === 'PAID');
    await cancelled(scene, made);
    await awaited(service, made.bookingId, ({ refund }) => refund?.status === 'DONE');
    // As a month later, after the last look at the gateway.
    await write(service, made.bookingId, 'due_at = null');
    return { ...made, paymentId: id };
  },
};

type Operation = { by: 'partner' | 'operator' | 'portal'; of?: keyof Made; body?: (scene: Scene) => unknown };
const SLOT = { date: '2026-11-25', timeslot: { startAt: '15:00', endAt: '17:00' } };
const giveReason = ({ reasonId }: Scene) => ({ reasonId });
const why = () => ({ reason: 'For the test' });

/** Every operation with the id of a booking, an appointment or a payment in its path. */
const OPERATIONS: Record<string, Operation> = {
  'patch /partners/bookings/{bookingId}': { by: 'partner', body: () => ({ notes: 'Ring twice' }) },
  'patch /partners/bookings/{bookingId}/cancel': { by: 'partner', body: giveReason },
  'post /partners/bookings/{bookingId}/confirm-payment': { by: 'partner', body: () => ({}) },
  'get /partners/bookings/{bookingId}/quote': { by: 'partner' },
  'get /partners/bookings/{bookingId}/status': { by: 'partner' },
  'post /partners/sandbox/bookings/{bookingId}/advance': { by: 'partner', body: () => ({ to: 'Completed' }) },
  'post /partners/sandbox/bookings/{bookingId}/runs': { by: 'partner', body: () => ({ script: 'complete' }) },
  'get /partners/sandbox/bookings/{bookingId}/runs': { by: 'partner' },
  'get /partners/sandbox/bookings/{bookingId}/runs/{runId}': { by: 'partner' },
  'delete /partners/sandbox/bookings/{bookingId}/runs/{runId}': { by: 'partner' },
  'get /appointments/{id}': { by: 'operator', of: 'appointmentId' },
  'patch /appointments/{id}': { by: 'operator', of: 'appointmentId', body: () => ({ ...SLOT, ...why() }) },
  'post /appointments/{id}/correct': {
    by: 'operator',
    of: 'appointmentId',
    body: () => ({ status: 'Finished', ...why() }),
  },
  'get /appointments/{id}/placements': { by: 'operator', of: 'appointmentId' },
  'get /bookings/{id}': { by: 'operator' },
  'post /bookings/{id}/cancel': { by: 'operator', body: giveReason },
  'post /bookings/{id}/close': { by: 'operator', body: giveReason },
  'post /bookings/{id}/fail': { by: 'operator', body: why },
  'get /bookings/{id}/messages': { by: 'operator' },
  'get /bookings/{id}/quote': { by: 'operator' },
  'post /bookings/{id}/revisit': { by: 'operator', body: () => ({ ...SLOT, force: true, ...why() }) },
  'get /payments/{id}': { by: 'operator', of: 'paymentId' },
  'post /payments/{id}/refund': { by: 'operator', of: 'paymentId', body: () => ({ amount: 10, ...why() }) },
  'post /payments/{id}/refund/decline': { by: 'operator', of: 'paymentId', body: why },
  'post /payments/{id}/refund/done': {
    by: 'operator',
    of: 'paymentId',
    body: () => ({ reference: 'BANK-1' }),
  },
  'post /payments/{id}/refund/retry': { by: 'operator', of: 'paymentId', body: () => ({}) },
  'post /payments/{id}/resend': { by: 'operator', of: 'paymentId', body: () => ({}) },
  'get /bookings/{bookingId}': { by: 'portal' },
  'post /sandbox/bookings/{bookingId}/advance': { by: 'portal', body: () => ({ to: 'Completed' }) },
  'get /sandbox/bookings/{bookingId}/runs': { by: 'portal' },
  'post /sandbox/bookings/{bookingId}/runs': { by: 'portal', body: () => ({ script: 'complete' }) },
  'delete /sandbox/bookings/{bookingId}/runs/{runId}': { by: 'portal' },
};

/** As in the documents of the interfaces: `get /bookings/{id}`. */
function documented(): string[] {
  const names: string[] = [];
  for (const file of ['partner', 'operator', 'portal']) {
    const url = new URL(`../openapi/${file}.json`, import.meta.url);
    const { paths } = JSON.parse(readFileSync(url, 'utf8')) as { paths: Record<string, object> };
    for (const [path, methods] of Object.entries(paths))
      if (/\/(bookings|appointments|payments)\/\{/.test(path))
        names.push(
          ...Object.keys(methods)
            .filter((key) => key !== 'parameters')
            .map((method) => `${method} ${path}`),
        );
  }
  return names;
}

type Ask = (name: string, made: Made, world: World) => Promise<Answer>;

async function askIn(scene: Scene): Promise<Ask> {
  const { service, worlds } = scene;
  const sessions = new Map<string, Awaited<ReturnType<typeof signIn>>>();
  for (const world of Object.values(worlds)) {
    await makeLink(service, world.partnerId);
    sessions.set(world.key, await signIn(service, { key: world.key }));
  }
  return (name, made, world) => {
    const [method, template] = name.toUpperCase().startsWith('GET')
      ? ['GET', name.slice(4)]
      : (name.split(' ') as [string, string]);
    const { by, of = 'bookingId', body } = OPERATIONS[name]!;
    const path = template!.replace(/\{(id|bookingId)\}/, made[of]!).replace('{runId}', NO_RUN);
    const given = body?.(scene);
    if (by === 'partner') return service.v1(world.key, method.toUpperCase(), path, given);
    if (by === 'operator') return service.operator(method.toUpperCase(), path, given);
    return portal(service, sessions.get(world.key)!, method.toUpperCase(), path, given);
  };
}

const NO_RUN = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';

/** The answer without what differs between two requests, and between two bookings that were made the same way. */
const gist = ({ status, body }: Answer) => [status, body?.error?.code, body?.error?.details?.reason];

test('the table has every operation with the id of a booking, an appointment or a payment', () => {
  assert.deepEqual(Object.keys(OPERATIONS).sort(), documented().sort());
});

for (const [kind, make] of Object.entries(KINDS))
  test(`every operation answers the same for a ${kind} booking of the archive`, async (t) => {
    const scene = await sceneOf(t, { teams: 4 });
    const { service, worlds } = scene;
    const world = kind === 'refunded' ? worlds.PLATFORM : worlds.PARTNER;
    const ask = await askIn(scene);
    let [here, there] = [await make(scene), await make(scene)];
    for (const [name, { of = 'bookingId' }] of Object.entries(OPERATIONS)) {
      if (here[of] === null) continue;
      if (name.startsWith('get')) {
        await forget(service);
        const before = await ask(name, there, world);
        assert.ok((await archive(service)) > 0, `${name}: it moves`);
        assert.equal(await placeOf(service, there.bookingId), 'archive');
        const after = await ask(name, there, world);
        assert.deepEqual(gist(after), gist(before), name);
        // It shows the day's other visits, which are in the archive, too.
        if (!name.endsWith('/placements')) assert.deepEqual(after.body.data, before.body.data, name);
        continue;
      }
      await forget(service);
      // It comes back before, or has moved meanwhile.
      await ask('get /bookings/{id}', here, world);
      const expected = await ask(name, here, world);
      await archive(service);
      await ask('get /bookings/{id}', here, world);
      assert.equal(await placeOf(service, there.bookingId), 'archive');
      const answer = await ask(name, there, world);
      assert.deepEqual(gist(answer), gist(expected), `${name}: ${answer.text} instead of ${expected.text}`);
      assert.notEqual(answer.status, 500, name);
      if (answer.status < 300) [here, there] = [await make(scene), await make(scene)];
    }
  });

// ---------------------------------------------------------------------------
// The move

test('open, recent and unsettled bookings stay, and those that anything refers to', async (t) => {
  const scene = await sceneOf(t, { teams: 10 });
  const { service, worlds } = scene;
  const { db } = service.deps;
  const set = (table: string, assignments: string, { bookingId }: Made) =>
    db.rows({
      text: `update ${table} set ${assignments} where ${table === 'bookings' ? 'id' : 'booking_id'} = $1`,
      values: [bookingId],
    });
  const open = await bookedBy(worlds.PARTNER);
  const unpaid = await bookedBy(worlds.PLATFORM);
  await awaited(service, unpaid.bookingId, ({ status }) => status === 'OPEN');
  const recent = await completed(scene);
  const LATE = `'2027-04-01'`;
  await set('bookings', `updated_at = ${LATE}`, recent);
  const moved = await completed(scene);
  await set('appointments', `updated_at = ${LATE}`, moved);
  const unsettled: Made[] = [];
  for (const assignments of [
    `due_at = ${LATE}`,
    `refund_status = 'PENDING', refunded_at = null`,
    `refund_status = 'FAILED', refunded_at = null`,
    `refund_to_decide = true`,
    `lease = gen_random_uuid(), leased_until = now() + interval '1 hour'`,
    `send_due_at = ${LATE}`,
    `updated_at = ${LATE}`,
  ]) {
    const made = await KINDS.refunded!(scene);
    await set('payments', assignments, made);
    unsettled.push(made);
  }
  const done = await completed(scene);
  const dead = await KINDS.refunded!(scene);
  await forget(service);
  const withEvent = await completed(scene);
  const later = service.deps.clock.now() + 130 * DAY;
  const archiveAt = (now: number) =>
    archiveClosed({ db, clock: { ...service.deps.clock, now: () => now } }, 4);
  assert.equal(await archiveAt(service.deps.clock.now() + 120 * DAY), 0, 'not before its time');
  assert.equal(await archiveAt(later), 2);
  for (const made of [done, dead]) assert.equal(await placeOf(service, made.bookingId), 'archive');
  for (const made of [open, unpaid, recent, moved, withEvent, ...unsettled])
    assert.equal(await placeOf(service, made.bookingId), 'here');
});

test('a worker moves them when months are configured, and only by these', {
  skip: !onPostgres && 'an embedded database is in one process',
}, async (t) => {
  const databaseUrl = await createPostgresDatabase(t);
  const scene = await sceneOf(t, {}, { databaseUrl });
  const made = await completed(scene);
  await forget(scene.service);
  const { clock, deps } = scene.service;
  clock.set(deps.clock.now() + 200 * DAY);
  const start = (months: string) =>
    startTestService(t, { databaseUrl, clock, env: { ARCHIVE_AFTER_MONTHS: months } });
  await assert.rejects(start('3'), /ARCHIVE_AFTER_MONTHS must be/);
  const place = () => placeOf(scene.service, made.bookingId);
  await start('12');
  assert.equal(await archiveClosed(deps, 12), 0);
  assert.equal(await place(), 'here');
  await start('4');
  await until(async () => (await place()) === 'archive');
});

const hold = async (scene: Scene) => {
  const { addressId, serviceId, key } = scene.worlds.PARTNER;
  const body = {
    addressId,
    serviceId,
    date: '2026-11-23',
    timeslot: { startAt: '10:00', endAt: '12:00' },
  };
  return ok(await scene.service.v1(key, 'POST', '/partners/holds', body)).body.data.holdId;
};

/** Makes a booking to which the table refers. */
const REFERRED = {
  booking_access: (scene: Scene) => completed(scene, { instructions: 'The bell is broken' }),
  async holds(scene: Scene) {
    return completed(scene, { holdId: await hold(scene) });
  },
  async simulator_runs(scene: Scene) {
    const made = await completed(scene);
    await scene.service.deps.db.rows({
      text: `insert into simulator_runs (booking_id, partner_id, script, every_seconds, started_by, status, created_at, finished_at)
        select id, partner_id, 'complete', 5, 'request', 'COMPLETED', created_at, created_at from bookings where id = $1`,
      values: [made.bookingId],
    });
    return made;
  },
  async customer_messages(scene: Scene) {
    const made = await completed(scene);
    await scene.service.deps.db.rows({
      text: `insert into customer_messages (id, booking_id, kind, version, starts_at, status, due_at, created_at, finished_at)
        select gen_random_uuid(), id, 'BOOKED', 1, created_at, 'SENT', created_at, created_at, created_at from bookings where id = $1`,
      values: [made.bookingId],
    });
    return made;
  },
};

test('a booking stays while a row of another table refers to it', async (t) => {
  const scene = await sceneOf(t, { teams: 6 });
  const { service } = scene;
  const { db } = service.deps;
  const others = await db.rows<{ name: string }>({
    text: `
      select conrelid::regclass::text as name from pg_constraint
      where contype = 'f' and conparentid = 0 and confrelid = 'bookings'::regclass order by 1`,
  });
  const moving = ['appointments', 'payments'];
  assert.deepEqual(
    others.map(({ name }) => name).filter((name) => !moving.includes(name)),
    [...Object.keys(REFERRED), 'events'].sort(),
  );
  for (const [table, make] of Object.entries(REFERRED)) {
    const made = await make(scene);
    await forget(service, table as keyof typeof REFERRED);
    const { number } = (await db.first<{ number: number }>({
      text: `select count(*) as number from ${table}`,
    }))!;
    assert.equal(number, 1, table);
    const later = service.deps.clock.now() + 200 * DAY;
    assert.equal(
      await archiveClosed({ db, clock: { ...service.deps.clock, now: () => later } }, 4),
      0,
      table,
    );
    assert.equal(await archive(service), 1, table);
    assert.equal(await placeOf(service, made.bookingId), 'archive');
  }
});

test('a job at once with another, with requests and with erasing loses and doubles nothing', async (t) => {
  const scene = await sceneOf(t, { teams: 12 });
  const { service, worlds } = scene;
  const { db } = service.deps;
  const made: Made[] = [];
  for (let number = 0; number < 12; number++)
    made.push(await KINDS[number % 3 === 0 ? 'refunded' : 'completed']!(scene));
  const everything = async () => {
    const text = TABLES.map(
      (table) => `select '${table}' as place, to_jsonb(x) - 'changed_in' - 'created_in' as row from (
        select * from ${table} union all select * from archived_${table}) x`,
    ).join(' union all ');
    const rows = await db.rows<{ place: string; row: object }>({ text });
    return rows.map((row) => JSON.stringify(row)).sort();
  };
  await forget(service);
  const before = await everything();
  assert.equal(before.length, 12 + 12 + 4 + 4);
  for (let round = 0; round < 5; round++) {
    const reads = made.map(async ({ bookingId, paymentId }) => {
      const world = paymentId === null ? worlds.PARTNER : worlds.PLATFORM;
      const path = `/partners/bookings/${bookingId}/status`;
      const answers = await Promise.all([
        service.v1(world.key, 'GET', path),
        service.operator('GET', `/bookings/${bookingId}`),
      ]);
      for (const answer of answers) ok(answer);
    });
    await Promise.all([archive(service), archive(service), ...reads, archive(service)]);
    assert.deepEqual(await everything(), before);
  }
  await archive(service);
  const [erased] = await Promise.all([
    service.operator('POST', `/contacts/${worlds.PARTNER.contactId}/erase`, { reason: 'Asked for it' }),
    archive(service),
    archive(service),
  ]);
  ok(erased);
  assert.equal((await everything()).length, before.length);
});

test('a request finds its booking though several jobs move it again and again meanwhile', async (t) => {
  const scene = await sceneOf(t);
  const { service } = scene;
  const { bookingId } = await completed(scene);
  await forget(service);
  let calls = 0;
  const app = Fastify() as unknown as Parameters<typeof recallWhenNotFound>[0];
  t.after(() => app.close());
  recallWhenNotFound(app, service.deps.db);
  app.get('/of/:id', async ({ params }) => {
    const { id } = params as { id: string };
    // Four passes: each of them moves it before a look.
    if (++calls <= 4) assert.equal(await archive(service), 1);
    if ((await placeOf(service, id)) !== 'here') throw notFound('Booking');
    return { id };
  });
  const { statusCode, body } = await app.inject(`/of/${bookingId}`);
  assert.deepEqual([statusCode, body, calls], [200, JSON.stringify({ id: bookingId }), 5]);
  await app.inject(`/of/${randomUUID()}`);
  assert.equal(calls, 6, 'one look for what is nowhere');
});

// ---------------------------------------------------------------------------
// Readers of the archive

test('an external reference in the archive is taken, also while its booking moves', async (t) => {
  const scene = await sceneOf(t, { teams: 5 });
  const { service, worlds } = scene;
  const world = worlds.PARTNER;
  const taken = await completed(scene, { externalReference: 'ORDER-1' });
  const other = await bookedBy(world, { externalReference: 'ORDER-2' });
  const change = (externalReference: string) =>
    service.v1(world.key, 'PATCH', `/partners/bookings/${other.bookingId}`, { externalReference });
  const refused = async () => {
    const answers = [await world.book({ externalReference: 'ORDER-1' }), await change('ORDER-1')];
    return answers.map(({ status, body: { error } }) => ({ status, ...error, requestId: null }));
  };
  const expected = await refused();
  assert.deepEqual(
    expected.map(({ status }) => status),
    [409, 409],
  );
  assert.equal(await archive(service), 1);
  assert.deepEqual(await refused(), expected);
  assert.equal(await placeOf(service, taken.bookingId), 'archive');
  ok(await change('ORDER-3'));
  ok(await worlds.PLATFORM.book({ externalReference: 'ORDER-1' }));
  const failed = await bookedBy(world, { externalReference: 'ORDER-4' });
  ok(await service.operator('POST', `/bookings/${failed.bookingId}/fail`, { reason: 'No crew' }));
  await archive(service);
  // Its team's time there is free only because the visit is ahead in this test.
  const date = '2026-11-24';
  ok(await world.book({ externalReference: 'ORDER-4', date }));
  // It goes and comes.
  for (let round = 0; round < 6; round++) {
    const [answer] = await Promise.all([
      world.book({ externalReference: 'ORDER-1', date }),
      archive(service),
      recallBookings(service.deps.db, { ids: [taken.bookingId] }),
    ]);
    assert.equal(answer.status, 409, answer.text);
  }
});

test('totals of lists, which are kept, are those of the bookings that are here', async (t) => {
  const scene = await sceneOf(t, { teams: 3 });
  const { service, worlds } = scene;
  const made = [await completed(scene), await completed(scene)];
  await bookedBy(worlds.PARTNER);
  const listed = async () => {
    const { data, meta } = ok(await service.v1(worlds.PARTNER.key, 'GET', '/partners/bookings')).body;
    assert.equal(meta.total, data.length);
    return meta.total;
  };
  for (let times = 0; times < 3; times++) assert.equal(await listed(), 3);
  assert.equal(await archive(service), 2);
  for (let times = 0; times < 3; times++) assert.equal(await listed(), 1);
  ok(await service.operator('GET', `/bookings/${made[0]!.bookingId}`));
  for (let times = 0; times < 3; times++) assert.equal(await listed(), 2);
});

test('exports, reports, the copy and the search are the same with an archive', async (t) => {
  const scene = await sceneOf(t, { teams: 5 });
  const { service, worlds } = scene;
  const made = [];
  for (const kind of Object.keys(KINDS)) made.push(await KINDS[kind]!(scene));
  await completed(scene, { externalReference: 'ORDER-7' });
  const { trackingReference } = ok(await service.operator('GET', `/bookings/${made[0]!.bookingId}`)).body
    .data;
  await forget(service);
  const read = async () => {
    const answers: unknown[] = [];
    for (const { partnerId, contactId } of Object.values(worlds))
      for (const path of [
        `/partners/${partnerId}/bookings/export?month=2026-11`,
        `/contacts/${contactId}/export`,
      ])
        answers.push(
          path.includes('month')
            ? ok(await service.operator('GET', path)).text
            : copyOf(await service.operator('GET', path)),
        );
    for (const path of [
      '/utilisation?from=2026-11-20&to=2026-11-26',
      '/punctuality?from=2026-11-20&to=2026-11-26&minutes=10',
    ])
      answers.push(ok(await service.operator('GET', path)).body.data);
    return answers;
  };
  const before = await read();
  assert.match(String(before[0]), new RegExp(made[0]!.bookingId));
  assert.equal(await archive(service), 5);
  assert.deepEqual(await read(), before);
  for (const q of [
    made[0]!.bookingId,
    made[1]!.appointmentId,
    made[3]!.paymentId!,
    trackingReference,
    'ORDER-7',
  ]) {
    const { data } = ok(await service.operator('GET', `/search?q=${q}`)).body;
    assert.equal(data[0].items[0].match, 'exact', q);
  }
});

const copyOf = ({ body }: Answer) => ({ ...body.data, exportedAt: null });

test('a customer is erased in the archive too, and not before the visits there are old enough', async (t) => {
  const scene = await sceneOf(t, { teams: 2 });
  const { service, worlds } = scene;
  const { db } = service.deps;
  const { key, contactId, partnerId } = worlds.PARTNER;
  const first = await completed(scene, { notes: 'Zq71 notes' });
  const made = await bookedBy(worlds.PARTNER);
  await cancelled(scene, made);
  assert.equal(await archive(service), 2);
  const [appointment] = await db.rows<{ ends_at: number }>({
    text: 'select ends_at from archived_appointments where id = $1',
    values: [first.appointmentId],
  });
  const months = (now: number) => listForRetention(db, now, { months: 12, last: null }, 500);
  const isDue = async (now: number) => (await months(now)).find(({ id }) => id === contactId)!.is_due;
  assert.equal(await isDue(appointment!.ends_at + 364 * DAY), false);
  assert.equal(await isDue(appointment!.ends_at + 366 * DAY), true);

  await service.deps.requestLog!.flush();
  await db.rows({ text: 'delete from request_log' });
  assert.deepEqual((await tablesWith(db, 'zq71')).sort(), ['archived_bookings', 'audit_texts']);
  ok(await service.v1(key, 'POST', `/partners/contacts/${contactId}/erase`, { reason: 'Asked for it' }));
  assert.deepEqual(await tablesWith(db, 'zq71'), []);
  // The log's texts are gone, which is no fault while their customer is erased, wherever the booking is.
  assert.equal(await archive(service), 2);
  const verdict = await verifyAudit(db);
  assert.deepEqual([verdict.brokenAt, verdict.textsBrokenAt], [null, null]);
  assert.ok(partnerId);
});

test('erasing waits for a booking that is moving, and erases it there', {
  skip: !onPostgres && 'an embedded database has one connection',
}, async (t) => {
  const scene = await sceneOf(t);
  const { service, worlds } = scene;
  const { db } = service.deps;
  await completed(scene, { notes: 'Zq71 notes' });
  await forget(service);
  await service.deps.requestLog!.flush();
  await db.rows({ text: 'delete from request_log' });
  const erasing = await db.withClient(async (client) => {
    await client.query('begin');
    const { rows } = await client.query(
      `select moved from archive_bookings(now() + interval '10 years', '-infinity', $1, 10)`,
      [NO_RUN],
    );
    assert.equal(Number(rows[0].moved), 1);
    const { key, contactId } = worlds.PARTNER;
    const answer = service.v1(key, 'POST', `/partners/contacts/${contactId}/erase`, {
      reason: 'Asked for it',
    });
    const text = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until(async () => (await client.query(text)).rowCount);
    await client.query('commit');
    return answer;
  });
  ok(await erasing);
  assert.deepEqual(await tablesWith(db, 'zq71'), []);
});

test('a booking comes back into a history that began after it', async (t) => {
  const scene = await sceneOf(t);
  const { service } = scene;
  const made = await completed(scene);
  assert.equal(await archive(service), 1);
  await service.deps.db.rows({ text: 'select begin_history(true)' });
  ok(await service.operator('GET', `/bookings/${made.bookingId}`));
});

test('money that the gateway gives back years later brings the booking back', async (t) => {
  const it = await withMoyasar(t);
  const { service, world, moyasar } = it;
  moyasar.webhookUrl = `${service.url}/payments/moyasar/notifications`;
  const { bookingId, appointmentId } = await bookedBy(world);
  const { gatewayReference } = await awaited(service, bookingId, isSent);
  await moyasar.pay(gatewayReference);
  await awaited(service, bookingId, ({ status }) => status === 'PAID');
  for (const status of ['In The Way', 'In The location', 'In Progress', 'Finished', 'Completed'])
    ok(await service.operator('PATCH', `/appointments/${appointmentId}`, { status, force: true }));
  await write(service, bookingId, 'due_at = null');
  assert.equal(await archive(service), 1);
  assert.equal(await placeOf(service, bookingId), 'archive');
  await moyasar.giveBack(moyasar.invoices.get(gatewayReference)!.payments.at(-1)!, 5_000);
  const payment = await awaited(service, bookingId, ({ refundedAmount }) => refundedAmount === 50);
  assert.equal(payment.status, 'PAID');
  assert.equal(await placeOf(service, bookingId), 'here');
});

// ---------------------------------------------------------------------------
// The tables

test('tables of the archive have the columns of the others, in their order', async (t) => {
  const { db } = (await startTestService(t)).deps;
  const columnsOf = (table: string) =>
    db.rows({
      text: `
        select attname::text as name, format_type(atttypid, atttypmod) as type, attnotnull as required
        from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
      values: [table],
    });
  for (const table of TABLES) {
    const columns = await columnsOf(table);
    assert.ok(columns.length > 5);
    assert.deepEqual(await columnsOf(`archived_${table}`), columns, table);
  }
});
