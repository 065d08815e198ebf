import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { HOUR, MINUTE } from '../src/base/clock.ts';
import { findPayment, type PaymentRow } from '../src/payments/queries.ts';
import { failRefund } from '../src/payments/step-queries.ts';
import { takeStep } from '../src/payments/steps.ts';
import type { TestService } from './harness.ts';
import type { MoyasarServer } from './moyasar-server.ts';
import {
  ACTOR,
  auditOf,
  awaited,
  booked,
  historyOf,
  isSent,
  MISSING,
  MONEY,
  paymentOf,
  recordOf,
  refused,
  type Scene,
  sceneWithClaimedPayments,
  withMoyasar,
  write,
} from './operator-payment-fixtures.ts';
import { nothingDue, until } from './until.ts';

/** The operator retries refunds, or records manual ones. */

async function cancel(service: TestService, bookingId: string): Promise<void> {
  const reasons = await service.operator('GET', '/cancellation-reasons');
  const reasonId =
    reasons.body.data[0]?.id ??
    (await service.operator('POST', '/cancellation-reasons', { nameEn: 'No team', nameAr: 'لا فريق' })).body
      .data.id;
  const answer = await service.operator('POST', `/bookings/${bookingId}/cancel`, { reasonId });
  assert.equal(answer.status, 200, answer.text);
}

/** The money has arrived through Moyasar. */
async function payByMoyasar({ service, moyasar }: Scene & { moyasar: MoyasarServer }, bookingId: string) {
  const { gatewayReference } = await awaited(service, bookingId, isSent);
  await moyasar.pay(gatewayReference);
  await awaited(service, bookingId, ({ status }) => status === 'PAID');
}

// ---------------------------------------------------------------------------
// Refunds

/** A cancelled booking whose refund the gateway refused. */
async function failedRefund(t: TestContext) {
  const it = await withMoyasar(t);
  const bookingId = await booked(it.world);
  await payByMoyasar(it, bookingId);
  it.moyasar.fault = { kind: 'status', status: 400, on: /\/refund$/ };
  await cancel(it.service, bookingId);
  const payment = await awaited(it.service, bookingId, ({ refund }) => refund?.status === 'FAILED');
  return { ...it, bookingId, payment };
}

/** SAR that the customer has back from the gateway. */
function givenBack(moyasar: MoyasarServer): number {
  return (
    [...moyasar.invoices.values()]
      .flatMap(({ payments }) => payments)
      .reduce((sum, { refunded }) => sum + refunded, 0) / 100
  );
}

test('a refund that failed is retried', async (t) => {
  const { service, moyasar, bookingId, payment } = await failedRefund(t);
  assert.ok(payment.refund.error.length > 0);
  assert.deepEqual(
    [payment.refund.reference, payment.refund.refundedAt, payment.refund.by],
    [null, null, null],
  );
  assert.equal(givenBack(moyasar), 0);
  moyasar.fault = null;
  service.clock.advance(MINUTE);
  const answer = await service.operator('POST', `/payments/${payment.id}/refund/retry`);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual([answer.body.data.refund.status, answer.body.data.refund.error], ['PENDING', null]);
  const after = await awaited(service, bookingId, ({ refund }) => refund.status === 'DONE');
  assert.deepEqual(
    [after.refund.by, after.refund.refundedAt, after.tries],
    ['payments', '2026-11-22T08:01:00+03:00', 0],
  );
  assert.equal(givenBack(moyasar), 150);

  const rows = await auditOf(service, bookingId);
  assert.deepEqual([rows.length, rows[0]!.actor, rows[0]!.action], [1, ACTOR, 'payment.refund_retry']);
  assert.deepEqual([rows[0]!.before, rows[0]!.after.refund.status], [recordOf(payment), 'PENDING']);
  refused(await service.operator('POST', `/payments/${payment.id}/refund/retry`), 422, 'INVALID_TRANSITION');
});

test('the operator records a manual refund', async (t) => {
  const { service, moyasar, bookingId, payment } = await failedRefund(t);
  const path = `/payments/${payment.id}/refund/done`;
  for (const body of [
    {},
    { reference: '  ' },
    { reference: 'x'.repeat(201) },
    { reference: 'a', amount: 1 },
  ]) {
    refused(await service.operator('POST', path, body), 400, 'VALIDATION_ERROR');
  }
  service.clock.advance(MINUTE);
  moyasar.fault = null;
  const answer = await service.operator('POST', path, { reference: ' BANK-2026-118 ' });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body.data.refund, {
    status: 'DONE',
    amount: 150,
    reference: 'BANK-2026-118',
    error: null,
    refundedAt: '2026-11-22T08:01:00+03:00',
    by: ACTOR,
  });
  const [row, ...more] = await auditOf(service, bookingId);
  assert.deepEqual([row!.actor, row!.action, more], [ACTOR, 'payment.refund_done', []]);
  assert.deepEqual([row!.before, row!.after], [recordOf(payment), recordOf(answer.body.data)]);
  assert.equal((await historyOf(service, bookingId)).at(-1), `${ACTOR} payment.refund_done`);

  const again = await service.operator('POST', path, { reference: 'BANK-2026-119' });
  refused(again, 422, 'INVALID_TRANSITION');
  assert.deepEqual(
    [again.body.error.details.from, again.body.error.details.allowedFrom],
    ['DONE', ['PENDING', 'FAILED']],
  );
  refused(await service.operator('POST', `/payments/${payment.id}/refund/retry`), 422, 'INVALID_TRANSITION');
  service.clock.advance(HOUR);
  await nothingDue(service, 'payments');
  assert.deepEqual((await paymentOf(service, bookingId)).refund, answer.body.data.refund);
  assert.equal(givenBack(moyasar), 0, 'the gateway gives nothing back beside');
});

test('without an owed refund none can be recorded', async (t) => {
  const { service, world } = await sceneWithClaimedPayments(t);
  const bookingId = await booked(world);
  const { id } = await paymentOf(service, bookingId);
  for (const [path, body] of [
    ['retry', undefined],
    ['done', { reference: 'x' }],
  ] as const) {
    refused(
      await service.operator('POST', `/payments/${id}/refund/${path}`, body),
      422,
      'INVALID_TRANSITION',
    );
    refused(
      await service.operator('POST', `/payments/${MISSING}/refund/${path}`, body),
      404,
      'RESOURCE_NOT_FOUND',
    );
  }
  refused(await service.operator('POST', `/payments/${id}/refund/retry`, { x: 1 }), 400, 'VALIDATION_ERROR');
  assert.deepEqual(await auditOf(service, bookingId), []);
});

test("during the gateway's refund no manual one can be recorded", async (t) => {
  const it = await withMoyasar(t);
  const { service, moyasar } = it;
  const bookingId = await booked(it.world);
  await payByMoyasar(it, bookingId);
  moyasar.fault = { kind: 'slow', milliseconds: 1_500, on: /\/refund$/ };
  await cancel(service, bookingId);
  await until(() => moyasar.calls.some(({ path }) => path.endsWith('/refund')));
  const { id } = await paymentOf(service, bookingId);
  const answer = await service.operator('POST', `/payments/${id}/refund/done`, { reference: 'BANK' });
  refused(answer, 422, 'INVALID_TRANSITION');
  assert.match(answer.body.error.message, /at this moment/);
  const after = await awaited(service, bookingId, ({ refund }) => refund.status === 'DONE');
  assert.equal(after.refund.by, 'payments');
  assert.deepEqual(await auditOf(service, bookingId), []);
});

test('a manual refund replaces one that waits for its next try', async (t) => {
  const it = await withMoyasar(t);
  const { service, moyasar } = it;
  const bookingId = await booked(it.world);
  await payByMoyasar(it, bookingId);
  moyasar.fault = { kind: 'status', status: 503, on: /\/refund$/ };
  await cancel(service, bookingId);
  const { id } = await paymentOf(service, bookingId);
  await until(async () => {
    const row = await findPayment(service.deps.db, id);
    return row!.tries === 1 && row!.lease === null;
  });
  moyasar.fault = null;
  const answer = await service.operator('POST', `/payments/${id}/refund/done`, { reference: 'BANK' });
  assert.equal(answer.status, 200, answer.text);
  service.clock.advance(HOUR);
  await nothingDue(service, 'payments');
  assert.equal(givenBack(moyasar), 0);
});

test('of simultaneous records of a manual refund, one counts', async (t) => {
  const { service, moyasar, bookingId, payment } = await failedRefund(t);
  moyasar.fault = null;
  const references = Array.from({ length: 8 }, (_, number) => `BANK-${number}`);
  const answers = await Promise.all(
    references.map((reference) =>
      service.operator('POST', `/payments/${payment.id}/refund/done`, { reference }),
    ),
  );
  const winners = answers.filter(({ status }) => status === 200);
  assert.equal(winners.length, 1);
  for (const answer of answers) if (answer.status !== 200) refused(answer, 422, 'INVALID_TRANSITION');
  assert.deepEqual((await paymentOf(service, bookingId)).refund, winners[0]!.body.data.refund);
  assert.equal((await auditOf(service, bookingId)).length, 1);
});

test('of a simultaneous retry and manual refund, the money is refunded once', async (t) => {
  for (let round = 0; round < 3; round++) {
    const { service, moyasar, bookingId, payment } = await failedRefund(t);
    moyasar.fault = null;
    const [retry, done] = await Promise.all([
      service.operator('POST', `/payments/${payment.id}/refund/retry`),
      service.operator('POST', `/payments/${payment.id}/refund/done`, { reference: 'BANK' }),
    ]);
    assert.ok(retry.status === 200 || done.status === 200);
    const { refund } = await awaited(service, bookingId, (shown) => shown.refund.status === 'DONE');
    await nothingDue(service, 'payments');
    assert.equal(refund.by, done.status === 200 ? ACTOR : 'payments');
    assert.equal(givenBack(moyasar), done.status === 200 ? 0 : 150);
  }
});

test('a stalled worker neither repeats nor overwrites a manual refund', async (t) => {
  const { service, world } = await sceneWithClaimedPayments(t);
  const { db, sealer, logger, gateways, notifier } = service.deps;
  // Never due: the service's own worker would claim it as soon as a step of those here makes it due.
  await db.rows({
    text: `
      create function stay_undue() returns trigger language plpgsql as $$
      begin new.due_at := '2100-01-01'; return new; end $$`,
  });
  await db.rows({
    text: 'create trigger payments_stay_undue before insert or update on payments for each row execute function stay_undue()',
  });
  const bookingId = await booked(world);
  await cancel(service, bookingId);
  const token = randomUUID();
  await db.rows({
    text: `
      insert into sandbox_checkouts (token, payment_id, amount, expires_at, state, paid_at, created_at)
      select $2, id, amount, expires_at, 'paid', created_at, created_at from payments where booking_id = $1`,
    values: [bookingId, token],
  });
  await write(
    service,
    bookingId,
    `status = 'PAID', gateway = 'sandbox', gateway_reference = '${token}', link_url = 'https://pay.example/',
     link_closed_at = created_at, ${MONEY}, refund_status = 'PENDING', due_at = '2100-01-01'`,
  );
  const { id } = await paymentOf(service, bookingId);
  /** As a worker claims it, for 20 seconds. */
  const claim = async (): Promise<PaymentRow> => {
    await db.rows({
      text: 'update payments set lease = gen_random_uuid(), leased_until = $2 where id = $1',
      values: [id, new Date(service.clock.now() + 20_000)],
    });
    return (await findPayment(db, id))!;
  };
  const stale = await claim();
  const done = () => service.operator('POST', `/payments/${id}/refund/done`, { reference: 'BANK' });
  refused(await done(), 422, 'INVALID_TRANSITION');
  service.clock.advance(20_001);
  const other = await claim();

  // Given up by a worker whose claim is over: another one is at it.
  const now = service.clock.now();
  assert.equal(await failRefund(db, now, stale, 'no'), false);
  assert.equal((await paymentOf(service, bookingId)).refund.status, 'PENDING');
  // Nor does it repeat the refund that the other worker is making.
  await takeStep({ db, sealer, logger, gateways, notifier }, now, stale);
  assert.equal((await paymentOf(service, bookingId)).refund.status, 'PENDING');

  service.clock.advance(20_001);
  assert.equal((await done()).status, 200);
  const byHand = (await paymentOf(service, bookingId)).refund;
  for (const claimed of [stale, other]) {
    await takeStep({ db, sealer, logger, gateways, notifier }, service.clock.now(), claimed);
    assert.equal(await failRefund(db, service.clock.now(), claimed, 'no'), false);
  }
  assert.deepEqual((await paymentOf(service, bookingId)).refund, byHand);
  const checkout = await db.first({
    text: 'select refunded from sandbox_checkouts where payment_id = $1',
    values: [id],
  });
  assert.deepEqual({ ...(checkout as object) }, { refunded: '0.00' });
});
