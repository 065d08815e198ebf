import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, dateOf, HOUR, MINUTE, startOfDate } from '../src/base/clock.ts';
import { createWorld, type World } from './fixtures.ts';
import { type Answer, onPostgres, startTestService, TEST_NOW, type TestService } from './harness.ts';

/**
 * A long random walk over the real service, checked after every step against a model that is as plain as can be:
 * lists of minutes. What is offered can be booked, what is not cannot, and rescheduling or cancelling never leaves
 * a slot that is both blocked and shown, or shown and refused.
 */
// Fewer do not come to every outcome often; the embedded database runs the same code on one connection.
const FULL = process.env.TEST_FULL !== undefined;
const STEPS = onPostgres && FULL ? 5_000 : 2_000;
const DAYS = 3;
const FIRST_DAY = addDays(dateOf(TEST_NOW), 1);

/** Minutes after the first day's midnight. */
type Held = { team: number; from: number; until: number; buffer: number };
type Booked = { id: string; held: Held; status: 'live' | 'canceled'; paid: boolean };

const SHIFTS = [
  { startAt: '08:00', endAt: '14:00', from: 480, until: 840 },
  { startAt: '12:00', endAt: '20:00', from: 720, until: 1200 },
  // Over midnight.
  { startAt: '20:00', endAt: '03:00', from: 1200, until: 1620 },
];
const DURATION = 120;
const BUFFERS = [30, 0, 60, 90];
const GRID = 30;

/** A small generator with a seed, so that a failing walk can be walked again. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

class Model {
  readonly bookings: Booked[] = [];
  /** The current buffer of each team; sold visits keep theirs. */
  readonly buffers = SHIFTS.map(() => BUFFERS[0]!);

  /** Is some team on shift for the whole slot, with nothing of it held, buffers included? Own: left out of account. */
  free(from: number, own?: Booked): boolean {
    return SHIFTS.some((_shift, team) => this.teamIsFree(team, from, own));
  }

  teamIsFree(team: number, from: number, own?: Booked): boolean {
    const shift = SHIFTS[team]!;
    const onShift = Array.from({ length: DAYS + 2 }, (_, day) => (day - 1) * 1440).some(
      (midnight) => midnight + shift.from <= from && from + DURATION <= midnight + shift.until,
    );
    return (
      onShift &&
      this.bookings.every(
        (booking) =>
          booking === own ||
          booking.status === 'canceled' ||
          booking.held.team !== team ||
          Math.max(booking.held.from - from - DURATION, from - booking.held.until) >=
            Math.max(booking.held.buffer, this.buffers[team]!),
      )
    );
  }

  starts(day: number): number[] {
    return Array.from({ length: 1440 / GRID }, (_, index) => day * 1440 + index * GRID).filter((from) =>
      this.free(from),
    );
  }
}

function slotAt(from: number) {
  const at = startOfDate(FIRST_DAY) + from * MINUTE;
  const time = (instant: number) => new Date(instant + 3 * HOUR).toISOString().slice(11, 16);
  return { date: dateOf(at), timeslot: { startAt: time(at), endAt: time(at + DURATION * MINUTE) } };
}

async function setUp(service: TestService): Promise<World & { reasonId: string }> {
  const world = await createWorld(service, {
    teams: SHIFTS.length,
    service: { durationMinutes: DURATION },
    team: { travelBufferMinutes: BUFFERS[0] },
    zone: { slotGridMinutes: GRID },
  });
  for (const [index, id] of world.teamIds.entries()) {
    const { startAt, endAt } = SHIFTS[index]!;
    const shifts = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, startAt, endAt }));
    assert.equal((await service.operator('PATCH', `/teams/${id}`, { shifts })).status, 200);
  }
  const reason = await service.operator('POST', '/cancellation-reasons', {
    nameEn: 'Plans changed',
    nameAr: 'تغيرت الخطط',
  });
  assert.equal(reason.status, 201, reason.text);
  return { ...world, reasonId: reason.body.data.id };
}

test(`a random walk of ${STEPS} operations agrees with the model`, { timeout: 600_000 }, async (t) => {
  const service = await startTestService(t);
  const world = await setUp(service);
  const model = new Model();
  const random = randomFrom(20261122);
  const teamOf = async (bookingId: string): Promise<number> => {
    const row = await service.deps.db.first<{ team_id: string }>({
      name: 'walk-team',
      text: 'select team_id from appointments where booking_id = $1',
      values: [bookingId],
    });
    return world.teamIds.indexOf(row!.team_id);
  };
  const counts: Record<string, number> = {};
  const count = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1;
  };

  /** The response must be 200 exactly when the model says so, and otherwise the given error. */
  function agree(answer: Answer, expected: boolean, otherwise: string, what: string): boolean {
    const got = answer.status === 200 ? '200' : answer.body.error.code;
    assert.equal(got, expected ? '200' : otherwise, `${what}: ${answer.text}`);
    count(`${what.split(' ')[0]} ${got}`);
    return expected;
  }

  for (let step = 0; step < STEPS; step++) {
    const action = random(100);
    const live = model.bookings.filter((booking) => booking.status === 'live');
    const from = random((DAYS * 1440) / GRID) * GRID;
    const some = model.bookings[random(Math.max(1, model.bookings.length))];
    if (action < 30) {
      const day = random(DAYS);
      const query = new URLSearchParams({
        addressId: world.addressId,
        serviceId: world.serviceId,
        date: addDays(FIRST_DAY, day),
      });
      const answer = await service.v1(world.key, 'GET', `/partners/timeslots/available?${query}`);
      const expected = model.starts(day).map((start) => slotAt(start).timeslot);
      assert.deepEqual(answer.body.data.slots, expected, `step ${step}`);
      count('slots');
    } else if (action < 55) {
      const answer = await world.book(slotAt(from));
      if (agree(answer, model.free(from), 'BOOKING_CREATION_FAILED', `create ${step}`)) {
        const id = answer.body.data.bookingId;
        const team = await teamOf(id);
        assert.ok(model.teamIsFree(team, from), `step ${step}: team ${team} was not free`);
        model.bookings.push({
          id,
          held: { team, from, until: from + DURATION, buffer: model.buffers[team]! },
          status: 'live',
          paid: false,
        });
      }
    } else if (action < 75 && some !== undefined) {
      const answer = await service.v1(world.key, 'PATCH', `/partners/bookings/${some.id}`, slotAt(from));
      const unchanged = some.held.from === from;
      const what = `move ${step}`;
      if (some.status === 'canceled') agree(answer, false, 'BOOKING_NOT_EDITABLE', what);
      else if (agree(answer, unchanged || model.free(from, some), 'BOOKING_CREATION_FAILED', what)) {
        const team = await teamOf(some.id);
        if (!unchanged)
          assert.ok(model.teamIsFree(team, from, some), `step ${step}: team ${team} was not free`);
        if (unchanged || model.teamIsFree(some.held.team, from, some))
          assert.equal(team, some.held.team, 'the team is kept');
        // A booking that stays where it is keeps its buffer, too.
        if (!unchanged) some.held = { team, from, until: from + DURATION, buffer: model.buffers[team]! };
      }
    } else if (action < 78) {
      const team = random(SHIFTS.length);
      const travelBufferMinutes = BUFFERS[random(BUFFERS.length)]!;
      const answer = await service.operator('PATCH', `/teams/${world.teamIds[team]}`, {
        travelBufferMinutes,
      });
      assert.equal(answer.status, 200, answer.text);
      model.buffers[team] = travelBufferMinutes;
      count('buffer');
    } else if (action < 92 && (live.length > 10 ? live[0] : some) !== undefined) {
      // More cancels when the days are full, so that the walk keeps moving.
      const target = live.length > 10 ? live[random(live.length)]! : some!;
      const answer = await service.v1(world.key, 'PATCH', `/partners/bookings/${target.id}/cancel`, {
        reasonId: world.reasonId,
      });
      if (agree(answer, target.status === 'live', 'BOOKING_ALREADY_CANCELLED', `cancel ${step}`))
        target.status = 'canceled';
    } else if (some !== undefined) {
      const answer = await service.v1(world.key, 'POST', `/partners/bookings/${some.id}/confirm-payment`, {});
      const what = `confirm ${step}`;
      if (some.status === 'canceled') agree(answer, false, 'BOOKING_NOT_PAYABLE', what);
      else if (agree(answer, !some.paid, 'PAYMENT_ALREADY_CONFIRMED', what)) some.paid = true;
    }
    // Canceled bookings hold nothing; a few are kept to be refused.
    const canceled = model.bookings.filter((booking) => booking.status === 'canceled');
    if (canceled.length > 4) model.bookings.splice(model.bookings.indexOf(canceled[0]!), 1);
  }
  // The walk went everywhere: each outcome came up many times.
  for (const outcome of [
    'slots',
    'buffer',
    'create 200',
    'create BOOKING_CREATION_FAILED',
    'move 200',
    'move BOOKING_CREATION_FAILED',
    'cancel 200',
    'confirm 200',
    'confirm PAYMENT_ALREADY_CONFIRMED',
    'move BOOKING_NOT_EDITABLE',
  ]) {
    assert.ok(
      (counts[outcome] ?? 0) > 20,
      `${outcome}: ${counts[outcome] ?? 0} times in ${JSON.stringify(counts)}`,
    );
  }
});
