import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { type CpuTime, cpuTime } from './cpu.ts';
import { createBenchDatabase, type Fixtures } from './fixtures.ts';
import type { Reply, Round, Shot } from './load.ts';

/** Compares the service with its floor: `node bench/run.ts [name...]`; see README.md beside this file. */

const CONNECTIONS = 32;
const WARM_UP_SECONDS = 2;
const ROUND_SECONDS = 3;
const ROUNDS = 3;
/** Milliseconds. */
const START_WITHIN = 20_000;

/** The requests one side is sent, again and again. */
type Load = (fixtures: Fixtures) => Shot[];
type Comparison = { name: string; target: number; floor: Load; ours: Load };

const readFloor: Load = ({ bookingIds }) =>
  bookingIds.map((id) => ({ method: 'GET', path: `/booking/${id}` }));

const readStatus: Load = ({ bookingIds }) =>
  bookingIds.map((id) => ({ method: 'GET', path: `/v1/partners/bookings/${id}/status` }));

const readTimeslots: Load = ({ addressId, serviceId, busyDate }) => {
  const query = new URLSearchParams({ addressId, serviceId, date: busyDate });
  return [{ method: 'GET', path: `/v1/partners/timeslots/available?${query}` }];
};

const createAt =
  (path: string): Load =>
  ({ contactId, addressId, serviceId, freeSlots }) =>
    freeSlots.map(({ date, ...timeslot }) => ({
      method: 'POST',
      path,
      body: { contactId, addressId, serviceId, date, timeslot },
    }));

const listFloor: Load = ({ partnerId }) => [{ method: 'GET', path: `/list/${partnerId}` }];

const list: Load = () => [{ method: 'GET', path: '/v1/partners/bookings' }];

const changeFloor: Load = ({ bookingIds }) =>
  bookingIds.map((id) => ({ method: 'POST', path: `/change/${id}`, body: {} }));

const cancel: Load = ({ toCancel, reasonId }) =>
  toCancel.map((id) => ({ method: 'PATCH', path: `/v1/partners/bookings/${id}/cancel`, body: { reasonId } }));

const update: Load = ({ toUpdate }) =>
  toUpdate.map((id) => ({
    method: 'PATCH',
    path: `/v1/partners/bookings/${id}`,
    body: { externalReference: `changed-${id}` },
  }));

const confirm: Load = ({ toConfirm }) =>
  toConfirm.map((id) => ({
    method: 'POST',
    path: `/v1/partners/bookings/${id}/confirm-payment`,
    body: { paymentReference: `payment-${id}` },
  }));

/** Reads come first: what the others write makes reading slower until the next vacuum. */
const COMPARISONS: Comparison[] = [
  { name: 'status', target: 0.7, floor: readFloor, ours: readStatus },
  { name: 'timeslots', target: 0.4, floor: readFloor, ours: readTimeslots },
  { name: 'list', target: 0.6, floor: listFloor, ours: list },
  { name: 'create', target: 0.5, floor: createAt('/create'), ours: createAt('/v1/partners/bookings') },
  { name: 'cancel', target: 0.5, floor: changeFloor, ours: cancel },
  { name: 'update', target: 0.5, floor: changeFloor, ours: update },
  { name: 'confirm', target: 0.5, floor: changeFloor, ours: confirm },
];

type Server = {
  port: number;
  headers: Record<string, string>;
  cpu(): Promise<CpuTime>;
  stop(): Promise<void>;
};
type Contender = {
  server: Server;
  shots: Shot[];
  from: number;
  rates: number[];
  latencies: number[];
  /** Of the measured rounds together. */
  cpu: CpuTime;
};

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { profile: { type: 'string' } },
  });
  const chosen = COMPARISONS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  if (chosen.length < positionals.length) {
    throw new Error(`comparisons are: ${COMPARISONS.map(({ name }) => name).join(', ')}`);
  }
  const adminUrl = process.env.BENCH_DATABASE_URL || 'postgres://root@127.0.0.1:5432/postgres';

  const folder = mkdtempSync(join(tmpdir(), 'pbs-bench-'));
  const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true })];
  const cleanUp = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  process.once('SIGINT', () => cleanUp().finally(() => process.exit(130)));
  try {
    const database = await createBenchDatabase(adminUrl);
    closers.push(database.drop);
    const { fixtures } = database;
    const observer = new pg.Client({ connectionString: database.url });
    await observer.connect();
    closers.push(() => observer.end());
    const loader = fork(script('load.ts'));
    closers.push(() => loader.disconnect());
    const floor = await startServer(
      script('floor.ts'),
      join(folder, 'floor.log'),
      { DATABASE_URL: database.url },
      (pid) => cpuTime(observer, pid, 'bench-floor'),
    );
    closers.push(floor.stop);
    const ours = await startServer(
      script('../src/main.ts'),
      join(folder, 'ours.log'),
      {
        DATABASE_URL: database.url,
        DEPLOYMENT: 'sandbox',
        SEED: 'none',
        OPERATOR_TOKEN: 'operator-token-of-the-bench',
        LOG_LEVEL: 'info',
      },
      (pid) => cpuTime(observer, pid, 'partner-booking'),
      values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`],
    );
    closers.push(ours.stop);
    ours.headers = { 'x-api-key': fixtures.key };

    const table: Record<string, object> = {};
    for (const { name, target, ...loads } of chosen) {
      const a = contender(floor, loads.floor(fixtures));
      const b = contender(ours, loads.ours(fixtures));
      table[name] = { ...(await compare(loader, a, b)), target };
    }
    console.table(table);
  } finally {
    await cleanUp();
  }
}

function contender(server: Server, shots: Shot[]): Contender {
  return { server, shots, from: 0, rates: [], latencies: [], cpu: { node: 0, postgres: 0 } };
}

/** Short rounds in turns, so that what else the machine does falls on both sides alike. */
async function compare(loader: ChildProcess, floor: Contender, ours: Contender) {
  for (const side of [floor, ours]) {
    await shoot(loader, side, WARM_UP_SECONDS);
    Object.assign(side, { rates: [], latencies: [], cpu: { node: 0, postgres: 0 } });
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of [floor, ours]) await shoot(loader, side, ROUND_SECONDS);
  }
  const ratios = ours.rates.map((rate, round) => rate / floor.rates[round]!);
  return {
    'floor req/s': Math.round(median(floor.rates)),
    'ours req/s': Math.round(median(ours.rates)),
    ratio: rounded(median(ratios), 2),
    'floor p50 ms': rounded(quantile(floor.latencies, 0.5), 1),
    'ours p50 ms': rounded(quantile(ours.latencies, 0.5), 1),
    'floor p99 ms': rounded(quantile(floor.latencies, 0.99), 1),
    'ours p99 ms': rounded(quantile(ours.latencies, 0.99), 1),
    'floor CPU ms': perRequest(floor),
    'ours CPU ms': perRequest(ours),
  };
}

/** CPU time of one request: Node + PostgreSQL. */
function perRequest({ cpu, latencies }: Contender): string {
  return [cpu.node, cpu.postgres].map((time) => (time / latencies.length).toFixed(2)).join(' + ');
}

async function shoot(loader: ChildProcess, side: Contender, seconds: number): Promise<void> {
  const { server, shots, from } = side;
  const round: Round = {
    port: server.port,
    headers: server.headers,
    seconds,
    connections: CONNECTIONS,
    shots,
    from,
  };
  const before = await server.cpu();
  loader.send(round);
  const [reply] = (await once(loader, 'message')) as [Reply];
  if ('error' in reply) throw new Error(reply.error);
  const { done, latencies } = reply.result;
  side.from += done;
  side.rates.push(done / reply.result.seconds);
  for (const latency of latencies) side.latencies.push(latency);
  const after = await server.cpu();
  side.cpu.node += after.node - before.node;
  side.cpu.postgres += after.postgres - before.postgres;
}

/** Runs a server as a process of its own, its output in a file, and waits until it is ready. */
async function startServer(
  file: string,
  output: string,
  env: Record<string, string>,
  cpu: (pid: number) => Promise<CpuTime>,
  options: string[] = [],
): Promise<Server> {
  const port = await freePort();
  const log = openSync(output, 'w');
  const child = spawn(process.execPath, [...options, file], {
    env: { PATH: process.env.PATH, ...env, PORT: String(port) },
    stdio: ['ignore', log, log],
  });
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  for (let waited = 0; waited < START_WITHIN && child.exitCode === null; waited += 50) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (ready?.ok) return { port, headers: {}, cpu: () => cpu(child.pid!), stop };
    await sleep(50);
  }
  await stop();
  throw new Error(`${file} did not start:\n${readFileSync(output, 'utf8')}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

function script(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}

function median(values: number[]): number {
  return quantile(values, 0.5);
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

await main();
