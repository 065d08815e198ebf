import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { processTime } from './cpu.ts';
import { createBenchDatabase } from './fixtures.ts';
import type { Reply, Round } from './load.ts';
import { type Running, script, serviceEnv, startProcess } from './processes.ts';
import { quantile } from './results.ts';

/**
 * What two processes behind one port bring compared with one, on two cores: `node bench/cores.ts`. Both on one database,
 * short rounds in turns, 32 connections. PostgreSQL and the load share the cores, so the ratio is far from two; the CPU
 * time of a request says what a second process costs.
 */
const ROUNDS = 10;
const CONNECTIONS = 32;

type Side = { running: Running; from: number; rates: number[]; cpu: number[] };

const adminUrl = process.env.BENCH_DATABASE_URL || 'postgres://root@127.0.0.1:5432/postgres';
const folder = mkdtempSync(join(tmpdir(), 'pbs-bench-'));
const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true })];
try {
  const database = await createBenchDatabase(adminUrl);
  closers.push(database.drop);
  const loader = fork(script('load.ts'));
  closers.push(() => loader.disconnect());
  const { bookingIds, busyDate, addressId, serviceId, contactId, freeSlots, key } = database.fixtures;
  const slots = new URLSearchParams({ addressId, serviceId, date: busyDate });
  const loads: Record<string, Round['shots']> = {
    status: bookingIds.map((id) => ({ method: 'GET', path: `/v1/partners/bookings/${id}/status` })),
    timeslots: [{ method: 'GET', path: `/v1/partners/timeslots/available?${slots}` }],
    list: [{ method: 'GET', path: '/v1/partners/bookings?limit=20' }],
    create: freeSlots.map(({ date, startAt, endAt }) => ({
      method: 'POST',
      path: '/v1/partners/bookings',
      body: { contactId, addressId, serviceId, date, timeslot: { startAt, endAt } },
    })),
  };
  const runnings: Running[] = [];
  for (const PROCESSES of ['1', '2']) {
    const output = join(folder, `${PROCESSES}.log`);
    const env = { ...serviceEnv(database.url), ROLES: 'api', LOG_LEVEL: 'warn', PROCESSES };
    const running = await startProcess(script('../src/main.ts'), output, env, ['--max-semi-space-size=4']);
    closers.push(running.stop);
    runnings.push(running);
  }
  // The second of two processes may still be starting.
  await Promise.all(runnings.map(({ port }) => fetch(`http://127.0.0.1:${port}/readyz`)));
  console.log(`load of the machine at the start ${loadavg()[0]!.toFixed(1)}`);

  let created = 0;
  const table: Record<string, string | number>[] = [];
  for (const [name, shots] of Object.entries(loads)) {
    const sides: Side[] = runnings.map((running) => ({ running, from: 0, rates: [], cpu: [] }));
    const shoot = async (side: Side, seconds: number): Promise<void> => {
      const before = timeOf(side.running.pid);
      loader.send({
        port: side.running.port,
        headers: { 'x-api-key': key },
        seconds,
        connections: CONNECTIONS,
        shots,
        from: name === 'create' ? created : side.from,
      } satisfies Round);
      const [reply] = (await once(loader, 'message')) as [Reply];
      if ('error' in reply) throw new Error(reply.error);
      side.from += reply.result.done;
      if (name === 'create') created += reply.result.done + CONNECTIONS;
      side.rates.push(reply.result.done / reply.result.seconds);
      side.cpu.push((timeOf(side.running.pid) - before) / reply.result.done);
    };
    for (const side of sides) {
      await shoot(side, 1);
      Object.assign(side, { rates: [], cpu: [] });
    }
    for (let round = 0; round < ROUNDS; round++)
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) await shoot(side, 1);
    const [one, two] = sides;
    const ratios = one!.rates.map((rate, round) => two!.rates[round]! / rate);
    table.push({
      name,
      'two to one': fixed(quantile(ratios, 0.5)),
      lowest: fixed(Math.min(...ratios)),
      highest: fixed(Math.max(...ratios)),
      'CPU ms, one': fixed(quantile(one!.cpu, 0.5)),
      'CPU ms, two': fixed(quantile(two!.cpu, 0.5)),
    });
  }
  console.table(table);
  console.log(`load of the machine at the end ${loadavg()[0]!.toFixed(1)}`);
} finally {
  for (const close of closers.reverse()) await close();
}

/** CPU milliseconds of a process and of those that it started. */
function timeOf(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const children = tasks.flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return [pid, ...children.map(Number)].reduce((sum, one) => sum + processTime(one), 0);
}

function fixed(value: number): number {
  return Number(value.toFixed(2));
}
