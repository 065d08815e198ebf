import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PERMISSIONS } from '../src/partners/key-rules.ts';
import { everyDay, squareAround } from '../test/fixtures.ts';

/** The services and partners of a storm, created through the operator API of a running service. */

export const OPERATOR_TOKEN = 'operator-token-of-the-storm';
/** The number of teams in the one zone. */
export const TEAMS = 6;
/** Starts of a service of 60 minutes with 30 minutes of travel in a shift from 08:00 to 20:00. */
export const STARTS = ['08:00', '09:30', '11:00', '12:30', '14:00', '15:30', '17:00', '18:30'];
const PLACE = { latitude: '24.7', longitude: '46.7' };
const ANSWER_WITHIN = 12_000;

export type PartnerAccess = { name: string; platform: boolean; id: string; key: string };
export type Scene = { serviceId: string; reasonId: string; partners: PartnerAccess[] };

// biome-ignore lint/suspicious/noExplicitAny: answers are read by their documents
export type Reply = { status: number; body: any };

/** One request. Throws when the response is missing or not JSON. */
export async function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Reply> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(ANSWER_WITHIN),
  });
  return { status: response.status, body: await response.json() };
}

export const asOperator = { authorization: `Bearer ${OPERATOR_TOKEN}` };

async function create(base: string, path: string, body: unknown): Promise<Reply['body']> {
  const answer = await send(`${base}/operator${path}`, 'POST', asOperator, body);
  if (answer.status >= 300) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

/** A partner of each kind, subscribed to all events, with all prerequisites of bookings. */
export async function createScene(base: string, receiver: Receiver): Promise<Scene> {
  const category = await create(base, '/categories', {
    code: 'cleaning',
    nameEn: 'Cleaning',
    nameAr: 'تنظيف',
  });
  const service = await create(base, '/services', {
    name: 'Cleaning',
    categoryId: category.id,
    durationMinutes: 60,
    defaultPrice: 150,
  });
  const zone = await create(base, '/zones', {
    name: 'Riyadh',
    area: squareAround(Number(PLACE.latitude), Number(PLACE.longitude)),
    serviceIds: [service.id],
  });
  for (let number = 1; number <= TEAMS; number++) {
    await create(base, '/teams', {
      name: `Team ${number}`,
      zoneIds: [zone.id],
      serviceIds: [service.id],
      travelBufferMinutes: 30,
      shifts: everyDay('08:00', '20:00'),
    });
  }
  const reason = await create(base, '/cancellation-reasons', { nameEn: 'Changed mind', nameAr: 'تغيير' });
  const partners: PartnerAccess[] = [];
  for (const paymentResponsibility of ['PARTNER', 'PLATFORM']) {
    const { id } = await create(base, '/partners', {
      name: `Storm ${paymentResponsibility}`,
      paymentResponsibility,
      allowedWebhookDomains: ['127.0.0.1'],
      requireHttpsWebhooks: false,
    });
    const key = await create(base, `/partners/${id}/keys`, { name: 'Storm', permissions: [...PERMISSIONS] });
    const partner = {
      name: paymentResponsibility,
      platform: paymentResponsibility === 'PLATFORM',
      id,
      key: key.key,
    };
    const subscribed = await send(
      `${base}/v1/partners/webhooks/subscriptions`,
      'POST',
      { 'x-api-key': partner.key },
      { url: receiver.url, events: ALL_EVENTS },
    );
    if (subscribed.status !== 200) throw new Error(JSON.stringify(subscribed.body));
    partners.push(partner);
  }
  return { serviceId: service.id, reasonId: reason.id, partners };
}

const ALL_EVENTS = [
  'booking.created',
  'booking.updated',
  'booking.cancelled',
  'booking.payment_failed',
  'booking.payment_confirmed',
  'booking.appointment_status_changed',
];

/** The body of a new customer, at an address in the zone. */
export function newCustomer(): Record<string, string> {
  return {
    name: 'Noura Al-Qahtani',
    phone: `+96650${String(randomInt(10_000_000)).padStart(7, '0')}`,
    ...PLACE,
  };
}

/** A receiver of webhooks that records deliveries. */
export type Receiver = {
  host: string;
  url: string;
  /** Requests, repeated ones included. */
  requests: number;
  /** Ids of deliveries by `bookingId event`. */
  delivered: Map<string, Set<string>>;
  close(): Promise<void>;
};

export async function openReceiver(): Promise<Receiver> {
  const delivered = new Map<string, Set<string>>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return; // the worker was killed during the request: this delivery has not arrived
    }
    const { deliveryId, event, payload } = JSON.parse(Buffer.concat(chunks).toString());
    const key = `${payload.bookingId} ${event}`;
    delivered.set(key, (delivered.get(key) ?? new Set()).add(deliveryId));
    receiver.requests++;
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receiver: Receiver = {
    host,
    url: `http://${host}/hooks`,
    requests: 0,
    delivered,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}
