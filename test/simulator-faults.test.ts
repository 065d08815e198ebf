import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../src/base/clock.ts';
import { verify } from '../src/webhooks/signature.ts';
import { createWorld, type World } from './fixtures.ts';
import { startTestService, type TestService } from './harness.ts';
import { nothingDue, until } from './until.ts';
import { createHookWorld, type MadeSubscription, subscribe } from './webhook-fixtures.ts';
import { type Received, startReceiver, type WebhookReceiver } from './webhook-receiver.ts';

/** Faults of deliveries that partners ask for in a sandbox, against a real receiver (docs/sandbox.md). */

const STATUS_CHANGED = 'booking.appointment_status_changed';
const MISSING = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';

type It = {
  service: TestService;
  world: World;
  receiver: WebhookReceiver;
  subscription: MadeSubscription;
  bookingId: string;
};

const faultsPath = (id: string): string => `/partners/sandbox/webhooks/subscriptions/${id}/faults`;

async function setFault({ service, world, subscription }: It, fault: Record<string, unknown>) {
  const answer = await service.v1(world.key, 'POST', faultsPath(subscription.id), fault);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function read({ service, world }: It, path: string) {
  const answer = await service.v1(world.key, 'GET', path);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

const faultsOf = (it: It) => read(it, faultsPath(it.subscription.id));

/** Moves the booking's appointment on, so that there is one more event. */
async function advance({ service, world, bookingId }: It): Promise<string> {
  // So that the latest delivery is known.
  service.clock.advance(1_000);
  const answer = await service.v1(world.key, 'POST', `/partners/sandbox/bookings/${bookingId}/advance`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.to;
}

/** Waits until the delivery of each status change is as wanted; the latest first. */
function deliveries(it: It, isAsWanted: (rows: Record<string, unknown>[]) => boolean) {
  return until(async () => {
    const rows = await read(it, `/partners/webhooks/deliveries?subscriptionId=${it.subscription.id}`);
    return isAsWanted(rows) && rows;
  });
}

const toOf = ({ json }: Received): string => json.payload.appointmentStatusChange.to;

test('faults of deliveries', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  let day = 0;
  /** A booking and a subscription of their own, so that no fault meets another test's deliveries. */
  const fresh = async (): Promise<It> => {
    const world = await createHookWorld(service);
    const subscription = await subscribe(service, world.key, { url: receiver.url, events: [STATUS_CHANGED] });
    const date = `2026-12-${String(++day).padStart(2, '0')}`;
    const { bookingId } = (await world.book({ date })).body.data;
    receiver.received.length = 0;
    receiver.answer = (_request, response) => response.end('thanks');
    return { service, world, receiver, subscription, bookingId };
  };
  const isGenuine = ({ subscription }: It, { headers, body }: Received): boolean =>
    verify(
      subscription.secret,
      {
        timestamp: headers['x-service-timestamp']!,
        signature: headers['x-service-signature']!,
        body: body.toString(),
      },
      Date.parse(headers['x-service-timestamp']!),
    );

  await t.test(
    'lose: nothing is sent, the record shows it, the feed has it and a retry sends it',
    async () => {
      const it = await fresh();
      const set = await setFault(it, { kind: 'lose', count: 1 });
      assert.deepEqual(
        set.faults.map(({ kind, remaining }: Record<string, unknown>) => [kind, remaining]),
        [['lose', 1]],
      );
      await advance(it);
      const [lost] = await deliveries(it, ([row]) => row?.status === 'FAILED');
      assert.deepEqual(
        [lost.error, lost.attemptCount, lost.statusCode, lost.nextRetryAt],
        ['SIMULATED_LOSS', 1, null, null],
      );
      await advance(it);
      await receiver.arrived(1);
      assert.deepEqual(receiver.received.map(toOf), ['In The Way'], 'only the next one arrives');
      const { faults, treated } = await faultsOf(it);
      assert.deepEqual([faults, treated.length], [[], 1]);
      assert.deepEqual(
        [treated[0].deliveryId, treated[0].kind, treated[0].bookingId],
        [lost.id, 'lose', it.bookingId],
      );
      const feed = await read(it, '/partners/events?limit=100');
      assert.ok(feed.some(({ id }: { id: string }) => id === treated[0].eventId));
      const { attempts } = await read(it, `/partners/webhooks/deliveries/${lost.id}`);
      assert.deepEqual(
        attempts.map(({ error }: { error: string }) => error),
        ['SIMULATED_LOSS'],
      );
      const retried = await it.service.v1(
        it.world.key,
        'POST',
        `/partners/webhooks/deliveries/${lost.id}/retry`,
      );
      assert.equal(retried.status, 200, retried.text);
      await receiver.arrived(2);
      assert.equal(toOf(receiver.received[1]!), 'Confirmed');
    },
  );

  await t.test('delay: sent when due, not before', async () => {
    const it = await fresh();
    await setFault(it, { kind: 'delay', count: 1, delaySeconds: 600 });
    await advance(it);
    await deliveries(it, (rows) => rows.length === 1);
    await nothingDue(service, 'webhooks');
    service.clock.advance(9 * MINUTE);
    await nothingDue(service, 'webhooks');
    assert.equal(receiver.received.length, 0);
    service.clock.advance(MINUTE);
    await receiver.arrived(1);
    assert.ok(isGenuine(it, receiver.received[0]!));
    const [row] = await deliveries(it, ([found]) => found?.status === 'DELIVERED');
    assert.equal(row.attemptCount, 1);
  });

  await t.test('duplicate: the same delivery twice, both signed', async () => {
    const it = await fresh();
    await setFault(it, { kind: 'duplicate', count: 1 });
    await advance(it);
    await receiver.arrived(2);
    const [first, second] = receiver.received;
    assert.equal(first!.json.deliveryId, second!.json.deliveryId);
    assert.ok(isGenuine(it, first!) && isGenuine(it, second!));
    const [row] = await deliveries(it, ([found]) => found?.status === 'DELIVERED');
    assert.equal(row.attemptCount, 2);
    const { attempts } = await read(it, `/partners/webhooks/deliveries/${row.id}`);
    assert.deepEqual(
      attempts.map(({ error, statusCode }: Record<string, unknown>) => [error, statusCode]),
      [
        ['SIMULATED_DUPLICATE', 200],
        [null, 200],
      ],
    );
  });

  await t.test('bad-signature: refused by a receiver that checks, then sent properly', async () => {
    const it = await fresh();
    receiver.answer = (request, response) => response.writeHead(isGenuine(it, request) ? 200 : 401).end();
    // The secret before signs no bad one either.
    const path = `/partners/webhooks/subscriptions/${it.subscription.id}/rotate-secret`;
    assert.equal((await it.service.v1(it.world.key, 'POST', path, { overlapHours: 24 })).status, 200);
    await setFault(it, { kind: 'bad-signature', count: 1 });
    await advance(it);
    const [row] = await deliveries(it, ([found]) => found?.status === 'DELIVERED');
    const { attempts } = await read(it, `/partners/webhooks/deliveries/${row.id}`);
    assert.deepEqual(
      attempts.map(({ error, statusCode }: Record<string, unknown>) => [error, statusCode]),
      [
        ['SIMULATED_BAD_SIGNATURE', 401],
        [null, 200],
      ],
    );
    assert.deepEqual(
      receiver.received.map((request) => isGenuine(it, request)),
      [false, true],
    );
  });

  await t.test('reorder: sent after the next one of its booking, or alone after a minute', async () => {
    const it = await fresh();
    await setFault(it, { kind: 'reorder', count: 1 });
    await advance(it);
    await deliveries(it, (rows) => rows.length === 1);
    await nothingDue(service, 'webhooks');
    assert.equal(receiver.received.length, 0, 'held');
    await advance(it);
    await receiver.arrived(2);
    assert.deepEqual(receiver.received.map(toOf), ['In The Way', 'Confirmed']);
    await deliveries(it, (rows) => rows.every(({ status }) => status === 'DELIVERED'));

    await setFault(it, { kind: 'reorder', count: 1 });
    await advance(it);
    await deliveries(it, (rows) => rows.length === 3);
    await nothingDue(service, 'webhooks');
    service.clock.advance(MINUTE);
    await receiver.arrived(3);
  });

  await t.test('faults occur in the order they were set, once each; cleared ones do not', async () => {
    const it = await fresh();
    await setFault(it, { kind: 'lose', count: 7 });
    // Replaced, not added.
    service.clock.advance(1_000);
    await setFault(it, { kind: 'lose', count: 1 });
    service.clock.advance(1_000);
    const both = await setFault(it, { kind: 'duplicate', count: 2 });
    assert.deepEqual(
      both.faults.map(({ kind, remaining }: Record<string, unknown>) => [kind, remaining]),
      [
        ['lose', 1],
        ['duplicate', 2],
      ],
    );
    await advance(it);
    await deliveries(it, ([row]) => row?.status === 'FAILED');
    await advance(it);
    await receiver.arrived(2);
    await deliveries(it, ([row]) => row?.status === 'DELIVERED');
    assert.equal((await faultsOf(it)).faults[0].remaining, 1);
    const cleared = await service.v1(it.world.key, 'DELETE', faultsPath(it.subscription.id));
    assert.deepEqual([cleared.status, cleared.body.data.faults], [200, []]);
    await advance(it);
    await receiver.arrived(3);
    await nothingDue(service, 'webhooks');
    assert.equal(receiver.received.length, 3);
  });

  await t.test('a receiver that loses the second of the two gets the usual retries', async () => {
    const it = await fresh();
    receiver.answer = (_request, response) =>
      response.writeHead(receiver.received.length === 2 ? 500 : 200).end();
    await setFault(it, { kind: 'duplicate', count: 1 });
    await advance(it);
    const [row] = await deliveries(it, ([found]) => found?.attemptCount === 2);
    assert.deepEqual([row.status, row.error], ['PENDING', 'STATUS_NOT_2XX']);
    service.clock.advance(MINUTE);
    await receiver.arrived(3);
    const [end] = await deliveries(it, ([found]) => found?.status === 'DELIVERED');
    assert.equal(end.attemptCount, 3, 'and not twice again');
  });

  await t.test("another partner's subscription is not found", async () => {
    const it = await fresh();
    const stranger = await createWorld(service);
    for (const [key, id] of [
      [stranger.key, it.subscription.id],
      [it.world.key, MISSING],
    ] as const) {
      const fault = { kind: 'lose', count: 1 };
      for (const answer of [
        await service.v1(key, 'POST', faultsPath(id), fault),
        await service.v1(key, 'GET', faultsPath(id)),
        await service.v1(key, 'DELETE', faultsPath(id)),
      ])
        assert.deepEqual([answer.status, answer.body.error.code], [404, 'RESOURCE_NOT_FOUND']);
    }
    for (const fault of [{}, { kind: 'lose', count: 101 }, { kind: 'lose', count: 1, delaySeconds: 5 }]) {
      assert.equal(
        (await service.v1(it.world.key, 'POST', faultsPath(it.subscription.id), fault)).status,
        400,
      );
    }
    assert.deepEqual((await faultsOf(it)).faults, []);
  });

  await t.test('many events at once: each fault exactly once', async () => {
    const it = await fresh();
    await setFault(it, { kind: 'lose', count: 3 });
    const run = await service.v1(it.world.key, 'POST', `/partners/sandbox/bookings/${it.bookingId}/runs`, {
      script: 'complete',
      everySeconds: 0,
    });
    assert.equal(run.status, 200, run.text);
    const rows = await deliveries(
      it,
      (found) => found.length === 6 && found.every(({ status }) => status !== 'PENDING'),
    );
    assert.equal(rows.filter(({ status }: { status: string }) => status === 'FAILED').length, 3);
    assert.equal(receiver.received.length, 3);
  });
});
