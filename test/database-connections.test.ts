import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { connectPostgres, type DatabaseTimeouts, type Db } from '../src/db/connection.ts';
import { watchHealth } from '../src/db/health.ts';
import { migrate, pendingMigrations } from '../src/db/migrate.ts';
import { DatabaseUnavailableError, isUnavailable } from '../src/db/unavailable.ts';
import { afterwards, createPostgresDatabase, onPostgres } from './harness.ts';
import { type Fault, startTcpProxy } from './tcp-proxy.ts';
import { until } from './until.ts';

/**
 * Connections that break at every stage. An unhandled error would end the process, and with it the test: node:test
 * reports it as a failure.
 */

const skip = !onPostgres && 'an embedded database has no connections that could break';

const TIMEOUTS: DatabaseTimeouts = {
  connect: 1_000,
  pool: 2_000,
  query: 1_000,
  statement: 5_000,
  lock: 400,
  idleTransaction: 600,
  keepAlive: 10_000,
};

async function proxied(t: TestContext, poolSize = 4, allowHalfOpen = false, timeouts = TIMEOUTS) {
  const url = await createPostgresDatabase(t);
  const proxy = await startTcpProxy(t, url, allowHalfOpen);
  const errors: Error[] = [];
  const db = connectPostgres(proxy.through(url), poolSize, (error) => errors.push(error), { timeouts });
  afterwards(t, () => db.close());
  await db.rows({ text: 'create table notes (text text primary key)' });
  return { url, proxy, db, errors };
}

const add = (text: string) => ({ text: 'insert into notes values ($1)', values: [text] });
const notes = async (db: Db) =>
  (await db.rows<{ text: string }>({ text: 'select text from notes order by 1' })).map((row) => row.text);

/** It serves again: a few statements at once, none of which meets a broken connection. */
async function assertServes(db: Db): Promise<void> {
  await Promise.all(Array.from({ length: 4 }, () => db.rows({ text: 'select 1' })));
}

const isLost = (error: unknown): boolean => error instanceof DatabaseUnavailableError;

for (const fault of ['cut', 'reset', 'silent'] as const satisfies readonly Fault[]) {
  test(`connections are ${fault}: the process survives, and the next statement works`, {
    skip,
  }, async (t) => {
    const { proxy, db } = await proxied(t);

    await t.test('in a statement', async () => {
      const injected = proxy.injectFaultAt('pg_sleep', fault, 'received');
      await assert.rejects(db.rows({ text: 'select pg_sleep(10)' }), isLost);
      await injected;
      await assertServes(db);
    });
    await t.test('between the statements of a transaction', async () => {
      await assert.rejects(
        db.transaction(async (tx) => {
          await tx.rows(add(`between ${fault}`));
          proxy.injectFault(fault);
          await new Promise((resolve) => setTimeout(resolve, 50));
          await tx.rows(add('never'));
        }),
        isLost,
      );
      // Silent ones are found one by one, each by a statement that is not answered.
      if (fault !== 'silent') await assertServes(db);
    });
    await t.test('at the commit, before the server gets it', async () => {
      const fresh = fault === 'silent' ? await proxied(t) : { proxy, db };
      const injected = fresh.proxy.injectFaultAt('commit', fault, 'before');
      await assert.rejects(
        fresh.db.transaction((tx) => tx.rows(add('before'))),
        isLost,
      );
      await injected;
      await assertServes(fresh.db);
      assert.deepEqual(await notes(fresh.db), []);
    });
    await t.test('at the commit, whose response is lost', async () => {
      const fresh = await proxied(t);
      const injected = fresh.proxy.injectFaultAt('commit', fault, 'answered');
      await assert.rejects(
        fresh.db.transaction((tx) => tx.rows(add('answered'))),
        isLost,
      );
      await injected;
      await assertServes(fresh.db);
      assert.deepEqual(await notes(fresh.db), ['answered']);
    });
  });
}

test('broken idle connections are not reused', { skip }, async (t) => {
  const { proxy, db, errors } = await proxied(t);
  for (const fault of ['cut', 'reset'] as const) {
    await assertServes(db);
    const before = errors.length;
    proxy.injectFault(fault);
    await until(() => errors.length > before && db.stats().total === 0);
    await assertServes(db);
  }
});

test('the server ends connections at every stage', { skip }, async (t) => {
  // Nothing here is silent: a machine that is slow must not be taken for it.
  const { url, db } = await proxied(t, 4, false, { ...TIMEOUTS, query: 60_000, statement: 60_000 });
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  afterwards(t, () => admin.end());
  const terminate = () =>
    admin.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);

  await assertServes(db);
  await terminate();
  await until(() => db.stats().total === 0);
  await assertServes(db);

  const ended = assert.rejects(db.rows({ text: 'select pg_sleep(60)' }), isUnavailable);
  await until(async () => {
    const found = await admin.query(`select 1 from pg_stat_activity where query like 'select pg_sleep%'`);
    return found.rowCount === 1;
  });
  await terminate();
  await ended;

  await assert.rejects(
    db.transaction(async (tx) => {
      await tx.rows(add('between'));
      await terminate();
      await tx.rows(add('never'));
    }),
    isUnavailable,
  );
  await until(() => db.stats().total === 0); // the idle ones were ended as well
  await assertServes(db);
  assert.deepEqual(await notes(db), []);
});

test('connections that the server closes while they are being closed are no error', { skip }, async (t) => {
  const { url, proxy, db, errors } = await proxied(t, 4, true);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  afterwards(t, () => admin.end());
  await assertServes(db);

  proxy.blockServer(); // the server does not get the end
  await db.close();
  const { rows } = await admin.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  assert.ok(rows.length > 0);
  await until(() => proxy.connections() === 0);
  assert.deepEqual(errors, []);
});

async function emptyDatabase(t: TestContext) {
  // Nothing is silent in these tests, and dropping or making every table takes a busy machine longer than a second.
  const { url, proxy, db } = await proxied(t, 4, false, { ...TIMEOUTS, query: 60_000, statement: 60_000 });
  await db.rows({ text: 'drop schema public cascade; create schema public' });
  return { url, proxy, db };
}

test('a migration or a COPY that loses its connection leaves nothing, and can be repeated', {
  skip,
}, async (t) => {
  for (const fault of ['cut', 'reset'] as const) {
    const { proxy, db } = await emptyDatabase(t);
    const injected = proxy.injectFaultAt('create table bookings', fault, 'received');
    await assert.rejects(migrate(db));
    await injected;
    assert.ok((await pendingMigrations(db)).length > 0);
    assert.ok((await migrate(db)).length > 0);
    assert.deepEqual(await pendingMigrations(db), []);

    const inCopy = proxy.injectFaultAt('copy contacts', fault, 'answered');
    await assert.rejects(db.withClient((client) => client.query('copy contacts to stdout')));
    await inCopy;
    await assertServes(db);
  }
});

test('nothing waits behind a stuck statement, not even its rollback', { skip }, async (t) => {
  const { url, proxy, db } = await proxied(t, 1);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  afterwards(t, () => admin.end());
  const sent: string[] = [];
  const injected = proxy.injectFaultAt('pg_sleep', 'silent', 'received').then(() => sent.push('silent'));
  await assert.rejects(
    db.transaction((tx) => tx.rows({ text: 'select pg_sleep(20)' })),
    isLost,
  );
  await injected;
  // The only place of the pool is free again at once, with another connection.
  await db.rows({ text: 'select 1' });
  assert.equal(db.stats().total, 1);
});

/** Locks the note on a connection that does not end it: a process that vanished. */
async function lockNote(t: TestContext, url: string, text: string): Promise<void> {
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  afterwards(t, () => holder.end());
  await holder.query('begin');
  await holder.query('update notes set text = text where text = $1', [text]);
}

test('a lock time-out ends the statement, and the connection stays', { skip }, async (t) => {
  const { url, db } = await proxied(t, 1);
  await db.rows(add('locked'));
  const session = () => db.first<{ pid: number }>({ text: 'select pg_backend_pid() as pid' });
  const before = await session();
  await lockNote(t, url, 'locked');
  const change = { text: `update notes set text = 'x' where text = 'locked'` };
  await assert.rejects(db.rows(change), (error) => isUnavailable(error));
  await assert.rejects(
    db.transaction((tx) => tx.rows(change)),
    (error) => isUnavailable(error),
  );
  assert.deepEqual(await session(), before);
});

test('an idle transaction is ended by the server', { skip }, async (t) => {
  const { db, errors } = await proxied(t, 1);
  await assert.rejects(
    db.transaction(async (tx) => {
      await tx.rows(add('idle'));
      await until(() => errors.length > 0);
      await tx.rows(add('never'));
    }),
    isUnavailable,
  );
  assert.deepEqual(await notes(db), []);
});

test('callers that wait for one row have a quarter of the pool, others are served', { skip }, async (t) => {
  // Long enough for the others to be served on a busy machine.
  const timeouts = { ...TIMEOUTS, lock: 5_000, pool: 6_000, query: 20_000, statement: 20_000 };
  const { url, db } = await proxied(t, 8, false, timeouts);
  await db.rows(add('locked'));
  await lockNote(t, url, 'locked');
  const change = { text: `update notes set text = 'x' where text = 'locked'`, key: 'note:locked' };
  let ended = 0;
  const waiting = Array.from({ length: 12 }, (_, index) =>
    (index % 2 === 0 ? db.rows(change) : db.transaction((tx) => tx.rows(change), change.key)).catch(
      (error: unknown) => {
        ended++;
        assert.ok(isUnavailable(error), String(error));
      },
    ),
  );
  await until(() => db.stats().waiting === 10);
  for (let round = 0; round < 20; round++) await assertServes(db);
  assert.equal(ended, 0, 'others were served before the first of them gave up');
  await Promise.all(waiting);
  assert.equal(ended, 12);
});

test('a shut pool refuses all callers at once; reopened, it serves them', { skip }, async (t) => {
  const { db } = await proxied(t, 1);
  const holding = db.transaction((tx) => tx.rows({ text: 'select pg_sleep(0.3)' }));
  const waiting = assert.rejects(db.rows({ text: 'select 1' }), isLost);
  db.shut();
  await waiting;
  await assert.rejects(db.rows({ text: 'select 1' }), isLost);
  await holding;
  db.reopen();
  await assertServes(db);
});

test('a connection to a server that became a standby is closed', { skip }, async (t) => {
  const { url, db } = await proxied(t, 1);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  afterwards(t, () => admin.end());
  const name = new URL(url).pathname.slice(1);
  await admin.query(`alter database ${name} set default_transaction_read_only = on`);
  await db.rows({ text: `set default_transaction_read_only = on` });
  await assert.rejects(db.rows(add('refused')), isUnavailable);
  await admin.query('set transaction_read_only = off');
  await admin.query(`alter database ${name} set default_transaction_read_only = off`).catch(async () => {
    await admin.query(
      `set default_transaction_read_only = off; alter database ${name} set default_transaction_read_only = off`,
    );
  });
  await db.rows(add('written'));
  assert.deepEqual(await notes(db), ['written']);
});

test('connections opened before a moment are closed', { skip }, async (t) => {
  const { proxy, db } = await proxied(t);
  await assertServes(db);
  proxy.injectFault('silent');
  db.discard(performance.now());
  await until(() => db.stats().total === 0);
  await assertServes(db);
});

test('a watch that is closed while it connects leaves no connection', { skip }, async (t) => {
  const db = connectPostgres(await createPostgresDatabase(t), 2, assert.fail);
  afterwards(t, () => db.close());
  const connected = Promise.withResolvers<pg.Client>();
  const goOn = Promise.withResolvers<void>();
  const slow: Db = {
    ...db,
    async open() {
      const client = await db.open!();
      connected.resolve(client);
      await goOn.promise;
      return client;
    },
  };
  const health = watchHealth(slow, {
    machine: Date.now,
    onBeat() {},
    onAway: assert.fail,
    onBack() {},
    onWrites() {},
  });
  const client = await connected.promise;
  afterwards(t, async () => db.breakOff(client));
  const {
    rows: [session],
  } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const closed = health.close();
  goOn.resolve();
  await closed;
  const open = { text: 'select 1 from pg_stat_activity where pid = $1', values: [session!.pid] };
  await until(async () => (await db.first(open)) === null);
});
