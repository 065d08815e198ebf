import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../src/base/clock.ts';
import { STEP_RETRY_AFTER } from '../src/payments/rules.ts';
import { call, TEST_NOW, type TestService } from './harness.ts';
import { book, paymentOf, startPlatform, startWithProviders } from './payment-flows.ts';
import { until } from './until.ts';

/**
 * Links that are not made or not sent, and why, as an operator sees them: metrics and what needs attention.
 */

type Concern = { count: number; list: string; rows: { bookingId: string }[] };

/** The samples of one scrape, by metric and value of the label. */
async function scrape(service: TestService): Promise<(metric: string, value: string) => number> {
  const { text } = await call(service.url, 'GET', '/metrics');
  return (metric, value) =>
    Number(new RegExp(`^${metric}\\{\\w+="${value}"\\} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** The concern, whose list has the same rows. */
async function concernOf(service: TestService, name: 'linksNotMade' | 'linksNotSent'): Promise<Concern> {
  const concern = (await service.operator('GET', '/attention')).body.data[name] as Concern;
  const listed = await service.operator('GET', concern.list.replace('/operator', ''));
  // Not whole rows: the worker goes on trying between the two requests, and counts it.
  const idsOf = (rows: Concern['rows']): string[] => rows.map(({ bookingId }) => bookingId);
  assert.deepEqual(idsOf(listed.body.data), idsOf(concern.rows), listed.text);
  return concern;
}

for (const [step, concern, provider, calls] of [
  ['make', 'linksNotMade', 'moyasar', 'payment_gateway_calls_total'],
  ['send', 'linksNotSent', 'unifonic', 'messages_sent_total'],
] as const)
  for (const [fault, outcome] of [
    [{ kind: 'status', status: 500 }, 'failed'],
    [{ kind: 'status', status: 401 }, 'key_refused'],
  ] as const)
    test(`a link that cannot be ${step === 'make' ? 'made' : 'sent'} (${fault.status}) is counted, dated and shown`, async (t) => {
      const it = await startWithProviders(t);
      const { service } = it;
      const seen = async () => {
        const sample = await scrape(service);
        return {
          waiting: sample('payment_links_unsent', step),
          age: sample('payment_links_unsent_seconds', step),
          calls: sample(calls, outcome),
          concern: (await concernOf(service, concern)).rows.map(({ bookingId }) => bookingId),
        };
      };
      assert.deepEqual(await seen(), { waiting: 0, age: 0, calls: 0, concern: [] });

      it[provider].fault = fault;
      const bookingId = await book(it);
      const isTried = async () => {
        const payment = await paymentOf(it, bookingId);
        return step === 'make' ? payment.due_at! > TEST_NOW : payment.send_tries > 0;
      };
      await until(isTried);
      const fresh = { waiting: 1, age: 0, calls: 1, concern: [] };
      assert.deepEqual(await seen(), fresh, 'no concern within its first minute');
      // Before the next try, which would be counted too.
      service.clock.advance(STEP_RETRY_AFTER[0] - 1);
      assert.equal((await seen()).age, (STEP_RETRY_AFTER[0] - 1) / 1000);
      service.clock.advance(MINUTE);
      assert.deepEqual((await seen()).concern, [bookingId]);
      await until(async () => (await scrape(service))('attention', concern) === 1);

      it[provider].fault = null;
      await until(async () => {
        service.clock.advance(MINUTE);
        return (await paymentOf(it, bookingId)).sent_at !== null;
      });
      const { waiting, age, concern: late } = await seen();
      assert.deepEqual({ waiting, age, late }, { waiting: 0, age: 0, late: [] });
      assert.ok((await scrape(service))(calls, 'done') > 0);
    });

test('a link that nobody is to be sent is not counted', async (t) => {
  const it = await startPlatform(t, { env: { NOTIFIER: 'none' } });
  const bookingId = await book(it);
  await until(async () => (await paymentOf(it, bookingId)).status === 'OPEN');
  await until(async () => (await scrape(it.service))('payment_links_unsent', 'send') === 0);
  it.service.clock.advance(2 * MINUTE);
  assert.equal((await concernOf(it.service, 'linksNotSent')).count, 0);
  assert.equal((await scrape(it.service))('payment_links_unsent_seconds', 'send'), 0);
});
