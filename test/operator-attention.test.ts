import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOfNow, needsDayBefore } from '../console/board/lateness.ts';
import { DAY, dateOf, HOUR, MINUTE } from '../src/base/clock.ts';
import { createWorld, WORLD_DATE, type World } from './fixtures.ts';
import { call, startTestService, TEST_NOW, type TestService } from './harness.ts';
import { until } from './until.ts';
import { createHookWorld, makeDeliveries, subscribe } from './webhook-fixtures.ts';

const TODAY = '2026-11-22';

const CONCERNS = [
  'unassigned',
  'unconfirmed',
  'late',
  'unreported',
  'overdue',
  'teamAway',
  'cannotComplete',
  'cancelledAlone',
  'notCompleted',
  'paymentDue',
  'droppedUnpaid',
  'messagesFailed',
  'privacyRequestsDue',
  'deliveriesFailing',
] as const;
type Section = { count: number; list: string; rows: { id?: string; bookingId: string }[] };

async function attention(service: TestService, query: Record<string, string> = {}) {
  const answer = await service.operator('GET', `/attention?${new URLSearchParams(query)}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data as Record<(typeof CONCERNS)[number], Section> & { at: string };
}

async function booked(world: World, startAt: string, date = TODAY): Promise<string> {
  const hours = Number(startAt.slice(0, 2)) + 2;
  const timeslot = { startAt, endAt: `${String(hours).padStart(2, '0')}:00` };
  const answer = await world.book({ date, timeslot });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.bookingId;
}

test('attention: counts, the first rows, and the lists with all of them', async (t) => {
  const service = await startTestService(t);
  const empty = await attention(service);
  for (const name of CONCERNS) assert.deepEqual([empty[name].count, empty[name].rows], [0, []], name);
  assert.equal(empty.at, '2026-11-22T08:00:00+03:00');

  const world = await createWorld(service, { teams: 6, service: { minimumNoticeMinutes: 0 } });
  const deferred = await createWorld(service, { service: { assignment: 'deferred' } });
  const platform = await createWorld(service, { partner: { paymentResponsibility: 'PLATFORM' } });
  const away = await createWorld(service);
  const appointmentOf = async (bookingId: string): Promise<string> =>
    (await service.operator('GET', `/bookings/${bookingId}`)).body.data.appointmentId;
  const become = async (bookingId: string, ...statuses: string[]) => {
    const path = `/appointments/${await appointmentOf(bookingId)}`;
    for (const status of statuses) {
      const answer = await service.operator('PATCH', path, { status });
      assert.equal(answer.status, 200, answer.text);
    }
  };

  // It is 08:00.
  const unstarted = await booked(world, '08:00');
  const underWay = await booked(world, '08:00');
  const finished = await booked(world, '08:00');
  const confirmed = await booked(world, '10:00');
  const unconfirmed = await booked(world, '10:00');
  const onTheDay = await booked(world, '17:00');
  const unassigned = await booked(deferred, '12:00', '2026-11-24');
  const unassignedLater = await booked(deferred, '12:00', '2026-11-26');
  const unpaid = await booked(platform, '18:00');
  await booked(platform, '18:00', '2026-11-25');
  const hit = await booked(away, '14:00', '2026-11-24');
  const off = await service.operator('POST', `/teams/${away.teamIds[0]}/time-off`, {
    startsAt: '2026-11-24T15:00:00+03:00',
    endsAt: '2026-11-25T00:00:00+03:00',
  });
  assert.equal(off.status, 201);
  // Neither active ones, nor those that end at the start of the time off, or start at its end.
  const hitUnderWay = await booked(away, '17:00', '2026-11-25');
  await booked(away, '08:00', '2026-11-25');
  await booked(away, '12:00', '2026-11-25');
  for (const [startsAt, endsAt] of [
    ['2026-11-25T10:00:00+03:00', '2026-11-25T12:00:00+03:00'],
    ['2026-11-25T17:00:00+03:00', '2026-11-25T18:00:00+03:00'],
  ])
    await service.operator('POST', `/teams/${away.teamIds[0]}/time-off`, { startsAt, endsAt });
  await become(hitUnderWay, 'In The Way');
  const work = ['In The Way', 'In The location', 'In Progress'];
  await become(underWay, ...work);
  await become(finished, ...work, 'Finished');
  await become(confirmed, 'Confirmed');

  const hooks = await createHookWorld(service);
  const subscription = await subscribe(service, hooks.key, { url: 'https://hooks.example.sa/a' });
  const bookingId = await booked(hooks, '17:00');
  await service.deps.db.rows({ text: 'delete from webhook_deliveries' });
  const hour = (hours: number) => TEST_NOW + hours * HOUR;
  const [untried] = await makeDeliveries(service, bookingId, 1, { dueAt: hour(200) });
  await service.deps.db.rows({
    text: 'update webhook_deliveries set attempt_count = 0 where id = $1',
    values: [untried],
  });
  const [tried] = await makeDeliveries(service, bookingId, 1, { dueAt: hour(200) });
  const [recent] = await makeDeliveries(service, bookingId, 1, { failedAt: hour(-2) });
  await makeDeliveries(service, bookingId, 1, { failedAt: hour(-30) });
  assert.ok(subscription.id);

  const idsIn = (section: Section | undefined) => section?.rows.map((row) => row.bookingId).sort();
  const now = await attention(service);
  assert.deepEqual(idsIn(now.unassigned), [unassigned]);
  assert.deepEqual(idsIn(now.unconfirmed), [unstarted, unconfirmed].sort());
  assert.deepEqual(idsIn(now.late), []);
  assert.deepEqual(idsIn(now.teamAway), [hit]);
  assert.deepEqual(idsIn(now.paymentDue), [unpaid]);
  assert.deepEqual(now.deliveriesFailing?.rows.map(({ id }) => id).sort(), [tried, recent].sort());

  // Late starts, then late ends; a status that shows them is enough.
  service.clock.advance(15 * MINUTE);
  assert.equal((await attention(service)).late?.count, 0, 'not yet');
  service.clock.advance(1);
  for (const name of ['late', 'unreported'] as const)
    assert.deepEqual(idsIn((await attention(service))[name]), [unstarted], name);
  service.clock.advance(2 * HOUR);
  await become(confirmed, 'In The Way');
  const later = await attention(service);
  // A team that is on its way is late, and has reported it.
  assert.deepEqual(idsIn(later.unreported), [unconfirmed]);
  assert.deepEqual(idsIn(later.late), [confirmed, unconfirmed].sort());
  assert.deepEqual(idsIn(later.overdue), [unstarted, underWay].sort());
  const patient = await attention(service, { lateAfterMinutes: '16' });
  assert.deepEqual([idsIn(patient.late), idsIn(patient.overdue)], [[unstarted], []]);
  const first = await attention(service, { limit: '1' });
  assert.deepEqual([first.late?.count, first.late?.rows.length], [2, 1]);
  assert.deepEqual(idsIn(later.notCompleted), [finished]);
  const longer = await attention(service, { finishedForMinutes: '136' });
  assert.equal(longer.notCompleted.count, 0);

  // Every list has the items that its section counts, and the limits of the request.
  const limits = {
    assignWithinHours: '1',
    payWithinHours: '100',
    failingWithinHours: '40',
    awayWithinDays: '1',
  };
  for (const seen of [later, await attention(service, limits)]) {
    for (const name of CONCERNS) {
      const section = seen[name];
      const listed = await service.operator('GET', section.list.replace('/operator', ''));
      assert.deepEqual([listed.status, listed.body.meta.total], [200, section.count], name);
      assert.deepEqual(
        listed.body.data.map((row: { bookingId: string }) => row.bookingId),
        section.rows.map((row) => row.bookingId),
        name,
      );
    }
  }
  const other = await attention(service, limits);
  assert.deepEqual(
    [other.unassigned, other.paymentDue, other.deliveriesFailing, other.teamAway].map((one) => one?.count),
    [0, 2, 3, 0],
  );
  const inZone = await attention(service, { zoneId: platform.zoneId });
  assert.deepEqual([inZone.late?.count, inZone.paymentDue?.count], [0, 1]);
  assert.match(inZone.paymentDue!.list, new RegExp(`zoneId=${platform.zoneId}`));

  // Days later the day is over, and unfinished visits are still listed; the unpaid one has failed.
  service.clock.set(Date.parse('2026-11-24T18:00:00+03:00'));
  const statusOf = async (id: string): Promise<string> =>
    (await service.operator('GET', `/bookings/${id}`)).body.data.status;
  await until(async () => (await statusOf(unpaid)) === 'failed');
  const over = await attention(service, { limit: '20' });
  const open = [unstarted, underWay, confirmed, unconfirmed, onTheDay, unassigned, hit, bookingId];
  assert.deepEqual([idsIn(over.late), idsIn(over.overdue)], [[], open.sort()]);
  // A visit with a past start is at most late or overdue.
  assert.deepEqual(idsIn(over.unassigned), [unassignedLater]);
  assert.deepEqual([over.unconfirmed.count, over.teamAway.count], [0, 0]);

  const refused = await service.operator(
    'GET',
    '/attention?zoneId=x&assignWithinHours=0&confirmWithinMinutes=a&lateAfterMinutes=1441&limit=101',
  );
  assert.equal(refused.status, 400);
  assert.deepEqual(refused.body.error.details.message.sort(), [
    'assignWithinHours must not be less than 1',
    'confirmWithinMinutes must be an integer number',
    'lateAfterMinutes must not be greater than 1440',
    'limit must not be greater than 100',
    'zoneId must be a UUID',
  ]);
  const { token } = (await service.operator('POST', '/tokens', { name: 'Wall', role: 'viewer' })).body.data;
  const read = (authorization: string) =>
    call(`${service.operatorUrl}/operator`, 'GET', '/attention', undefined, { authorization });
  assert.deepEqual([(await read(`Bearer ${token}`)).status, (await read('Bearer no')).status], [200, 401]);
});

test('a visit that is dropped unpaid stays in attention on its day, until the customer has another', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, {
    partner: { paymentResponsibility: 'PLATFORM' },
    service: { minimumNoticeMinutes: 0 },
  });
  const dropped = await booked(world, '10:00');
  const ids = async () => (await attention(service)).droppedUnpaid.rows.map((row) => row.bookingId);
  assert.deepEqual(await ids(), []);
  service.clock.advance(2 * HOUR + MINUTE);
  const bookingOf = async (id: string) => (await service.operator('GET', `/bookings/${id}`)).body.data;
  await until(async () => (await bookingOf(dropped)).status === 'failed');
  assert.deepEqual(await ids(), [dropped]);
  assert.deepEqual((await attention(service, { zoneId: world.zoneId })).droppedUnpaid.count, 1);
  // One of another day settles nothing.
  await booked(world, '14:00', '2026-11-25');
  assert.deepEqual(await ids(), [dropped]);
  await booked(world, '14:00');
  assert.deepEqual(await ids(), []);
  // The next day all are history.
  service.clock.set(Date.parse('2026-11-23T08:00:00+03:00'));
  assert.deepEqual(await ids(), []);
});

test('an unfinished visit is never in no list: Today has it, or an attention list does', async (t) => {
  const service = await startTestService(t);
  const shifts = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, startAt: '08:00', endAt: '02:00' }));
  const way = ['Confirmed', 'In The Way', 'In The location', 'In Progress', 'Finished'];
  const waysTo = (status: string): string[] =>
    status === 'Cannot Complete' ? [...way.slice(0, 2), status] : way.slice(0, way.indexOf(status) + 1);
  const worlds = {
    New: await createWorld(service, {
      teams: 4,
      team: { shifts, travelBufferMinutes: 0 },
      service: { assignment: 'deferred' },
    }),
    others: await createWorld(service, { teams: 7, team: { shifts, travelBufferMinutes: 0 } }),
  };
  const visits = new Map<string, string>();
  const slots = [
    ['10:00', '12:00'],
    // The last one ends at midnight, without a buffer after it: the next day's board lacks it.
    ['22:00', '00:00'],
    ['23:00', '01:00'],
  ];
  for (const [startAt, endAt] of slots) {
    for (const status of ['New', 'Scheduled', ...way, 'Cannot Complete']) {
      // Two evening slots overlap: each status has a team of its own in one of them.
      const world = status === 'New' ? worlds.New : worlds.others;
      const answer = await world.book({ timeslot: { startAt, endAt }, date: WORLD_DATE });
      if (answer.status !== 200) continue;
      const { data } = (await service.operator('GET', `/bookings/${answer.body.data.bookingId}`)).body;
      const path = `/appointments/${data.appointmentId}`;
      for (const to of waysTo(status)) {
        const changed = await service.operator('PATCH', path, { status: to });
        assert.equal(changed.status, 200, changed.text);
      }
      visits.set(data.appointmentId, `${status} at ${startAt}`);
    }
  }
  assert.ok([...visits.values()].filter((what) => what.endsWith('22:00')).length >= 7);

  const midnight = Date.parse(`${WORLD_DATE}T00:00:00+03:00`);
  const minutes = [0, 600, 601, 614, 615, 616, 720, 721, 734, 735, 736, 1_320, 1_336, 1_439, 1_440, 1_441];
  minutes.push(1_454, 1_455, 1_456, 1_460, 1_499, 1_500, 1_501, 1_514, 1_515, 1_516, 2_880, 14_400);
  for (const minute of minutes) {
    const now = midnight + minute * MINUTE;
    service.clock.set(now);
    const dates = needsDayBefore(now) ? [dateOf(now - DAY), dateOf(now)] : [dateOf(now)];
    const listed = new Set<string>();
    const scheduled = new Set<string>();
    for (const date of dates) {
      const { data } = (await service.operator('GET', `/board?date=${date}`)).body;
      for (const visit of data.appointments) {
        scheduled.add(visit.id);
        if (isOfNow(visit, now)) listed.add(visit.id);
      }
    }
    const concerns = ['late', 'overdue', 'unassigned', 'unconfirmed', 'cannot-complete', 'not-completed'];
    for (const concern of concerns) {
      const { data } = (await service.operator('GET', `/appointments?attention=${concern}&limit=100`)).body;
      for (const { id } of data) listed.add(id);
    }
    for (const [id, what] of visits) {
      const startsAt = midnight + Number(what.slice(-5, -3)) * HOUR;
      // Before the hours that Today looks ahead it is on the board of its day.
      const isFar = startsAt >= now + 4 * HOUR && scheduled.has(id);
      assert.ok(listed.has(id) || isFar, `${what} is in no list after ${minute} minutes`);
    }
  }
});

test('a day of which holds take more than a third of the free time', async (t) => {
  const service = await startTestService(t);
  // Twelve hours, and six visits of two.
  const world = await createWorld(service, {
    team: { travelBufferMinutes: 0 },
    service: { minimumNoticeMinutes: 0 },
  });
  const section = async () => ((await attention(service)) as unknown as Record<'daysHeld', Section>).daysHeld;
  const slot = { addressId: world.addressId, serviceId: world.serviceId, date: WORLD_DATE };
  const hold = async (body: object): Promise<void> => {
    const answer = await service.v1(world.key, 'POST', '/partners/holds', { ...slot, ...body });
    assert.equal(answer.status, 200, answer.text);
  };
  await hold({ timeslot: { startAt: '18:00', endAt: '20:00' } });
  for (const startAt of ['08:00', '10:00', '12:00']) await booked(world, startAt, WORLD_DATE);
  assert.deepEqual(await section(), { count: 0, list: '/operator/holds', rows: [] }, 'a third of six hours');
  const bookingId = await booked(world, '14:00', WORLD_DATE);
  const crowded = {
    count: 1,
    list: `/operator/holds?date=${WORLD_DATE}`,
    rows: [{ date: WORLD_DATE, freeMinutes: 240, heldMinutes: 120 }],
  };
  assert.deepEqual(await section(), crowded, 'half of four');
  const { data } = (await service.operator('GET', crowded.list.replace('/operator', ''))).body;
  assert.equal(data.length, 1);
  const reason = { nameEn: 'Moved', nameAr: 'انتقل' };
  const reasonId = (await service.operator('POST', '/cancellation-reasons', reason)).body.data.id;
  await service.operator('POST', `/bookings/${bookingId}/cancel`, { reasonId });
  assert.equal((await section()).count, 0, 'what is cancelled is free');
  // Of any kind.
  const { addressId: _, ...at } = slot;
  const place = { latitude: String(world.latitude), longitude: String(world.longitude) };
  const placed = { ...at, ...place, timeslot: { startAt: '14:00', endAt: '16:00' } };
  assert.equal((await service.v1(world.key, 'POST', '/partners/holds', placed)).status, 200);
  assert.deepEqual((await section()).rows, [{ date: WORLD_DATE, freeMinutes: 360, heldMinutes: 240 }]);
  service.clock.advance(10 * MINUTE);
  assert.equal((await section()).count, 0, 'holds that are over');
});
