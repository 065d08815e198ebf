import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR } from '../src/clock.ts';
import { createWorld, type World, type WorldOptions } from './fixtures.ts';
import { type Answer, startTestService, type TestOptions, type TestService } from './harness.ts';
import { until } from './webhook-receiver.ts';

type Platform = { service: TestService; world: World };

async function platform(
  t: import('node:test').TestContext,
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

type Payment = {
  id: string;
  status: string;
  link_url: string | null;
  refund_status: string;
  paid_amount: string | null;
  sent_at: number | null;
};

async function paymentOf(service: TestService, bookingId: string): Promise<Payment> {
  return (await service.deps.db.first<Payment>({
    text: `select * from payments where booking_id = $1`,
    values: [bookingId],
  }))!;
}

/** The path of the link that the customer was sent. */
async function linkOf(service: TestService, bookingId: string): Promise<string> {
  await until(async () => (await paymentOf(service, bookingId)).sent_at !== null);
  return new URL((await paymentOf(service, bookingId)).link_url!).pathname;
}

async function use(service: TestService, path: string, outcome: string): Promise<Response> {
  return fetch(service.url + path, { method: 'POST', body: new URLSearchParams({ outcome }) });
}

const statusOf = async ({ service, world }: Platform, bookingId: string): Promise<Answer> =>
  service.v1(world.key, 'GET', `/partners/bookings/${bookingId}/status`);

async function cancel({ service, world }: Platform, bookingId: string): Promise<Answer> {
  const reasons = await service.v1(world.key, 'GET', '/partners/bookings/cancellation-reasons');
  let reasonId = reasons.body.data[0]?.id;
  reasonId ??= (
    await service.operator('POST', '/cancellation-reasons', { nameEn: 'Changed mind', nameAr: 'تغيير' })
  ).body.data.id;
  return service.v1(world.key, 'PATCH', `/partners/bookings/${bookingId}/cancel`, { reasonId });
}

test('a customer pays by the link that was sent', async (t) => {
  const it = await platform(t);
  const { bookingId } = (await it.world.book()).body.data;
  const before = (await statusOf(it, bookingId)).body.data;
  assert.deepEqual([before.status, before.paymentStatus], ['waiting payment', 'PENDING']);

  const path = await linkOf(it.service, bookingId);
  const page = await fetch(it.service.url + path, { headers: { 'accept-language': 'en' } });
  assert.equal(page.status, 200);
  assert.match(await page.text(), /150\.00/);

  const declined = await use(it.service, path, 'declined');
  assert.equal(declined.status, 200);
  assert.equal((await statusOf(it, bookingId)).body.data.status, 'waiting payment');

  assert.equal((await use(it.service, path, 'paid')).status, 200);
  const after = (await statusOf(it, bookingId)).body.data;
  assert.deepEqual([after.status, after.paymentStatus], ['in progress', 'PAID']);
  const payment = await paymentOf(it.service, bookingId);
  assert.deepEqual([payment.status, payment.paid_amount, payment.refund_status], ['PAID', '150.00', 'NONE']);
});

test('a payment that fails for good fails the booking and frees the slot', async (t) => {
  const it = await platform(t);
  const { bookingId } = (await it.world.book()).body.data;
  assert.equal((await it.world.book()).status, 422);
  await use(it.service, await linkOf(it.service, bookingId), 'failed');
  const after = (await statusOf(it, bookingId)).body.data;
  assert.deepEqual(
    [after.status, after.paymentStatus, after.appointment.status],
    ['failed', 'FAILED', 'Cancelled'],
  );
  assert.equal((await it.world.book()).status, 200);
  const feed = (await it.service.v1(it.world.key, 'GET', '/partners/events')).body.data;
  assert.deepEqual(feed[1].event, 'booking.payment_failed');
  assert.deepEqual(feed[1].payload, { bookingId, reason: 'PAYMENT_FAILED' });
});

test('a link that is not paid in 24 hours expires', async (t) => {
  const it = await platform(t);
  const { bookingId } = (await it.world.book({ date: '2026-11-25' })).body.data;
  const path = await linkOf(it.service, bookingId);
  it.service.clock.advance(24 * HOUR - 1000);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  assert.equal((await statusOf(it, bookingId)).body.data.status, 'waiting payment');
  it.service.clock.advance(1000);
  await until(async () => (await statusOf(it, bookingId)).body.data.status === 'failed');
  assert.equal((await fetch(it.service.url + path)).status, 410);
  assert.equal((await use(it.service, path, 'paid')).status, 410);
  await until(async () => (await paymentOf(it.service, bookingId)).status === 'EXPIRED');
});

test('canceling before paying closes the link, after paying gives the money back', async (t) => {
  const it = await platform(t, {}, { teams: 2 });
  const unpaid = (await it.world.book()).body.data.bookingId;
  const path = await linkOf(it.service, unpaid);
  assert.equal((await cancel(it, unpaid)).status, 200);
  assert.equal((await use(it.service, path, 'paid')).status, 410);
  assert.equal((await paymentOf(it.service, unpaid)).refund_status, 'NONE');

  const paid = (await it.world.book()).body.data.bookingId;
  await use(it.service, await linkOf(it.service, paid), 'paid');
  assert.equal((await cancel(it, paid)).status, 200);
  await until(async () => (await paymentOf(it.service, paid)).refund_status === 'DONE');
  const checkout = await it.service.deps.db.first({
    text: 'select refunded from sandbox_checkouts where payment_id = $1',
    values: [(await paymentOf(it.service, paid)).id],
  });
  assert.deepEqual({ ...(checkout as object) }, { refunded: '150.00' });
});
