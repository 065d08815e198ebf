import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toHalalas } from '../src/base/money.ts';
import { exportMonth } from '../src/bookings/export.ts';
import { createPartnerKey, createWorld, WORLD_DATE, type World } from './fixtures.ts';
import { call, OPERATOR_TOKEN, startTestService, type TestService } from './harness.ts';
import {
  becomes,
  book,
  cancel,
  linkOf,
  type Platform,
  settled,
  startPlatform,
  use,
} from './payment-flows.ts';

/** The bookings of a month as CSV, for the partner and for the operator. */

const HEADER = [
  'bookingId',
  'trackingReference',
  'externalReference',
  'serviceId',
  'serviceNameEn',
  'serviceNameAr',
  'date',
  'status',
  'paymentStatus',
  'price',
  'currency',
  'paidByLink',
  'refundStatus',
  'refundAmount',
  'cancellationFee',
  'rescheduleFees',
  'feeToDecide',
  'workReached',
];

type Line = Record<string, string>;

/** The lines of a file whose cells have no separators. */
function linesOf(text: string): Line[] {
  assert.ok(text.startsWith('\uFEFF'), 'spreadsheets know that it is UTF-8');
  const [header, ...lines] = text.slice(1).trimEnd().split('\r\n');
  assert.deepEqual(header!.split(','), HEADER);
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((cell, index) => [HEADER[index]!, cell])),
  );
}

/** The bytes: a text would lose the mark at its beginning. */
async function file(url: string, headers: Record<string, string>) {
  const response = await fetch(url, { headers });
  const text = Buffer.from(await response.arrayBuffer()).toString('utf8');
  return { status: response.status, headers: response.headers, text };
}

const ofPartner = ({ url }: TestService, key: string, month: string) =>
  file(`${url}/v1/partners/bookings/export?month=${month}`, { 'x-api-key': key });

const ofOperator = ({ url }: TestService, partnerId: string, month: string) =>
  file(`${url}/operator/partners/${partnerId}/bookings/export?month=${month}`, {
    authorization: `Bearer ${OPERATOR_TOKEN}`,
  });

/** Halalas of a column. */
const sum = (lines: Line[], column: string): number =>
  lines.reduce((total, line) => total + (line[column] === '' ? 0 : toHalalas(line[column]!)), 0);

test('the partner and the operator have the same lines, and the sums of the database', async (t) => {
  const it = await startPlatform(t, {}, { teams: 6, service: { defaultPrice: 99.95 } });
  const { service, world } = it;
  const [paid, canceled, failed] = [await book(it), await book(it), await book(it)];
  const waiting = await book(it, { externalReference: 'ORDER 1' });
  for (const bookingId of [paid, canceled]) {
    await use(it, await linkOf(it, bookingId), 'paid');
    await becomes(it, bookingId, ['in progress', 'PAID']);
  }
  await cancel(it, canceled);
  await settled(it, canceled);
  await use(it, await linkOf(it, failed), 'failed');
  await becomes(it, failed, ['failed', 'FAILED']);
  // Other months, and another partner.
  for (const date of ['2026-12-01', '2026-12-31']) await book(it, { date });
  const stranger = await createWorld(service);
  await stranger.book();

  const answer = await ofPartner(service, world.key, '2026-11');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
  assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="bookings-2026-11.csv"');
  const lines = linesOf(answer.text);
  const byId = new Map(lines.map((line) => [line.bookingId, line]));
  assert.deepEqual([...byId.keys()].sort(), [paid, canceled, failed, waiting].sort());
  const read = (await service.v1(world.key, 'GET', `/partners/bookings/${canceled}/status`)).body.data;
  assert.deepEqual(byId.get(canceled), {
    bookingId: canceled,
    trackingReference: read.trackingReference,
    externalReference: '',
    serviceId: world.serviceId,
    serviceNameEn: read.serviceNameEn,
    serviceNameAr: read.serviceNameAr,
    date: WORLD_DATE,
    status: 'canceled',
    paymentStatus: 'CANCELLED',
    price: '99.95',
    currency: 'SAR',
    paidByLink: '99.95',
    refundStatus: 'DONE',
    refundAmount: '99.95',
    cancellationFee: '',
    rescheduleFees: '',
    feeToDecide: '',
    workReached: '',
  });
  assert.equal(byId.get(waiting)!.externalReference, 'ORDER 1');
  assert.deepEqual([byId.get(paid)!.paidByLink, byId.get(paid)!.refundStatus], ['99.95', '']);

  const operators = await ofOperator(service, world.partnerId, '2026-11');
  assert.equal(operators.text, answer.text);
  const sums = await service.deps.db.first<Record<string, string>>({
    text: `
      select sum(b.amount)::text as price, sum(p.paid_amount)::text as paid, sum(p.refunded_amount)::text as refunded
      from bookings b left join payments p on p.booking_id = b.id
      where b.partner_id = $1 and b.service_date between '2026-11-01' and '2026-11-30'`,
    values: [world.partnerId],
  });
  assert.deepEqual(
    [sum(lines, 'price'), sum(lines, 'paidByLink'), sum(lines, 'refundAmount')],
    [toHalalas(sums!.price!), toHalalas(sums!.paid!), toHalalas(sums!.refunded!)],
  );
  assert.equal(linesOf((await ofPartner(service, world.key, '2026-12')).text).length, 2);
  assert.deepEqual(linesOf((await ofPartner(service, world.key, '2027-02')).text), []);
});

/** Makes `count` canceled bookings of each of the days like this one: a statement a day, each far from its time-out. */
async function copies(
  { service, world }: { service: TestService; world: World },
  count: number,
): Promise<void> {
  const { bookingId } = (await world.book()).body.data;
  for (let day = 0; day < 32; day++) {
    await service.deps.db.rows({
      text: `
      with made as (
        select gen_random_uuid() as id, date '2026-10-31' + $3::integer as day, number
        from generate_series(1, $2::integer) number
      ), booking as (
        insert into bookings (id, partner_id, contact_id, address_id, service_id, status, payment_status,
          payment_responsibility, amount, service_date, cancelled_at, cancelled_by, cancellation_action, created_at, updated_at)
        select made.id, partner_id, contact_id, address_id, service_id, 'canceled', 'CANCELLED', 'PARTNER', number / 100.0,
          day, created_at, 'partner', 'CANCEL_ONLY', created_at, updated_at
        from bookings b, made where b.id = $1 returning id, service_date
      )
      insert into appointments (id, booking_id, team_id, zone_id, name, status, starts_at, ends_at, busy_until, created_at,
        updated_at)
      select booking.id, booking.id, team_id, zone_id, booking.id::text, 'Cancelled', starts_at, ends_at, busy_until,
        created_at, updated_at
      from appointments a, booking where a.booking_id = $1`,
      values: [bookingId, count, day],
    });
  }
}

test('a month of many bookings is streamed by date, each once', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  // More than a batch on each day.
  const perDay = 700;
  await copies({ service, world }, perDay);
  const { status, text } = await ofPartner(service, world.key, '2026-11');
  assert.equal(status, 200);
  const lines = linesOf(text);
  assert.equal(lines.length, 30 * perDay + 1);
  assert.equal(new Set(lines.map(({ bookingId }) => bookingId)).size, lines.length);
  const order = lines.map(({ date, bookingId }) => `${date} ${bookingId}`);
  assert.deepEqual(order, order.toSorted());
  // The one that was copied has the price of the service.
  assert.equal(sum(lines, 'price'), 30 * ((perDay * (perDay + 1)) / 2) + 15_000);
  let chunks = 0;
  for await (const _chunk of await exportMonth(service.deps.db, world.partnerId, '2026-11')) chunks++;
  assert.ok(chunks >= 60, `${chunks} parts`);
  // Whoever goes away leaves nothing open: the pool has its connections.
  const leaving = await exportMonth(service.deps.db, world.partnerId, '2026-11');
  for await (const _chunk of leaving) break;
  assert.equal((await ofPartner(service, world.key, '2026-11')).status, 200);
});

test('no cell is a formula', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  await world.book({ externalReference: '=HYPERLINK("https://evil.example","x")' });
  const { text } = await ofPartner(service, world.key, '2026-11');
  assert.ok(text.includes(`"'=HYPERLINK(""https://evil.example"",""x"")"`), text);
});

test('what is not a month, or not theirs, is refused', async (t) => {
  const it: Platform = await startPlatform(t);
  const { service, world } = it;
  for (const month of ['', '2026', '2026-13', '2026-1', '1999-12', '2101-01', '2026-11-01', '2026-11 ']) {
    const answer = await service.v1(
      world.key,
      'GET',
      `/partners/bookings/export?month=${encodeURIComponent(month)}`,
    );
    assert.deepEqual([answer.status, answer.body.error?.code], [400, 'VALIDATION_ERROR'], month);
  }
  assert.equal((await service.v1(world.key, 'GET', '/partners/bookings/export')).status, 400);
  const unknown = await ofOperator(service, '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10', '2026-11');
  assert.equal(unknown.status, 404);
  const { key } = await createPartnerKey(service, world.partnerId, ['partner_services_read']);
  assert.equal((await service.v1(key, 'GET', '/partners/bookings/export?month=2026-11')).status, 403);
  assert.equal((await call(service.url, 'GET', '/v1/partners/bookings/export?month=2026-11')).status, 401);
});
