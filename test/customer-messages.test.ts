import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { DAY, HOUR, type Instant, MINUTE } from '../src/base/clock.ts';
import { reportLateness } from '../src/bookings/late-queries.ts';
import { endLeases } from '../src/customers/message-queries.ts';
import { messageText } from '../src/customers/message-texts.ts';
import { MESSAGE_KINDS } from '../src/partners/account-rules.ts';
import { type Booked, booked, patched, slot } from './appointment-fixtures.ts';
import { createWorld, type World } from './fixtures.ts';
import { startTestService, TEST_NOW, type TestService } from './harness.ts';
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
        `${name}\nتم حجز موعدك\nYour visit is booked:\n24/11 10:00\n${shortUrl(service, booking)}`,
      ],
    ],
  );
  service.clock.set(Date.parse('2026-11-23T10:00:00+03:00'));
  await become(it, booking, ['BOOKED SENT', 'DAY_BEFORE SENT']);
  assert.match(sms.messages[1]!.text, /Reminder of your visit:\n24\/11 10:00/);
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

/** The address in messages. */
const shortUrl = ({ deps }: TestService, { bookingId, trackingReference }: Booked): string =>
  deps.tracking.shortUrlOf({ booking_id: bookingId, appointment_name: trackingReference });

async function corrected({ service }: Scene, { appointmentId }: Booked, status: string): Promise<void> {
  const correction = { status, reason: 'A mistake' };
  const answer = await service.operator('POST', `/appointments/${appointmentId}/correct`, correction);
  assert.equal(answer.status, 200, answer.text);
}

/** Waits until every reported delay was looked at. */
const noLateBookings = ({ service }: Scene): Promise<unknown> =>
  until(
    async () => (await service.deps.db.rows({ text: 'select from bookings where late_untold' })).length === 0,
  );

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

test('of a visit that the office reports as done, the customer is told the end alone', async (t) => {
  const it = await start(t, { trackingPage: true, customerMessages: ['ON_THE_WAY', 'DONE'] });
  const booking = await booked(it.world, '10:00', { date: '2026-11-24' });
  it.service.clock.set(Date.parse('2026-11-24T13:00:00+03:00'));
  const { appointmentId } = booking;
  const visits = [{ appointmentId, begin: '2026-11-24T10:10:00+03:00', end: '2026-11-24T11:50:00+03:00' }];
  const { status, body, text } = await it.service.operator('POST', '/appointments/done', { visits });
  assert.deepEqual([status, body.data?.results[0].outcome], [200, 'DONE'], text);
  await become(it, booking, ['DONE SENT']);
  assert.equal(it.sms.messages.length, 1);
});

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

test('a move is told and moves the reminder, a cancellation is told and drops it', async (t) => {
  const it = await start(t);
  const { service, world, sms } = it;
  const booking = await booked(world, '10:00', { date: '2026-11-25' });
  await become(it, booking, ['BOOKED SENT', 'DAY_BEFORE QUEUED']);
  await patched(service, booking, { date: '2026-11-26', timeslot: slot('12:00', '14:00') });
  const moved = ['BOOKED SENT', 'DAY_BEFORE DROPPED MOVED'];
  await become(it, booking, [...moved, 'MOVED QUEUED', 'DAY_BEFORE QUEUED']);
  service.clock.advance(2 * MINUTE);
  await become(it, booking, [...moved, 'MOVED SENT', 'DAY_BEFORE QUEUED']);
  assert.match(sms.messages[1]!.text, /تغيّر موعدك إلى\nYour visit has moved to\n26\/11 12:00/);
  const times = (await messagesOf(it, booking)).map(({ visitAt }) => visitAt);
  assert.deepEqual([times[2], times[3]], ['2026-11-26T12:00:00+03:00', '2026-11-26T12:00:00+03:00']);
  // There and back within two minutes is nothing to her.
  await patched(service, booking, { timeslot: slot('15:00', '17:00') });
  await nothingPlanned(it);
  await patched(service, booking, { timeslot: slot('12:00', '14:00') });
  const back = [...moved, 'MOVED SENT', 'DAY_BEFORE DROPPED MOVED', 'MOVED DROPPED MOVED'];
  await become(it, booking, [...back, 'DAY_BEFORE DROPPED MOVED', 'DAY_BEFORE QUEUED']);
  // The office cancels, for a partner that has switched everything off meanwhile.
  await service.operator('PATCH', `/partners/${world.partnerId}`, { customerMessages: [] });
  await cancel(it, booking.bookingId);
  await become(it, booking, [
    ...back,
    'DAY_BEFORE DROPPED MOVED',
    'DAY_BEFORE DROPPED CANCELLED',
    'CANCELLED SENT',
  ]);
  assert.match(sms.messages[2]!.text, /Your visit is cancelled:\n26\/11 12:00/);
  service.clock.set(Date.parse('2026-11-25T12:00:00+03:00'));
  await nothingPlanned(it);
  assert.equal(sms.messages.length, 3);
});

test('at night a customer is told what concerns the next twelve hours, and no more', async (t) => {
  const it = await start(t);
  const { service, world, sms } = it;
  const booking = await booked(world, '12:00');
  await become(it, booking, ['BOOKED SENT']);
  service.clock.set(Date.parse('2026-11-22T21:30:00+03:00'));
  // She would be told at 9:00 that the team comes at 8:00.
  await patched(service, booking, { timeslot: slot('08:00', '10:00') });
  await become(it, booking, ['BOOKED SENT', 'MOVED QUEUED']);
  const other = await booked(world, '18:00');
  await become(it, other, ['BOOKED QUEUED']);
  service.clock.advance(2 * MINUTE);
  await become(it, booking, ['BOOKED SENT', 'MOVED SENT']);
  await patched(service, booking, { status: 'Confirmed' });
  service.clock.set(Date.parse('2026-11-23T05:59:59+03:00'));
  await become(it, other, ['BOOKED QUEUED']);
  service.clock.set(Date.parse('2026-11-23T06:00:00+03:00'));
  await become(it, other, ['BOOKED SENT']);
  service.clock.set(Date.parse('2026-11-23T07:30:00+03:00'));
  await patched(service, booking, { status: 'In The Way' });
  await become(it, booking, ['BOOKED SENT', 'MOVED SENT', 'ON_THE_WAY SENT']);
  assert.match(sms.messages.at(-1)!.text, /Team on the way since 07:30/);
});

test('of a departure reported by mistake in the evening the customer learns her booking in the morning', async (t) => {
  const it = await start(t, { trackingPage: true, customerMessages: ['BOOKED'] });
  const { service, world } = it;
  service.clock.set(Date.parse('2026-11-22T21:30:00+03:00'));
  const booking = await booked(world, '18:00');
  await become(it, booking, ['BOOKED QUEUED']);
  await patched(service, booking, { status: 'Confirmed' });
  await patched(service, booking, { status: 'In The Way' });
  await become(it, booking, ['BOOKED DROPPED OVER']);
  await corrected(it, booking, 'Confirmed');
  await become(it, booking, ['BOOKED DROPPED OVER', 'BOOKED QUEUED']);
  service.clock.set(Date.parse('2026-11-23T06:00:00+03:00'));
  await become(it, booking, ['BOOKED DROPPED OVER', 'BOOKED SENT']);
});

test('who was told of a visit is told that it was not done, and of another one', async (t) => {
  const it = await start(t, { trackingPage: true, customerMessages: ['ON_THE_WAY'] });
  const { service, world, sms } = it;
  const [booking, silent] = [await booked(world, '12:00'), await booked(world, '12:00')];
  service.clock.set(Date.parse('2026-11-23T11:30:00+03:00'));
  await patched(service, booking, { status: 'Confirmed' });
  await patched(service, booking, { status: 'In The Way' });
  await become(it, booking, ['ON_THE_WAY SENT']);
  // By mistake: the office sets it right, and the true departure is told, too.
  service.clock.advance(5 * MINUTE);
  await corrected(it, booking, 'Confirmed');
  await become(it, booking, ['ON_THE_WAY SENT', 'NOT_YET QUEUED']);
  service.clock.advance(2 * MINUTE);
  await become(it, booking, ['ON_THE_WAY SENT', 'NOT_YET SENT']);
  service.clock.advance(10 * MINUTE);
  await patched(service, booking, { status: 'In The Way' });
  const told = ['ON_THE_WAY SENT', 'NOT_YET SENT', 'ON_THE_WAY SENT'];
  await become(it, booking, told);
  assert.match(sms.messages.at(-1)!.text, /since 11:47/);
  await patched(service, booking, { status: 'Cannot Complete' });
  await become(it, booking, [...told, 'NOT_DONE SENT']);
  const revisit = { date: '2026-11-26', timeslot: slot('14:00', '16:00') };
  const again = await service.operator('POST', `/bookings/${booking.bookingId}/revisit`, revisit);
  assert.equal(again.status, 200, again.text);
  await become(it, booking, [...told, 'NOT_DONE SENT', 'ANOTHER_VISIT SENT']);
  assert.match(sms.messages.at(-1)!.text, /Your next visit:\n26\/11 14:00/);
  // Nobody was told of the other one.
  await cancel(it, silent.bookingId);
  await nothingPlanned(it);
  assert.deepEqual(await messagesOf(it, silent), []);
});

test('a delay is told when it is reported, again when it has grown, and not long after', async (t) => {
  const it = await start(t, { trackingPage: true, customerMessages: ['LATE'] });
  const { service, world, sms } = it;
  const booking = await booked(world, '12:00');
  service.clock.set(Date.parse('2026-11-23T11:30:00+03:00'));
  const report = (minutes: number) =>
    reportLateness(service.deps.db, booking.bookingId, minutes, service.clock.now());
  await report(20);
  await become(it, booking, ['LATE SENT']);
  assert.match(sms.messages[0]!.text, /سيتأخر الفريق إلى حوالي 12:20\nTeam late: about 12:20/);
  await report(34);
  await noLateBookings(it);
  await report(35);
  await become(it, booking, ['LATE SENT', 'LATE SENT']);
  service.clock.set(Date.parse('2026-11-23T13:00:00+03:00'));
  await report(60);
  await noLateBookings(it);
  assert.equal(sms.messages.length, 2);
});

test('an unpaid visit that is dropped was told of by its link', async (t) => {
  const it = await start(t, { paymentResponsibility: 'PLATFORM' });
  const { service, world, sms } = it;
  const booking = await booked(world, '12:00', { date: '2026-11-26' });
  await until(() => sms.messages.length === 1);
  await patched(service, booking, { timeslot: slot('15:00', '17:00') });
  await become(it, booking, ['MOVED QUEUED']);
  service.clock.advance(2 * MINUTE);
  await become(it, booking, ['MOVED SENT']);
  service.clock.advance(DAY);
  await become(it, booking, ['MOVED SENT', 'UNPAID SENT']);
  assert.match(sms.messages.at(-1)!.text, /Not paid, cancelled:\n26\/11 15:00/);
});

test('by a clock that is set back, everything is told once', async (t) => {
  const it = await start(t);
  const { service, world, sms } = it;
  const platform = await createWorld(service, { partner: { paymentResponsibility: 'PLATFORM' }, teams: 2 });
  const unpaid = await booked(platform, '12:00', { date: '2026-11-26' });
  await until(() => sms.messages.length === 1);
  const booking = await booked(world, '18:00');
  await become(it, booking, ['BOOKED SENT']);
  service.clock.advance(-HOUR);
  await cancel({ service, world }, booking.bookingId);
  await cancel({ service, world: platform }, unpaid.bookingId);
  await become(it, booking, ['BOOKED SENT', 'CANCELLED SENT']);
  await become(it, unpaid, ['CANCELLED SENT']);
  await patched(service, await booked(world, '15:00'), { status: 'Confirmed' });
  await nothingPlanned(it);
  assert.equal(sms.messages.filter(({ text }) => text.includes('cancelled')).length, 2);
});

test('a message is in the language of its customer, and each takes two segments at most', async (t) => {
  const it = await start(t);
  const { service, world, sms } = it;
  const contact = async (more: object) => {
    const answer = await world.contact({ phone: '+966501234599', ...more });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  const { id, addressId } = await contact({});
  const languageOf = async () =>
    (await service.v1(world.key, 'GET', `/partners/contacts/${id}`)).body.data.language;
  assert.equal(await languageOf(), null);
  await contact({ language: 'en' });
  await contact({});
  assert.equal(await languageOf(), 'en');
  const own = { contactId: id, addressId };
  const first = await booked(world, '12:00', own);
  await become(it, first, ['BOOKED SENT']);
  assert.match(sms.messages[0]!.text, /^[^\n]+\nYour visit is booked:\n23\/11 12:00\nhttp/);
  await service.v1(world.key, 'PATCH', `/partners/contacts/${id}`, { language: 'ar' });
  await become(it, await booked(world, '15:00', own), ['BOOKED SENT']);
  assert.match(sms.messages[1]!.text, /^[^\n]+\nتم حجز موعدك\n23\/11 15:00\nhttp/);

  for (const language of [null, 'ar', 'en'] as const)
    for (const kind of MESSAGE_KINDS)
      for (const url of [null, `https://bookings.${'a'.repeat(20)}.com.sa/t/12345678-abcdefghijkl`])
        for (const partner_name of ['ش'.repeat(200), '🏠'.repeat(100), 'Home Deals'])
          for (const [isRepeated, every_weeks] of [true, false].flatMap((one) =>
            [null, 1, 2, 4].map((weeks) => [one, weeks] as const),
          )) {
            const ends_more = every_weeks !== null;
            const visit = {
              starts_at: TEST_NOW,
              late_minutes: 90,
              left_at: null,
              appointment_name: 'SA-12345678',
              every_weeks: 4,
              ends_more: true,
            };
            const text = messageText({
              ...visit,
              ...{
                kind,
                created_at: TEST_NOW,
                partner_name,
                language,
                url,
                isRepeated,
                every_weeks,
                ends_more,
              },
            });
            assert.ok(text.length <= 2 * 67, `${text.length}: ${text}`);
            assert.ok(text.includes(url ?? 'SA-12345678') && text.isWellFormed());
            if (partner_name === 'Home Deals' && !isRepeated && !ends_more)
              assert.ok(text.startsWith('Home'), text);
          }
});

test('who wants no messages has none but of an end, and may want them again', async (t) => {
  const it = await start(t);
  const { service, world, sms } = it;
  const booking = await booked(world, '12:00', { date: '2026-11-26' });
  await become(it, booking, ['BOOKED SENT', 'DAY_BEFORE QUEUED']);
  const url = shortUrl(service, booking);
  const { contact } = (await service.operator('GET', `/bookings/${booking.bookingId}`)).body.data;
  const stoppedNow = async () =>
    (await service.operator('GET', `/contacts/${contact.id}`)).body.data.messagesStopped;
  const choose = (choice: string, address = url) =>
    fetch(`${address}/messages?lang=en`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ choice }),
    });
  // Whatever looks at the links of a message changes nothing.
  for (const method of ['GET', 'HEAD'])
    assert.equal((await fetch(`${url}/messages?choice=STOP`, { method })).status, 404);
  assert.equal(await stoppedNow(), null);
  assert.equal((await choose('MAYBE')).status, 400);
  assert.equal((await choose('STOP', `${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`)).status, 404);
  for (const choice of ['NOT_ME', 'SEND', 'STOP'] as const) {
    const answer = await choose(choice);
    assert.deepEqual(
      [answer.status, answer.headers.get('location')],
      [303, `${new URL(url).pathname}?lang=en`],
    );
    assert.equal(await stoppedNow(), choice === 'SEND' ? null : choice);
    const page = await (await fetch(`${url}?lang=en`)).text();
    assert.equal(page.includes('Send messages again'), choice !== 'SEND');
  }
  await patched(service, booking, { timeslot: slot('15:00', '17:00') });
  await become(it, booking, ['BOOKED SENT', 'DAY_BEFORE DROPPED STOPPED']);
  await cancel(it, booking.bookingId);
  await become(it, booking, ['BOOKED SENT', 'DAY_BEFORE DROPPED STOPPED', 'CANCELLED SENT']);
  // The time that she was told.
  assert.match(sms.messages.at(-1)!.text, /26\/11 12:00/);
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
  assert.deepEqual(await endLeases(db, service.clock.now(), service.clock.now()), [], 'it may still be sent');
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
