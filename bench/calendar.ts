import pg from 'pg';
import { addDays, type CalendarDate } from '../src/base/clock.ts';
import { cpuMeter } from './cpu.ts';
import { createBenchDatabase } from './fixtures.ts';
import { script, serviceEnv, startProcess } from './processes.ts';

/**
 * Measures availability over several days against a single one: `node bench/calendar.ts`. 100 teams in one zone with 200
 * appointments a day; one request at a time, the kinds of requests in turns.
 */
const ROUNDS = 400;
const WARM_UP = 60;
const DAYS = 31;

const adminUrl = process.env.BENCH_DATABASE_URL ?? 'postgres://root@127.0.0.1:5432/postgres';
const database = await createBenchDatabase(adminUrl);
try {
  const service = await startProcess(script('../src/main.ts'), '/dev/null', serviceEnv(database.url));
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const cpu = cpuMeter(client, service.pid, 'partner-booking');
    await measure(service.port, cpu, pathsOf(database.fixtures));
  } finally {
    await client.end();
    await service.stop();
  }
} finally {
  await database.drop();
}

type Fixtures = (typeof database)['fixtures'];

function pathsOf({ addressId, serviceId, busyDate }: Fixtures): Record<string, (round: number) => string> {
  const place = `addressId=${addressId}&serviceId=${serviceId}`;
  const dateOf = (round: number): CalendarDate => addDays(busyDate, round % 300);
  const calendar = (round: number, days: number): string =>
    `/timeslots/calendar?${place}&from=${dateOf(round)}&to=${addDays(dateOf(round), days - 1)}`;
  return {
    'one day': (round) => `/timeslots/available?${place}&date=${dateOf(round)}`,
    'calendar, 1 day': (round) => calendar(round, 1),
    'calendar, 7 days': (round) => calendar(round, 7),
    [`calendar, ${DAYS} days`]: (round) => calendar(round, DAYS),
    [`calendar, ${DAYS} days, view=days`]: (round) => `${calendar(round, DAYS)}&view=days`,
    'next, 10 slots': (round) =>
      `/timeslots/next?${place}&count=10&notBefore=${dateOf(round)}T12:00:00%2B03:00`,
    coverage: () => '/coverage?latitude=24.7136&longitude=46.6753',
  };
}

async function measure(
  port: number,
  cpu: ReturnType<typeof cpuMeter>,
  paths: ReturnType<typeof pathsOf>,
): Promise<void> {
  const headers = { 'x-api-key': database.fixtures.key };
  const kinds = Object.entries(paths).map(([name, path]) => ({
    name,
    path,
    times: [] as number[],
    node: 0,
    postgres: 0,
    bytes: 0,
  }));
  // Batches of one kind: the CPU clock counts in steps of 10 ms.
  const batch = 40;
  for (let first = -WARM_UP; first < ROUNDS; first += batch) {
    for (const kind of kinds) {
      const before = await cpu();
      for (let round = first; round < first + batch; round++) {
        const began = performance.now();
        const answer = await fetch(`http://127.0.0.1:${port}/v1/partners${kind.path(Math.abs(round))}`, {
          headers,
        });
        const text = await answer.text();
        if (answer.status !== 200) throw new Error(text);
        if (first < 0) continue;
        kind.times.push(performance.now() - began);
        kind.bytes = text.length;
      }
      const after = await cpu();
      if (first < 0) continue;
      kind.node += after.node - before.node;
      kind.postgres += after.postgres - before.postgres;
    }
  }
  const cpuOf = ({ node, postgres, times }: (typeof kinds)[number]): number =>
    (node + postgres) / times.length;
  for (const kind of kinds) {
    const times = kind.times.sort((a, b) => a - b);
    const at = (part: number): string => times[Math.floor(times.length * part)]!.toFixed(1);
    console.log(
      `${kind.name}: ${at(0.5)} ms median, ${at(0.99)} ms at 99 %, ${(kind.bytes / 1024).toFixed(1)} KiB; CPU ` +
        `${(kind.node / times.length).toFixed(2)} ms ours, ${(kind.postgres / times.length).toFixed(2)} ms of PostgreSQL, ` +
        `${(cpuOf(kind) / cpuOf(kinds[0]!)).toFixed(1)} of one day`,
    );
  }
}
