import pg from 'pg';
import { addDays, dateOf, systemClock } from '../src/base/clock.ts';
import { connectPostgres } from '../src/db/connection.ts';
import { insertDay } from './board-day.ts';
import { cpuMeter } from './cpu.ts';
import { createBenchDatabase } from './fixtures.ts';
import { script, serviceEnv, startProcess } from './processes.ts';

/**
 * Measures the operator's board: `node bench/board.ts`. 100 teams with 600 appointments on one day, beside 100,335 on
 * others; one request at a time.
 */
const ROUNDS = 200;
const WARM_UP = 20;

const quantile = (sorted: number[], part: number): string =>
  sorted[Math.floor(sorted.length * part)]!.toFixed(1);

const adminUrl = process.env.BENCH_DATABASE_URL ?? 'postgres://root@127.0.0.1:5432/postgres';
const database = await createBenchDatabase(adminUrl);
try {
  const date = dateOf(systemClock.now());
  const db = connectPostgres(database.url, 1, () => {});
  await insertDay(db, date, database.fixtures);
  await db.rows({ text: 'analyze' });
  await db.close();
  const env = serviceEnv(database.url);
  const service = await startProcess(script('../src/main.ts'), '/dev/null', env);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const cpu = cpuMeter(client, service.pid, 'partner-booking');
  try {
    const ask = async (path: string) => {
      const began = performance.now();
      const answer = await fetch(`http://127.0.0.1:${service.port}/operator${path}`, {
        headers: { authorization: `Bearer ${env.OPERATOR_TOKEN}` },
      });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(text);
      return { took: performance.now() - began, text };
    };
    for (const [name, path] of [
      ['100 teams, 600 appointments', `/board?date=${date}`],
      ['100 teams, none', `/board?date=${addDays(date, 600)}`],
    ] as const) {
      for (let round = 0; round < WARM_UP; round++) await ask(path);
      const times: number[] = [];
      let size = 0;
      const before = await cpu();
      for (let round = 0; round < ROUNDS; round++) {
        const { took, text } = await ask(path);
        times.push(took);
        size = text.length;
      }
      const after = await cpu();
      const each = (server: 'node' | 'postgres'): string =>
        ((after[server] - before[server]) / ROUNDS).toFixed(1);
      times.sort((a, b) => a - b);
      console.log(
        `${name}: ${quantile(times, 0.5)} ms median, ${quantile(times, 0.9)} ms at 90 %, ${Math.round(size / 1024)} KiB; ` +
          `CPU ${each('node')} ms ours, ${each('postgres')} ms of PostgreSQL`,
      );
    }
  } finally {
    await client.end();
    await service.stop();
  }
} finally {
  await database.drop();
}
