import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { Pool } from 'undici';
import { createCluster } from '../chaos/cluster.ts';
import { processTime } from './cpu.ts';
import { createBenchDatabase, type Fixtures } from './fixtures.ts';
import { script, serviceEnv, startProcess } from './processes.ts';
import { quantile } from './results.ts';

/**
 * Measures the cost of each operation, and a day of a country at 1:1000 in compressed time, on a separate PostgreSQL,
 * so that all CPU time, log and disk of that server belong to the service: `node bench/day.ts`. It prints the tables of
 * docs/SCALING.md.
 */

const { values: options } = parseArgs({
  options: {
    /** Per day, before the division by 1,000. */
    bookings: { type: 'string', default: '1000000' },
    /** Real time of a whole day. */
    seconds: { type: 'string', default: '240' },
    weekday: { type: 'string', default: 'thursday' },
    ramadan: { type: 'boolean', default: false },
    /** Only the cost of each operation. */
    'cost-only': { type: 'boolean', default: false },
  },
});

/**
 * Shares of a day's requests by the hour of Riyadh, from midnight on. The Saudi Internet Report 2023 of the CST names 21 to
 * 23 o'clock as the peak of use; the rest of the curve is an assumption: quiet before dawn, a rise through the working
 * day, a dip at the prayers of noon and sunset. In Ramadan use rises before dawn and falls after sunset (Cloudflare Radar,
 * 2022); the evening then lasts until late at night.
 */
const HOURS = [30, 20, 12, 8, 7, 10, 15, 22, 32, 42, 50, 52, 46, 48, 52, 54, 58, 56, 52, 60, 68, 78, 76, 52];
const RAMADAN = [
  66, 60, 52, 46, 40, 18, 8, 8, 12, 20, 32, 42, 44, 48, 52, 54, 46, 30, 14, 34, 52, 74, 78, 70,
];
/**
 * Of a week, 1 is the mean. Friday is among the busiest days of use (the same report), and the weekend is Friday and
 * Saturday; that cleaning is booked for the weekend on Thursday is an assumption.
 */
const WEEK: Record<string, number> = {
  sunday: 0.85,
  monday: 0.85,
  tuesday: 0.9,
  wednesday: 0.95,
  thursday: 1.2,
  friday: 1.2,
  saturday: 1.05,
};

type Operation =
  | 'contact'
  | 'services'
  | 'timeslots'
  | 'create'
  | 'status'
  | 'list'
  | 'feed'
  | 'confirm'
  | 'update'
  | 'cancel';
/**
 * Requests per booking. Four dates are viewed, one person in two books; partners poll a status in spite of webhooks;
 * one booking in eight is cancelled, one in five changed. Assumptions: the contract has no figures.
 */
const MIX: Record<Operation, number> = {
  contact: 1.2,
  services: 2,
  timeslots: 8,
  create: 1,
  status: 8,
  list: 1,
  feed: 0.5,
  confirm: 0.7,
  update: 0.2,
  cancel: 0.125,
};
const OPERATIONS = Object.keys(MIX) as Operation[];
/** The names in docs/SCALING.md. */
const TITLES: Record<Operation, string> = {
  contact: 'create a contact with an address',
  services: 'services',
  timeslots: 'timeslots',
  create: 'create a booking',
  status: 'status',
  list: 'list of 20, no filter',
  feed: 'feed, nothing new',
  confirm: 'confirm payment',
  update: 'update a reference',
  cancel: 'cancel',
};
/** Tables that every booking writes. */
const WRITTEN = ['bookings', 'appointments', 'events'];
const CONNECTIONS = 32;
/** Repetitions of an operation for its cost, and connections. */
const TIMES = 400;
const COST_CONNECTIONS = 4;

type LoadRequest = { method: 'GET' | 'POST' | 'PATCH'; path: string; body?: unknown };
type Spent = { node: number; postgres: number; wal: number };
type Cost = Spent & { operation: Operation; p50: number; p99: number };
/** The cost of a booking with all its requests: CPU in milliseconds, bytes of the log and of the disk. */
type Whole = Spent & { disk: number };

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pbs-day-'));
  // Settings of a dedicated server; commits are flushed to the disk.
  const cluster = await createCluster({
    shared_buffers: '512MB',
    max_wal_size: '4GB',
    max_connections: '60',
  });
  await cluster.start();
  const filled = await createBenchDatabase(cluster.url());
  const client = new pg.Client({ connectionString: filled.url });
  await client.connect();
  const env = { ...serviceEnv(filled.url), ROLES: 'api,worker', LOG_LEVEL: 'warn' };
  const service = await startProcess(script('../src/main.ts'), join(folder, 'service.log'), env, [
    '--max-semi-space-size=4',
  ]);
  const pool = new Pool(`http://127.0.0.1:${service.port}`, { connections: CONNECTIONS });
  const cycle = nextRequestsOf(filled.fixtures);
  const unexpected = new Map<string, number>();

  async function fire(operation: Operation): Promise<void> {
    const { method, path, body } = cycle[operation]();
    const headers = {
      'x-api-key': filled.fixtures.key,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const text = body === undefined ? null : JSON.stringify(body);
    const answer = await pool.request({ method, path: `/v1${path}`, headers, body: text });
    const said = (await answer.body.json()) as { data?: { bookingId?: string } };
    if (answer.statusCode === 200) return;
    const fault = `${operation} ${answer.statusCode}: ${JSON.stringify(said).slice(0, 200)}`;
    unexpected.set(fault, (unexpected.get(fault) ?? 0) + 1);
  }

  /** All processes of the server: connections, log writer, checkpointer, autovacuum. */
  function postgresTime(): number {
    const [first] = readFileSync(join(cluster.folder, 'postmaster.pid'), 'utf8').split('\n');
    return [first!, ...children(first!)].reduce((sum, pid) => sum + (processTime(Number(pid)) || 0), 0);
  }

  async function spent(): Promise<Spent> {
    const { rows } = await client.query<{ wal: number }>(
      `select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint as wal`,
    );
    return { node: processTime(service.pid), postgres: postgresTime(), wal: Number(rows[0]!.wal) };
  }

  async function costOf(operation: Operation): Promise<Cost> {
    for (let times = 0; times < 50; times++) await fire(operation);
    const before = await spent();
    const latencies: number[] = [];
    let left = TIMES;
    await Promise.all(
      Array.from({ length: COST_CONNECTIONS }, async () => {
        while (left-- > 0) {
          const began = performance.now();
          await fire(operation);
          latencies.push(performance.now() - began);
        }
      }),
    );
    const after = await spent();
    return {
      operation,
      p50: quantile(latencies, 0.5),
      p99: quantile(latencies, 0.99),
      node: (after.node - before.node) / TIMES,
      postgres: (after.postgres - before.postgres) / TIMES,
      wal: (after.wal - before.wal) / TIMES,
    };
  }

  /** Sums of partitions. */
  async function sizes(): Promise<Map<string, { heap: number; indexes: number; rows: number }>> {
    await client.query('vacuum analyze');
    const { rows } = await client.query<{ name: string; heap: string; indexes: string; rows: string }>(`
      select coalesce(whole.relname, c.relname) as name, sum(pg_table_size(c.oid)) as heap,
        sum(pg_indexes_size(c.oid)) as indexes, sum(greatest(c.reltuples, 0))::bigint as rows
      from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class whole on whole.oid = i.inhparent
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1`);
    return new Map(
      rows.map((row) => [
        row.name,
        { heap: Number(row.heap), indexes: Number(row.indexes), rows: Number(row.rows) },
      ]),
    );
  }

  try {
    console.log(`load of the machine at the start ${loadavg()[0]!.toFixed(1)}`);
    // Without full-page images, whose number depends on the writes between two checkpoints.
    await pageImages('off');
    const costs: Cost[] = [];
    for (const operation of OPERATIONS) costs.push(await costOf(operation));
    printTable(
      'What an operation costs',
      ['Operation', 'Process', 'PostgreSQL', 'WAL', 'p50', 'p99'],
      costs.map(({ operation, node, postgres, wal, p50, p99 }) => [
        TITLES[operation],
        node.toFixed(1),
        postgres.toFixed(1),
        whole(wal),
        p50.toFixed(1),
        p99.toFixed(1),
      ]),
    );
    const tables = await sizes();
    printTable(
      'Bytes of a row',
      ['Table', 'Row', 'Indexes of a row'],
      WRITTEN.map((name) => {
        const { heap, indexes, rows } = tables.get(name)!;
        return [`\`${name}\``, whole(heap / rows), whole(indexes / rows)];
      }),
    );

    await pageImages('on');
    // Without a day: the cost of its operations, without full-page images and disk.
    const mixed = (of: (cost: Cost) => number): number =>
      costs.reduce((sum, cost) => sum + MIX[cost.operation] * of(cost), 0);
    const booking = options['cost-only']
      ? {
          node: mixed(({ node }) => node),
          postgres: mixed(({ postgres }) => postgres),
          wal: mixed(({ wal }) => wal),
          disk: 0,
        }
      : await day();
    console.log(
      `\nA booking with all its requests: ${booking.node.toFixed(1)} ms of the process, ` +
        `${booking.postgres.toFixed(1)} ms of PostgreSQL, ${whole(booking.wal)} bytes of WAL, ${whole(booking.disk)} of disk`,
    );
    printTable('One and ten million bookings a day', ['', '1 million', '10 million'], planOf(booking));
    console.log(`load of the machine at the end ${loadavg()[0]!.toFixed(1)}`);
    for (const [fault, times] of unexpected) console.log(`${times} times ${fault}`);
    if (unexpected.size > 0) process.exitCode = 1;
  } finally {
    await pool.close();
    await client.end();
    await service.stop();
    await cluster.remove();
    rmSync(folder, { recursive: true, force: true });
  }

  async function day(): Promise<Whole> {
    const factor = WEEK[options.weekday];
    if (factor === undefined) throw new Error(`--weekday is one of ${Object.keys(WEEK).join(', ')}`);
    const hours = options.ramadan ? RAMADAN : HOURS;
    const sum = hours.reduce((all, share) => all + share, 0);
    const bookings = (Number(options.bookings) / 1000) * factor;
    const perHour = (Number(options.seconds) * 1000) / 24;
    const all = Object.values(MIX).reduce((total, share) => total + share, 0);
    const seen: { operation: Operation; hour: number; latency: number; late: number }[] = [];
    const pending = new Set<Promise<void>>();
    const before = await spent();
    const sizeBefore = await databaseSize();
    const began = performance.now();
    for (let hour = 0; hour < 24; hour++) {
      const requests = (bookings * all * hours[hour]!) / sum;
      const gap = perHour / requests;
      // Independent arrivals, which do not wait for responses (an open loop).
      let at = began + hour * perHour - gap * Math.log(1 - Math.random());
      while (at < began + (hour + 1) * perHour) {
        const wait = at - performance.now();
        if (wait > 1) await sleep(wait);
        const operation = draw();
        const due = at;
        const sent = performance.now();
        const done: Promise<void> = fire(operation).then(() => {
          seen.push({ operation, hour, latency: performance.now() - due, late: sent - due });
          pending.delete(done);
        });
        pending.add(done);
        at -= gap * Math.log(1 - Math.random());
      }
    }
    await Promise.all(pending);
    const took = (performance.now() - began) / 1000;
    const after = await spent();
    const sizeAfter = await databaseSize();
    const peak = hours.indexOf(Math.max(...hours));
    console.log(
      `\nA ${options.weekday}${options.ramadan ? ' in Ramadan' : ''} of ${options.bookings} bookings at 1:1000, in ${took.toFixed(0)} s ` +
        `instead of ${options.seconds}: ${seen.length} requests; peak at ${peak} o'clock, ` +
        `${Math.round((bookings * all * hours[peak]!) / sum / (perHour / 1000))} requests a second:`,
    );
    console.table(
      [...OPERATIONS, 'all' as const].map((operation) => {
        const own = seen.filter((one) => operation === 'all' || one.operation === operation);
        const atPeak = own.filter(({ hour }) => hour === peak).map(({ latency }) => latency);
        const latencies = own.map(({ latency }) => latency);
        return {
          operation,
          requests: own.length,
          'p50 ms': round(quantile(latencies, 0.5)),
          'p99 ms': round(quantile(latencies, 0.99)),
          'p50 at peak': round(quantile(atPeak, 0.5)),
          'p99 at peak': round(quantile(atPeak, 0.99)),
        };
      }),
    );
    const created = seen.filter(({ operation }) => operation === 'create').length;
    return {
      node: (after.node - before.node) / created,
      postgres: (after.postgres - before.postgres) / created,
      wal: (after.wal - before.wal) / created,
      disk: (sizeAfter - sizeBefore) / created,
    };
  }

  async function pageImages(mode: 'on' | 'off'): Promise<void> {
    await client.query(`alter system set full_page_writes = ${mode}`);
    await client.query('select pg_reload_conf()');
  }

  async function databaseSize(): Promise<number> {
    const { rows } = await client.query<{ size: string }>(
      'select pg_database_size(current_database()) as size',
    );
    return Number(rows[0]!.size);
  }
}

function children(pid: string): string[] {
  try {
    return execFileSync('ps', ['-o', 'pid=', '--ppid', pid], { encoding: 'utf8' }).trim().split(/\s+/);
  } catch {
    return []; // a table without partitions
  }
}

function draw(): Operation {
  const all = OPERATIONS.reduce((sum, operation) => sum + MIX[operation], 0);
  let at = Math.random() * all;
  for (const operation of OPERATIONS) {
    at -= MIX[operation];
    if (at < 0) return operation;
  }
  return 'status';
}

const whole = (value: number): string => Math.round(value).toLocaleString('en');

/** For one million bookings and ten, at the peak of a Thursday. */
function planOf({ node, postgres, wal, disk }: Whole): string[][] {
  const requests = Object.values(MIX).reduce((sum, share) => sum + share, 0);
  const peak = (Math.max(...HOURS) * 24 * WEEK.thursday!) / HOURS.reduce((sum, share) => sum + share, 0);
  const line = (title: string, of: (perDay: number, perSecond: number) => string): string[] => [
    title,
    ...[1e6, 1e7].map((perDay) => of(perDay, (perDay / 86_400) * peak)),
  ];
  return [
    line('bookings a second, mean and peak', (perDay, perSecond) => {
      return `${whole(perDay / 86_400)} and ${whole(perSecond)}`;
    }),
    line('requests a second at the peak', (_, perSecond) => whole(perSecond * requests)),
    line('cores of `api` processes, busy', (_, perSecond) => ((perSecond * node) / 1000).toFixed(2)),
    line('cores of PostgreSQL, busy', (_, perSecond) => ((perSecond * postgres) / 1000).toFixed(2)),
    line('WAL in a day, and a second at the peak', (perDay, perSecond) => {
      return `${((perDay * wal) / 1e9).toFixed(1)} GB, ${((perSecond * wal) / 1e6).toFixed(1)} MB`;
    }),
    line('disk in a day and in a year, all kept', (perDay) => {
      return `${((perDay * disk) / 1e9).toFixed(1)} GB, ${((perDay * 365 * disk) / 1e12).toFixed(1)} TB`;
    }),
  ];
}

function printTable(title: string, heads: readonly string[], lines: readonly (readonly string[])[]): void {
  console.log(`\n${title}\n`);
  for (const cells of [heads, heads.map(() => '---'), ...lines]) console.log(`| ${cells.join(' | ')} |`);
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** The next request of each operation. */
function nextRequestsOf(fixtures: Fixtures): Record<Operation, () => LoadRequest> {
  const { contactId, addressId, serviceId, busyDate, reasonId, freeSlots, bookingIds } = fixtures;
  const next: Record<string, number> = {};
  const turn = (name: string): number => {
    next[name] = (next[name] ?? -1) + 1;
    return next[name];
  };
  const among = <T>(name: string, items: readonly T[]): T => items[turn(name) % items.length]!;
  const run = Date.now().toString(36);
  return {
    contact: () => {
      const body = {
        name: 'Noura Al-Qahtani',
        phone: `+9665${String(turn('contact')).padStart(8, '0')}`,
        latitude: '24.7136',
        longitude: '46.6753',
      };
      return { method: 'POST', path: '/partners/contacts', body };
    },
    services: () => ({ method: 'GET', path: `/partners/services?addressId=${addressId}` }),
    timeslots: () => {
      const date = among('timeslots', [busyDate, ...freeSlots.slice(0, 13).map((slot) => slot.date)]);
      const query = new URLSearchParams({ addressId, serviceId, date });
      return { method: 'GET', path: `/partners/timeslots/available?${query}` };
    },
    create: () => {
      const { date, startAt, endAt } = among('create', freeSlots);
      const externalReference = `day-${run}-${turn('reference')}`;
      const body = { contactId, addressId, serviceId, date, timeslot: { startAt, endAt }, externalReference };
      return { method: 'POST', path: '/partners/bookings', body };
    },
    status: () => ({ method: 'GET', path: `/partners/bookings/${among('status', bookingIds)}/status` }),
    list: () => ({ method: 'GET', path: '/partners/bookings?limit=20' }),
    feed: () => ({ method: 'GET', path: '/partners/events?after=latest' }),
    confirm: () => ({
      method: 'POST',
      path: `/partners/bookings/${among('confirm', fixtures.toConfirm)}/confirm-payment`,
      body: {},
    }),
    update: () => ({
      method: 'PATCH',
      path: `/partners/bookings/${among('update', fixtures.toUpdate)}`,
      body: { externalReference: `moved-${run}-${turn('moved')}` },
    }),
    cancel: () => ({
      method: 'PATCH',
      path: `/partners/bookings/${among('cancel', fixtures.toCancel)}/cancel`,
      body: { reasonId },
    }),
  };
}

await main();
