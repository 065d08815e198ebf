import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { manualClock } from '../src/base/clock.ts';
import { openLink } from '../src/bookings/payment-links.ts';
import { createWorld, type World, type WorldOptions } from './fixtures.ts';
import { type Answer, startTestService, TEST_NOW, type TestOptions, type TestService } from './harness.ts';
import { type MoyasarInvoice, type MoyasarServer, startMoyasar } from './moyasar-server.ts';
import { startUnifonic, type UnifonicServer } from './unifonic-server.ts';
import { until } from './until.ts';

/** Fixtures of payments by link: a service with a partner under PLATFORM, and reads of its payments. */
export type Platform = { service: TestService; world: World };

export async function startPlatform(
  t: TestContext,
  options: TestOptions = {},
  worldOptions: WorldOptions = {},
): Promise<Platform> {
  const service = await startTestService(t, options);
  const world = await createWorld(service, {
    ...worldOptions,
    partner: { paymentResponsibility: 'PLATFORM', ...worldOptions.partner },
  });
  return { service, world };
}

export type WithProviders = Platform & { moyasar: MoyasarServer; unifonic: UnifonicServer };

/** The same, with Moyasar and Unifonic. Moyasar's clock is the service's. */
export async function startWithProviders(
  t: TestContext,
  options: TestOptions = {},
  worldOptions: WorldOptions = {},
): Promise<WithProviders> {
  const clock = options.clock ?? manualClock(TEST_NOW);
  const moyasar = await startMoyasar(t, clock.now);
  const unifonic = await startUnifonic(t);
  const env = { ...providerEnv(moyasar, unifonic), ...options.env };
  return { ...(await startPlatform(t, { ...options, clock, env }, worldOptions)), moyasar, unifonic };
}

export function providerEnv(moyasar: MoyasarServer, unifonic: UnifonicServer): Record<string, string> {
  return {
    PAYMENT_GATEWAY: 'moyasar',
    MOYASAR_SECRET_KEY: moyasar.secretKey,
    MOYASAR_WEBHOOK_TOKEN: moyasar.webhookToken,
    MOYASAR_BASE_URL: moyasar.url,
    NOTIFIER: 'unifonic',
    UNIFONIC_APP_SID: unifonic.appSid,
    UNIFONIC_SENDER_ID: unifonic.senderId,
    UNIFONIC_BASE_URL: unifonic.url,
  };
}

/** The URL for events of payments in Moyasar's dashboard. */
export const webhookUrlOf = (service: TestService): string => `${service.url}/payments/moyasar/notifications`;

/** Books, and returns the id of the booking. */
export async function book({ world }: Platform, overrides: Record<string, unknown> = {}): Promise<string> {
  const answer = await world.book(overrides);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.bookingId;
}

export type PaymentFacts = {
  id: string;
  status: string;
  gateway_reference: string | null;
  link_url: string | null;
  link_asks: number;
  tries: number;
  due_at: number | null;
  lease: string | null;
  refund_status: string;
  refund_error: string | null;
  paid_at: number | null;
  paid_amount: string | null;
  sent_at: number | null;
  send_tries: number;
  link_closed_at: number | null;
  failure_reason: string | null;
};

export async function paymentOf({ service }: Platform, bookingId: string): Promise<PaymentFacts> {
  const row = await service.deps.db.first<PaymentFacts>({
    text: 'select * from payments where booking_id = $1',
    values: [bookingId],
  });
  assert.ok(row, 'the booking has a payment');
  const { link_url: sealed } = row;
  return { ...row, link_url: sealed && openLink(service.deps.sealer, row.id, sealed) };
}

/** Waits until the payment is not claimed and has no due step. */
export async function settled(it: Platform, bookingId: string): Promise<PaymentFacts> {
  let payment = await paymentOf(it, bookingId);
  const isSettled = (): boolean =>
    payment.lease === null && (payment.due_at === null || payment.due_at > it.service.clock.now());
  await until(
    async () => {
      payment = await paymentOf(it, bookingId);
      return isSettled();
    },
    () => JSON.stringify(payment),
  );
  return payment;
}

/** `[status, paymentStatus]` in the partner API. */
export async function statusOf({ service, world }: Platform, bookingId: string): Promise<[string, string]> {
  const answer = await service.v1(world.key, 'GET', `/partners/bookings/${bookingId}/status`);
  assert.equal(answer.status, 200, answer.text);
  return [answer.body.data.status, answer.body.data.paymentStatus];
}

export async function becomes(it: Platform, bookingId: string, expected: [string, string]): Promise<void> {
  let found = await statusOf(it, bookingId);
  await until(
    async () => {
      found = await statusOf(it, bookingId);
      return found.join() === expected.join();
    },
    () => `${found}, not ${expected}`,
  );
}

/** The id of a reason for cancellations. */
export async function reasonToCancel({ service, world }: Platform): Promise<string> {
  const path = '/partners/bookings/cancellation-reasons';
  const known = (await service.v1(world.key, 'GET', path)).body.data[0]?.id;
  if (known !== undefined) return known;
  const reason = { nameEn: 'Changed mind', nameAr: 'تغيير' };
  return (await service.operator('POST', '/cancellation-reasons', reason)).body.data.id;
}

export async function cancel(it: Platform, bookingId: string, reason?: string): Promise<Answer> {
  const reasonId = reason ?? (await reasonToCancel(it));
  return it.service.v1(it.world.key, 'PATCH', `/partners/bookings/${bookingId}/cancel`, { reasonId });
}

/** The events of a booking in the feed, oldest first. */
export async function eventsOf(
  { service, world }: Platform,
  bookingId: string,
): Promise<{ event: string; payload: { reason?: string } }[]> {
  const answer = await service.v1(world.key, 'GET', '/partners/events?limit=100');
  return answer.body.data.filter((event: { bookingId: string }) => event.bookingId === bookingId);
}

/** The reason in the event of a failed payment; null without one. Throws on more than one. */
export async function reasonOf(it: Platform, bookingId: string): Promise<string | null> {
  const failures = (await eventsOf(it, bookingId)).filter(({ event }) => event === 'booking.payment_failed');
  assert.ok(failures.length <= 1, 'one event at most');
  return failures[0]?.payload.reason ?? null;
}

/** Waits until the customer has the link. */
export async function sent(it: Platform, bookingId: string): Promise<PaymentFacts> {
  await until(async () => (await paymentOf(it, bookingId)).sent_at !== null);
  return settled(it, bookingId);
}

/** The path of the sandbox gateway's link, after it was sent. */
export async function linkOf(it: Platform, bookingId: string): Promise<string> {
  return new URL((await sent(it, bookingId)).link_url!).pathname;
}

/** Presses a button on the page of a link. */
export function use({ service }: Platform, path: string, outcome: string): Promise<Response> {
  return fetch(service.url + path, { method: 'POST', body: new URLSearchParams({ outcome }) });
}

/** SAR refunded by the sandbox gateway. */
export async function refundedOf(it: Platform, bookingId: string): Promise<string> {
  const row = await it.service.deps.db.first<{ refunded: string }>({
    text: `
      select k.refunded from sandbox_checkouts k join payments p on p.id = k.payment_id where p.booking_id = $1`,
    values: [bookingId],
  });
  return row?.refunded ?? '0.00';
}

/** The invoice of the link, after it was sent. */
export async function invoiceOf(it: WithProviders, bookingId: string): Promise<MoyasarInvoice> {
  const { gateway_reference: reference } = await sent(it, bookingId);
  return it.moyasar.invoices.get(reference!)!;
}

/** Refunded halalas of an invoice. */
export const givenBack = (invoice: MoyasarInvoice): number =>
  invoice.payments.reduce((total, { refunded }) => total + refunded, 0);

/** Halalas of an invoice that were charged and not refunded. */
export const keptOf = (invoice: MoyasarInvoice): number =>
  invoice.payments.reduce((total, { status, amount, captured, refunded }) => {
    const isCharged = status === 'paid' || status === 'captured' || status === 'refunded';
    return isCharged ? total + (captured || amount) - refunded : total;
  }, 0);
