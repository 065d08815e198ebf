import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { loadPlan } from '../src/availability/queries.ts';
import { refusal, shiftsOn, toEpochMinutes, toTeam } from '../src/availability/rules.ts';
import { addDays, DAY, dateOf, HOUR, type Instant, MINUTE, toUtcIso } from '../src/base/clock.ts';
import { APPOINTMENT_STATUSES, type AppointmentStatus } from '../src/bookings/rules.ts';
import { type AttentionLimits, limitsOf } from '../src/dispatch/attention-rules.ts';
import { confirmDueAssignments } from '../src/dispatch/jobs.ts';
import { readAttention } from '../src/operator/attention.ts';
import { findVisitRefusals } from '../src/teams/visit-queries.ts';
import { createWorld, everyDay, squareAround, WORLD_DATE, type World } from './fixtures.ts';
import { documented, startTestService, type TestService } from './harness.ts';

/**
 * Visits that nobody will do: what takes a team away from a sold visit is told, and so is what nobody has closed.
 */

const START = Date.parse(`${WORLD_DATE}T10:00:00+03:00`);
const END = START + 2 * HOUR;

async function ok(service: TestService, method: string, path: string, body?: unknown) {
  const answer = await service.operator(method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body.data;
}

/** Books 2026-11-23, 10:00 to 12:00. */
async function sold(service: TestService, world: World, overrides = {}) {
  const answer = await world.book(overrides);
  assert.equal(answer.status, 200, answer.text);
  return ok(service, 'GET', `/bookings/${answer.body.data.bookingId}`);
}

/** The concerns that name the booking. */
async function concernsOf(service: TestService, bookingId: string, now = service.clock.now()) {
  const told = await readAttention(service.deps.db, service.deps, now, { limit: 20 });
  return Object.entries(told).flatMap(([name, concern]) =>
    typeof concern !== 'string' &&
    concern.rows.some((row) => 'bookingId' in row && row.bookingId === bookingId)
      ? [name]
      : [],
  );
}

const timeOff = (startsAt: string, endsAt: string) => ({
  startsAt: `${WORLD_DATE}T${startsAt}:00+03:00`,
  endsAt: `${WORLD_DATE}T${endsAt}:00+03:00`,
});

test('every change that takes a team from a sold visit returns the visit, and attention lists it', async (t) => {
  const service = await startTestService(t);
  type Change = (world: World) => [method: string, path: string, body: unknown];
  const team =
    (body: unknown): Change =>
    ({ teamIds: [id] }) => ['PATCH', `/teams/${id}`, body];
  const off =
    (...period: [string, string]): Change =>
    ({ teamIds: [id] }) => ['POST', `/teams/${id}/time-off`, timeOff(...period)];
  const TAKES: Record<string, { change: Change; reasons?: string[] }> = {
    'time off over it': { change: off('00:00', '23:00') },
    'time off that begins in it': { change: off('11:59', '13:00') },
    'time off that ends in it': { change: off('09:00', '10:01') },
    'no longer active': { change: team({ isActive: false }), reasons: ['INACTIVE'] },
    'no shift at all': { change: team({ shifts: [] }), reasons: ['OFF_SHIFT'] },
    'no shift on that day': {
      change: team({ shifts: everyDay('08:00', '20:00').filter(({ weekday }) => weekday !== 1) }),
      reasons: ['OFF_SHIFT'],
    },
    'a shift that ends in it': {
      change: team({ shifts: everyDay('08:00', '11:59') }),
      reasons: ['OFF_SHIFT'],
    },
    'a shift that begins in it': {
      change: team({ shifts: everyDay('10:01', '20:00') }),
      reasons: ['OFF_SHIFT'],
    },
    'two shifts that meet in it': {
      change: team({ shifts: [...everyDay('08:00', '11:00'), ...everyDay('11:00', '20:00')] }),
      reasons: ['OFF_SHIFT'],
    },
    'without the skill': { change: team({ serviceIds: [] }), reasons: ['NO_SKILL'] },
    'out of the zone': { change: team({ zoneIds: [] }), reasons: ['NOT_IN_ZONE'] },
    'several at once': {
      change: team({ zoneIds: [], serviceIds: [], shifts: [], isActive: false }),
      reasons: ['INACTIVE', 'NOT_IN_ZONE', 'NO_SKILL', 'OFF_SHIFT'],
    },
  };
  for (const [name, { change, reasons }] of Object.entries(TAKES)) {
    const world = await createWorld(service);
    const booking = await sold(service, world);
    const nextWeek = await sold(service, world, { date: '2026-12-01' });
    const answer = await ok(service, ...change(world));
    const visit = answer.appointments.find((one: { id: string }) => one.id === booking.appointmentId);
    assert.deepEqual(
      visit,
      {
        id: booking.appointmentId,
        name: booking.trackingReference,
        bookingId: booking.bookingId,
        startsAt: `${WORLD_DATE}T10:00:00+03:00`,
        endsAt: `${WORLD_DATE}T12:00:00+03:00`,
        status: 'Scheduled',
        ...(reasons && { reasons }),
      },
      name,
    );
    assert.deepEqual(await concernsOf(service, booking.bookingId), ['teamAway'], name);
    const isHitToo = answer.appointments.some(
      (one: { bookingId: string }) => one.bookingId === nextWeek.bookingId,
    );
    const isTold = (await concernsOf(service, nextWeek.bookingId)).includes('teamAway');
    assert.equal(isTold, isHitToo, `${name}: the answer and attention name the same visits`);
    const inZone = await ok(service, 'GET', `/attention?zoneId=${world.zoneId}`);
    assert.equal(inZone.teamAway.count, isHitToo ? 2 : 1, name);
  }
});

test('changes of what can be booked take no team away', async (t) => {
  const service = await startTestService(t);
  type Change = (world: World) => [path: string, body: unknown];
  const KEEPS: Record<string, Change> = {
    'a withdrawn service': ({ serviceId }) => [`/services/${serviceId}`, { isActive: false }],
    'a longer service': ({ serviceId }) => [`/services/${serviceId}`, { durationMinutes: 700 }],
    'a category switched off': ({ categoryId }) => [`/categories/${categoryId}`, { isActive: false }],
    'a zone switched off': ({ zoneId }) => [`/zones/${zoneId}`, { isActive: false }],
    'a zone without the service': ({ zoneId }) => [`/zones/${zoneId}`, { serviceIds: [] }],
    'a zone redrawn elsewhere': ({ zoneId }) => [`/zones/${zoneId}`, { area: squareAround(10, 10) }],
    'another grid': ({ zoneId }) => [`/zones/${zoneId}`, { slotGridMinutes: 77 }],
    'more time between visits': ({ teamIds }) => [`/teams/${teamIds[0]}`, { travelBufferMinutes: 400 }],
    'another name': ({ teamIds }) => [`/teams/${teamIds[0]}`, { name: 'Renamed' }],
    'a shift that just holds it': ({ teamIds }) => [
      `/teams/${teamIds[0]}`,
      { shifts: [{ weekday: 1, startAt: '10:00', endAt: '12:00' }] },
    ],
  };
  for (const [name, change] of Object.entries(KEEPS)) {
    const world = await createWorld(service);
    const booking = await sold(service, world);
    const answer = await ok(service, 'PATCH', ...change(world));
    assert.deepEqual(answer.appointments ?? [], [], name);
    assert.deepEqual(await concernsOf(service, booking.bookingId), [], name);
  }
});

test('a change returns only visits that it takes away', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const path = `/teams/${world.teamIds[0]}`;
  const first = await sold(service, world);
  const second = await sold(service, world, { date: '2026-11-24' });
  const past = await sold(service, world, {
    date: '2026-11-22',
    timeslot: { startAt: '10:00', endAt: '12:00' },
  });
  service.clock.set(Date.parse('2026-11-22T12:00:00+03:00'));
  const idsOf = (team: { appointments: { bookingId: string }[] }) =>
    team.appointments.map(({ bookingId }) => bookingId);

  await ok(service, 'POST', `${path}/time-off`, timeOff('10:00', '12:00'));
  const mondayOnly = everyDay('08:00', '20:00').slice(0, 1);
  assert.deepEqual(idsOf(await ok(service, 'PATCH', path, { shifts: mondayOnly })), [second.bookingId]);
  assert.deepEqual(idsOf(await ok(service, 'PATCH', path, { shifts: mondayOnly })), [], 'nothing new');
  assert.deepEqual(idsOf(await ok(service, 'PATCH', path, { name: 'Another' })), []);
  const both = [first.bookingId, second.bookingId];
  assert.deepEqual(
    idsOf(await ok(service, 'PATCH', path, { isActive: false })),
    both,
    'what is over is not hit',
  );
  assert.deepEqual(
    idsOf(await ok(service, 'PATCH', path, { isActive: true, shifts: everyDay('08:00', '20:00') })),
    [],
  );

  await ok(service, 'PATCH', `/appointments/${first.appointmentId}`, { status: 'Cancelled' });
  await ok(service, 'PATCH', `/appointments/${second.appointmentId}`, { status: 'In The Way' });
  const gone = await ok(service, 'PATCH', path, { isActive: false });
  assert.deepEqual(idsOf(gone), [second.bookingId], 'what is under way is named, what is cancelled is not');
  assert.ok(past.bookingId);
});

/** A schedule of random hours and breaks for some days around the instant. */
async function insertRandomSchedule(
  write: (text: string, ...values: unknown[]) => Promise<unknown>,
  { around, teamId, zoneId }: { around: Instant; teamId: string; zoneId: string },
): Promise<void> {
  const quarter = () => randomInt(96) * 15;
  const id = randomUUID();
  const scopes: [zones: string[] | null, teams: string[] | null][] = [
    [null, null],
    [[zoneId], null],
    [[randomUUID()], null],
    [null, [teamId]],
    [null, [randomUUID()]],
  ];
  const [zones, teams] = scopes[randomInt(scopes.length)]!;
  const week = [1, 2, 3, 4, 5, 6, 7];
  const weekly = week
    .filter(() => randomInt(3) > 0)
    .map((weekday) => ({
      weekday,
      start: randomInt(3) === 0 ? quarter() : 0,
      end: randomInt(3) === 0 ? quarter() : 0,
    }));
  const breaks =
    randomInt(2) === 0
      ? []
      : [{ weekdays: [null, week, [1, 2, 3]][randomInt(3)], start: quarter(), end: quarter() }];
  await write(
    `insert into schedules (id, name_en, name_ar, zone_ids, team_ids, weekly, breaks, priority, created_at, updated_at)
      values ($1, 'Season', 'موسم', $2, $3, $4, $5, $6, now(), now())`,
    id,
    zones,
    teams,
    [JSON.stringify(weekly), '[]', null][randomInt(3)],
    JSON.stringify(breaks),
    randomInt(2),
  );
  const first = addDays(dateOf(around), randomInt(4) - 2);
  await write(
    'insert into schedule_periods (schedule_id, first_date, last_date) values ($1, $2, $3)',
    id,
    first,
    randomInt(4) === 0 ? null : addDays(first, randomInt(3)),
  );
}

test('the SQL conditions of a visit agree with the rules of slots', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { appointmentId } = await sold(service, world);
  const { db } = service.deps;
  const [teamId] = world.teamIds;
  const write = (text: string, ...values: unknown[]) => db.rows({ text, values });
  const seen = new Set<string>();
  for (let round = 0; round < 150; round++) {
    const from = START + randomInt(14 * 24 * 4) * 15 * MINUTE;
    const until = from + (1 + randomInt(40)) * 15 * MINUTE;
    await write(
      'update appointments set starts_at = $2, ends_at = $3, busy_until = $3 where id = $1',
      appointmentId,
      toUtcIso(from),
      toUtcIso(until),
    );
    // A third of the time they just hold the visit or just do not.
    const near = (minute: number) => (minute + 1440 + (randomInt(3) - 1) * 15) % 1440;
    const minuteOf = (at: Instant) => (toEpochMinutes(at) + 180) % 1440;
    // The first rounds make sure that each answer comes up: no shift, a shift alone, a shift with time off.
    const isFitted = round === 1 || round === 2;
    const shifts = [1, 2, 3, 4, 5, 6, 7]
      .filter(() => round !== 0 && (isFitted || randomInt(4) > 0))
      .map((weekday) => ({
        weekday,
        start: isFitted ? minuteOf(from) : randomInt(3) > 0 ? near(minuteOf(from)) : randomInt(96) * 15,
        end: isFitted ? minuteOf(until) : randomInt(3) > 0 ? near(minuteOf(until)) : randomInt(96) * 15,
      }));
    await write('delete from team_shifts where team_id = $1', teamId);
    for (const { weekday, start, end } of shifts)
      await write(
        'insert into team_shifts (team_id, weekday, start_minute, end_minute) values ($1, $2, $3, $4)',
        teamId,
        weekday,
        start,
        end,
      );
    await write('delete from team_time_off where team_id = $1', teamId);
    const off = isFitted ? from : from + (randomInt(200) - 100) * 15 * MINUTE + randomInt(2) * 1_000;
    const hasTimeOff = isFitted ? round === 2 : randomInt(2) > 0;
    const times: [number, number][] = hasTimeOff ? [[off / 1_000, off / 1_000 + 3_601]] : [];
    for (const [startsAt, endsAt] of times)
      await write(
        'insert into team_time_off (team_id, starts_at, ends_at, created_at) values ($1, to_timestamp($2), to_timestamp($3), now())',
        teamId,
        startsAt,
        endsAt,
      );
    await write('delete from schedules');
    // Without any in half of the rounds; otherwise near the visit, for this team, its zone, all or others.
    for (let count = round % 2 === 0 ? 0 : 1 + randomInt(3); count > 0; count--)
      await insertRandomSchedule(write, { around: from, teamId: teamId!, zoneId: world.zoneId });
    const { schedules, teams } = await loadPlan(db);
    const { zone_ids } = teams.find(({ id }) => id === teamId)!;
    const team = toTeam(
      {
        id: teamId!,
        lock_number: 1,
        name: 'Team',
        name_ar: null,
        travel_buffer_minutes: 0,
        shifts,
        time_off: times,
        service_ids: [],
        zone_ids,
      },
      schedules,
    );
    const slot = { from: toEpochMinutes(from), until: toEpochMinutes(until) };
    const expected = refusal(team, shiftsOn(team, dateOf(from)), new Map(), slot);
    const reasons = await findVisitRefusals(db, appointmentId);
    assert.equal(reasons[0] ?? null, expected, JSON.stringify({ from, until, shifts, times, reasons }));
    seen.add(String(expected));
  }
  assert.deepEqual([...seen].sort(), ['OFF_SHIFT', 'TIME_OFF', 'null'], 'all of them came up');
});

/** The concern that has a visit whose team can do it, or null; written out apart from the statements. */
function concernAt(
  status: AppointmentStatus,
  now: Instant,
  sinceChange: number,
  limits: AttentionLimits,
): string | null {
  const grace = limits.lateAfterMinutes * MINUTE;
  switch (status) {
    case 'Completed':
      return null;
    case 'Cancelled':
      return 'cancelledAlone';
    case 'Cannot Complete':
      return 'cannotComplete';
    case 'Finished':
      return sinceChange > limits.finishedForMinutes * MINUTE ? 'notCompleted' : null;
    default:
      if (now > END + grace) return 'overdue';
      if (status === 'In Progress') return null;
      if (now > START + grace) return 'late';
      if (status === 'New' && START - now < limits.assignWithinHours * HOUR) return 'unassigned';
      if (status === 'Scheduled' && now <= START && START - now < limits.confirmWithinMinutes * MINUTE)
        return 'unconfirmed';
      return null;
  }
}

test('an unfinished visit is always in a list, with any status at any time', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { bookingId, appointmentId } = await sold(service, world);
  const { db } = service.deps;
  const limits = limitsOf({});
  const become = (table: 'bookings' | 'appointments', status: string) =>
    db.rows({
      text: `update ${table} set status = $2 where id = $1`,
      values: [table === 'bookings' ? bookingId : appointmentId, status],
    });
  const times = [
    START - 50 * DAY,
    START - 71 * HOUR,
    START - 2 * HOUR,
    START,
    START + 15 * MINUTE,
    START + 15 * MINUTE + 1,
    END,
    END + 15 * MINUTE,
    END + 15 * MINUTE + 1,
    END + 3 * DAY,
    END + 300 * DAY,
  ];
  for (const status of APPOINTMENT_STATUSES) {
    await become('appointments', status);
    for (const now of times) {
      for (const sinceChange of status === 'Finished' ? [HOUR, HOUR + 1] : [DAY]) {
        await db.rows({
          text: 'update appointments set updated_at = $2 where id = $1',
          values: [appointmentId, toUtcIso(now - sinceChange)],
        });
        const expected = concernAt(status, now, sinceChange, limits);
        const told = await concernsOf(service, bookingId, now);
        const label = `${status}, ${(now - START) / MINUTE} minutes after its start`;
        // Of a late one that nobody has reported about it is said twice.
        const isUnreported = expected === 'late' && ['New', 'Scheduled', 'Confirmed'].includes(status);
        // It was In Progress before.
        const hadBegun = status === 'Cancelled' ? ['workCancelled'] : [];
        const concerns = [
          ...(expected === null ? [] : [expected]),
          ...(isUnreported ? ['unreported'] : []),
          ...hadBegun,
        ];
        assert.deepEqual(told, concerns, label);
      }
    }
  }

  // A decision ends it.
  for (const status of ['Cannot Complete', 'Cancelled', 'Finished']) {
    await become('appointments', status);
    await become('bookings', 'failed');
    assert.deepEqual(await concernsOf(service, bookingId, END + 350 * DAY), [], `${status}, failed`);
    await become('bookings', 'success');
    assert.equal((await concernsOf(service, bookingId, END + 350 * DAY)).length, 1, `${status}, success`);
    await become('bookings', 'in progress');
  }

  // An upcoming visit of a team that is away is reported until its end, and after it.
  await ok(service, 'PATCH', `/teams/${world.teamIds[0]}`, { isActive: false });
  for (const status of ['New', 'Scheduled', 'Confirmed']) {
    await become('appointments', status);
    for (const now of times)
      assert.notDeepEqual(await concernsOf(service, bookingId, now), [], `${status} ${now}`);
  }
});

type Placed = { status: string; team: { id: string } };

test('the worker assigns a deferred visit to a team that can do it, else to nobody', async (t) => {
  const service = await startTestService(t);
  const { db } = service.deps;
  const now = START - 24 * HOUR;
  const assign = () => confirmDueAssignments(db, now);
  const deferred = { assignment: 'deferred', minimumNoticeMinutes: 0 };
  const away = (world: World, index: number, body: unknown = { isActive: false }) =>
    ok(service, 'PATCH', `/teams/${world.teamIds[index]}`, body);
  const indexOf = (world: World, id: string) => world.teamIds.indexOf(id);

  for (const body of [{ isActive: false }, { shifts: [] }, { serviceIds: [] }, { zoneIds: [] }]) {
    const world = await createWorld(service, { teams: 3, service: deferred });
    const booking = await sold(service, world);
    const held = indexOf(world, booking.team.id);
    await away(world, held, body);
    // One of the other two is busy at that time, the third takes it over.
    const other = await sold(service, world);
    assert.notEqual(other.team.id, booking.team.id);
    assert.equal(await assign(), 2, JSON.stringify(body));
    const after = await ok(service, 'GET', `/bookings/${booking.bookingId}`);
    assert.equal(after.appointment.status, 'Scheduled');
    assert.ok(![booking.team.id, other.team.id].includes(after.team.id), 'a team that can, and is free');
    assert.deepEqual(await concernsOf(service, booking.bookingId, now), []);
    const { before: from, after: to } = (await db.first<{ before: Placed; after: Placed }>({
      text: `select before, after from audit_log where actor = 'worker' and target = $1`,
      values: [`appointment:${booking.appointmentId}`],
    }))!;
    assert.deepEqual([from.team.id, from.status], [booking.team.id, 'New']);
    assert.deepEqual([to.team.id, to.status], [after.team.id, 'Scheduled']);
  }

  // The others have no time for it, or cannot do it either.
  const world = await createWorld(service, { teams: 2, service: deferred });
  const booking = await sold(service, world);
  const held = indexOf(world, booking.team.id);
  await sold(service, world, { timeslot: { startAt: '12:00', endAt: '14:00' } });
  await away(world, held);
  assert.equal(await assign(), 0, 'the travel buffer of the other team is in the way');
  const left = await ok(service, 'GET', `/bookings/${booking.bookingId}`);
  assert.deepEqual([left.appointment.status, left.team.id], ['New', booking.team.id]);
  assert.deepEqual((await concernsOf(service, booking.bookingId, now)).sort(), ['teamAway', 'unassigned']);
  await away(world, held, { isActive: true });
  assert.equal(await assign(), 1, 'its team is back');

  // A slot that another customer holds is in the way until the hold is over.
  const besideHold = await createWorld(service, { teams: 2, service: deferred });
  const timeslot = { startAt: '08:30', endAt: '10:30' };
  const waiting = await sold(service, besideHold, { timeslot });
  // Shortly before the visit is due, so that the service's own worker leaves it alone.
  const due = Date.parse(`${WORLD_DATE}T08:30:00+03:00`) - 24 * HOUR;
  service.clock.set(due - MINUTE);
  const { addressId } = (await besideHold.contact()).body.data;
  const hold = await service.v1(besideHold.key, 'POST', '/partners/holds', {
    addressId,
    serviceId: besideHold.serviceId,
    date: WORLD_DATE,
    timeslot,
    seconds: 120,
  });
  assert.equal(hold.status, 200, hold.text);
  await away(besideHold, indexOf(besideHold, waiting.team.id));
  assert.equal(await confirmDueAssignments(db, due), 0, 'the other team is held');
  assert.equal(await confirmDueAssignments(db, due + MINUTE), 1, 'the hold is over');

  // Any number of visits without a team does not delay the others.
  const laterDue = START + 6 * HOUR - 24 * HOUR;
  await confirmDueAssignments(db, laterDue);
  const many = await createWorld(service, { teams: 51, service: deferred });
  for (let index = 0; index < 51; index++) await sold(service, many);
  const later = await sold(service, many, { timeslot: { startAt: '16:00', endAt: '18:00' } });
  await db.rows({ text: 'update team_shifts set start_minute = 720' });
  assert.equal(await confirmDueAssignments(db, laterDue), 1);
  assert.equal((await ok(service, 'GET', `/bookings/${later.bookingId}`)).appointment.status, 'Scheduled');
});

test('the operator confirms an assignment only to a team that can do it, unless forced', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 2, service: { assignment: 'deferred' } });
  const booking = await sold(service, world);
  const path = `/appointments/${booking.appointmentId}`;
  const other = world.teamIds.find((id) => id !== booking.team.id);
  await ok(service, 'PATCH', `/teams/${booking.team.id}`, { shifts: [] });

  const refused = await service.operator('PATCH', path, { status: 'Scheduled' });
  assert.equal(refused.status, 422, refused.text);
  const { code, message, details } = refused.body.error;
  const [nearest] = details.alternatives;
  assert.deepEqual([code, message], ['BOOKING_CREATION_FAILED', 'The team cannot do the appointment']);
  assert.deepEqual(details, documented(code, { reason: 'OFF_SHIFT', alternatives: details.alternatives }));
  assert.deepEqual(nearest, { date: WORLD_DATE, startAt: '10:00', endAt: '12:00' });
  assert.equal((await ok(service, 'GET', `/bookings/${booking.bookingId}`)).appointment.status, 'New');

  const moved = await ok(service, 'PATCH', path, { status: 'Scheduled', teamId: other });
  assert.deepEqual([moved.status, moved.team.id], ['Scheduled', other]);

  const second = await sold(service, world, { timeslot: { startAt: '14:00', endAt: '16:00' } });
  await ok(service, 'PATCH', `/teams/${second.team.id}`, { isActive: false });
  const forced = { status: 'Scheduled', force: true, reason: 'They come all the same' };
  assert.equal(
    (await ok(service, 'PATCH', `/appointments/${second.appointmentId}`, forced)).status,
    'Scheduled',
  );
  assert.deepEqual(await concernsOf(service, second.bookingId), ['teamAway'], 'it stays told');
});
