import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  addDays,
  type CalendarDate,
  DAY,
  dateOf,
  HOUR,
  MINUTE,
  startOfDate,
  toRiyadhIso,
} from '../src/base/clock.ts';
import { refusedWith } from './catalogue-fixtures.ts';
import { withPolicy } from './fee-fixtures.ts';
import { createPartnerKey, createWorld, everyDay, WORLD_DATE, type World } from './fixtures.ts';
import { type Answer, startTestService, TEST_NOW, type TestService } from './harness.ts';

/** Timeslots of several dates against those of single ones. */

type Slot = { startAt: string; endAt: string };
type Dated = Slot & { date: CalendarDate };
type Day = { date: CalendarDate; slots: Slot[]; state: 'FREE' | 'FULL' | 'CLOSED' };
type Calendar = { bookableFrom: CalendarDate; bookableUntil: CalendarDate; days: Day[] };
type Query = Record<string, string>;

function ask(
  service: TestService,
  { key, addressId, serviceId }: Pick<World, 'key' | 'addressId' | 'serviceId'>,
  [path, query]: readonly [path: 'available' | 'calendar' | 'next', query: Query],
  headers: Record<string, string> = {},
): Promise<Answer> {
  const all = new URLSearchParams({ addressId, serviceId, ...query });
  return service.v1(key, 'GET', `/partners/timeslots/${path}?${all}`, undefined, headers);
}

/** The same at the coordinates of the address. */
async function askThere(
  service: TestService,
  { key, latitude, longitude, serviceId }: Pick<World, 'key' | 'latitude' | 'longitude' | 'serviceId'>,
  [path, query]: readonly [path: 'calendar' | 'next', query: Query],
): Promise<Answer> {
  const place = { latitude: String(latitude), longitude: String(longitude) };
  const all = new URLSearchParams({ ...place, serviceId, ...query });
  return service.v1(key, 'GET', `/partners/timeslots/${path}?${all}`);
}

async function read<T>(...request: Parameters<typeof ask>): Promise<T> {
  const answer = await ask(...request);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

const datesFrom = (from: CalendarDate, count: number): CalendarDate[] =>
  Array.from({ length: count }, (_, day) => addDays(from, day));

/** The slots of each date by a request of its own. */
async function singly(
  service: TestService,
  world: World,
  dates: CalendarDate[],
): Promise<Omit<Day, 'state'>[]> {
  const days: Omit<Day, 'state'>[] = [];
  for (const date of dates) {
    const { slots } = await read<{ slots: Slot[] }>(service, world, ['available', { date }]);
    days.push({ date, slots });
  }
  return days;
}

const flat = (days: Omit<Day, 'state'>[]): Dated[] =>
  days.flatMap(({ date, slots }) => slots.map((slot) => ({ date, ...slot })));
const startOf = ({ date, startAt }: Dated): number => Date.parse(`${date}T${startAt}:00+03:00`);

const quarter = fc.integer({ min: 0, max: 95 }).map((quarters) => {
  const minutes = quarters * 15;
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
});
const someTeam = fc.record({
  travelBufferMinutes: fc.constantFrom(0, 30, 90),
  // Not on two days in a row: nights must not overlap.
  shifts: fc.uniqueArray(fc.record({ weekday: fc.constantFrom(1, 3, 5), startAt: quarter, endAt: quarter }), {
    maxLength: 3,
    selector: ({ weekday }) => weekday,
  }),
});
const someWorld = fc.record({
  teams: fc.array(someTeam, { maxLength: 3 }),
  service: fc.record({
    durationMinutes: fc.constantFrom(60, 120, 300),
    minimumNoticeMinutes: fc.constantFrom(0, 120, 2_900),
    bookingHorizonDays: fc.constantFrom(0, 5, 12, 60),
  }),
  slotGridMinutes: fc.constantFrom(30, 60, 120),
  ahead: fc.integer({ min: 0, max: 2 * 24 * 60 }),
  from: fc.integer({ min: -4, max: 8 }),
  days: fc.integer({ min: 1, max: 31 }),
  timeOff: fc.tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 60 })),
  picks: fc.array(fc.nat(), { minLength: 2, maxLength: 6 }),
  notBefore: fc.integer({ min: -2 * 24 * 60, max: 20 * 24 * 60 }),
  count: fc.integer({ min: 1, max: 10 }),
});

async function compare(
  service: TestService,
  world: World,
  {
    from,
    days,
    notBefore,
    count,
    horizon,
  }: Record<'from' | 'days' | 'notBefore' | 'count' | 'horizon', number>,
): Promise<Dated[]> {
  const now = service.clock.now();
  const today = dateOf(now);
  const first = addDays(today, from);
  const last = addDays(first, days - 1);
  const period = { from: first, to: last };
  const single = await singly(service, world, datesFrom(first, days));
  const bookableUntil = addDays(today, horizon);
  const calendar = await read<Calendar>(service, world, ['calendar', period]);
  const { bookableFrom } = calendar;
  const stateOf = new Map(calendar.days.map(({ date, state }) => [date, state]));
  assert.deepEqual(calendar, {
    ...period,
    bookableFrom,
    bookableUntil,
    days: single.map(({ date, slots }) => ({ date, state: stateOf.get(date), slots })),
  });
  for (const { date, slots, state } of calendar.days) {
    assert.equal(state === 'FREE', slots.length > 0, date);
    if (date < bookableFrom || date > bookableUntil) assert.equal(state, 'CLOSED', date);
  }
  assert.deepEqual(await read(service, world, ['calendar', { ...period, view: 'days' }]), {
    ...period,
    bookableFrom,
    bookableUntil,
    days: single.map(({ date, slots }) => ({
      date,
      state: stateOf.get(date),
      available: slots.length > 0,
    })),
  });
  const all = flat(await singly(service, world, datesFrom(today, horizon + 1)));
  const earliest = now + notBefore * MINUTE;
  assert.deepEqual(
    await read(service, world, ['next', { notBefore: toRiyadhIso(earliest), count: String(count) }]),
    // The text has whole seconds.
    {
      bookableUntil,
      slots: all.filter((slot) => startOf(slot) >= Math.floor(earliest / 1000) * 1000).slice(0, count),
    },
  );
  for (const request of [
    ['calendar', period],
    ['next', { notBefore: toRiyadhIso(earliest), count: String(count) }],
  ] as const)
    assert.deepEqual(
      (await askThere(service, world, request)).body,
      (await ask(service, world, request)).body,
      'before there is a customer',
    );
  const coverage = await service.v1(
    world.key,
    'GET',
    `/partners/coverage?latitude=${world.latitude}&longitude=${world.longitude}`,
  );
  const slot = all[0] === undefined ? null : { serviceId: world.serviceId, ...all[0] };
  assert.deepEqual(coverage.body.data.earliest, slot);
  return all;
}

/** Drawn worlds may have no slots at all; this one has. */
const WITH_SLOTS = {
  teams: [{ travelBufferMinutes: 30, shifts: [{ weekday: 3, startAt: '20:00', endAt: '04:00' }] }],
  service: { durationMinutes: 120, minimumNoticeMinutes: 120, bookingHorizonDays: 12 },
  slotGridMinutes: 60,
  ahead: 30,
  from: -1,
  days: 10,
  timeOff: [1, 60] as [number, number],
  picks: [0, 3],
  notBefore: 5,
  count: 3,
};

test('calendar, next and coverage agree with single dates in random worlds', async (t) => {
  const service = await startTestService(t);
  let seen = 0;
  const property = fc.asyncProperty(someWorld, async (drawn) => {
    service.clock.advance(drawn.ahead * MINUTE);
    const { slotGridMinutes, timeOff, picks } = drawn;
    const world = await createWorld(service, { teams: 0, service: drawn.service, zone: { slotGridMinutes } });
    const wanted = { ...drawn, horizon: drawn.service.bookingHorizonDays };
    const change = async (method: string, path: string, body: object): Promise<string> => {
      const answer = await service.operator(method, path, body);
      assert.ok(answer.status < 300, answer.text);
      return answer.body.data.id;
    };
    const teamIds: string[] = [];
    for (const [index, team] of drawn.teams.entries()) {
      const known = { zoneIds: [world.zoneId], serviceIds: [world.serviceId] };
      teamIds.push(await change('POST', '/teams', { name: `${world.zoneId} ${index}`, ...known, ...team }));
    }
    const offered = await compare(service, world, wanted);
    seen += offered.length;
    // Taken from every team, so that the slot is gone.
    for (const pick of offered.length === 0 ? [] : picks) {
      const { date, startAt, endAt } = offered[pick % offered.length]!;
      const book = (): Promise<Answer> => world.book({ date, timeslot: { startAt, endAt } });
      let answer = await book();
      while (answer.status === 200) answer = await book();
      assert.equal(answer.body.error.code, 'BOOKING_CREATION_FAILED');
    }
    const [teamId] = teamIds;
    if (teamId !== undefined) {
      const [start, hours] = timeOff;
      const startsAt = service.clock.now() + start * HOUR;
      await change('POST', `/teams/${teamId}/time-off`, {
        startsAt: toRiyadhIso(startsAt),
        endsAt: toRiyadhIso(startsAt + hours * HOUR),
        reason: 'Holiday',
      });
    }
    await compare(service, world, wanted);
    if (teamId !== undefined) {
      await change('PATCH', `/teams/${teamId}`, { shifts: everyDay('20:00', '03:00') });
      await compare(service, world, wanted);
    }
    await change('PATCH', `/zones/${world.zoneId}`, { slotGridMinutes: 60, serviceIds: [] });
    const empty = await ask(service, world, ['calendar', { from: WORLD_DATE, to: addDays(WORLD_DATE, 3) }]);
    assert.deepEqual(empty.body.meta, { reason: 'NOT_OFFERED_AT_PLACE' });
  });
  const numRuns = process.env.TEST_FULL === 'on' ? 25 : 6;
  await fc.assert(property, { numRuns, examples: [[WITH_SLOTS]], endOnFailure: true });
  assert.ok(seen > 0);
});

test('a day without slots is taken, or nothing is offered on it', async (t) => {
  const service = await startTestService(t);
  // One visit a day, from Monday on; 23 hours of notice.
  const world = await createWorld(service, {
    service: { durationMinutes: 120, minimumNoticeMinutes: 23 * 60, bookingHorizonDays: 5 },
    team: {
      shifts: [1, 2, 3, 4, 5].map((weekday) => ({ weekday, startAt: '08:00', endAt: '10:00' })),
      travelBufferMinutes: 0,
    },
  });
  assert.equal(dateOf(TEST_NOW), '2026-11-22'); // a Sunday, 08:00
  const period = { from: '2026-11-21', to: '2026-11-28' };
  const stateOf = async (): Promise<string> => {
    const { days, bookableFrom, bookableUntil } = await read<Calendar>(service, world, ['calendar', period]);
    return [bookableFrom, bookableUntil, ...days.map(({ state }) => state.slice(0, 2))].join(' ');
  };
  const before = '2026-11-23 2026-11-27';
  assert.equal(await stateOf(), `${before} CL CL FR FR FR FR FR CL`);
  const timeslot = { startAt: '08:00', endAt: '10:00' };
  const booked = await world.book({ date: '2026-11-24', timeslot });
  assert.equal(booked.status, 200, booked.text);
  const off = {
    startsAt: '2026-11-25T09:00:00+03:00',
    endsAt: '2026-11-25T09:30:00+03:00',
    reason: 'Holiday',
  };
  assert.equal((await service.operator('POST', `/teams/${world.teamIds[0]}/time-off`, off)).status, 201);
  assert.equal(await stateOf(), `${before} CL CL FR FU CL FR FR CL`);
  // Inside the notice the taken day is closed.
  service.clock.advance(25 * HOUR + MINUTE);
  assert.equal(await stateOf(), '2026-11-24 2026-11-28 CL CL CL CL CL FR FR CL');
  // The last half hour of a date has begun: the next start is on the next one.
  service.clock.set(Date.parse('2026-11-24T00:30:00+03:00'));
  assert.match(await stateOf(), /^2026-11-24 2026-11-29 /);
  service.clock.advance(1);
  assert.match(await stateOf(), /^2026-11-25 2026-11-29 /);
  await service.operator('PATCH', `/zones/${world.zoneId}`, { isActive: false });
  assert.equal(await stateOf(), '2026-11-24 2026-11-29 CL CL CL CL CL CL CL CL');
});

test('nights over the last date, the horizon in the middle, the notice on the first date', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, {
    service: { durationMinutes: 120, minimumNoticeMinutes: 60, bookingHorizonDays: 3 },
    zone: { slotGridMinutes: 60 },
    team: { shifts: everyDay('21:00', '02:00'), travelBufferMinutes: 0 },
  });
  service.clock.set(startOfDate(WORLD_DATE) + 21 * HOUR + 1);
  const period = { from: addDays(WORLD_DATE, -1), to: addDays(WORLD_DATE, 4) };
  const startsOf = async (query: Query): Promise<string[]> => {
    const { days, bookableUntil } = await read<Calendar>(service, world, ['calendar', query]);
    assert.equal(bookableUntil, addDays(WORLD_DATE, 3));
    return days.map(({ slots }) => slots.map(({ startAt }) => startAt.slice(0, 2)).join(' '));
  };
  assert.deepEqual(await startsOf(period), ['', '23', '00 21 22 23', '00 21 22 23', '00 21 22 23', '']);

  // Held on the day after the last one.
  const next = addDays(WORLD_DATE, 2);
  assert.equal(
    (await world.book({ date: next, timeslot: { startAt: '00:00', endAt: '02:00' } })).status,
    200,
  );
  const last = { from: WORLD_DATE, to: addDays(WORLD_DATE, 1) };
  assert.deepEqual(await startsOf(last), ['23', '00 21 22']);
  const { slots } = await read<{ slots: Dated[] }>(service, world, [
    'next',
    { notBefore: `${last.to}T22:00:01+03:00`, count: '2' },
  ]);
  assert.deepEqual(
    slots.map(({ date, startAt, endAt }) => [date, startAt, endAt]),
    [
      [next, '21:00', '23:00'],
      [next, '22:00', '00:00'],
    ],
  );
});

test('next goes on searching until the horizon', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { service: { bookingHorizonDays: 200 } });
  const [teamId] = world.teamIds;
  const until = TEST_NOW + 150 * DAY;
  const away = { startsAt: toRiyadhIso(TEST_NOW), endsAt: toRiyadhIso(until), reason: 'Holiday' };
  assert.equal((await service.operator('POST', `/teams/${teamId}/time-off`, away)).status, 201);
  const found = await read<{ slots: Dated[] }>(service, world, ['next', {}]);
  assert.equal(found.slots.length, 1);
  assert.ok(startOf(found.slots[0]!) >= until && startOf(found.slots[0]!) < until + DAY);
  const place = `latitude=${world.latitude}&longitude=${world.longitude}`;
  const coverage = await service.v1(world.key, 'GET', `/partners/coverage?${place}`);
  assert.deepEqual(coverage.body.data.earliest, { serviceId: world.serviceId, ...found.slots[0] });

  const late = { notBefore: '2090-01-01T00:00:00+03:00' };
  assert.deepEqual((await read<{ slots: Dated[] }>(service, world, ['next', late])).slots, []);
});

// ---------------------------------------------------------------------------
// Under bookings

const STORM_DATES = datesFrom(WORLD_DATE, 8);

/** The date of a booking after each change: it is made, and then moved between early dates and late ones. */
const STATES = Array.from(
  { length: 24 },
  (_, changes) => STORM_DATES.at(changes % 2 === 0 ? (changes / 2) % 4 : -1 - (((changes - 1) / 2) % 4))!,
);

/** Whether the free dates are all but that of the booking after one of these numbers of changes. */
const isMoment = (free: CalendarDate[], from: number, to: number): boolean =>
  STATES.slice(Math.max(0, from - 1), to).some(
    (taken) => free.join() === STORM_DATES.filter((date) => date !== taken).join(),
  ) ||
  (from === 0 && free.join() === STORM_DATES.join());

test('each response is of one moment while bookings are made, moved and cancelled', async (t) => {
  const service = await startTestService(t);
  // One slot a day.
  const team = { shifts: everyDay('10:00', '12:00') };
  const world = await createWorld(service, { teams: 1, team });
  const other = await createWorld(service, { teams: 1, team });
  const reason = await service.operator('POST', '/cancellation-reasons', {
    nameEn: 'Moved',
    nameAr: 'انتقل',
  });
  const reasonId = reason.body.data.id;
  const cancel = ({ key }: World, { body }: Answer): Promise<Answer> =>
    service.v1(key, 'PATCH', `/partners/bookings/${body.data.bookingId}/cancel`, { reasonId });

  // Changes are numbered in their order; one is under way between `begun` and `done`.
  let [begun, done] = [0, 0];
  async function write(): Promise<void> {
    let path: string | undefined;
    for (const date of STATES) {
      begun++;
      const answer = await (path === undefined
        ? world.book({ date })
        : service.v1(world.key, 'PATCH', path, { date }));
      assert.equal(answer.status, 200, answer.text);
      path = `/partners/bookings/${answer.body.data.bookingId}`;
      done++;
    }
  }
  async function disturb(): Promise<void> {
    while (done < STATES.length) await cancel(other, await other.book());
  }
  let answers = 0;
  async function look(request: () => Promise<CalendarDate[]>): Promise<void> {
    while (done < STATES.length) {
      const from = done;
      const free = await request();
      assert.ok(isMoment(free, from, begun), `${free} is none of the moments ${from} to ${begun}`);
      answers++;
    }
  }
  const period = { from: WORLD_DATE, to: STORM_DATES.at(-1)! };
  const inCalendar = async (): Promise<CalendarDate[]> =>
    flat((await read<Calendar>(service, world, ['calendar', period])).days).map(({ date }) => date);
  const ahead = { notBefore: `${WORLD_DATE}T00:00:00+03:00`, count: '10' };
  const inNext = async (): Promise<CalendarDate[]> => {
    const { slots } = await read<{ slots: Dated[] }>(service, world, ['next', ahead]);
    return slots.map(({ date }) => date).filter((date) => date <= period.to);
  };
  await Promise.all([write(), disturb(), look(inCalendar), look(inCalendar), look(inNext)]);
  assert.ok(answers > 0);
});

test('dates of different moments are noticed', () => {
  const without = (...taken: CalendarDate[]): CalendarDate[] =>
    STORM_DATES.filter((date) => !taken.includes(date));
  const [first, second] = STATES as [CalendarDate, CalendarDate];
  assert.equal(isMoment(without(), 0, 0), true);
  assert.equal(isMoment(without(first), 0, 1), true);
  assert.equal(isMoment(without(second), 1, 2), true);
  assert.equal(isMoment(without(second), 1, 1), false);
  assert.equal(isMoment(without(), 1, 2), false);
  // One date was read before the move, the other one after it.
  assert.equal(isMoment(without(), 1, STATES.length), false);
  assert.equal(isMoment(without(first, second), 0, STATES.length), false);
});

// ---------------------------------------------------------------------------
// Conditional requests

test('an ETag changes when and only when the response does', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { service: { bookingHorizonDays: 20 } });
  const [teamId] = world.teamIds;
  const period = { from: WORLD_DATE, to: addDays(WORLD_DATE, 6) };
  const requests = [
    ['calendar', period],
    ['calendar', { ...period, view: 'days' }],
    ['next', { count: '10', notBefore: `${WORLD_DATE}T00:00:00+03:00` }],
  ] as const;
  const operator = async (method: string, path: string, body: object): Promise<void> => {
    const answer = await service.operator(method, path, body);
    assert.ok(answer.status < 300, answer.text);
  };
  const timeOff = (from: string, to: string): Promise<void> =>
    operator('POST', `/teams/${teamId}/time-off`, { startsAt: from, endsAt: to, reason: 'Holiday' });
  const all = async (): Promise<Answer[]> =>
    Promise.all(requests.map((request) => ask(service, world, request)));

  // Which of the requests have another response afterwards.
  const changes: [name: string, change: () => unknown, changed: boolean[]][] = [
    ['nothing', () => {}, [false, false, false]],
    ['a minute passes', () => service.clock.advance(MINUTE), [false, false, false]],
    ['a booking', () => world.book(), [true, false, true]],
    [
      'a booking after the last date',
      () => world.book({ date: addDays(WORLD_DATE, 9) }),
      [false, false, false],
    ],
    [
      'another name of the team',
      () => operator('PATCH', `/teams/${teamId}`, { name: 'B' }),
      [false, false, false],
    ],
    [
      'time off',
      () => timeOff(`${WORLD_DATE}T00:00:00+03:00`, `${addDays(WORLD_DATE, 1)}T00:00:00+03:00`),
      [true, true, true],
    ],
    [
      'time off later',
      () => timeOff(`${addDays(WORLD_DATE, 9)}T00:00:00+03:00`, `${addDays(WORLD_DATE, 10)}T00:00:00+03:00`),
      [false, false, false],
    ],
    ['the next date has come', () => service.clock.set(startOfDate(WORLD_DATE)), [true, true, true]],
    ['a date has passed', () => service.clock.set(startOfDate(addDays(WORLD_DATE, 3))), [true, true, true]],
    [
      'the zone is gone',
      () => operator('PATCH', `/zones/${world.zoneId}`, { isActive: false }),
      [true, true, true],
    ],
  ];
  for (const [name, change, changed] of changes) {
    const before = await all();
    await change();
    const after = await all();
    for (const [index, request] of requests.entries()) {
      const [old, present] = [before[index]!, after[index]!];
      const tag = old.headers.get('etag')!;
      assert.match(tag, /^"[\w-]{22}"$/);
      assert.equal(old.text !== present.text, changed[index], `${name}: ${request[0]}`);
      assert.equal(tag !== present.headers.get('etag'), changed[index], `${name}: ${request[0]}`);
      for (const given of [tag, `W/${tag}`, `"other", ${tag}`]) {
        const again = await ask(service, world, request, { 'if-none-match': given });
        assert.equal(again.status, changed[index] ? 200 : 304, name);
        assert.equal(again.text, changed[index] ? present.text : '');
        assert.equal(again.headers.get('etag'), present.headers.get('etag'));
      }
    }
  }
  assert.equal((await ask(service, world, requests[0], { 'if-none-match': '*' })).status, 304);
  assert.equal((await ask(service, world, requests[0], { 'if-none-match': '"other"' })).status, 200);
  const refused = await ask(service, world, ['calendar', { ...period, to: '2000-01-01' }], {
    'if-none-match': '*',
  });
  assert.deepEqual([refused.status, refused.headers.get('etag')], [400, null]);
});

// ---------------------------------------------------------------------------
// Refusals, and places that are not served

test('periods and counts are validated', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const calendar = (query: Query): Promise<Answer> => ask(service, world, ['calendar', query]);
  refusedWith(await calendar({ from: '2026-12-02', to: '2026-12-01' }), 'to must not be before from');
  refusedWith(
    await calendar({ from: '2026-12-01', to: '2027-01-01' }),
    'to must be less than 31 days after from',
  );
  const longest = await calendar({ from: '2026-12-01', to: '2026-12-31' });
  assert.deepEqual([longest.status, longest.body.data.days.length], [200, 31]);
  // In the form of bookings.
  const midnight = await calendar({ from: '2026-12-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' });
  assert.deepEqual([midnight.body.data.from, midnight.body.data.days.length], ['2026-12-01', 1]);
  refusedWith(await ask(service, world, ['next', { count: '11' }]), 'count must not be greater than 10');
  refusedWith(await ask(service, world, ['next', { count: '0' }]), 'count must not be less than 1');
  const bare = await service.v1(world.key, 'POST', '/partners/contacts', {
    phone: '+966501234567',
    name: 'N',
    cityName: 'Riyadh',
  });
  const nowhere = { ...world, addressId: bare.body.data.addressId };
  for (const request of [
    ['calendar', { from: WORLD_DATE, to: WORLD_DATE }],
    ['next', {}],
  ] as const) {
    const answer = await ask(service, nowhere, request);
    assert.equal(answer.status, 400);
    const single = await ask(service, nowhere, ['available', { date: WORLD_DATE }]);
    assert.deepEqual(answer.body.error.details, single.body.error.details);
    const { key } = await createPartnerKey(service, world.partnerId, ['partner_services_read']);
    assert.equal((await ask(service, { ...world, key }, request)).status, 403);
    // Another partner's address.
    const stranger = await createWorld(service);
    assert.equal((await ask(service, { ...world, key: stranger.key }, request)).status, 404);
  }
});

test('an address or coordinates are asked for, not both', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { addressId, serviceId, latitude, longitude } = world;
  const place = { latitude: String(latitude), longitude: String(longitude) };
  const here = (path: string, query: Query, key = world.key): Promise<Answer> =>
    service.v1(key, 'GET', `/partners/timeslots/${path}?${new URLSearchParams(query)}`);
  for (const [path, period] of [
    ['calendar', { from: WORLD_DATE, to: WORLD_DATE }],
    ['next', {}],
  ] as const) {
    const plain = { serviceId, ...period };
    const refused = async (query: Query, ...messages: string[]): Promise<void> =>
      refusedWith(await here(path, { ...plain, ...query }), ...messages);
    await refused({}, 'addressId must be a UUID');
    await refused({ latitude: place.latitude }, 'longitude must be sent with latitude');
    await refused({ longitude: place.longitude }, 'latitude must be sent with longitude');
    await refused(
      { ...place, addressId },
      'latitude must not be sent with addressId',
      'longitude must not be sent with addressId',
    );
    await refused({ ...place, latitude: '90.1' }, 'latitude must be a latitude string');
    await refused({ ...place, longitude: '1e1' }, 'longitude must be a longitude string');
    const answer = await here(path, { ...plain, ...place });
    assert.equal(answer.status, 200, answer.text);
    const other = await createWorld(service);
    const foreign = await here(path, { ...plain, ...place, serviceId: randomUUID() });
    assert.deepEqual([foreign.status, foreign.body.error.message], [404, 'Service not found']);
    const elsewhere = await here(path, { ...plain, ...place, serviceId: other.serviceId });
    assert.deepEqual([elsewhere.status, elsewhere.body.meta.reason], [200, 'NOT_OFFERED_AT_PLACE']);
    await service.operator('PUT', `/partners/${other.partnerId}/services`, {
      restricted: true,
      services: [],
    });
    const denied = await here(path, { ...plain, ...place }, other.key);
    assert.deepEqual([denied.status, denied.body.error.code], [404, 'SERVICE_NOT_ALLOWED']);
  }
  assert.equal((await service.deps.db.rows({ text: 'select id from contacts' })).length, 3, 'none was made');
});

test('coverage and a service have the policy that the list has', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { latitude, longitude } = world;
  const policies = async (): Promise<unknown[]> => {
    const at = `latitude=${latitude}&longitude=${longitude}`;
    const [list, coverage, one] = await Promise.all(
      [`/services?addressId=${world.addressId}`, `/coverage?${at}`, `/services/${world.serviceId}`].map(
        async (path) => (await service.v1(world.key, 'GET', `/partners${path}`)).body.data,
      ),
    );
    return [list[0].services[0].policy, coverage.services[0].policy, one.policy];
  };
  assert.deepEqual(await policies(), [null, null, null]);
  const made = await withPolicy({ service, world });
  const [listed, ...others] = await policies();
  assert.equal((listed as { id: string }).id, made.versionId);
  assert.deepEqual(others, [listed, listed]);
});

test('coverage has the services of the list at the same place', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { latitude, longitude, categoryId, serviceId, zoneId } = world;
  const coverage = async (place = { latitude, longitude }, key = world.key): Promise<Answer> =>
    service.v1(key, 'GET', `/partners/coverage?latitude=${place.latitude}&longitude=${place.longitude}`);
  const add = async (fields: Record<string, unknown>): Promise<string> => {
    const plain = { categoryId, durationMinutes: 60, defaultPrice: 99.5, minimumNoticeMinutes: 0 };
    const answer = await service.operator('POST', '/services', { ...plain, ...fields });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data.id;
  };
  const first = await add({ nameEn: 'Aircon', nameAr: 'مكيف' });
  const inactive = await add({ nameEn: 'Bees', isActive: false });
  const priced = await add({ nameEn: 'Carpets' });
  const disabled = await add({ nameEn: 'Doors' });
  await add({ nameEn: 'Elsewhere' });
  const serviceIds = [serviceId, first, inactive, priced, disabled];
  assert.equal((await service.operator('PATCH', `/zones/${zoneId}`, { serviceIds })).status, 200);
  const services = [
    { serviceId, price: null },
    { serviceId: first, price: null },
    { serviceId: inactive, price: null },
    { serviceId: priced, price: 12.25 },
  ];
  const restricted = { restricted: true, services };
  assert.equal(
    (await service.operator('PUT', `/partners/${world.partnerId}/services`, restricted)).status,
    200,
  );

  const { data } = (await coverage()).body;
  assert.equal(data.covered, true);
  assert.deepEqual(data.services.slice(0, 2), [
    { id: first, nameEn: 'Aircon', nameAr: 'مكيف', price: 99.5, policy: null },
    { id: priced, nameEn: 'Carpets', nameAr: 'Carpets', price: 12.25, policy: null },
  ]);
  const listed = await service.v1(world.key, 'GET', `/partners/services?addressId=${world.addressId}`);
  assert.deepEqual(
    data.services.map(({ id, price }: { id: string; price: number }) => [id, price]),
    listed.body.data[0].services.map(({ id, price }: { id: string; price: number }) => [id, price]),
  );
  // Teams can do one of them.
  assert.equal(data.earliest.serviceId, serviceId);
  const contacts = await service.deps.db.rows({ text: 'select id from contacts' });
  assert.equal(contacts.length, 1, 'none was made');

  const sea = await coverage({ latitude: 0, longitude: 0 });
  assert.deepEqual(sea.body.data, { covered: false, services: [], earliest: null });
  const { key } = await createPartnerKey(service, world.partnerId, ['partner_timeslots_read']);
  assert.equal((await coverage({ latitude, longitude }, key)).status, 403);
  refusedWith(await coverage({ latitude: 90.1, longitude: 0 }), 'latitude must be a latitude string');
});

test('a list that is empty because nothing is offered at the place says so', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const period = { from: WORLD_DATE, to: WORLD_DATE };
  const metas = async (): Promise<unknown[]> => {
    const list = await service.v1(world.key, 'GET', `/partners/services?addressId=${world.addressId}`);
    const answers = [
      await ask(service, world, ['available', { date: WORLD_DATE }]),
      await ask(service, world, ['calendar', period]),
      await ask(service, world, ['next', {}]),
      await askThere(service, world, ['calendar', period]),
      await askThere(service, world, ['next', {}]),
    ];
    return [list.body.meta.reason, ...answers.map(({ body }) => body.meta)];
  };
  const alike = (reason: string | undefined): unknown[] => {
    const meta = reason === undefined ? undefined : { reason };
    return [reason, meta, meta, meta, meta, meta];
  };
  const zone = (body: object): Promise<Answer> => service.operator('PATCH', `/zones/${world.zoneId}`, body);
  assert.deepEqual(await metas(), alike(undefined));
  // Without a free team the place is still served.
  await service.operator('PATCH', `/teams/${world.teamIds[0]}`, { isActive: false });
  assert.deepEqual(await metas(), alike(undefined));
  await zone({ serviceIds: [] });
  assert.deepEqual(await metas(), alike('NOT_OFFERED_AT_PLACE'));
  await zone({ isActive: false });
  assert.deepEqual(await metas(), alike('PLACE_NOT_COVERED'));
});
