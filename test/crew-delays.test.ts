import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { MINUTE } from '../src/base/clock.ts';
import { asPartner, booked, patched, shown, slot, traces } from './appointment-fixtures.ts';
import { dayOf, sendStep, stepBody, TODAY, telephoneOf } from './crew-fixtures.ts';
import { createWorld } from './fixtures.ts';
import { startTestService, type TestService } from './harness.ts';

/** Crews that run late: a report that is no status, through the queue of steps. Notes with a finished visit. */

const HOUR = 60 * MINUTE;

async function visitOf(service: TestService, startAt = '10:00') {
  const world = await createWorld(service, { teams: 2 });
  const booking = await booked(world, startAt, { date: TODAY });
  const teamId = (await shown(service, booking)).team.id as string;
  const phone = await telephoneOf(service, teamId);
  const report = async (minutes: number, more: Record<string, unknown> = {}) => {
    const answer = await sendStep(
      service,
      phone,
      booking,
      stepBody(service, booking, { to: 'Late', minutes, ...more }),
    );
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data as {
      outcome: string;
      refusal: string | null;
      visit: { lateMinutes: number | null };
    };
  };
  return { world, booking, teamId, phone, report };
}

test('a delay is told to the office: board, visits, history; nothing else changes', async (t) => {
  const service = await startTestService(t);
  const { world, booking, teamId, phone, report } = await visitOf(service);
  const before = await traces(service, booking);
  const seenByPartner = await asPartner(service, world, booking);
  const told = await report(30, { minutesAgo: 5 });
  assert.deepEqual([told.outcome, told.visit.lateMinutes], ['DONE', 30]);
  assert.equal((await dayOf(service, phone)).visits[0].lateMinutes, 30);
  const onBoard = async () => {
    const { appointments } = (await service.operator('GET', `/board?date=${TODAY}`)).body.data;
    return appointments.find(({ id }: { id: string }) => id === booking.appointmentId).lateMinutes;
  };
  assert.equal(await onBoard(), 30);
  assert.equal((await shown(service, booking)).lateMinutes, 30);
  const { history } = (await service.operator('GET', `/bookings/${booking.bookingId}`)).body.data;
  const { what, by, notes, happenedAt } = history.at(-1);
  assert.deepEqual([what, by, notes], ['crew-step.late', `crew:${teamId}`, '30 min']);
  assert.equal(Date.parse(happenedAt), service.clock.now() - 5 * MINUTE);
  const after = await traces(service, booking);
  assert.deepEqual(after.events, before.events, 'no event');
  assert.deepEqual(await asPartner(service, world, booking), seenByPartner);
  const { starts_at, ends_at, status } = after.appointment as Record<string, unknown>;
  assert.partialDeepStrictEqual(before.appointment, { starts_at, ends_at, status });
  // On time after all; and a move ends it.
  await report(0);
  assert.deepEqual([await onBoard(), (await shown(service, booking)).lateMinutes], [null, null]);
  await report(45);
  await patched(service, booking, { timeslot: slot('12:00', '14:00') });
  assert.deepEqual([await onBoard(), (await dayOf(service, phone)).visits[0].lateMinutes], [null, null]);
});

test('a delay is taken once, the last report holds, and what does not fit is refused', async (t) => {
  const service = await startTestService(t);
  const { world, booking, teamId, phone, report } = await visitOf(service);
  const key = randomUUID();
  const at = { key, minutesAgo: 10 };
  await report(15, at);
  await report(30, { minutesAgo: 2 });
  // The same step again, and an older one of another telephone.
  assert.deepEqual((await report(15, at)).refusal, null);
  assert.equal((await report(60, { minutesAgo: 5 })).visit.lateMinutes, 30);
  assert.equal((await report(60, at)).refusal, 'NOT_ALLOWED', 'another delay with the key');
  const { audit } = await traces(service, booking);
  assert.equal(audit.filter(({ action }) => action === 'crew-step.late').length, 2);

  assert.equal((await report(45, { minutesAgo: 61 })).refusal, 'TOO_OLD');
  const elsewhere = booking.appointment.scheduledStartDateTime.replace('T10', 'T11');
  assert.equal((await report(45, { startsAt: elsewhere })).refusal, 'RESCHEDULED');
  await patched(service, booking, { status: 'In The Way' });
  assert.equal((await report(60)).visit.lateMinutes, 60);
  await patched(service, booking, { status: 'In The location' });
  assert.equal((await report(60)).refusal, 'MOVED_ON');
  const other = world.teamIds.find((id) => id !== teamId)!;
  const theirs = await telephoneOf(service, other);
  const body = stepBody(service, booking, { to: 'Late', minutes: 15 });
  assert.equal((await sendStep(service, theirs, booking, body)).body.data.refusal, 'OTHER_TEAM');

  // The office sees refused ones, and has nothing to decide.
  const steps = `/crew-steps?appointmentId=${booking.appointmentId}`;
  const refused = (await service.operator('GET', `${steps}&outcome=REFUSED`)).body.data;
  assert.equal(refused.length, 4);
  assert.ok(
    refused.every(({ to, lateMinutes }: Record<string, unknown>) => to === 'Late' && Number(lateMinutes) > 0),
  );
  assert.deepEqual((await service.operator('GET', `${steps}&outcome=UNDECIDED`)).body.data, []);
  const decide = `/teams/${teamId}/crew-steps/${refused.find(({ refusal }: { refusal: string }) => refusal === 'TOO_OLD').key}/decide`;
  assert.equal((await service.operator('POST', decide, { decision: 'TAKE' })).status, 422);
  for (const wrong of [
    { minutes: 241 },
    { minutes: -1 },
    { minutes: undefined },
    { minutes: 15, text: 'x' },
  ]) {
    const answer = await sendStep(service, phone, booking, { ...body, ...wrong, key: randomUUID() });
    assert.equal(answer.status, 400, JSON.stringify(wrong));
  }
});

test('a visit whose team has said how late it comes is late, and not unreported', async (t) => {
  const service = await startTestService(t);
  const { booking, report } = await visitOf(service, '10:00');
  service.clock.advance(2 * HOUR + 20 * MINUTE);
  const concerned = async (attention: string): Promise<boolean> => {
    const { data } = (await service.operator('GET', `/appointments?attention=${attention}`)).body;
    return data.some(({ id }: { id: string }) => id === booking.appointmentId);
  };
  assert.deepEqual([await concerned('late'), await concerned('unreported')], [true, true]);
  await report(60);
  assert.deepEqual([await concerned('late'), await concerned('unreported')], [true, false]);
  await report(0);
  assert.deepEqual([await concerned('late'), await concerned('unreported')], [true, true]);
});

test('a note with Finished: the office has it at the visit, the customer in her copy, the erasure takes it', async (t) => {
  const service = await startTestService(t);
  const { world, booking, phone } = await visitOf(service);
  service.clock.advance(2 * HOUR);
  const note = 'Zq91 kitchen door sticks';
  const send = (step: { to: string; text?: string }) =>
    sendStep(service, phone, booking, stepBody(service, booking, step));
  for (const to of ['In The Way', 'In The location', 'In Progress']) await send({ to });
  assert.equal(
    (await send({ to: 'In Progress', text: note })).status,
    400,
    'a note is of the end of a visit',
  );
  assert.equal((await send({ to: 'Finished', text: note })).body.data.outcome, 'DONE');
  const read = async (path: string) => (await service.operator('GET', path)).body.data;
  const notes = async () => [
    (await read(`/bookings/${booking.bookingId}`)).history.at(-1).notes,
    (await read(`/crew-steps?appointmentId=${booking.appointmentId}`)).find(
      ({ to }: { to: string }) => to === 'Finished',
    ).notes,
  ];
  assert.deepEqual(await notes(), [note, note]);
  const contact = `/partners/contacts/${world.contactId}`;
  assert.match((await service.v1(world.key, 'GET', `${contact}/export`)).text, /Zq91/);
  assert.doesNotMatch(JSON.stringify(await asPartner(service, world, booking)), /Zq91/);
  await patched(service, booking, { status: 'Completed' });
  const erased = await service.v1(world.key, 'POST', `${contact}/erase`, { reason: 'On request' });
  assert.equal(erased.status, 200, erased.text);
  assert.deepEqual(await notes(), [null, null]);
});
