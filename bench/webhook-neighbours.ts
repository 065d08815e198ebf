import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connectPostgres, type Db } from '../src/db/connection.ts';
import { createSecret } from '../src/webhooks/signature.ts';
import { createBenchDatabase } from './fixtures.ts';

/**
 * Measures the latency of a healthy endpoint beside others that hang: `node bench/webhook-neighbours.ts`. From the
 * commit of an event to its arrival, with one worker in a separate process. First beside 50 endpoints of 50 partners,
 * then beside one partner with 20.
 */
const HANG = 9_900;
const SECONDS = 20;
/** Events for each endpoint that hangs: at once, and per second. */
const FIRST = 100;
const EVERY_SECOND = 10;
/** Between two events of the healthy one (milliseconds). */
const EVERY = 40;

type Partner = { partnerId: string; bookingId: string };

async function createPartner(db: Db, urls: string[]): Promise<Partner> {
  const row = await db.first<{ partner_id: string; booking_id: string }>({
    text: `
      with partner as (
        insert into partners (name, allowed_webhook_domains, created_at, updated_at)
        values ('Bench ' || gen_random_uuid(), array['127.0.0.1'], now(), now()) returning id
      ), service as (
        select id from services limit 1
      ), contact as (
        insert into contacts (partner_id, phone, name, utm_source, created_at)
        select id, '+966501234567', 'Customer', 'x', now() from partner returning id, partner_id
      ), address as (
        insert into addresses (contact_id, partner_id, city_name, created_at)
        select id, partner_id, 'Riyadh', now() from contact returning id, contact_id, partner_id
      ), subscription as (
        insert into webhook_subscriptions (partner_id, url, events, secret, created_at, updated_at)
        select partner.id, url, array['booking.updated'], $2, now(), now()
        from partner, unnest($1::text[]) as url
      )
      insert into bookings (id, partner_id, contact_id, address_id, service_id, status, payment_status,
        payment_responsibility, amount, service_date, created_at, updated_at)
      select gen_random_uuid(), address.partner_id, address.contact_id, address.id, service.id, 'in progress',
        'PENDING', 'PARTNER', 100, current_date, now(), now()
      from address, service returning partner_id, id as booking_id`,
    values: [urls, createSecret()],
  });
  return { partnerId: row!.partner_id, bookingId: row!.booking_id };
}

async function writeEvents(db: Db, { bookingId }: Partner, count: number): Promise<void> {
  await db.rows({
    text: `
      with booking as (
        update bookings set event_count = event_count + $2 where id = $1 returning *
      )
      insert into events (id, partner_id, booking_id, sequence, event, payload, created_at)
      select gen_random_uuid(), partner_id, id, event_count - $2 + number, 'booking.updated',
        jsonb_build_object('bookingId', id, 'at', $3::bigint), now()
      from booking, generate_series(1, $2::integer) as number`,
    values: [bookingId, count, Date.now()],
  });
  await db.rows({ text: `select pg_notify('worker_wakeups', '')` }); // as the writing process does
}

const latencies: number[] = [];
const server = createServer(async (request, response) => {
  const at = Date.now();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  if (request.url !== '/well') {
    setTimeout(() => response.end(), HANG);
    return;
  }
  latencies.push(at - JSON.parse(Buffer.concat(chunks).toString()).payload.at);
  response.end();
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const host = `127.0.0.1:${(server.address() as { port: number }).port}`;

async function measure(hanging: number[]): Promise<Record<string, number>> {
  const database = await createBenchDatabase(
    process.env.BENCH_DATABASE_URL || 'postgres://root@127.0.0.1:5432/postgres',
  );
  const db = connectPostgres(database.url, 2, (error) => {
    throw error;
  });
  const worker = spawn(process.execPath, [fileURLToPath(new URL('../src/main.ts', import.meta.url))], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      OPERATOR_TOKEN: 'operator-token-of-the-bench',
      ROLES: 'worker',
      DEPLOYMENT: 'sandbox',
      LOG_LEVEL: 'warn',
      WEBHOOK_ALLOW_HOSTS: host,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(worker.stdout!, 'data');
    const slow: Partner[] = [];
    for (const [number, endpoints] of hanging.entries()) {
      const urls = Array.from({ length: endpoints }, (_, index) => `http://${host}/${number}/${index}`);
      slow.push(await createPartner(db, urls));
    }
    const well = await createPartner(db, [`http://${host}/well`]);
    latencies.length = 0;
    for (const partner of slow) await writeEvents(db, partner, FIRST);
    let sent = 0;
    const end = Date.now() + SECONDS * 1000;
    const more = (async () => {
      for (; Date.now() < end; await after(1_000)) {
        for (const partner of slow) await writeEvents(db, partner, EVERY_SECOND);
      }
    })();
    for (; Date.now() < end; await after(EVERY), sent++) await writeEvents(db, well, 1);
    await more;
    for (let waited = 0; latencies.length < sent && waited < 20_000; waited += 100) await after(100);
    const sorted = latencies.toSorted((a, b) => a - b);
    const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))]!;
    return { sent, arrived: sorted.length, p50: at(0.5), p99: at(0.99), most: at(1) };
  } finally {
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    await db.close();
    await database.drop();
  }
}

console.table({
  'no neighbour': await measure([]),
  '50 partners, 1 endpoint each': await measure(Array.from({ length: 50 }, () => 1)),
  '1 partner, 20 endpoints': await measure([20]),
});
server.closeAllConnections();
server.close();
