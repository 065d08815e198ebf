import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { DAY, dateOf, HOUR, type Instant, MINUTE, manualClock, timeOf } from '../src/base/clock.ts';
import { endLeases } from '../src/customers/message-queries.ts';
import { sendMessages } from '../src/customers/messages.ts';
import { NotifierError } from '../src/payments/notifier.ts';
import { type Booked, booked, patched, slot } from './appointment-fixtures.ts';
import { createWorld, type World } from './fixtures.ts';
import { onServer, startTestService, TEST_NOW, type TestService } from './harness.ts';
import { startMoyasar } from './moyasar-server.ts';
import { cancel, providerEnv } from './payment-flows.ts';
import { startUnifonic, type UnifonicServer } from './unifonic-server.ts';
import { until } from './until.ts';

/** Messages to customers about their visits: none twice, none at night, none that is no longer so. */

const ALL = ['BOOKED', 'DAY_BEFORE', 'ON_THE_WAY', 'DONE'] as const;
const PARTNER = { trackingPage: true, customerMessages: [...ALL] };

type Scene = { service: TestService; world: World; sms: UnifonicServer };

async function start(
  t: Parameters<typeof startTestService>[0],
  partner: Record<string, unknown> = PARTNER,
): Promise<Scene> {
  const sms = await startUnifonic(t);
  const moyasar = await startMoyasar(t, () => TEST_NOW);
  const service = await startTestService(t, { env: providerEnv(moyasar, sms) });
  // The tests' own time is before nine.
  service.clock.set(Date.parse('2026-11-22T10:00:00+03:00'));
  const world = await createWorld(service, { partner, teams: 2 });
  return { service, world, sms };
}

async function messagesOf({ service }: Pick<Scene, 'service'>, { bookingId }: Pick<Booked, 'bookingId'>) {
  const answer = await service.operator('GET', `/bookings/${bookingId}/messages`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.messages as {
    kind: string;
    status: string;
    reason: string | null;
    visitAt: string;
    at: string;
  }[];
}

/** Waits until the booking's messages are these: kind and status, and the reason. */
async function become(it: Scene, booking: Booked, expected: string[]): Promise<void> {
  let found: string[] = [];
  await until(
    async () => {
      found = (await messagesOf(it, booking)).map(({ kind, status, reason }) =>
        [kind, status, ...((reason ?? '') ? [reason] : [])].join(' '),
      );
      return JSON.stringify(found) === JSON.stringify(expected);
    },
    () => `${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`,
  );
}

test('a customer is told of the booking, reminded, told of the way and of the end', async (t) => {
  const it = await start(t);
  const { service, world, sms } = it;
  const booking = await booked(world, '10:00', { date: '2026-11-24' });
  await become(it, booking, ['BOOKED SENT', 'DAY_BEFORE QUEUED']);
  const { contact } = (await service.operator('GET', `/bookings/${booking.bookingId}`)).body.data;
  const { name } = (await service.operator('GET', `/partners/${world.partnerId}`)).body.data;
  assert.deepEqual(
    sms.messages.map(({ to, text }) => [`+${to}`, text]),
    [
      [
        contact.phone,
        `${name}\nتم حجز موعدك 24/11/2026 الساعة 10:00\nYour visit is booked: 24 Nov 2026 10:00\n${booking.trackingReference}\n${booking.trackingUrl}`,
      ],
    ],
  );
  service.clock.set(Date.parse('2026-11-23T10:00:00+03:00'));
  await become(it, booking, ['BOOKED SENT', 'DAY_BEFORE SENT']);
  assert.match(sms.messages[1]!.text, /Reminder of your visit: 24 Nov 2026 10:00/);
  service.clock.set(Date.parse('2026-11-24T09:30:00+03:00'));
  await patched(service, booking, { status: 'Confirmed' });
  await patched(service, booking, { status: 'In The Way' });
  await become(it, booking, ['BOOKED SENT', 'DAY_BEFORE SENT', 'ON_THE_WAY SENT']);
  await patched(service, booking, { status: 'In The location' });
  await patched(service, booking, { status: 'In Progress' });
  await patched(service, booking, { status: 'Finished' });
  const told = ['BOOKED SENT', 'DAY_BEFORE SENT', 'ON_THE_WAY SENT', 'DONE SENT'];
  await become(it, booking, told);
  service.clock.set(Date.parse('2026-11-24T12:00:00+03:00'));
  await patched(service, booking, { status: 'Completed' });
  await nothingPlanned(it);
  await become(it, booking, told);
  assert.equal(sms.messages.length, 4);
  // The number and the text are kept nowhere.
  const { db } = service.deps;
  const stored = await db.rows<{ text: string }>({ text: 'select m::text as text from customer_messages m' });
  assert.ok(stored.every(({ text }) => !text.includes(contact.phone)));
  assert.ok(!service.logged().includes(contact.phone));
});

/** Waits until every event so far was looked at. */
async function nothingPlanned({ service }: Pick<Scene, 'service'>): Promise<void> {
  await until(async () => {
    const row = await service.deps.db.first<{ left: number }>({
      text: `
        select (select count(*) from unplaced_events)
          + (select count(*) from event_places where place > (select place from customer_messages_cursor)) as left`,
    });
    return row!.left === 0;
  });
}

test('a partner without messages has none, and a new kind begins with the next change', async (t) => {
  const it = await start(t, { customerMessages: [] });
  const { service, world, sms } = it;
  const before = await booked(world, '10:00', { date: '2026-11-24' });
  await nothingPlanned(it);
  assert.deepEqual(await messagesOf(it, before), []);
  const set = await service.operator('PATCH', `/partners/${world.partnerId}`, {
    customerMessages: ['DONE', 'DAY_BEFORE', 'DONE'],
  });
  assert.deepEqual(set.body.data.customerMessages, ['DAY_BEFORE', 'DONE']);
  await patched(service, before, { status: 'Confirmed' });
  await nothingPlanned(it);
  await become(it, before, ['DAY_BEFORE QUEUED']);
  await service.operator('PATCH', `/partners/${world.partnerId}`, { customerMessages: [] });
  service.clock.set(Date.parse('2026-11-23T10:00:00+03:00'));
  await become(it, before, ['DAY_BEFORE DROPPED SWITCHED_OFF']);
  assert.equal(sms.messages.length, 0);
});

test('a move drops the reminder and queues another, a cancellation drops it', async (t) => {
  const it = await start(t);
  const { service, world, sms } = it;
  const booking = await booked(world, '10:00', { date: '2026-11-25' });
  await become(it, booking, ['BOOKED SENT', 'DAY_BEFORE QUEUED']);
  await patched(service, booking, { date: '2026-11-26', timeslot: slot('12:00', '14:00') });
  await become(it, booking, ['BOOKED SENT', 'BOOKED SENT', 'DAY_BEFORE DROPPED MOVED', 'DAY_BEFORE QUEUED']);
  assert.match(
    sms.messages[1]!.text,
    /تغيّر موعدك إلى 26\/11\/2026 الساعة 12:00\nYour visit has moved to 26 Nov 2026 12:00/,
  );
  const times = (await messagesOf(it, booking)).map(({ visitAt }) => visitAt);
  assert.deepEqual([times[1], times[3]], ['2026-11-26T12:00:00+03:00', '2026-11-26T12:00:00+03:00']);
  await cancel(it, booking.bookingId);
  await become(it, booking, [
    'BOOKED SENT',
    'BOOKED SENT',
    'DAY_BEFORE DROPPED MOVED',
    'DAY_BEFORE DROPPED CANCELLED',
  ]);
  service.clock.set(Date.parse('2026-11-25T12:00:00+03:00'));
  await nothingPlanned(it);
  assert.equal(sms.messages.length, 2);
});

test('at night nothing is sent: a booking is told in the morning, news not at all', async (t) => {
  const it = await start(t);
  const { service, world, sms } = it;
  service.clock.set(Date.parse('2026-11-22T21:00:00+03:00'));
  const booking = await booked(world, '18:00');
  const early = await booked(world, '08:00');
  await become(it, booking, ['BOOKED QUEUED']);
  // Planned before the visit begins, when it would not be.
  await become(it, early, ['BOOKED QUEUED']);
  await patched(service, early, { status: 'Confirmed' });
  service.clock.set(Date.parse('2026-11-23T07:30:00+03:00'));
  await patched(service, early, { status: 'In The Way' });
  await become(it, early, ['BOOKED DROPPED OVER', 'ON_THE_WAY DROPPED QUIET_HOURS']);
  service.clock.set(Date.parse('2026-11-23T09:00:00+03:00') - 1_000);
  await nothingPlanned(it);
  assert.equal(sms.messages.length, 0);
  service.clock.set(Date.parse('2026-11-23T09:00:00+03:00'));
  await become(it, booking, ['BOOKED SENT']);
  assert.equal(sms.messages.length, 1);
});

test('a message that the provider does not take is tried again, then failed; a refused one at once', async (t) => {
  const it = await start(t, { customerMessages: ['BOOKED'] });
  const { service, world, sms } = it;
  sms.refusal = { status: 402, errorCode: 'ER-01' };
  const booking = await booked(world);
  const reason = 'Unifonic answered 402, ER-01';
  for (const pause of [MINUTE, 5 * MINUTE, 15 * MINUTE]) {
    await until(async () => (await messagesOf(it, booking))[0]?.reason === reason);
    await become(it, booking, [`BOOKED QUEUED ${reason}`]);
    const row = await service.deps.db.first<{ due_at: Instant }>({
      text: 'select due_at from customer_messages',
    });
    assert.equal(row!.due_at, service.clock.now() + pause);
    await service.deps.db.rows({ text: 'update customer_messages set reason = null' });
    service.clock.advance(pause);
  }
  await become(it, booking, [`BOOKED FAILED ${reason}`]);
  sms.refusal = { status: 200, errorCode: 'ER-02' };
  const other = await booked(world, '14:00');
  await become(it, other, ['BOOKED FAILED Unifonic answered 200, ER-02']);
  // A failed message is not tried again, and the office sees it for a day.
  const { messagesFailed } = (await service.operator('GET', '/attention')).body.data;
  assert.equal(messagesFailed.count, 2);
  const listed = await service.operator('GET', messagesFailed.list.replace('/operator', ''));
  assert.deepEqual(listed.body.data, messagesFailed.rows, listed.text);
  assert.deepEqual(
    listed.body.data.map((row: { bookingId: string; status: string; partner: { id: string } }) => [
      row.bookingId,
      row.status,
      row.partner.id,
    ]),
    [
      [other.bookingId, 'FAILED', world.partnerId],
      [booking.bookingId, 'FAILED', world.partnerId],
    ],
  );
  const ofStranger = await service.operator('GET', `/messages?partnerId=${randomUUID()}`);
  assert.equal(ofStranger.body.meta.total, 0);
  assert.match(service.logged(), /a message to a customer could not be sent/);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  assert.match(metrics, /customer_messages\{status="FAILED"\} 2/);
});

test('a message whose process died while it was sent is not repeated', async (t) => {
  const it = await start(t);
  const { service, world, sms } = it;
  const { db } = service.deps;
  const booking = await booked(world, '10:00', { date: '2026-11-24' });
  await become(it, booking, ['BOOKED SENT', 'DAY_BEFORE QUEUED']);
  await db.rows({
    text: `
      update customer_messages set status = 'SENDING', finished_at = null, leased_until = $1 where kind = 'BOOKED'`,
    values: [new Date(service.clock.now() + HOUR)],
  });
  assert.equal(await endLeases(db, service.clock.now(), service.clock.now()), 0, 'it may still be sent');
  service.clock.advance(HOUR);
  await become(it, booking, ['BOOKED UNKNOWN', 'DAY_BEFORE QUEUED']);
  assert.match(service.logged(), /may have been sent by a process that died/);
  assert.equal(sms.messages.length, 1);
});

test('only operators read messages, and nobody those of a booking that is not there', async (t) => {
  const it = await start(t);
  const booking = await booked(it.world);
  const { body } = await it.service.operator('GET', `/bookings/${booking.bookingId}/messages`);
  assert.equal(body.data.trackingUrl, booking.trackingUrl);
  const missing = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';
  assert.equal((await it.service.operator('GET', `/bookings/${missing}/messages`)).status, 404);
  assert.equal(
    (await fetch(`${it.service.url}/operator/bookings/${booking.bookingId}/messages`)).status,
    401,
  );
});

/** Bookings of a random history, and what must hold of each. */
const ROUNDS = process.env.TEST_FULL === 'on' ? 60 : 20;

test(
  'random moves, cancellations, steps and clocks: nothing twice, nothing stale, nothing at night',
  onServer('processes of one role need PostgreSQL'),
  async (t) => {
    const clock = manualClock(TEST_NOW);
    // Without workers: the rounds are the test's own, two at a time.
    const service = await startTestService(t, { clock, env: { ROLES: 'api' } });
    const world = await createWorld(service, { partner: PARTNER, teams: 4 });
    const { db, tracking } = service.deps;
    type Sent = {
      id: string;
      text: string;
      at: Instant;
      startsAt: Instant;
      status: string;
      appointment: string;
    };
    const sent: Sent[] = [];
    const notifier = {
      name: 'unifonic' as const,
      async send({ id, text }: { id: string; text: string }) {
        if (randomInt(5) === 0) throw new NotifierError('busy', true);
        const row = (await db.first<Omit<Sent, 'id' | 'text' | 'at'>>({
          text: `
          select a.starts_at as "startsAt", b.status, a.status as appointment from customer_messages m
          join bookings b on b.id = m.booking_id join appointments a on a.booking_id = b.id where m.id = $1`,
          values: [id],
        }))!;
        sent.push({ id, text, at: clock.now(), ...row });
      },
    };
    const round = () => sendMessages({ db, clock, notifier, tracking, logger: { warn: () => {} } });
    const bookings: Booked[] = [];
    const STEPS = ['Confirmed', 'In The Way', 'In The location', 'In Progress', 'Finished'];
    for (let number = 0; number < ROUNDS; number++) {
      const booking = bookings[randomInt(bookings.length + 1)];
      const action = randomInt(10);
      const date = dateOf(clock.now() + (1 + randomInt(5)) * DAY);
      const startAt = ['08:00', '11:00', '14:00', '17:00'][randomInt(4)]!;
      const timeslot = slot(startAt, `${Number(startAt.slice(0, 2)) + 2}:00`);
      // Refusals are a part of a history: the slot is taken, the step not allowed.
      if (booking === undefined || action < 3) {
        const answer = await world.book({ date, timeslot });
        if (answer.status === 200) bookings.push(answer.body.data);
      } else if (action < 6)
        await service.operator('PATCH', `/appointments/${booking.appointmentId}`, { date, timeslot });
      else if (action < 9) {
        const { appointment } = (await service.operator('GET', `/bookings/${booking.bookingId}`)).body.data;
        const next = STEPS[STEPS.indexOf(appointment.status) + 1];
        if (next !== undefined)
          await service.operator('PATCH', `/appointments/${booking.appointmentId}`, { status: next });
      } else await cancel({ service, world }, booking.bookingId);
      if (randomInt(3) > 0) await Promise.all([round(), round()]);
      clock.advance(randomInt(8 * HOUR));
    }
    await round();

    assert.equal(new Set(sent.map(({ id }) => id)).size, sent.length, 'no message twice');
    const texts = sent.map(({ text }) => text);
    for (const { text, at, startsAt, status, appointment } of sent) {
      assert.ok(timeOf(at) >= '09:00' && timeOf(at) < '21:00', `${timeOf(at)}: ${text}`);
      assert.ok(['in progress', 'success'].includes(status), `${status}: ${text}`);
      if (text.includes('on the way')) assert.equal(appointment, 'In The Way');
      else if (text.includes('is done')) assert.ok(['Finished', 'Completed'].includes(appointment));
      else {
        assert.ok(text.includes(`الساعة ${timeOf(startsAt).slice(0, 5)}`), text);
        assert.ok(['New', 'Scheduled', 'Confirmed'].includes(appointment));
      }
    }
    // Of each visit the last that it was told is its time now, as long as it is to come.
    for (const { bookingId, trackingReference } of bookings) {
      const { body } = await service.operator('GET', `/bookings/${bookingId}`);
      const { status, appointment } = body.data;
      const all = await messagesOf({ service }, { bookingId });
      const told = all.findLast(({ kind, status }) => kind === 'BOOKED' && status !== 'DROPPED');
      const isAhead = Date.parse(appointment.scheduledStartDateTime) > clock.now();
      if (isAhead && status === 'in progress' && ['Scheduled', 'Confirmed'].includes(appointment.status))
        assert.equal(told?.visitAt, appointment.scheduledStartDateTime, trackingReference);
      const starts = all
        .filter(({ status }) => status === 'SENT')
        .map(({ kind, visitAt }) => `${kind} ${visitAt}`);
      for (const [place, one] of starts.entries())
        if (one.startsWith('DAY_BEFORE') || one.startsWith('DONE'))
          assert.ok(
            place === starts.indexOf(one) ||
              starts.filter((other) => other.startsWith(one.split(' ')[0]!)).length > 2,
            one,
          );
    }
    assert.ok(texts.length > 0);
  },
);
