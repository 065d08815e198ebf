import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createWorld } from './fixtures.ts';
import { createPostgresDatabase, onPostgres, startTestService, type TestService } from './harness.ts';
import { until } from './until.ts';

/** Requirements of a pooler in transaction mode; `npm run test:pgbouncer` runs other tests through one too. */

const skip = !onPostgres && 'an embedded database has no pooler';
/** In the URL, to identify it in pg_stat_activity. */
const DIRECT = 'past the pooler';

async function startBehindPooler(t: TestContext, prepared: 'true' | 'false'): Promise<TestService> {
  const direct = new URL(await createPostgresDatabase(t));
  const databaseUrl = direct.href;
  if (process.env.TEST_POOLER_URL !== undefined) {
    const { hostname, port } = new URL(process.env.TEST_DATABASE_URL!);
    direct.hostname = hostname;
    direct.port = port;
  }
  direct.searchParams.set('application_name', DIRECT);
  return startTestService(t, {
    databaseUrl,
    env: { DATABASE_DIRECT_URL: direct.href, DATABASE_PREPARED: prepared },
  });
}

const preparedStatements = async ({ deps }: TestService): Promise<number> => {
  const row = await deps.db.first<{ count: number }>({ text: 'select count(*) from pg_prepared_statements' });
  return row!.count;
};

test('DATABASE_PREPARED=false: no statement has a name', { skip }, async (t) => {
  const service = await startBehindPooler(t, 'false');
  const world = await createWorld(service);
  assert.equal((await world.book()).status, 200);
  // The pool has more than one connection; each of them is asked.
  await Promise.all(
    Array.from({ length: 8 }, () =>
      service.deps.db.transaction(async (tx) => {
        const row = await tx.first<{ count: number }>({
          text: 'select count(*), pg_sleep(0.05) from pg_prepared_statements',
        });
        assert.equal(row!.count, 0);
      }),
    ),
  );
});

test('without the switch statements are prepared by name', {
  skip: skip || (process.env.TEST_POOLER_URL !== undefined && 'this PgBouncer cannot do that'),
}, async (t) => {
  const service = await startBehindPooler(t, 'true');
  await until(async () => (await preparedStatements(service)) > 0);
});

test('wake-ups are received past the pooler', { skip }, async (t) => {
  const service = await startBehindPooler(t, 'false');
  await until(async () => {
    const row = await service.deps.db.first<{ count: number }>({
      text: `
        select count(*) from pg_stat_activity
        where datname = current_database() and application_name = $1 and query like 'listen%'`,
      values: [DIRECT],
    });
    return row!.count === 1;
  });
});

test('a session of a pooler keeps the time-outs of its server, because others share it', {
  skip,
}, async (t) => {
  const service = await startBehindPooler(t, 'false');
  const row = await service.deps.db.first<Record<string, string>>({
    text: `
      select name, source from pg_settings
      where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')
        and source = 'client'`,
  });
  assert.equal(row, null);
});
