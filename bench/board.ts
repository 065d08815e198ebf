import pg from 'pg';
import { addDays, dateOf, systemClock } from '../src/base/clock.ts';
import { connectPostgres, type Db } from '../src/db/connection.ts';
import { cpuMeter } from './cpu.ts';
import { createBenchDatabase } from './fixtures.ts';
import { script, serviceEnv, startProcess } from './processes.ts';

/**
 * Measures the operator's board: `node bench/board.ts`. 100 teams with 600 appointments on one day, beside 100,335 on
 * others; one request at a time.
 */
const ROUNDS = 200;
const WARM_UP = 20;

/** Six visits of an hour for every team today, which has none otherwise. */
async function insertDay(db: Db, date: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.rows({
      text: `
        create temporary table visits on commit drop as
        select gen_random_uuid() as booking_id, t.id as team_id,
          ($1::date + (8 + 2 * nth) * interval '1 hour') at time zone 'Asia/Riyadh' as starts_at
        from teams t, generate_series(0, 5) nth`,
      values: [date],
    });
    await tx.rows({
      text: `
        insert into bookings (id, partner_id, contact_id, address_id, service_id, status, payment_status,
          payment_responsibility, amount, service_date, event_count, created_at, updated_at)
        select v.booking_id, c.partner_id, c.id, a.id, s.id, 'in progress', 'PENDING', 'PARTNER', 150, $1::date, 0, now(), now()
        from visits v, contacts c, addresses a, services s`,
      values: [date],
    });
    await tx.rows({
      text: `
        insert into appointments (id, booking_id, team_id, zone_id, name, status, starts_at, ends_at, busy_until,
          created_at, updated_at)
        select gen_random_uuid(), v.booking_id, v.team_id, z.id, 'SA-0' || nextval('appointment_number'), 'Scheduled',
          starts_at, starts_at + interval '1 hour', starts_at + interval '90 minutes', now(), now()
        from visits v, zones z`,
    });
  });
}

const quantile = (sorted: number[], part: number): string =>
  sorted[Math.floor(sorted.length * part)]!.toFixed(1);

const adminUrl = process.env.BENCH_DATABASE_URL ?? 'postgres://root@127.0.0.1:5432/postgres';
const database = await createBenchDatabase(adminUrl);
try {
  const date = dateOf(systemClock.now());
  const db = connectPostgres(database.url, 1, () => {});
  await insertDay(db, date);
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
