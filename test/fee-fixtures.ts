import assert from 'node:assert/strict';
import type { World } from './fixtures.ts';
import type { Answer, TestService } from './harness.ts';

/** Fixtures of fees: the policy of the local market, quotes and changes by a partner. */
export type Scene = { service: TestService; world: World };

/** Free within 10 minutes of booking and until 12 hours before, then a quarter, then half; moving costs 20 SAR. */
export const MARKET = {
  nameEn: 'Market',
  nameAr: 'السوق',
  graceMinutes: 10,
  cancel: [
    { hoursBefore: 12, percent: 25 },
    { hoursBefore: 3, percent: 50 },
  ],
  reschedule: [{ hoursBefore: 6, amount: 20 }],
  afterStartPercent: 100,
  noShowPercent: 80,
};

/** The data of a successful answer. */
export function data({ status, body, text }: Answer) {
  assert.ok(status < 300, text);
  return body.data;
}

/** Refused with the code; returns its details. */
export function refusedWith({ status, body, text }: Answer, wanted: number, code: string) {
  assert.deepEqual([status, body.error?.code], [wanted, code], text);
  return body.error.details;
}

/** A policy, by default for the world's partner. */
export async function withPolicy({ service, world }: Scene, overrides: Record<string, unknown> = {}) {
  const assignments = [{ partnerId: world.partnerId }];
  return data(await service.operator('POST', '/policies', { ...MARKET, assignments, ...overrides }));
}

export async function booked({ world }: Scene, overrides: Record<string, unknown> = {}): Promise<string> {
  return data(await world.book(overrides)).bookingId;
}

export const read = async ({ service, world }: Scene, bookingId: string) =>
  data(await service.v1(world.key, 'GET', `/partners/bookings/${bookingId}/status`));

export const quote = ({ service, world }: Scene, bookingId: string, action: string): Promise<Answer> =>
  service.v1(world.key, 'GET', `/partners/bookings/${bookingId}/quote?action=${action}`);

const reasons = new WeakMap<TestService, string>();

/** The id of a reason for cancellations. */
export async function reasonOf({ service }: Pick<Scene, 'service'>): Promise<string> {
  const known = reasons.get(service);
  if (known !== undefined) return known;
  const names = { nameEn: 'Other plans', nameAr: 'خطط أخرى' };
  const { id } = data(await service.operator('POST', '/cancellation-reasons', names));
  reasons.set(service, id);
  return id;
}

export async function cancel(
  { service, world }: Scene,
  bookingId: string,
  body: Record<string, unknown> = {},
): Promise<Answer> {
  const reasonId = await reasonOf({ service });
  return service.v1(world.key, 'PATCH', `/partners/bookings/${bookingId}/cancel`, { reasonId, ...body });
}

export const update = (
  { service, world }: Scene,
  bookingId: string,
  body: Record<string, unknown>,
): Promise<Answer> => service.v1(world.key, 'PATCH', `/partners/bookings/${bookingId}`, body);

/** The payloads of the booking's events of this name, oldest first. */
export async function payloadsOf({ service, world }: Scene, bookingId: string, name: string) {
  const events = data(await service.v1(world.key, 'GET', '/partners/events?limit=100&events=all'));
  return events
    .filter((one: { bookingId: string; event: string }) => one.bookingId === bookingId && one.event === name)
    .map((one: { payload: unknown }) => one.payload);
}
