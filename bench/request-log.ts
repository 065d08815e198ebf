import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import pg from 'pg';
import { systemClock } from '../src/base/clock.ts';
import { connectPostgres } from '../src/db/connection.ts';
import { createRequestLog, type RequestLog } from '../src/requests/recorder.ts';
import { cpuMeter } from './cpu.ts';
import { createBenchDatabase } from './fixtures.ts';
import type { Reply, Round } from './load.ts';
import { script, serviceEnv, startProcess } from './processes.ts';

/**
 * Measures the cost of the request log for a status read: `node bench/request-log.ts`. The service without the log
 * serves status reads; then this process records the requests of half a second, repeatedly, in the database of the
 * service. They alternate, as CPU time of the process and of PostgreSQL. Two services, one of them with the log, would
 * differ by less than two rounds of one of them.
 */
const ROUNDS = 12;
const ROUND_SECONDS = 1;
/** The size of one write: half a second of a service at 8,000 requests a second. */
const NOTED_AT_ONCE = 4_000;
const WRITES = 25;

const ROUTE = { url: '/v1/partners/bookings/:bookingId/status', method: 'GET' };
const OK = { statusCode: 200 } as FastifyReply;

const adminUrl = process.env.BENCH_DATABASE_URL || 'postgres://root@127.0.0.1:5432/postgres';
const folder = mkdtempSync(join(tmpdir(), 'pbs-bench-'));
const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true })];
try {
  const database = await createBenchDatabase(adminUrl);
  closers.push(database.drop);
  const observer = new pg.Client({ connectionString: database.url });
  await observer.connect();
  closers.push(() => observer.end());
  const loader = fork(script('load.ts'));
  closers.push(() => loader.disconnect());
  const { bookingIds, key, partnerId } = database.fixtures;
  const cycle: Round['cycle'] = bookingIds.map((id) => ({
    method: 'GET',
    path: `/v1/partners/bookings/${id}/status`,
  }));
  const name = 'bench-no-log';
  const service = await startProcess(script('../src/main.ts'), join(folder, `${name}.log`), {
    ...serviceEnv(`${database.url}?application_name=${name}`),
    DEPLOYMENT: 'production',
    PUBLIC_URL: 'http://127.0.0.1',
    SECRETS_KEY: '0'.repeat(64),
    DATABASE_POOL: '4',
    REQUEST_LOG_DAYS: '0',
  });
  closers.push(service.stop);
  const served = cpuMeter(observer, service.pid, name);
  let from = 0;
  const read = async (seconds: number): Promise<number> => {
    const before = await served();
    const headers = { 'x-api-key': key };
    loader.send({ port: service.port, headers, seconds, connections: 32, cycle, from } satisfies Round);
    const [reply] = (await once(loader, 'message')) as [Reply];
    if ('error' in reply) throw new Error(reply.error);
    const after = await served();
    from += reply.result.done;
    return ((after.node - before.node + after.postgres - before.postgres) * 1000) / reply.result.done;
  };

  const db = connectPostgres(`${database.url}?application_name=bench-log`, 1, (error) => {
    throw error;
  });
  closers.push(db.close);
  const log = createRequestLog({
    db,
    clock: systemClock,
    isSandbox: false,
    onDropped: (why, count) => {
      throw new Error(`${count} were dropped: ${why}`);
    },
    onBodiesLeftOut: () => {},
    onError: (error) => {
      throw error;
    },
  });
  closers.push(log.close);
  const nothing: RequestLog = { ...log, record: () => {}, flush: async () => {} };
  const noted = cpuMeter(observer, process.pid, 'bench-log');
  const note = async (into: RequestLog): Promise<number> => {
    const before = await noted();
    for (let write = 0; write < WRITES; write++) {
      for (let count = 0; count < NOTED_AT_ONCE; count++) {
        into.record(statusRead(partnerId, bookingIds[count]!), OK);
      }
      await into.flush();
    }
    const after = await noted();
    return ((after.node - before.node + after.postgres - before.postgres) * 1000) / (WRITES * NOTED_AT_ONCE);
  };

  await read(2);
  await note(log);
  const reads: number[] = [];
  const notes: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    reads.push(await read(ROUND_SECONDS));
    // Creating the recorded requests is not part of the log's cost.
    notes.push((await note(log)) - (await note(nothing)));
  }
  console.log(`µs of CPU, process and PostgreSQL: a status read ${told(reads)}, noting it ${told(notes)}`);
  console.log(`with the log: ${((median(notes) / median(reads)) * 100).toFixed(1)} % more`);
} finally {
  for (const close of closers.reverse()) await close();
}

/** A request as the recorder gets it after the response. */
function statusRead(partnerId: string, bookingId: string): FastifyRequest {
  const request = {
    id: randomUUID(),
    method: 'GET',
    url: `/v1/partners/bookings/${bookingId}/status`,
    params: { bookingId },
    headers: { 'user-agent': 'bench' },
    caller: { partnerId, keyId: partnerId },
    routeConfig: ROUTE,
    is404: false,
    refusal: null,
    durationMs: 3.6,
  };
  return request as unknown as FastifyRequest;
}

function told(values: number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `${median(values).toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
