import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../src/base/clock.ts';
import {
  APPOINTMENT_MOVES,
  APPOINTMENT_STATUSES,
  type AppointmentStatus,
  correctionsOf,
} from '../src/bookings/rules.ts';
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
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { call, documented, OPERATOR_TOKEN, startTestService } from './harness.ts';
import { until } from './until.ts';

/** Lists and statuses of appointments; test/operator-moves.test.ts has their moves. */

const MISSING = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';

test('appointments are listed by start, and filtered', async (t) => {
  const service = await startTestService(t);
  const one = await createWorld(service, { teams: 2 });
  const other = await createWorld(service);
  const made: Record<string, Booked> = {
    a: await booked(one, '14:00', { date: '2026-11-24' }),
    b: await booked(one, '10:00'),
    c: await booked(other, '08:00'),
    d: await booked(other, '08:00', { date: '2026-11-25' }),
  };
  await patched(service, made.d!, { status: 'Confirmed' });
  const names = new Map(Object.entries(made).map(([name, { appointmentId }]) => [appointmentId, name]));
  const found = async (query: Record<string, string>): Promise<string> => {
    const answer = await service.operator('GET', `/appointments?${new URLSearchParams(query)}`);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.meta.total, answer.body.data.length);
    return answer.body.data.map(({ id }: { id: string }) => names.get(id)).join('');
  };
  assert.equal(await found({}), 'cbad');
  assert.equal(await found({ date: WORLD_DATE }), 'cb');
  assert.equal(await found({ fromDate: '2026-11-24' }), 'ad');
  assert.equal(await found({ toDate: '2026-11-24' }), 'cba');
  assert.equal(await found({ fromDate: '2026-11-24', toDate: '2026-11-24' }), 'a');
  assert.equal(await found({ zoneId: other.zoneId }), 'cd');
  assert.equal(await found({ zoneId: other.zoneId, date: WORLD_DATE }), 'c');
  assert.equal(await found({ teamId: other.teamIds[0]! }), 'cd');
  assert.equal(await found({ status: 'Confirmed' }), 'd');
  assert.equal(await found({ teamId: MISSING }), '');
  const page = await service.operator('GET', '/appointments?limit=3&page=2');
  assert.deepEqual(page.body.meta, { page: 2, limit: 3, total: 4, totalPages: 2 });
  assert.equal(page.body.data[0].id, made.d!.appointmentId);

  const item = await shown(service, made.b!);
  const row = await service.deps.db.first<Record<string, string>>({
    text: `
      select t.id as team_id, t.name as team, c.name, c.phone from appointments a join teams t on t.id = a.team_id
        join bookings b on b.id = a.booking_id join contacts c on c.id = b.contact_id where a.id = $1`,
    values: [made.b!.appointmentId],
  });
  assert.deepEqual(item, {
    id: made.b!.appointmentId,
    name: made.b!.trackingReference,
    status: 'Scheduled',
    bookingId: made.b!.bookingId,
    partnerId: one.partnerId,
    team: { id: row!.team_id, name: row!.team, nameAr: null, phone: null },
    zoneId: one.zoneId,
    serviceId: one.serviceId,
    startsAt: '2026-11-23T10:00:00+03:00',
    endsAt: '2026-11-23T12:00:00+03:00',
    date: WORLD_DATE,
    timeslot: slot('10:00', '12:00'),
    lateMinutes: null,
    lastCall: null,
    contact: { name: row!.name, phone: row!.phone },
    address: {
      id: one.addressId,
      latitude: String(one.latitude),
      longitude: String(one.longitude),
      cityName: null,
      districtName: null,
      streetName: null,
      shortAddress: null,
      buildingNumber: null,
      unit: null,
      floor: null,
      postalCode: null,
      directions: null,
    },
    version: 1,
  });
  assert.equal((await service.operator('GET', `/appointments/${MISSING}`)).status, 404);
  assert.equal((await service.operator('GET', '/appointments/x')).status, 400);
  assert.equal((await service.operator('GET', '/appointments?status=Done')).status, 400);
  assert.equal((await service.operator('GET', '/appointments?date=tomorrow')).status, 400);
});

test('every pair of statuses: moved or refused by the table', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const booking = await booked(world);
  for (const from of APPOINTMENT_STATUSES) {
    for (const to of APPOINTMENT_STATUSES) {
      await setState(service, booking, { appointment: from, booking: 'in progress' });
      const before = await traces(service, booking);
      // Before the start nothing is completed unless forced.
      const answer = await patch(service, booking, { status: to, force: true });
      const pair = `${from} -> ${to}`;
      if (from === to) {
        assert.equal(answer.status, 200, pair);
        assert.deepEqual(await traces(service, booking), before, pair);
      } else if ((APPOINTMENT_MOVES[from] as readonly string[]).includes(to)) {
        assert.equal(answer.status, 200, `${pair} ${answer.text}`);
        assert.equal(answer.body.data.status, to, pair);
        const after = await traces(service, booking);
        assert.equal(after.events.length, before.events.length + 1, pair);
        assert.equal(after.audit.length, before.audit.length + 1, pair);
        const status = to === 'Completed' ? 'success' : 'in progress';
        assert.equal((await asPartner(service, world, booking)).status, status, pair);
      } else {
        assert.deepEqual([answer.status, answer.body.error.code], [422, 'INVALID_TRANSITION'], pair);
        const details = { from, to, allowed: APPOINTMENT_MOVES[from] };
        assert.deepEqual(answer.body.error.details, documented('INVALID_TRANSITION', details), pair);
        assert.deepEqual(await traces(service, booking), before, pair);
      }
    }
  }
});

test('an administrator corrects a status: every pair, with its event, reason and history', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const booking = await booked(world);
  const correct = (body: Record<string, unknown>) =>
    service.operator('POST', `/appointments/${booking.appointmentId}/correct`, body);
  const reason = 'The wrong visit was closed';
  service.clock.set(Date.parse('2026-11-23T10:00:00+03:00'));
  for (const from of APPOINTMENT_STATUSES) {
    for (const to of APPOINTMENT_STATUSES.filter((one) => one !== from)) {
      await setState(service, booking, { appointment: from, booking: 'in progress' });
      const before = await traces(service, booking);
      const answer = await correct({ status: to, reason });
      const pair = `${from} -> ${to}`;
      const after = await traces(service, booking);
      if (!correctionsOf(from).includes(to)) {
        assert.deepEqual([answer.status, answer.body.error.code], [422, 'INVALID_TRANSITION'], pair);
        const details = { from, to, allowed: correctionsOf(from) };
        assert.deepEqual(answer.body.error.details, documented('INVALID_TRANSITION', details), pair);
        assert.deepEqual(after, before, pair);
        continue;
      }
      assert.equal(answer.body.data?.status, to, `${pair} ${answer.text}`);
      assert.deepEqual(
        [after.events.at(-1)!.event, after.events.length],
        ['booking.appointment_status_changed', before.events.length + 1],
        pair,
      );
      const entry = after.audit.at(-1) as { action: string; after: { correctedBecause: string } };
      assert.deepEqual([entry.action, entry.after.correctedBecause], ['appointment.correct', reason], pair);
      const status = to === 'Completed' ? 'success' : 'in progress';
      assert.equal((await asPartner(service, world, booking)).status, status, pair);
    }
  }
  const { history } = (await service.operator('GET', `/bookings/${booking.bookingId}`)).body.data;
  assert.deepEqual([history.at(-1).reason, history.at(-1).notes], ['CORRECTED', reason]);

  await setState(service, booking, { appointment: 'Cannot Complete', booking: 'in progress' });
  assert.equal((await correct({ status: 'In Progress' })).status, 400, 'without a reason');
  const stale = await call(
    `${service.operatorUrl}/operator`,
    'POST',
    `/appointments/${booking.appointmentId}/correct`,
    { status: 'In Progress', reason },
    { authorization: `Bearer ${OPERATOR_TOKEN}`, 'if-match': '"1"' },
  );
  assert.equal(stale.status, 409);
  await setState(service, booking, { booking: 'failed' });
  assert.equal((await correct({ status: 'In Progress', reason })).status, 422, 'of a closed booking');
});

test('a correction obeys payment and the start', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const booking = await booked(world);
  const correct = (status: AppointmentStatus) =>
    service.operator('POST', `/appointments/${booking.appointmentId}/correct`, { status, reason: 'A slip' });
  await setState(service, booking, { appointment: 'In Progress' });
  const early = await correct('Completed');
  assert.deepEqual([early.status, early.body.error.details.hints ?? []], [422, []]);
  await setState(service, booking, { appointment: 'Confirmed', booking: 'waiting payment' });
  assert.equal((await correct('In Progress')).status, 422);
  assert.equal((await correct('Scheduled')).status, 200);
});

test('why a visit could not be done is in its history, and not told to the partner', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const booking = await booked(world);
  const why = { statusReason: 'WRONG_ADDRESS', statusNotes: 'Rang three times' };
  for (const body of [
    { teamId: world.teamIds[0], ...why },
    { status: 'In The Way', statusReason: 'RAIN' },
  ])
    assert.equal((await patch(service, booking, body)).status, 400);
  await patched(service, booking, { status: 'In The Way' });
  await patched(service, booking, { status: 'Cannot Complete', ...why });
  const { history } = (await service.operator('GET', `/bookings/${booking.bookingId}`)).body.data;
  assert.deepEqual(
    history.map((entry: { reason: string | null; notes: string | null }) => [entry.reason, entry.notes]),
    [
      [null, null],
      [null, null],
      ['WRONG_ADDRESS', 'Rang three times'],
    ],
  );
  const { audit, events } = await traces(service, booking);
  const { after } = audit.at(-1) as { after: Record<string, unknown> };
  assert.deepEqual([after.statusReason, after.statusNotes], Object.values(why));
  assert.doesNotMatch(JSON.stringify(events), /WRONG_ADDRESS|Rang/);
});

test('from New to Completed: events with the new state, the audit log, the booking succeeds', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { service: { assignment: 'deferred' } });
  const { bookingId } = (await world.book()).body.data;
  const { appointmentId, trackingReference } = (await service.operator('GET', `/bookings/${bookingId}`)).body
    .data;
  const booking: Booked = { bookingId, appointmentId, trackingReference };
  assert.equal((await asPartner(service, world, booking)).appointment, null);

  const path: AppointmentStatus[] = [
    'New',
    'Scheduled',
    'Confirmed',
    'In The Way',
    'In The location',
    'In Progress',
    'Finished',
    'Completed',
  ];
  for (const [index, to] of path.slice(1).entries()) {
    service.clock.advance(MINUTE);
    const before = await shown(service, booking);
    if (to === 'Completed') {
      const early = await patch(service, booking, { status: to });
      assert.deepEqual(
        [early.status, early.body.error.code],
        [422, 'INVALID_TRANSITION'],
        'not before the start',
      );
      assert.match(early.body.error.details.hints[0], /force/);
    }
    const force = to === 'Completed';
    const after = await patched(service, booking, { status: to, ...(force && { force }) });
    assert.deepEqual(after, { ...before, status: to, version: index + 2 });
    const view = await asPartner(service, world, booking);
    assert.equal(view.appointment.status, to);
    assert.equal(view.status, to === 'Completed' ? 'success' : 'in progress');
    const { events, audit } = await traces(service, booking);
    assert.deepEqual(events.at(-1), {
      event: 'booking.appointment_status_changed',
      actor: ACTOR,
      payload: {
        ...view,
        appointmentStatusChange: { from: path[index], to, changedAt: `2026-11-22T08:0${index + 1}:00+03:00` },
      },
    });
    const noted = { ...audited(after), ...(force && { forced: true }) };
    assert.deepEqual(audit.at(-1), {
      actor: ACTOR,
      action: 'appointment.update',
      before: audited(before),
      after: noted,
    });
    assert.equal(audit.length, index + 1);
  }
  const { history } = (await service.operator('GET', `/bookings/${bookingId}`)).body.data;
  assert.deepEqual(
    history.map(({ what, sequence }: { what: string; sequence: number }) => [what, sequence]),
    [
      ['booking.created', 1],
      ...path.slice(1).map((_to, index) => ['booking.appointment_status_changed', index + 2]),
    ],
  );
});

test('Completed needs no force from the start on, and moves only a booking that is in progress', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const booking = await booked(world);
  await setState(service, booking, { appointment: 'Finished', booking: 'success' });
  service.clock.set(Date.parse('2026-11-23T10:00:00+03:00'));
  await patched(service, booking, { status: 'Completed' });
  assert.equal((await asPartner(service, world, booking)).status, 'success');
});

test('the appointment of an unpaid booking goes no further than Confirmed, and is not cancelled alone', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { partner: { paymentResponsibility: 'PLATFORM' } });
  const booking = await booked(world);
  // Its payment link changes the booking, once.
  await until(async () => (await asPartner(service, world, booking)).paymentLink !== null);
  // Without triggers: an appointment that is over ends the payment too, and the worker would fail the booking meanwhile.
  const pretend = (status: AppointmentStatus): Promise<void> =>
    service.deps.db.transaction(async (tx) => {
      await tx.rows({ text: 'set local session_replication_role = replica' });
      await tx.rows({
        text: 'update appointments set status = $2 where id = $1',
        values: [booking.appointmentId, status],
      });
    });
  for (const from of APPOINTMENT_STATUSES) {
    await pretend(from);
    for (const to of APPOINTMENT_MOVES[from]) {
      if (['Scheduled', 'Confirmed'].includes(to)) continue;
      const before = await traces(service, booking);
      const { status, body } = await patch(service, booking, { status: to, force: true });
      assert.deepEqual([status, body.error?.code], [422, 'INVALID_TRANSITION'], `${from} -> ${to}`);
      assert.equal(body.error.details.bookingStatus, 'waiting payment');
      const hint = to === 'Cancelled' ? /bookings\/.*\/cancel/ : /paid/;
      assert.match(body.error.details.hints[0], hint);
      assert.deepEqual(await traces(service, booking), before);
    }
  }
  await pretend('Scheduled');
  await patched(service, booking, { status: 'Confirmed' });
  assert.equal((await asPartner(service, world, booking)).status, 'waiting payment');
});

test('the appointment of a canceled or failed booking cannot change', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const booking = await booked(world);
  const { db } = service.deps;
  const refuses = async (status: string) => {
    const before = await traces(service, booking);
    for (const body of [
      { status: 'Confirmed' },
      { date: '2026-11-24' },
      { date: '2026-11-24', force: true },
    ]) {
      const answer = await patch(service, booking, body);
      assert.deepEqual([answer.status, answer.body.error.code], [422, 'INVALID_TRANSITION'], answer.text);
      assert.equal(answer.body.error.details.bookingStatus, status);
    }
    assert.equal((await patch(service, booking, {})).status, 200);
    assert.deepEqual(await traces(service, booking), before);
  };
  await db.rows({
    text: `update bookings set status = 'failed', payment_status = 'FAILED' where id = $1`,
    values: [booking.bookingId],
  });
  await refuses('failed');
  await db.rows({
    text: `
      update bookings set status = 'canceled', payment_status = 'CANCELLED', cancelled_at = created_at,
        cancelled_by = 'partner', cancellation_action = 'CANCEL_ONLY' where id = $1`,
    values: [booking.bookingId],
  });
  await refuses('canceled');
});

test('the audit log has the reason of a forced move, and none of others', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 2 });
  const booking = await booked(world);
  const reason = 'The team comes later for her';
  await patched(service, booking, { timeslot: slot('12:00', '14:00'), reason });
  await patched(service, booking, { timeslot: slot('21:00', '23:00'), force: true, reason });
  await patched(service, booking, { timeslot: slot('21:11', '23:11'), force: true });
  const { body } = await service.operator('GET', `/audit?target=appointment:${booking.appointmentId}`);
  const told = body.data.map(({ after }: { after: { forced?: boolean; forcedBecause?: string } }) => [
    after.forced,
    after.forcedBecause,
  ]);
  assert.deepEqual(told, [
    [true, undefined],
    [true, reason],
    [undefined, undefined],
  ]);
});

test('an empty or equal change writes nothing', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const booking = await booked(world);
  const before = await traces(service, booking);
  const view = await shown(service, booking);
  for (const body of [
    {},
    { force: true },
    { status: 'Scheduled' },
    { date: WORLD_DATE, timeslot: slot('10:00:00', '12:00') },
    { teamId: world.teamIds[0]!.toUpperCase(), force: true },
  ]) {
    assert.deepEqual(await patched(service, booking, body), view);
  }
  assert.deepEqual(await traces(service, booking), before);
});

test('validation errors', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const booking = await booked(world);
  const faults = async (body: unknown) => {
    const answer = await patch(service, booking, body);
    assert.deepEqual([answer.status, answer.body.error.code], [400, 'VALIDATION_ERROR'], answer.text);
    return answer.body.error.details.message;
  };
  assert.deepEqual(await faults({ teamId: MISSING }), ['teamId must be the id of a team']);
  assert.deepEqual(await faults({ teamId: MISSING, force: true, date: '2026-11-24' }), [
    'teamId must be the id of a team',
  ]);
  assert.deepEqual(await faults({ force: 'yes' }), ['force must be a boolean value']);
  assert.deepEqual(await faults({ timeslot: { startAt: '10:00' } }), ['timeslot.endAt must be a string']);
  assert.deepEqual(await faults({ zoneId: world.zoneId }), ['property zoneId should not exist']);
  assert.equal((await faults({ status: 'Done' })).length, 1);
  const nowhere = await service.operator('PATCH', `/appointments/${MISSING}`, {});
  assert.deepEqual([nowhere.status, nowhere.body.error.message], [404, 'Appointment not found']);
});

test('when the audit row cannot be written, the change is rolled back', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const booking = await booked(world);
  const { db } = service.deps;
  await db.rows({
    text: `alter table audit_log add constraint refuse_all check (action <> 'appointment.update')`,
  });
  const before = await traces(service, booking);
  assert.equal((await patch(service, booking, { status: 'Confirmed', date: '2026-11-24' })).status, 500);
  assert.deepEqual(await traces(service, booking), before);
});

test('two status changes at once: the second starts from what the first left', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const booking = await booked(world);
  const answers = await Promise.all([
    patch(service, booking, { status: 'In The Way' }),
    patch(service, booking, { status: 'Confirmed' }),
    patch(service, booking, { status: 'Cancelled' }),
  ]);
  const { events } = await traces(service, booking);
  const won = answers.filter(({ status }) => status === 200).length;
  assert.equal(events.length, won + 1);
  const chain = events.slice(1).map(({ payload }) => payload.appointmentStatusChange);
  for (const [index, { from }] of chain.entries())
    assert.equal(from, index === 0 ? 'Scheduled' : chain[index - 1].to);
});
