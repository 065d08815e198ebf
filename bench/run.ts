import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { type CpuTime, cpuTime } from './cpu.ts';
import { createBenchDatabase, type Fixtures } from './fixtures.ts';
import type { Reply, Round, Shot } from './load.ts';
import { type Running, script, serviceEnv, startProcess } from './processes.ts';

/** Compares the service with its floor: `node bench/run.ts [name...]`; see README.md beside this file. */

/** Sharing a statement needs company: nothing may be slower without it. */
const CONNECTIONS = [1, 4, 32];
const WARM_UP_SECONDS = 1;
const ROUND_SECONDS = 1;
const ROUNDS = 3;

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

const readServices: Load = ({ addressId }) => [
  { method: 'GET', path: `/v1/partners/services?addressId=${addressId}` },
];

/** Each body is a new customer; enough of them that none comes twice in a run. */
const contactAt =
  (path: string): Load =>
  () =>
    Array.from({ length: NEW_CONTACTS }, () => ({
      method: 'POST',
      path,
      body: {
        name: 'Noura',
        phone: `+9665${String(newPhone++).padStart(8, '0')}`,
        latitude: '24.7136',
        longitude: '46.6753',
      },
    }));
const NEW_CONTACTS = 60_000;
let newPhone = 10_000_000;

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
  { name: 'status', target: 1.5, floor: readFloor, ours: readStatus },
  { name: 'timeslots', target: 1.2, floor: readFloor, ours: readTimeslots },
  { name: 'services', target: 1.2, floor: readFloor, ours: readServices },
  { name: 'list', target: 0.7, floor: listFloor, ours: list },
  { name: 'create', target: 0.65, floor: createAt('/create'), ours: createAt('/v1/partners/bookings') },
  { name: 'contact', target: 0.9, floor: contactAt('/contact'), ours: contactAt('/v1/partners/contacts') },
  { name: 'cancel', target: 1, floor: changeFloor, ours: cancel },
  { name: 'update', target: 1, floor: changeFloor, ours: update },
  { name: 'confirm', target: 1, floor: changeFloor, ours: confirm },
];

type Server = Running & { headers: Record<string, string>; cpu(): Promise<CpuTime> };
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
    options: { profile: { type: 'string' }, connections: { type: 'string' } },
  });
  const levels = values.connections === undefined ? CONNECTIONS : values.connections.split(',').map(Number);
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
    const observed = (running: Running, name: string): Server => {
      closers.push(running.stop);
      return { ...running, headers: {}, cpu: () => cpuTime(observer, running.pid, name) };
    };
    const floor = observed(
      await startProcess(script('floor.ts'), join(folder, 'floor.log'), { DATABASE_URL: database.url }),
      'bench-floor',
    );
    const ours = observed(
      await startProcess(
        script('../src/main.ts'),
        join(folder, 'ours.log'),
        serviceEnv(database.url),
        values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`],
      ),
      'partner-booking',
    );
    ours.headers = { 'x-api-key': fixtures.key };

    const table: Record<string, object> = {};
    for (const { name, target, ...loads } of chosen) {
      const a = contender(floor, loads.floor(fixtures));
      const b = contender(ours, loads.ours(fixtures));
      for (const connections of levels) {
        table[`${name} ${connections}`] = { ...(await compare(loader, a, b, connections)), target };
      }
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
async function compare(loader: ChildProcess, floor: Contender, ours: Contender, connections: number) {
  for (const side of [floor, ours]) {
    await shoot(loader, side, WARM_UP_SECONDS, connections);
    Object.assign(side, { rates: [], latencies: [], cpu: { node: 0, postgres: 0 } });
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of [floor, ours]) await shoot(loader, side, ROUND_SECONDS, connections);
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
    'CPU ratio': rounded(total(floor) / total(ours), 2),
  };
}

const total = ({ cpu, latencies }: Contender): number => (cpu.node + cpu.postgres) / latencies.length;

/** CPU time of one request: Node + PostgreSQL. */
function perRequest({ cpu, latencies }: Contender): string {
  return [cpu.node, cpu.postgres].map((time) => (time / latencies.length).toFixed(2)).join(' + ');
}

async function shoot(
  loader: ChildProcess,
  side: Contender,
  seconds: number,
  connections: number,
): Promise<void> {
  const { server, shots, from } = side;
  const round: Round = {
    port: server.port,
    headers: server.headers,
    seconds,
    connections,
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
