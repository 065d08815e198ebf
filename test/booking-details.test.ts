import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR } from '../src/base/clock.ts';
import { customerPaid, lockForPayment } from '../src/bookings/payment.ts';
import { createSealer } from '../src/db/sealing.ts';
import { readFeed } from '../src/events/feed.ts';
import { shownLinks } from '../src/portal/booking-routes.ts';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { type Answer, onServer, startTestService } from './harness.ts';
import {
  ACTOR,
  type Scene,
  sceneWithClaimedPayments,
  shownBooking,
  write,
} from './operator-payment-fixtures.ts';
import {
  becomes,
  book,
  cancel,
  eventsOf,
  linkOf,
  type Platform,
  paymentOf,
  reasonToCancel,
  sent,
  startPlatform,
  use,
} from './payment-flows.ts';
import { until } from './until.ts';
import { createHookWorld, subscribe } from './webhook-fixtures.ts';
import { startReceiver } from './webhook-receiver.ts';

/** What a booking says of itself beside the fields of the contract, in responses, webhooks and the feed. */

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Shown = any;

const path = (bookingId: string) => `/partners/bookings/${bookingId}`;

async function read({ service, world }: Platform, bookingId: string): Promise<Shown> {
  const answer = await service.v1(world.key, 'GET', `${path(bookingId)}/status`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

const data = (answer: Answer): Shown => {
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
};

/** The payload of the booking's last event of this name. */
async function payloadOf(it: Platform, bookingId: string, name: string): Promise<Shown> {
  return (await eventsOf(it, bookingId)).findLast(({ event }) => event === name)?.payload;
}

test('a booking names its service, customer, address, price and times', async (t) => {
  const service = await startTestService(t);
  const names = { name: 'Deep cleaning', nameEn: 'Deep cleaning', nameAr: 'تنظيف عميق' };
  const world = await createWorld(service, { service: { ...names, defaultPrice: 99.95 } });
  const it = { service, world };
  const made = data(
    await world.book({ contactId: world.contactId.toUpperCase(), addressId: world.addressId.toUpperCase() }),
  );
  const facts = {
    serviceId: world.serviceId,
    serviceNameEn: 'Deep cleaning',
    serviceNameAr: 'تنظيف عميق',
    contactId: world.contactId,
    addressId: world.addressId,
    price: 99.95,
    currency: 'SAR',
    paymentLink: null,
    cancellation: null,
    failureReason: null,
    outcome: null,
    policyId: null,
    fees: [],
    refund: null,
    createdAt: '2026-11-22T08:00:00+03:00',
    updatedAt: '2026-11-22T08:00:00+03:00',
  };
  assert.deepEqual({ ...made, ...facts }, made);
  assert.deepEqual(await read(it, made.bookingId), made);
  assert.deepEqual(await payloadOf(it, made.bookingId, 'booking.created'), made);

  service.clock.advance(HOUR);
  const confirmed = data(await service.v1(world.key, 'POST', `${path(made.bookingId)}/confirm-payment`, {}));
  assert.equal(confirmed.updatedAt, '2026-11-22T09:00:00+03:00');
  assert.deepEqual(await read(it, made.bookingId), confirmed);
  assert.deepEqual(await payloadOf(it, made.bookingId, 'booking.payment_confirmed'), confirmed);

  service.clock.advance(HOUR);
  const unchanged = data(await service.v1(world.key, 'PATCH', path(made.bookingId), {}));
  assert.deepEqual(unchanged, confirmed, 'nothing changes, neither does updatedAt');
  const moved = data(
    await service.v1(world.key, 'PATCH', path(made.bookingId), { externalReference: 'ORDER 1' }),
  );
  assert.equal(moved.updatedAt, '2026-11-22T10:00:00+03:00');
  assert.deepEqual(await read(it, made.bookingId), moved);

  service.clock.advance(HOUR);
  const reasonId = await reasonToCancel(it);
  const notes = 'The customer has moved';
  const canceled = data(
    await service.v1(world.key, 'PATCH', `${path(made.bookingId)}/cancel`, { reasonId, notes }),
  );
  assert.deepEqual(canceled.cancellation, {
    reasonId,
    by: 'PARTNER',
    at: '2026-11-22T11:00:00+03:00',
    notes,
    fee: null,
    feeToDecide: false,
    kept: 0,
    onBehalfOf: null,
    workReached: null,
  });
  assert.deepEqual(await read(it, made.bookingId), canceled);
  assert.deepEqual(await payloadOf(it, made.bookingId, 'booking.cancelled'), canceled);
  // The booking keeps the names of what was sold.
  data(
    await service.operator('PATCH', `/services/${world.serviceId}`, { nameEn: 'Deep clean', nameAr: null }),
  );
  const { serviceNameEn, serviceNameAr } = await read(it, made.bookingId);
  assert.deepEqual([serviceNameEn, serviceNameAr], ['Deep cleaning', 'تنظيف عميق']);
  assert.deepEqual(await payloadOf(it, made.bookingId, 'booking.cancelled'), canceled);
});

test('notes of a creation are stored for the operator, and never returned', async (t) => {
  const it = await startPlatform(t);
  const { service, world } = it;
  const notes = 'Please ring twice';
  const made = await world.book({ notes });
  assert.ok(!made.text.includes(notes));
  const { bookingId } = data(made);
  assert.equal((await shownBooking(service, bookingId)).notes, notes);
  for (const asked of ['/partners/bookings', '/partners/events', `${path(bookingId)}/status`])
    assert.ok(!(await service.v1(world.key, 'GET', asked)).text.includes(notes), asked);
  const long = await world.book({ notes: 'x'.repeat(2_001) });
  assert.equal(long.status, 400);
});

test("the operator's cancellation is shown without the operator's notes", async (t) => {
  const it = await startPlatform(t);
  const bookingId = await book(it);
  const reasonId = await reasonToCancel(it);
  const body = { reasonId, notes: 'The team broke the lift' };
  data(await it.service.operator('POST', `/bookings/${bookingId}/cancel`, body));
  const { cancellation } = await read(it, bookingId);
  assert.deepEqual(cancellation, {
    reasonId,
    by: 'OPERATOR',
    at: '2026-11-22T08:00:00+03:00',
    notes: null,
    fee: null,
    feeToDecide: false,
    kept: 0,
    onBehalfOf: null,
    workReached: null,
  });
  assert.deepEqual((await payloadOf(it, bookingId, 'booking.cancelled')).cancellation, cancellation);
  assert.equal((await shownBooking(it.service, bookingId)).cancellation.by, ACTOR);
});

test('the payment link is shown while it can be paid, and is stored sealed', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const world = await createHookWorld(service, { partner: { paymentResponsibility: 'PLATFORM' } });
  const it: Platform = { service, world };
  await subscribe(service, world.key, { url: receiver.url, events: ['booking.updated'] });
  const made = data(await world.book());
  assert.equal(made.paymentLink, null);
  service.clock.advance(HOUR);
  const { link_url: url } = await sent(it, made.bookingId);
  // The appointment starts at 10:00 the next day, two hours after the 24 of a link.
  const paymentLink = { url, expiresAt: '2026-11-23T08:00:00+03:00' };
  const waiting = await read(it, made.bookingId);
  assert.deepEqual(waiting.paymentLink, paymentLink);
  assert.ok(Date.parse(waiting.updatedAt) >= Date.parse(made.updatedAt));
  assert.deepEqual(
    data(await service.v1(world.key, 'GET', '/partners/bookings'))[0].paymentLink,
    paymentLink,
  );

  const changed = data(
    await service.v1(world.key, 'PATCH', path(made.bookingId), { externalReference: 'ORDER 1' }),
  );
  assert.deepEqual(changed.paymentLink, paymentLink);
  assert.deepEqual((await payloadOf(it, made.bookingId, 'booking.updated')).paymentLink, paymentLink);
  await receiver.arrived(1);
  assert.deepEqual(receiver.received[0]!.json.payload, changed);
  const [delivery] = data(await service.v1(world.key, 'GET', '/partners/webhooks/deliveries'));
  const detail = await service.v1(world.key, 'GET', `/partners/webhooks/deliveries/${delivery.id}`);
  assert.deepEqual(data(detail).payload.paymentLink, paymentLink);
  const seenByOperator = await service.operator('GET', `/deliveries/${delivery.id}`);
  assert.equal(data(seenByOperator).payload.paymentLink, null);

  const stored = await service.deps.db.rows<{ text: string }>({
    text: `select e::text as text from events e union all select a::text from audit_log a
      union all select p::text from payments p`,
  });
  assert.ok(stored.every(({ text }) => !text.includes(url!)));
  // Nor does the portal of production show it.
  const { config, sealer, tracking } = service.deps;
  const sealerIn = (deployment: 'sandbox' | 'production') =>
    shownLinks({ config: { ...config, deployment }, sealer, tracking }, { trackingPage: false }).sealer;
  assert.equal(sealerIn('sandbox'), sealer);
  assert.equal(sealerIn('production'), null);
  // Under a key that nobody has any more: the feed goes on, without the link.
  const links = { sealer: createSealer([Buffer.alloc(32, 7)]), tracking: null };
  const deps = { db: service.deps.db, links };
  const { data: events } = await readFeed(deps, service.clock.now(), world.partnerId, {});
  assert.equal(
    (events.findLast(({ event }) => event === 'booking.updated')!.payload as Shown).paymentLink,
    null,
  );

  await use(it, await linkOf(it, made.bookingId), 'paid');
  await becomes(it, made.bookingId, ['in progress', 'PAID']);
  assert.equal((await read(it, made.bookingId)).paymentLink, null);
});

test('an earlier start ends the link earlier', async (t) => {
  const it = await startPlatform(t, {}, { service: { minimumNoticeMinutes: 0 } });
  const bookingId = await book(it, { date: '2026-11-22', timeslot: { startAt: '12:00', endAt: '14:00' } });
  await sent(it, bookingId);
  assert.equal((await read(it, bookingId)).paymentLink.expiresAt, '2026-11-22T12:00:00+03:00');
});

const LINK = `status = 'PAID', gateway = 'sandbox', gateway_reference = gen_random_uuid(), link_url = 'x',
  paid_at = created_at`;
const PAID = `${LINK}, paid_amount = amount`;
const TWICE = `${LINK}, paid_amount = 2 * amount`;
const MONEYS: Record<string, string> = {
  nothing: '',
  paid: `${PAID}, refunded_amount = 0`,
  'paid, as old versions wrote it': PAID,
  'paid twice': `${TWICE}, refunded_amount = 0, refund_status = 'PENDING', refund_amount = amount`,
  'paid twice, the surplus is back': `${TWICE}, refunded_amount = amount, refund_status = 'DONE',
    refund_amount = amount, refunded_at = now()`,
  'all is back': `${PAID}, refunded_amount = amount, refund_status = 'DONE', refund_amount = amount, refunded_at = now()`,
  'the refund has failed': `${PAID}, refunded_amount = 0, refund_status = 'FAILED', refund_amount = amount`,
};
const BOOKINGS = {
  'waiting payment': 'PENDING',
  'in progress': 'PAID',
  success: 'PAID',
  failed: 'FAILED',
} as const;
const APPOINTMENTS = ['Scheduled', 'In The Way', 'In Progress', 'Completed', 'Cannot Complete'] as const;

/** A booking in the state, with the payment of a worker that does nothing. */
async function prepared(it: Scene, { booking, appointment, money }: Record<string, string>): Promise<string> {
  const { db } = it.service.deps;
  const bookingId = await book(it);
  await db.rows({
    text: 'update bookings set status = $2, payment_status = $3 where id = $1',
    values: [bookingId, booking, BOOKINGS[booking as keyof typeof BOOKINGS]],
  });
  // Its work begins in between, as far as it does.
  if (appointment === 'Cannot Complete')
    await db.rows({
      text: `update appointments set status = 'In Progress' where booking_id = $1`,
      values: [bookingId],
    });
  await db.rows({
    text: 'update appointments set status = $2 where booking_id = $1',
    values: [bookingId, appointment],
  });
  if (MONEYS[money!] !== '') await write(it.service, bookingId, MONEYS[money!]!);
  return bookingId;
}

const CHANGED = 'booking.appointment_status_changed';

/** The payload of the booking's last event of this name, as it was written. */
async function writtenPayload({ service }: Scene, bookingId: string, name: string): Promise<Shown> {
  const row = await service.deps.db.first<{ payload: Shown }>({
    text: 'select payload from events where booking_id = $1 and event = $2 order by sequence desc limit 1',
    values: [bookingId, name],
  });
  return row!.payload;
}

const CASES = Object.keys(BOOKINGS).flatMap((booking) =>
  APPOINTMENTS.flatMap((appointment) =>
    Object.keys(MONEYS).map((money) => ({ booking, appointment, money })),
  ),
);

test('a cancellation says at once what becomes of the money, in every state', async (t) => {
  const it = await sceneWithClaimedPayments(t, 1);
  const shown = new Set<string>();
  for (const state of CASES) {
    const bookingId = await prepared(it, state);
    const canceled = data(await cancel(it, bookingId));
    const what = JSON.stringify(state);
    assert.deepEqual(await read(it, bookingId), canceled, what);
    assert.deepEqual(await writtenPayload(it, bookingId, 'booking.cancelled'), canceled, what);
    shown.add(`${canceled.refund?.status} ${canceled.refund?.amount}`);
  }
  assert.deepEqual([...shown].sort(), [
    'DONE 150',
    'FAILED 150',
    'PENDING 150',
    'PENDING 300',
    'TO_DECIDE 150',
    'undefined undefined',
  ]);
});

test('a failure says why, and what becomes of the money, in every state', async (t) => {
  const it = await sceneWithClaimedPayments(t, 1);
  for (const state of CASES.filter(({ booking }) => booking !== 'failed')) {
    const bookingId = await prepared(it, state);
    const reason = 'The building is closed';
    const answer = await it.service.operator('POST', `/bookings/${bookingId}/fail`, { reason });
    const what = JSON.stringify(state);
    if (answer.status === 422) {
      assert.equal(state.appointment, 'Completed', what);
      data(await cancel(it, bookingId));
      continue;
    }
    const failed = await read(it, bookingId);
    assert.deepEqual([failed.status, failed.failureReason], ['failed', reason], what);
    const { appointmentStatusChange: _, ...payload } = await writtenPayload(it, bookingId, CHANGED);
    assert.deepEqual(payload, failed, what);
    const canceled = data(await cancel(it, bookingId));
    assert.equal(canceled.failureReason, reason, 'also after it was canceled');
  }
});

test('an expired link is the reason of the failure', async (t) => {
  const it = await startPlatform(t);
  const bookingId = await book(it, { date: WORLD_DATE });
  await sent(it, bookingId);
  it.service.clock.advance(30 * HOUR);
  await becomes(it, bookingId, ['failed', 'FAILED']);
  const failed = await read(it, bookingId);
  assert.deepEqual([failed.failureReason, failed.refund, failed.paymentLink], ['LINK_EXPIRED', null, null]);
  const { appointmentStatusChange: _, ...payload } = await payloadOf(
    it,
    bookingId,
    'booking.appointment_status_changed',
  );
  assert.equal(payload.failureReason, 'LINK_EXPIRED');
});

test(
  'a cancellation that waits for a payment sees its money',
  onServer('an embedded database has one connection'),
  async (t) => {
    const it = await sceneWithClaimedPayments(t);
    const { db } = it.service.deps;
    const bookingId = await book(it);
    const payment = await paymentOf(it, bookingId);
    const reasonId = await reasonToCancel(it);
    const now = it.service.clock.now();
    let canceling: Promise<Answer> | null = null;
    await db.transaction(async (tx) => {
      const locked = await lockForPayment(tx, bookingId);
      canceling = cancel(it, bookingId, reasonId);
      const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await until(async () => (await db.rows({ text: waits })).length > 0);
      assert.ok(await customerPaid(tx, now, locked, locked.payment!));
      await tx.rows({
        text: `update payments set ${PAID}, refunded_amount = 0 where id = $1`,
        values: [payment.id],
      });
    });
    const canceled = data(await canceling!);
    assert.deepEqual(canceled.refund, { status: 'PENDING', amount: 150 });
    assert.deepEqual(await read(it, bookingId), canceled);
  },
);

test('whatever changes a link or a refund changes the booking too', async (t) => {
  const it = await sceneWithClaimedPayments(t);
  const bookingId = await book(it);
  await write(it.service, bookingId, `${PAID}, refunded_amount = 0`);
  const versions = async () => (await shownBooking(it.service, bookingId)).version;
  for (const [assignments, isSeen] of [
    [`tries = 3, updated_at = updated_at + interval '1 hour'`, false],
    [`refund_status = 'PENDING', refund_amount = 10, updated_at = updated_at + interval '1 hour'`, true],
    [`refund_status = 'FAILED', updated_at = updated_at + interval '1 hour'`, true],
    [`refund_to_decide = true, updated_at = updated_at + interval '1 hour'`, true],
    [`link_url = 'sealed again'`, false],
  ] as const) {
    const before = { version: await versions(), ...(await read(it, bookingId)) };
    await write(it.service, bookingId, assignments);
    const after = { version: await versions(), ...(await read(it, bookingId)) };
    assert.equal(after.version, before.version + (isSeen ? 1 : 0), assignments);
    assert.equal(after.updatedAt !== before.updatedAt, isSeen, assignments);
  }
});
