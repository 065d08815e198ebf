import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { createSecret } from '../src/webhooks/signature.ts';
import { afterwards, type TestService } from './harness.ts';
import { until } from './until.ts';

export type Received = {
  at: number;
  headers: Record<string, string>;
  /** The raw bytes. */
  body: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  json: any;
};

export type WebhookReceiver = {
  /** `127.0.0.1:port`, for WEBHOOK_ALLOW_HOSTS. */
  host: string;
  url: string;
  received: Received[];
  /** Accepted TCP connections so far. */
  connections: number;
  /** Concurrent attempts, and their maximum so far. */
  open: { now: number; most: number };
  /** Handles a request; responds with 200 unless replaced. */
  answer: (request: Received, response: ServerResponse, raw: IncomingMessage) => void;
  /** Waits until that many requests have arrived. */
  arrived(count: number): Promise<void>;
  /** Closes it before the end of the test: a service that stops would wait for attempts without a response. */
  close(): void;
};

/** A real receiver of webhooks, closed after the test. */
export async function startReceiver(t: TestContext): Promise<WebhookReceiver> {
  const sockets = new Set<Socket>();
  const server = createServer(async (raw, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of raw) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const headers = raw.headers as Record<string, string>;
    const request = { at: Date.now(), headers, body, json: JSON.parse(body.toString()) };
    receiver.open.now++;
    receiver.open.most = Math.max(receiver.open.most, receiver.open.now);
    response.on('close', () => receiver.open.now--);
    receiver.received.push(request);
    receiver.answer(request, response, raw);
  });
  const receiver: WebhookReceiver = {
    host: '',
    url: '',
    received: [],
    connections: 0,
    open: { now: 0, most: 0 },
    answer: (_request, response) => response.end('thanks'),
    async arrived(count) {
      await until(
        () => receiver.received.length >= count,
        () => {
          return `${receiver.received.length} of ${count} requests`;
        },
      );
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  server.on('connection', (socket) => {
    receiver.connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.keepAliveTimeout = 30_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  receiver.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  receiver.url = `http://${receiver.host}/hooks`;
  afterwards(t, receiver.close);
  return receiver;
}

/** Permits 127.0.0.1 for the partner's webhooks, and subscribes it to events (default: all). */
export async function subscribe(
  service: TestService,
  partnerId: string,
  url: string,
  events: string[] = ALL_EVENTS,
): Promise<{ id: string; secret: string }> {
  const { db, clock } = service.deps;
  const secret = createSecret();
  const rows = await db.rows<{ id: string }>({
    text: `
      with partner as (
        update partners set allowed_webhook_domains = array['127.0.0.1'] where id = $1 returning id
      )
      insert into webhook_subscriptions (partner_id, url, events, secret, created_at, updated_at)
      select id, $2, $3, $4, $5, $5 from partner returning id`,
    values: [partnerId, url, events, secret, new Date(clock.now()).toISOString()],
  });
  return { id: rows[0]!.id, secret };
}

const ALL_EVENTS = [
  'booking.created',
  'booking.updated',
  'booking.cancelled',
  'booking.payment_failed',
  'booking.payment_confirmed',
  'booking.appointment_status_changed',
];

/** Writes many events of one booking in one transaction; the triggers create their deliveries. */
export async function writeEvents(service: TestService, bookingId: string, count: number): Promise<void> {
  const { db, clock } = service.deps;
  await db.rows({
    text: `
      with booking as (
        update bookings set event_count = event_count + $2 where id = $1 returning *
      )
      insert into events (id, partner_id, booking_id, sequence, event, payload, created_at)
      select gen_random_uuid(), partner_id, id, event_count - $2 + number, 'booking.updated',
        jsonb_build_object('bookingId', id, 'number', number), $3
      from booking, generate_series(1, $2::integer) as number`,
    values: [bookingId, count, new Date(clock.now()).toISOString()],
  });
}

export type DeliveryState = {
  id: string;
  status: string;
  attempt_count: number;
  status_code: number | null;
  error: string | null;
  due_at: number | null;
};

/** The deliveries of a subscription, oldest first. */
export function deliveriesOf(service: TestService, subscriptionId: string): Promise<DeliveryState[]> {
  return service.deps.db.rows<DeliveryState>({
    text: `
      select id, status, attempt_count, status_code, error, due_at from webhook_deliveries
      where subscription_id = $1 order by created_at, id`,
    values: [subscriptionId],
  });
}

/** The number of deliveries by status. */
export async function countDeliveries(service: TestService): Promise<Record<string, number>> {
  const rows = await service.deps.db.rows<{ status: string; count: number }>({
    text: 'select status, count(*) as count from webhook_deliveries group by status',
  });
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}
