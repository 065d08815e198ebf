import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createBenchDatabase, type Fixtures } from './fixtures.ts';
import type { LoadRequest, Reply, Round } from './load.ts';
import { type Running, script, serviceEnv, startProcess } from './processes.ts';

/**
 * Measures the memory of the service under full load on PostgreSQL, reads and writes mixed: `node bench/memory.ts
 * [--requests=100000] [--start="NAME=value --option ..."]...`. Each start is a separate process with these variables of
 * the environment and options of Node.
 */
const CONNECTIONS = 32;
/** Between two samples. */
const ROUND_SECONDS = 5;
const MIB = 1024 * 1024;

/** A cycle of 20 requests; each change has its own booking. */
function mixed({ bookingIds, freeSlots, busyDate, ...ids }: Fixtures): LoadRequest[] {
  const { addressId, contactId, serviceId, reasonId } = ids;
  const timeslots = new URLSearchParams({ addressId, serviceId, date: busyDate });
  const cycle: LoadRequest[] = [];
  for (const [n, toCancel] of ids.toCancel.entries()) {
    for (let read = 0; read < 8; read++) {
      const id = bookingIds[(n * 8 + read) % bookingIds.length]!;
      cycle.push({ method: 'GET', path: `/v1/partners/bookings/${id}/status` });
    }
    for (let read = 0; read < 4; read++)
      cycle.push({ method: 'GET', path: `/v1/partners/timeslots/available?${timeslots}` });
    cycle.push({ method: 'GET', path: '/v1/partners/bookings' });
    cycle.push({ method: 'GET', path: '/v1/partners/events?limit=20' });
    for (let create = 0; create < 3; create++) {
      const { date, ...timeslot } = freeSlots[(n * 3 + create) % freeSlots.length]!;
      const body = { contactId, addressId, serviceId, date, timeslot };
      cycle.push({ method: 'POST', path: '/v1/partners/bookings', body });
    }
    cycle.push(
      { method: 'PATCH', path: `/v1/partners/bookings/${toCancel}/cancel`, body: { reasonId } },
      {
        method: 'PATCH',
        path: `/v1/partners/bookings/${ids.toUpdate[n]}`,
        body: { externalReference: `changed-${n}` },
      },
      {
        method: 'POST',
        path: `/v1/partners/bookings/${ids.toConfirm[n]}/confirm-payment`,
        body: { paymentReference: `payment-${n}` },
      },
    );
  }
  return cycle;
}

type Memory = Record<'rss' | 'anonymous' | 'heapTotal' | 'heapUsed' | 'external' | 'arrayBuffers', number>;
/** Bytes, and CPU milliseconds so far. */
type Sample = Memory & { cpu: number };

/** The process's own figures, and its private memory by Linux (without the files of Node and its libraries). */
async function sample(service: Running, collect = false): Promise<Sample> {
  service.child.send(collect ? 'collect' : 'sample');
  const [usage] = (await once(service.child, 'message')) as [NodeJS.MemoryUsage & { cpu: number }];
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
  const anonymous = Number(/RssAnon:\s+(\d+)/.exec(status)?.[1]) * 1024;
  return { ...usage, anonymous };
}

function inMib(found: Sample): Memory {
  const { rss, anonymous, heapTotal, heapUsed, external, arrayBuffers } = found;
  const all = { rss, anonymous, heapTotal, heapUsed, external, arrayBuffers };
  return Object.fromEntries(
    Object.entries(all).map(([name, bytes]) => [name, Math.round(bytes / MIB)]),
  ) as Memory;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '100000' },
      start: { type: 'string', multiple: true, default: [''] },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'pbs-memory-'));
  const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true })];
  try {
    const adminUrl = process.env.BENCH_DATABASE_URL || 'postgres://root@127.0.0.1:5432/postgres';
    const database = await createBenchDatabase(adminUrl);
    closers.push(database.drop);
    const loader = fork(script('load.ts'));
    closers.push(() => loader.disconnect());
    const load: Load = { loader, cycle: mixed(database.fixtures), key: database.fixtures.key, from: 0 };
    for (const start of values.start) {
      const words = start.split(' ').filter((word) => word !== '');
      const variables = words.filter((word) => !word.startsWith('-')).map((word) => word.split('=', 2));
      const service = await startProcess(
        script('../src/main.ts'),
        join(folder, 'service.log'),
        { ...serviceEnv(database.url), ...Object.fromEntries(variables) },
        [
          '--expose-gc',
          '--import',
          script('memory-probe.ts'),
          ...words.filter((word) => word.startsWith('-')),
        ],
      );
      console.log(start || 'As it comes');
      await measure(service, load, Number(values.requests)).finally(service.stop);
    }
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

type Load = { loader: ChildProcess; cycle: LoadRequest[]; key: string; from: number };

async function measure(service: Running, load: Load, requests: number): Promise<void> {
  const started = await sample(service);
  const table: Record<string, object> = { 'at the start': inMib(started) };
  let highest = started;
  let done = 0;
  let seconds = 0;
  while (done < requests) {
    const round: Round = {
      port: service.port,
      headers: { 'x-api-key': load.key },
      seconds: ROUND_SECONDS,
      connections: CONNECTIONS,
      cycle: load.cycle,
      from: load.from,
    };
    load.loader.send(round);
    const [reply] = (await once(load.loader, 'message')) as [Reply];
    if ('error' in reply) throw new Error(reply.error);
    load.from += reply.result.done;
    done += reply.result.done;
    seconds += reply.result.seconds;
    const found = await sample(service);
    if (found.rss > highest.rss) highest = found;
    table[`${done} requests`] = inMib(found);
  }
  table['at most'] = inMib(highest);
  const { cpu } = await sample(service);
  table['after collecting'] = inMib(await sample(service, true));
  console.table(table);
  const each = ((cpu - started.cpu) / done).toFixed(2);
  console.log(`MiB; ${Math.round(done / seconds)} requests a second, ${each} ms of CPU each`);
}

await main();
