import { type ChildProcess, fork } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { addDays, dateOf, systemClock } from '../src/base/clock.ts';
import { ownSources } from '../src/db/sources.ts';
import { type CpuTime, cpuMeter } from './cpu.ts';
import { asAdmin, createDatabase } from './fixtures.ts';
import { addChangeable, fillGrowth, type GrowthFixtures, type Size } from './growth-fixtures.ts';
import type { LoadRequest, Reply, Round } from './load.ts';
import { type Running, script, serviceEnv, startProcess } from './processes.ts';

/**
 * Measures requests as the service grows: `node bench/growth.ts [--bookings=1000,100000,1000000] [--teams=20,100,500]
 * [--keep] [name...]`. Each size has a separate database and service; they alternate, so that other load of the machine
 * affects all alike. Teams vary at 100,000 bookings, bookings with 100 teams. `--keep` keeps the filled databases for
 * the next run.
 */
const BOOKINGS = '1000,100000,1000000';
const TEAMS = '20,100,500';
const USUAL: Size = { bookings: 100_000, teams: 100 };
/** Few, so that no request waits for another, and no two share a statement. */
const CONNECTIONS = 2;
const WARM_UP_SECONDS = 1;
const ROUND_SECONDS = 1;
const ROUNDS = 3;

/** `changeable`: bookings for this load alone. */
type Load = (fixtures: GrowthFixtures, changeable: string[]) => LoadRequest[];
const get = (path: string): LoadRequest => ({ method: 'GET', path });
const query = (path: string, parameters: Record<string, string>): LoadRequest =>
  get(`${path}?${new URLSearchParams(parameters)}`);

const partners = '/v1/partners';
const LOADS: Record<string, { load: Load; of: 'partner' | 'operator'; changes?: true }> = {
  status: {
    of: 'partner',
    load: ({ bookingIds }) => bookingIds.map((id) => get(`${partners}/bookings/${id}/status`)),
  },
  list: { of: 'partner', load: () => [get(`${partners}/bookings`)] },
  'list by status': { of: 'partner', load: () => [query(`${partners}/bookings`, { status: 'success' })] },
  'list by dates': {
    of: 'partner',
    load: ({ busyDate }) => [
      query(`${partners}/bookings`, { fromDate: addDays(busyDate, -30), toDate: busyDate, sortBy: 'date' }),
    ],
  },
  'list by status from a date': {
    of: 'partner',
    load: ({ busyDate }) => [
      query(`${partners}/bookings`, { fromDate: addDays(busyDate, -300), status: 'success' }),
    ],
  },
  // In the order of creation, before another year and all future ones.
  'list by a past year': {
    of: 'partner',
    load: ({ busyDate }) => [
      query(`${partners}/bookings`, { fromDate: addDays(busyDate, -730), toDate: addDays(busyDate, -366) }),
    ],
  },
  timeslots: {
    of: 'partner',
    load: ({ addressId, serviceId, busyDate }) => [
      query(`${partners}/timeslots/available`, { addressId, serviceId, date: busyDate }),
    ],
  },
  'deliveries of a subscription': {
    of: 'partner',
    load: ({ subscriptionId }) => [query(`${partners}/webhooks/deliveries`, { subscriptionId })],
  },
  'deliveries, delivered': {
    of: 'partner',
    load: ({ subscriptionId }) => [
      query(`${partners}/webhooks/deliveries`, { subscriptionId, status: 'DELIVERED' }),
    ],
  },
  'deliveries, operator': {
    of: 'operator',
    load: ({ subscriptionId }) => [query('/operator/deliveries', { subscriptionId })],
  },
  'search by phone': {
    of: 'operator',
    load: ({ phones }) => phones.map((phone) => query('/operator/search', { q: `0${phone.slice(4)}` })),
  },
  'search by a reference': {
    of: 'operator',
    load: ({ references }) => references.map((q) => query('/operator/search', { q })),
  },
  'search by a part of a reference': {
    of: 'operator',
    load: ({ references }) =>
      references.map((reference) => query('/operator/search', { q: reference.slice(-6) })),
  },
  'search by a name': {
    of: 'operator',
    load: () =>
      ['Noura Al-Qahtani', 'hess mans', 'Mansour', 'Khal'].map((q) => query('/operator/search', { q })),
  },
  'bookings by a part of a reference': {
    of: 'operator',
    load: ({ references }) =>
      references.map((reference) => query('/operator/bookings', { search: reference.slice(-6) })),
  },
  'bookings by phone': {
    of: 'operator',
    load: ({ phones }) => phones.map((phone) => query('/operator/bookings', { phone })),
  },
  create: {
    of: 'partner',
    load: ({ contactId, addressId, serviceId, freeSlots }) =>
      freeSlots.map(({ date, ...timeslot }) => ({
        method: 'POST',
        path: `${partners}/bookings`,
        body: { contactId, addressId, serviceId, date, timeslot },
      })),
  },
  contact: {
    of: 'partner',
    load: () =>
      Array.from({ length: 20_000 }, () => ({
        method: 'POST',
        path: `${partners}/contacts`,
        body: { name: 'Noura', phone: `+9665${newPhone++}`, latitude: '24.7136', longitude: '46.6753' },
      })),
  },
  confirm: {
    of: 'partner',
    changes: true,
    load: (_, changeable) =>
      changeable.map((id) => ({
        method: 'POST',
        path: `${partners}/bookings/${id}/confirm-payment`,
        body: { paymentReference: `payment-${id}` },
      })),
  },
  update: {
    of: 'partner',
    changes: true,
    load: (_, changeable) =>
      changeable.map((id) => ({
        method: 'PATCH',
        path: `${partners}/bookings/${id}`,
        body: { externalReference: `changed-${id}` },
      })),
  },
  cancel: {
    of: 'partner',
    changes: true,
    load: ({ reasonId }, changeable) =>
      changeable.map((id) => ({
        method: 'PATCH',
        path: `${partners}/bookings/${id}/cancel`,
        body: { reasonId },
      })),
  },
};
/** After those of existing customers. */
let newPhone = 50_000_000;
/** For each load that changes bookings; the table grows by as many. */
const CHANGEABLE = 15_000;

type Side = {
  size: Size;
  server: Running;
  fixtures: GrowthFixtures;
  observer: pg.Client;
  cpu(): Promise<CpuTime>;
};
type Figures = { latencies: number[]; cpu: CpuTime; from: number };

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      bookings: { type: 'string', default: BOOKINGS },
      teams: { type: 'string', default: TEAMS },
      keep: { type: 'boolean', default: false },
    },
  });
  const names = Object.keys(LOADS).filter((name) => positionals.length === 0 || positionals.includes(name));
  if (names.length < positionals.length) throw new Error(`loads are: ${Object.keys(LOADS).join(', ')}`);
  const numbers = (text: string): number[] => text.split(',').map(Number);
  const byBookings = numbers(values.bookings).map((bookings) => ({ ...USUAL, bookings }));
  const byTeams = numbers(values.teams).map((teams) => ({ ...USUAL, teams }));

  await using started = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'pbs-growth-'));
  started.defer(() => rmSync(folder, { recursive: true }));
  const loader = fork(script('load.ts'));
  started.defer(() => loader.disconnect());
  for (const [what, sizes] of [
    ['bookings', byBookings],
    ['teams', byTeams],
  ] as const) {
    // Each group has its own databases: no worker has processed the changes of another one.
    const group: Side[] = [];
    for (const size of sizes) group.push(await start(started, folder, size, values.keep));
    const table: Record<string, object> = {};
    for (const name of names) table[name] = await compare(loader, group, LOADS[name]!, what);
    console.log(
      `\nCPU of process + PostgreSQL, p50 / p99, all in milliseconds, by ${what}; ratios to the first`,
    );
    console.table(table);
  }
}

const nameOf = ({ bookings, teams }: Size): string => `${bookings} bookings, ${teams} teams`;

async function start(
  started: AsyncDisposableStack,
  folder: string,
  size: Size,
  isKept: boolean,
): Promise<Side> {
  const adminUrl = process.env.BENCH_DATABASE_URL || 'postgres://root@127.0.0.1:5432/postgres';
  const begun = performance.now();
  const { url, drop, fixtures } = isKept
    ? await copyKept(adminUrl, size)
    : await createDatabase(adminUrl, async (db) => ({ fixtures: await fillGrowth(db, size) }));
  started.defer(drop);
  console.log(`${nameOf(size)}: filled in ${Math.round((performance.now() - begun) / 1000)} s`);
  const observer = new pg.Client({ connectionString: url });
  await observer.connect();
  started.defer(() => observer.end());
  const log = join(folder, `${randomBytes(6).toString('hex')}.log`);
  const server = await startProcess(script('../src/main.ts'), log, { ...serviceEnv(url), ROLES: 'api' });
  started.defer(server.stop);
  return { size, server, fixtures, observer, cpu: cpuMeter(observer, server.pid, 'partner-booking') };
}

/**
 * A copy of a database that an earlier run of the same day and schema has filled, which takes minutes for a million
 * bookings. It stays until it is dropped manually.
 */
async function copyKept(adminUrl: string, size: Size) {
  const { migrations, slices } = ownSources();
  const files = [...globSync(join(migrations, '*.sql')), ...globSync(join(slices, '*/functions.sql'))].sort();
  const filling = fileURLToPath(new URL('growth-fixtures.ts', import.meta.url));
  const texts = [...files, filling].map((path) => readFileSync(path));
  const day = dateOf(systemClock.now()).replaceAll('-', '');
  const hash = createHash('sha256').update(Buffer.concat(texts)).digest('hex').slice(0, 8);
  const kept = `pbs_growth_${size.bookings}_${size.teams}_${day}_${hash}`;
  const { rows } = await asAdmin(adminUrl, `select from pg_database where datname = '${kept}'`);
  if (rows.length === 0) {
    const filled = await createDatabase(adminUrl, async (db) => {
      const fixtures = JSON.stringify(await fillGrowth(db, size));
      await db.rows({
        text: 'create table bench_fixtures as select $1::jsonb as fixtures',
        values: [fixtures],
      });
      return {};
    });
    await asAdmin(adminUrl, `alter database ${new URL(filled.url).pathname.slice(1)} rename to ${kept}`);
  }
  const name = `pbs_bench_${randomBytes(6).toString('hex')}`;
  await asAdmin(adminUrl, `create database ${name} template ${kept} strategy file_copy`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const found = await asAdmin(url.href, 'select fixtures from bench_fixtures');
  return {
    url: url.href,
    drop: async () => {
      await asAdmin(adminUrl, `drop database ${name} with (force)`);
    },
    fixtures: found.rows[0].fixtures as GrowthFixtures,
  };
}

/** Short alternating rounds. */
async function compare(
  loader: ChildProcess,
  sides: readonly Side[],
  { load, of, changes }: (typeof LOADS)[string],
  what: keyof Size,
): Promise<Record<string, string>> {
  const changeable: string[][] = [];
  for (const { observer } of sides) changeable.push(changes ? await addChangeable(observer, CHANGEABLE) : []);
  const all = sides.map((side, index) => {
    const authorization = `Bearer ${serviceEnv('').OPERATOR_TOKEN}`;
    const headers: Record<string, string> =
      of === 'partner' ? { 'x-api-key': side.fixtures.key } : { authorization };
    const figures: Figures = { latencies: [], cpu: { node: 0, postgres: 0 }, from: 0 };
    return { side, cycle: load(side.fixtures, changeable[index]!), headers, figures };
  });
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { side, cycle, headers, figures } of all) {
      const seconds = round === 0 ? WARM_UP_SECONDS : ROUND_SECONDS;
      const { port } = side.server;
      await runRound(loader, side, figures, { port, headers, cycle, seconds });
      if (round === 0) Object.assign(figures, { latencies: [], cpu: { node: 0, postgres: 0 } });
    }
  }
  const cost = ({ cpu, latencies }: Figures): number => (cpu.node + cpu.postgres) / latencies.length;
  return Object.fromEntries(
    all.map(({ side, figures }) => {
      const { cpu, latencies } = figures;
      const [node, postgres] = [cpu.node, cpu.postgres].map((time) => (time / latencies.length).toFixed(2));
      const times = [0.5, 0.99].map((share) => quantile(latencies, share).toFixed(1)).join(' / ');
      const ratio = (cost(figures) / cost(all[0]!.figures)).toFixed(2);
      return [side.size[what], `${node} + ${postgres}, ${times} (${ratio})`];
    }),
  );
}

async function runRound(
  loader: ChildProcess,
  { cpu }: Side,
  figures: Figures,
  round: Omit<Round, 'connections' | 'from'>,
): Promise<void> {
  const before = await cpu();
  loader.send({ ...round, connections: CONNECTIONS, from: figures.from } satisfies Round);
  const [reply] = (await once(loader, 'message')) as [Reply];
  if ('error' in reply) throw new Error(reply.error);
  const after = await cpu();
  figures.from += reply.result.done;
  figures.cpu.node += after.node - before.node;
  figures.cpu.postgres += after.postgres - before.postgres;
  for (const latency of reply.result.latencies) figures.latencies.push(latency);
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}

await main();
