import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { canonicalJson } from '../src/base/canonical-json.ts';
import { connectPostgres, type Db } from '../src/db/connection.ts';
import { MAX_PER_SUBSCRIPTION } from '../src/webhooks/rules.ts';
import { createSecret } from '../src/webhooks/signature.ts';
import { cpuMeter, processTime } from './cpu.ts';
import type { FilledDatabase } from './fixtures.ts';
import { COUNTING, queryCount, script, serviceEnv, startProcess } from './processes.ts';
import type { Result } from './results.ts';

/**
 * Deliveries per second, compared with a bare loop that posts the same bodies to the same receiver (webhook-floor.ts).
 */
export const DELIVERIES = 'deliveries';
export const EVENTS = 10_000;
const ROUNDS = 3;

/** Begins, and returns the rate at which the events arrive, per second. */
export async function received(receiver: ChildProcess, begin: () => unknown): Promise<number> {
  receiver.send({ wanted: EVENTS });
  await begin();
  const [{ milliseconds }] = (await once(receiver, 'message')) as [{ milliseconds: number }];
  return (EVENTS / milliseconds) * 1000;
}

/** A subscription of the partner to the receiver. */
export async function prepareDeliveries(db: Db, partnerId: string, url: string): Promise<void> {
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
export function writeEvents(db: Db, bookingIds: string[]): Promise<unknown> {
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

export const BOOKING = {
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

/** Runs both sides alternately, each in a separate process, on a database of the benches. */
export async function compareDeliveries({ url: databaseUrl, fixtures }: FilledDatabase): Promise<Result> {
  await using started = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'pbs-bench-'));
  started.defer(() => rmSync(folder, { recursive: true }));
  // A separate application name, so that writing the events does not count as the service's work.
  const db = connectPostgres(`${databaseUrl}?application_name=bench-writer`, 2, (error) => {
    throw error;
  });
  started.defer(() => db.close());
  const observer = new pg.Client({ connectionString: databaseUrl });
  await observer.connect();
  started.defer(() => observer.end());
  const receiver = fork(script('webhook-receiver.ts'));
  started.defer(() => receiver.disconnect());
  const floor = fork(script('webhook-floor.ts'));
  started.defer(() => floor.disconnect());
  const [{ port }] = (await once(receiver, 'message')) as [{ port: number }];
  const url = `http://127.0.0.1:${port}/hooks`;
  await prepareDeliveries(db, fixtures.partnerId, url);
  const worker = await startProcess(
    script('../src/main.ts'),
    join(folder, 'worker.log'),
    {
      ...serviceEnv(databaseUrl),
      LOG_LEVEL: 'warn',
      WEBHOOK_ALLOW_HOSTS: `127.0.0.1:${port}`,
    },
    COUNTING,
  );
  started.defer(worker.stop);
  const cpu = cpuMeter(observer, worker.pid, 'partner-booking');
  const usage = async () => ({
    ...(await cpu()),
    ...(await queryCount(worker.child)),
  });

  const bodies = [canonicalJson({ deliveryId: randomUUID(), event: 'booking.updated', payload: BOOKING })];
  const bookings = fixtures.bookingIds.slice(0, EVENTS);
  const rates: { floor: number; ours: number }[] = [];
  const used = { node: 0, postgres: 0, statements: 0, roundTrips: 0 };
  let floorCpu = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const cpuBefore = processTime(floor.pid!);
    const bare = await received(receiver, () =>
      floor.send({ url, bodies, count: EVENTS, atOnce: MAX_PER_SUBSCRIPTION }),
    );
    const before = await usage();
    const ours = await received(receiver, () => writeEvents(db, bookings));
    const after = await usage();
    // The first round warms up.
    if (round === 0) continue;
    rates.push({ floor: bare, ours });
    floorCpu += processTime(floor.pid!) - cpuBefore;
    for (const what of Object.keys(used) as (keyof typeof used)[]) used[what] += after[what] - before[what];
  }
  const deliveries = EVENTS * ROUNDS;
  const unwaited = { p50: null, p99: null };
  return {
    name: DELIVERIES,
    connections: MAX_PER_SUBSCRIPTION,
    target: 0.5,
    ratios: rates.map((rate) => rate.ours / rate.floor),
    floor: {
      perSecond: rates.map((rate) => rate.floor),
      ...unwaited,
      cpuNode: floorCpu / deliveries,
      cpuPostgres: 0,
      statements: 0,
      roundTrips: 0,
    },
    ours: {
      perSecond: rates.map((rate) => rate.ours),
      ...unwaited,
      cpuNode: used.node / deliveries,
      cpuPostgres: used.postgres / deliveries,
      statements: used.statements / deliveries,
      roundTrips: used.roundTrips / deliveries,
    },
  };
}
