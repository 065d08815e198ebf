import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { ErrorCode } from '../src/base/errors.ts';
import { randomPhone, type World } from './fixtures.ts';
import { type Answer, TEST_NOW, type TestService } from './harness.ts';
import type { Side as AnySide } from './openapi-check.ts';
import { makeDeliveries, subscribe } from './webhook-fixtures.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

/** The context of requests in the tables of operations, and their prerequisites. */

export type Side = Exclude<AnySide, 'portal' | 'crew'>;

export type Request = { path: string; body?: unknown; headers?: Record<string, string> };
export type Context = {
  service: TestService;
  world: World;
  /** The receiver of its webhooks. */
  receiver: WebhookReceiver;
};
export type Valid = (context: Context) => Request | Promise<Request>;
/** Makes the operation respond with the code; `message` where one code has several. */
export type Refused = { id: string; code: ErrorCode; message?: string; request: Valid };

export const unique = (): string => randomBytes(6).toString('hex');

export async function made(answer: Promise<Answer>): Promise<Record<string, never> & { id: string }> {
  const { status, body, text } = await answer;
  assert.ok(status < 300, text);
  return body.data;
}

const counts = new Map<string, number>();

/** Counts from 0 on, for each partner: files share a process. */
export function countOf(what: string, { partnerId }: Pick<World, 'partnerId'>): number {
  const key = `${what} ${partnerId}`;
  const count = counts.get(key) ?? 0;
  counts.set(key, count + 1);
  return count;
}

/** A free date and timeslot, five a day from 1 December on. */
export function nextSlot(world: Pick<World, 'partnerId'>): {
  date: string;
  timeslot: { startAt: string; endAt: string };
} {
  const slotsTaken = countOf('slot', world);
  const [day, fifth] = [Math.floor(slotsTaken / 5), slotsTaken % 5];
  const date = new Date(Date.UTC(2026, 11, 1 + day)).toISOString().slice(0, 10);
  const time = (hours: number): string =>
    `${String(Math.floor(hours)).padStart(2, '0')}:${hours % 1 === 0 ? '00' : '30'}`;
  return { date, timeslot: { startAt: time(8 + 2.5 * fifth), endAt: time(10 + 2.5 * fifth) } };
}

/** A booking at an unused time: the next one, unless a certification has moved a booking there. */
export async function booking(world: World, overrides: Record<string, unknown> = {}): Promise<string> {
  let answer = await world.book({ ...nextSlot(world), ...overrides });
  for (let moved = 0; moved < 5 && answer.body.error?.code === 'BOOKING_CREATION_FAILED'; moved++)
    answer = await world.book({ ...nextSlot(world), ...overrides });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.bookingId;
}

export async function canceled({ service, world }: Context): Promise<string> {
  const id = await booking(world);
  await made(
    service.v1(world.key, 'PATCH', `/partners/bookings/${id}/cancel`, { reasonId: await reason(service) }),
  );
  return id;
}

export const reason = async (service: TestService): Promise<string> =>
  (await made(service.operator('POST', '/cancellation-reasons', { nameEn: unique(), nameAr: unique() }))).id;

export const newBooking = (world: World, overrides: Record<string, unknown> = {}) => ({
  contactId: world.contactId,
  addressId: world.addressId,
  serviceId: world.serviceId,
  ...nextSlot(world),
  ...overrides,
});

export const SUBSCRIPTIONS = '/partners/webhooks/subscriptions';

export const SINCE = '2026-11-01T00:00:00+03:00';
const HOUR = 3_600_000;

/** Removes the partner's subscriptions, to stay below their limit. */
export async function removeSubscriptions({ service, world }: Context): Promise<void> {
  const rows = (await made(service.v1(world.key, 'GET', SUBSCRIPTIONS))) as unknown as { id: string }[];
  for (const { id } of rows) await made(service.v1(world.key, 'DELETE', `${SUBSCRIPTIONS}/${id}`));
}

export const newSubscription = ({ receiver }: Context) => ({
  url: receiver.url,
  events: ['booking.updated'],
});

/** The partner's only subscription. */
export async function subscription(context: Context): Promise<string> {
  await removeSubscriptions(context);
  return (await subscribe(context.service, context.world.key, newSubscription(context))).id;
}

/** A delivery that has failed, waits for its next attempt, or has arrived. */
export async function delivery(
  context: Context,
  state: 'failed' | 'waiting' | 'arrived' = 'failed',
): Promise<string> {
  const { service, world } = context;
  await subscription(context);
  const become = state === 'waiting' ? { dueAt: service.clock.now() + HOUR } : { failedAt: TEST_NOW };
  const [id] = await makeDeliveries(service, await booking(world), 1, become);
  if (state === 'arrived') {
    await service.deps.db.rows({
      text: `update webhook_deliveries set status = 'DELIVERED' where id = $1`,
      values: [id],
    });
  }
  return id!;
}

/** The address of a booking, moved elsewhere. */
export async function addressInUse({ world }: Context, path: string): Promise<Request> {
  await booking(world);
  return { path: `${path}/${world.addressId}`, body: { latitude: '24.1', longitude: '46.1' } };
}

/** An address that would become another one of its customer. */
export async function addressTwice({ world }: Context, path: string): Promise<Request> {
  const phone = randomPhone();
  await world.contact({ phone, unit: '1' });
  const other = await world.contact({ phone, unit: '2' });
  return { path: `${path}/${other.body.data.addressId}`, body: { unit: '1' } };
}
