import pg from 'pg';
import { DAY, dateOf, HOUR, MINUTE, startOfDate, systemClock } from '../src/base/clock.ts';
import { connectPostgres } from '../src/db/connection.ts';
import { playDay } from '../test/crew-day.ts';
import { insertDay } from './board-day.ts';
import { cpuMeter } from './cpu.ts';
import { createBenchDatabase } from './fixtures.ts';
import { script, serviceEnv, startProcess } from './processes.ts';
import { quantile } from './results.ts';

/**
 * Plays a day of 100 crews with two telephones each: `node bench/crews.ts`. Every step of 600 visits is sent by both, ten
 * telephones at once; it fails when office, crews and the partner's feed do not agree at the end.
 */
const VISITS = 6;

const adminUrl = process.env.BENCH_DATABASE_URL ?? 'postgres://root@127.0.0.1:5432/postgres';
const database = await createBenchDatabase(adminUrl);
try {
  const now = systemClock.now();
  const date = dateOf(now + DAY);
  const db = connectPostgres(database.url, 1, () => {});
  // No visit is under way or tomorrow's beside those of the day.
  for (const table of ['appointments', 'bookings']) await db.rows({ text: `truncate ${table} cascade` });
  await insertDay(db, date, database.fixtures);
  const teams = await db.rows<{ id: string }>({ text: 'select id from teams' });
  await db.rows({ text: 'analyze' });
  await db.close();
  const env = serviceEnv(database.url);
  const service = await startProcess(script('../src/main.ts'), '/dev/null', env);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const cpu = cpuMeter(client, service.pid, 'partner-booking');
  const url = `http://127.0.0.1:${service.port}`;
  const authorization = `Bearer ${env.OPERATOR_TOKEN}`;
  const wait = async (milliseconds: number): Promise<void> => {
    if (milliseconds === 0) return;
    const answer = await fetch(`${url}/operator/clock/advance`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ seconds: Math.round(milliseconds / 1_000) }),
    });
    if (!answer.ok) throw new Error(await answer.text());
  };
  try {
    // A crew that sets out 20 minutes before the start begins with it.
    await wait(startOfDate(date) + 8 * HOUR - 20 * MINUTE - now);
    const before = await cpu();
    const began = performance.now();
    const { visits, reads, steps } = await playDay(
      { url, operatorUrl: url, operatorToken: env.OPERATOR_TOKEN!, key: database.fixtures.key, wait },
      {
        teamIds: teams.map(({ id }) => id),
        date,
        starts: Array.from({ length: VISITS }, (_, nth) => nth * 2 * HOUR),
      },
    );
    const seconds = (performance.now() - began) / 1_000;
    const after = await cpu();
    const each = (server: 'node' | 'postgres'): string =>
      ((after[server] - before[server]) / steps.length).toFixed(1);
    const taking = (times: number[]): string =>
      [0.5, 0.99].map((share) => `${quantile(times, share).toFixed(1)} ms at ${share * 100} %`).join(', ');
    console.log(
      `${visits} visits of ${teams.length} crews in ${seconds.toFixed(0)} s: ${steps.length} steps and as many reads of the day`,
    );
    console.log(`step: ${taking(steps)}; read: ${taking(reads)}`);
    console.log(`CPU of a read and a step: ${each('node')} ms ours, ${each('postgres')} ms of PostgreSQL`);
    console.log(`office, street and the partner's feed agree on ${visits} visits, one event a move`);
  } finally {
    await client.end();
    await service.stop();
  }
} finally {
  await database.drop();
}
