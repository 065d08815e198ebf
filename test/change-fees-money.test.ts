import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DAY, dateOf, HOUR } from '../src/base/clock.ts';
import { data, MARKET, quote, read, reasonOf, update } from './fee-fixtures.ts';
import type { MoyasarInvoice, MoyasarServer } from './moyasar-server.ts';
import {
  awaited,
  booked,
  isSent,
  type Scene,
  shownBooking,
  withMoyasar,
} from './operator-payment-fixtures.ts';
import { givenBack, keptOf } from './payment-flows.ts';
import { tally } from './storm.ts';

/** Refunds less the fees of a policy, at the gateway. */

const START = Date.parse('2026-11-23T10:00:00+03:00');

type WithMoyasar = Scene & { moyasar: MoyasarServer };

async function scene(t: TestContext, terms: Record<string, unknown> = {}): Promise<WithMoyasar> {
  const it = await withMoyasar(t);
  const assignments = [{ partnerId: it.world.partnerId }];
  data(await it.service.operator('POST', '/policies', { ...MARKET, ...terms, assignments }));
  return it;
}

/** A booking that is paid, with its invoice. */
async function paid(it: WithMoyasar, date = dateOf(START)): Promise<{ id: string; invoice: MoyasarInvoice }> {
  const id = await booked(it.world, { date });
  const { gatewayReference } = await awaited(it.service, id, isSent);
  await it.moyasar.pay(gatewayReference);
  await awaited(it.service, id, ({ status }) => status === 'PAID');
  return { id, invoice: it.moyasar.invoices.get(gatewayReference)! };
}

const cancelled = async (it: WithMoyasar, id: string) => {
  const body = { reasonId: await reasonOf(it) };
  return it.service.v1(it.world.key, 'PATCH', `/partners/bookings/${id}/cancel`, body);
};

test('what was paid goes back but for the fee, also after the work has begun, and the booking said so at once', async (t) => {
  const it = await scene(t);
  const { service } = it;
  const ways: [number, number, string[]][] = [
    [24 * HOUR, 0, []],
    [11 * HOUR, 37.5, []],
    [HOUR, 75, []],
    [HOUR, 150, ['In The Way', 'In The location', 'In Progress']],
  ];
  for (const [index, [before, fee, statuses]] of ways.entries()) {
    const startsAt = START + index * DAY;
    const { id, invoice } = await paid(it, dateOf(startsAt));
    service.clock.set(startsAt - before);
    const { appointmentId } = await shownBooking(service, id);
    for (const status of statuses)
      data(await service.operator('PATCH', `/appointments/${appointmentId}`, { status }));
    const body = data(await cancelled(it, id));
    const refund = fee === 150 ? { amount: 0, status: 'DECLINED' } : { amount: 150 - fee, status: 'PENDING' };
    assert.deepEqual([body.cancellation.fee, body.refund], [fee, refund]);
    const settled = fee === 150 ? 'DECLINED' : 'DONE';
    const payment = await awaited(service, id, (found) => found.refund?.status === settled);
    assert.deepEqual([payment.keptAmount, payment.refundDecision.by], [fee, 'policy']);
    assert.equal(payment.refundDecision.reason, 'Market, version 1');
    assert.deepEqual([givenBack(invoice), keptOf(invoice)], [(150 - fee) * 100, fee * 100]);
    assert.deepEqual((await read(it, id)).refund, { amount: 150 - fee, status: settled });
  }
});

test('the fee of a move is kept when the booking is cancelled later, unless the operator cancels', async (t) => {
  const it = await scene(t);
  const { service } = it;
  for (const [index, by] of ['partner', 'operator'].entries()) {
    const startsAt = START + index * DAY;
    const { id, invoice } = await paid(it, dateOf(startsAt));
    service.clock.set(startsAt - 5 * HOUR);
    const moved = data(await update(it, id, { date: '2026-11-30', maxFee: 20 }));
    assert.equal(moved.fees[0].amount, 20);
    if (by === 'partner') data(await cancelled(it, id));
    else data(await service.operator('POST', `/bookings/${id}/cancel`, { reasonId: await reasonOf(it) }));
    await awaited(service, id, ({ refund }) => refund?.status === 'DONE');
    // 25 % from the earlier start, and 20 SAR.
    const kept = by === 'partner' ? 5_750 : 0;
    assert.deepEqual([givenBack(invoice), keptOf(invoice)], [15_000 - kept, kept]);
  }
});

test('a fee that nobody can collect is none, and told so: late money goes back whole', async (t) => {
  const it = await scene(t);
  const id = await booked(it.world);
  const { gatewayReference } = await awaited(it.service, id, isSent);
  it.service.clock.set(START - 11 * HOUR);
  // Paid in the moment of the cancellation: the service does not know of it.
  it.moyasar.fault = { kind: 'status', status: 503, on: /./ };
  await it.moyasar.pay(gatewayReference);
  const quoted = data(await quote({ service: it.service, world: it.world }, id, 'cancel'));
  assert.deepEqual([quoted.fee, quoted.refund], [0, 0]);
  const body = data(await cancelled(it, id));
  assert.deepEqual([body.cancellation.fee, body.refund], [0, null]);
  it.moyasar.fault = null;
  await awaited(it.service, id, ({ refund }) => refund?.status === 'DONE');
  assert.equal(keptOf(it.moyasar.invoices.get(gatewayReference)!), 0);
});

test('of two cancellations one refunds, and a share that the gateway refuses is left to the operator', async (t) => {
  const it = await scene(t);
  const { id, invoice } = await paid(it);
  it.service.clock.set(START - HOUR);
  it.moyasar.fault = { kind: 'status', status: 400, on: /\/refund$/ };
  const answers = await Promise.all([cancelled(it, id), cancelled(it, id)]);
  assert.deepEqual(tally(answers), { 200: 1, BOOKING_ALREADY_CANCELLED: 1 });
  const failed = await awaited(it.service, id, ({ refund }) => refund?.status === 'FAILED');
  assert.deepEqual([failed.refund.amount, failed.keptAmount], [75, 150]);
  it.moyasar.fault = null;
  data(await it.service.operator('POST', `/payments/${failed.id}/refund/retry`));
  await awaited(it.service, id, ({ refund }) => refund?.status === 'DONE');
  assert.deepEqual([givenBack(invoice), keptOf(invoice)], [7_500, 7_500]);
});
