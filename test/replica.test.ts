import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterwards } from './afterwards.ts';
import { createWorld, type World } from './fixtures.ts';
import { startTestService } from './harness.ts';
import { lister, ofReplica, startPair, state, whyNoReplica } from './replica-pair.ts';
import { openTcpProxy } from './tcp-proxy.ts';
import { until } from './until.ts';

/** Reads from a real streaming replica (src/runtime/replica.ts, docs/decisions/read-replica.md). */

const skip = whyNoReplica();

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
