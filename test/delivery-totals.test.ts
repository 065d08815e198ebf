import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DeliveryFilter, listDeliveryRows } from '../src/webhooks/delivery-queries.ts';
import { openTestDatabase, TEST_NOW } from './harness.ts';
import { claim, createPartner, failed, succeeded } from './webhook-queue-fixtures.ts';

/** Totals of deliveries with a status are counted without one where that is faster. */

test('the total of each combination of filters is the number of deliveries that it lists', async (t) => {
  const db = await openTestDatabase(t);
  const partners = [await createPartner(db), await createPartner(db)];
  const subscriptions: string[] = [];
  for (const partner of partners) {
    subscriptions.push(await partner.subscribe(), await partner.subscribe());
    await partner.writeEvents(9);
  }
  const claimed = await claim(db);
  // Of each subscription some succeed and some fail for good; the others wait.
  const results = claimed.flatMap((one, index) => [[succeeded(one)], [failed(one)], []][index % 3]!);
  await claim(db, { results, room: 0 });
  await db.rows({
    text: `update webhook_deliveries set status = 'FAILED', due_at = null, finished_at = $1
      where attempt_count = 1 and status = 'PENDING' and replay = 0 and right(id::text, 1) < 'a'`,
    values: [new Date(TEST_NOW).toISOString()],
  });
  const all = await db.rows<{
    partner_id: string;
    subscription_id: string;
    event_id: string;
    booking_id: string;
    status: string;
  }>({ text: 'select partner_id, subscription_id, event_id, booking_id, status from webhook_deliveries' });
  assert.deepEqual([...new Set(all.map(({ status }) => status))].sort(), ['DELIVERED', 'FAILED', 'PENDING']);
  const of = <Name extends keyof DeliveryFilter>(name: Name, values: readonly DeliveryFilter[Name][]) =>
    [{}, ...values.map((value) => ({ [name]: value }))] as Pick<DeliveryFilter, Name>[];
  const crossed = [
    of('status', ['DELIVERED', 'FAILED', 'PENDING']),
    of(
      'partnerId',
      partners.map(({ partnerId }) => partnerId),
    ),
    of('subscriptionId', subscriptions),
    of('event', ['booking.updated', 'booking.created']),
    of('bookingId', [partners[0]!.bookingId]),
    of('eventId', [all[0]!.event_id]),
  ].reduce<DeliveryFilter[]>(
    (filters, next) => filters.flatMap((filter) => next.map((one) => ({ ...filter, ...one }))),
    [{}],
  );
  for (const filter of crossed) {
    const expected = all.filter(
      (row) =>
        (filter.status === undefined || row.status === filter.status) &&
        (filter.partnerId === undefined || row.partner_id === filter.partnerId) &&
        (filter.subscriptionId === undefined || row.subscription_id === filter.subscriptionId) &&
        filter.event !== 'booking.created' &&
        (filter.bookingId === undefined || row.booking_id === filter.bookingId) &&
        (filter.eventId === undefined || row.event_id === filter.eventId),
    ).length;
    const whole = await listDeliveryRows(db, filter, { limit: 100, offset: 0 });
    assert.deepEqual([whole.rows.length, whole.total], [expected, expected], JSON.stringify(filter));
    const beyond = await listDeliveryRows(db, filter, { limit: 1, offset: 90 });
    assert.deepEqual([beyond.rows.length, beyond.total], [0, expected], JSON.stringify(filter));
  }
});
