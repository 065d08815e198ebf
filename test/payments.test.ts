import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { HOUR } from '../src/base/clock.ts';
import { findPayment, type PaymentRow } from '../src/payments/queries.ts';
import { LATE_POLLS } from '../src/payments/rules.ts';
import { applyStatus } from '../src/payments/settle.ts';
import { renewClaims } from '../src/payments/step-queries.ts';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { onServer, TEST_NOW } from './harness.ts';
import {
  becomes,
  book,
  cancel,
  eventsOf,
  linkOf,
  type Platform,
  paymentOf,
  reasonOf,
  reasonToCancel,
  refundedOf,
  sent,
  settled,
  startPlatform,
  startWithProviders,
  statusOf,
  use,
} from './payment-flows.ts';
import { times } from './storm.ts';
import { nothingDue, until } from './until.ts';
import { startReceiver, subscribe } from './webhook-receiver.ts';

/** Payments by link with the sandbox gateway, over HTTP. The clock stands still unless moved. */

const PAID: [string, string] = ['in progress', 'PAID'];
const WAITING: [string, string] = ['waiting payment', 'PENDING'];
const FAILED: [string, string] = ['failed', 'FAILED'];
const CANCELED: [string, string] = ['canceled', 'CANCELLED'];

const pageOf = async ({ service }: Platform, path: string): Promise<{ status: number; html: string }> => {
  const response = await fetch(service.url + path, { headers: { 'accept-language': 'en' } });
  return { status: response.status, html: await response.text() };
};

test('a customer pays by the link that was sent; a declined try changes nothing', async (t) => {
  const it = await startPlatform(t);
  await it.service.operator('PATCH', `/services/${it.world.serviceId}`, {
    nameEn: 'Deep cleaning',
    nameAr: 'تنظيف عميق',
  });
  const bookingId = await book(it);
  assert.deepEqual(await statusOf(it, bookingId), WAITING);

  const path = await linkOf(it, bookingId);
  const page = await pageOf(it, path);
  assert.equal(page.status, 200);
  assert.match(page.html, /150\.00/);

  const { data } = (await it.service.operator('GET', `/partners/${it.world.partnerId}`)).body;
  const arabic = (await pageOf(it, `${path}?lang=ar`)).html;
  assert.ok(arabic.includes('<bdi>تنظيف عميق</bdi>') && !arabic.includes('Deep cleaning'));
  const english = (await pageOf(it, path)).html;
  assert.ok(english.includes('<bdi>Deep cleaning</bdi>') && !english.includes('تنظيف عميق'));
  for (const html of [arabic, english]) assert.ok(html.includes(`<bdi>${data.name}</bdi>`), 'from whom');

  assert.equal((await use(it, path, 'declined')).status, 200);
  assert.deepEqual(await statusOf(it, bookingId), WAITING);

  const paid = await use(it, path, 'paid');
  assert.equal(paid.status, 200);
  assert.deepEqual(await statusOf(it, bookingId), PAID, 'as soon as the page is answered');
  const payment = await settled(it, bookingId);
  assert.deepEqual(
    [payment.status, payment.paid_amount, payment.refund_status, payment.due_at],
    // Paid again, or refunded at the gateway, without a notification: it is polled again.
    ['PAID', '150.00', 'NONE', it.service.clock.now() + LATE_POLLS[0]],
  );
  // A paid link stays paid, whatever an old page posts.
  for (const outcome of ['failed', 'declined', 'paid']) await use(it, path, outcome);
  assert.deepEqual(await statusOf(it, bookingId), PAID);
  assert.equal((await eventsOf(it, bookingId)).length, 1, 'the contract has no event for it');
});

test('the message with the link is a log line, without the number', async (t) => {
  const it = await startPlatform(t);
  const phone = '+966501234567';
  const contact = (await it.world.contact({ phone })).body.data;
  const bookingId = await book(it, { contactId: contact.id, addressId: contact.addressId });
  const path = await linkOf(it, bookingId);
  assert.ok(it.service.logged().includes(path));
  assert.ok(!it.service.logged().includes(phone));
});

test('a failed booking releases its reference permanently', async (t) => {
  const it = await startPlatform(t, {}, { teams: 4 });
  const externalReference = 'R-1';
  const fail = async (): Promise<string> => {
    const bookingId = await book(it, { externalReference });
    await use(it, await linkOf(it, bookingId), 'failed');
    await becomes(it, bookingId, FAILED);
    return bookingId;
  };
  const [first, second] = [await fail(), await fail()];
  // Free now: a cancellation of the first does not take it again.
  assert.equal((await cancel(it, first)).status, 200);
  const third = await book(it, { externalReference });
  // The third has it now.
  const answer = await cancel(it, second);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.data.externalReference, externalReference, 'what it was called is still told');
  // Canceled without having failed, it keeps it.
  assert.equal((await cancel(it, third)).status, 200);
  const refused = await it.world.book({ externalReference });
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'DUPLICATE_EXTERNAL_REFERENCE']);
});

test('a finally failed payment: booking failed, an event in feed and webhook, slot and reference free', async (t) => {
  const receiver = await startReceiver(t);
  const it = await startPlatform(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  await subscribe(it.service, it.world.partnerId, receiver.url, ['booking.payment_failed']);
  const bookingId = await book(it, { externalReference: 'ORDER-1' });
  assert.equal((await it.world.book()).status, 422, 'the slot is held');
  await use(it, await linkOf(it, bookingId), 'failed');
  assert.deepEqual(await statusOf(it, bookingId), FAILED);
  const path = `/partners/bookings/${bookingId}/status`;
  const { appointment } = (await it.service.v1(it.world.key, 'GET', path)).body.data;
  assert.equal(appointment.status, 'Cancelled');

  const failure = { event: 'booking.payment_failed', payload: { bookingId, reason: 'PAYMENT_FAILED' } };
  const events = await eventsOf(it, bookingId);
  assert.deepEqual(
    events.map(({ event }) => event),
    ['booking.created', failure.event, 'booking.appointment_status_changed'],
  );
  assert.deepEqual(events[1]!.payload, failure.payload);
  const { appointmentStatusChange, ...failed } = events[2]!.payload as Record<string, unknown>;
  assert.deepEqual(failed, (await it.service.v1(it.world.key, 'GET', path)).body.data);
  assert.deepEqual(
    { ...(appointmentStatusChange as object), changedAt: '' },
    { from: 'Scheduled', to: 'Cancelled', changedAt: '' },
  );
  await receiver.arrived(1);
  const { deliveryId: _, ...received } = receiver.received[0]!.json;
  assert.deepEqual(received, failure);

  const again = await book(it, { externalReference: 'ORDER-1' });
  assert.equal((await cancel(it, again)).status, 200);
  const third = await it.world.book({ externalReference: 'ORDER-1' });
  assert.equal(
    third.body.error.code,
    'DUPLICATE_EXTERNAL_REFERENCE',
    'a canceled booking keeps its reference',
  );
});

test('a link expires after 24 hours', async (t) => {
  const it = await startPlatform(t);
  const bookingId = await book(it, { date: '2026-11-25' });
  const path = await linkOf(it, bookingId);
  it.service.clock.advance(24 * HOUR - 1000);
  await nothingDue(it.service, 'payments');
  assert.deepEqual(await statusOf(it, bookingId), WAITING);
  assert.equal((await pageOf(it, path)).status, 200);
  it.service.clock.advance(1000);
  assert.equal((await use(it, path, 'paid')).status, 410, 'the page knows before the worker does');
  await becomes(it, bookingId, FAILED);
  assert.equal(await reasonOf(it, bookingId), 'LINK_EXPIRED');
  assert.equal((await pageOf(it, path)).status, 410);
  const payment = await settled(it, bookingId);
  assert.deepEqual([payment.status, payment.paid_at], ['EXPIRED', null]);
  assert.equal((await it.world.book({ date: '2026-11-25' })).status, 200, 'the slot is free');
});

test("the link ends at the appointment's start, also after moves", async (t) => {
  const it = await startPlatform(t, {}, { teams: 2 });
  const reschedule = async (bookingId: string, body: unknown): Promise<void> => {
    const answer = await it.service.v1(it.world.key, 'PATCH', `/partners/bookings/${bookingId}`, body);
    assert.equal(answer.status, 200, answer.text);
  };
  const today = '2026-11-22'; // 08:00
  const earlier = await book(it, { date: '2026-11-25' });
  const later = await book(it, { date: today });
  const [pathOfEarlier, pathOfLater] = [await linkOf(it, earlier), await linkOf(it, later)];
  await reschedule(earlier, { date: today });
  await reschedule(later, { date: WORLD_DATE }); // tomorrow at 10:00: the 24 hours end before
  it.service.clock.set(TEST_NOW + 2 * HOUR - 1);
  await nothingDue(it.service, 'payments');
  for (const bookingId of [earlier, later]) assert.deepEqual(await statusOf(it, bookingId), WAITING);
  it.service.clock.set(TEST_NOW + 2 * HOUR);
  assert.equal((await pageOf(it, pathOfEarlier)).status, 410);
  await becomes(it, earlier, FAILED);
  assert.equal(await reasonOf(it, earlier), 'LINK_EXPIRED');

  it.service.clock.set(TEST_NOW + 24 * HOUR - 1);
  await nothingDue(it.service, 'payments');
  assert.equal((await use(it, pathOfLater, 'paid')).status, 200);
  assert.deepEqual(await statusOf(it, later), PAID);
});

test('canceling before paying closes the link, after paying refunds', async (t) => {
  const it = await startPlatform(t);
  const unpaid = await book(it);
  const path = await linkOf(it, unpaid);
  assert.equal((await cancel(it, unpaid)).status, 200);
  assert.equal((await use(it, path, 'paid')).status, 410);
  await until(async () => (await paymentOf(it, unpaid)).link_closed_at !== null);
  assert.equal((await paymentOf(it, unpaid)).refund_status, 'NONE');

  const paid = await book(it);
  await use(it, await linkOf(it, paid), 'paid');
  assert.equal((await cancel(it, paid)).status, 200);
  await until(async () => (await paymentOf(it, paid)).refund_status === 'DONE');
  assert.equal(await refundedOf(it, paid), '150.00');
  assert.deepEqual(await statusOf(it, paid), CANCELED);
  assert.equal((await settled(it, paid)).due_at, it.service.clock.now() + LATE_POLLS[0]);

  const failed = await book(it);
  await use(it, await linkOf(it, failed), 'failed');
  assert.equal((await cancel(it, failed)).status, 200);
  assert.equal((await settled(it, failed)).refund_status, 'NONE', 'nothing was paid');
});

test('a price of zero needs no payment: free is in progress, deferred is success', async (t) => {
  for (const [zeroPriceMeans, status] of [
    ['free', 'in progress'],
    ['deferred', 'success'],
  ] as const) {
    const it = await startPlatform(t, {}, { service: { defaultPrice: 0, zeroPriceMeans } });
    const bookingId = await book(it);
    assert.deepEqual(await statusOf(it, bookingId), [status, 'NOT_REQUIRED']);
    const payments = await it.service.deps.db.rows({ text: 'select 1 from payments' });
    assert.equal(payments.length, 0);
    assert.equal((await cancel(it, bookingId)).status, 200);
    assert.deepEqual(await statusOf(it, bookingId), CANCELED);
  }
});

test('the operator fails a booking: before paying the link ends, after paying it is refunded', async (t) => {
  const it = await startPlatform(t, {}, { teams: 2 });
  const fail = (id: string, reason = 'Nobody can be reached') =>
    it.service.operator('POST', `/bookings/${id}/fail`, { reason });
  const unpaid = await book(it, { externalReference: 'A' });
  const paid = await book(it);
  const path = await linkOf(it, unpaid);
  await use(it, await linkOf(it, paid), 'paid');
  await becomes(it, paid, PAID);

  for (const bookingId of [unpaid, paid]) {
    const answer = await fail(bookingId);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual([answer.body.data.status, answer.body.data.paymentStatus], FAILED);
    assert.equal(answer.body.data.appointment.status, 'Cancelled');
    const told = await eventsOf(it, bookingId);
    assert.deepEqual(
      told.map(({ event }) => event),
      ['booking.created', 'booking.payment_failed', 'booking.appointment_status_changed'],
    );
    assert.deepEqual(told[1]!.payload, { bookingId, reason: 'Nobody can be reached' });
    assert.ok(answer.body.data.history.every(({ what }: { what: string }) => what !== 'booking.fail'));
    const audit = await it.service.operator('GET', `/audit?target=booking:${bookingId}`);
    assert.equal(audit.body.data[0].action, 'booking.fail');
    assert.equal(audit.body.data[0].after.reason, 'Nobody can be reached');
  }
  const ended = await settled(it, unpaid);
  assert.deepEqual([ended.status, ended.failure_reason, ended.refund_status], ['FAILED', 'OPERATOR', 'NONE']);
  assert.notEqual(ended.link_closed_at, null);
  await use(it, path, 'paid');
  assert.deepEqual(await statusOf(it, unpaid), FAILED, 'the link is dead');
  assert.equal((await settled(it, paid)).refund_status, 'DONE');
  assert.equal(await refundedOf(it, paid), '150.00');
  // Both slots and the reference are free.
  await book(it, { externalReference: 'A' });
  await book(it);

  const again = await fail(unpaid);
  assert.deepEqual([again.status, again.body.error.code], [422, 'INVALID_TRANSITION']);
  assert.deepEqual((await fail(unpaid, '\u200b')).body.error.details.message, ['reason should not be empty']);
});

test('an expiry never changes an appointment that has ended, and a link ends with its appointment', async (t) => {
  const it = await startPlatform(t, {}, { teams: 4 });
  const statuses = ['Finished', 'Cannot Complete', 'Cancelled', 'In The Way'];
  const bookings: string[] = [];
  for (const _ of statuses) {
    const bookingId = await book(it);
    await sent(it, bookingId);
    bookings.push(bookingId);
  }
  // As a process of the previous version could leave them; in one statement, as a trigger of all its rows sees them.
  await it.service.deps.db.rows({
    text: `
      update appointments a set status = given.status, updated_at = $3
      from unnest($1::uuid[], $2::text[]) as given (booking_id, status) where a.booking_id = given.booking_id`,
    values: [bookings, statuses, new Date(it.service.clock.now()).toISOString()],
  });
  const under = bookings.pop()!;
  for (const [index, bookingId] of bookings.entries()) {
    await becomes(it, bookingId, FAILED);
    const path = `/partners/bookings/${bookingId}/status`;
    const { appointment } = (await it.service.v1(it.world.key, 'GET', path)).body.data;
    assert.equal(appointment.status, statuses[index]);
    assert.notEqual((await settled(it, bookingId)).link_closed_at, null);
  }
  await nothingDue(it.service, 'payments');
  assert.deepEqual(await statusOf(it, under), WAITING);
});

test('a partner cannot confirm the payment that the service collects', async (t) => {
  const it = await startPlatform(t);
  const bookingId = await book(it);
  const confirm = () =>
    it.service.v1(it.world.key, 'POST', `/partners/bookings/${bookingId}/confirm-payment`, {});
  assert.equal((await confirm()).body.error.code, 'PAYMENT_RESPONSIBILITY_MISMATCH');
  await use(it, await linkOf(it, bookingId), 'paid');
  assert.equal((await confirm()).body.error.code, 'PAYMENT_RESPONSIBILITY_MISMATCH');
  await cancel(it, bookingId);
  assert.equal((await confirm()).body.error.code, 'BOOKING_NOT_PAYABLE', 'the state comes first');
});

test('ten simultaneous payments of a link are one', async (t) => {
  const it = await startPlatform(t);
  const bookingId = await book(it);
  const path = await linkOf(it, bookingId);
  const answers = await Promise.all(times(10, () => use(it, path, 'paid')));
  for (const { status } of answers) assert.equal(status, 200);
  const payment = await settled(it, bookingId);
  assert.deepEqual([payment.status, payment.paid_amount, payment.refund_status], ['PAID', '150.00', 'NONE']);
  assert.deepEqual(await statusOf(it, bookingId), PAID);
});

test('simultaneously paid, failed and declined: one of them counts', async (t) => {
  const it = await startPlatform(t, {}, { teams: 12 });
  const bookings = await Promise.all(times(12, () => book(it)));
  for (const bookingId of bookings) {
    const path = await linkOf(it, bookingId);
    await Promise.all(['paid', 'failed', 'declined', 'failed', 'paid'].map((name) => use(it, path, name)));
    const payment = await settled(it, bookingId);
    const expected = payment.status === 'PAID' ? PAID : FAILED;
    assert.deepEqual(await statusOf(it, bookingId), expected);
    assert.equal(payment.refund_status, 'NONE');
    assert.equal(payment.paid_amount, payment.status === 'PAID' ? '150.00' : null);
  }
});

test('simultaneously paid and canceled, in both orders: received money is refunded', async (t) => {
  const it = await startPlatform(t, {}, { teams: 40 });
  const bookings = await Promise.all(times(40, () => book(it)));
  const paths = new Map<string, string>();
  for (const bookingId of bookings) paths.set(bookingId, await linkOf(it, bookingId));
  const reason = await reasonToCancel(it);
  const pay = (bookingId: string) => use(it, paths.get(bookingId)!, 'paid');
  // Two of each order for certain; the others race.
  const [payFirst, cancelFirst, racing] = [bookings.slice(0, 2), bookings.slice(2, 4), bookings.slice(4)];
  await Promise.all(payFirst.map(pay));
  for (const bookingId of [...cancelFirst, ...payFirst]) await cancel(it, bookingId, reason);
  await Promise.all(cancelFirst.map(pay));
  const canceled = await Promise.all(
    racing.flatMap((bookingId, index) => {
      // The one that is called first is done first more often than not.
      const later = wait(Math.floor(index / 6));
      return index % 2 === 0
        ? [pay(bookingId), later.then(() => cancel(it, bookingId, reason))]
        : [cancel(it, bookingId, reason), later.then(() => pay(bookingId))];
    }),
  );
  assert.ok(canceled.every(({ status }) => status === 200 || status === 410));
  let paid = 0;
  for (const bookingId of bookings) {
    const payment = await settled(it, bookingId);
    assert.deepEqual(await statusOf(it, bookingId), CANCELED);
    const isPaid = payment.paid_at !== null;
    if (isPaid) paid++;
    assert.equal(payment.refund_status, isPaid ? 'DONE' : 'NONE');
    assert.equal(await refundedOf(it, bookingId), isPaid ? '150.00' : '0.00');
    assert.ok(payment.link_closed_at !== null, 'nothing can be paid any more');
  }
  assert.ok(paid >= 2 && paid <= 38, `${paid} of 40`);
  t.diagnostic(`${paid} of 40 were paid before they were canceled`);
});

test('simultaneously paid and expired: kept with the money, or failed without', async (t) => {
  const it = await startPlatform(t, {}, { teams: 30 });
  const bookings = await Promise.all(times(30, () => book(it)));
  const paths = [];
  for (const bookingId of bookings) paths.push(await linkOf(it, bookingId));
  it.service.clock.set(TEST_NOW + 24 * HOUR - 1);
  // Five in time and five too late for certain; the others race the clock.
  const pay = (path: string) => use(it, path, 'paid');
  await Promise.all(paths.slice(0, 5).map(pay));
  const racing = paths.slice(5, 25).map((path, index) => wait(index).then(() => pay(path)));
  await Promise.race(racing);
  it.service.clock.advance(1);
  it.service.deps.wakeups.wake();
  await Promise.all([...racing, ...paths.slice(25).map(pay)]);
  let kept = 0;
  for (const bookingId of bookings) {
    await until(async () => (await statusOf(it, bookingId))[0] !== 'waiting payment');
    const payment = await settled(it, bookingId);
    if (payment.paid_at !== null) kept++;
    assert.deepEqual(await statusOf(it, bookingId), payment.paid_at === null ? FAILED : PAID);
    assert.equal(payment.refund_status, 'NONE');
    const gateway = await it.service.deps.db.first<{ paid: boolean }>({
      text: `select state = 'paid' as paid from sandbox_checkouts where payment_id = $1`,
      values: [payment.id],
    });
    assert.equal(gateway!.paid, payment.paid_at !== null, 'the gateway and we agree');
  }
  assert.ok(kept >= 5 && kept <= 25, `${kept} of 30`);
  t.diagnostic(`${kept} of 30 were paid in time`);
});

test('money for a booking that has failed meanwhile is refunded, and the page does not thank', async (t) => {
  const it = await startPlatform(t);
  const bookingId = await book(it);
  const path = await linkOf(it, bookingId);
  const payment = await paymentOf(it, bookingId);
  const { db, gateways, clock } = it.service.deps;
  const gateway = gateways.current();
  // The customer pays at the gateway; before a poll, the booking fails.
  await db.rows({
    text: `update sandbox_checkouts set state = 'paid', paid_at = $2 where payment_id = $1`,
    values: [payment.id, new Date(clock.now()).toISOString()],
  });
  const late = await gateway.readStatus(payment.gateway_reference!);
  await applyStatus(db, clock.now(), { id: payment.id, booking_id: bookingId }, { ...late, payments: [] });
  assert.deepEqual(await statusOf(it, bookingId), FAILED);
  await applyStatus(db, clock.now(), { id: payment.id, booking_id: bookingId }, late);
  it.service.deps.wakeups.wake();
  await until(async () => (await paymentOf(it, bookingId)).refund_status === 'DONE');
  assert.equal(await refundedOf(it, bookingId), '150.00');
  assert.equal((await pageOf(it, path)).status, 410);
  assert.deepEqual(await statusOf(it, bookingId), FAILED);
});

test('the body posted to a checkout is one of three words, and limited in size', async (t) => {
  const it = await startPlatform(t);
  const bookingId = await book(it);
  const path = await linkOf(it, bookingId);
  const post = (body: string, type = 'application/x-www-form-urlencoded') =>
    fetch(it.service.url + path, { method: 'POST', headers: { 'content-type': type }, body });
  for (const body of [
    '',
    'outcome=',
    'outcome=PAID',
    'outcome=refunded',
    'outcome=x&outcome=y',
    '__proto__=paid',
  ])
    assert.equal((await post(body)).status, 400, body);
  assert.equal((await fetch(it.service.url + path, { method: 'POST' })).status, 400, 'no body');
  for (const body of ['null', '[]', '"paid"', '{"outcome":["paid"]}', '{'])
    assert.equal((await post(body, 'application/json')).status, 400, body);
  assert.equal((await post('outcome=paid', 'text/plain')).status, 400);
  assert.equal((await post(`outcome=paid&more=${'x'.repeat(10_000)}`)).status, 413);
  for (const method of ['PUT', 'PATCH', 'DELETE'])
    assert.equal((await fetch(it.service.url + path, { method })).status, 404, method);
  assert.deepEqual(await statusOf(it, bookingId), WAITING);
});

test('a token cannot be guessed, and only the customer and the partner get it', async (t) => {
  const it = await startPlatform(t, {}, { teams: 3 });
  const bookings = await Promise.all(times(3, () => book(it)));
  const tokens = [];
  for (const bookingId of bookings) tokens.push((await linkOf(it, bookingId)).split('/').at(-1)!);
  // 24 random bytes: nothing of the booking, nothing that counts.
  for (const token of tokens) assert.match(token, /^[A-Za-z0-9_-]{32}$/);
  assert.equal(new Set(tokens.map((token) => token.slice(0, 8))).size, 3);

  const known = tokens[0]!;
  const payment = await paymentOf(it, bookings[0]!);
  const guesses = [
    'x',
    known.slice(0, -1),
    `${known}x`,
    known.toLowerCase() === known ? known.toUpperCase() : known.toLowerCase(),
    `${known}%00`,
    '%00',
    '%25',
    "'%20or%20''%3D'",
    bookings[0]!,
    payment.id,
    'x'.repeat(99),
  ];
  const unknown = await pageOf(it, '/checkout/unknown');
  assert.equal(unknown.status, 404);
  for (const guess of guesses) {
    assert.deepEqual(await pageOf(it, `/checkout/${guess}`), unknown, guess);
    const posted = await use(it, `/checkout/${guess}?lang=en`, 'paid');
    assert.equal(posted.status, 404, guess);
  }
  for (const guess of ['%', '%FF', 'x'.repeat(5_000)])
    assert.equal((await pageOf(it, `/checkout/${guess}`)).status, 400, guess);
  for (const bookingId of bookings) assert.deepEqual(await statusOf(it, bookingId), WAITING);

  const list = await it.service.v1(it.world.key, 'GET', '/partners/bookings');
  const { key: stranger } = await createWorld(it.service);
  const ofStranger = await it.service.v1(stranger, 'GET', '/partners/bookings');
  for (const token of tokens) {
    assert.ok(list.text.includes(token));
    assert.ok(!ofStranger.text.includes(token));
  }
});

test('paid by a process that dies before it saves that: the worker finds it', async (t) => {
  const it = await startPlatform(t);
  const bookingId = await book(it);
  const { id } = await sent(it, bookingId);
  await it.service.deps.db.rows({
    text: `update sandbox_checkouts set state = 'paid', paid_at = $2 where payment_id = $1`,
    values: [id, new Date(it.service.clock.now()).toISOString()],
  });
  it.service.clock.advance(30_000);
  await becomes(it, bookingId, PAID);
});

test('the claim of a dead worker expires, and another worker takes the payment', async (t) => {
  const it = await startPlatform(t);
  const bookingId = await book(it);
  const { id } = await sent(it, bookingId);
  const at = (milliseconds: number): string => new Date(it.service.clock.now() + milliseconds).toISOString();
  await it.service.deps.db.rows({
    text: `
      update payments set lease = gen_random_uuid(), leased_until = $2, due_at = $3 where id = $1`,
    values: [id, at(20_000), at(0)],
  });
  await use(it, new URL((await paymentOf(it, bookingId)).link_url!).pathname, 'paid');
  assert.deepEqual(await statusOf(it, bookingId), PAID, 'paying waits for no claim');
  await cancel(it, bookingId);
  await nothingDue(it.service, 'payments');
  assert.equal((await paymentOf(it, bookingId)).refund_status, 'PENDING');
  it.service.clock.advance(20_000);
  await until(async () => (await paymentOf(it, bookingId)).refund_status === 'DONE');
});

/** Claims the payment until then, as a worker does. */
async function claimUntil({ service: { deps } }: Platform, id: string, end: number): Promise<PaymentRow> {
  await deps.db.rows({
    text: 'update payments set lease = gen_random_uuid(), leased_until = $2 where id = $1',
    values: [id, new Date(end).toISOString()],
  });
  return (await findPayment(deps.db, id))!;
}

async function leaseEnds({ service: { deps } }: Platform, ids: string[]): Promise<number[]> {
  const rows = await deps.db.rows<{ leased_until: number }>({
    text: 'select leased_until from payments where id = any ($1) order by array_position($1, id)',
    values: [ids],
  });
  return rows.map((row) => row.leased_until);
}

test("a worker that has lost a claim does not renew the new owner's", async (t) => {
  const it = await startPlatform(t);
  const { db, clock } = it.service.deps;
  const { id } = await sent(it, await book(it));
  const [now, later] = [clock.now(), clock.now() + 20_000];
  const lost = await claimUntil(it, id, now);
  const held = await claimUntil(it, id, now + 1);
  await renewClaims(db, [lost], later);
  assert.deepEqual(await leaseEnds(it, [id]), [now + 1]);
  await renewClaims(db, [lost, held], later);
  assert.deepEqual(await leaseEnds(it, [id]), [later]);
});

test(
  'renewing claims waits for no payment that another transaction has locked: no deadlock',
  onServer('the embedded database has one connection'),
  async (t) => {
    const it = await startPlatform(t);
    const { db, clock } = it.service.deps;
    const [now, later] = [clock.now(), clock.now() + 20_000];
    const ids: string[] = [];
    for (const date of ['2026-11-23', '2026-11-24']) ids.push((await sent(it, await book(it, { date }))).id);
    const claims = await Promise.all(ids.map((id) => claimUntil(it, id, now)));
    await db.transaction(async (tx) => {
      await tx.rows({ text: 'update payments set updated_at = updated_at where id = $1', values: [ids[1]] });
      await renewClaims(db, claims, later);
      await tx.rows({ text: 'update payments set updated_at = updated_at where id = $1', values: [ids[0]] });
    });
    assert.deepEqual(await leaseEnds(it, ids), [later, now], 'the locked one with the next call');
  },
);

test('a worker claims at most 64 payments, and another one when one is done', async (t) => {
  const it = await startWithProviders(t, {}, { teams: 6 });
  const { db } = it.service.deps;
  // In other hands until all are there.
  await db.rows({
    text: `alter table payments alter lease set default gen_random_uuid(), alter leased_until set default '2100-01-01'`,
  });
  const slots = ['24', '25', '26'].flatMap((day) =>
    ['08', '11', '14', '17'].map((hour) => ({
      date: `2026-11-${day}`,
      timeslot: { startAt: `${hour}:00`, endAt: `${Number(hour) + 2}:00`.padStart(5, '0') },
    })),
  );
  for (const slot of slots) for (const _team of it.world.teamIds) await book(it, slot);
  const inHand = async (): Promise<number> =>
    (await db.rows({ text: 'select id from payments where lease is not null' })).length;
  assert.equal(await inHand(), 72);

  const asked = (): number => it.moyasar.calls.filter(({ method }) => method === 'POST').length;
  const { promise: slowly, resolve: answer } = Promise.withResolvers<void>();
  it.moyasar.fault = { kind: 'slow', until: slowly };
  await db.rows({ text: 'update payments set lease = null, leased_until = null' });
  await until(() => asked() >= 64);
  assert.equal(await inHand(), 64);
  it.moyasar.fault = null;
  answer();
  await until(() => asked() === 72);
});
