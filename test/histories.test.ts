import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { binaries, type Cluster, clusterFolder, createCluster, openCluster } from '../chaos/cluster.ts';
import { copyFolder } from '../chaos/standby.ts';
import { isDatabaseError } from '../src/db/unavailable.ts';
import { afterwards } from './afterwards.ts';
import { createWorld, type World } from './fixtures.ts';
import { type Answer, alsoOnServer, OPERATOR_TOKEN, startTestService, type TestService } from './harness.ts';
import { freePort } from './ports.ts';
import { startPair, whyNoReplica } from './replica-pair.ts';
import { runToEnd } from './terminal.ts';
import { until } from './until.ts';

/**
 * After data went back (docs/decisions/event-feed.md), on real servers: a cursor of the feed is refused for ever when it is
 * behind events that were lost, else it goes on; and no tracking reference is given out twice.
 */

const skip = whyNoReplica();

type Event = { id: string; bookingId: string };

const read = (service: TestService, key: string, query = ''): Promise<Answer> =>
  service.v1(key, 'GET', `/partners/events?limit=100${query}`);

/** The cursor of the feed's end. */
async function end(service: TestService, key: string): Promise<string> {
  const { status, body, text } = await read(service, key);
  assert.equal(status, 200, text);
  return body.meta.nextCursor;
}

async function book(
  world: World,
  count: number,
): Promise<{ bookingId: string; trackingReference: string }[]> {
  const booked = [];
  for (let index = 0; index < count; index++) {
    const answer = await world.book();
    assert.equal(answer.status, 200, answer.text);
    booked.push(answer.body.data);
  }
  return booked;
}

const referencesOf = (booked: readonly { trackingReference: string }[]): string[] =>
  booked.map(({ trackingReference }) => trackingReference);

/** The state before the loss of the last bookings. */
type Known = { world: World; shared: string; lost: string; since: string; given: string[] };

/** Two bookings, then `atThatMoment`, then three bookings after it. */
async function bookAround<T>(
  service: TestService,
  atThatMoment: () => Promise<T>,
): Promise<{ known: Known; then: T }> {
  const world = await createWorld(service, { teams: 30 });
  const kept = await book(world, 2);
  const shared = await end(service, world.key);
  const then = await atThatMoment();
  service.clock.advance(3_600_000);
  const since = new Date(service.clock.now()).toISOString();
  const gone = await book(world, 3);
  const lost = await end(service, world.key);
  return { known: { world, shared, lost, since, given: referencesOf([...kept, ...gone]) }, then };
}

/** The same partner, through another process. */
const through = (service: TestService, { world }: Known): World => ({
  ...world,
  book: async () =>
    service.v1(world.key, 'POST', '/partners/bookings', {
      contactId: world.contactId,
      addressId: world.addressId,
      serviceId: world.serviceId,
      date: '2026-11-23',
      timeslot: { startAt: '10:00', endAt: '12:00' },
    }),
});

async function assertRefused(service: TestService, key: string, cursor: string): Promise<void> {
  const { status, body, text } = await read(service, key, `&after=${cursor}`);
  assert.equal(status, 400, text);
  assert.equal(body.error.code, 'VALIDATION_ERROR');
  assert.deepEqual(body.error.details.message, ['after must be a cursor that the feed returned']);
  assert.match(body.error.details.hints[0], /begin from a time .* reconcile your bookings/);
}

/** The lost cursor is refused, also when the feed has passed it; the shared one continues, also after a new start. */
async function assertHistory(service: TestService, known: Known): Promise<void> {
  const { shared, lost, given, since } = known;
  const world = through(service, known);
  await assertRefused(service, world.key, lost);
  service.clock.advance(3_600_000);
  const booked = await book(world, 5);
  assert.deepEqual(
    referencesOf(booked).filter((reference) => given.includes(reference)),
    [],
  );
  const page = await read(service, world.key, `&after=${shared}`);
  assert.equal(page.status, 200, page.text);
  const events: Event[] = page.body.data;
  assert.deepEqual(
    events.map(({ bookingId }) => bookingId),
    booked.map(({ bookingId }) => bookingId),
  );
  const again = (await read(service, world.key, `&since=${since}`)).body;
  assert.deepEqual(again.data, events);
  assert.equal(again.meta.nextCursor, page.body.meta.nextCursor);
  await book(world, 1);
  assert.equal((await read(service, world.key, `&after=${page.body.meta.nextCursor}`)).body.data.length, 1);
  await assertRefused(service, world.key, lost);
  // As a version before this one wrote it.
  const position = Buffer.from(lost, 'base64url').toString().split('.').at(-1);
  await assertRefused(service, world.key, Buffer.from(`f1.${position}`).toString('base64url'));
}

async function startService(t: TestContext, databaseUrl: string, after: Known | null = null) {
  const service = await startTestService(t, { databaseUrl });
  // Times of the one before are in the past.
  if (after !== null) service.clock.advance(3_600_000);
  return service;
}

test('a promoted asynchronous standby', { skip }, async (t) => {
  const { primary, standby } = await startPair(t);
  const services = [await startService(t, primary.url()), await startService(t, primary.url())] as const;
  const { known } = await bookAround(services[0], async () => {
    const [row] = await primary.run<{ at: string }>('select pg_current_wal_lsn()::text as at');
    await until(async () => {
      const [replayed] = await standby.run<{ has: boolean }>(
        `select pg_last_wal_replay_lsn() >= '${row!.at}'::pg_lsn as has`,
      );
      return replayed!.has;
    });
    await standby.stopImmediately();
  });
  await primary.kill();
  // At the address of the old one.
  const promoted = openCluster(standby.folder, primary.port, { primary_conninfo: '' });
  afterwards(t, () => promoted.remove());
  await promoted.start();

  const { key } = known.world;
  const cursor = `&after=${known.lost}`;
  // Before the promotion the lost events are not known: no final error.
  for (const service of services) {
    await until(() => service.deps.faults().database === 'read-only');
    const { status, headers } = await read(service, key, cursor);
    assert.equal(status, 500);
    assert.ok(headers.has('retry-after'));
  }
  await promoted.run('select pg_promote()');
  for (const service of services) {
    const first = await until(async () => {
      const answer = await read(service, key, cursor);
      return answer.status !== 500 && answer;
    });
    assert.equal(first.status, 400, first.text);
  }
  for (const service of services) await until(() => service.deps.faults().database === undefined);
  await assertHistory(services[0], known);
  await assertRefused(services[1], key, known.lost);
  const [one, other] = [await read(services[0], key), await read(services[1], key, `&after=${known.shared}`)];
  assert.deepEqual(other.body.data, one.body.data.slice(2));
  assert.equal(other.body.meta.nextCursor, one.body.meta.nextCursor);
});

test('a switchover without lost commits', { skip }, async (t) => {
  const { primary, standby } = await startPair(t);
  const service = await startService(t, primary.url());
  const world = await createWorld(service, { teams: 5 });
  const given = referencesOf(await book(world, 2));
  const cursor = await end(service, world.key);
  await primary.run('checkpoint');
  const [row] = await primary.run<{ at: string }>('select pg_current_wal_lsn()::text as at');
  await until(async () => {
    const [replayed] = await standby.run<{ has: boolean }>(
      `select pg_last_wal_replay_lsn() >= '${row!.at}'::pg_lsn as has`,
    );
    return replayed!.has;
  });
  await service.close();
  await primary.kill();
  await standby.run('select pg_promote()');
  const next = await startService(t, standby.url());
  const page = await read(next, world.key, `&after=${cursor}`);
  assert.equal(page.status, 200, page.text);
  const booked = await book(through(next, { world } as Known), 1);
  assert.ok(!given.includes(booked[0]!.trackingReference));
  const { body } = await read(next, world.key, `&after=${cursor}`);
  assert.deepEqual(
    body.data.map(({ bookingId }: Event) => bookingId),
    booked.map(({ bookingId }) => bookingId),
  );
});

test('a restore to a point in time', { skip }, async (t) => {
  const archive = clusterFolder();
  const primary = await createCluster({
    archive_mode: 'on',
    archive_command: `cp %p ${archive}/%f`,
  });
  afterwards(t, primary.remove);
  await primary.start();
  const service = await startService(t, primary.url());
  const backups: string[] = [];
  const { known, then } = await bookAround(service, async () => {
    backups.push(copyFolder(primary.url()), copyFolder(primary.url()));
    const [row] = await primary.run<{ now: string }>('select clock_timestamp()::text as now');
    return row!.now;
  });
  await service.close();
  const [last] = await primary.run<{ file: string }>(
    'select pg_walfile_name(pg_current_wal_insert_lsn()) as file',
  );
  await primary.run('select pg_switch_wal()');
  await until(async () => {
    const [row] = await primary.run<{ done: boolean }>(
      `select last_archived_wal >= '${last!.file}' as done from pg_stat_archiver`,
    );
    return row!.done;
  });
  await primary.remove();

  const restore = async (folder: string): Promise<Cluster> => {
    writeFileSync(join(folder, 'recovery.signal'), '');
    const restored = openCluster(folder, await freePort(), {
      archive_mode: 'off',
      restore_command: `cp ${archive}/%f %p`,
      recovery_target_time: then,
      recovery_target_action: 'promote',
    });
    afterwards(t, restored.remove);
    await restored.start();
    await until(async () => {
      const [row] = await restored.run<{ standby: boolean }>('select pg_is_in_recovery() as standby');
      return !row!.standby;
    });
    return restored;
  };
  const first = await startService(t, (await restore(backups[0]!)).url(), known);
  await assertHistory(first, known);
  const ofFirst = await end(first, known.world.key);
  await first.close();

  // Another restore of the same backup may have the same timeline: events after the first one are lost too.
  const second = await startService(t, (await restore(backups[1]!)).url(), known);
  await assertHistory(second, known);
  await assertRefused(second, known.world.key, ofFirst);
});

test('a copy of the folder that looks like a restart', { skip }, async (t) => {
  const primary = await createCluster();
  afterwards(t, primary.remove);
  await primary.start();
  const service = await startService(t, primary.url());
  const { known, then } = await bookAround(service, async () => [
    copyFolder(primary.url()),
    copyFolder(primary.url()),
  ]);
  await service.close();
  await primary.remove();
  const restored: Cluster[] = [];
  for (const folder of then) {
    const cluster = openCluster(folder, await freePort());
    afterwards(t, cluster.remove);
    await cluster.start();
    restored.push(cluster);
  }
  const [plain, told] = restored as [Cluster, Cluster];
  const { key } = known.world;
  const alone = await startService(t, plain.url(), known);
  await assertRefused(alone, key, known.lost);
  await book(through(alone, known), 5);
  await assertRefused(alone, key, known.lost);
  assert.equal((await read(alone, key, `&after=${known.shared}`)).body.data.length, 5);

  const environment = { DATABASE_URL: told.url(), DEPLOYMENT: 'sandbox', OPERATOR_TOKEN };
  const { code, stdout, stderr } = await runToEnd(['after-restore'], environment);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^history [0-9a-f]{8} begins: .*\nthe next tracking reference is SA-10000\d\d\n$/);
  const next = await startService(t, told.url(), known);
  await assertHistory(next, known);
  const { body } = await next.operator('GET', '/audit?action=history.begin');
  assert.equal(body.data.length, 1);
});

const dumpOf = (url: string, ...options: string[]): Buffer =>
  execFileSync(join(binaries(), 'pg_dump'), [...options, url], { maxBuffer: 100_000_000 });

const load = (url: string, dump: Buffer): void => {
  execFileSync(join(binaries(), 'psql'), ['-q', '-v', 'ON_ERROR_STOP=1', url], {
    input: dump,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
};

test('a dump in a new cluster, in another database, and in place', { skip }, async (t) => {
  const clusters = [await createCluster(), await createCluster()] as const;
  for (const cluster of clusters) {
    afterwards(t, cluster.remove);
    await cluster.start();
  }
  const [old, fresh] = clusters;
  const service = await startService(t, old.url());
  const { known, then } = await bookAround(service, async () => ({
    plain: dumpOf(old.url()),
    cleaning: dumpOf(old.url(), '--clean'),
  }));
  await service.close();
  await old.run('create database other');
  load(fresh.url(), then.plain);
  load(old.url('other'), then.plain);
  load(old.url(), then.cleaning);
  for (const url of [fresh.url(), old.url('other'), old.url()]) {
    const restored = await startService(t, url, known);
    await assertHistory(restored, known);
    await restored.close();
  }
});

test('no appointment gets a reference from before its history', alsoOnServer, async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 8 });
  await book(world, 1);
  const { db } = service.deps;
  const isRefused = (error: unknown): boolean => isDatabaseError(error) && error.code === '40001';
  const insert = {
    text: `
      with gone as (delete from appointments returning appointments)
      insert into appointments
      select (jsonb_populate_record(appointments, jsonb_build_object('name', $1::text))).* from gone`,
  };
  // As if the data had been restored elsewhere, before any read.
  await assert.rejects(
    db.transaction(async (tx) => {
      await tx.rows({ text: `update histories set origin = 'elsewhere'` });
      await tx.rows({ text: 'insert into appointments select * from appointments where false' });
    }),
    isRefused,
  );
  // A number that was taken before the history began, whose appointment comes after it.
  const [name] = await db.rows<{ name: string }>({
    text: `select 'SA-' || lpad(nextval('appointment_number')::text, 4, '0') as name`,
  });
  await db.rows({ text: 'select begin_history(true)' });
  await assert.rejects(db.rows({ ...insert, values: [name!.name] }), isRefused);
  const [next] = referencesOf(await book(world, 1));
  assert.match(next!, /^SA-10000\d\d$/);
  // A booking starts a pending history, also in a shared statement.
  await db.rows({ text: `update histories set origin = 'elsewhere'` });
  const later = referencesOf((await Promise.all([1, 2, 3, 4].map(() => book(world, 1)))).flat());
  assert.equal(new Set(later).size, 4);
  for (const reference of later) assert.match(reference, /^SA-20000\d\d$/);
});

test('a start of the server starts a history, and skips no references', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 3 });
  const [before] = await book(world, 1);
  const cursor = await end(service, world.key);
  await service.deps.db.rows({
    text: `update histories set server_started = server_started - interval '1 second'`,
  });
  const [after] = await book(world, 1);
  const numberOf = ({ trackingReference }: { trackingReference: string }) =>
    Number(trackingReference.slice(3));
  assert.equal(numberOf(after!), numberOf(before!) + 1);
  const { body } = await read(service, world.key, `&after=${cursor}`);
  assert.equal(body.data.length, 1);
  assert.notEqual(body.meta.nextCursor, cursor);
  const { status } = await read(service, world.key, `&after=${body.meta.nextCursor}`);
  assert.equal(status, 200);
});

test('data that stays in place has one history', async (t) => {
  const service = await startTestService(t);
  const { db } = service.deps;
  const numbers = () => db.rows<{ number: number }>({ text: 'select number from histories' });
  const world = await createWorld(service, { teams: 2 });
  // Before any place is assigned: later ones may be lost.
  await db.transaction(async (tx) => {
    await tx.rows({ text: 'insert into appointments select * from appointments where false' });
    assert.deepEqual(await tx.rows({ text: 'select number from histories' }), [{ number: 1 }]);
  });
  await book(world, 1);
  await end(service, world.key);
  assert.deepEqual(await numbers(), [{ number: 1 }]);
});
