import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { canonicalJson } from '../src/canonical-json.ts';
import { connectPostgres, type Db } from '../src/db/connection.ts';
import { MAX_PER_SUBSCRIPTION } from '../src/webhooks/rules.ts';
import { createSecret } from '../src/webhooks/signature.ts';
import { createBenchDatabase } from './fixtures.ts';

/**
 * Deliveries a second against a bare loop that posts the same bodies to the same receiver (webhook-floor.ts):
 * `node bench/webhooks.ts`. Both sides in turns, each in a process of its own.
 */
const DELIVERIES = 10_000;
const ROUNDS = 3;

const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

async function received(receiver: ChildProcess, begin: () => unknown): Promise<number> {
  receiver.send({ wanted: DELIVERIES });
  await begin();
  const [{ milliseconds }] = (await once(receiver, 'message')) as [{ milliseconds: number }];
  return (DELIVERIES / milliseconds) * 1000;
}

async function prepare(db: Db, partnerId: string, url: string): Promise<void> {
  await db.rows({
    text: `update partners set allowed_webhook_domains = array['127.0.0.1'] where id = $1`,
    values: [partnerId],
  });
  await db.rows({
    text: `
      insert into webhook_subscriptions (partner_id, url, events, secret, created_at, updated_at)
      values ($1, $2, array['booking.updated'], $3, now(), now())`,
    values: [partnerId, url, createSecret()],
  });
}

/** One event for each of many bookings, as updates write them. */
function writeEvents(db: Db, bookingIds: string[]): Promise<unknown> {
  return db.rows({
    text: `
      with booking as (
        update bookings set event_count = event_count + 1 where id = any ($1::uuid[]) returning *
      )
      insert into events (id, partner_id, booking_id, sequence, event, payload, created_at)
      select gen_random_uuid(), partner_id, id, event_count, 'booking.updated', $2::jsonb || jsonb_build_object(
        'bookingId', id), now() from booking`,
    values: [bookingIds, JSON.stringify(BOOKING)],
  });
}

const BOOKING = {
  bookingId: randomUUID(),
  externalReference: 'ORDER-2026-000123',
  appointmentId: randomUUID(),
  status: 'in progress',
  paymentStatus: 'PENDING',
  trackingReference: 'SA-0042',
  date: '2026-12-01T00:00:00.000Z',
  timeslot: { startAt: '09:00', endAt: '11:00', endsAtNextDay: false },
  appointment: {
    id: randomUUID(),
    name: 'SA-0042',
    status: 'Scheduled',
    scheduledStartDateTime: '2026-12-01T09:00:00+03:00',
    scheduledEndDateTime: '2026-12-01T11:00:00+03:00',
  },
};

const adminUrl = process.env.BENCH_DATABASE_URL || 'postgres://root@127.0.0.1:5432/postgres';
const database = await createBenchDatabase(adminUrl);
const db = connectPostgres(database.url, 2, (error) => {
  throw error;
});
const receiver = fork(script('webhook-receiver.ts'));
const floor = fork(script('webhook-floor.ts'));
const [{ port }] = (await once(receiver, 'message')) as [{ port: number }];
const url = `http://127.0.0.1:${port}/hooks`;
await prepare(db, database.fixtures.partnerId, url);
const worker = spawn(process.execPath, [script('../src/main.ts')], {
  env: {
    PATH: process.env.PATH,
    DATABASE_URL: database.url,
    OPERATOR_TOKEN: 'operator-token-of-the-bench',
    ROLES: 'worker',
    DEPLOYMENT: 'sandbox',
    LOG_LEVEL: 'warn',
    WEBHOOK_ALLOW_HOSTS: `127.0.0.1:${port}`,
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
await once(worker.stdout!, 'data');

try {
  const bodies = [canonicalJson({ deliveryId: randomUUID(), event: 'booking.updated', payload: BOOKING })];
  const bookings = database.fixtures.bookingIds.slice(0, DELIVERIES);
  const rates: { floor: number; ours: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const bare = await received(receiver, () =>
      floor.send({ url, bodies, count: DELIVERIES, atOnce: MAX_PER_SUBSCRIPTION }),
    );
    const ours = await received(receiver, () => writeEvents(db, bookings));
    // The first round warms up.
    if (round > 0) rates.push({ floor: bare, ours });
  }
  console.table({
    webhooks: {
      'floor deliveries/s': Math.round(median(rates.map((rate) => rate.floor))),
      'ours deliveries/s': Math.round(median(rates.map((rate) => rate.ours))),
      ratio: median(rates.map((rate) => rate.ours / rate.floor)).toFixed(2),
      target: 0.5,
    },
  });
} finally {
  worker.kill();
  await once(worker, 'exit');
  receiver.disconnect();
  floor.disconnect();
  await db.close();
  await database.drop();
}
