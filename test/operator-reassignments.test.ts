import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyAudit } from '../src/db/audit.ts';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { call, OPERATOR_TOKEN, startTestService } from './harness.ts';
import { openSeries } from './series-fixtures.ts';

const MISSING = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';
const AWAY = { from: '2026-11-23T00:00:00+03:00', to: '2026-11-24T00:00:00+03:00' };

type Row = {
  appointment: { id: string; version: number; team: { id: string } };
  problem: string | null;
  proposal: Record<string, unknown> | null;
  alternatives: Record<string, unknown>[];
};
type Result = {
  appointmentId: string;
  outcome: string;
  refusal: { code: string; reason: string | null } | null;
  appointment: { team: { id: string }; version: number } | null;
};

test('a team is away: a plan, then the chosen moves', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 3 });
  const [away, second, third] = world.teamIds as [string, string, string];
  const path = `/teams/${away}/reassignments`;
  const post = async (body: Record<string, unknown>) => {
    const answer = await service.operator('POST', path, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  const plan = async (body = AWAY): Promise<Row[]> => (await post(body)).plan;
  assert.deepEqual(await post(AWAY), { plan: [], results: null, groupId: null });

  const change = (id: string, body: Record<string, unknown>) =>
    service.operator('PATCH', `/appointments/${id}`, body);
  const book = async (startAt: string, teamId = away, date = WORLD_DATE): Promise<string> => {
    const endAt = `${String(Number(startAt.slice(0, 2)) + 2).padStart(2, '0')}${startAt.slice(2)}`;
    const answer = await world.book({ date, timeslot: { startAt, endAt } });
    assert.equal(answer.status, 200, answer.text);
    const id = answer.body.data.appointmentId;
    assert.equal((await change(id, { teamId })).status, 200);
    return id;
  };
  const early = await book('08:00');
  const noon = await book('11:00');
  await book('10:30', second); // second cannot take noon
  const begun = await book('14:00');
  const outside = await book('10:00', away, '2026-11-24');
  for (const status of ['Confirmed', 'In The Way']) await change(begun, { status });
  const late = await book('17:00');
  for (const team of [second, third]) await book('17:00', team);

  const rows = await plan();
  assert.deepEqual(
    rows.map(({ appointment, problem, proposal }) => [appointment.id, problem, proposal?.teamId ?? null]),
    [
      // Both are free: third has less to do.
      [early, null, third],
      [noon, null, third],
      [begun, 'NOT_MOVABLE', null],
      // No other team is free at 17:00: others at another time of the day come before the team itself on the next one.
      [late, null, second],
    ],
  );
  const [first, , , last] = rows as [Row, Row, Row, Row];
  const { teamName, usedMinutes, ...place } = first.proposal!;
  assert.deepEqual(place, {
    teamId: third,
    teamNameAr: null,
    date: WORLD_DATE,
    timeslot: { startAt: '08:00', endAt: '10:00' },
    keepsDate: true,
    keepsTime: true,
    keepsLength: true,
    detourKm: 0,
    holds: [],
  });
  assert.equal(usedMinutes, 150);
  assert.match(String(teamName), / 3$/);
  assert.deepEqual(
    first.alternatives.map(({ teamId, keepsTime }) => [teamId, keepsTime]),
    [[second, true]],
  );
  assert.deepEqual(
    [last.proposal!, ...last.alternatives].map(({ teamId, date, keepsTime }) => [teamId, date, keepsTime]),
    [
      [second, WORLD_DATE, false],
      [third, WORLD_DATE, false],
      [away, '2026-11-24', true],
    ],
  );
  assert.deepEqual(
    (await plan()).map(({ proposal }) => proposal),
    rows.map(({ proposal }) => proposal),
    'nothing changed',
  );
  assert.deepEqual(
    await plan({ from: AWAY.from, to: '2026-11-23T08:00:00+03:00' }),
    [],
    'it ends before the first',
  );

  // One row is stale, one is not of the team, one would overlap; the others succeed.
  const moveOf = ({ appointment, proposal }: Row) => {
    const { teamId, date, timeslot } = proposal!;
    return { appointmentId: appointment.id, version: appointment.version, teamId, date, timeslot };
  };
  assert.equal((await change(late, { status: 'Confirmed' })).status, 200);
  const foreign = await book('08:00', second, '2026-11-24');
  const apply = [
    moveOf(first),
    moveOf(rows[1]!),
    moveOf(last),
    { ...moveOf(first), appointmentId: foreign },
    { ...moveOf(first), appointmentId: MISSING },
    { ...moveOf(rows[1]!), appointmentId: begun, version: rows[2]!.appointment.version },
  ];
  const done = await post({ ...AWAY, apply });
  const told = (results: Result[]) =>
    results.map(({ outcome, refusal }) => [outcome, refusal?.code, refusal?.reason].join(' ').trim());
  assert.deepEqual(told(done.results), [
    'MOVED',
    'MOVED',
    'REFUSED CONFLICT STALE',
    'REFUSED CONFLICT NOT_AFFECTED',
    'REFUSED RESOURCE_NOT_FOUND',
    'REFUSED BOOKING_CREATION_FAILED BUSY',
  ]);
  assert.equal(done.plan, null);
  assert.deepEqual(
    done.results.map(({ appointment }: Result) => appointment?.team.id ?? null),
    [third, third, away, second, null, away],
  );
  const grouped = (await service.operator('GET', `/audit?groupId=${done.groupId}`)).body.data;
  assert.deepEqual(
    grouped.map(({ action, target }: { action: string; target: string }) => [action, target]),
    [noon, early].map((id) => ['appointment.update', `appointment:${id}`]),
  );
  assert.equal((await verifyAudit(service.deps.db)).brokenAt, null);

  // It starts when the period ends.
  const { version } = (await service.operator('GET', `/appointments/${outside}`)).body.data;
  const untouched = await post({
    from: AWAY.from,
    to: '2026-11-24T10:00:00+03:00',
    apply: [{ ...moveOf(first), appointmentId: outside, version }],
  });
  assert.deepEqual(told(untouched.results), ['REFUSED CONFLICT NOT_AFFECTED']);

  // Sent twice, nothing moves twice.
  const shouted = { ...moveOf(first), teamId: third.toUpperCase() };
  const again = await post({ ...AWAY, apply: [shouted, ...apply.slice(1, 3)] });
  assert.deepEqual(told(again.results), ['ALREADY_THERE', 'ALREADY_THERE', 'REFUSED CONFLICT STALE']);
  assert.equal((await service.operator('GET', `/audit?groupId=${again.groupId}`)).body.meta.total, 0);
  assert.deepEqual(
    (await plan()).map(({ appointment }) => appointment.id),
    [begun, late],
  );

  // A move to another time has its event, as any other.
  const [, free] = await plan();
  const [moved] = (await post({ ...AWAY, apply: [moveOf(free!)] })).results;
  assert.equal(moved.outcome, 'MOVED');
  const { history } = (await service.operator('GET', `/bookings/${moved.appointment.bookingId}`)).body.data;
  assert.equal(history.filter(({ what }: { what: string }) => what === 'booking.updated').length, 1);

  // No other team works on its date: on the next one that which is free at its time, then the team itself, which has a visit from 10:00 on.
  for (const team of [second, third])
    await service.operator('POST', `/teams/${team}/time-off`, { startsAt: AWAY.from, endsAt: AWAY.to });
  const another = await book('08:00');
  const [row] = (await plan()).filter(({ appointment }) => appointment.id === another);
  assert.deepEqual(
    [row!.proposal!, row!.alternatives[0]!].map(({ teamId, date, keepsTime }) => [teamId, date, keepsTime]),
    [
      [third, '2026-11-24', true],
      [away, '2026-11-24', false],
    ],
  );
  for (const team of [second, third]) await service.operator('PATCH', `/teams/${team}`, { isActive: false });
  const later = { from: AWAY.from, to: '2026-11-30T00:00:00+03:00' };
  const [nobody] = (await plan(later)).filter(({ appointment }) => appointment.id === another);
  assert.deepEqual([nobody!.problem, nobody!.proposal, nobody!.alternatives], ['NO_PLACE', null, []]);

  assert.equal((await service.operator('POST', `/teams/${MISSING}/reassignments`, AWAY)).status, 404);
  const long = await service.operator('POST', path, {
    from: AWAY.from,
    to: '2027-01-01T00:00:00+03:00',
    by: 1,
  });
  assert.deepEqual(long.body.error.details.message, [
    'property by should not exist',
    'to must be at most 31 days after from',
  ]);
});

test('no two appointments are proposed the same place, and none beyond the seventh day', async (t) => {
  // The team itself is not back before that.
  const longer = { from: AWAY.from, to: '2026-11-30T00:00:00+03:00' };
  const service = await startTestService(t);
  const world = await createWorld(service);
  const [away] = world.teamIds;
  for (const startAt of ['08:00', '11:00']) {
    const timeslot = { startAt, endAt: `${Number(startAt.slice(0, 2)) + 2}:00`.padStart(5, '0') };
    assert.equal((await world.book({ timeslot })).status, 200);
  }
  const helper = await service.operator('POST', '/teams', {
    name: 'Helper',
    zoneIds: [world.zoneId],
    serviceIds: [world.serviceId],
    shifts: [],
  });
  const plan = async (weekday: number) => {
    const shifts = [{ weekday, startAt: '08:00', endAt: '10:00' }];
    await service.operator('PATCH', `/teams/${helper.body.data.id}`, { shifts });
    const answer = await service.operator('POST', `/teams/${away}/reassignments`, longer);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.plan.map(({ problem, proposal }: Row) => problem ?? proposal!.date);
  };
  // A Monday; the week after is not searched.
  assert.deepEqual(await plan(1), [WORLD_DATE, 'NO_PLACE']);
  assert.deepEqual(await plan(7), ['2026-11-29', 'NO_PLACE'], 'the last day');
});

test('chosen appointments: those that a closed day left, with their own teams on other days', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 2 });
  const post = async (body: Record<string, unknown>) => {
    const answer = await service.operator('POST', '/appointments/reassignments', body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  const book = async (startAt: string) => {
    const endAt = `${Number(startAt.slice(0, 2)) + 2}:00`;
    const answer = await world.book({ timeslot: { startAt, endAt } });
    assert.equal(answer.status, 200, answer.text);
    const id: string = answer.body.data.appointmentId;
    return { id, team: (await service.operator('GET', `/appointments/${id}`)).body.data.team.id as string };
  };
  const [late, early] = [await book('14:00'), await book('09:00')];
  const closed = await service.operator('POST', '/schedules', {
    nameEn: 'Closed',
    nameAr: 'مغلق',
    from: WORLD_DATE,
    to: WORLD_DATE,
    closed: true,
  });
  const fallen = closed.body.data.appointments.rows.map(
    (row: { appointmentId: string }) => row.appointmentId,
  );
  const appointmentIds = fallen.map((id: string) => id.toUpperCase());
  const { plan, results } = await post({ appointmentIds });
  assert.equal(results, null);
  assert.deepEqual(
    plan.map(({ appointment, proposal }: Row) => [
      appointment.id,
      proposal!.teamId,
      proposal!.date,
      (proposal!.timeslot as { startAt: string }).startAt,
    ]),
    [
      [early.id, early.team, '2026-11-24', '09:00'],
      [late.id, late.team, '2026-11-24', '14:00'],
    ],
  );
  const moves = plan.map(({ appointment: { id, version }, proposal }: Row) => {
    const { teamId, date, timeslot } = proposal!;
    return { appointmentId: id, version, teamId, date, timeslot };
  });
  // Only those that were named.
  const told = async (ids: string[]) =>
    (await post({ appointmentIds: ids, apply: moves })).results.map(
      ({ outcome, refusal }: Result) => refusal?.reason ?? outcome,
    );
  assert.deepEqual(await told([early.id]), ['MOVED', 'NOT_AFFECTED']);
  assert.deepEqual(await told(appointmentIds), ['ALREADY_THERE', 'MOVED']);
  const attention = await service.operator('GET', '/attention');
  assert.equal(attention.body.data.teamAway.count, 0);

  // Where nothing has changed, the present place is none of the proposals.
  const [row] = (await post({ appointmentIds: [early.id] })).plan;
  assert.notEqual(row.proposal.teamId, early.team);
  assert.deepEqual([row.proposal.keepsDate, row.proposal.keepsTime], [true, true]);
  await service.operator('PATCH', `/teams/${row.proposal.teamId}`, { isActive: false });
  const [own] = (await post({ appointmentIds: [early.id] })).plan;
  assert.deepEqual(
    [own.proposal.teamId, own.proposal.keepsDate, own.proposal.keepsTime],
    [early.team, true, false],
  );

  const unknown = await service.operator('POST', '/appointments/reassignments', {
    appointmentIds: [MISSING],
  });
  assert.equal(unknown.status, 404);
});

test('reassignments are undone together with the time off, or not at all', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 3 });
  const [away, second, third] = world.teamIds as [string, string, string];
  const book = async (startAt: string, status?: string) => {
    const endAt = `${Number(startAt.slice(0, 2)) + 2}:00`;
    const answer = await world.book({ timeslot: { startAt, endAt } });
    assert.equal(answer.status, 200, answer.text);
    const id: string = answer.body.data.appointmentId;
    const body = { teamId: away, ...(status && { status }) };
    assert.equal((await service.operator('PATCH', `/appointments/${id}`, body)).status, 200);
    return id;
  };
  const [early, noon] = [await book('09:00', 'Confirmed'), await book('12:00')];
  const stateOf = async (id: string) => {
    const { team, date, timeslot, status, version } = (await service.operator('GET', `/appointments/${id}`))
      .body.data;
    return { teamId: team.id, date, timeslot, status, version };
  };
  const placesNow = async () => {
    const all = [await stateOf(early), await stateOf(noon)];
    return all.map(({ version, ...place }) => place);
  };
  const before = await placesNow();
  const move = async (id: string, teamId: string, startAt: string, endAt: string) => {
    const answer = await service.operator('PATCH', `/appointments/${id}`, {
      teamId,
      timeslot: { startAt, endAt },
    });
    assert.equal(answer.status, 200, answer.text);
  };
  const timesOff = async () => (await service.operator('GET', `/teams/${away}/time-off`)).body.data;
  /** The team is away: one visit at its own time, one later. Returns the request that undoes it. */
  const reassign = async () => {
    const off = await service.operator('POST', `/teams/${away}/time-off`, {
      startsAt: AWAY.from,
      endsAt: AWAY.to,
    });
    await move(early, second, '10:00', '12:00');
    await move(noon, third, '12:00', '14:00');
    const apply = [];
    for (const [index, id] of [early, noon].entries()) {
      const { status, ...place } = before[index]!;
      const isConfirmed = status === 'Confirmed' && { status };
      apply.push({ appointmentId: id, ...place, version: (await stateOf(id)).version, ...isConfirmed });
    }
    return { apply, timeOff: { teamId: away, timeOffId: off.body.data.id } };
  };
  const undo = (body: object) => service.operator('POST', '/appointments/reassignments/undo', body);

  const undone = await undo(await reassign());
  assert.equal(undone.status, 200, undone.text);
  assert.deepEqual(await placesNow(), before);
  assert.deepEqual(await timesOff(), []);
  const { groupId } = undone.body.data;
  const entries = (await service.operator('GET', `/audit?groupId=${groupId}`)).body.data;
  assert.deepEqual(entries.map(({ action }: { action: string }) => action).toSorted(), [
    'appointment.update',
    'appointment.update',
    'time-off.delete',
  ]);

  // Somebody moves the last of them meanwhile: nothing is undone, and the present state is told.
  let request = await reassign();
  await move(noon, second, '15:00', '17:00');
  const moved = await placesNow();
  const stale = await undo(request);
  assert.deepEqual([stale.status, stale.body.error.details.reason], [409, 'STALE'], stale.text);
  assert.equal(stale.body.error.details.current.id, noon);
  assert.deepEqual(await placesNow(), moved);
  assert.equal((await timesOff()).length, 1);

  // Another visit has its old time: nothing is undone either.
  const taken = (await world.book({ date: '2026-11-24', timeslot: { startAt: '12:00', endAt: '14:00' } }))
    .body.data.appointmentId;
  const forced = { teamId: away, date: WORLD_DATE, force: true, reason: 'Nobody else' };
  assert.equal((await service.operator('PATCH', `/appointments/${taken}`, forced)).status, 200);
  request = { ...request, apply: request.apply.map((row) => ({ ...row })) };
  request.apply[1]!.version = (await stateOf(noon)).version;
  const busy = await undo(request);
  assert.deepEqual([busy.status, busy.body.error.details.reason], [422, 'BUSY'], busy.text);
  assert.match(busy.body.error.message, /^SA-\d+ cannot be moved there$/);
  assert.deepEqual(await placesNow(), moved);
  assert.equal((await timesOff()).length, 1);
  const aside = { teamId: away, date: '2026-11-24' };
  assert.equal((await service.operator('PATCH', `/appointments/${taken}`, aside)).status, 200);

  // Sent by several at once, in any order, it is undone once; time off that is removed already is no obstacle.
  await service.operator('DELETE', `/teams/${away}/time-off/${request.timeOff.timeOffId}`);
  const answers = await Promise.all(
    [0, 1, 2, 3].map((turn) =>
      undo(turn % 2 === 0 ? request : { ...request, apply: request.apply.toReversed() }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409]);
  assert.deepEqual(await placesNow(), before);
  assert.equal((await verifyAudit(service.deps.db)).brokenAt, null);

  // A move and the undo at the same time: whichever is second is refused.
  request = await reassign();
  const [racing, other] = await Promise.all([
    undo(request),
    call(
      `${service.operatorUrl}/operator`,
      'PATCH',
      `/appointments/${noon}`,
      { timeslot: { startAt: '16:00', endAt: '18:00' } },
      { authorization: `Bearer ${OPERATOR_TOKEN}`, 'if-match': `"${request.apply[1]!.version}"` },
    ),
  ]);
  assert.deepEqual([racing.status, other.status].toSorted(), [200, 409], `${racing.text} ${other.text}`);
  assert.equal((await timesOff()).length, racing.status === 200 ? 0 : 1);
  assert.equal((await placesNow())[0]!.teamId, racing.status === 200 ? away : second);
});

test('visits of series choose first among what is free', async (t) => {
  const { service, world, ok, create } = await openSeries(t, { teams: 2 });
  const [away, other] = world.teamIds as [string, string];
  const give = async (appointmentId: string) =>
    ok(await service.operator('PATCH', `/appointments/${appointmentId}`, { teamId: away }));
  const single = ok(await world.book({ timeslot: { startAt: '09:00', endAt: '11:00' } }));
  await give(single.appointmentId);
  const { dates } = ok(await create({ firstDate: WORLD_DATE, startAt: '11:30', visits: 1 }));
  const weekly = ok(await service.operator('GET', `/bookings/${dates[0].bookingId}`));
  await give(weekly.appointment.id);
  // Nobody else has a place on that day but one, from two o'clock on.
  for (const [startsAt, endsAt] of [
    [AWAY.from, '2026-11-23T14:00:00+03:00'],
    ['2026-11-23T16:30:00+03:00', AWAY.to],
  ])
    ok(await service.operator('POST', `/teams/${other}/time-off`, { startsAt, endsAt, reason: 'Training' }));
  const { plan } = ok(await service.operator('POST', `/teams/${away}/reassignments`, AWAY)) as {
    plan: Row[];
  };
  const places = plan.map(({ appointment, proposal }) => [appointment.id, proposal?.date, proposal?.teamId]);
  assert.deepEqual(places[1], [weekly.appointment.id, WORLD_DATE, other]);
  assert.deepEqual(places[0]?.[0], single.appointmentId);
  assert.notEqual(places[0]?.[1], WORLD_DATE);
});
