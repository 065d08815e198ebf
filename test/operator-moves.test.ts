import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, MINUTE } from '../src/base/clock.ts';
import { APPOINTMENT_STATUSES } from '../src/bookings/rules.ts';
import {
  ACTOR,
  asPartner,
  audited,
  type Booked,
  booked,
  patch,
  patched,
  setState,
  shown,
  slot,
  traces,
} from './appointment-fixtures.ts';
import { createWorld, everyDay, squareAround, WORLD_DATE, type World } from './fixtures.ts';
import {
  type Answer,
  alsoOnServer,
  documented,
  onServer,
  startTestService,
  type TestService,
} from './harness.ts';
import { until } from './until.ts';

/** The operator moves appointments: date, timeslot and team. */

/** 422, and nothing has changed. */
async function refusedMove(service: TestService, booking: Booked, body: Record<string, unknown>) {
  const before = await traces(service, booking);
  const answer = await patch(service, booking, body);
  assert.deepEqual([answer.status, answer.body.error?.code], [422, 'BOOKING_CREATION_FAILED'], answer.text);
  assert.deepEqual(await traces(service, booking), before);
  return answer.body.error.details;
}

async function reasonOf(service: TestService, booking: Booked, body: Record<string, unknown>) {
  return (await refusedMove(service, booking, body)).reason;
}

/** A team of the world's zone beside its own. */
async function addTeam(
  service: TestService,
  world: World,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const answer = await service.operator('POST', '/teams', {
    name: `Extra ${Math.random()}`,
    zoneIds: [world.zoneId],
    serviceIds: [world.serviceId],
    shifts: everyDay('08:00', '20:00'),
    ...fields,
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data.id;
}

test('a new date or timeslot: the service date, the event, the audit log', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 2 });
  const booking = await booked(world, '10:00', { externalReference: 'ORDER 1' });
  // Not the one that would be tried first.
  const { team } = await patched(service, booking, { teamId: world.teamIds[1] });
  assert.equal(team.id, world.teamIds[1]);
  const auditedBefore = (await traces(service, booking)).audit.length;
  service.clock.advance(MINUTE);

  const moved = await patched(service, booking, { date: '2026-11-24' });
  assert.deepEqual(
    [moved.date, moved.timeslot, moved.startsAt, moved.endsAt],
    ['2026-11-24', slot('10:00', '12:00'), '2026-11-24T10:00:00+03:00', '2026-11-24T12:00:00+03:00'],
  );
  assert.deepEqual(moved.team, team, 'the team stays when it is free');
  const view = await asPartner(service, world, booking);
  assert.equal(view.date, '2026-11-24T00:00:00.000Z');
  const { events, audit } = await traces(service, booking);
  assert.deepEqual(events.slice(1), [{ event: 'booking.updated', actor: ACTOR, payload: view }]);
  assert.equal(audit.length, auditedBefore + 1);

  const later = await patched(service, booking, { timeslot: slot('14:00', '16:00') });
  assert.deepEqual([later.date, later.timeslot], ['2026-11-24', slot('14:00', '16:00')]);
  const listed = await service.operator('GET', '/bookings?fromDate=2026-11-24&toDate=2026-11-24');
  assert.equal(listed.body.meta.total, 1, 'the service date moved along');

  // Its own slot counts as free, half an hour later.
  await patched(service, booking, { timeslot: slot('14:30', '16:30') });
  // With its team taken there, the other one comes.
  const { db } = service.deps;
  const own = (await shown(service, booking)).team.id;
  const rival = await booked(world, '08:00', { date: '2026-11-25' });
  await patched(service, rival, { teamId: own, force: true });
  const elsewhere = await patched(service, booking, { date: '2026-11-25', timeslot: slot('08:00', '10:00') });
  assert.notEqual(elsewhere.team.id, own);
  const pairs = await db.first<{ count: number }>({
    text: `select count(distinct team_id) as count from appointments where starts_at = '2026-11-25T08:00:00+03:00'`,
  });
  assert.equal(pairs!.count, 2);
});

test('a move over midnight keeps its flag with a new date', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { team: { shifts: everyDay('20:00', '04:00') } });
  const answer = await world.book({ timeslot: slot('23:00', '01:00') });
  const booking: Booked = answer.body.data;
  const moved = await patched(service, booking, { date: '2026-11-24' });
  assert.deepEqual(
    [moved.startsAt, moved.endsAt],
    ['2026-11-24T23:00:00+03:00', '2026-11-25T01:00:00+03:00'],
  );
  assert.equal((await asPartner(service, world, booking)).timeslot.endsAtNextDay, true);
});

test('a move uses the zone that covers the address now', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { latitude, longitude, serviceId, teamIds } = world;
  const booking = await booked(world, '10:00');
  const zoneOf = async (): Promise<string> => (await shown(service, booking)).zoneId;
  const zone = {
    name: 'The zone of today',
    area: squareAround(latitude, longitude),
    serviceIds: [serviceId],
    confirmOverlap: true,
  };
  const { body } = await service.operator('POST', '/zones', zone);
  const { id: zoneId } = body.data;
  await service.operator('PATCH', `/zones/${world.zoneId}`, { isActive: false });
  await service.operator('PATCH', `/teams/${teamIds[0]}`, { zoneIds: [zoneId] });
  assert.equal(await zoneOf(), world.zoneId, 'where it was booked');
  await patched(service, booking, { timeslot: slot('14:00', '16:00') });
  assert.equal(await zoneOf(), zoneId);
});

test('another team: no event, an audit row, an entry in the history', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 2 });
  const booking = await booked(world);
  const before = await shown(service, booking);
  const teamId = world.teamIds.find((id) => id !== before.team.id)!;
  const after = await patched(service, booking, { teamId });
  assert.equal(after.team.id, teamId);
  assert.deepEqual({ ...after, team: before.team, version: 1 }, before);
  assert.equal(after.version, 2);
  const { events, audit } = await traces(service, booking);
  assert.equal(events.length, 1);
  assert.deepEqual(audit, [
    { actor: ACTOR, action: 'appointment.update', before: audited(before), after: audited(after) },
  ]);
  const { history } = (await service.operator('GET', `/bookings/${booking.bookingId}`)).body.data;
  assert.deepEqual(history.at(-1), {
    at: '2026-11-22T08:00:00+03:00',
    by: ACTOR,
    what: 'appointment.update',
    reason: null,
    notes: null,
    happenedAt: null,
    isTimeUncertain: false,
    sequence: null,
  });
});

test('a move follows the rules of creations: each reason, with alternatives', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const [own] = world.teamIds;
  const booking = await booked(world);
  const reason = (body: Record<string, unknown>) => reasonOf(service, booking, body);

  await t.test('of the slot', async () => {
    assert.equal(await reason({ date: '2026-11-21' }), 'SLOT_IN_PAST');
    assert.equal(
      await reason({ date: '2026-11-22', timeslot: slot('09:00', '11:00') }),
      'SLOT_INSIDE_NOTICE',
    );
    assert.equal(await reason({ date: '2027-01-22' }), 'SLOT_BEYOND_HORIZON');
    assert.equal(await reason({ timeslot: slot('14:10', '16:10') }), 'SLOT_NOT_OFFERED');
    assert.equal(await reason({ timeslot: slot('14:00', '15:00') }), 'SLOT_NOT_OFFERED');
    assert.equal(await reason({ timeslot: slot('05:00', '07:00') }), 'SLOT_NOT_OFFERED');
    // The same when a team is asked for.
    assert.equal(await reason({ date: '2026-11-21', teamId: own }), 'SLOT_IN_PAST');
    assert.equal(await reason({ timeslot: slot('14:00', '15:00'), teamId: own }), 'SLOT_NOT_OFFERED');
  });

  await t.test('of the requested team', async () => {
    const inactive = await addTeam(service, world, { isActive: false });
    const elsewhere = await addTeam(service, world, { zoneIds: [] });
    const unskilled = await addTeam(service, world, { serviceIds: [] });
    const evening = await addTeam(service, world, { shifts: everyDay('14:00', '20:00') });
    const away = await addTeam(service, world);
    const off = await service.operator('POST', `/teams/${away}/time-off`, {
      startsAt: '2026-11-23T11:00:00+03:00',
      endsAt: '2026-11-23T12:00:00+03:00',
    });
    assert.equal(off.status, 201, off.text);
    assert.equal(await reason({ teamId: inactive }), 'INACTIVE');
    assert.equal(await reason({ teamId: elsewhere }), 'NOT_IN_ZONE');
    assert.equal(await reason({ teamId: unskilled }), 'NO_SKILL');
    assert.equal(await reason({ teamId: away }), 'TIME_OFF');
    // Its alternatives.
    const details = await refusedMove(service, booking, { teamId: evening });
    assert.equal(details.reason, 'OFF_SHIFT');
    assert.deepEqual(details.alternatives[0], { date: WORLD_DATE, startAt: '14:00', endAt: '16:00' });
    assert.deepEqual((await refusedMove(service, booking, { teamId: inactive })).alternatives, []);
    for (const id of [away, evening]) await service.operator('PATCH', `/teams/${id}`, { isActive: false });
  });

  await t.test('taken', async () => {
    const rival = await booked(world, '14:00');
    const details = await refusedMove(service, booking, { timeslot: slot('15:00', '17:00') });
    assert.equal(details.reason, 'SLOT_UNAVAILABLE');
    // 14:00 to 16:00 and half an hour on either side are held.
    assert.deepEqual(details.alternatives, [
      { date: WORLD_DATE, startAt: '16:30', endAt: '18:30' },
      { date: WORLD_DATE, startAt: '17:00', endAt: '19:00' },
      { date: WORLD_DATE, startAt: '17:30', endAt: '19:30' },
      { date: WORLD_DATE, startAt: '18:00', endAt: '20:00' },
      { date: WORLD_DATE, startAt: '11:30', endAt: '13:30' },
    ]);
    assert.equal(await reason({ timeslot: slot('15:00', '17:00'), teamId: own }), 'BUSY');
    assert.equal(await reason({ timeslot: slot('15:00', '17:00'), force: true }), 'BUSY');
    assert.equal(await reason({ timeslot: slot('12:00', '14:00'), force: true }), 'BUSY', 'the buffer');
    await patched(service, rival, { status: 'Cancelled' });
    await patched(service, booking, { timeslot: slot('15:00', '17:00') });
  });

  await t.test('the service is no longer there for the partner', async () => {
    await service.operator('PUT', `/partners/${world.partnerId}/services`, {
      restricted: true,
      services: [],
    });
    const details = await refusedMove(service, booking, { date: '2026-11-24' });
    const hint =
      'the service is no longer enabled for the partner: no other timeslot is free for the booking';
    const nowhere = { reason: 'SLOT_NOT_OFFERED', alternatives: [], hints: [hint] };
    assert.deepEqual(details, documented('BOOKING_CREATION_FAILED', nowhere));
    assert.equal((await patched(service, booking, { date: '2026-11-24', force: true })).date, '2026-11-24');
  });
});

test('force overrides everything but an overlap', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const booking = await booked(world);
  const forced = (body: Record<string, unknown>) => patched(service, booking, { ...body, force: true });
  await forced({ date: '2026-11-21' }); // past
  await forced({ date: '2026-11-22', timeslot: slot('08:30', '10:30') }); // notice
  await forced({ date: '2027-06-01' }); // horizon
  await forced({ date: WORLD_DATE, timeslot: slot('14:07', '15:00') }); // grid, duration
  await forced({ timeslot: slot('03:00', '05:00') }); // shift
  const stranger = await addTeam(service, world, {
    zoneIds: [],
    serviceIds: [],
    shifts: [],
    isActive: false,
    travelBufferMinutes: 45,
  });
  const off = await service.operator('POST', `/teams/${stranger}/time-off`, {
    startsAt: '2026-11-23T00:00:00+03:00',
    endsAt: '2026-11-24T00:00:00+03:00',
  });
  assert.equal(off.status, 201);
  const after = await forced({ teamId: stranger }); // zone, skill, activity, time off
  assert.deepEqual([after.team.id, after.zoneId], [stranger, world.zoneId]);
  const row = await service.deps.db.first<{ ends_at: number; busy_until: number }>({
    text: 'select ends_at, busy_until from appointments where id = $1',
    values: [booking.appointmentId],
  });
  assert.equal(row!.busy_until - row!.ends_at, 45 * MINUTE, "the new team's buffer");

  const second = await booked(world);
  for (const body of [
    { teamId: stranger, timeslot: slot('04:00', '06:00') },
    { teamId: stranger, timeslot: slot('05:30', '07:30') }, // inside the buffer
    { teamId: stranger, timeslot: slot('01:00', '03:00') }, // its own buffer
  ]) {
    const details = await refusedMove(service, second, { ...body, force: true });
    assert.equal(details.reason, 'BUSY');
  }
  await patched(service, second, { teamId: stranger, timeslot: slot('05:45', '07:45'), force: true });
});

test('a move in each status: Scheduled again at another start, as with another team, or refused', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 2 });
  const booking = await booked(world);
  let day = 24;
  for (const status of APPOINTMENT_STATUSES) {
    await setState(service, booking, { appointment: status });
    const before = await traces(service, booking);
    const own = (await shown(service, booking)).team.id;
    const begun = ['In Progress', 'Finished', 'Completed', 'Cannot Complete', 'Cancelled'].includes(status);
    const other = world.teamIds.find((id) => id !== own)!;
    if (begun) {
      for (const move of [
        { date: '2026-11-30' },
        { date: '2026-11-30', force: true },
        { teamId: other },
        { teamId: other, force: true },
      ]) {
        const answer = await patch(service, booking, move);
        assert.deepEqual([answer.status, answer.body.error.code], [422, 'INVALID_TRANSITION'], status);
      }
      assert.deepEqual(await traces(service, booking), before, status);
      continue;
    }
    const reassigned = await patched(service, booking, { teamId: other });
    assert.equal(reassigned.status, status);
    assert.equal((await traces(service, booking)).events.length, before.events.length, 'nobody is told');
    // A length that is forced is no other start.
    const { startAt } = reassigned.timeslot;
    const shorter = await patched(service, booking, { timeslot: slot(startAt, '11:00'), force: true });
    assert.equal(shorter.status, status);
    await patched(service, booking, { timeslot: slot(startAt, '12:00'), force: true });
    const { events: told } = await traces(service, booking);

    const force = status === 'In The Way';
    const moved = await patched(service, booking, { date: `2026-11-${day++}`, ...(force && { force }) });
    const after = status === 'New' ? 'New' : 'Scheduled';
    assert.equal(moved.status, after);
    const { events } = await traces(service, booking);
    const [updated, ...others] = events.slice(told.length);
    assert.equal(updated!.event, 'booking.updated');
    assert.deepEqual(updated!.payload, await asPartner(service, world, booking));
    assert.deepEqual(
      others.map(({ event, actor, payload }) => [event, actor, payload.appointmentStatusChange]),
      after === status
        ? []
        : [
            [
              'booking.appointment_status_changed',
              ACTOR,
              { from: status, to: after, changedAt: '2026-11-22T08:00:00+03:00' },
            ],
          ],
      status,
    );
  }
});

test('a move of an active appointment with a status: Scheduled again, then the requested status', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const booking = await booked(world);
  await setState(service, booking, { appointment: 'Confirmed' });
  const moved = await patched(service, booking, { date: '2026-11-24', status: 'Confirmed' });
  assert.equal(moved.status, 'Confirmed');
  const { events } = await traces(service, booking);
  assert.deepEqual(
    events.slice(1).map(({ payload }) => payload.appointment.status),
    ['Scheduled', 'Scheduled', 'Confirmed'],
  );
  await setState(service, booking, { appointment: 'In The location' });
  const before = await traces(service, booking);
  const begun = await patch(service, booking, { date: '2026-11-25', status: 'In Progress' });
  assert.deepEqual([begun.status, begun.body.error.code], [422, 'INVALID_TRANSITION']);
  assert.deepEqual(await traces(service, booking), before);
});

test('the partner moves a confirmed one: it is Scheduled again, with an event', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const booking = await booked(world);
  await patched(service, booking, { status: 'Confirmed' });
  const move = (body: Record<string, unknown>) =>
    service.v1(world.key, 'PATCH', `/partners/bookings/${booking.bookingId}`, body);
  const same = await move({ date: WORLD_DATE, timeslot: slot('10:00', '12:00') });
  assert.equal(same.body.data.appointment.status, 'Confirmed', 'it has not moved');
  const { events: told } = await traces(service, booking);
  const moved = await move({ date: '2026-11-24' });
  assert.equal(moved.body.data.appointment.status, 'Scheduled');
  const { events } = await traces(service, booking);
  assert.deepEqual(
    events.slice(told.length).map(({ event, actor }) => [event, actor]),
    [
      ['booking.updated', 'partner'],
      ['booking.appointment_status_changed', 'partner'],
    ],
  );
  assert.deepEqual(await asPartner(service, world, booking), moved.body.data);
});

test('a move and a status in one request: both or nothing', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const booking = await booked(world);
  const rival = await booked(world, '16:00');
  await refusedMove(service, booking, { status: 'Confirmed', timeslot: slot('16:00', '18:00') });

  const before = await traces(service, booking);
  const badStatus = await patch(service, booking, { status: 'Finished', timeslot: slot('13:00', '15:00') });
  assert.deepEqual([badStatus.status, badStatus.body.error.code], [422, 'INVALID_TRANSITION']);
  assert.deepEqual(await traces(service, booking), before, 'the old slot stays held');
  assert.equal((await world.book()).status, 422);

  const after = await patched(service, booking, { status: 'Confirmed', timeslot: slot('13:00', '15:00') });
  assert.deepEqual([after.status, after.timeslot], ['Confirmed', slot('13:00', '15:00')]);
  const { events, audit } = await traces(service, booking);
  const view = await asPartner(service, world, booking);
  assert.deepEqual(events.slice(1), [
    {
      event: 'booking.updated',
      actor: ACTOR,
      payload: { ...view, appointment: { ...view.appointment, status: 'Scheduled' } },
    },
    {
      event: 'booking.appointment_status_changed',
      actor: ACTOR,
      payload: {
        ...view,
        appointmentStatusChange: {
          from: 'Scheduled',
          to: 'Confirmed',
          changedAt: '2026-11-22T08:00:00+03:00',
        },
      },
    },
  ]);
  assert.equal(audit.length, 1);
  assert.equal((await shown(service, rival)).timeslot.startAt, '16:00');
});

/** Pairs of appointments of one team that overlap with their buffers; there must never be any. */
async function overlaps(service: TestService): Promise<number> {
  const row = await service.deps.db.first<{ pairs: number }>({
    text: `
      select count(*) as pairs from appointments a join appointments b on a.team_id = b.team_id and a.id < b.id
      where a.status <> 'Cancelled' and b.status <> 'Cancelled'
        and a.starts_at < b.busy_until and b.starts_at < a.busy_until`,
  });
  return row!.pairs;
}

test('simultaneous moves into one slot: one wins, the others stay', alsoOnServer, async (t) => {
  const service = await startTestService(t);
  for (const extra of [{}, { force: true }, { team: true }]) {
    const world = await createWorld(service);
    const bookings = [
      await booked(world, '08:00'),
      await booked(world, '10:30'),
      await booked(world, '13:00'),
      await booked(world, '08:00', { date: '2026-11-25' }),
    ];
    const { team, ...rest } = extra as { team?: boolean; force?: boolean };
    const body = {
      date: '2026-11-24',
      timeslot: slot('17:00', '19:00'),
      ...rest,
      ...(team && { teamId: world.teamIds[0] }),
    };
    const before = await Promise.all(bookings.map((booking) => shown(service, booking)));
    const answers = await Promise.all(bookings.map((booking) => patch(service, booking, body)));
    assert.deepEqual(
      answers.map(({ status }) => status).sort(),
      [200, 422, 422, 422],
      answers.map(({ text }) => text).join('\n'),
    );
    const after = await Promise.all(bookings.map((booking) => shown(service, booking)));
    for (const [index, { status, body: answer }] of answers.entries()) {
      if (status === 200) assert.equal(after[index].startsAt, '2026-11-24T17:00:00+03:00');
      else {
        assert.deepEqual(after[index], before[index]);
        assert.equal(answer.error.details.reason, rest.force || team ? 'BUSY' : 'SLOT_UNAVAILABLE');
      }
    }
    assert.equal(await overlaps(service), 0);
  }
});

test('moves against bookings and against each other: never an overlap', alsoOnServer, async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 2, team: { shifts: everyDay('18:00', '06:00') } });
  const bookings: Booked[] = [];
  for (const date of ['2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27']) {
    bookings.push((await world.book({ date, timeslot: slot('19:00', '21:00') })).body.data);
  }
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all([
      ...bookings.map((booking, index) =>
        patch(service, booking, {
          date: index % 2 === 0 ? '2026-12-01' : '2026-12-02',
          timeslot: index % 2 === 0 ? slot('23:00', '01:00') : slot('00:00', '02:00'),
          force: index === 3,
        }),
      ),
      world.book({ date: '2026-12-01', timeslot: slot('23:30', '01:30') }),
    ]);
    for (const { status, text } of answers) assert.ok(status === 200 || status === 422, text);
    assert.equal(await overlaps(service), 0);
    await service.deps.db.rows({
      text: `update appointments set status = 'Cancelled' where booking_id <> all ($1::uuid[])`,
      values: [bookings.map(({ bookingId }) => bookingId)],
    });
    for (const [index, booking] of bookings.entries())
      await patched(service, booking, {
        date: `2026-11-2${index + 4}`,
        timeslot: slot('19:00', '21:00'),
        force: true,
      });
  }
});

test('a change of the catalogue meanwhile: the move decides again', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const booking = await booked(world);
  const team = (await service.operator('GET', `/teams/${world.teamIds[0]}`)).body.data;
  // The cached plan has the earlier catalogue: the version that the move reads reveals it.
  await service.deps.db.rows({
    text: 'update team_shifts set end_minute = 900 where team_id = $1',
    values: [team.id],
  });
  assert.equal(await reasonOf(service, booking, { timeslot: slot('14:00', '16:00') }), 'SLOT_NOT_OFFERED');
  assert.equal(
    (await patched(service, booking, { timeslot: slot('13:00', '15:00') })).timeslot.startAt,
    '13:00',
  );
  service.clock.advance(HOUR);
  assert.equal(
    (await patched(service, booking, { timeslot: slot('12:00', '14:00') })).timeslot.startAt,
    '12:00',
  );
});

const WAITING = `
  select 1 from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;

test(
  'a change of the catalogue while the move waits for it: the move starts again',
  onServer('needs two connections'),
  async (t) => {
    const service = await startTestService(t);
    const world = await createWorld(service);
    const booking = await booked(world);
    const { db } = service.deps;
    /** Returns the result of a move that read the catalogue before the change and wrote after it. */
    const during = async (
      text: string,
      body: Record<string, unknown>,
      andThen = 'select 1',
    ): Promise<Answer> => {
      let answer: Promise<Answer> | undefined;
      await db.transaction(async (tx) => {
        // The move must be the victim of the deadlock, also on a slow machine.
        await tx.rows({ text: `set local deadlock_timeout = '10min'` });
        await tx.rows({ text });
        answer = patch(service, booking, body);
        await until(async () => (await db.first({ text: WAITING })) !== null);
        await tx.rows({ text: andThen });
      });
      return answer!;
    };
    const renamed = await during(`update teams set name = name || '!'`, { timeslot: slot('14:00', '16:00') });
    assert.equal(renamed.status, 200, renamed.text);
    assert.match(renamed.body.data.team.name, /!$/);
    // Each waits for the other; the move, which waits longer, is the victim.
    const deadlocked = await during(
      `update teams set name = name || '!'`,
      { timeslot: slot('12:00', '14:00') },
      'select 1 from bookings for update',
    );
    assert.equal(deadlocked.status, 200, deadlocked.text);
    const forced = await during(`update teams set travel_buffer_minutes = 90`, {
      date: '2026-11-24',
      force: true,
    });
    assert.equal(forced.status, 200, forced.text);
    const row = await db.first<{ ends_at: number; busy_until: number }>({
      text: 'select ends_at, busy_until from appointments',
    });
    assert.equal(row!.busy_until - row!.ends_at, 90 * MINUTE);
    const gone = await during('update team_shifts set end_minute = 840', {
      timeslot: slot('16:00', '18:00'),
    });
    assert.equal(gone.body.error.details.reason, 'SLOT_NOT_OFFERED');
  },
);

test('a team that runs late: a plan, then all of its day or nothing, undone as one', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 2 });
  const [team, other] = world.teamIds as [string, string];
  const visits: { id: string; bookingId: string }[] = [];
  for (const startAt of ['08:00', '10:30', '13:00', '17:30']) {
    const timeslot = {
      startAt,
      endAt: `${String(Number(startAt.slice(0, 2)) + 2)}:${startAt.slice(3)}`.padStart(5, '0'),
    };
    const { bookingId } = (await world.book({ timeslot })).body.data;
    const { data } = (await service.operator('GET', `/bookings/${bookingId}`)).body;
    visits.push({ id: data.appointmentId, bookingId });
    await service.operator('PATCH', `/appointments/${data.appointmentId}`, { teamId: team });
  }
  const [underWay, second, third, last] = visits.map(({ id }) => id) as [string, string, string, string];
  await service.operator('PATCH', `/appointments/${underWay}`, { status: 'In The Way' });
  await service.operator('PATCH', `/appointments/${second}`, { status: 'Confirmed' });
  const path = `/teams/${team}/delays`;
  const delay = async (body: Record<string, unknown>): Promise<Answer> =>
    service.operator('POST', path, { date: WORLD_DATE, ...body });
  const timesNow = async () => {
    const { data } = (await service.operator('GET', `/appointments?date=${WORLD_DATE}`)).body;
    return data.map((one: { timeslot: { startAt: string }; status: string }) => [
      one.timeslot.startAt,
      one.status,
    ]);
  };
  const before = await timesNow();

  // Planned: the last one would end after the shift.
  const { plan } = (await delay({ minutes: 45 })).body.data;
  assert.deepEqual(
    plan.map((row: { appointment: { id: string }; startsAt: string; problem: string | null }) => [
      row.appointment.id,
      row.startsAt.slice(11, 16),
      row.problem,
    ]),
    [
      [underWay, '08:45', 'UNDER_WAY'],
      [second, '11:15', null],
      [third, '13:45', null],
      [last, '18:15', 'OFF_SHIFT'],
    ],
  );
  assert.deepEqual(await timesNow(), before);

  // Each moves into the time of the next one, in one step.
  const versions: Map<string, number> = new Map(
    plan.map(({ appointment }: { appointment: { id: string; version: number } }) => [
      appointment.id,
      appointment.version,
    ]),
  );
  const apply = [second, third, last].map((id) => ({ appointmentId: id, version: versions.get(id) }));
  const moved = await delay({ minutes: 45, apply });
  assert.equal(moved.status, 200, moved.text);
  assert.deepEqual(await timesNow(), [
    ['08:00', 'In The Way'],
    ['11:15', 'Scheduled'],
    ['13:45', 'Scheduled'],
    ['18:15', 'Scheduled'],
  ]);
  const { data: entries } = (await service.operator('GET', `/audit?target=appointment:${third}`)).body;
  assert.deepEqual([entries[0].groupId, entries[0].after.forced], [moved.body.data.groupId, true]);

  // One is stale: none moves.
  const stale = await delay({ minutes: 15, apply });
  assert.deepEqual([stale.status, stale.body.error.code], [409, 'CONFLICT']);
  const rows = moved.body.data.appointments as { id: string; version: number }[];
  const again = rows.map(({ id, version }) => ({ appointmentId: id, version }));
  // One overlaps what is not moved: none moves.
  const refused = await delay({ minutes: -200, apply: again });
  assert.deepEqual([refused.status, refused.body.error.details.reason], [422, 'BUSY'], refused.text);
  assert.match(refused.body.error.message, /^SA-\d+ cannot be moved there$/);
  const { appointmentId: inTheWay } = refused.body.error.details;
  const named = again.find(({ appointmentId }) => appointmentId === inTheWay)!;
  const { name } = (await service.operator('GET', `/appointments/${named.appointmentId}`)).body.data;
  assert.ok(refused.body.error.message.startsWith(`${name} `), refused.text);
  assert.equal((await timesNow())[1][0], '11:15');

  // Undone, with the status that the new time had taken away.
  const undone = await delay({
    minutes: -45,
    apply: again.map((row) => ({ ...row, ...(row.appointmentId === second && { status: 'Confirmed' }) })),
  });
  assert.equal(undone.status, 200, undone.text);
  assert.deepEqual(await timesNow(), before);

  // It belongs to another team by now.
  await service.operator('PATCH', `/appointments/${third}`, { teamId: other });
  const { data: third2 } = (await service.operator('GET', `/appointments/${third}`)).body;
  const foreign = await delay({ minutes: 15, apply: [{ appointmentId: third, version: third2.version }] });
  assert.deepEqual([foreign.status, foreign.body.error.details.reason], [409, 'NOT_AFFECTED']);
});
