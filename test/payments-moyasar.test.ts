import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../src/base/clock.ts';
import { LATE_POLLS, STEP_RETRY_AFTER } from '../src/payments/rules.ts';
import { markNotified } from '../src/payments/step-queries.ts';
import { TEST_NOW } from './harness.ts';
import type { MoyasarInvoice } from './moyasar-server.ts';
import {
  becomes,
  book,
  cancel,
  givenBack,
  invoiceOf,
  paymentOf,
  reasonOf,
  sent,
  settled,
  startWithProviders,
  statusOf,
  type WithProviders,
  webhookUrlOf,
} from './payment-flows.ts';
import { nothingDue, until } from './until.ts';

/**
 * Payments by link with Moyasar and Unifonic, over the whole service. The clock stands still unless moved.
 * Two services on one: test/payments-faults.test.ts.
 */

const PAID: [string, string] = ['in progress', 'PAID'];
const WAITING: [string, string] = ['waiting payment', 'PENDING'];
const FAILED: [string, string] = ['failed', 'FAILED'];
const CANCELED: [string, string] = ['canceled', 'CANCELLED'];

const callsOf = ({ moyasar }: WithProviders, pattern: RegExp): number =>
  moyasar.calls.filter(({ method, path }) => pattern.test(`${method} ${path}`)).length;
const refundsOf = (it: WithProviders): number => callsOf(it, /refund$/);

/** Moves the clock to the next time that something is due on the payment, until `isSo`. */
async function goOnUntil(it: WithProviders, bookingId: string, isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    const { due_at } = await settled(it, bookingId);
    if (await isSo()) return;
    assert.ok(due_at !== null, 'something is due');
    it.service.clock.set(due_at);
  }
}

test('the link is an invoice, and one SMS contains it', async (t) => {
  const it = await startWithProviders(t);
  const names = { nameEn: 'Deep cleaning', nameAr: 'تنظيف عميق' };
  await it.service.operator('PATCH', `/services/${it.world.serviceId}`, names);
  await it.service.operator('PATCH', `/partners/${it.world.partnerId}`, { name: 'Riyadh Homes' });
  const bookingId = await book(it);
  const invoice = await invoiceOf(it, bookingId);
  assert.match(invoice.description, /^Riyadh Homes \| تنظيف عميق \| Deep cleaning \| SA-\d{4,}$/);
  assert.deepEqual([invoice.amount, invoice.currency, invoice.status], [15_000, 'SAR', 'initiated']);
  assert.equal(invoice.metadata?.booking_id, bookingId);
  assert.equal(it.unifonic.messages.length, 1);
  const [from, , english, , amount, url] = it.unifonic.messages[0]!.text.split('\n');
  assert.deepEqual([from, english, amount, url], ['Riyadh Homes', 'Pay by', '150.00 SAR', invoice.url]);
  assert.deepEqual(await statusOf(it, bookingId), WAITING);
});

test('the payment is found by webhook alone, by callback alone, by polling alone', async (t) => {
  const it = await startWithProviders(t, {}, { teams: 3 });
  await t.test('webhook', async () => {
    const bookingId = await book(it);
    const invoice = await invoiceOf(it, bookingId);
    invoice.callback_url = null;
    it.moyasar.webhookUrl = webhookUrlOf(it.service);
    await it.moyasar.pay(invoice.id);
    await becomes(it, bookingId, PAID);
  });
  it.moyasar.webhookUrl = null;
  await t.test('callback', async () => {
    const bookingId = await book(it);
    await it.moyasar.pay((await invoiceOf(it, bookingId)).id);
    await becomes(it, bookingId, PAID);
    assert.equal(it.moyasar.deliveries.at(-1)!.answer, 200);
  });
  await t.test('polling', async () => {
    const bookingId = await book(it);
    const invoice = await invoiceOf(it, bookingId);
    invoice.callback_url = null;
    const paidAt = it.service.clock.now();
    await it.moyasar.pay(invoice.id);
    await nothingDue(it.service, 'payments');
    assert.deepEqual(await statusOf(it, bookingId), WAITING);
    it.service.clock.advance(30_000);
    await becomes(it, bookingId, PAID);
    assert.equal((await paymentOf(it, bookingId)).paid_at, paidAt, 'when it came, not when it was found');
  });
  assert.equal(refundsOf(it), 0);
});

test('repeated and late notifications: paid once, and one poll for each', async (t) => {
  const it = await startWithProviders(t);
  const bookingId = await book(it);
  const invoice = await invoiceOf(it, bookingId);
  it.moyasar.webhookUrl = webhookUrlOf(it.service);
  const payment = (await it.moyasar.pay(invoice.id))!;
  await becomes(it, bookingId, PAID);
  await Promise.all([1, 2, 3, 4].map(() => it.moyasar.sendWebhook(payment)));
  const { paid_amount, refund_status, due_at } = await settled(it, bookingId);
  const lookAt = it.service.clock.now() + LATE_POLLS[0];
  assert.deepEqual([paid_amount, refund_status, due_at], ['150.00', 'NONE', lookAt]);
  assert.deepEqual(await statusOf(it, bookingId), PAID);
  assert.ok(it.moyasar.deliveries.every(({ answer }) => answer === 200));
});

test('a refused try leaves the link open, and is polled once', async (t) => {
  const it = await startWithProviders(t);
  const bookingId = await book(it);
  const invoice = await invoiceOf(it, bookingId);
  it.moyasar.webhookUrl = webhookUrlOf(it.service);
  const before = callsOf(it, /^GET/);
  await it.moyasar.fail(invoice.id);
  await until(() => callsOf(it, /^GET/) > before);
  await settled(it, bookingId);
  await nothingDue(it.service, 'payments');
  assert.equal(callsOf(it, /^GET/), before + 1);
  assert.deepEqual(await statusOf(it, bookingId), WAITING);
  await it.moyasar.pay(invoice.id);
  await becomes(it, bookingId, PAID);
});

test('a notification during a poll causes another one', async (t) => {
  const it = await startWithProviders(t);
  const bookingId = await book(it);
  const invoice = await invoiceOf(it, bookingId);
  invoice.callback_url = null;
  it.moyasar.webhookUrl = webhookUrlOf(it.service);
  const asked = callsOf(it, /^GET/);
  it.moyasar.fault = { kind: 'slow', on: /^GET/, times: 1, milliseconds: 700 };
  // The pending response says open: it was made before the payment. Both at one moment of the clock.
  await it.moyasar.fail(invoice.id);
  await until(() => callsOf(it, /^GET/) > asked);
  await it.moyasar.pay(invoice.id);
  assert.deepEqual(await statusOf(it, bookingId), WAITING);
  await becomes(it, bookingId, PAID);
});

test('a forged notification changes nothing', async (t) => {
  const it = await startWithProviders(t, {}, { teams: 2 });
  const [bookingId, other] = [await book(it), await book(it)];
  const invoice = await invoiceOf(it, bookingId);
  const otherInvoice = await invoiceOf(it, other);
  // Even though it has been paid, only a genuine call may say so.
  const [callback, callbackOfOther] = [invoice.callback_url!, otherInvoice.callback_url!];
  invoice.callback_url = null;
  const payment = (await it.moyasar.pay(invoice.id))!;
  const url = webhookUrlOf(it.service);
  const tell = async (address: string, body: unknown): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })).status;
  };
  const event = (changes: object) => ({ type: 'payment_paid', data: payment, ...changes });
  const forged: [string, string, unknown][] = [
    ['no token', url, event({})],
    ['a wrong token', url, event({ secret_token: 'x' })],
    ['an empty token', url, event({ secret_token: '' })],
    ['a token that is no text', url, event({ secret_token: [it.moyasar.webhookToken] })],
    ['a wrong token in the query', `${url}?token=x`, invoice],
    ['the token of another payment', callbackOfOther, invoice],
    ['the token of the callback for an event', callback, event({})],
    ['another gateway', url.replace('moyasar', 'sandbox'), event({ secret_token: it.moyasar.webhookToken })],
    ['no gateway', url.replace('moyasar', 'nobody'), event({ secret_token: it.moyasar.webhookToken })],
    ['a list', url, []],
    ['nothing', url, null],
  ];
  const asked = callsOf(it, /./);
  for (const [what, address, body] of forged) assert.equal(await tell(address, body), 401, what);
  assert.equal((await fetch(url, { method: 'POST' })).status, 401, 'no body');
  await nothingDue(it.service, 'payments');
  assert.equal(callsOf(it, /./), asked, 'nobody asked the gateway');
  assert.deepEqual(await statusOf(it, bookingId), WAITING);
  // Genuine, but about nothing of ours; thanked for, or it would come for ever.
  const strange = { ...payment, invoice_id: 'unknown', metadata: { payment_id: 'x\u0000y' } };
  assert.equal(await tell(url, event({ data: strange, secret_token: it.moyasar.webhookToken })), 200);
  assert.equal(await tell(callback, invoice), 200);
  await becomes(it, bookingId, PAID);
  assert.deepEqual(await statusOf(it, other), WAITING);
});

test("a reference belongs to one gateway: another one's notification with it is ignored", async (t) => {
  const it = await startWithProviders(t);
  const { gateway_reference: reference, id } = await sent(it, await book(it));
  const { db } = it.service.deps;
  const notified = (gateway: string): Promise<string | null> =>
    markNotified(db, it.service.clock.now(), gateway, { reference: reference!, paymentId: null });
  assert.equal(await notified('sandbox'), null);
  assert.equal(await notified('moyasar'), id);
});

test('a notification says paid, but the gateway says open: nothing changes', async (t) => {
  const it = await startWithProviders(t);
  const bookingId = await book(it);
  const invoice = await invoiceOf(it, bookingId);
  const claim = { ...invoice, status: 'paid' };
  const asked = callsOf(it, /^GET/);
  const headers = { 'content-type': 'application/json' };
  const { status } = await fetch(invoice.callback_url!, {
    method: 'POST',
    headers,
    body: JSON.stringify(claim),
  });
  assert.equal(status, 200);
  await until(() => callsOf(it, /^GET/) > asked);
  await settled(it, bookingId);
  assert.deepEqual(await statusOf(it, bookingId), WAITING);
  assert.equal((await paymentOf(it, bookingId)).paid_at, null);
});

test('another amount than owed fails the booking and is refunded', async (t) => {
  const it = await startWithProviders(t);
  const bookingId = await book(it);
  const invoice = await invoiceOf(it, bookingId);
  invoice.amount = 14_999;
  await it.moyasar.pay(invoice.id);
  await becomes(it, bookingId, FAILED);
  assert.equal(await reasonOf(it, bookingId), 'AMOUNT_MISMATCH');
  await until(async () => (await paymentOf(it, bookingId)).refund_status === 'DONE');
  assert.equal(givenBack(invoice), 14_999);
  assert.equal((await it.world.book()).status, 200, 'the slot is free');
});

test('the notification arrives before the response that the link was created', async (t) => {
  const it = await startWithProviders(t);
  it.moyasar.fault = { kind: 'slow', on: /^POST \/v1\/invoices/, times: 1, milliseconds: 1_000 };
  it.moyasar.webhookUrl = webhookUrlOf(it.service);
  const bookingId = await book(it);
  await until(() => it.moyasar.invoices.size === 1);
  const [invoice] = it.moyasar.invoices.values();
  await it.moyasar.pay(invoice!.id);
  assert.deepEqual(
    it.moyasar.deliveries.map(({ answer }) => answer),
    [200, 200],
  );
  await becomes(it, bookingId, PAID);
  assert.equal((await settled(it, bookingId)).due_at, it.service.clock.now() + LATE_POLLS[0]);
  assert.equal(it.unifonic.messages.length, 0, 'nobody is asked to pay what is paid');
});

for (const kind of ['lost', 'garbage', 'empty'] as const) {
  test(`the response that the link was created is ${kind}: the same invoice is found again`, async (t) => {
    const it = await startWithProviders(t);
    it.moyasar.fault = { kind, on: /^POST \/v1\/invoices/, times: 1 };
    const bookingId = await book(it);
    await until(async () => (await paymentOf(it, bookingId)).tries === 1);
    await settled(it, bookingId);
    it.service.clock.advance(STEP_RETRY_AFTER[0]);
    const { gateway_reference: reference } = await sent(it, bookingId);
    assert.deepEqual([...it.moyasar.invoices.keys()], [reference]);
    assert.equal(it.unifonic.messages.length, 1);
    assert.ok(it.unifonic.messages[0]!.text.includes(it.moyasar.invoices.get(reference!)!.url));
  });
}

test('the gateway is unavailable, then available again', async (t) => {
  const it = await startWithProviders(t);
  it.moyasar.fault = { kind: 'down' };
  const bookingId = await book(it);
  await goOnUntil(it, bookingId, async () => (await paymentOf(it, bookingId)).tries === 4);
  it.moyasar.fault = null;
  await goOnUntil(it, bookingId, async () => (await paymentOf(it, bookingId)).sent_at !== null);
  assert.equal(it.moyasar.invoices.size, 1);
  const [invoice] = it.moyasar.invoices.values();
  it.moyasar.fault = { kind: 'status', status: 503 };
  await it.moyasar.pay(invoice!.id);
  await nothingDue(it.service, 'payments');
  assert.deepEqual(await statusOf(it, bookingId), WAITING);
  it.moyasar.fault = null;
  await goOnUntil(it, bookingId, async () => (await statusOf(it, bookingId))[1] === 'PAID');
});

test('the gateway stays unavailable: the booking fails after the last try', async (t) => {
  const it = await startWithProviders(t);
  it.moyasar.fault = { kind: 'down' };
  const bookingId = await book(it);
  await goOnUntil(it, bookingId, async () => (await statusOf(it, bookingId))[0] === 'failed');
  assert.equal(await reasonOf(it, bookingId), 'LINK_NOT_CREATED');
  assert.equal(
    it.service.clock.now() - TEST_NOW,
    STEP_RETRY_AFTER.reduce((sum, milliseconds) => sum + milliseconds, 0),
  );
  assert.equal((await it.world.book()).status, 200, 'the slot is free');
});

test('a slow gateway delays the link only', async (t) => {
  const it = await startWithProviders(t);
  const { promise: slowly, resolve: answer } = Promise.withResolvers<void>();
  it.moyasar.fault = { kind: 'slow', until: slowly };
  // Answered while the gateway still thinks, like everything else.
  const bookingId = await book(it);
  await until(() => it.moyasar.calls.length > 0);
  assert.deepEqual(await statusOf(it, bookingId), WAITING);
  it.moyasar.fault = null;
  answer();
  const invoice = await invoiceOf(it, bookingId);
  assert.equal(it.moyasar.invoices.size, 1);
  await it.moyasar.pay(invoice.id);
  await becomes(it, bookingId, PAID);
});

test('an invoice with a final error fails the booking at once', async (t) => {
  const it = await startWithProviders(t);
  it.moyasar.fault = { kind: 'status', status: 400, on: /^POST/ };
  const bookingId = await book(it, { externalReference: 'ORDER-1' });
  await becomes(it, bookingId, FAILED);
  assert.equal(await reasonOf(it, bookingId), 'LINK_NOT_CREATED');
  assert.equal(callsOf(it, /^POST/), 1);
  it.moyasar.fault = null;
  const again = await book(it, { externalReference: 'ORDER-1' });
  await sent(it, again);
});

test('a message with a final error fails the booking and closes the link', async (t) => {
  const it = await startWithProviders(t);
  it.unifonic.refusal = { status: 200, errorCode: 'ER-02' };
  const bookingId = await book(it);
  await becomes(it, bookingId, FAILED);
  assert.equal(await reasonOf(it, bookingId), 'LINK_NOT_SENT');
  await until(async () => (await paymentOf(it, bookingId)).link_closed_at !== null);
  const [invoice] = it.moyasar.invoices.values();
  assert.equal(invoice!.status, 'canceled');
});

test('messages fail for some time: one message is sent', async (t) => {
  const it = await startWithProviders(t);
  it.unifonic.fault = { kind: 'down' };
  const bookingId = await book(it);
  await goOnUntil(it, bookingId, async () => it.unifonic.calls.length === 3);
  // It was sent, but the response was lost.
  it.unifonic.fault = { kind: 'lost', times: 1 };
  await goOnUntil(it, bookingId, async () => (await paymentOf(it, bookingId)).sent_at !== null);
  assert.equal(it.unifonic.messages.length, 1);
  assert.equal(it.moyasar.invoices.size, 1);
});

test('messages always fail: the booking fails after the last try', async (t) => {
  const it = await startWithProviders(t);
  it.unifonic.fault = { kind: 'status', status: 500 };
  const bookingId = await book(it);
  await goOnUntil(it, bookingId, async () => (await statusOf(it, bookingId))[0] === 'failed');
  assert.equal(await reasonOf(it, bookingId), 'LINK_NOT_SENT');
});

test('the link expires while the gateway is unavailable: the slot is free, late money is refunded', async (t) => {
  const it = await startWithProviders(t);
  const date = '2026-11-25';
  const bookingId = await book(it, { date });
  const invoice = await invoiceOf(it, bookingId);
  it.moyasar.fault = { kind: 'down' };
  it.service.clock.set(TEST_NOW + DAY);
  await becomes(it, bookingId, FAILED);
  assert.equal(await reasonOf(it, bookingId), 'LINK_EXPIRED');
  assert.equal((await it.world.book({ date })).status, 200, 'the slot is free');
  // Paid a moment before the end, without a notification.
  invoice.expired_at = null;
  await it.moyasar.pay(invoice.id);
  it.moyasar.fault = null;
  await goOnUntil(it, bookingId, async () => (await paymentOf(it, bookingId)).refund_status === 'DONE');
  assert.equal(givenBack(invoice), 15_000);
  assert.deepEqual(await statusOf(it, bookingId), FAILED);
  assert.equal((await paymentOf(it, bookingId)).status, 'EXPIRED');
});

test('a link that was never created expires on time, whenever the next try is due', async (t) => {
  const it = await startWithProviders(t, {}, { service: { minimumNoticeMinutes: 0 } });
  it.moyasar.fault = { kind: 'down' };
  const bookingId = await book(it, {
    date: '2026-11-22',
    timeslot: { startAt: '08:30', endAt: '10:30' }, // it is 08:00
  });
  await goOnUntil(it, bookingId, async () => (await statusOf(it, bookingId))[0] === 'failed');
  assert.equal(it.service.clock.now() - TEST_NOW, 30 * MINUTE);
  assert.equal(await reasonOf(it, bookingId), 'LINK_EXPIRED');
});

test('the appointment moves to an earlier time during a poll: the link ends then', async (t) => {
  const it = await startWithProviders(t, {}, { service: { minimumNoticeMinutes: 0 } });
  const bookingId = await book(it, {
    date: '2026-11-22',
    timeslot: { startAt: '17:00', endAt: '19:00' },
  });
  await sent(it, bookingId);
  // Polls are 10 minutes apart by then: 11:27, 11:37.
  it.service.clock.advance(3 * HOUR + 27 * MINUTE);
  it.moyasar.fault = { kind: 'slow', on: /^GET/, times: 1, milliseconds: 800 };
  const asked = callsOf(it, /^GET/);
  await until(() => callsOf(it, /^GET/) > asked);
  const moved = await it.service.v1(it.world.key, 'PATCH', `/partners/bookings/${bookingId}`, {
    timeslot: { startAt: '11:30', endAt: '13:30' },
  });
  assert.equal(moved.status, 200, moved.text);
  await settled(it, bookingId);
  it.service.clock.advance(3 * MINUTE);
  await becomes(it, bookingId, FAILED);
  assert.equal(await reasonOf(it, bookingId), 'LINK_EXPIRED');
});

test('an appointment that moves to a later time moves the end of its link', async (t) => {
  const it = await startWithProviders(t);
  const bookingId = await book(it, { date: '2026-11-22' }); // at 10:00, in two hours
  const invoice = await invoiceOf(it, bookingId);
  const path = `/partners/bookings/${bookingId}`;
  const moved = await it.service.v1(it.world.key, 'PATCH', path, { date: '2026-11-25' });
  assert.equal(moved.status, 200, moved.text);
  it.service.clock.advance(3 * HOUR);
  await nothingDue(it.service, 'payments');
  await settled(it, bookingId);
  assert.deepEqual(await statusOf(it, bookingId), WAITING);
  await it.moyasar.pay(invoice.id);
  await becomes(it, bookingId, PAID);
});

/** The customer's bank approves after the invoice was closed: it is cancelled, and paid. */
async function payClosed(it: WithProviders, invoice: MoyasarInvoice): Promise<void> {
  const { status } = invoice;
  assert.ok(['canceled', 'expired'].includes(status), status);
  Object.assign(invoice, { status: 'initiated', expired_at: null });
  await it.moyasar.pay(invoice.id);
  invoice.status = status;
}

for (const how of ['the gateway tells', 'nobody tells'] as const) {
  test(`money that arrives after the link was closed is refunded (${how})`, async (t) => {
    const it = await startWithProviders(t, {}, { teams: 2 });
    const [canceled, expired] = [await book(it), await book(it, { date: '2026-11-25' })];
    const invoices = [await invoiceOf(it, canceled), await invoiceOf(it, expired)];
    it.service.clock.set(TEST_NOW + DAY - MINUTE);
    assert.equal((await cancel(it, canceled)).status, 200);
    await until(async () => (await paymentOf(it, canceled)).link_closed_at !== null);
    it.service.clock.set(TEST_NOW + DAY);
    await until(async () => (await paymentOf(it, expired)).link_closed_at !== null);
    for (const bookingId of [canceled, expired]) await settled(it, bookingId);
    if (how === 'the gateway tells') it.moyasar.webhookUrl = webhookUrlOf(it.service);
    for (const invoice of invoices) {
      if (how === 'nobody tells') invoice.callback_url = null;
      await payClosed(it, invoice);
    }
    if (how === 'nobody tells') it.service.clock.advance(HOUR);
    for (const [index, bookingId] of [canceled, expired].entries()) {
      await until(async () => (await paymentOf(it, bookingId)).refund_status === 'DONE');
      assert.equal(givenBack(invoices[index]!), 15_000);
    }
    assert.deepEqual(await statusOf(it, canceled), CANCELED);
    assert.deepEqual(await statusOf(it, expired), FAILED);
  });
}

test('a closed link is polled for 30 days, and then never', async (t) => {
  const it = await startWithProviders(t);
  const bookingId = await book(it);
  await invoiceOf(it, bookingId);
  await cancel(it, bookingId);
  await until(async () => (await paymentOf(it, bookingId)).link_closed_at !== null);
  const closed = it.service.clock.now();
  const looks: number[] = [];
  await goOnUntil(it, bookingId, async () => {
    const { due_at } = await settled(it, bookingId);
    if (due_at !== null && due_at !== looks.at(-1)) looks.push(due_at);
    return due_at === null;
  });
  assert.deepEqual(
    looks.map((at) => at - closed),
    [...LATE_POLLS],
  );
});

test('canceled after failed tries to send the link: closing it has all its tries', async (t) => {
  const it = await startWithProviders(t);
  it.unifonic.fault = { kind: 'down' };
  const bookingId = await book(it);
  await goOnUntil(it, bookingId, async () => (await paymentOf(it, bookingId)).send_tries === 3);
  await settled(it, bookingId);
  it.moyasar.fault = { kind: 'down' };
  assert.equal((await cancel(it, bookingId)).status, 200);
  const { tries, due_at } = await settled(it, bookingId);
  assert.deepEqual([tries, due_at! - it.service.clock.now()], [1, STEP_RETRY_AFTER[0]]);
});

test('a link that cannot be closed is given up a week after its end', async (t) => {
  const it = await startWithProviders(t);
  const bookingId = await book(it);
  await invoiceOf(it, bookingId);
  it.moyasar.fault = { kind: 'down' };
  await cancel(it, bookingId);
  await goOnUntil(it, bookingId, async () => (await paymentOf(it, bookingId)).tries >= 8);
  // From here on it is tried every 15 minutes.
  const end = TEST_NOW + DAY + 7 * DAY;
  it.service.clock.set(end - 15 * MINUTE - 1);
  assert.equal((await settled(it, bookingId)).due_at, end - 1);
  it.service.clock.set(end - 1);
  assert.equal((await settled(it, bookingId)).due_at, null);
  assert.equal((await paymentOf(it, bookingId)).link_closed_at, null);
});

test('canceled while the link is being created: it is closed, and not sent', async (t) => {
  const it = await startWithProviders(t);
  it.moyasar.fault = { kind: 'slow', on: /^POST \/v1\/invoices/, times: 1, milliseconds: 700 };
  const bookingId = await book(it);
  await until(() => it.moyasar.invoices.size === 1);
  assert.equal((await cancel(it, bookingId)).status, 200);
  await until(async () => (await paymentOf(it, bookingId)).link_closed_at !== null);
  assert.equal([...it.moyasar.invoices.values()][0]!.status, 'canceled');
  assert.equal(it.unifonic.messages.length, 0);
});

test("canceled after a lost response of the link's creation: it is found and closed", async (t) => {
  const it = await startWithProviders(t);
  it.moyasar.fault = { kind: 'lost', on: /^POST \/v1\/invoices/, times: 1 };
  const bookingId = await book(it);
  await until(async () => (await paymentOf(it, bookingId)).tries === 1);
  await settled(it, bookingId);
  assert.equal((await cancel(it, bookingId)).status, 200);
  await until(async () => (await paymentOf(it, bookingId)).link_closed_at !== null);
  assert.equal([...it.moyasar.invoices.values()][0]!.status, 'canceled');
});

test('canceled after paying, while refunds fail for some time: refunded once', async (t) => {
  const it = await startWithProviders(t);
  const bookingId = await book(it);
  const invoice = await invoiceOf(it, bookingId);
  await it.moyasar.pay(invoice.id);
  await becomes(it, bookingId, PAID);
  it.moyasar.fault = { kind: 'down' };
  assert.equal((await cancel(it, bookingId)).status, 200);
  // Long after a link would have been given up.
  await goOnUntil(it, bookingId, async () => it.service.clock.now() - TEST_NOW > 2 * HOUR);
  assert.equal((await settled(it, bookingId)).refund_status, 'PENDING');
  // It is refunded, but the response is lost.
  it.moyasar.fault = { kind: 'lost', on: /refund$/, times: 1 };
  await goOnUntil(it, bookingId, async () => (await paymentOf(it, bookingId)).refund_status === 'DONE');
  assert.equal(givenBack(invoice), 15_000);
  assert.deepEqual(await statusOf(it, bookingId), CANCELED);
});

test('a refund with a final error is FAILED, for the operator', async (t) => {
  const it = await startWithProviders(t);
  const bookingId = await book(it);
  const invoice = await invoiceOf(it, bookingId);
  await it.moyasar.pay(invoice.id);
  await becomes(it, bookingId, PAID);
  it.moyasar.fault = { kind: 'status', status: 400, on: /refund$/ };
  assert.equal((await cancel(it, bookingId)).status, 200);
  await until(async () => (await paymentOf(it, bookingId)).refund_status === 'FAILED');
  const { refund_error, due_at } = await settled(it, bookingId);
  assert.match(refund_error!, /^Moyasar answered 400/);
  assert.equal(due_at, it.service.clock.now() + LATE_POLLS[0]);
  assert.equal(refundsOf(it), 1);
});

test('a refund that cannot be made for a week is FAILED', async (t) => {
  const it = await startWithProviders(t);
  const bookingId = await book(it);
  await it.moyasar.pay((await invoiceOf(it, bookingId)).id);
  await becomes(it, bookingId, PAID);
  it.moyasar.fault = { kind: 'down' };
  await cancel(it, bookingId);
  await goOnUntil(it, bookingId, async () => (await paymentOf(it, bookingId)).tries >= 8);
  it.service.clock.set(TEST_NOW + 7 * DAY);
  await until(async () => (await paymentOf(it, bookingId)).refund_status === 'FAILED');
});
