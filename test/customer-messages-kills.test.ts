import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { DAY, dateOf } from '../src/base/clock.ts';
import { type Booked, slot } from './appointment-fixtures.ts';
import { createWorld } from './fixtures.ts';
import { onPostgres, startTestService } from './harness.ts';
import { enoughKills, startCrew } from './killed-workers.ts';
import { until } from './until.ts';

/** Workers die while they plan and send messages, and visits move meanwhile. */

test('no message is sent twice, and none is forgotten, however workers die', {
  skip: !onPostgres && 'several processes need PostgreSQL',
}, async (t) => {
  // Ahead to ten in the morning: nothing is sent at night.
  const service = await startTestService(t, { sandboxClock: true, env: { ROLES: 'api' } });
  const { clock, db } = service.deps;
  const hour = Number(new Date(clock.now() + 3 * 3_600_000).toISOString().slice(11, 13));
  await service.operator('POST', '/clock/advance', { seconds: ((34 - hour) % 24) * 3_600 + 60 });
  const world = await createWorld(service, {
    partner: { trackingPage: true, customerMessages: ['BOOKED', 'ON_THE_WAY'] },
    teams: 8,
  });
  const crew = await startCrew(t, { service });
  const bookings: Booked[] = [];
  const STARTS = ['08:00', '11:00', '14:00', '17:00'];
  for (let number = 0; number < 60; number++) {
    const startAt = STARTS[number % STARTS.length]!;
    const timeslot = slot(startAt, `${Number(startAt.slice(0, 2)) + 2}:00`);
    const answer = await world.book({ timeslot, date: dateOf(clock.now() + (2 + (number % 3)) * DAY) });
    assert.equal(answer.status, 200, answer.text);
    bookings.push(answer.body.data);
    const moved = bookings[randomInt(bookings.length)]!;
    // Refused when the slot is taken.
    if (number % 3 === 0)
      await service.operator('PATCH', `/appointments/${moved.appointmentId}`, {
        date: dateOf(clock.now() + 6 * DAY),
      });
  }
  await enoughKills(crew);
  const waiting = {
    text: `select count(*)::integer as count from customer_messages where status in ('QUEUED', 'SENDING')`,
  };
  await until(async () => {
    const left = await db.first<{ left: number }>({
      text: `
        select (select count(*) from unplaced_events)
          + (select count(*) from event_places where place > (select place from customer_messages_cursor)) as left`,
    });
    // Messages of a dead worker end with their lease.
    await db.rows({
      text: `update customer_messages set leased_until = '2020-01-01' where status = 'SENDING'`,
    });
    return left!.left === 0 && (await db.first<{ count: number }>(waiting))!.count === 0;
  });
  const ids = crew.messages.map(({ messageId }) => messageId);
  assert.equal(new Set(ids).size, ids.length, 'none twice');
  const rows = await db.rows<{ id: string; booking_id: string; status: string; starts_at: number }>({
    text: 'select id, booking_id, status, starts_at from customer_messages order by version',
  });
  const sent = new Set(ids);
  for (const { id, status } of rows) {
    if (status === 'DROPPED') assert.ok(!sent.has(id), 'what is noted as dropped was not');
  }
  for (const { bookingId } of bookings) {
    const last = rows.findLast(({ booking_id, status }) => booking_id === bookingId && status !== 'DROPPED');
    const visit = await db.first<{ starts_at: number }>({
      text: 'select starts_at from appointments where booking_id = $1',
      values: [bookingId],
    });
    assert.equal(last?.starts_at, visit!.starts_at, 'each knows its time');
  }
  const unknown = rows.filter(({ status }) => status === 'UNKNOWN').length;
  t.diagnostic(`${crew.kills} kills, ${rows.length} messages, ${unknown} unknown`);
});
