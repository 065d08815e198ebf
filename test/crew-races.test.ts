import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  APPOINTMENT_MOVES,
  type AppointmentStatus,
  AUTOMATIC_MOVES,
  mayMoveAppointment,
} from '../src/bookings/rules.ts';
import { CREW_STATUSES } from '../src/crew/rules.ts';
import { completeFinished } from '../src/dispatch/jobs.ts';
import { type Booked, booked, patch, shown, slot, traces } from './appointment-fixtures.ts';
import { playDay } from './crew-day.ts';
import { dayOf, sendStep, stepBody, TODAY, telephoneOf } from './crew-fixtures.ts';
import { createWorld, type World } from './fixtures.ts';
import { startTestService, type TestService } from './harness.ts';

/** Crew, office, partner and worker at once: the visit's way stays legal, with one event a move. */

type Act =
  | { by: 'crew'; phone: 0 | 1; to: (typeof CREW_STATUSES)[number]; minutesAgo: number; again: boolean }
  | { by: 'office'; body: Record<string, unknown> }
  | { by: 'reassign'; team: 0 | 1 }
  | { by: 'partner'; cancels: boolean }
  | { by: 'worker' };

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      by: fc.constant('crew' as const),
      phone: fc.constantFrom(0 as const, 1 as const),
      to: fc.constantFrom(...CREW_STATUSES),
      minutesAgo: fc.integer({ min: 0, max: 60 }),
      again: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      by: fc.constant('office' as const),
      body: fc.constantFrom<Record<string, unknown>>(
        ...Object.keys(APPOINTMENT_MOVES).map((status) => ({ status })),
        { timeslot: slot('12:00', '14:00') },
        { timeslot: slot('10:00', '12:00') },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      by: fc.constant('reassign' as const),
      team: fc.constantFrom(0 as const, 1 as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ by: fc.constant('partner' as const), cancels: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ by: fc.constant('worker' as const) }) },
);

type Scene = { service: TestService; world: World; phones: string[]; booking: Booked; reasonId: string };

async function play({ service, world, phones, booking, reasonId }: Scene, one: Act): Promise<void> {
  const { bookingId } = booking;
  switch (one.by) {
    case 'crew': {
      const reason = one.to === 'Cannot Complete' && { reason: 'NO_ACCESS' };
      const body = stepBody(service, booking, { to: one.to, minutesAgo: one.minutesAgo, ...reason });
      const sent = await Promise.all(
        (one.again ? [1, 2] : [1]).map(() => sendStep(service, phones[one.phone]!, booking, body)),
      );
      // A step is taken or refused, never an error, and a repetition has the same result.
      for (const answer of sent) assert.equal(answer.status, 200, answer.text);
      assert.equal(new Set(sent.map((answer) => answer.body.data.refusal)).size, 1);
      return;
    }
    case 'office':
      assert.ok((await patch(service, booking, one.body)).status < 500);
      return;
    case 'reassign':
      assert.ok((await patch(service, booking, { teamId: world.teamIds[one.team] })).status < 500);
      return;
    case 'partner': {
      const path = `/partners/bookings/${bookingId}`;
      const answer = one.cancels
        ? await service.v1(world.key, 'PATCH', `${path}/cancel`, { reasonId })
        : await service.v1(world.key, 'PATCH', path, { notes: 'Ring twice' });
      assert.ok(answer.status < 500, answer.text);
      return;
    }
    case 'worker':
      await completeFinished(service.deps, service.clock.now(), 0);
  }
}

const isLegal = (from: AppointmentStatus, to: AppointmentStatus): boolean =>
  mayMoveAppointment(from, to) ||
  Object.values(AUTOMATIC_MOVES).some((moves) => (moves as Partial<Record<string, string>>)[from] === to) ||
  // Another time: what was confirmed was for the old one.
  (['Confirmed', 'In The Way', 'In The location'].includes(from) && to === 'Scheduled');

async function assertLegal({ service, booking, world, phones }: Scene): Promise<void> {
  const { events, audit } = await traces(service, booking);
  const moves = events
    .filter(({ event }) => event === 'booking.appointment_status_changed')
    .map(({ actor, payload }) => ({ actor, ...payload.appointmentStatusChange }));
  let [status, since] = ['Scheduled' as AppointmentStatus, 0];
  for (const { from, to, changedAt } of moves) {
    assert.equal(from, status, 'each move begins where the one before ended');
    assert.ok(isLegal(from, to), `${from} → ${to}`);
    assert.ok(Date.parse(changedAt) >= since, `${to}: not before the step before`);
    [status, since] = [to, Date.parse(changedAt)];
  }
  const now = await shown(service, booking);
  assert.equal(now.status, status);
  // Each step that was taken is one move, and each refused one is told.
  const steps = (
    await service.operator('GET', `/crew-steps?appointmentId=${booking.appointmentId}&limit=100`)
  ).body.data;
  const refused = steps.filter(({ refusal }: { refusal: string | null }) => refusal !== null);
  assert.equal(
    (audit as { action: string }[]).filter(({ action }) => action === 'crew-step.refuse').length,
    refused.length,
  );
  const byCrew = moves.filter(({ actor }) => actor.startsWith('crew:'));
  assert.ok(byCrew.length <= steps.length - refused.length);
  // Office, partner and street see the same.
  const partner = await service.v1(world.key, 'GET', `/partners/bookings/${booking.bookingId}/status`);
  for (const [at, teamId] of world.teamIds.entries()) {
    const { visits } = await dayOf(service, phones[at]!);
    const seen = visits.find(({ id }: { id: string }) => id === booking.appointmentId);
    assert.equal(seen !== undefined, teamId === now.team.id);
    if (seen !== undefined) assert.equal(seen.status, status);
  }
  assert.equal(partner.status, 200);
}

test('random acts of crews, office, partner and worker, at once, end in legal ways', async (t) => {
  const service = await startTestService(t);
  const { id: reasonId } = (
    await service.operator('POST', '/cancellation-reasons', { nameEn: 'Rain', nameAr: 'مطر' })
  ).body.data;
  service.clock.set(Date.parse(`${TODAY}T07:30:00+03:00`));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(act, { minLength: 1, maxLength: 3 }), { maxLength: 7 }),
      async (turns) => {
        service.clock.set(Date.parse(`${TODAY}T07:30:00+03:00`));
        const world = await createWorld(service, { teams: 2 });
        const phones: string[] = [];
        for (const teamId of world.teamIds) phones.push(await telephoneOf(service, teamId));
        const booking = await booked(world, '10:00', { date: TODAY });
        const scene = { service, world, phones, booking, reasonId };
        service.clock.set(Date.parse(`${TODAY}T09:45:00+03:00`));
        for (const turn of turns) {
          service.clock.advance(10 * 60_000);
          await Promise.all(turn.map((one) => play(scene, one)));
        }
        await assertLegal(scene);
      },
    ),
    { numRuns: process.env.TEST_FULL === undefined ? 6 : 40 },
  );
});

const HOUR = 3_600_000;
const CREWS = 6;

test('a day of crews: every visit goes its way, one event a step, and all see the same', async (t) => {
  const service = await startTestService(t);
  service.clock.set(Date.parse(`${TODAY}T07:30:00+03:00`));
  const world = await createWorld(service, { teams: CREWS, service: { durationMinutes: 60 } });
  const starts = ['10:00', '13:00', '16:00'];
  const ends = ['11:00', '14:00', '17:00'];
  for (const [at, startAt] of starts.entries())
    for (let crew = 0; crew < CREWS; crew++)
      await booked(world, startAt, { date: TODAY, timeslot: { startAt, endAt: ends[at] } });
  service.clock.set(Date.parse(`${TODAY}T09:40:00+03:00`));
  const { url, operatorUrl, operatorToken } = service;
  const wait = async (milliseconds: number): Promise<void> => service.clock.advance(milliseconds);
  await playDay(
    { url, operatorUrl: operatorUrl!, operatorToken, key: world.key, wait },
    { teamIds: world.teamIds, date: TODAY, starts: [0, 3 * HOUR, 6 * HOUR] },
  );
  // They begin work 20 minutes after they set out, and these 20 minutes before the start.
  const { data } = (await service.operator('GET', `/punctuality?from=${TODAY}&to=${TODAY}&minutes=5`)).body;
  assert.deepEqual([data.visits, data.punctual], [3 * CREWS, 3 * CREWS]);
});
