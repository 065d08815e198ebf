import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, dateOf, HOUR, MINUTE, startOfDate, timeOf } from '../src/base/clock.ts';
import { asPartner, type Booked, booked, patch, slot } from './appointment-fixtures.ts';
import { createWorld, everyDay, squareAround, WORLD_DATE, type World } from './fixtures.ts';
import { startTestService, TEST_NOW, type TestService } from './harness.ts';

/**
 * A sold appointment is validated by its sold conditions, on every route that changes it: the partner's PATCH, the
 * operator's, placements and reassignments.
 */

async function change(service: TestService, path: string, body: Record<string, unknown>): Promise<void> {
  const method = path.startsWith('/partners/') ? 'PUT' : path === '/zones' ? 'POST' : 'PATCH';
  const answer = await service.operator(method, path, body);
  assert.ok(answer.status < 300, `${path}: ${answer.text}`);
}

const far = (world: World) => squareAround(world.latitude - 5, world.longitude);

/** Changes of the catalogue, and of the time, after the sale of a visit. */
const CHANGES: Record<string, (service: TestService, world: World) => Promise<void>> = {
  'the service is longer': (service, { serviceId }) =>
    change(service, `/services/${serviceId}`, { durationMinutes: 240 }),
  'the service is shorter': (service, { serviceId }) =>
    change(service, `/services/${serviceId}`, { durationMinutes: 60 }),
  'the notice is longer': (service, { serviceId }) =>
    change(service, `/services/${serviceId}`, { minimumNoticeMinutes: 10_000 }),
  'the horizon is shorter': (service, { serviceId }) =>
    change(service, `/services/${serviceId}`, { bookingHorizonDays: 0 }),
  'the price is another': (service, { serviceId }) =>
    change(service, `/services/${serviceId}`, { defaultPrice: 900 }),
  'the service is not active': (service, { serviceId }) =>
    change(service, `/services/${serviceId}`, { isActive: false }),
  'its category is not active': (service, { categoryId }) =>
    change(service, `/categories/${categoryId}`, { isActive: false }),
  'it is taken from the partner': (service, { partnerId }) =>
    change(service, `/partners/${partnerId}/services`, { restricted: true, services: [] }),
  'it is taken from the zone': (service, { zoneId }) =>
    change(service, `/zones/${zoneId}`, { serviceIds: [] }),
  'the zone is not active': (service, { zoneId }) => change(service, `/zones/${zoneId}`, { isActive: false }),
  'the zone is elsewhere': (service, world) =>
    change(service, `/zones/${world.zoneId}`, { area: far(world) }),
  'the grid is another': (service, { zoneId }) =>
    change(service, `/zones/${zoneId}`, { slotGridMinutes: 45 }),
  'another zone covers the address': async (service, world) => {
    await change(service, `/zones/${world.zoneId}`, { area: far(world) });
    const area = squareAround(world.latitude, world.longitude);
    await change(service, '/zones', { name: `Other ${world.zoneId}`, area, serviceIds: [world.serviceId] });
  },
  'the visit is inside the notice': async (service) => {
    service.clock.advance(25 * HOUR);
  },
  'the visit has begun': async (service) => {
    service.clock.advance(26 * HOUR + MINUTE);
  },
};

for (const [what, happens] of Object.entries(CHANGES)) {
  test(`${what}: another team takes over at the same time, by every route`, async (t) => {
    const service = await startTestService(t);
    const world = await createWorld(service, { teams: 2 });
    const booking = await booked(world);
    const sold = await asPartner(service, world, booking);
    const shown = async () =>
      (await service.operator('GET', `/appointments/${booking.appointmentId}`)).body.data;
    const { zoneId } = await shown();
    await happens(service, world);
    const other = async (): Promise<string> => {
      const { team } = await shown();
      return world.teamIds.find((id) => id !== team.id)!;
    };
    const place = { date: WORLD_DATE, timeslot: slot('10:00', '12:00') };

    // The partner changes nothing.
    const same = await service.v1(world.key, 'PATCH', `/partners/bookings/${booking.bookingId}`, place);
    assert.deepEqual([same.status, same.body.data], [200, sold], same.text);
    // The dialog, and the board.
    for (const body of [{}, place]) {
      const answer = await patch(service, booking, { teamId: await other(), ...body });
      assert.equal(answer.status, 200, answer.text);
    }
    const placements = (await service.operator('GET', `/appointments/${booking.appointmentId}/placements`))
      .body.data;
    const index = placements.starts.findIndex(({ startAt }: { startAt: string }) => startAt === '10:00');
    assert.deepEqual(placements.starts[index], { ...slot('10:00', '12:00'), problem: null });
    for (const { slots, best } of placements.teams) {
      assert.equal(slots[index].free, true);
      assert.equal(best.startAt, '10:00');
    }
    const away = { from: `${WORLD_DATE}T00:00:00+03:00`, to: '2026-11-24T00:00:00+03:00' };
    const next = await other();
    const reassign = async (body: Record<string, unknown>) => {
      const { team } = await shown();
      const answer = await service.operator('POST', `/teams/${team.id}/reassignments`, body);
      assert.equal(answer.status, 200, answer.text);
      return answer.body.data;
    };
    const [row] = (await reassign(away)).plan;
    const { teamId, date, timeslot, keepsDate, keepsTime, keepsLength } = row.proposal;
    assert.deepEqual({ date, timeslot }, place);
    assert.deepEqual([teamId, keepsDate, keepsTime, keepsLength], [next, true, true, true]);
    const { id: appointmentId, version } = row.appointment;
    const apply = [{ appointmentId, version, teamId, date, timeslot }];
    const [result] = (await reassign({ ...away, apply })).results;
    assert.equal(result.outcome, 'MOVED', JSON.stringify(result.refusal));

    assert.deepEqual(await asPartner(service, world, booking), sold, 'the partner sees what was sold');
    assert.equal((await shown()).zoneId, zoneId);
  });
}

test('another team at the same time: only its own conditions are checked', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { serviceId, zoneId } = world;
  const booking = await booked(world);
  await change(service, `/zones/${zoneId}`, { isActive: false });
  const add = async (fields: Record<string, unknown>): Promise<string> => {
    const answer = await service.operator('POST', '/teams', {
      name: `Team ${Math.random()}`,
      zoneIds: [zoneId],
      serviceIds: [serviceId],
      shifts: everyDay('08:00', '20:00'),
      ...fields,
    });
    return answer.body.data.id;
  };
  const away = await add({});
  const off = { startsAt: `${WORLD_DATE}T11:59:00+03:00`, endsAt: `${WORLD_DATE}T13:00:00+03:00` };
  assert.equal((await service.operator('POST', `/teams/${away}/time-off`, off)).status, 201);
  for (const [teamId, reason] of [
    [await add({ isActive: false }), 'INACTIVE'],
    [await add({ zoneIds: [] }), 'NOT_IN_ZONE'],
    [await add({ serviceIds: [] }), 'NO_SKILL'],
    [await add({ shifts: everyDay('10:30', '20:00') }), 'OFF_SHIFT'],
    [away, 'TIME_OFF'],
  ] as const) {
    const answer = await patch(service, booking, { teamId });
    assert.deepEqual([answer.status, answer.body.error?.details.reason], [422, reason]);
  }
});

test('teams of the sold zone, or of the one that covers the address now: at its time either, else the latter', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const booking = await booked(world);
  const create = async (path: string, body: Record<string, unknown>): Promise<string> => {
    const answer = await service.operator('POST', path, body);
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data.id;
  };
  await change(service, `/zones/${world.zoneId}`, { isActive: false });
  const area = squareAround(world.latitude, world.longitude);
  const serviceIds = [world.serviceId];
  const zoneId = await create('/zones', { name: 'Of today', area, serviceIds });
  const shifts = everyDay('08:00', '20:00');
  const [, today] = await Promise.all(
    [world.zoneId, zoneId].map((id, index) =>
      create('/teams', { name: `Team ${index}`, zoneIds: [id], serviceIds, shifts }),
    ),
  );
  const move = async (body: Record<string, unknown>) => {
    const { status, body: answer } = await patch(service, booking, body);
    return status === 200 ? [answer.data.team.id, answer.data.zoneId] : answer.error.details.reason;
  };
  const [sold] = world.teamIds;
  const { teams } = (
    await service.operator('GET', `/appointments/${booking.appointmentId}/placements?date=2026-11-24`)
  ).body.data;
  const reasons = teams.map(({ id, slots }: { id: string; slots: { reason: string | null }[] }) => [
    id === today,
    ...new Set(slots.slice(0, 5).map(({ reason }) => reason)),
  ]);
  assert.deepEqual(reasons, [
    [true, null],
    [false, 'NOT_IN_ZONE'],
    [false, 'NOT_IN_ZONE'],
  ]);
  assert.equal(await move({ date: '2026-11-24', teamId: sold }), 'NOT_IN_ZONE');
  assert.deepEqual(await move({ teamId: today }), [today, zoneId]);
  assert.deepEqual(await move({ date: '2026-11-24' }), [today, zoneId]);
});

test('another time keeps the sold duration, and a hint names it', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 2, service: { durationMinutes: 240 } });
  const booking = await booked(world, '10:00', { timeslot: slot('10:00', '14:00') });
  await change(service, `/services/${world.serviceId}`, { durationMinutes: 60, minimumNoticeMinutes: 240 });
  const doors = [
    (body: Record<string, unknown>) => patch(service, booking, body),
    (body: Record<string, unknown>) =>
      service.v1(world.key, 'PATCH', `/partners/bookings/${booking.bookingId}`, body),
  ];
  for (const [index, move] of doors.entries()) {
    // The current offer.
    const offered = await move({ date: '2026-11-24', timeslot: slot('10:00', '11:00') });
    assert.equal(offered.status, 422, offered.text);
    const { reason, hints, alternatives } = offered.body.error.details;
    assert.deepEqual(
      [reason, hints],
      ['SLOT_NOT_OFFERED', ['the booking keeps the length it was made with: 240 minutes']],
    );
    for (const { date, startAt, endAt } of alternatives) {
      const day = startOfDate(date);
      assert.equal(timeOf(day + minutesOf(startAt) * MINUTE + 240 * MINUTE), endAt);
    }
    const [first] = alternatives;
    const taken = await move({ date: first.date, timeslot: slot(first.startAt, first.endAt) });
    assert.equal(taken.status, 200, taken.text);
    const dated = await move({ date: `2026-11-2${5 + index}` });
    assert.equal(dated.status, 200, dated.text);
  }
  // Outside the current rules, like any other.
  const soon = await doors[1]!({ date: '2026-11-22', timeslot: slot('11:00', '15:00') });
  assert.equal(soon.body.error.details.reason, 'SLOT_INSIDE_NOTICE');
});

// ---------------------------------------------------------------------------
// A model of what is sold, against random changes of the catalogue.

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** A small generator with a seed, so that a failing walk can be walked again. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const FIRST_DAY = addDays(dateOf(TEST_NOW), 1);
const DAYS = 3;
const SEARCHED_DAYS = 7;
/** Minutes after the first day's midnight. */
const NOW = (TEST_NOW - startOfDate(FIRST_DAY)) / MINUTE;
const SHIFTS = [
  { startAt: '08:00', endAt: '16:00' },
  { startAt: '10:00', endAt: '20:00' },
  { startAt: '08:00', endAt: '20:00' },
];

type Visit = Booked & { team: number; from: number; until: number; buffer: number };

class Model {
  duration = 120;
  notice = 0;
  horizon = 60;
  grid = 30;
  isActive = true;
  isEnabled = true;
  isInZone = true;
  zoneIsActive = true;
  zoneIsHere = true;
  readonly skilled = SHIFTS.map(() => true);
  readonly buffers = SHIFTS.map(() => 30);
  visits: Visit[] = [];

  /** Whether the current rules offer a start, of any length. */
  offers(from: number): boolean {
    const isSold = this.isActive && this.isEnabled && this.isInZone && this.zoneIsActive && this.zoneIsHere;
    const day = Math.floor(from / 1440);
    return (
      isSold && from >= NOW + this.notice && day + 1 <= this.horizon && (from - day * 1440) % this.grid === 0
    );
  }

  /** Whether the team can work then: skill, shift, and the longer of two buffers to everything else. */
  isFree(team: number, from: number, until: number, except: Visit | null, others = this.visits): boolean {
    const { startAt, endAt } = SHIFTS[team]!;
    const midnight = Math.floor(from / 1440) * 1440;
    return (
      this.skilled[team]! &&
      midnight + minutesOf(startAt) <= from &&
      until <= midnight + minutesOf(endAt) &&
      others.every(
        (other) =>
          other === except ||
          other.team !== team ||
          Math.max(other.from - until, from - other.until) >= Math.max(other.buffer, this.buffers[team]!),
      )
    );
  }

  /** Whether the visit, with its own length, can go there. */
  canGo(visit: Visit, team: number, from: number): boolean {
    return (
      (from === visit.from || this.offers(from)) &&
      this.isFree(team, from, from + visit.until - visit.from, visit)
    );
  }

  /** The starts of a day, and of the visit's own one the start it has. */
  starts(day: number, visit: Visit): number[] {
    const starts = new Set<number>();
    for (let from = day * 1440; from < (day + 1) * 1440; from += this.grid) starts.add(from);
    if (Math.floor(visit.from / 1440) === day) starts.add(visit.from);
    return [...starts];
  }
}

const atMinute = (from: number): number => startOfDate(FIRST_DAY) + from * MINUTE;
const placeAt = (from: number, until: number) => ({
  date: dateOf(atMinute(from)),
  timeslot: slot(timeOf(atMinute(from)), timeOf(atMinute(until))),
});

test('sold appointments match a model under random changes of the catalogue', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, {
    teams: SHIFTS.length,
    service: { minimumNoticeMinutes: 0 },
  });
  const { serviceId, zoneId, partnerId, teamIds, latitude, longitude } = world;
  for (const [index, shift] of SHIFTS.entries())
    await change(service, `/teams/${teamIds[index]}`, { shifts: everyDay(shift.startAt, shift.endAt) });
  const model = new Model();
  const random = randomFrom(20261129);
  const pick = <T>(values: readonly T[]): T => values[random(values.length)]!;
  const counts: Record<string, number> = {};
  const count = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const onService = (body: Record<string, unknown>) => change(service, `/services/${serviceId}`, body);
  const onZone = (body: Record<string, unknown>) => change(service, `/zones/${zoneId}`, body);

  const mostly = (): boolean => random(8) > 0;
  function set<Key extends keyof Model>(key: Key, value: Model[Key]): Model[Key] {
    (model as Pick<Model, Key>)[key] = value;
    return value;
  }

  const CATALOGUE: (() => Promise<void>)[] = [
    () => onService({ durationMinutes: set('duration', pick([60, 120, 180])) }),
    () => onService({ minimumNoticeMinutes: set('notice', pick([0, 0, 0, 1_500])) }),
    () => onService({ bookingHorizonDays: set('horizon', pick([60, 60, 60, 2])) }),
    () => onService({ isActive: set('isActive', mostly()) }),
    () => onService({ defaultPrice: random(900) }),
    async () => {
      const services = set('isEnabled', mostly()) ? [{ serviceId, price: null }] : [];
      await change(service, `/partners/${partnerId}/services`, { restricted: true, services });
    },
    () => onZone({ serviceIds: set('isInZone', mostly()) ? [serviceId] : [] }),
    () => onZone({ isActive: set('zoneIsActive', mostly()) }),
    () => onZone({ slotGridMinutes: set('grid', pick([30, 30, 60, 45])) }),
    () => onZone({ area: set('zoneIsHere', mostly()) ? squareAround(latitude, longitude) : far(world) }),
    async () => {
      const team = random(SHIFTS.length);
      model.buffers[team] = pick([0, 30, 60]);
      await change(service, `/teams/${teamIds[team]}`, { travelBufferMinutes: model.buffers[team] });
    },
    async () => {
      const team = random(SHIFTS.length);
      model.skilled[team] = random(2) > 0;
      await change(service, `/teams/${teamIds[team]}`, {
        serviceIds: model.skilled[team] ? [serviceId] : [],
      });
    },
  ];

  /** Reads where the visit is, which must be a place that the model allows. */
  async function settle(visit: Visit, from: number, length: number, team: number | null): Promise<void> {
    const { data } = (await service.operator('GET', `/appointments/${visit.appointmentId}`)).body;
    const now = teamIds.indexOf(data.team.id);
    assert.deepEqual([data.startsAt, data.endsAt].map(Date.parse), [from, from + length].map(atMinute));
    if (team !== null) assert.equal(now, team);
    assert.ok(model.isFree(now, from, from + length, visit), `team ${now} is free at ${from}`);
    Object.assign(visit, { team: now, from, until: from + length, buffer: model.buffers[now]! });
  }

  async function sell(): Promise<void> {
    const from = random((DAYS * 1440) / 30) * 30;
    const until = from + model.duration;
    const answer = await world.book(placeAt(from, until));
    const possible = model.offers(from) && SHIFTS.some((_, team) => model.isFree(team, from, until, null));
    assert.equal(answer.status === 200, possible, `${from}: ${answer.text}`);
    if (!possible) return;
    const visit: Visit = { ...answer.body.data, team: 0, from, until, buffer: 0 };
    await settle(visit, from, model.duration, null);
    model.visits.push(visit);
    count('sold');
  }

  async function moveByOperator(visit: Visit): Promise<void> {
    const length = visit.until - visit.from;
    const keeps = random(2) === 0;
    const from = keeps ? visit.from : random((DAYS * 1440) / 30) * 30;
    const team = random(SHIFTS.length);
    const body = keeps && random(2) === 0 ? {} : placeAt(from, from + length);
    const answer = await patch(service, visit, { teamId: teamIds[team], ...body });
    const unchanged = from === visit.from && team === visit.team;
    const possible = unchanged || model.canGo(visit, team, from);
    assert.equal(answer.status === 200, possible, `${from} with ${team}: ${answer.text}`);
    if (possible && !unchanged) await settle(visit, from, length, team);
    count(`operator ${keeps ? 'keeps' : 'moves'} ${possible}`);
  }

  async function moveByPartner(visit: Visit): Promise<void> {
    const length = visit.until - visit.from;
    const from = random(4) === 0 ? visit.from : random((DAYS * 1440) / 30) * 30;
    const path = `/partners/bookings/${visit.bookingId}`;
    const answer = await service.v1(world.key, 'PATCH', path, placeAt(from, from + length));
    const unchanged = from === visit.from;
    const possible = unchanged || SHIFTS.some((_, team) => model.canGo(visit, team, from));
    assert.equal(answer.status === 200, possible, `${from}: ${answer.text}`);
    if (possible && !unchanged)
      await settle(visit, from, length, model.canGo(visit, visit.team, from) ? visit.team : null);
    count(`partner ${unchanged ? 'keeps' : 'moves'} ${possible}`);
  }

  async function look(visit: Visit): Promise<void> {
    const day = random(2) === 0 ? Math.floor(visit.from / 1440) : random(DAYS);
    const path = `/appointments/${visit.appointmentId}/placements?date=${addDays(FIRST_DAY, day)}`;
    const { data } = (await service.operator('GET', path)).body;
    for (const team of data.teams) {
      const shown = team.slots
        .filter(({ free }: { free: boolean }, index: number) => free && data.starts[index].problem === null)
        .map(({ startAt }: { startAt: string }) => day * 1440 + minutesOf(startAt));
      const index = teamIds.indexOf(team.id);
      const expected = model.starts(day, visit).filter((from) => model.canGo(visit, index, from));
      assert.deepEqual(
        shown,
        expected.sort((a, b) => a - b),
        `team ${index} on ${data.date}`,
      );
      count(expected.length > 0 ? 'placements' : 'no placement');
    }
    for (const { startAt, endAt } of data.starts)
      assert.equal((minutesOf(endAt) - minutesOf(startAt) + 1440) % 1440, visit.until - visit.from);
  }

  async function reassign(): Promise<void> {
    const day = random(DAYS);
    const team = random(SHIFTS.length);
    const [from, to] = [day, day + 1].map((each) => `${addDays(FIRST_DAY, each)}T00:00:00+03:00`);
    const path = `/teams/${teamIds[team]}/reassignments`;
    const { plan } = (await service.operator('POST', path, { from, to })).body.data;
    const hit = model.visits.filter((visit) => visit.team === team && Math.floor(visit.from / 1440) === day);
    assert.equal(plan.length, hit.length);
    if (plan.length === 0) return;
    // The places of the first are not taken by others of the plan.
    const [{ appointment, proposal }] = plan;
    const visit = hit.find(({ appointmentId }) => appointmentId === appointment.id)!;
    const others = SHIFTS.keys()
      .filter((one) => one !== team)
      .toArray();
    const canAt = (of: readonly number[], date: number): number[] =>
      model.starts(date, visit).filter((start) => of.some((one) => model.canGo(visit, one, start)));
    const atItsTime = (start: number): boolean => start % 1440 === visit.from % 1440;
    /** On the earliest date with any place: first at the visit's time of day, and then its own team. */
    function kindOn(date: number): 'back' | 'other time' | null {
      const own = date === day ? [] : canAt([team], date);
      const theirs = canAt(others, date);
      if (own.length + theirs.length === 0) return null;
      if (own.some(atItsTime) || (own.length > 0 && !theirs.some(atItsTime))) return 'back';
      return 'other time';
    }
    const kind = others.some((one) => model.canGo(visit, one, visit.from))
      ? 'same time'
      : (Array.from({ length: SEARCHED_DAYS }, (_, index) => kindOn(day + index)).find(
          (one) => one !== null,
        ) ?? 'nowhere');
    const isOwn = proposal?.teamId === teamIds[team];
    const stays = proposal?.keepsDate && proposal.keepsTime;
    const told = proposal === null ? 'nowhere' : isOwn ? 'back' : stays ? 'same time' : 'other time';
    assert.equal(told, kind, JSON.stringify(proposal));
    count(`plan ${kind}`);
    const apply = plan.flatMap((row: { appointment: { id: string; version: number }; proposal: unknown }) => {
      if (row.proposal === null) return [];
      const { teamId, date, timeslot, keepsLength } = row.proposal as typeof proposal;
      assert.equal(keepsLength, true);
      return { appointmentId: row.appointment.id, version: row.appointment.version, teamId, date, timeslot };
    });
    if (apply.length === 0) return;
    const { results } = (await service.operator('POST', path, { from, to, apply })).body.data;
    for (const [index, { outcome, refusal }] of results.entries()) {
      assert.equal(outcome, 'MOVED', JSON.stringify(refusal));
      const moved = hit.find(({ appointmentId }) => appointmentId === apply[index].appointmentId)!;
      const start = (startOfDate(apply[index].date) - startOfDate(FIRST_DAY)) / MINUTE;
      const at = start + minutesOf(apply[index].timeslot.startAt);
      await settle(moved, at, moved.until - moved.from, teamIds.indexOf(apply[index].teamId));
    }
  }

  for (let step = 0; step < 500; step++) {
    const action = random(100);
    const visit = model.visits.length === 0 ? null : pick(model.visits);
    if (action < 30) await pick(CATALOGUE)();
    else if (action < 50 || visit === null) await sell();
    else if (action < 65) await moveByOperator(visit);
    else if (action < 75) await moveByPartner(visit);
    else if (action < 87) await look(visit);
    else await reassign();
    if (model.visits.length > 8) {
      const [oldest] = model.visits.splice(random(model.visits.length), 1);
      await service.deps.db.rows({
        text: `update appointments set status = 'Cancelled' where id = $1`,
        values: [oldest!.appointmentId],
      });
    }
  }
  for (const outcome of [
    'sold',
    'operator keeps true',
    'operator keeps false',
    'operator moves true',
    'operator moves false',
    'partner keeps true',
    'partner moves true',
    'partner moves false',
    'placements',
    'no placement',
    'plan same time',
    'plan back',
  ])
    assert.ok((counts[outcome] ?? 0) > 2, `${outcome}: ${JSON.stringify(counts)}`);
});
