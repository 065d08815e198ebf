import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUuid } from '../src/http/validation.ts';
import { createWorld } from './fixtures.ts';
import { startTestService } from './harness.ts';
import { createHookWorld, subscribe } from './webhook-fixtures.ts';

/** The milliseconds in an ID's first bits. */
const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

test('IDs of growing tables start with their creation time', async (t) => {
  const service = await startTestService(t);
  const world = await createHookWorld(service, { teams: 3 });
  await subscribe(service, world.key, { events: ['booking.created', 'booking.cancelled'] });
  const { body: reason } = await service.operator('POST', '/cancellation-reasons', {
    nameEn: 'Moved',
    nameAr: 'انتقل',
  });
  const made: Record<string, string[]> = {};
  const note = (what: string, id: string): void => {
    made[what] = [...(made[what] ?? []), id];
  };
  for (let nth = 0; nth < 3; nth++) {
    service.clock.advance(1_234);
    const now = service.clock.now();
    const contact = (await world.contact()).body.data;
    note('contact', contact.id);
    note('address', contact.addressId);
    const booking = (await world.book()).body.data;
    note('booking', booking.bookingId);
    note('appointment', booking.appointmentId);
    const path = `/partners/bookings/${booking.bookingId}/cancel`;
    const cancelled = await service.v1(world.key, 'PATCH', path, { reasonId: reason.data.id });
    assert.equal(cancelled.status, 200, cancelled.text);
    for (const [what, ids] of Object.entries(made)) assert.equal(timeOf(ids[nth]!), now, what);
  }
  const rows = await service.deps.db.rows<{ what: string; id: string; at: number }>({
    text: `
      select 'event' as what, id, extract(epoch from created_at) * 1000 as at from events
      union all
      select 'delivery', id, extract(epoch from created_at) * 1000 from webhook_deliveries`,
  });
  for (const { what, id, at } of rows) {
    note(what, id);
    assert.equal(timeOf(id), Number(at), what);
  }
  assert.deepEqual(Object.fromEntries(Object.entries(made).map(([what, ids]) => [what, ids.length])), {
    contact: 3,
    address: 3,
    booking: 3,
    appointment: 3,
    event: 9,
    delivery: 6,
  });
  const all = Object.values(made).flat();
  assert.equal(new Set(all).size, all.length);
  for (const id of all) assert.ok(isUuid(id) && id[14] === '4', `${id} is a UUID of version 4`);
});

test('IDs of customers and bookings of one millisecond cannot be guessed', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 12 });
  const contacts = await Promise.all(Array.from({ length: 12 }, () => world.contact()));
  const bookings = await Promise.all(Array.from({ length: 12 }, () => world.book()));
  const ids = [
    ...contacts.flatMap(({ body }) => [body.data.id, body.data.addressId]),
    ...bookings.flatMap(({ body }) => [body.data.bookingId, body.data.appointmentId]),
  ];
  // Behind the time: the version, the variant, and 74 bits that differ.
  const tails = ids.map((id: string) => id.slice(15));
  assert.equal(new Set(ids.map(timeOf)).size, 1);
  assert.equal(new Set(tails.map((tail) => tail.slice(-12))).size, tails.length);
  // Of 26 bits two may be alike.
  assert.ok(new Set(tails.map((tail) => tail.slice(0, 8))).size > tails.length - 3);
});
