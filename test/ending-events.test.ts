import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyWebhook } from '../sdk/src/webhooks.ts';
import { HOUR } from '../src/base/clock.ts';
import { CONTRACT_EVENTS, EVENT_NAMES, type EventName } from '../src/bookings/rules.ts';
import { MAX_SCANNED } from '../src/events/queries.ts';
import { applyStatus } from '../src/payments/settle.ts';
import { SCRIPTS, type Script } from '../src/simulator/rules.ts';
import { createWorld, type WorldOptions } from './fixtures.ts';
import { alsoOnServer, startTestService } from './harness.ts';
import {
  becomes,
  book,
  cancel,
  linkOf,
  type Platform,
  paymentOf,
  reasonToCancel,
  refundedOf,
  sent,
  settled,
  startPlatform,
  use,
} from './payment-flows.ts';
import { times } from './storm.ts';
import { until } from './until.ts';
import { createHookWorld, subscribe } from './webhook-fixtures.ts';
import { startReceiver, writeEvents } from './webhook-receiver.ts';

/** Every end of a booking has an event; events that the contract lacks go to those only who name them. */

type Written = { event: EventName; to: string | null };

const ADDED = EVENT_NAMES.slice(CONTRACT_EVENTS.length);
const CHANGED = 'booking.appointment_status_changed';

/** The events of a booking in their order; of an appointment with its new status. */
async function written({ service }: Platform, bookingId: string): Promise<string[]> {
  const events = await service.deps.db.rows<Written>({
    text: `
      select event, payload -> 'appointmentStatusChange' ->> 'to' as "to" from events
      where booking_id = $1 order by sequence`,
    values: [bookingId],
  });
  return events.map(({ event, to }) => to ?? event);
}

async function payloadOf({ service }: Platform, bookingId: string, name: EventName) {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads freely
  const row = await service.deps.db.first<{ payload: any }>({
    text: 'select payload from events where booking_id = $1 and event = $2',
    values: [bookingId, name],
  });
  return row?.payload;
}

async function read({ service, world }: Platform, bookingId: string) {
  return (await service.v1(world.key, 'GET', `/partners/bookings/${bookingId}/status`)).body.data;
}

// ---------------------------------------------------------------------------
// Scripts of the simulator

const WAY = ['Confirmed', 'In The Way', 'In The location'];
const PAID = 'booking.payment_succeeded';
const FAILED = ['booking.payment_failed', 'booking.failed', 'Cancelled'];
/** What a script leaves behind after booking.created, by the account; null: it does not fit. */
const SCRIPT_EVENTS: Record<Script, { PARTNER: string[] | null; PLATFORM: string[] | null }> = {
  complete: {
    PARTNER: [...WAY, 'In Progress', 'Finished', 'Completed'],
    PLATFORM: [PAID, ...WAY, 'In Progress', 'Finished', 'Completed'],
  },
  'cannot-complete': { PARTNER: [...WAY, 'Cannot Complete'], PLATFORM: [PAID, ...WAY, 'Cannot Complete'] },
  'late-cancel': {
    PARTNER: [...WAY, 'In Progress', 'booking.cancelled', 'Cancelled'],
    PLATFORM: [PAID, ...WAY, 'In Progress', 'booking.cancelled', 'Cancelled'],
  },
  'no-show': {
    PARTNER: [...WAY, 'Cannot Complete', 'booking.cancelled', 'Cancelled'],
    PLATFORM: [PAID, ...WAY, 'Cannot Complete', 'booking.cancelled', 'Cancelled', 'booking.refunded'],
  },
  revisit: {
    PARTNER: [...WAY, 'Cannot Complete', 'booking.updated', 'Scheduled'],
    PLATFORM: [PAID, ...WAY, 'Cannot Complete', 'booking.updated', 'Scheduled'],
  },
  'operator-moves': { PARTNER: ['booking.updated'], PLATFORM: ['booking.updated'] },
  'operator-cancels': {
    PARTNER: ['booking.cancelled', 'Cancelled'],
    PLATFORM: ['booking.cancelled', 'Cancelled'],
  },
  'customer-pays': { PARTNER: null, PLATFORM: [PAID] },
  'payment-fails': { PARTNER: null, PLATFORM: FAILED },
};
/** Each is the end of a booking, for its partner. */
const ENDS = ['Completed', 'Cannot Complete', 'booking.cancelled', 'booking.failed'];
/** These leave the booking open. */
const OPEN: readonly Script[] = ['operator-moves', 'customer-pays', 'revisit'];

for (const mode of ['PARTNER', 'PLATFORM'] as const) {
  test(`each script ends in exactly one ending event, under ${mode}`, async (t) => {
    const service = await startTestService(t);
    const world = await createWorld(service, { teams: 6, partner: { paymentResponsibility: mode } });
    const it: Platform = { service, world };
    await reasonToCancel(it);
    for (const script of SCRIPTS) {
      const bookingId = await book(it);
      if (mode === 'PLATFORM') await sent(it, bookingId);
      const path = `/partners/sandbox/bookings/${bookingId}/runs`;
      const started = await service.v1(world.key, 'POST', path, { script, everySeconds: 0 });
      const expected = SCRIPT_EVENTS[script][mode];
      if (expected === null) {
        assert.equal(started.status, 422, script);
        continue;
      }
      assert.equal(started.status, 200, started.text);
      await until(async () => {
        const { body } = await service.v1(world.key, 'GET', `${path}/${started.body.data.id}`);
        return body.data.status === 'COMPLETED';
      });
      // A refund is made after the script.
      await until(async () => (await written(it, bookingId)).length > expected.length);
      const events = await written(it, bookingId);
      assert.deepEqual(events, ['booking.created', ...expected], script);
      // A visit that could not be done is the end unless the operator has decided.
      const isDecided = events.at(-1) !== 'Cannot Complete';
      const ends = events.filter(
        (event) => ENDS.includes(event) && !(isDecided && event === 'Cannot Complete'),
      );
      assert.equal(ends.length, OPEN.includes(script) ? 0 : 1, script);
    }
  });
}

test('customers who decline let the link expire: one end', async (t) => {
  const it = await startPlatform(t);
  const bookingId = await book(it);
  await use(it, await linkOf(it, bookingId), 'declined');
  it.service.clock.advance(30 * HOUR);
  await becomes(it, bookingId, ['failed', 'FAILED']);
  assert.deepEqual(await written(it, bookingId), ['booking.created', ...FAILED]);
  const failed = await read(it, bookingId);
  assert.deepEqual(await payloadOf(it, bookingId, 'booking.failed'), { ...failed, reason: 'LINK_EXPIRED' });
});

test('the operator fails bookings of both accounts: one booking.failed with the reason', async (t) => {
  const partner = await startPlatform(t, {}, { partner: { paymentResponsibility: 'PARTNER' } });
  const reason = 'The building is closed';
  const fail = ({ service }: Platform, bookingId: string) =>
    service.operator('POST', `/bookings/${bookingId}/fail`, { reason });
  const unpaid = await book(partner);
  assert.equal((await fail(partner, unpaid)).status, 200);
  assert.deepEqual(await written(partner, unpaid), ['booking.created', 'booking.failed', 'Cancelled']);
  const failed = { ...(await read(partner, unpaid)), reason };
  assert.deepEqual(await payloadOf(partner, unpaid, 'booking.failed'), failed);

  const platform = await startPlatform(t);
  const paid = await book(platform);
  await use(platform, await linkOf(platform, paid), 'paid');
  await becomes(platform, paid, ['in progress', 'PAID']);
  const succeeded = await payloadOf(platform, paid, PAID);
  assert.deepEqual(succeeded, { ...(await read(platform, paid)) });
  assert.equal((await fail(platform, paid)).status, 200);
  await until(async () => (await read(platform, paid)).refund.status === 'DONE');
  assert.deepEqual(await written(platform, paid), ['booking.created', PAID, ...FAILED, 'booking.refunded']);
  const ofFailure = await payloadOf(platform, paid, 'booking.failed');
  assert.deepEqual(ofFailure.refund, { status: 'PENDING', amount: 150 });
  const refunded = await payloadOf(platform, paid, 'booking.refunded');
  assert.deepEqual(refunded, await read(platform, paid));
  assert.deepEqual(refunded.refund, { status: 'DONE', amount: 150 });
});

// ---------------------------------------------------------------------------
// Races

test('a payment that is reported many times at once succeeds once', alsoOnServer, async (t) => {
  const it = await startPlatform(t);
  const { db } = it.service.deps;
  const bookingId = await book(it);
  const payment = await sent(it, bookingId);
  const now = it.service.clock.now();
  const status = {
    reference: payment.gateway_reference!,
    paymentId: payment.id,
    state: 'closed' as const,
    payments: [
      {
        reference: 'charge-1',
        status: 'paid',
        currency: 'SAR',
        amount: '150.00',
        charged: '150.00',
        refunded: '0.00',
        at: now,
      },
    ],
  };
  const known = { id: payment.id, booking_id: bookingId };
  await Promise.all(times(10, () => applyStatus(db, now, known, status)));
  assert.deepEqual(await written(it, bookingId), ['booking.created', PAID]);
});

test('paid while it is cancelled or failed: succeeded before, or refunded only', alsoOnServer, async (t) => {
  const it = await startPlatform(t, {}, { teams: 12 });
  const reasonId = await reasonToCancel(it);
  const endings = {
    cancel: (bookingId: string) => cancel(it, bookingId, reasonId),
    fail: (bookingId: string) =>
      it.service.operator('POST', `/bookings/${bookingId}/fail`, { reason: 'The building is closed' }),
  };
  for (const [name, end] of Object.entries(endings)) {
    const ended = name === 'cancel' ? ['booking.cancelled', 'Cancelled'] : FAILED;
    const bookings = await Promise.all(times(6, () => book(it)));
    const links = new Map<string, string>();
    for (const bookingId of bookings) links.set(bookingId, await linkOf(it, bookingId));
    // The first ends before its customer pays.
    assert.equal((await end(bookings[0]!)).status, 200);
    await Promise.all(
      bookings.map(async (bookingId, index) => {
        const paying = use(it, links.get(bookingId)!, 'paid');
        if (index > 0) assert.equal((await end(bookingId)).status, 200);
        await paying;
      }),
    );
    for (const [index, bookingId] of bookings.entries()) {
      await settled(it, bookingId);
      const { paid_amount: paid } = await paymentOf(it, bookingId);
      const events = await written(it, bookingId);
      const before = ['booking.created', ...(events.includes(PAID) ? [PAID] : [])];
      // A link that was closed in time takes no money.
      const after = paid === null ? [] : ['booking.refunded'];
      assert.deepEqual(events, [...before, ...ended, ...after], `${name} ${index}`);
      assert.equal(await refundedOf(it, bookingId), paid ?? '0.00');
      if (index === 0) assert.ok(!events.includes(PAID));
    }
  }
});

test('a refund by hand, and one that the operator decides on, are told when they are done', async (t) => {
  const it = await startPlatform(t, {}, { teams: 2 });
  const bookingId = await book(it);
  await use(it, await linkOf(it, bookingId), 'paid');
  await becomes(it, bookingId, ['in progress', 'PAID']);
  const { appointmentId } = await read(it, bookingId);
  for (const status of ['In The Way', 'In The location', 'In Progress'])
    assert.equal(
      (await it.service.operator('PATCH', `/appointments/${appointmentId}`, { status })).status,
      200,
    );
  const canceled = (await cancel(it, bookingId)).body.data;
  assert.deepEqual(canceled.refund, { status: 'TO_DECIDE', amount: 150 });
  const before = await written(it, bookingId);
  assert.ok(!before.includes('booking.refunded'));
  const { id } = await paymentOf(it, bookingId);
  const decision = { amount: 50, reason: 'Half of the work was done' };
  assert.equal((await it.service.operator('POST', `/payments/${id}/refund`, decision)).status, 200);
  await until(async () => (await read(it, bookingId)).refund.status === 'DONE');
  assert.deepEqual(await written(it, bookingId), [...before, 'booking.fees_changed', 'booking.refunded']);
  assert.deepEqual((await payloadOf(it, bookingId, 'booking.refunded')).refund, {
    status: 'DONE',
    amount: 50,
  });

  const other = await book(it, { date: '2026-11-24' });
  await use(it, await linkOf(it, other), 'paid');
  await becomes(it, other, ['in progress', 'PAID']);
  const { id: otherId } = await settled(it, other);
  await it.service.deps.db.rows({
    text: `update payments set refund_status = 'FAILED', refund_amount = paid_amount, due_at = null where id = $1`,
    values: [otherId],
  });
  const done = await it.service.operator('POST', `/payments/${otherId}/refund/done`, { reference: 'BANK 1' });
  assert.equal(done.status, 200, done.text);
  assert.deepEqual(await written(it, other), ['booking.created', PAID, 'booking.refunded']);
});

// ---------------------------------------------------------------------------
// Who receives them

const PLATFORM: WorldOptions = { partner: { paymentResponsibility: 'PLATFORM' } };

test('webhooks: only subscriptions that name them', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const world = await createHookWorld(service, PLATFORM);
  const it: Platform = { service, world };
  const old = await subscribe(service, world.key, {
    url: `${receiver.url}?old`,
    events: [...CONTRACT_EVENTS],
  });
  const asking = await subscribe(service, world.key, {
    url: `${receiver.url}?new`,
    events: [...EVENT_NAMES],
  });
  const bookingId = await book(it);
  await use(it, await linkOf(it, bookingId), 'paid');
  await becomes(it, bookingId, ['in progress', 'PAID']);
  await service.operator('POST', `/bookings/${bookingId}/fail`, { reason: 'The building is closed' });
  await until(async () => (await written(it, bookingId)).includes('booking.refunded'));
  const sentTo = async (subscriptionId: string) =>
    (
      await service.deps.db.rows<{ event: string }>({
        text: 'select event from webhook_deliveries where subscription_id = $1 order by created_at, id',
        values: [subscriptionId],
      })
    ).map(({ event }) => event);
  const all = [
    'booking.created',
    PAID,
    'booking.payment_failed',
    'booking.failed',
    CHANGED,
    'booking.refunded',
  ];
  assert.deepEqual(await sentTo(asking.id), all);
  assert.deepEqual(
    await sentTo(old.id),
    all.filter((event) => !ADDED.some((name) => name === event)),
  );
  const failed = () => receiver.received.find(({ json }) => json.event === 'booking.failed');
  await until(() => failed() !== undefined);
  assert.deepEqual(failed()!.json.payload, await payloadOf(it, bookingId, 'booking.failed'));
  // Also by receivers that know no such event.
  const { headers, body } = failed()!;
  const now = Date.parse(headers['x-service-timestamp']!);
  const verified = await verifyWebhook({
    secret: asking.secret,
    headers,
    body: body.toString(),
    now,
  });
  assert.deepEqual(verified, failed()!.json);
});

test('the feed: only when they are asked for, whatever the cursor', alsoOnServer, async (t) => {
  const it = await startPlatform(t, {}, { teams: 4 });
  const { service, world } = it;
  const bookings = await Promise.all(times(4, () => book(it)));
  for (const [index, bookingId] of bookings.entries()) {
    await use(it, await linkOf(it, bookingId), index % 2 ? 'paid' : 'failed');
    await until(async () => (await read(it, bookingId)).status !== 'waiting payment');
  }
  const asked = async (query: Record<string, string>) => {
    const answer = await service.v1(world.key, 'GET', `/partners/events?${new URLSearchParams(query)}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body as {
      data: { id: string; event: EventName }[];
      meta: { nextCursor: string; hasMore: boolean };
    };
  };
  const all = (await asked({ events: 'all', limit: '100' })).data;
  assert.deepEqual(new Set(all.map(({ event }) => event)).size, 5);
  const idsOf = (names: readonly EventName[]) =>
    all.filter(({ event }) => names.includes(event)).map(({ id }) => id);
  const LISTS: Record<string, readonly EventName[]> = {
    all: EVENT_NAMES,
    'booking.failed': ['booking.failed'],
    'booking.refunded': ['booking.refunded'],
    'booking.created,booking.failed': ['booking.created', 'booking.failed'],
  };
  for (const limit of ['1', '2', '3', '100']) {
    for (const events of [undefined, ...Object.keys(LISTS)]) {
      const found: string[] = [];
      let after: string | undefined;
      for (let hasMore = true; hasMore; ) {
        const page = await asked({ limit, ...(events && { events }), ...(after && { after }) });
        found.push(...page.data.map(({ id }) => id));
        ({ nextCursor: after, hasMore } = page.meta);
        assert.ok(page.data.length <= Number(limit));
      }
      assert.deepEqual(
        found,
        idsOf(events === undefined ? CONTRACT_EVENTS : LISTS[events]!),
        `${events} ${limit}`,
      );
      // The cursor of any list is good for any other: it is at the end now.
      assert.deepEqual((await asked({ events: 'all', after: after! })).data, []);
    }
  }
  // A cursor in the middle does not depend on the list that it comes from.
  const { meta } = await asked({ limit: '2' });
  const place = all.findIndex(({ id }) => id === idsOf(CONTRACT_EVENTS)[1]);
  const rest = await asked({ events: 'all', limit: '100', after: meta.nextCursor });
  assert.deepEqual(
    rest.data.map(({ id }) => id),
    all.slice(place + 1).map(({ id }) => id),
  );
  for (const events of [
    '',
    'ALL',
    'booking.lost',
    'all,booking.failed',
    'booking.failed,',
    'booking.failed, booking.created',
  ]) {
    const answer = await service.v1(world.key, 'GET', `/partners/events?${new URLSearchParams({ events })}`);
    assert.equal(answer.status, 400, events);
  }
});

test('a rare event among many is found by pages of bounded work', async (t) => {
  const it = await startPlatform(t);
  const { service, world } = it;
  const bookingId = await book(it);
  await sent(it, bookingId);
  await writeEvents(service, bookingId, 2 * MAX_SCANNED + 10);
  await use(it, await linkOf(it, bookingId), 'failed');
  await becomes(it, bookingId, ['failed', 'FAILED']);
  const lengths: number[] = [];
  let query = '';
  for (let hasMore = true; hasMore; ) {
    const { body } = await service.v1(world.key, 'GET', `/partners/events?events=booking.failed${query}`);
    lengths.push(body.data.length);
    hasMore = body.meta.hasMore;
    query = `&after=${body.meta.nextCursor}`;
  }
  assert.deepEqual(lengths, [0, 0, 1]);
});
