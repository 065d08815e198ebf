import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, MINUTE } from '../src/base/clock.ts';
import { reportLateness } from '../src/bookings/late-queries.ts';
import { booked, patched, slot } from './appointment-fixtures.ts';
import { createWorld } from './fixtures.ts';
import { startTestService, TEST_NOW } from './harness.ts';

test('the last report of a delay holds, of a visit that has not begun', async (t) => {
  const service = await startTestService(t);
  const { db } = service.deps;
  const world = await createWorld(service, { teams: 2 });
  const booking = await booked(world);
  const report = (minutes: number, at: number) => reportLateness(db, booking.bookingId, minutes, at);
  const stored = () =>
    db.first<{ late_minutes: number; late_reported_at: number }>({
      text: 'select late_minutes, late_reported_at from bookings where id = $1',
      values: [booking.bookingId],
    });
  assert.equal(await report(30, TEST_NOW), true);
  assert.equal(await report(20, TEST_NOW - MINUTE), false, 'an older report that arrives later');
  assert.deepEqual(await stored(), { late_minutes: 30, late_reported_at: TEST_NOW });
  assert.equal(await report(45, TEST_NOW + MINUTE), true);
  // A report about another start does not stand in the way of one about this.
  await patched(service, booking, { timeslot: slot('14:00', '16:00') });
  assert.equal(await report(10, TEST_NOW), true);
  service.clock.advance(DAY);
  await patched(service, booking, { status: 'Confirmed' });
  await patched(service, booking, { status: 'In The Way' });
  assert.equal(await report(15, TEST_NOW + 2 * MINUTE), true);
  await patched(service, booking, { status: 'In The location' });
  assert.equal(await report(60, TEST_NOW + 3 * MINUTE), false, 'the team is there');
  assert.deepEqual(await stored(), { late_minutes: 15, late_reported_at: TEST_NOW + 2 * MINUTE });
});
