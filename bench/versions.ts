import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { cpuMeter } from './cpu.ts';
import { createBenchDatabase } from './fixtures.ts';
import { script, serviceEnv, startProcess } from './processes.ts';

/**
 * Measures a status read and a creation against those of another checkout, installed in its own folder:
 * `node bench/versions.ts ../before`. One request at a time, the versions and the kinds in turns, each on a database of its own.
 */
const BATCHES = 20;
const BATCH = 100;
const WARM_UP = 4;

const adminUrl = process.env.BENCH_DATABASE_URL ?? 'postgres://root@127.0.0.1:5432/postgres';
const other = process.argv[2];
if (other === undefined) throw new Error('the folder of the other checkout is missing');

type Kind = 'status' | 'create';
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
    spent: { status: [] as number[], create: [] as number[] },
    async close() {
      await client.end();
      await service.stop();
      await database.drop();
    },
  };
}

async function send({ fixtures, port, sent }: Measured, kind: Kind): Promise<void> {
  const { key, contactId, addressId, serviceId, bookingIds, freeSlots } = fixtures;
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const base = `http://127.0.0.1:${port}/v1/partners/bookings`;
  const { date, ...timeslot } = freeSlots[sent % freeSlots.length]!;
  const answer =
    kind === 'status'
      ? await fetch(`${base}/${bookingIds[sent % bookingIds.length]}/status`, { headers })
      : await fetch(base, {
          method: 'POST',
          headers,
          body: JSON.stringify({ contactId, addressId, serviceId, date, timeslot }),
        });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
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
      for (const kind of ['status', 'create'] as const) {
        for (const it of round % 2 === 0 ? [ours, theirs] : [theirs, ours]) {
          const spent = await batch(it, kind);
          if (round >= 0) it.spent[kind].push(spent);
        }
      }
    }
    for (const kind of ['status', 'create'] as const) {
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
