import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../src/base/clock.ts';
import { findPayment } from '../src/payments/queries.ts';
import { releasePayment } from '../src/payments/step-queries.ts';
import { createWorld, type World } from './fixtures.ts';
import { call, type TestService } from './harness.ts';
import {
  ACTOR,
  auditOf,
  awaited,
  booked,
  historyOf,
  isSent,
  listed,
  MISSING,
  MONEY,
  paymentOf,
  recordOf,
  refused,
  type Scene,
  type Shown,
  scene,
  sceneWithClaimedPayments,
  shownBooking,
  withMoyasar,
  write,
} from './operator-payment-fixtures.ts';
import { startUnifonic, type UnifonicServer } from './unifonic-server.ts';
import { nothingDue, until } from './until.ts';

/** The operator reads payments, and has links sent once more. */

const NOW = '2026-11-22T08:00:00+03:00';

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

/** The customer pays on the sandbox's page, once the link was sent. */
async function payInSandbox(service: TestService, bookingId: string): Promise<void> {
  const { linkUrl } = await awaited(service, bookingId, isSent);
  await fetch(linkUrl, { method: 'POST', body: new URLSearchParams({ outcome: 'paid' }) });
  await awaited(service, bookingId, ({ status }) => status === 'PAID');
}

const LINK = `status = 'OPEN', gateway = 'sandbox', gateway_reference = booking_id::text, link_url = 'https://pay.example/'`;

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
    refundedAmount: 0,
    keptAmount: 0,
    payments: [],
    late: false,
    failureReason: null,
    refund: null,
    refundDecision: null,
    refundOnCancel: null,
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
    amount: 150,
    paidAt: null,
    paidAmount: null,
    refundedAmount: 0,
    keptAmount: 0,
    payments: [],
    failureReason: null,
    refund: null,
    refundDecision: null,
    refundOnCancel: null,
  });
  const { history: _history, feeHistory: _fees, feesGivenBack: _given, ...item } = booking;
  assert.deepEqual((await service.operator('GET', '/bookings')).body.data, [item]);

  refused(await service.operator('GET', `/payments/${MISSING}`), 404, 'RESOURCE_NOT_FOUND');
  refused(await service.operator('GET', '/payments/nonsense'), 400, 'VALIDATION_ERROR');
});

test('the end of a link is never later than the appointment starts', async (t) => {
  const { service, world } = await sceneWithClaimedPayments(t);
  const bookingId = await booked(world, {
    date: '2026-11-22',
    timeslot: { startAt: '12:00', endAt: '14:00' },
  });
  assert.equal((await paymentOf(service, bookingId)).expiresAt, '2026-11-22T12:00:00+03:00');
});

test('each booking of a page comes with its own payment', async (t) => {
  const { service, world } = await sceneWithClaimedPayments(t, 2);
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

test('a refund and late money are shown', async (t) => {
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
  const { service, world } = await sceneWithClaimedPayments(t, 6);
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
    [
      'refundStatus=x',
      'refundStatus must be one of the following values: NONE, PENDING, DONE, FAILED, TO_DECIDE, DECLINED',
    ],
    ['toDate=2026-02-30', 'toDate must be a valid ISO 8601 date string'],
  ]) {
    const answer = await service.operator('GET', `/payments?${query}`);
    refused(answer, 400, 'VALIDATION_ERROR');
    assert.deepEqual(answer.body.error.details.message, [message]);
  }
});

// ---------------------------------------------------------------------------
// The link once more

test('the operator sends the link again, and the message is not dropped as a duplicate', async (t) => {
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

test('a link whose resend fails can still be paid', async (t) => {
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

test('a resend that is requested while a worker has claimed the payment is not lost', async (t) => {
  const { service, world } = await sceneWithClaimedPayments(t);
  const { db } = service.deps;
  const bookingId = await booked(world);
  await write(service, bookingId, `${LINK}, sent_at = created_at`);
  const { id } = await paymentOf(service, bookingId);
  const claimed = (await findPayment(db, id))!;
  service.clock.advance(MINUTE);
  assert.equal((await service.operator('POST', `/payments/${id}/resend`)).status, 200);
  const now = service.clock.now();
  await releasePayment(db, now, claimed, { dueAt: now + HOUR, end: 'done' });
  await awaited(service, bookingId, ({ sentAt }) => sentAt === '2026-11-22T08:01:00+03:00');
});

test('a link whose first message fails is sent now, with all tries', async (t) => {
  const { service, world } = await sceneWithClaimedPayments(t);
  const bookingId = await booked(world);
  await write(
    service,
    bookingId,
    `${LINK}, send_tries = 5, send_due_at = created_at + interval '1 hour', due_at = created_at + interval '1 hour'`,
  );
  const { id } = await paymentOf(service, bookingId);
  assert.equal((await service.operator('POST', `/payments/${id}/resend`)).status, 200);
  const row = (await findPayment(service.deps.db, id))!;
  assert.deepEqual(
    [row.resend_asked_at, row.send_tries, row.send_due_at, row.due_at],
    [null, 0, null, service.clock.now()],
  );
});

test('only a link that can be paid is sent again', async (t) => {
  const { service, world } = await sceneWithClaimedPayments(t);
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
// Everything else

test('when the audit row cannot be written, nothing changes', async (t) => {
  const { service, world } = await sceneWithClaimedPayments(t);
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

test('permissions by role', async (t) => {
  const { service, world } = await sceneWithClaimedPayments(t);
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

test('metrics count payments that wait for customers, and refunds', async (t) => {
  const { service, world } = await sceneWithClaimedPayments(t, 5);
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
