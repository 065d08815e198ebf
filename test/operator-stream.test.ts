import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { Db } from '../src/db/connection.ts';
import { createChangeStreams } from '../src/operator/change-stream.ts';
import { localWakeups } from '../src/runtime/wakeups.ts';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { afterwards, call, OPERATOR_TOKEN, onServer, startTestService, type TestService } from './harness.ts';
import { until } from './until.ts';

type Event = { event: string; id: string | null; topic: string | null; ids: string[] | null };

/** A stream of changes, read as it arrives. */
async function follow(
  t: TestContext,
  service: TestService,
  { token = OPERATOR_TOKEN, lastEventId }: { token?: string; lastEventId?: string } = {},
) {
  const abort = new AbortController();
  afterwards(t, async () => abort.abort());
  const response = await fetch(`${service.operatorUrl}/operator/stream`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    signal: abort.signal,
  });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  const events: Event[] = [];
  const stream = { events, lastId: null as string | null, heartbeats: 0, ended: false, raw: '' };
  void (async () => {
    let rest = '';
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      stream.raw += part;
      const blocks = (rest + part).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? null;
        if (block.startsWith(':')) stream.heartbeats++;
        const id = field('id');
        if (id !== null) stream.lastId = id;
        const event = field('event');
        if (event === null) continue;
        events.push({ topic: null, ids: null, ...JSON.parse(field('data')!), event, id });
      }
    }
    stream.ended = true;
  })().catch(() => {
    stream.ended = true;
  });
  await until(() => stream.lastId);
  return {
    ...stream,
    stream,
    stop: () => abort.abort(),
    /** Waits until it has an event with the topic and the id; null: with the topic. */
    told: (topic: string, id: string | null = null) =>
      until(
        () => events.find((event) => event.topic === topic && (id === null || event.ids?.includes(id))),
        () => JSON.stringify(events),
      ),
  };
}

const valid = async () => true;

test('changes are sent, and missed ones after a reconnect', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const first = await follow(t, service);
  assert.equal(first.events.length, 0, 'nothing of what was before');
  assert.match(first.stream.raw, /^retry: \d+\n\n/);

  const { bookingId, appointmentId } = (await world.book()).body.data;
  await first.told('bookings', bookingId);
  await first.told('appointments', appointmentId);
  await first.told('availability');
  await service.operator('PATCH', `/teams/${world.teamIds[0]}`, { travelBufferMinutes: 15 });
  await first.told('availability', world.teamIds[0]!);
  const [entry] = (await service.operator('GET', '/audit?action=team.update')).body.data;
  await first.told('audit', entry.id);
  await service.operator('PATCH', `/partners/${world.partnerId}`, { rateLimitPerMinute: 500 });
  await first.told('partners', world.partnerId);
  await service.operator('PATCH', `/services/${world.serviceId}`, { defaultPrice: 10 });
  await first.told('catalogue', world.serviceId);

  // Of each batch the last event has the id, and ids never fall.
  const idsSeen = first.events.flatMap(({ id }): number[][] =>
    id === null ? [] : [id.split('-').map(Number)],
  );
  assert.ok(idsSeen.length > 0);
  for (const [index, id] of idsSeen.entries())
    assert.ok(
      id.every((part, place) => part >= (idsSeen[index - 1]?.[place] ?? 0)),
      idsSeen.join(' '),
    );

  // Changes by workers have no event.
  const { db } = service.deps;
  const at = '2026-11-22T05:00:00Z';
  await db.rows({
    text: `
      with subscription as (
        insert into webhook_subscriptions (partner_id, url, events, secret, status, created_at, updated_at)
        values ($1, 'https://example.sa/', '{booking.created}', 'x', 'INACTIVE', $2, $2) returning id
      )
      insert into webhook_deliveries (subscription_id, event_id, partner_id, booking_id, event, due_at, created_at)
      select subscription.id, e.id, e.partner_id, e.booking_id, e.event, $2, $2 from subscription, events e`,
    values: [world.partnerId, at],
  });
  const known = first.events.length;
  await db.rows({ text: 'update webhook_deliveries set attempt_count = attempt_count + 1' });
  await until(() => first.events.slice(known).some(({ topic }) => topic === 'deliveries'));

  // The connection is lost; meanwhile things happen.
  const lastEventId = first.stream.lastId!;
  first.stop();
  await until(() => first.stream.ended);
  const moved = await service.operator('PATCH', `/appointments/${appointmentId}`, {
    date: WORLD_DATE,
    timeslot: { startAt: '14:00', endAt: '16:00' },
  });
  assert.equal(moved.status, 200, moved.text);
  const second = await follow(t, service, { lastEventId });
  await second.told('bookings', bookingId);
  await second.told('appointments', appointmentId);
  assert.ok(!second.events.some(({ topic }) => topic === 'partners'), 'only what was missed');
  const none = await follow(t, service, { lastEventId: second.stream.lastId! });
  assert.deepEqual(none.events, []);

  for (const lost of ['x', '999999-0-0-0', '1-2-3']) {
    const reset = await follow(t, service, { lastEventId: lost });
    assert.deepEqual(
      reset.events.map(({ event, id }) => [event, id]),
      [['reset', reset.stream.lastId]],
      lost,
    );
    reset.stop();
    await until(() => reset.stream.ended);
  }
  // More than are sent one by one.
  await db.rows({
    text: `
      insert into audit_log (at, actor, action, target) select $1, 'operator:test', 'thing.change', 'thing:' || n
      from generate_series(1, 501) n`,
    values: [at],
  });
  // Sent to open streams as well, so that this one may get it twice.
  const many = await follow(t, service, { lastEventId: second.stream.lastId! });
  assert.ok(many.events.length > 0 && many.events.every(({ event }) => event === 'reset'));
  await until(() => second.events.some(({ event }) => event === 'reset'));
});

test('permissions, limits and the end of streams', async (t) => {
  const service = await startTestService(t, {
    // A second: on a busy machine this process, which also reads the streams, may rest for some of it.
    timeouts: { heartbeat: 20, unread: 1_000, request: 1_000, headers: 1_000, keepAlive: 1_000, check: 50 },
  });
  const made = (await service.operator('POST', '/tokens', { name: 'Wall', role: 'viewer' })).body.data;
  const streams: Awaited<ReturnType<typeof follow>>[] = [];
  for (let number = 1; number <= 4; number++) streams.push(await follow(t, service, { token: made.token }));
  const base = `${service.operatorUrl}/operator`;
  const fifth = () => call(base, 'GET', '/stream', undefined, { authorization: `Bearer ${made.token}` });
  const refused = await fifth();
  assert.deepEqual([refused.status, refused.body.error.code], [429, 'RATE_LIMIT_EXCEEDED']);
  assert.equal(refused.body.error.details.check, 'streams');
  assert.equal(refused.headers.get('retry-after'), '15');
  const other = await follow(t, service);
  assert.equal((await call(base, 'GET', '/stream')).status, 401);
  streams[0]!.stop();
  await until(async () => (await fifth()).status === 200);

  // Far beyond all time-outs of requests that do nothing.
  await until(() => streams[1]!.stream.heartbeats > 100);
  assert.equal(streams[1]!.stream.ended, false);
  const { total, idle } = service.deps.db.stats();
  assert.ok(total - idle <= 1, 'no stream holds a connection of the database');

  assert.equal((await service.operator('PATCH', `/tokens/${made.id}`, { status: 'REVOKED' })).status, 200);
  await until(() => streams.slice(1).every(({ stream }) => stream.ended));
  assert.equal(other.stream.ended, false, 'that of another token goes on');
  await other.told('tokens', made.id);

  // How long a stream lasted is no response time.
  const { text: metrics } = await call(service.url, 'GET', '/metrics');
  assert.match(metrics, /route="\/operator\/stream",status="429"/);
  assert.doesNotMatch(metrics, /route="\/operator\/stream",status="200"/);

  await service.close();
  await until(() => other.stream.ended);
  assert.doesNotMatch(service.logged(), /"level":50/);
});

test('a change made by another process arrives', onServer('embedded: one process'), async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { databaseUrl } = service.deps.config;
  const elsewhere = await startTestService(t, { databaseUrl: databaseUrl!, env: { ROLES: 'api' } });
  const here = await follow(t, service);
  const there = await follow(t, elsewhere);
  const { bookingId } = (await world.book()).body.data;
  await there.told('bookings', bookingId);
  await elsewhere.operator('PATCH', `/zones/${world.zoneId}`, { priority: 7 });
  await here.told('availability', world.zoneId);
  // The same id is understood by both.
  const resumed = await follow(t, elsewhere, { lastEventId: here.stream.lastId! });
  assert.ok(resumed.events.every(({ event }) => event !== 'reset'));
});

test('a process that is about to stop ends its streams while it still responds', async () => {
  const wakeups = localWakeups();
  const row = { feed: 0, audit: 0, deliveries: 0, payments: 0, oldest: 0, bookings: [], entries: [] };
  const db = {
    first: async ({ name }: { name?: string }) => (name === 'list-changes' ? row : { placed: 0 }),
  } as unknown as Db;
  let draining = false;
  const streams = createChangeStreams({
    db,
    wakeups,
    isDraining: () => draining,
    heartbeat: 60_000,
    onError: (error) => assert.fail(error),
  });
  const open = [await streams.open(valid, null, null), await streams.open(valid, null, null)];
  for (const stream of open) stream.resume();
  draining = true;
  await until(() => {
    wakeups.wake();
    return open.every(({ readableEnded }) => readableEnded);
  });
  streams.close();
});

test('a client that does not read is cut, and the others go on', async () => {
  // As many changes at each look as an event has ids: of more it has none, and is small.
  const wakeups = localWakeups();
  const row = { feed: 0, audit: 0, deliveries: 0, payments: 0, oldest: 0, bookings: [] };
  let looks = 0;
  const entries = Array.from({ length: 100 }, () => ({
    id: randomUUID(),
    target: `zone:${randomUUID()}`,
    booking_id: null,
    appointment_id: null,
  }));
  const db = {
    first: async ({ name }: { name?: string }) =>
      name === 'list-changes' ? { ...row, audit: ++looks, entries } : { placed: 0 },
  } as unknown as Db;
  const streams = createChangeStreams({
    db,
    wakeups,
    isDraining: () => false,
    heartbeat: 60_000,
    onError: (error) => assert.fail(error),
  });
  const deaf = await streams.open(valid, null, null);
  const reading = await streams.open(valid, null, null);
  reading.resume();
  await until(() => {
    wakeups.wake();
    return deaf.destroyed;
  });
  assert.equal(reading.destroyed, false);
  streams.close();
  await until(() => reading.closed);
});
