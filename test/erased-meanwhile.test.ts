import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { DAY } from '../src/base/clock.ts';
import { delayMessage, finishMessage } from '../src/customers/message-queries.ts';
import { audit, verifyAudit } from '../src/db/audit.ts';
import { saveDecision } from '../src/payments/operator-queries.ts';
import type { PaymentRow } from '../src/payments/queries.ts';
import { failRefund } from '../src/payments/step-queries.ts';
import { isAbout } from '../src/requests/logged-texts.ts';
import { createWorld } from './fixtures.ts';
import { startTestService } from './harness.ts';
import { tablesWith } from './needle.ts';
import { booked, MONEY, sceneWithClaimedPayments, write } from './operator-payment-fixtures.ts';
import { reasonToCancel } from './payment-flows.ts';
import { until } from './until.ts';
import { startReceiver, subscribe } from './webhook-receiver.ts';

/** Responses about an erased customer: none of her words is kept. */

const NEEDLE = 'zq55';
const ERASE = { reason: 'Asked for it on the telephone' };

test('the answer of a webhook attempt that was under way when its customer was erased', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const world = await createWorld(service, { partner: { paymentResponsibility: 'PARTNER' } });
  await subscribe(service, world.partnerId, receiver.url, ['booking.cancelled']);
  const waiting: ServerResponse[] = [];
  receiver.answer = (_request, response) => waiting.push(response);
  const { bookingId } = (await world.book()).body.data;
  const reasonId = await reasonToCancel({ service, world });
  const cancel = { reasonId, notes: `${NEEDLE} moved to her mother` };
  assert.equal(
    (await service.v1(world.key, 'PATCH', `/partners/bookings/${bookingId}/cancel`, cancel)).status,
    200,
  );
  await receiver.arrived(1);
  const erased = await service.operator('POST', `/contacts/${world.contactId}/erase`, ERASE);
  assert.equal(erased.status, 200, erased.text);
  waiting[0]!.writeHead(307, { location: `https://example.sa/${NEEDLE}` }).end(`cannot take ${NEEDLE}`);
  const attempts = async () => {
    const [row] = await service.deps.db.rows<{ attempts: unknown[] }>({
      text: 'select attempts from webhook_deliveries where attempt_count > 0',
    });
    return row?.attempts;
  };
  await until(async () => (await attempts()) !== undefined);
  const [attempt] = (await attempts()) as { statusCode: number; responseBody: string }[];
  assert.deepEqual([attempt!.statusCode, attempt!.responseBody], [307, '']);
  await until(async () => {
    const left = await tablesWith(service.deps.db, NEEDLE);
    return left.length === 0;
  });
});

test('the words of gateways, providers and operators about a booking whose customer was erased', async (t) => {
  const { service, world } = await sceneWithClaimedPayments(t);
  const { db, clock } = service.deps;
  await service.operator('PATCH', `/partners/${world.partnerId}`, { customerMessages: ['BOOKED'] });
  const bookingId = await booked(world);
  const reasonId = await reasonToCancel({ service, world });
  assert.equal((await service.operator('POST', `/bookings/${bookingId}/cancel`, { reasonId })).status, 200);
  await write(service, bookingId, `${MONEY}, refund_status = 'PENDING', refund_amount = 10`);
  const payments = await db.rows<PaymentRow>({ text: 'select * from payments' });
  const payment = payments.find((row) => row.booking_id === bookingId)!;
  const [message] = await db.rows<{ id: string }>({
    text: `
      insert into customer_messages (id, booking_id, kind, version, starts_at, status, due_at, tries, created_at)
      values (gen_random_uuid(), $1, 'BOOKED', 1, now(), 'QUEUED', '2028-01-01', 1, now()) returning id`,
    values: [bookingId],
  });
  const before = async (write: () => Promise<unknown>): Promise<string[]> => {
    await write();
    return tablesWith(db, NEEDLE);
  };
  const now = clock.now();
  const WRITERS: Record<string, () => Promise<unknown>> = {
    payments: () => failRefund(db, now, payment, `refused: ${NEEDLE}`),
    customer_messages: async () => {
      await delayMessage(db, message!.id, { dueAt: now + 365 * DAY, reason: `${NEEDLE} busy` });
      await finishMessage(db, now, message!.id, { status: 'FAILED', reason: `${NEEDLE} unknown` });
    },
    audit_texts: () =>
      db.transaction((tx) =>
        audit(tx, now, {
          actor: 'operator:x',
          action: 'payment.refund_decline',
          target: `booking:${bookingId}`,
          after: { reason: `${NEEDLE} asked` },
        }),
      ),
    'payments of a decision': () =>
      db.transaction((tx) =>
        saveDecision(tx, now, payment.id, {
          kept: '0',
          reason: `${NEEDLE} decided`,
          by: 'operator:x',
          refund: null,
        }),
      ),
  };
  // A writer that is not hindered is found: the tables keep what is written about others.
  for (const [name, write] of Object.entries(WRITERS))
    assert.ok((await before(write)).includes(name.split(' ')[0]!), `${name} does not write`);
  await db.rows({
    text: `update payments set refund_status = 'PENDING', refund_error = null where booking_id = $1`,
    values: [bookingId],
  });
  await db.rows({ text: `update customer_messages set status = 'QUEUED', finished_at = null` });

  assert.equal((await service.operator('POST', `/contacts/${world.contactId}/erase`, ERASE)).status, 200);
  assert.deepEqual(await tablesWith(db, NEEDLE), []);
  await db.rows({ text: `update customer_messages set status = 'QUEUED', finished_at = null` });
  for (const [name, write] of Object.entries(WRITERS)) assert.deepEqual(await before(write), [], name);
  assert.equal((await verifyAudit(db)).brokenAt, null);
});

test('a reason in capitals is words like any other, a code of ours is none', async (t) => {
  const service = await startTestService(t);
  const { db } = service.deps;
  const world = await createWorld(service);
  for (const [date, reason] of [
    ['2026-12-01', 'NOURA'],
    ['2026-12-02', 'AL_QAHTANI'],
    ['2026-12-03', 'LINK_EXPIRED'],
  ] as const) {
    const { bookingId } = (await world.book({ date })).body.data;
    assert.equal((await service.operator('POST', `/bookings/${bookingId}/fail`, { reason })).status, 200);
  }
  assert.equal((await service.operator('POST', `/contacts/${world.contactId}/erase`, ERASE)).status, 200);
  for (const name of ['NOURA', 'AL_QAHTANI']) assert.deepEqual(await tablesWith(db, name), [], name);
  assert.ok((await tablesWith(db, 'LINK_EXPIRED')).includes('bookings'));
});

test('requests of the log about a person: by an id, or by the whole name', () => {
  const id = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';
  const body = (value: unknown) => JSON.stringify(value);
  const bodies = (request: unknown) => ({
    request: body(request),
    response: null,
    requestCut: false,
    responseCut: false,
  });
  const about = (name: string, row: { status?: number; path?: string; body?: unknown }) =>
    isAbout(
      {
        status: row.status ?? 400,
        path: row.path ?? null,
        bodies: row.body === undefined ? null : bodies(row.body),
      },
      { ids: new Set([id]), name },
    );
  const NOURA = 'Noura Al-Qahtani';
  for (const [name, row] of [
    [NOURA, { body: { contactId: id.toUpperCase() } }],
    [NOURA, { path: `/v1/partners/contacts/${id}` }],
    [NOURA, { path: '/v1/partners/contacts?search=Noura%20Al-Qahtani' }],
    [NOURA, { path: '/v1/partners/contacts?search=noura+al-qahtani', status: 200 }],
    ['نورة القحطاني', { path: `/v1/x?name=${encodeURIComponent('نورة القحطاني')}` }],
    [NOURA, { body: { name: ' noura  AL-QAHTANI ' } }],
    [NOURA, { body: { notes: ['for Noura Al-Qahtani, ring twice'] }, status: 200 }],
    ['Um "Noura" \\ Ali', { body: { name: 'Um "Noura" \\ Ali' } }],
    ['Nora', { body: { name: 'NORA' } }],
  ] as const)
    assert.equal(about(name, row), true, `${name}: ${body(row)}`);
  for (const [name, row] of [
    ['nam', { body: { name: 'Huda', phone: 'x' }, path: '/v1/partners/contacts?name=x' }],
    ['Al', { body: { name: 'Al Harbi' } }],
    ['Ali', { body: { name: 'Ali' }, status: 200 }],
    ['name', { body: { name: 'Huda' } }],
    ['Noura', { body: { name: NOURA } }],
    ['Noura Al', { body: { name: 'Noura Alharbi' } }],
    ['…', { body: { name: '' } }],
  ] as const)
    assert.equal(about(name, row), false, `${name}: ${body(row)}`);
});

test('two erased one after the other: the log keeps the bodies of neither', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const customers: string[] = [];
  for (const [place, name] of [`Huda ${NEEDLE}-one`, `Sara ${NEEDLE}-two`].entries())
    customers.push((await world.contact({ phone: `+96650999881${place}`, name })).body.data.id);
  await service.v1(world.key, 'POST', '/partners/contacts', { phone: 'x', name: `Huda ${NEEDLE}-one` });
  for (const id of customers)
    assert.equal((await service.operator('POST', `/contacts/${id}/erase`, ERASE)).status, 200);
  assert.deepEqual(await tablesWith(service.deps.db, NEEDLE), []);
});

test('the copy has every text that erasing removes', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const failed = (await world.book({ notes: 'zq1 notes' })).body.data;
  await service.operator('POST', `/bookings/${failed.bookingId}/fail`, { reason: 'zq2 nobody answers' });
  const visit = (await world.book({ date: '2026-12-02' })).body.data;
  for (const change of [
    { status: 'In The Way', force: true, reason: 'zq3 forced' },
    { status: 'In The location' },
    { status: 'Cannot Complete', statusReason: 'REFUSED', statusNotes: 'zq4 she shouted' },
  ])
    assert.equal(
      (await service.operator('PATCH', `/appointments/${visit.appointmentId}`, change)).status,
      200,
    );
  const copy = await service.v1(world.key, 'GET', `/partners/contacts/${world.contactId}/export`);
  for (const text of ['zq1 notes', 'zq2 nobody answers', 'zq3 forced', 'zq4 she shouted'])
    assert.ok(copy.text.includes(text), text);
  const copyOf = (id: string) =>
    copy.body.data.bookings.find((each: { bookingId: string }) => each.bookingId === id);
  assert.equal(copyOf(failed.bookingId).failureReason, 'zq2 nobody answers');
  assert.deepEqual(
    copyOf(visit.bookingId).remarks.map(({ text }: { text: string }) => text),
    ['zq3 forced', 'zq4 she shouted'],
  );
});

test('erasing needs a permission of its own', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { permissions: ['partner_contacts_read'] });
  const made = await world.contact({ phone: '+966509998877' });
  const path = `/partners/contacts/${made.body.data.id}/erase`;
  const refused = await service.v1(world.key, 'POST', path, ERASE);
  assert.deepEqual([refused.status, refused.body.error.details.permission], [403, 'partner_contacts_erase']);
});
