import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { call } from './harness.ts';
import type { MoyasarInvoice, MoyasarServer } from './moyasar-server.ts';
import {
  ACTOR,
  auditOf,
  awaited,
  booked,
  isSent,
  listed,
  refused,
  type Scene,
  type Shown,
  shownBooking,
  withMoyasar,
} from './operator-payment-fixtures.ts';
import { keptOf } from './payment-flows.ts';
import { nothingDue, until } from './until.ts';

/** Refunds that the operator decides on, because the work had begun. */

type WithMoyasar = Scene & { moyasar: MoyasarServer };

/** A booking that is paid, with its invoice. */
async function paidBooking(it: WithMoyasar): Promise<{ bookingId: string; invoice: MoyasarInvoice }> {
  const bookingId = await booked(it.world);
  const { gatewayReference } = await awaited(it.service, bookingId, isSent);
  await it.moyasar.pay(gatewayReference);
  await awaited(it.service, bookingId, ({ status }) => status === 'PAID');
  return { bookingId, invoice: it.moyasar.invoices.get(gatewayReference)! };
}

async function move({ service }: Scene, bookingId: string, statuses: readonly string[]): Promise<void> {
  const { appointmentId } = await shownBooking(service, bookingId);
  for (const status of statuses) {
    const force = status === 'Completed' ? { force: true } : {};
    const answer = await service.operator('PATCH', `/appointments/${appointmentId}`, { status, ...force });
    assert.equal(answer.status, 200, answer.text);
  }
}

async function cancelByPartner({ service, world }: Scene, bookingId: string): Promise<void> {
  const path = '/partners/bookings/cancellation-reasons';
  const known = (await service.v1(world.key, 'GET', path)).body.data[0]?.id;
  const reasonId =
    known ??
    (await service.operator('POST', '/cancellation-reasons', { nameEn: 'Other plans', nameAr: 'خطط أخرى' }))
      .body.data.id;
  const answer = await service.v1(world.key, 'PATCH', `/partners/bookings/${bookingId}/cancel`, { reasonId });
  assert.equal(answer.status, 200, answer.text);
}

const TO_WORK = ['In The Way', 'In The location', 'In Progress'];

/** A booking that was cancelled during its work. */
async function toDecide(t: TestContext) {
  const it = await withMoyasar(t);
  const { bookingId, invoice } = await paidBooking(it);
  await move(it, bookingId, TO_WORK);
  await cancelByPartner(it, bookingId);
  const payment = await awaited(it.service, bookingId, ({ refund }) => refund?.status === 'TO_DECIDE');
  return { ...it, bookingId, invoice, payment };
}

test('a cancellation refunds automatically only before the work has begun', async (t) => {
  const it = await withMoyasar(t);
  const ways: [string[], string][] = [
    [[], 'DONE'],
    [['In The Way', 'In The location'], 'DONE'],
    [['In The Way', 'Cannot Complete'], 'DONE'],
    [['Cancelled'], 'DONE'],
    [TO_WORK, 'TO_DECIDE'],
    [[...TO_WORK, 'Finished'], 'TO_DECIDE'],
    [[...TO_WORK, 'Finished', 'Completed'], 'TO_DECIDE'],
    [[...TO_WORK, 'Cannot Complete'], 'TO_DECIDE'],
    [[...TO_WORK, 'Cancelled'], 'TO_DECIDE'],
  ];
  for (const [statuses, expected] of ways) {
    const what = `${statuses.at(-1) ?? 'Scheduled'}`;
    const { bookingId, invoice } = await paidBooking(it);
    await move(it, bookingId, statuses);
    const { refundOnCancel } = (await shownBooking(it.service, bookingId)).payment;
    const by = expected === 'DONE' ? 'SERVICE' : 'OPERATOR';
    assert.deepEqual(refundOnCancel, { amount: 150, to: 'CUSTOMER', by }, what);
    await cancelByPartner(it, bookingId);
    const { refund } = await awaited(
      it.service,
      bookingId,
      (payment) => payment.refund !== null && payment.refund.status !== 'PENDING',
    );
    assert.deepEqual([refund.status, refund.amount], [expected, 150], what);
    assert.equal(keptOf(invoice), expected === 'DONE' ? 0 : 15_000, what);
    assert.equal((await shownBooking(it.service, bookingId)).payment.refundOnCancel, null);
  }
});

test("an operator's cancellation after the work has begun needs a decision, its failure too", async (t) => {
  const it = await withMoyasar(t);
  const { bookingId } = await paidBooking(it);
  await move(it, bookingId, TO_WORK);
  const reason = await it.service.operator('POST', '/cancellation-reasons', { nameEn: 'Ill', nameAr: 'مرض' });
  const body = { reasonId: reason.body.data.id };
  const answer = await it.service.operator('POST', `/bookings/${bookingId}/cancel`, body);
  assert.equal(answer.body.data.payment.refund.status, 'TO_DECIDE');

  const failed = await paidBooking(it);
  await move(it, failed.bookingId, TO_WORK);
  await it.service.operator('POST', `/bookings/${failed.bookingId}/fail`, { reason: 'A fire' });
  await awaited(it.service, failed.bookingId, ({ refund }) => refund?.status === 'DONE');
  assert.equal(keptOf(failed.invoice), 0);
});

test('a partial refund is exact, and the rest is kept; once', async (t) => {
  const { service, bookingId, invoice, payment } = await toDecide(t);
  const path = `/payments/${payment.id}/refund`;
  for (const body of [
    {},
    { amount: 75 },
    { reason: ' ' },
    { amount: 0, reason: 'x' },
    { amount: -1, reason: 'x' },
    { amount: 75.255, reason: 'x' },
    { amount: '75', reason: 'x' },
  ])
    refused(await service.operator('POST', path, body), 400, 'VALIDATION_ERROR');
  const tooMuch = await service.operator('POST', path, { amount: 150.01, reason: 'x' });
  refused(tooMuch, 400, 'VALIDATION_ERROR');
  assert.match(tooMuch.body.error.details.hints[0], /150\.00 SAR can be refunded/);

  const answer = await service.operator('POST', path, { amount: 75.25, reason: ' Half was done ' });
  assert.equal(answer.status, 200, answer.text);
  const { refund, refundDecision } = answer.body.data;
  assert.deepEqual([refund.status, refund.amount], ['PENDING', 75.25]);
  assert.deepEqual(
    { ...refundDecision, at: '' },
    { keptAmount: 74.75, reason: 'Half was done', by: ACTOR, at: '' },
  );
  const after = await awaited(service, bookingId, (shown) => shown.refund.status === 'DONE');
  assert.deepEqual([after.refundedAmount, after.keptAmount], [75.25, 74.75]);
  assert.equal(keptOf(invoice), 7_475);
  for (const [again, body] of [
    [path, { reason: 'x' }],
    [`${path}/decline`, { reason: 'x' }],
  ] as const)
    refused(await service.operator('POST', again, body), 422, 'INVALID_TRANSITION');
  const [row, ...more] = await auditOf(service, bookingId);
  assert.deepEqual([row!.actor, row!.action, more], [ACTOR, 'payment.refund', []]);
});

test('a full refund, or none', async (t) => {
  const all = await toDecide(t);
  await all.service.operator('POST', `/payments/${all.payment.id}/refund`, { reason: 'Nothing was done' });
  await awaited(all.service, all.bookingId, ({ refund }) => refund.status === 'DONE');
  assert.equal(keptOf(all.invoice), 0);

  const none = await toDecide(t);
  const path = `/payments/${none.payment.id}/refund/decline`;
  refused(await none.service.operator('POST', path, { reason: '' }), 400, 'VALIDATION_ERROR');
  const answer = await none.service.operator('POST', path, { reason: 'All was done' });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual([answer.body.data.refund.status, answer.body.data.refund.amount], ['DECLINED', 0]);
  await nothingDue(none.service, 'payments');
  assert.equal(keptOf(none.invoice), 15_000);
  assert.deepEqual(
    (await auditOf(none.service, none.bookingId)).map(({ action }) => action),
    ['payment.refund_decline'],
  );
  const lists = await Promise.all(
    ['DECLINED', 'TO_DECIDE', 'NONE'].map((refundStatus) => listed(none.service, { refundStatus })),
  );
  assert.deepEqual(
    lists.map(({ meta }) => meta.total),
    [1, 0, 0],
  );
});

test('of two simultaneous decisions one counts', async (t) => {
  const { service, bookingId, invoice, payment } = await toDecide(t);
  const path = `/payments/${payment.id}/refund`;
  const answers = await Promise.all([
    service.operator('POST', path, { amount: 50, reason: 'one' }),
    service.operator('POST', `${path}/decline`, { reason: 'two' }),
    service.operator('POST', path, { reason: 'three' }),
  ]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422, 422]);
  const { keptAmount } = await awaited(
    service,
    bookingId,
    (shown) => shown.keptAmount === shown.refundDecision?.keptAmount,
  );
  await nothingDue(service, 'payments');
  assert.equal(keptOf(invoice), keptAmount * 100);
});

test('before and after the decision, a surplus is refunded automatically', async (t) => {
  const it = await toDecide(t);
  const { service, moyasar, bookingId, invoice, payment } = it;
  await moyasar.attempt(invoice.id);
  await until(() => keptOf(invoice) === 15_000 && invoice.payments.length === 2);
  const before = await awaited(service, bookingId, ({ refundedAmount }) => refundedAmount === 150);
  assert.deepEqual([before.refund.status, before.refund.amount], ['TO_DECIDE', 150]);
  await service.operator('POST', `/payments/${payment.id}/refund`, { amount: 100, reason: 'x' });
  await until(() => keptOf(invoice) === 5_000);
  await moyasar.attempt(invoice.id);
  await until(() => invoice.payments.length === 3 && keptOf(invoice) === 5_000);
});

test('after a refund in the dashboard no decision is left', async (t) => {
  const { service, moyasar, bookingId, invoice } = await toDecide(t);
  moyasar.webhookUrl = `${service.url}/payments/moyasar/notifications`;
  await moyasar.giveBack(invoice.payments[0]!, 15_000);
  const { refund } = await awaited(service, bookingId, (shown) => shown.refund.status === 'DONE');
  assert.deepEqual([refund.amount, refund.by], [150, 'gateway']);
});

test('attention lists it until it is decided; viewers and dispatchers see it, administrators decide', async (t) => {
  const { service, payment } = await toDecide(t);
  const attention = async () => (await service.operator('GET', '/attention')).body.data.refundsToDecide;
  const { count, list, rows } = await attention();
  assert.deepEqual([count, list], [1, '/operator/payments?refundStatus=TO_DECIDE']);
  assert.deepEqual(
    rows.map(({ id }: Shown) => id),
    [payment.id],
  );
  const { text } = await call(service.url, 'GET', '/metrics');
  assert.match(text, /^payment_refunds\{status="TO_DECIDE"\} 1$/m);
  for (const role of ['viewer', 'dispatcher']) {
    const { token } = (await service.operator('POST', '/tokens', { name: role, role })).body.data;
    const headers = { authorization: `Bearer ${token}` };
    for (const path of ['refund', 'refund/decline']) {
      const url = `/payments/${payment.id}/${path}`;
      refused(
        await call(`${service.operatorUrl}/operator`, 'POST', url, { reason: 'x' }, headers),
        403,
        'FORBIDDEN',
      );
    }
  }
  await service.operator('POST', `/payments/${payment.id}/refund/decline`, { reason: 'x' });
  assert.equal((await attention()).count, 0);
});
