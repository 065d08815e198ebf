import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { binaries, type Cluster, createCluster } from '../chaos/cluster.ts';
import { createStandby, streams } from '../chaos/standby.ts';
import { afterwards } from './afterwards.ts';
import { createWorld, type World } from './fixtures.ts';
import { onPostgres, startTestService, type TestService } from './harness.ts';
import { openTcpProxy } from './tcp-proxy.ts';
import { until } from './until.ts';

/** Reads from a real streaming replica (src/runtime/replica.ts, docs/decisions/read-replica.md). */

function whyNot(): string | false {
  if (!onPostgres) return 'an embedded database has no replica';
  try {
    binaries();
    return false;
  } catch {
    return 'no programs of a PostgreSQL server here, to start a replica with';
  }
}
const skip = whyNot();

type Pair = { primary: Cluster; standby: Cluster };

async function startPair(t: TestContext): Promise<Pair> {
  const primary = await createCluster({ fsync: 'off' });
  afterwards(t, primary.remove);
  await primary.start();
  const standby = await createStandby(primary, 'replica');
  afterwards(t, standby.remove);
  await standby.start();
  await streams(primary, 'async');
  return { primary, standby };
}

/** Lists, and says who answered. */
function lister(service: TestService, key: string) {
  return async (query = '') => {
    const before = await counts(service);
    const answer = await service.v1(key, 'GET', `/partners/bookings${query}`);
    assert.equal(answer.status, 200, answer.text);
    const after = await counts(service);
    const by = Object.keys(after).find((outcome) => after[outcome] !== before[outcome]) ?? 'primary';
    const { data, meta } = answer.body;
    return {
      by,
      ids: data.map(({ bookingId }: { bookingId: string }) => bookingId),
      total: meta.total,
      asOf: answer.headers.get('x-list-as-of')!,
    };
  };
}

async function counts(service: TestService): Promise<Record<string, number>> {
  const text = await service.deps.metrics.text();
  const found = text.matchAll(/^replica_reads_total\{outcome="(\w+)"\} (\d+)/gm);
  return Object.fromEntries([...found].map(([, outcome, count]) => [outcome, Number(count)]));
}

const state = (service: TestService, wanted: string) =>
  until(
    () => service.deps.reads.state() === wanted,
    () => service.deps.reads.state(),
  );
const ofReplica = (list: ReturnType<typeof lister>) =>
  until(async () => {
    const answer = await list();
    return answer.by === 'replica' && answer;
  });

test('lists come from a replica that has what the key wrote, and from the primary otherwise', {
  skip,
}, async (t) => {
  const { primary, standby } = await startPair(t);
  const proxy = await openTcpProxy(standby.url());
  afterwards(t, () => proxy.close());
  const service = await startTestService(t, {
    databaseUrl: primary.url(),
    env: { DATABASE_READ_URL: proxy.through(standby.url()) },
  });
  const world: World = await createWorld(service, { teams: 4 });
  const list = lister(service, world.key);
  const silent = lister(service, (await createWorld(service)).key);
  const booked = async (): Promise<string> => {
    const answer = await world.book();
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.bookingId;
  };
  const first = await booked();
  await state(service, 'in step');

  await t.test('every list can be asked there', async () => {
    await ofReplica(list);
    for (const query of [
      '?sortBy=status',
      '?status=in%20progress&fromDate=2026-11-01&toDate=2026-12-01',
      '?page=9',
    ])
      await until(async () => (await list(query)).by === 'replica');
    const deliveries = await service.v1(world.key, 'GET', '/partners/webhooks/deliveries');
    assert.equal(deliveries.status, 200);
    assert.deepEqual((await ofReplica(list)).ids, [first]);
  });

  await t.test('asOf and totals know what was under way on the primary', async () => {
    const { db } = service.deps;
    const copy = {
      text: `
        insert into bookings select (jsonb_populate_record(booking, jsonb_build_object(
          'id', gen_random_uuid(), 'created_in', pg_current_xact_id()::text, 'external_reference', null))).*
        from bookings booking where id = $1`,
      values: [first],
    };
    const found = await db.transaction(async (slow) => {
      await slow.rows(copy);
      await db.rows(copy);
      // The replica knows of both when it has the second.
      return until(async () => {
        const answer = await list();
        return answer.by === 'replica' && answer.total === 2 && answer;
      });
    });
    assert.match(found.asOf, /^\d+:\d+:\d+/, 'what was under way is named');
    await until(async () => {
      const answer = await list();
      return answer.by === 'replica' && answer.total === 3;
    });
    const later = await list(`?asOf=${found.asOf}`);
    assert.deepEqual({ total: later.total, ids: later.ids }, { total: 2, ids: found.ids });
    assert.equal((await list(`?asOf=${(await ofReplica(list)).asOf}`)).total, 3);
  });

  await t.test('a key reads what it wrote while the replica stands still', async () => {
    await ofReplica(silent);
    await standby.run('select pg_wal_replay_pause()');
    const second = await booked();
    const answer = await list();
    assert.notEqual(answer.by, 'replica');
    assert.ok(answer.ids.includes(second));
    await state(service, 'behind');
    assert.equal((await silent()).by, 'behind');
    const ready = await fetch(`${service.url}/readyz`);
    assert.deepEqual([ready.status, await ready.json()], [200, { status: 'ok', replica: 'behind' }]);
    await standby.run('select pg_wal_replay_resume()');
    await state(service, 'in step');
    assert.ok((await ofReplica(list)).ids.includes(second));
  });

  await t.test('a replica that is silent, or away, keeps nobody waiting, and comes back', async () => {
    proxy.stall();
    assert.equal((await list()).total, 4);
    await state(service, 'away');
    assert.equal((await list()).by, 'away');
    await proxy.restore();
    await ofReplica(list);
    await standby.kill();
    assert.equal((await list()).total, 4);
    await state(service, 'away');
    await standby.start();
    await ofReplica(list);
  });

  await t.test('one that was promoted is no replica', async () => {
    await standby.run('select pg_promote()');
    await standby.run('update bookings set external_reference = id::text');
    await state(service, 'promoted');
    assert.equal((await list()).by, 'promoted');
    const found = await service.v1(world.key, 'GET', `/partners/bookings?externalReference=${first}`);
    assert.deepEqual(found.body.data, []);
  });
});
