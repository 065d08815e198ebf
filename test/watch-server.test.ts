import { type TestContext, test } from 'node:test';
import { createCluster } from '../chaos/cluster.ts';
import { MINUTE } from '../src/base/clock.ts';
import { reportBackup } from '../src/db/backup-reports.ts';
import { afterwards, createPostgresDatabase, startTestService, type TestService } from './harness.ts';
import { whyNoReplica } from './replica-pair.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import { until } from './until.ts';
import { startWatch, tellsOf } from './watch-fixtures.ts';
import { createHookWorld, makeDeliveries, subscribe } from './webhook-fixtures.ts';

/** What the watcher tells of a database server and of processes with one role. */

const figuresOf = async (url: string): Promise<string> => (await fetch(`${url}/metrics`)).text();

for (const leave of ['refuse', 'stall'] as const)
  test(`the database is away (${leave}), and nobody else is told to be`, async (t) => {
    const url = await createPostgresDatabase(t);
    const proxy = await startTcpProxy(t, url);
    const service = await startTestService(t, {
      databaseUrl: proxy.through(url),
      env: { DATABASE_POOL: '4' },
    });
    const watch = await startWatch(t, [service.url]);
    const isUp = async (): Promise<boolean> =>
      !/^database_up\{can="\w+"\} 0$/m.test(await figuresOf(service.url));
    await tellsOf(watch, ['DATABASE_AWAY'], {
      async cause() {
        await proxy[leave]();
        await until(async () => !(await isUp()));
      },
      async mend() {
        await proxy.restore();
        await until(isUp);
      },
    });
  });

test('a server that only reads, whose WAL cannot be archived', { skip: whyNoReplica() }, async (t) => {
  const cluster = await createCluster({ fsync: 'off', archive_mode: 'on' });
  afterwards(t, cluster.remove);
  await cluster.start();
  await cluster.run('create database booking');
  const service = await startTestService(t, { databaseUrl: cluster.url('booking') });
  const watch = await startWatch(t, [service.url]);
  const archives = async (command: string, failing: 0 | 1): Promise<void> => {
    await cluster.run(`alter system set archive_command = '${command}'`);
    await cluster.run('select pg_reload_conf()');
    await until(async () => {
      // The archiver may have heard of the new command after the last segment.
      await cluster.run(`select pg_logical_emit_message(true, 'test', 'WAL')`);
      await cluster.run('select pg_switch_wal()');
      return (await figuresOf(service.url)).includes(`database_archive{what="failing"} ${failing}`);
    });
  };
  await archives('true', 0);
  await tellsOf(watch, ['ARCHIVING_FAILS'], {
    cause: () => archives('false', 1),
    mend: () => archives('true', 0),
  });
  const readOnly = async (is: 'on' | 'off'): Promise<void> => {
    await cluster.run(`alter system set default_transaction_read_only = ${is}`);
    await cluster.run('select pg_reload_conf()');
    const writes = `database_up{can="write"} ${is === 'on' ? 0 : 1}`;
    await until(async () => (await figuresOf(service.url)).includes(writes));
  };
  await tellsOf(watch, ['DATABASE_AWAY'], { cause: () => readOnly('on'), mend: () => readOnly('off') });
});

test('a backup that failed, and an archive with a hole', async (t) => {
  const service = await startTestService(t);
  const { db } = service.deps;
  const watch = await startWatch(t, [service.url]);
  for (const [kind, fact] of [
    ['BACKUP', 'BACKUP_FAILED'],
    ['ARCHIVE', 'ARCHIVE_HAS_HOLE'],
  ] as const)
    await tellsOf(watch, [fact], {
      cause: () => reportBackup(db, kind, 'no space left'),
      mend: () => reportBackup(db, kind, null),
    });
});

/** One role on the database, as a unit of systemd starts it. */
const start = (
  t: TestContext,
  databaseUrl: string,
  role: 'api' | 'worker',
  clock: TestService['clock'] | null,
) =>
  startTestService(t, {
    databaseUrl,
    env: { ROLES: role, WORKER_PORT: '0' },
    ...(clock !== null && { clock }),
  });

test('a worker that stops, and the webhooks that wait for it', async (t) => {
  const databaseUrl = await createPostgresDatabase(t);
  const api = await start(t, databaseUrl, 'api', null);
  const world = await createHookWorld(api);
  await subscribe(api, world.key);
  const { bookingId } = (await world.book()).body.data;
  const worker = await start(t, databaseUrl, 'worker', api.clock);
  const watch = await startWatch(t, [api.url, worker.workerUrl!]);
  await until(async () => (await figuresOf(worker.workerUrl!)).includes('jobs_overdue_seconds{'));
  await tellsOf(watch, ['PROCESS_DOWN', 'WEBHOOKS_LATE'], {
    async cause() {
      await worker.close();
      await makeDeliveries(api, bookingId, 1, { dueAt: api.clock.now() });
      api.clock.advance(2 * MINUTE);
    },
    async mend() {
      const port = new URL(worker.workerUrl!).port;
      await startTestService(t, {
        databaseUrl,
        env: { ROLES: 'worker', WORKER_PORT: port },
        clock: api.clock,
      });
      await until(async () => !/webhook_oldest_due_seconds\{.*\} [1-9]/.test(await figuresOf(api.url)));
    },
  });
});
