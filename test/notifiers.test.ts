import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, MINUTE, manualClock } from '../src/base/clock.ts';
import { CHOSEN_KINDS, providersOf } from '../src/partners/account-rules.ts';
import { changePartner } from '../src/partners/accounts.ts';
import { SCRIPTED_CUSTOMERS } from '../src/simulator/scripted-customers.ts';
import { booked, patched } from './appointment-fixtures.ts';
import { createWorld } from './fixtures.ts';
import { onServer, startTestService, TEST_NOW, type TestOptions } from './harness.ts';
import { startWorker } from './killed-workers.ts';
import { startNotifierServer } from './notifier-server.ts';
import { becomes, book, paymentOf, settled, startPlatform, use } from './payment-flows.ts';
import { until } from './until.ts';

/** A message that nobody sends is not sent; one that the operator's program took is. */

const ADDRESS = 'https://bookings.example.sa';
const NONE = { env: { NOTIFIER: 'none' } };
const MESSAGES_FAULT = 'customerMessages must be empty while nothing sends messages to customers';

async function startWithReceiver(t: Parameters<typeof startPlatform>[0], options: TestOptions = {}) {
  const clock = manualClock(TEST_NOW);
  const receiver = await startNotifierServer(t, clock.now);
  const env = { ...receiver.env, PUBLIC_URL: ADDRESS };
  return { ...(await startPlatform(t, { clock, env, ...options })), receiver };
}

test('a payment link is posted, and is sent when it was taken', async (t) => {
  const it = await startWithReceiver(t);
  it.receiver.refusal = 503;
  const bookingId = await book(it);
  await until(() => it.receiver.calls.length === 1);
  const waiting = await settled(it, bookingId);
  assert.deepEqual([waiting.status, waiting.sent_at, waiting.send_tries], ['OPEN', null, 1]);
  it.receiver.refusal = null;
  it.service.clock.set(waiting.due_at!);
  await until(async () => (await paymentOf(it, bookingId)).sent_at !== null);
  const { id, link_url: url, sent_at } = await paymentOf(it, bookingId);
  assert.equal(sent_at, waiting.due_at);
  const { contact } = (await it.service.operator('GET', `/bookings/${bookingId}`)).body.data;
  const [{ text, ...message } = assert.fail(), ...others] = it.receiver.messages;
  assert.deepEqual(message, { id, to: contact.phone, language: 'both', kind: 'PAYMENT_LINK', url });
  assert.ok(text.endsWith(`\n${url}`), text);
  assert.deepEqual(others, []);
  assert.ok(!it.service.logged().includes(it.receiver.secret));
});

test('an answer that is lost repeats the id, the operator asking again makes another one', async (t) => {
  const it = await startWithReceiver(t);
  it.receiver.fault = { kind: 'lost', times: 1 };
  const bookingId = await book(it);
  await until(() => it.receiver.calls.length === 1);
  it.service.clock.set((await settled(it, bookingId)).due_at!);
  await until(async () => (await paymentOf(it, bookingId)).sent_at !== null);
  const idsOf = () => it.receiver.calls.map(({ body }) => JSON.parse(body).id);
  const { id } = await paymentOf(it, bookingId);
  assert.deepEqual([idsOf(), it.receiver.messages.length], [[id, id], 1]);

  it.service.clock.advance(MINUTE);
  it.receiver.fault = { kind: 'lost', times: 1 };
  assert.equal((await it.service.operator('POST', `/payments/${id}/resend`)).status, 200);
  await until(() => it.receiver.calls.length === 3);
  it.service.clock.set((await settled(it, bookingId)).due_at!);
  await until(() => it.receiver.calls.length === 4);
  const [, , again, repeated] = idsOf();
  assert.deepEqual([again === id, repeated], [false, again]);
  assert.deepEqual(
    it.receiver.messages.map((message) => message.id),
    [id, again],
  );
});

test('a number that the program refuses fails the payment, its other answers do not', async (t) => {
  const it = await startWithReceiver(t);
  it.receiver.refusal = 401;
  const waits = await book(it);
  await until(() => it.receiver.calls.length === 1);
  assert.equal((await settled(it, waits)).status, 'OPEN');
  it.receiver.refusal = 422;
  const fails = await book(it, { timeslot: { startAt: '14:00', endAt: '16:00' } });
  await becomes(it, fails, ['failed', 'FAILED']);
  assert.equal((await paymentOf(it, fails)).failure_reason, 'LINK_NOT_SENT');
});

test(
  'a worker that dies between sending and saving: the next one repeats the id',
  onServer('several processes need PostgreSQL'),
  async (t) => {
    const receiver = await startNotifierServer(t);
    const it = await startPlatform(t, { env: { ...receiver.env, ROLES: 'api' }, sandboxClock: true });
    const { promise: isHeld, resolve: release } = Promise.withResolvers<void>();
    receiver.fault = { kind: 'slow', until: isHeld, times: 1 };
    const first = await startWorker(t, it, receiver.env, []);
    const date = new Date(it.service.deps.clock.now() + 72 * HOUR).toISOString().slice(0, 10);
    const bookingId = await book(it, { date });
    await until(() => receiver.messages.length === 1);
    first.kill('SIGKILL');
    await until(() => first.signalCode !== null);
    release();
    assert.equal((await paymentOf(it, bookingId)).sent_at, null);
    // Its claim ends after 20 seconds.
    await it.service.deps.db.rows({ text: `update payments set leased_until = '2020-01-01'` });
    await startWorker(t, it, receiver.env, []);
    await until(async () => (await paymentOf(it, bookingId)).sent_at !== null);
    const { id } = await paymentOf(it, bookingId);
    assert.deepEqual(
      receiver.calls.map(({ body, status }) => [JSON.parse(body).id, status]),
      [
        [id, 202],
        [id, 409],
      ],
    );
  },
);

test("messages about visits go the same way, with the page's address", async (t) => {
  const receiver = await startNotifierServer(t, () => service.clock.now());
  const service = await startTestService(t, { env: { ...receiver.env, PUBLIC_URL: ADDRESS } });
  service.clock.set(Date.parse('2026-11-22T10:00:00+03:00'));
  const partner = { trackingPage: true, customerMessages: [...CHOSEN_KINDS] };
  const world = await createWorld(service, { partner, teams: 2 });
  receiver.refusal = 500;
  const booking = await booked(world, '10:00', { date: '2026-11-24' });
  await until(() => receiver.calls.length === 1);
  const messages = async () =>
    (await service.operator('GET', `/bookings/${booking.bookingId}/messages`)).body.data.messages;
  await until(async () => (await messages())[0].reason === 'NOTIFIER_WEBHOOK_URL answered 500');
  receiver.refusal = null;
  service.clock.advance(MINUTE);
  await until(() => receiver.messages.length === 1);
  const [first, second] = receiver.calls.map(({ body }) => JSON.parse(body));
  assert.equal(first.id, second.id);
  const url = service.deps.tracking.shortUrlOf({
    booking_id: booking.bookingId,
    appointment_name: booking.trackingReference,
  });
  assert.match(url, /^https:\/\/bookings\.example\.sa\/t\/\d{4}-[\w-]{12}$/);
  assert.deepEqual([second.kind, second.language, second.url], ['BOOKED', 'both', url]);
  assert.ok(second.text.endsWith(`\n${url}`));
  await service.operator('PATCH', `/partners/${world.partnerId}`, { trackingPage: false });
  service.clock.set(Date.parse('2026-11-24T09:30:00+03:00'));
  await patched(service, booking, { status: 'Confirmed' });
  await patched(service, booking, { status: 'In The Way' });
  await until(() => receiver.messages.some(({ kind }) => kind === 'ON_THE_WAY'));
  assert.equal(receiver.messages.at(-1)!.url, null);
});

test('none: the link is not sent, waits for no message, and can be paid', async (t) => {
  const it = await startPlatform(t, NONE);
  const bookingId = await book(it);
  await until(async () => (await paymentOf(it, bookingId)).status === 'OPEN');
  const before = await settled(it, bookingId);
  assert.deepEqual([before.sent_at, before.send_tries, before.tries], [null, 0, 0]);
  assert.equal(before.due_at, TEST_NOW + 30_000, 'the next poll of the gateway');
  // Polls go on, and no step is made for the message beside them.
  it.service.clock.set(before.due_at!);
  const polled = await settled(it, bookingId);
  assert.equal(polled.due_at, TEST_NOW + 60_000);
  const { body } = await it.service.v1(it.world.key, 'GET', `/partners/bookings/${bookingId}/status`);
  assert.equal(body.data.paymentLink.url, polled.link_url);
  const shown = (await it.service.operator('GET', `/payments/${polled.id}`)).body.data;
  assert.deepEqual([shown.status, shown.sentAt, shown.failureReason, shown.tries], ['OPEN', null, null, 0]);

  const again = await it.service.operator('POST', `/payments/${polled.id}/resend`);
  assert.deepEqual([again.status, again.body.error.code], [422, 'INVALID_TRANSITION']);
  assert.match(again.body.error.message, /^Nothing sends messages to customers/);
  const { body: audit } = await it.service.operator('GET', '/audit?action=payment.resend');
  assert.deepEqual(audit.data, []);

  await use(it, new URL(polled.link_url!).pathname, 'paid');
  await becomes(it, bookingId, ['in progress', 'PAID']);
  assert.equal((await paymentOf(it, bookingId)).sent_at, null);
});

test('none: a link that nobody pays expires, as LINK_EXPIRED', async (t) => {
  const it = await startPlatform(t, NONE);
  const bookingId = await book(it);
  await until(async () => (await paymentOf(it, bookingId)).status === 'OPEN');
  // Longer than a message is tried for.
  it.service.clock.advance(HOUR);
  assert.equal((await settled(it, bookingId)).status, 'OPEN');
  it.service.clock.advance(24 * HOUR);
  await becomes(it, bookingId, ['failed', 'FAILED']);
  const { failure_reason, sent_at } = await paymentOf(it, bookingId);
  assert.deepEqual([failure_reason, sent_at], ['LINK_EXPIRED', null]);
});

test('none: customers of the simulator pay by the link that was not sent', async (t) => {
  const it = await startPlatform(t, NONE);
  const [{ phone } = assert.fail()] = SCRIPTED_CUSTOMERS;
  const { id: contactId, addressId } = (await it.world.contact({ phone })).body.data;
  const bookingId = await book(it, { contactId, addressId });
  await becomes(it, bookingId, ['in progress', 'PAID']);
  assert.equal((await paymentOf(it, bookingId)).sent_at, null);
});

test('messages of partners can be switched on only where something sends them', async (t) => {
  const { operator, deps } = await startTestService(t, NONE);
  const refused = await operator('POST', '/partners', {
    name: 'Riyadh Homes',
    customerMessages: ['BOOKED'],
    allowedDomains: ['https://not.a.host'],
  });
  assert.equal(refused.status, 400, refused.text);
  assert.ok(refused.body.error.details.message.includes(MESSAGES_FAULT));
  assert.match(refused.body.error.details.hints[0], /NOTIFIER/);
  assert.deepEqual((await operator('GET', '/partners')).body.data, []);

  const made = await operator('POST', '/partners', { name: 'Riyadh Homes', customerMessages: [] });
  assert.equal(made.status, 201, made.text);
  const { id } = made.body.data;
  const switched = await operator('PATCH', `/partners/${id}`, { name: 'Homes', customerMessages: ['DONE'] });
  assert.deepEqual([switched.status, switched.body.error.details.message], [400, [MESSAGES_FAULT]]);
  const { name, customerMessages } = (await operator('GET', `/partners/${id}`)).body.data;
  assert.deepEqual([name, customerMessages], ['Riyadh Homes', []]);
  assert.equal((await operator('GET', '/audit?action=partner.update')).body.data.length, 0);
  // The use case itself, as the command line calls it.
  const providers = providersOf(deps.config.payments);
  const changes = { id, providers, changes: { customerMessages: ['DONE' as const] } };
  await assert.rejects(
    deps.db.transaction((tx) => changePartner(tx, TEST_NOW, 'test', changes)),
    { code: 'VALIDATION_ERROR' },
  );
});

test('none: messages that an account has from before are neither planned nor sent', async (t) => {
  const service = await startTestService(t, NONE);
  const { db } = service.deps;
  service.clock.set(Date.parse('2026-11-22T10:00:00+03:00'));
  const world = await createWorld(service, { teams: 2 });
  const before = await booked(world, '10:00', { date: '2026-11-24' });
  await db.rows({ text: `update partners set customer_messages = '{BOOKED,DONE}'` });
  await db.rows({
    text: `
      insert into customer_messages (id, booking_id, kind, version, starts_at, due_at, status, created_at)
      select gen_random_uuid(), booking_id, 'BOOKED', 1, starts_at, $1, 'QUEUED', $1 from appointments`,
    values: ['2026-11-22T07:00:00Z'],
  });
  const messagesOf = async (bookingId: string) =>
    (await service.operator('GET', `/bookings/${bookingId}/messages`)).body.data.messages.map(
      ({ status, reason }: { status: string; reason: string }) => `${status} ${reason}`,
    );
  await until(async () => (await messagesOf(before.bookingId))[0] === 'DROPPED SWITCHED_OFF');
  const after = await booked(world, '14:00', { date: '2026-11-24' });
  await until(async () => {
    const row = await db.first<{ left: number }>({
      text: `
        select (select count(*) from unplaced_events)
          + (select count(*) from event_places where place > (select place from customer_messages_cursor)) as left`,
    });
    return row!.left === 0;
  });
  assert.deepEqual(await messagesOf(after.bookingId), []);
  const { messagesFailed } = (await service.operator('GET', '/attention')).body.data;
  assert.equal(messagesFailed.count, 0);
});
