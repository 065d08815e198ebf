import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../src/clock.ts';
import { findPayment, type PaymentRow } from '../src/payments/queries.ts';
import { releasePayment, saveRefund } from '../src/payments/step-queries.ts';
import { takeStep } from '../src/payments/steps.ts';
import { createWorld, type World } from './fixtures.ts';
import { type Answer, call, startTestService, type TestService } from './harness.ts';
import { type MoyasarServer, startMoyasar } from './moyasar-server.ts';
import { startUnifonic, type UnifonicServer } from './unifonic-server.ts';
import { nothingDue, until } from './until.ts';

/** The same on every database. */

const MISSING = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';
const ACTOR = 'operator:first-token';
const NOW = '2026-11-22T08:00:00+03:00';

type Scene = { service: TestService; world: World };

/** A partner whose customers pay by link. */
async function scene(t: TestContext, env: Record<string, string> = {}, teams = 1): Promise<Scene> {
  const service = await startTestService(t, { env });
  const world = await createWorld(service, { teams, partner: { paymentResponsibility: 'PLATFORM' } });
  return { service, world };
}

/** The same, where every payment is in the hands of a worker that does nothing: it stays as the test writes it. */
async function stillScene(t: TestContext, teams = 1): Promise<Scene> {
  const it = await scene(t, {}, teams);
  await it.service.deps.db.rows({
    text: `
      alter table payments alter lease set default gen_random_uuid(),
        alter leased_until set default '2100-01-01'`,
  });
  return it;
}

async function withMoyasar(t: TestContext): Promise<Scene & { moyasar: MoyasarServer }> {
  const moyasar = await startMoyasar(t, () => it.service.clock.now());
  const it = await scene(t, {
    PAYMENT_GATEWAY: 'moyasar',
    MOYASAR_SECRET_KEY: moyasar.secretKey,
    MOYASAR_WEBHOOK_TOKEN: moyasar.webhookToken,
    MOYASAR_BASE_URL: moyasar.url,
  });
  return { ...it, moyasar };
}

async function withUnifonic(t: TestContext): Promise<Scene & { unifonic: UnifonicServer }> {
  const unifonic = await startUnifonic(t);
  const it = await scene(t, {
    NOTIFIER: 'unifonic',
    UNIFONIC_APP_SID: unifonic.appSid,
    UNIFONIC_SENDER_ID: unifonic.senderId,
    UNIFONIC_BASE_URL: unifonic.url,
  });
  return { ...it, unifonic };
}

async function booked(world: World, overrides: Record<string, unknown> = {}): Promise<string> {
  const answer = await world.book(overrides);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.bookingId;
}

function refused(answer: Answer, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.body.error.code], [status, code], answer.text);
}

async function listed(service: TestService, query: Record<string, string> = {}) {
  const answer = await service.operator('GET', `/payments?${new URLSearchParams(query)}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

async function paymentOf(service: TestService, bookingId: string) {
  return (await listed(service, { bookingId })).data[0];
}

async function shownBooking(service: TestService, bookingId: string) {
  const answer = await service.operator('GET', `/bookings/${bookingId}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
type Shown = any;

/** Waits until the booking's payment is as wanted and no worker is at it now, and answers it. */
async function awaited(service: TestService, bookingId: string, is: (payment: Shown) => boolean) {
  await until(async () => {
    const payment = await paymentOf(service, bookingId);
    const { lease, due_at: dueAt } = (await findPayment(service.deps.db, payment.id))!;
    return is(payment) && lease === null && (dueAt === null || dueAt > service.clock.now());
  });
  return paymentOf(service, bookingId);
}

const isSent = ({ sentAt }: Shown): boolean => sentAt !== null;

/** The customer pays on the sandbox's page, once the link was sent. */
async function payInSandbox(service: TestService, bookingId: string): Promise<void> {
  const { linkUrl } = await awaited(service, bookingId, isSent);
  await fetch(linkUrl, { method: 'POST', body: new URLSearchParams({ outcome: 'paid' }) });
  await awaited(service, bookingId, ({ status }) => status === 'PAID');
}

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

/** As the audit log has it: without the link. */
function recordOf({ linkUrl: _linkUrl, ...record }: Shown): Shown {
  return record;
}

function auditOf(service: TestService, bookingId: string) {
  return service.deps.db.rows<{ actor: string; action: string; before: Shown; after: Shown }>({
    text: `
      select actor, action, before, after from audit_log
      where target = $1 and action like 'payment.%' order by position`,
    values: [`booking:${bookingId}`],
  });
}

const historyOf = async (service: TestService, bookingId: string): Promise<string[]> =>
  (await shownBooking(service, bookingId)).history.map(
    ({ by, what }: { by: string; what: string }) => `${by} ${what}`,
  );

/** Writes fields of the payment as a worker would have. */
async function write(service: TestService, bookingId: string, assignments: string): Promise<void> {
  await service.deps.db.rows({
    text: `update payments set ${assignments} where booking_id = $1`,
    values: [bookingId],
  });
}

const LINK = `status = 'OPEN', gateway = 'sandbox', gateway_reference = booking_id::text, link_url = 'https://pay.example/'`;
const MONEY = `paid_at = created_at, paid_amount = amount`;

// ---------------------------------------------------------------------------
// Reading

test('the operator reads a payment, alone and in its booking', async (t) => {
  const { service, world } = await scene(t);
  const bookingId = await booked(world, { date: '2026-11-25' });
  const payment = await awaited(service, bookingId, isSent);
  const booking = await shownBooking(service, bookingId);
  assert.match(payment.linkUrl, /\/checkout\/[\w-]+$/);
  assert.deepEqual(payment, {
    id: payment.id,
    bookingId,
    trackingReference: booking.trackingReference,
    partnerId: world.partnerId,
    partnerName: booking.partnerName,
    amount: 150,
    status: 'OPEN',
    gateway: 'sandbox',
    gatewayReference: payment.gatewayReference,
    linkUrl: payment.linkUrl,
    expiresAt: '2026-11-23T08:00:00+03:00',
    sentAt: NOW,
    paidAt: null,
    paidAmount: null,
    late: false,
    failureReason: null,
    refund: null,
    tries: 0,
    createdAt: NOW,
    updatedAt: NOW,
  });
  assert.deepEqual(
    (await service.operator('GET', `/payments/${payment.id.toUpperCase()}`)).body.data,
    payment,
  );
  assert.deepEqual(booking.payment, {
    id: payment.id,
    status: 'OPEN',
    linkUrl: payment.linkUrl,
    gateway: 'sandbox',
    gatewayReference: payment.gatewayReference,
    paidAt: null,
    failureReason: null,
    refund: null,
  });
  const { history: _history, ...item } = booking;
  assert.deepEqual((await service.operator('GET', '/bookings')).body.data, [item]);

  refused(await service.operator('GET', `/payments/${MISSING}`), 404, 'RESOURCE_NOT_FOUND');
  refused(await service.operator('GET', '/payments/nonsense'), 400, 'VALIDATION_ERROR');
});

test('the end of a link is never later than the appointment starts', async (t) => {
  const { service, world } = await stillScene(t);
  const bookingId = await booked(world, {
    date: '2026-11-22',
    timeslot: { startAt: '12:00', endAt: '14:00' },
  });
  assert.equal((await paymentOf(service, bookingId)).expiresAt, '2026-11-22T12:00:00+03:00');
});

test('each booking of a page comes with its own payment', async (t) => {
  const { service, world } = await stillScene(t, 2);
  const free = await createWorld(service);
  const made = [await booked(world), await booked(free), await booked(world)];
  await write(service, made[0]!, `${LINK}, sent_at = created_at`);
  const { data } = (await service.operator('GET', '/bookings')).body;
  const statuses = new Map(data.map((row: Shown) => [row.bookingId, row.payment?.status ?? null]));
  assert.deepEqual(
    made.map((id) => statuses.get(id)),
    ['OPEN', null, 'CREATED'],
  );
});

test('a refund and money that came too late are shown', async (t) => {
  const it = await withMoyasar(t);
  const { service, moyasar } = it;
  const bookingId = await booked(it.world);
  const { gatewayReference } = await awaited(service, bookingId, isSent);
  // The gateway closes nothing while the customer pays at the last moment.
  moyasar.fault = { kind: 'status', status: 500 };
  service.clock.advance(DAY);
  await awaited(service, bookingId, ({ status }) => status === 'EXPIRED');
  const before = await paymentOf(service, bookingId);
  assert.deepEqual([before.late, before.paidAt, before.refund], [false, null, null]);
  moyasar.fault = null;
  const invoice = moyasar.invoices.get(gatewayReference)!;
  Object.assign(invoice, { expired_at: null });
  await moyasar.pay(gatewayReference);
  service.clock.advance(MINUTE);
  const after = await awaited(service, bookingId, ({ refund }) => refund?.status === 'DONE');
  assert.deepEqual(
    [after.status, after.failureReason, after.late, after.paidAmount],
    ['EXPIRED', 'LINK_EXPIRED', true, 150],
  );
  const { refund } = after;
  assert.deepEqual(refund, {
    status: 'DONE',
    amount: 150,
    reference: refund.reference,
    error: null,
    refundedAt: refund.refundedAt,
    by: 'payments',
  });
  assert.ok(refund.reference.length > 0 && refund.refundedAt !== null);
  assert.deepEqual((await shownBooking(service, bookingId)).payment.refund, refund);
  assert.deepEqual(
    (await listed(service, { late: 'true' })).data.map(({ id }: Shown) => id),
    [after.id],
  );
});

test('payments are listed, newest first, and filtered', async (t) => {
  const { service, world } = await stillScene(t, 6);
  const other = await createWorld(service, { teams: 2, partner: { paymentResponsibility: 'PLATFORM' } });
  const made: Record<string, string> = {};
  const make = async (name: string, from: World, assignments?: string) => {
    made[name] = await booked(from, { date: '2026-12-01' });
    if (assignments) await write(service, made[name], assignments);
    service.clock.advance(HOUR);
  };
  await make('a', world);
  await make('b', world, LINK);
  await make('c', other, LINK.replace('sandbox', 'moyasar'));
  // In UTC it is the 22nd still.
  service.clock.set(Date.parse('2026-11-23T00:30:00+03:00'));
  const paid = LINK.replace('OPEN', 'PAID');
  await make('d', world, `${paid}, ${MONEY}`);
  await make('e', world, `${paid}, ${MONEY}, refund_status = 'FAILED'`);
  const late = LINK.replace('OPEN', 'EXPIRED');
  await make('f', world, `${late}, ${MONEY}, refund_status = 'PENDING', failure_reason = 'LINK_EXPIRED'`);
  const wrong = LINK.replace('OPEN', 'FAILED');
  await make('g', world, `${wrong}, ${MONEY}, refund_status = 'PENDING', failure_reason = 'AMOUNT_MISMATCH'`);
  // A canceled booking has no reason of a failure.
  const canceled = LINK.replace('OPEN', 'CANCELED');
  await make('h', other, `${canceled}, ${MONEY}, refund_status = 'PENDING'`);
  const names = new Map(Object.entries(made).map(([name, id]) => [id, name]));
  const found = async (query: Record<string, string>): Promise<string> => {
    const { data, meta } = await listed(service, query);
    assert.equal(meta.total, data.length);
    return data.map(({ bookingId }: Shown) => names.get(bookingId)).join('');
  };

  assert.equal(await found({}), 'hgfedcba');
  assert.equal(await found({ status: 'OPEN' }), 'cb');
  assert.equal(await found({ refundStatus: 'PENDING' }), 'hgf');
  assert.equal(await found({ refundStatus: 'FAILED', status: 'PAID' }), 'e');
  assert.equal(await found({ gateway: 'moyasar' }), 'c');
  assert.equal(await found({ partnerId: other.partnerId }), 'hc');
  assert.equal(await found({ bookingId: made.d! }), 'd');
  assert.equal(await found({ late: 'true' }), 'hf');
  assert.equal(await found({ late: 'false' }), 'gedcba');
  assert.equal(await found({ toDate: '2026-11-22' }), 'cba');
  assert.equal(await found({ fromDate: '2026-11-23' }), 'hgfed');
  assert.equal(await found({ fromDate: '2026-11-24' }), '');
  const b = await paymentOf(service, made.b!);
  assert.equal(await found({ search: ` ${b.trackingReference.toLowerCase()} ` }), 'b');
  for (const text of [b.id.toUpperCase(), b.bookingId, b.gatewayReference]) {
    assert.equal(await found({ search: text }), 'b');
  }
  assert.equal(await found({ search: '%' }), '');
  assert.equal(await found({ search: ' ' }), 'hgfedcba');
  assert.deepEqual((await listed(service, { page: '3', limit: '3' })).meta, {
    page: 3,
    limit: 3,
    total: 8,
    totalPages: 3,
  });
  assert.deepEqual((await listed(service, { page: '9' })).data, []);

  for (const [query, message] of [
    ['late=yes', 'late must be one of the following values: true, false'],
    ['refundStatus=x', 'refundStatus must be one of the following values: NONE, PENDING, DONE, FAILED'],
    ['toDate=2026-02-30', 'toDate must be a valid ISO 8601 date string'],
  ]) {
    const answer = await service.operator('GET', `/payments?${query}`);
    refused(answer, 400, 'VALIDATION_ERROR');
    assert.deepEqual(answer.body.error.details.message, [message]);
  }
});

// ---------------------------------------------------------------------------
// The link once more

test('the operator has the link sent once more, and the message is not dropped as a duplicate', async (t) => {
  const { service, world, unifonic } = await withUnifonic(t);
  const bookingId = await booked(world);
  const before = await awaited(service, bookingId, isSent);
  assert.equal(unifonic.messages.length, 1);
  for (const count of [2, 3]) {
    service.clock.advance(MINUTE);
    const answer = await service.operator('POST', `/payments/${before.id}/resend`);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.data.linkUrl, before.linkUrl);
    await until(() => unifonic.messages.length === count);
    assert.match(unifonic.messages[count - 1]!.text, new RegExp(`\n${before.linkUrl}$`));
    assert.equal(unifonic.messages[count - 1]!.to, unifonic.messages[0]!.to);
  }
  const after = await awaited(service, bookingId, ({ sentAt }) => sentAt === '2026-11-22T08:02:00+03:00');
  assert.deepEqual([after.status, after.linkUrl], ['OPEN', before.linkUrl]);
  assert.equal((await findPayment(service.deps.db, before.id))!.resend_asked_at, null);
  const calls = unifonic.calls.length;
  service.clock.advance(MINUTE);
  await nothingDue(service, 'payments');
  assert.equal(unifonic.calls.length, calls, 'once each time');

  const rows = await auditOf(service, bookingId);
  assert.deepEqual(
    rows.map(({ actor, action }) => [actor, action]),
    [
      [ACTOR, 'payment.resend'],
      [ACTOR, 'payment.resend'],
    ],
  );
  // A poll may be due with it.
  assert.deepEqual({ ...rows[0]!.before, tries: 0 }, recordOf(before));
  assert.deepEqual(await historyOf(service, bookingId), [
    'partner booking.created',
    `${ACTOR} payment.resend`,
    `${ACTOR} payment.resend`,
  ]);
});

test('a link that cannot be sent once more can still be paid', async (t) => {
  const { service, world, unifonic } = await withUnifonic(t);
  const bookingId = await booked(world);
  const { id, sentAt } = await awaited(service, bookingId, isSent);
  unifonic.refusal = { status: 200, errorCode: 'ER-03' }; // for good
  const calls = unifonic.calls.length;
  service.clock.advance(MINUTE);
  assert.equal((await service.operator('POST', `/payments/${id}/resend`)).status, 200);
  await until(() => unifonic.calls.length > calls);
  await until(async () => {
    const row = await findPayment(service.deps.db, id);
    return row!.resend_asked_at === null && row!.lease === null;
  });
  const after = await paymentOf(service, bookingId);
  assert.deepEqual([after.status, after.sentAt, after.failureReason], ['OPEN', sentAt, null]);
  await payInSandbox(service, bookingId);
});

test('a resend that is asked for while a worker has the payment is not forgotten', async (t) => {
  const { service, world } = await stillScene(t);
  const { db } = service.deps;
  const bookingId = await booked(world);
  await write(service, bookingId, `${LINK}, sent_at = created_at`);
  const { id } = await paymentOf(service, bookingId);
  const claimed = (await findPayment(db, id))!;
  service.clock.advance(MINUTE);
  assert.equal((await service.operator('POST', `/payments/${id}/resend`)).status, 200);
  const now = service.clock.now();
  await releasePayment(db, now, claimed, now + HOUR, 'done');
  await awaited(service, bookingId, ({ sentAt }) => sentAt === '2026-11-22T08:01:00+03:00');
});

test('a link whose first message does not go out is sent now, with all its tries', async (t) => {
  const { service, world } = await stillScene(t);
  const bookingId = await booked(world);
  await write(service, bookingId, `${LINK}, tries = 5, due_at = created_at + interval '1 hour'`);
  const { id } = await paymentOf(service, bookingId);
  assert.equal((await service.operator('POST', `/payments/${id}/resend`)).status, 200);
  const row = (await findPayment(service.deps.db, id))!;
  assert.deepEqual([row.resend_asked_at, row.tries, row.due_at], [null, 0, service.clock.now()]);
});

test('only a link that can be paid is sent once more', async (t) => {
  const { service, world } = await stillScene(t);
  const bookingId = await booked(world);
  const { id } = await paymentOf(service, bookingId);
  const resend = (body?: unknown) => service.operator('POST', `/payments/${id}/resend`, body);
  const told = await resend();
  refused(told, 422, 'INVALID_TRANSITION');
  assert.deepEqual(
    [told.body.error.details.from, told.body.error.details.allowedFrom],
    ['CREATED', ['OPEN']],
  );
  await write(service, bookingId, `${LINK.replace('OPEN', 'EXPIRED')}`);
  refused(await resend(), 422, 'INVALID_TRANSITION');
  await write(service, bookingId, LINK);
  refused(await resend({ again: true }), 400, 'VALIDATION_ERROR');
  service.clock.advance(DAY - 1);
  assert.equal((await resend({})).status, 200);
  service.clock.advance(1);
  refused(await resend(), 422, 'INVALID_TRANSITION');
  refused(await service.operator('POST', `/payments/${MISSING}/resend`), 404, 'RESOURCE_NOT_FOUND');
  assert.equal((await auditOf(service, bookingId)).length, 1);
});

// ---------------------------------------------------------------------------
// Refunds

/** A canceled booking whose money the gateway would not give back. */
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

test('the operator gives the money back by hand', async (t) => {
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

test('where nothing is to be given back, nothing can be', async (t) => {
  const { service, world } = await stillScene(t);
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

test('while the gateway is giving the money back, it is not done by hand too', async (t) => {
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

test('a refund that waits for its next try is done by hand, and is not made then', async (t) => {
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

test('of many that say at once that it is done, one is believed', async (t) => {
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

test('of a retry and a refund by hand at once, the money goes back once', async (t) => {
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

test('a worker that stood still neither gives back what was given back by hand, nor says otherwise', async (t) => {
  const { service, world } = await stillScene(t);
  const { db, sealer, logger, gateways, notifier } = service.deps;
  const bookingId = await booked(world);
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
  assert.equal(await saveRefund(db, now, stale, { status: 'FAILED', error: 'no' }), false);
  assert.equal((await paymentOf(service, bookingId)).refund.status, 'PENDING');

  service.clock.advance(20_001);
  assert.equal((await done()).status, 200);
  const byHand = (await paymentOf(service, bookingId)).refund;
  for (const claimed of [stale, other]) {
    await takeStep({ db, sealer, logger, gateways, notifier }, service.clock.now(), claimed);
    for (const ending of [
      { status: 'DONE', reference: 'gateway', by: 'payments' },
      { status: 'FAILED', error: 'no' },
    ] as const) {
      assert.equal(await saveRefund(db, service.clock.now(), claimed, ending), false);
    }
  }
  assert.deepEqual((await paymentOf(service, bookingId)).refund, byHand);
  const checkout = await db.first({
    text: 'select refunded from sandbox_checkouts where payment_id = $1',
    values: [id],
  });
  assert.deepEqual({ ...(checkout as object) }, { refunded: '0.00' });
});

// ---------------------------------------------------------------------------
// Everything else

test('when the audit row cannot be written, nothing changes', async (t) => {
  const { service, world } = await stillScene(t);
  const bookingId = await booked(world);
  await write(service, bookingId, `${LINK.replace('OPEN', 'PAID')}, ${MONEY}, refund_status = 'FAILED'`);
  const before = await paymentOf(service, bookingId);
  await service.deps.db.rows({
    text: `alter table audit_log add constraint refuse_payments check (action not like 'payment.%')`,
  });
  service.clock.advance(MINUTE);
  const retry = await service.operator('POST', `/payments/${before.id}/refund/retry`);
  refused(retry, 500, 'INTERNAL_ERROR');
  const done = await service.operator('POST', `/payments/${before.id}/refund/done`, { reference: 'BANK' });
  refused(done, 500, 'INTERNAL_ERROR');
  assert.deepEqual(await paymentOf(service, bookingId), before);
  await write(
    service,
    bookingId,
    `status = 'OPEN', paid_at = null, paid_amount = null, refund_status = 'NONE'`,
  );
  refused(await service.operator('POST', `/payments/${before.id}/resend`), 500, 'INTERNAL_ERROR');
  assert.equal((await findPayment(service.deps.db, before.id))!.updated_at, Date.parse(NOW));
});

test('who may do what', async (t) => {
  const { service, world } = await stillScene(t);
  const bookingId = await booked(world);
  await write(service, bookingId, LINK);
  const { id } = await paymentOf(service, bookingId);
  const as = async (role: string) => {
    const { token } = (await service.operator('POST', '/tokens', { name: role, role })).body.data;
    return (method: string, path: string, body?: unknown) =>
      call(`${service.operatorUrl}/operator`, method, path, body, { authorization: `Bearer ${token}` });
  };
  const [viewer, dispatcher] = [await as('viewer'), await as('dispatcher')];
  for (const path of ['/payments', `/payments/${id}`]) {
    assert.equal((await viewer('GET', path)).status, 200, path);
    const byKey = await call(`${service.operatorUrl}/operator`, 'GET', path, undefined, {
      'x-api-key': world.key,
    });
    refused(byKey, 401, 'UNAUTHORIZED');
  }
  refused(await viewer('POST', `/payments/${id}/resend`), 403, 'FORBIDDEN');
  assert.equal((await dispatcher('POST', `/payments/${id}/resend`)).status, 200);
  for (const caller of [viewer, dispatcher]) {
    refused(await caller('POST', `/payments/${id}/refund/retry`), 403, 'FORBIDDEN');
    refused(await caller('POST', `/payments/${id}/refund/done`, { reference: 'x' }), 403, 'FORBIDDEN');
  }
});

test('metrics count what waits for customers and for refunds', async (t) => {
  const { service, world } = await stillScene(t, 5);
  const sample = async (name: string, status: string): Promise<string | undefined> => {
    const { text } = await call(service.url, 'GET', '/metrics');
    return new RegExp(`^${name}\\{status="${status}"\\} (\\S+)$`, 'm').exec(text)?.[1];
  };
  assert.equal(await sample('payments_waiting', 'OPEN'), '0');
  assert.equal(await sample('payment_refunds', 'FAILED'), '0');
  await booked(world);
  await write(service, await booked(world), LINK);
  await write(service, await booked(world), LINK);
  const paid = `${LINK.replace('OPEN', 'PAID')}, ${MONEY}, due_at = null`;
  await write(service, await booked(world), `${paid}, refund_status = 'FAILED'`);
  await write(service, await booked(world), paid);
  assert.equal(await sample('payments_waiting', 'CREATED'), '1');
  assert.equal(await sample('payments_waiting', 'OPEN'), '2');
  assert.equal(await sample('payment_refunds', 'PENDING'), '0');
  assert.equal(await sample('payment_refunds', 'FAILED'), '1');
});
