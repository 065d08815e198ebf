import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverOf, startPgBouncer } from '../chaos/pgbouncer.ts';
import { afterwards } from './afterwards.ts';
import { createWorld } from './fixtures.ts';
import { OPERATOR_TOKEN, SECRETS_KEY, startTestService } from './harness.ts';
import { lister, ofReplica, startPair, state, whyNoReplica } from './replica-pair.ts';
import { runToEnd } from './terminal.ts';

/** Reads from a replica through a PgBouncer in transaction mode, which the primary is behind, too. */

const skip =
  whyNoReplica() ||
  (process.env.TEST_POOLER_URL === undefined && 'run by `node scripts/test-through-pgbouncer.ts`');

test('lists come from a replica behind PgBouncer, with all that the key wrote', { skip }, async (t) => {
  const { primary, standby } = await startPair(t);
  const pooler = await startPgBouncer({
    postgres: serverOf(primary.url()),
    replica: `${serverOf(standby.url())} dbname=postgres`,
  });
  afterwards(t, pooler.stop);
  const env = {
    DATABASE_DIRECT_URL: primary.url(),
    DATABASE_READ_URL: pooler.url('replica'),
    DATABASE_PREPARED: 'false',
  };
  const databaseUrl = pooler.url('postgres');
  const service = await startTestService(t, { databaseUrl, env });
  const world = await createWorld(service, { teams: 4 });
  const list = lister(service, world.key);
  const silent = lister(service, (await createWorld(service)).key);
  const booked = async (): Promise<string> => {
    const answer = await world.book();
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.bookingId;
  };
  const first = await booked();
  await state(service, 'in step');
  assert.deepEqual((await ofReplica(list)).ids, [first]);
  await ofReplica(silent);
  const deliveries = await service.v1(world.key, 'GET', '/partners/webhooks/deliveries');
  assert.equal(deliveries.status, 200, deliveries.text);

  // Sessions of the pooler are shared: the position is still that of the server which answers.
  await standby.run('select pg_wal_replay_pause()');
  const second = await booked();
  const answers = await Promise.all(Array.from({ length: 12 }, () => list()));
  for (const { ids } of answers) assert.ok(ids.includes(second));
  await state(service, 'behind');
  assert.equal((await silent()).by, 'behind');
  await standby.run('select pg_wal_replay_resume()');
  assert.ok((await ofReplica(list)).ids.includes(second));

  const doctor = await runToEnd(['doctor'], {
    DATABASE_URL: databaseUrl,
    ...env,
    OPERATOR_TOKEN,
    SECRETS_KEY,
    DEPLOYMENT: 'sandbox',
  });
  assert.match(doctor.stdout, /^ok +replica +a standby of the database$/m);

  // PgBouncer keeps its clients waiting while its server is gone: nobody here waits with them.
  await standby.kill();
  assert.equal((await list()).total, 2);
  await state(service, 'away');
  await standby.start();
  await ofReplica(list);
});
