import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { cpuMeter } from './cpu.ts';
import { createBenchDatabase } from './fixtures.ts';
import { script, serviceEnv, startProcess } from './processes.ts';

/**
 * Measures requests against those of another checkout, installed in its own folder: `node bench/versions.ts ../before`.
 * One request at a time, the versions and the kinds in turns, each on a database of its own; not more than 100 a second, so that
 * a sandbox keeps the bodies of all of them.
 */
const BATCHES = 10;
const BATCH = 100;
const PAUSE_MS = 10;
const WARM_UP = 4;

const adminUrl = process.env.BENCH_DATABASE_URL ?? 'postgres://root@127.0.0.1:5432/postgres';
const other = process.argv[2];
if (other === undefined) throw new Error('the folder of the other checkout is missing');

const KINDS = ['status', 'list', 'timeslots', 'create', 'update', 'cancel'] as const;
type Kind = (typeof KINDS)[number];
type Measured = Awaited<ReturnType<typeof open>>;

async function open(folder: string, createDatabase: typeof createBenchDatabase) {
  const database = await createDatabase(adminUrl);
  const service = await startProcess(`${folder}/src/main.ts`, '/dev/null', serviceEnv(database.url));
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return {
    fixtures: database.fixtures,
    port: service.port,
    cpu: cpuMeter(client, service.pid, 'partner-booking'),
    sent: 0,
    made: [] as string[],
    spent: Object.fromEntries(KINDS.map((kind) => [kind, []])) as unknown as Record<Kind, number[]>,
    async close() {
      await client.end();
      await service.stop();
      await database.drop();
    },
  };
}

async function send({ fixtures, port, sent, made }: Measured, kind: Kind): Promise<void> {
  const { key, contactId, addressId, serviceId, bookingIds, freeSlots, busyDate, reasonId } = fixtures;
  const { date, ...timeslot } = freeSlots[sent % freeSlots.length]!;
  const last = made.at(-1);
  const [method, path, body]: readonly [string, string, object?] = {
    status: () => ['GET', `/bookings/${bookingIds[sent % bookingIds.length]}/status`] as const,
    list: () => ['GET', '/bookings?limit=20'] as const,
    timeslots: () =>
      ['GET', `/timeslots/available?addressId=${addressId}&serviceId=${serviceId}&date=${busyDate}`] as const,
    create: () => ['POST', '/bookings', { contactId, addressId, serviceId, date, timeslot }] as const,
    update: () => ['PATCH', `/bookings/${last}`, { notes: `Gate ${sent}` }] as const,
    cancel: () => ['PATCH', `/bookings/${made.pop()}/cancel`, { reasonId }] as const,
  }[kind]();
  const answer = await fetch(`http://127.0.0.1:${port}/v1/partners${path}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
  if (kind === 'create') made.push(JSON.parse(text).data.bookingId);
  await setTimeout(PAUSE_MS);
}

/** CPU milliseconds of one request, of the process and of PostgreSQL together. */
async function batch(it: Measured, kind: Kind): Promise<number> {
  const before = await it.cpu();
  for (let request = 0; request < BATCH; request++) {
    await send(it, kind);
    it.sent++;
  }
  const after = await it.cpu();
  return (after.node - before.node + after.postgres - before.postgres) / BATCH;
}

// No median: the CPU clock counts in steps of 10 ms.
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const fixturesOfOther: { createBenchDatabase: typeof createBenchDatabase } = await import(
  pathToFileURL(`${other}/bench/fixtures.ts`).href
);
const ours = await open(script('..'), createBenchDatabase);
try {
  const theirs = await open(other, fixturesOfOther.createBenchDatabase);
  try {
    for (let round = -WARM_UP; round < BATCHES; round++) {
      for (const kind of KINDS) {
        for (const it of round % 2 === 0 ? [ours, theirs] : [theirs, ours]) {
          const spent = await batch(it, kind);
          if (round >= 0) it.spent[kind].push(spent);
        }
      }
    }
    for (const kind of KINDS) {
      const [mine, other] = [mean(ours.spent[kind]), mean(theirs.spent[kind])];
      console.log(
        `${kind}: ${mine.toFixed(2)} ms of CPU, ${other.toFixed(2)} before: ${(mine / other).toFixed(2)}`,
      );
    }
  } finally {
    await theirs.close();
  }
} finally {
  await ours.close();
}
