import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Booked,
  booked,
  patch,
  patched,
  setState,
  shown,
  traces as tracesOf,
} from './appointment-fixtures.ts';
import { dayOf, sendStep, step, stepBody, TODAY, telephoneOf } from './crew-fixtures.ts';
import { createWorld, type World } from './fixtures.ts';
import { alsoOnServer, call, startTestService, type TestService } from './harness.ts';

/** Visits that are done, as their crews told the office by telephone. */

const at = (time: string, date = TODAY): string => `${date}T${time}:00+03:00`;
const WAY = ['Confirmed', 'In The Way', 'In The location', 'In Progress', 'Finished', 'Completed'];

/** After the visits of the morning; they were booked at eight. */
async function start(t: Parameters<typeof startTestService>[0], teams = 1) {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams, service: { minimumNoticeMinutes: 60 } });
  const booking = await booked(world, '10:00', { date: TODAY });
  service.clock.set(Date.parse(at('13:00')));
  return { service, world, booking };
}

async function traces(service: TestService, booking: Booked) {
  const { booking: row, appointment, ...rest } = await tracesOf(service, booking);
  return {
    row: row as { status: string },
    appointment: appointment as { status: string; began_at: number },
    ...rest,
  };
}

const report = (service: TestService, visits: unknown[], more: object = {}) =>
  service.operator('POST', '/appointments/done', { visits, ...more });

const visitOf = ({ appointmentId }: Booked, begin = at('10:10'), end = at('11:50')) => ({
  appointmentId,
  begin,
  end,
});

async function resultsOf(service: TestService, visits: unknown[], more: object = {}) {
  const answer = await report(service, visits, more);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.results;
}

/** Outcome and reason of the only visit. */
async function resultOf(service: TestService, visit: unknown): Promise<string> {
  const [{ outcome, refusal }] = await resultsOf(service, [visit]);
  return [outcome, refusal?.code, refusal?.reason].filter(Boolean).join(' ');
}

test('one report passes every status at the times that were told, with an event each', async (t) => {
  const { service, world, booking } = await start(t);
  const [result] = await resultsOf(service, [visitOf(booking)]);
  assert.deepEqual([result.outcome, result.statuses, result.refusal], ['DONE', WAY, null]);
  assert.equal(result.appointment.status, 'Completed');

  const { row, appointment, events, audit } = await traces(service, booking);
  const changes = events
    .filter(({ event }) => event === 'booking.appointment_status_changed')
    .map(({ payload: { appointmentStatusChange: change } }) => [change.to, change.changedAt]);
  const done = WAY.map((status) => [
    status,
    at(status === 'Finished' || status === 'Completed' ? '11:50' : '10:10'),
  ]);
  assert.deepEqual(changes.slice(-WAY.length), done);
  assert.equal(row.status, 'success');
  assert.equal(appointment.began_at, Date.parse(at('10:10')));
  const groups = new Set(audit.slice(-WAY.length).map(({ group_id }: Record<string, unknown>) => group_id));
  assert.equal(groups.size, 1);
  const status = await service.v1(world.key, 'GET', `/partners/bookings/${booking.bookingId}/status`);
  assert.equal(status.body.data.status, 'success');

  assert.equal(await resultOf(service, visitOf(booking)), 'ALREADY_DONE');
  assert.deepEqual(await traces(service, booking), { row, appointment, events, audit });
});

test('what the crew sends later of the visit repeats the report; that it could not be done contradicts', async (t) => {
  const { service, world, booking } = await start(t);
  const phone = await telephoneOf(service, world.teamIds[0]!);
  const way = ['In The Way', 'In The location', 'In Progress', 'Finished'].map((to, index) =>
    stepBody(service, booking, { to, minutesAgo: 180 - index * 20 }),
  );
  const late = stepBody(service, booking, { to: 'Late', minutes: 20, minutesAgo: 190 });
  await resultsOf(service, [visitOf(booking)]);
  const before = await traces(service, booking);
  for (const body of [...way, late]) {
    const answer = await sendStep(service, phone, booking, body);
    assert.deepEqual([answer.status, answer.body.data.refusal], [200, null], answer.text);
    assert.equal(answer.body.data.visit.status, 'Completed');
  }
  assert.deepEqual(await traces(service, booking), before);
  const { data, meta } = (await service.operator('GET', '/crew-steps?outcome=REFUSED')).body;
  assert.deepEqual([data, meta.total], [[], 0]);
  const not = await step(service, phone, booking, { to: 'Cannot Complete', reason: 'NO_ACCESS' });
  assert.equal(not.refusal, 'NOT_ALLOWED');
  assert.ok((await dayOf(service, phone)).visits.length > 0);
});

test('steps that the crew has reported stay, and the report passes the rest', async (t) => {
  const { service, world, booking } = await start(t);
  const phone = await telephoneOf(service, world.teamIds[0]!);
  for (const [to, minutesAgo] of [
    ['In The Way', 200],
    ['In The location', 190],
    ['In Progress', 180],
  ] as const)
    await step(service, phone, booking, { to, minutesAgo });
  assert.equal(
    await resultOf(service, visitOf(booking, at('08:30'), at('09:30'))),
    'REFUSED INVALID_TRANSITION BEFORE_BEGIN',
  );
  const [{ statuses }] = await resultsOf(service, [visitOf(booking)]);
  assert.deepEqual(statuses, ['Finished', 'Completed']);
  const { appointment } = await traces(service, booking);
  assert.equal(appointment.began_at, Date.parse(at('10:00')), 'as the crew said');
  const late = await step(service, phone, booking, { to: 'Finished', minutesAgo: 60 });
  assert.equal(late.refusal, null);
});

test('each refused visit is named, and the others are done', async (t) => {
  const { service, world, booking } = await start(t, 4);
  const other = async () => {
    service.clock.set(Date.parse(at('08:00')));
    const made = await booked(world, '10:00', { date: TODAY });
    service.clock.set(Date.parse(at('13:00')));
    return made;
  };
  const [cancelled, unpaid, failed] = [await other(), await other(), await other()];
  await patched(service, cancelled, { status: 'Cancelled' });
  await setState(service, unpaid, { booking: 'waiting payment' });
  await setState(service, failed, { appointment: 'Cannot Complete' });
  const missing = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';
  const visits = [
    visitOf(cancelled),
    visitOf(unpaid),
    visitOf(failed),
    visitOf(booking),
    { ...visitOf(booking), appointmentId: missing },
  ];
  const results = await resultsOf(service, visits);
  assert.deepEqual(
    results.map(
      ({
        appointmentId,
        outcome,
        refusal,
      }: {
        appointmentId: string;
        outcome: string;
        refusal: { code: string } | null;
      }) => [appointmentId, outcome, refusal?.code],
    ),
    [
      [cancelled.appointmentId, 'REFUSED', 'INVALID_TRANSITION'],
      [unpaid.appointmentId, 'REFUSED', 'INVALID_TRANSITION'],
      [failed.appointmentId, 'REFUSED', 'INVALID_TRANSITION'],
      [booking.appointmentId, 'DONE', undefined],
      [missing, 'REFUSED', 'RESOURCE_NOT_FOUND'],
    ],
  );
  assert.match(results[1].refusal.message, /waits for payment/);
  assert.equal(
    (await shown(service, unpaid)).status,
    'Scheduled',
    'a confirmation is taken back with the rest',
  );
});

test('times are checked: in order, not in the future, not of another day', async (t) => {
  const { service, booking } = await start(t);
  const refused = 'REFUSED INVALID_TRANSITION';
  assert.equal(await resultOf(service, visitOf(booking, at('12:00'), at('13:01'))), `${refused} FUTURE`);
  assert.equal(
    await resultOf(service, visitOf(booking, at('10:00', '2025-11-22'), at('12:00'))),
    `${refused} OTHER_DAY`,
  );
  assert.equal(
    await resultOf(service, visitOf(booking, at('21:59', '2026-11-21'), at('12:00'))),
    `${refused} OTHER_DAY`,
  );
  const faultsOf = async (visits: unknown[]) => {
    const answer = await report(service, visits);
    assert.equal(answer.status, 400, answer.text);
    return answer.body.error.details.message;
  };
  assert.deepEqual(await faultsOf([visitOf(booking, at('12:00'), at('12:00'))]), [
    'visits.0.end must be after begin',
  ]);
  assert.match(String(await faultsOf([visitOf(booking), visitOf(booking)])), /visits/);
  assert.match(String(await faultsOf([])), /visits/);
  assert.match(String(await faultsOf(Array.from({ length: 101 }, () => visitOf(booking)))), /visits/);
  assert.equal((await shown(service, booking)).status, 'Scheduled');
  // A crew that came early has done it before its planned start.
  service.clock.set(Date.parse(at('09:45')));
  assert.equal(await resultOf(service, visitOf(booking, at('08:40'), at('09:40'))), 'DONE');
});

test('a preview tells what would come of it, and keeps nothing', async (t) => {
  const { service, booking } = await start(t);
  const before = await traces(service, booking);
  const [result] = await resultsOf(service, [visitOf(booking)], { preview: true });
  assert.deepEqual([result.outcome, result.statuses], ['DONE', WAY]);
  assert.deepEqual(await traces(service, booking), before);
});

test('a viewer reports nothing', async (t) => {
  const { service, booking } = await start(t);
  const { token } = (await service.operator('POST', '/tokens', { name: 'Wall', role: 'viewer' })).body.data;
  const headers = { authorization: `Bearer ${token}` };
  const base = `${service.operatorUrl}/operator`;
  const answer = await call(base, 'POST', '/appointments/done', { visits: [visitOf(booking)] }, headers);
  assert.equal(answer.status, 403);
});

test(
  'a report, the crew and a cancellation at once: one way, legal, and no error',
  alsoOnServer,
  async (t) => {
    const { service, world, booking } = await start(t);
    const phone = await telephoneOf(service, world.teamIds[0]!);
    const race = async (one: Booked): Promise<void> => {
      const steps = ['In The Way', 'In The location', 'In Progress'].map((to, index) =>
        sendStep(service, phone, one, stepBody(service, one, { to, minutesAgo: 170 - index * 10 })),
      );
      const answers = await Promise.all([
        ...steps,
        report(service, [visitOf(one, at('10:40'))]),
        report(service, [visitOf(one, at('10:40'))]),
        patch(service, one, { status: 'Cancelled' }),
      ]);
      for (const { status, text } of answers) assert.ok(status < 500, text);
      const { appointment, events } = await traces(service, one);
      assert.ok(['Completed', 'Cancelled'].includes(String(appointment.status)), String(appointment.status));
      const changes = events.flatMap(({ payload }) => payload.appointmentStatusChange ?? []);
      for (const [index, change] of changes.entries())
        if (index > 0) assert.equal(change.from, changes[index - 1].to);
      assert.equal(new Set(changes.map(({ to }) => to)).size, changes.length, 'no status twice');
    };
    await race(booking);
    await again(service, world, race);
  },
);

async function again(
  service: TestService,
  world: World,
  race: (one: Booked) => Promise<void>,
): Promise<void> {
  for (let day = 24; day < 30; day++) {
    const date = `2026-11-${day}`;
    service.clock.set(Date.parse(at('08:00')));
    const made = await booked(world, '10:00', { date });
    service.clock.set(Date.parse(at('13:00', date)));
    await race({ ...made });
  }
}
