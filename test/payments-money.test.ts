import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../src/base/clock.ts';
import { LATE_POLLS } from '../src/payments/rules.ts';
import type { MoyasarInvoice } from './moyasar-server.ts';
import {
  becomes,
  book,
  cancel,
  invoiceOf,
  keptOf,
  paymentOf,
  reasonOf,
  settled,
  startWithProviders,
  statusOf,
  type WithProviders,
  webhookUrlOf,
} from './payment-flows.ts';
import { until } from './until.ts';

/**
 * The money of a link: whatever happens at the gateway, in whatever order, told or not, what is kept in the end is what is
 * owed. The clock stands still unless moved.
 */

const PAID: [string, string] = ['in progress', 'PAID'];
const FAILED: [string, string] = ['failed', 'FAILED'];
const CANCELED: [string, string] = ['canceled', 'CANCELLED'];

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
async function shown({ service }: WithProviders, bookingId: string): Promise<any> {
  return (await service.operator('GET', `/bookings/${bookingId}`)).body.data.payment;
}

/** Lets the worker poll as often as it does within a day, and waits until it is idle. */
async function lookedAt(it: WithProviders, bookingId: string): Promise<void> {
  await settled(it, bookingId);
  for (const after of LATE_POLLS.filter((late) => late <= DAY)) {
    it.service.clock.advance(after);
    await settled(it, bookingId);
  }
}

/** Events of a link; return the halalas refunded in the dashboard. */
const MOVES = {
  pay: async (it: WithProviders, _bookingId: string, invoice: MoyasarInvoice) => {
    await it.moyasar.attempt(invoice.id);
    return 0;
  },
  cancel: async (it: WithProviders, bookingId: string) => {
    assert.equal((await cancel(it, bookingId)).status, 200);
    return 0;
  },
  'half back': async (it: WithProviders, _bookingId: string, invoice: MoyasarInvoice) => {
    const kept = keptOf(invoice);
    await it.moyasar.giveBack(invoice.payments.at(-1)!, 7_500);
    return kept - keptOf(invoice);
  },
  void: async (it: WithProviders, _bookingId: string, invoice: MoyasarInvoice) => {
    await it.moyasar.void(invoice.id);
    return 15_000;
  },
} as const;
type Move = keyof typeof MOVES;

const ORDERS: readonly (readonly Move[])[] = [
  ['pay', 'pay'],
  ['pay', 'pay', 'cancel'],
  ['pay', 'cancel', 'pay'],
  ['cancel', 'pay', 'pay'],
  ['pay', 'cancel'],
  ['cancel', 'pay'],
  ['pay', 'half back'],
  ['pay', 'half back', 'cancel'],
  ['pay', 'half back', 'pay'],
  ['pay', 'void'],
  ['pay', 'void', 'cancel'],
  ['pay', 'void', 'pay', 'cancel'],
  ['pay', 'pay', 'half back', 'cancel'],
];

/** Halalas: the price while the booking lives. */
const owedFor = async (it: WithProviders, bookingId: string): Promise<number> =>
  (await statusOf(it, bookingId)).join() === PAID.join() ? 15_000 : 0;

for (const told of [
  'each is told',
  'nobody tells, looked at between',
  'nobody tells until the end',
] as const) {
  test(`the kept amount is the owed one, in every order (${told})`, async (t) => {
    const it = await startWithProviders(t, {}, { teams: ORDERS.length });
    if (told === 'each is told') it.moyasar.webhookUrl = webhookUrlOf(it.service);
    const bookings = [];
    for (const order of ORDERS) {
      const bookingId = await book(it, { date: '2026-11-27' });
      const invoice = await invoiceOf(it, bookingId);
      if (told !== 'each is told') invoice.callback_url = null;
      bookings.push({ bookingId, invoice, order, inDashboard: 0 });
    }
    for (let step = 0; step < 4; step++) {
      for (const booking of bookings) {
        const { bookingId, invoice, order } = booking;
        const move = order[step];
        if (move !== undefined) booking.inDashboard += await MOVES[move](it, bookingId, invoice);
        if (told === 'each is told') await settled(it, bookingId);
      }
      if (told === 'nobody tells, looked at between') {
        it.service.clock.advance(10 * MINUTE);
        for (const { bookingId } of bookings) await settled(it, bookingId);
      }
    }
    it.service.clock.advance(6 * HOUR);
    for (const { bookingId } of bookings) await settled(it, bookingId);
    it.service.clock.advance(18 * HOUR);
    for (const { bookingId } of bookings) await settled(it, bookingId);
    for (const { bookingId, invoice, order, inDashboard } of bookings) {
      const what = `${order.join(', ')}: ${await statusOf(it, bookingId)}`;
      const charged = 15_000 * invoice.payments.length;
      // Less is kept only after a refund in the dashboard.
      assert.equal(keptOf(invoice), Math.min(await owedFor(it, bookingId), charged - inDashboard), what);
      const payment = await shown(it, bookingId);
      assert.equal(payment.keptAmount * 100, keptOf(invoice), what);
      assert.equal(payment.payments.length, invoice.payments.length, what);
      assert.equal(payment.paidAmount - payment.refundedAmount, payment.keptAmount, what);
      if (!payment.refund) assert.equal(payment.refundedAmount, 0, what);
      else assert.deepEqual([payment.refund.status, payment.refund.amount], ['DONE', payment.refundedAmount]);
    }
  });
}

test('two full payments before the first poll keep the booking, and one is refunded', async (t) => {
  const it = await startWithProviders(t);
  const bookingId = await book(it);
  const invoice = await invoiceOf(it, bookingId);
  invoice.callback_url = null;
  const first = await it.moyasar.attempt(invoice.id);
  it.service.clock.advance(1_000);
  const second = await it.moyasar.attempt(invoice.id);
  it.service.clock.advance(30_000);
  await becomes(it, bookingId, PAID);
  await settled(it, bookingId);
  assert.deepEqual([first!.refunded, second!.refunded], [0, 15_000]);
});

test('money voided or refunded before the first poll is not a payment', async (t) => {
  const it = await startWithProviders(t, {}, { teams: 4 });
  const outcomes: Record<string, string> = {};
  for (const what of ['voided', 'given back', 'half given back', 'half captured']) {
    const bookingId = await book(it);
    const invoice = await invoiceOf(it, bookingId);
    invoice.callback_url = null;
    const payment = (await it.moyasar.attempt(invoice.id))!;
    if (what === 'voided') await it.moyasar.void(invoice.id);
    if (what === 'given back') await it.moyasar.giveBack(payment, 15_000);
    if (what === 'half given back') await it.moyasar.giveBack(payment, 7_500);
    if (what === 'half captured') Object.assign(payment, { status: 'captured', captured: 7_500 });
    it.service.clock.advance(30_000);
    await becomes(it, bookingId, FAILED);
    await settled(it, bookingId);
    assert.equal(keptOf(invoice), 0, what);
    outcomes[what] = (await reasonOf(it, bookingId))!;
    assert.equal((await shown(it, bookingId)).refund.status, 'DONE', what);
  }
  assert.deepEqual(outcomes, {
    voided: 'PAYMENT_FAILED',
    'given back': 'PAYMENT_FAILED',
    'half given back': 'AMOUNT_MISMATCH',
    'half captured': 'AMOUNT_MISMATCH',
  });
});

test('a refund in the dashboard is shown, and counts for later refunds', async (t) => {
  const it = await startWithProviders(t);
  it.moyasar.webhookUrl = webhookUrlOf(it.service);
  const bookingId = await book(it);
  const invoice = await invoiceOf(it, bookingId);
  const payment = (await it.moyasar.pay(invoice.id))!;
  await becomes(it, bookingId, PAID);
  await it.moyasar.giveBack(payment, 5_000);
  await until(async () => (await shown(it, bookingId)).refundedAmount === 50);
  const { refund, payments, refundOnCancel } = await shown(it, bookingId);
  assert.deepEqual([refund.status, refund.amount, refund.by], ['DONE', 50, 'gateway']);
  assert.deepEqual(
    payments.map(({ status, charged, refunded }: Record<string, unknown>) => [status, charged, refunded]),
    [['refunded', 150, 50]],
  );
  assert.deepEqual(refundOnCancel, { amount: 100, to: 'CUSTOMER', by: 'SERVICE' });
  await cancel(it, bookingId);
  await until(async () => (await shown(it, bookingId)).refundedAmount === 150);
  assert.equal(payment.refunded, 15_000);
});

test('money in another currency is no payment, and is refunded', async (t) => {
  const it = await startWithProviders(t);
  const bookingId = await book(it);
  const invoice = await invoiceOf(it, bookingId);
  const payment = (await it.moyasar.attempt(invoice.id, { currency: 'USD' }))!;
  it.service.clock.advance(30_000);
  await becomes(it, bookingId, FAILED);
  await settled(it, bookingId);
  assert.equal(payment.refunded, 15_000);
});

test('a refund that the gateway refuses does not block others, and is left to the operator', async (t) => {
  const it = await startWithProviders(t);
  it.moyasar.webhookUrl = webhookUrlOf(it.service);
  const bookingId = await book(it);
  const invoice = await invoiceOf(it, bookingId);
  const first = (await it.moyasar.attempt(invoice.id))!;
  const second = (await it.moyasar.attempt(invoice.id))!;
  it.moyasar.fault = { kind: 'status', status: 400, on: new RegExp(`${first.id}/refund$`) };
  await cancel(it, bookingId);
  // Whichever of the two was kept until the booking was cancelled, the other one went back before.
  await until(() => second.refunded === 15_000);
  await until(async () => (await shown(it, bookingId)).refund?.status === 'FAILED');
  assert.equal(first.refunded, 0);
  // Looking again does not try again; a payment more does.
  it.moyasar.fault = null;
  await it.moyasar.sendWebhook(second);
  await settled(it, bookingId);
  assert.equal(first.refunded, 0);
  await it.moyasar.attempt(invoice.id);
  await until(() => keptOf(invoice) === 0);
});

test('polling does not wait for a failing message: a link is paid during the outage', async (t) => {
  const it = await startWithProviders(t);
  it.unifonic.fault = { kind: 'down' };
  const bookingId = await book(it);
  await until(async () => (await paymentOf(it, bookingId)).send_tries === 1);
  const [invoice] = it.moyasar.invoices.values();
  invoice!.callback_url = null;
  await it.moyasar.attempt(invoice!.id);
  it.service.clock.advance(30_000);
  await becomes(it, bookingId, PAID);
});

test('Send again during an outage of the messenger does not block the payment', async (t) => {
  const it = await startWithProviders(t, {}, { teams: 2 });
  const [paid, expiring] = [await book(it), await book(it, { date: '2026-11-27' })];
  const invoice = await invoiceOf(it, paid);
  await invoiceOf(it, expiring);
  it.unifonic.fault = { kind: 'down' };
  for (const bookingId of [paid, expiring]) {
    const { id } = await paymentOf(it, bookingId);
    assert.equal((await it.service.operator('POST', `/payments/${id}/resend`)).status, 200);
    await until(async () => (await paymentOf(it, bookingId)).send_tries === 1);
    await settled(it, bookingId);
  }
  invoice.callback_url = null;
  await it.moyasar.attempt(invoice.id);
  it.service.clock.advance(30_000);
  await becomes(it, paid, PAID);
  it.service.clock.advance(DAY);
  await becomes(it, expiring, FAILED);
});

for (const what of ['the message', 'the link'] as const) {
  test(`before a booking fails for ${what}, the gateway is polled once more`, async (t) => {
    const it = await startWithProviders(t);
    if (what === 'the message') it.unifonic.fault = { kind: 'status', status: 500 };
    else it.moyasar.fault = { kind: 'lost', on: /^POST \/v1\/invoices/, times: 1 };
    const bookingId = await book(it);
    await until(() => it.moyasar.invoices.size === 1);
    const [invoice] = it.moyasar.invoices.values();
    invoice!.callback_url = null;
    if (what === 'the message') {
      // All of its tries but the last.
      while ((await paymentOf(it, bookingId)).send_tries < 7) {
        const { due_at } = await settled(it, bookingId);
        it.service.clock.set(due_at!);
        await settled(it, bookingId);
      }
      const { id } = await paymentOf(it, bookingId);
      await it.moyasar.attempt(invoice!.id);
      await it.service.deps.db.rows({
        text: `update payments set looked_at = $2, due_at = $2 where id = $1`,
        values: [id, new Date(it.service.clock.now() + 15 * MINUTE).toISOString()],
      });
      it.service.clock.advance(15 * MINUTE);
    } else {
      await until(async () => (await paymentOf(it, bookingId)).tries === 1);
      await settled(it, bookingId);
      await it.moyasar.attempt(invoice!.id);
      // From now on the gateway refuses to make or change anything for good.
      it.moyasar.fault = { kind: 'status', status: 400, on: /^GET \/v1\/invoices\?/, times: 1 };
      it.service.clock.advance(5_000);
    }
    await becomes(it, bookingId, PAID);
    assert.equal(await reasonOf(it, bookingId), null);
  });
}

test('a notification about unknown payments is accepted and counted, a wrong token is refused', async (t) => {
  const it = await startWithProviders(t);
  const post = async (body: unknown): Promise<number> =>
    (
      await fetch(webhookUrlOf(it.service), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).status;
  const secret_token = it.moyasar.webhookToken;
  const id = '760878ec-d1d3-5f72-9056-191683f55872';
  for (const data of [
    { id, status: 'paid', invoice_id: null },
    { id, status: 'paid', invoice_id: id, metadata: { shop: 'another' } },
    { id, status: 'paid' },
    {},
  ])
    assert.equal(await post({ id, type: 'payment_paid', secret_token, data }), 200, JSON.stringify(data));
  assert.equal(await post({ id, type: 'payout_paid', secret_token, data: { id, amount: 1 } }), 200);
  assert.equal(await post({ id, type: 'x', secret_token }), 200);
  assert.equal(await post({ id, type: 'payment_paid', secret_token: 'wrong', data: {} }), 401);
  const metrics = await (await fetch(`${it.service.url}/metrics`)).text();
  const counted = (about: string) =>
    new RegExp(`^payment_notifications_total\\{about="${about}"\\} (\\d+)$`, 'm').exec(metrics)?.[1];
  assert.deepEqual([counted('other'), counted('forged')], ['6', '1']);
});

test('a late second payment of a canceled booking is found without a notification, within 30 days', async (t) => {
  const it = await startWithProviders(t);
  const bookingId = await book(it);
  const invoice = await invoiceOf(it, bookingId);
  invoice.callback_url = null;
  await cancel(it, bookingId);
  await lookedAt(it, bookingId);
  await it.moyasar.attempt(invoice.id);
  await it.moyasar.attempt(invoice.id);
  it.service.clock.advance(29 * DAY);
  await until(() => keptOf(invoice) === 0);
  assert.deepEqual(await statusOf(it, bookingId), CANCELED);
});
