import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { claimPayments } from '../src/payments/queries.ts';
import { createPostgresDatabase, onPostgres, startTestService } from './harness.ts';
import {
  becomes,
  book,
  invoiceOf,
  type Platform,
  paymentOf,
  providerEnv,
  startPlatform,
  startWithProviders,
  webhookUrlOf,
} from './payment-flows.ts';
import { type Moment, startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
import { until } from './until.ts';

/**
 * The connection to the database breaks at each statement of a worker that makes a link: the customer has the link a
 * few seconds later. Waiting for the claim to run out would take 20 seconds, and a fault once waited a minute.
 */

const skip = !onPostgres && 'an embedded database has no connection';

/** Business time: nothing waits longer than this after one fault (milliseconds). */
const SOON = 2_000;

type Shaky = Platform & { proxy: TcpProxy };

async function startShaky(t: TestContext): Promise<Shaky> {
  const url = await createPostgresDatabase(t);
  const proxy = await startTcpProxy(t, url);
  return { ...(await startPlatform(t, { databaseUrl: proxy.through(url) })), proxy };
}

const STATEMENTS = {
  'the claim': 'claim-payments',
  'the making of the link': 'insert into sandbox_checkouts',
  'the saving of the link': 'update payments set gateway',
  'the note that it was sent': 'update payments set sent_at',
  'the release': 'tries = case $5',
};

for (const [name, statement] of Object.entries(STATEMENTS)) {
  for (const moment of ['before', 'answered'] satisfies Moment[]) {
    test(`a connection that breaks at ${name}, ${moment}, delays the link by seconds`, {
      skip,
    }, async (t) => {
      const it = await startShaky(t);
      const { clock } = it.service;
      const broken = it.proxy.injectFaultAt(statement, 'reset', moment);
      const bookingId = await book(it);
      await broken;
      const from = clock.now();
      let payment = await paymentOf(it, bookingId).catch(() => null);
      await until(
        async () => {
          // Other statements may be active on broken connections as well.
          payment = await paymentOf(it, bookingId).catch(() => null);
          if (payment === null) return false;
          if (payment.lease === null && payment.sent_at === null && clock.now() < payment.due_at!) {
            assert.ok(payment.due_at! - from <= SOON, `due ${payment.due_at! - from} ms later`);
            clock.set(payment.due_at!);
          }
          return payment.sent_at !== null && payment.lease === null;
        },
        () => JSON.stringify(payment),
      );
      assert.ok(payment!.link_url !== null && payment!.tries === 0);
    });
  }
}

test('dead workers do not use up the tries of a payment', async (t) => {
  const it = await startWithProviders(t);
  const { db } = it.service.deps;
  const { clock } = it.service;
  it.moyasar.fault = { kind: 'status', status: 503, on: /^POST/, times: 1 };
  const bookingId = await book(it);
  await until(async () => {
    const { tries, lease } = await paymentOf(it, bookingId);
    return tries === 1 && lease === null;
  });
  const { due_at } = await paymentOf(it, bookingId);
  const workers = Array.from({ length: 12 }, (_, index) => index);
  for (const worker of workers) {
    // Claims, and is never heard of again: the claim has run out when the next one comes.
    const realNow = clock.now() - clock.offset();
    const claimed = await claimPayments(db, due_at!, realNow, {
      limit: 1,
      lease: `00000000-0000-4000-8000-${String(worker).padStart(12, '0')}`,
      leasedUntil: realNow - 1,
    });
    assert.equal(claimed.length, 1);
  }
  it.moyasar.fault = { kind: 'status', status: 503, on: /^(POST|GET)/, times: 1 };
  clock.set(due_at!);
  await until(async () => {
    const { lease, due_at: next } = await paymentOf(it, bookingId);
    return lease === null && next! > clock.now();
  });
  const refused = await paymentOf(it, bookingId);
  assert.deepEqual([refused.status, refused.failure_reason], ['CREATED', null]);
  clock.set(refused.due_at!);
  await until(async () => (await paymentOf(it, bookingId)).sent_at !== null);
});

test("a new configuration: notifications of the old gateway's links are still accepted", {
  skip: !onPostgres && 'two services need PostgreSQL',
}, async (t) => {
  const it = await startWithProviders(t, { env: { PORT: '0' } });
  const bookingId = await book(it);
  const invoice = await invoiceOf(it, bookingId);
  const next = await startTestService(t, {
    databaseUrl: it.service.deps.config.databaseUrl!,
    clock: it.service.clock,
    env: { ...providerEnv(it.moyasar, it.unifonic), PAYMENT_GATEWAY: 'sandbox', NOTIFIER: 'log' },
  });
  invoice.callback_url = null;
  it.moyasar.webhookUrl = webhookUrlOf(next);
  await it.moyasar.pay(invoice.id);
  assert.equal(it.moyasar.deliveries.at(-1)!.answer, 200);
  await becomes(it, bookingId, ['in progress', 'PAID']);
});
