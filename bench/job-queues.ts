import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { installTools } from '../scripts/install-tools.ts';
import { connectPostgres } from '../src/db/connection.ts';
import { MAX_PER_SUBSCRIPTION } from '../src/webhooks/rules.ts';
import { type CpuTime, cpuMeter } from './cpu.ts';
import { createBenchDatabase } from './fixtures.ts';
import { script, serviceEnv, startProcess } from './processes.ts';
import { BOOKING, EVENTS, prepareDeliveries, received, writeEvents } from './webhooks.ts';

/**
 * Webhook deliveries beside jobs of pg-boss and graphile-worker that post the same body: the same database, receiver and
 * number at once, in turns. Ours decide by event and subscription what is to be delivered, and keep each attempt.
 */
const ADMIN_URL = process.env.BENCH_DATABASE_URL ?? 'postgres://root@127.0.0.1:5432/postgres';
const ROUNDS = 3;
const PEERS = ['pg-boss', 'graphile-worker'] as const;

type Side = { name: string; begin(): unknown; cpu(): Promise<CpuTime> };

await installTools(['queues']);
await using started = new AsyncDisposableStack();
const database = await createBenchDatabase(ADMIN_URL);
started.defer(database.drop);
const folder = mkdtempSync(join(tmpdir(), 'pbs-bench-'));
started.defer(() => rmSync(folder, { recursive: true }));
const db = connectPostgres(`${database.url}?application_name=bench-writer`, 2, (error) => {
  throw error;
});
started.defer(() => db.close());
const observer = new pg.Client({ connectionString: database.url });
await observer.connect();
started.defer(() => observer.end());
const receiver = fork(script('webhook-receiver.ts'));
started.defer(() => receiver.disconnect());
const [{ port }] = (await once(receiver, 'message')) as [{ port: number }];
const url = `http://127.0.0.1:${port}/hooks`;

const sides: Side[] = [await ours(), ...(await Promise.all(PEERS.map(peer)))];
const rates = new Map(sides.map(({ name }) => [name, [] as number[]]));
const times = new Map(sides.map(({ name }) => [name, { node: 0, postgres: 0 }]));
for (let round = 0; round <= ROUNDS; round++) {
  for (const { name, begin, cpu } of sides) {
    const before = await cpu();
    const rate = await received(receiver, begin);
    const after = await cpu();
    // The first round warms up.
    if (round === 0) continue;
    rates.get(name)!.push(rate);
    times.get(name)!.node += after.node - before.node;
    times.get(name)!.postgres += after.postgres - before.postgres;
  }
}
console.table(
  Object.fromEntries(
    sides.map(({ name }) => {
      const { node, postgres } = times.get(name)!;
      const median = rates.get(name)!.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!;
      const each = (time: number): string => (time / (EVENTS * ROUNDS)).toFixed(3);
      return [
        name,
        { 'per second': Math.round(median), 'process, ms': each(node), 'PostgreSQL, ms': each(postgres) },
      ];
    }),
  ),
);

async function ours(): Promise<Side> {
  await prepareDeliveries(db, database.fixtures.partnerId, url);
  const env = { ...serviceEnv(database.url), LOG_LEVEL: 'warn', WEBHOOK_ALLOW_HOSTS: `127.0.0.1:${port}` };
  const worker = await startProcess(script('../src/main.ts'), join(folder, 'worker.log'), env);
  started.defer(worker.stop);
  const bookings = database.fixtures.bookingIds.slice(0, EVENTS);
  return {
    name: 'ours',
    begin: () => writeEvents(db, bookings),
    cpu: cpuMeter(observer, worker.pid, 'partner-booking'),
  };
}

async function peer(kind: (typeof PEERS)[number]): Promise<Side> {
  const jobs = await jobsOf(kind);
  const worker: ChildProcess = fork(script('queue-worker.ts'));
  started.defer(() => worker.disconnect());
  worker.send({ kind, databaseUrl: database.url, url, atOnce: MAX_PER_SUBSCRIPTION });
  await once(worker, 'message');
  return { name: kind, begin: jobs, cpu: cpuMeter(observer, worker.pid!, kind) };
}

/** Makes the tables of the queue; returns a function that adds a job for each event. */
async function jobsOf(kind: (typeof PEERS)[number]): Promise<() => Promise<unknown>> {
  const load = createRequire(new URL('../tools/queues/package.json', import.meta.url));
  const job = { deliveryId: randomUUID(), event: 'booking.updated', payload: BOOKING };
  if (kind === 'pg-boss') {
    const { PgBoss } = load('pg-boss');
    const boss = new PgBoss({ connectionString: database.url, application_name: 'bench-writer' });
    await boss.start();
    started.defer(() => boss.stop({ graceful: false }));
    await boss.createQueue('deliveries');
    const jobs = Array.from({ length: EVENTS }, () => ({ data: job }));
    return () => boss.insert('deliveries', jobs);
  }
  const { makeWorkerUtils } = load('graphile-worker');
  const utils = await makeWorkerUtils({ connectionString: `${database.url}?application_name=bench-writer` });
  started.defer(() => utils.release());
  await utils.migrate();
  const jobs = Array.from({ length: EVENTS }, () => ({ identifier: 'deliveries', payload: job }));
  return () => utils.addJobs(jobs);
}
