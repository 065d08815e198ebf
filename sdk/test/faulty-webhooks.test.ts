import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../test/harness.ts';
import { nothingDue, until } from '../../test/until.ts';
import { createHookWorld, subscribe } from '../../test/webhook-fixtures.ts';
import { type Received, startReceiver, type WebhookReceiver } from '../../test/webhook-receiver.ts';
import { createClient } from '../src/client.ts';
import type { SetSandboxFaultRequest } from '../src/contract.ts';
import { verifyWebhook, WebhookVerificationError } from '../src/webhooks.ts';

/**
 * Two receivers of the same webhooks, before and after the faults of a sandbox: a naive one trusts every delivery, a
 * careful one is written as the guide says.
 */

const EVENTS = ['booking.appointment_status_changed'];
const KINDS: SetSandboxFaultRequest['kind'][] = ['lose', 'delay', 'duplicate', 'reorder', 'bad-signature'];

const CHANGES = 3;
/** The number of changes that arrive before the one with the fault: after a loss nothing may reveal it. */
const BEFORE = { lose: 2, reorder: 1, delay: 0, duplicate: 0, 'bad-signature': 0 };

/** A partner's state of one booking. */
type Side = {
  receiver: WebhookReceiver;
  /** The displayed status of the appointment. */
  status: string | null;
  /** The number of actions, for example an SMS to the customer. */
  acted: number;
};

test('a naive receiver gets a wrong state from every fault, a careful one from none', async (t) => {
  const naive: Side = { receiver: await startReceiver(t), status: null, acted: 0 };
  const careful: Side = { receiver: await startReceiver(t), status: null, acted: 0 };
  const service = await startTestService(t, {
    env: { WEBHOOK_ALLOW_HOSTS: `${naive.receiver.host},${careful.receiver.host}` },
  });
  const world = await createHookWorld(service);
  const client = createClient({ apiKey: world.key, baseUrl: `${service.url}/v1` });
  const made = {
    naive: await subscribe(service, world.key, { url: naive.receiver.url, events: EVENTS }),
    careful: await subscribe(service, world.key, { url: careful.receiver.url, events: EVENTS }),
  };

  naive.receiver.answer = ({ json }, response) => {
    naive.status = json.payload.appointment.status;
    naive.acted++;
    response.end();
  };

  const known = new Set<string>();
  const working = new Set<Promise<void>>();
  /** Acts once on each event, and reads the booking's current state. */
  async function take(eventId: string, bookingId: string): Promise<void> {
    if (known.has(eventId)) return;
    known.add(eventId);
    careful.acted++;
    careful.status = (await client.bookings.get(bookingId)).appointment!.status;
  }
  /** The same event comes by webhook and by the feed, so it is identified by its place in the booking. */
  const nameOf = ({ bookingId, appointmentStatusChange }: Received['json']): string =>
    `${bookingId} ${appointmentStatusChange.to}`;
  careful.receiver.answer = ({ headers, body }, response) => {
    const work = (async () => {
      try {
        const now = service.clock.now();
        const { payload } = await verifyWebhook({ secret: made.careful.secret, headers, body, now });
        response.writeHead(204).end();
        await take(nameOf(payload), (payload as { bookingId: string }).bookingId);
      } catch (error) {
        if (!(error instanceof WebhookVerificationError)) throw error;
        response.writeHead(401).end();
      }
    })();
    working.add(work);
  };
  let cursor: string | undefined;
  /** Periodically: finds lost deliveries. */
  async function readFeed(): Promise<void> {
    const page = await client.events.list(cursor === undefined ? {} : { after: cursor });
    cursor = page.meta.nextCursor;
    for (const { event, bookingId, payload } of page.data)
      if (EVENTS.includes(event)) await take(nameOf(payload), bookingId);
  }

  /** All deliveries except `held` have arrived, and were processed. */
  const arrivedBut = async (held: number): Promise<void> => {
    await until(async () => {
      const { data } = await client.webhooks.deliveries.list({ status: 'PENDING' });
      return data.length === held;
    });
    await Promise.all(working);
  };
  const settled = async (): Promise<void> => {
    await arrivedBut(0);
    await nothingDue(service, 'webhooks');
  };

  let day = 0;
  /** Makes three changes of a booking's appointment, one of them with the fault; returns the booking's final state. */
  async function play(fault: SetSandboxFaultRequest['kind'] | null): Promise<string> {
    for (const side of [naive, careful]) Object.assign(side, { status: null, acted: 0 });
    const { bookingId } = (await world.book({ date: `2026-12-${String(++day).padStart(2, '0')}` })).body.data;
    const advance = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time++) {
        service.clock.advance(1_000);
        await client.sandbox.bookings.advance(bookingId);
      }
    };
    const before = BEFORE[fault ?? 'delay'];
    await advance(before);
    if (before > 0) await settled();
    for (const { id } of Object.values(made))
      if (fault !== null) await client.sandbox.webhooks.setFault(id, { kind: fault, count: 1 });
    await advance(1);
    await until(async () => {
      const all = await Promise.all(
        Object.values(made).map(({ id }) => client.sandbox.webhooks.listFaults(id)),
      );
      return all.every(({ faults }) => faults.length === 0);
    });
    // Without a fault, and before a late one, each arrives before the next change.
    const held = fault === 'delay' ? Object.keys(made).length : 0;
    const isInTurn = fault === null || fault === 'delay';
    if (isInTurn) await arrivedBut(held);
    for (let time = before + 1; time < CHANGES; time++) {
      await advance(1);
      if (isInTurn) await arrivedBut(held);
    }
    service.clock.advance(fault === 'delay' ? 60_000 : 0);
    await settled();
    await readFeed();
    return (await client.bookings.get(bookingId)).appointment!.status;
  }

  const before = await play(null);
  for (const side of [naive, careful]) assert.deepEqual([side.status, side.acted], [before, CHANGES]);
  for (const kind of KINDS) {
    const truth = await play(kind);
    assert.deepEqual([careful.status, careful.acted], [truth, CHANGES], `careful, ${kind}`);
    assert.notDeepEqual([naive.status, naive.acted], [truth, CHANGES], `naive, ${kind}`);
  }
});
