import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import type { QueryCount } from './count-queries.ts';
import { type CpuTime, cpuMeter } from './cpu.ts';
import { createBenchDatabase, type Fixtures } from './fixtures.ts';
import type { LoadRequest, Reply, Round } from './load.ts';
import { COUNTING, queryCount, type Running, script, serviceEnv, startProcess } from './processes.ts';
import { circumstancesOf, type Figures, quantile, type Result, row, save } from './results.ts';
import { compareDeliveries, DELIVERIES } from './webhooks.ts';

/** Compares the service with its floor: `node bench/run.ts [name...]`; see README.md beside this file. */

/** Batching needs concurrency: nothing may be slower without it. */
const CONNECTIONS = [1, 4, 32];
const WARM_UP_SECONDS = 0.6;
const ROUND_SECONDS = 0.4;
const ROUNDS = 5;

/** The requests for one side, sent cyclically. */
type Load = (fixtures: Fixtures) => LoadRequest[];
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

/** Each body is a new customer; enough of them that none is repeated in a run. */
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

/** Reads first: writes make them slower until the next vacuum. */
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

type Usage = CpuTime & QueryCount;
type Server = Running & { headers: Record<string, string>; usage(): Promise<Usage> };
type Contender = {
  server: Server;
  cycle: LoadRequest[];
  from: number;
  /** Of the measured rounds. */
  rates: number[];
  latencies: number[];
  usage: Usage;
};

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { profile: { type: 'string' }, connections: { type: 'string' } },
  });
  const levels = values.connections === undefined ? CONNECTIONS : values.connections.split(',').map(Number);
  const names = [...COMPARISONS.map(({ name }) => name), DELIVERIES];
  const unknown = positionals.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`comparisons are: ${names.join(', ')}`);
  const isWhole = positionals.length === 0 && values.connections === undefined;
  const isChosen = (name: string): boolean => positionals.length === 0 || positionals.includes(name);
  const adminUrl = process.env.BENCH_DATABASE_URL || 'postgres://root@127.0.0.1:5432/postgres';

  const circumstances = circumstancesOf();
  const folder = mkdtempSync(join(tmpdir(), 'pbs-bench-'));
  const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true })];
  const cleanUp = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  process.once('SIGINT', () => cleanUp().finally(() => process.exit(130)));
  const results: Result[] = [];
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
      const cpu = cpuMeter(observer, running.pid, name);
      const usage = async () => ({ ...(await cpu()), ...(await queryCount(running.child)) });
      return { ...running, headers: {}, usage };
    };
    const floor = observed(
      await startProcess(
        script('floor.ts'),
        join(folder, 'floor.log'),
        { DATABASE_URL: database.url },
        COUNTING,
      ),
      'bench-floor',
    );
    const profiling = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`];
    const ours = observed(
      await startProcess(script('../src/main.ts'), join(folder, 'ours.log'), serviceEnv(database.url), [
        ...COUNTING,
        ...profiling,
      ]),
      'partner-booking',
    );
    const stopServers = async (): Promise<void> => {
      await Promise.all([floor.stop(), ours.stop()]);
    };
    closers.push(stopServers);
    ours.headers = { 'x-api-key': fixtures.key };

    for (const { name, target, ...loads } of COMPARISONS.filter(({ name }) => isChosen(name))) {
      const a = contender(floor, loads.floor(fixtures));
      const b = contender(ours, loads.ours(fixtures));
      for (const connections of levels) {
        results.push({ name, connections, target, ...(await compare(loader, a, b, connections)) });
      }
    }
    closers.pop();
    await stopServers();
    // Otherwise two workers would share the deliveries.
    if (isChosen(DELIVERIES)) results.push(await compareDeliveries(database));
  } finally {
    await cleanUp();
  }
  console.table(
    Object.fromEntries(results.map((result) => [`${result.name} ${result.connections}`, row(result)])),
  );
  if (isWhole) console.log(`written to ${save(circumstances, results)}`);
}

function contender(server: Server, cycle: LoadRequest[]): Contender {
  return { server, cycle, from: 0, rates: [], latencies: [], usage: { ...NOTHING } };
}

const NOTHING: Usage = { node: 0, postgres: 0, statements: 0, roundTrips: 0 };

/** Short alternating rounds, so that other load of the machine affects both sides alike. */
async function compare(
  loader: ChildProcess,
  floor: Contender,
  ours: Contender,
  connections: number,
): Promise<Omit<Result, 'name' | 'connections' | 'target'>> {
  for (const side of [floor, ours]) {
    await runRound(loader, side, WARM_UP_SECONDS, connections);
    Object.assign(side, { rates: [], latencies: [], usage: { ...NOTHING } });
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of [floor, ours]) await runRound(loader, side, ROUND_SECONDS, connections);
  }
  return {
    ratios: ours.rates.map((rate, round) => rate / floor.rates[round]!),
    floor: figures(floor),
    ours: figures(ours),
  };
}

function figures({ rates, latencies, usage }: Contender): Figures {
  const requests = latencies.length;
  return {
    perSecond: rates,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    cpuNode: usage.node / requests,
    cpuPostgres: usage.postgres / requests,
    statements: usage.statements / requests,
    roundTrips: usage.roundTrips / requests,
  };
}

async function runRound(
  loader: ChildProcess,
  side: Contender,
  seconds: number,
  connections: number,
): Promise<void> {
  const { server, cycle, from } = side;
  const round: Round = {
    port: server.port,
    headers: server.headers,
    seconds,
    connections,
    cycle,
    from,
  };
  const before = await server.usage();
  loader.send(round);
  const [reply] = (await once(loader, 'message')) as [Reply];
  if ('error' in reply) throw new Error(reply.error);
  const { done, latencies } = reply.result;
  side.from += done;
  side.rates.push(done / reply.result.seconds);
  for (const latency of latencies) side.latencies.push(latency);
  const after = await server.usage();
  for (const what of Object.keys(NOTHING) as (keyof Usage)[]) side.usage[what] += after[what] - before[what];
}

await main();
