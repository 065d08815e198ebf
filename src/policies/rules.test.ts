import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, MINUTE, SECOND } from '../base/clock.ts';
import {
  type ChangeAction,
  type Charged,
  countsFromAfterMove,
  type Fee,
  type FeeStep,
  feeOf,
  percentOf,
  type Terms,
  totalOf,
  validUntil,
} from './rules.ts';

const START = Date.UTC(2026, 10, 23, 7);
/** The table of the local market: free until 12 hours before, then a quarter, then half; moving costs less. */
const TERMS: Terms = {
  graceMinutes: 10,
  cancel: [
    { hoursBefore: 12, percent: 25 },
    { hoursBefore: 3, percent: 50 },
  ],
  reschedule: [{ hoursBefore: 6, amount: 20 }],
  afterStartPercent: 100,
  noShowPercent: 100,
  maxReschedules: null,
};

const charged = (overrides: Partial<Charged> = {}): Charged => ({
  terms: TERMS,
  price: '150.00',
  createdAt: START - 72 * HOUR,
  startsAt: START,
  hasBegun: false,
  fees: [],
  ...overrides,
});

test('fees around every boundary, a second before, at it, and a second after', () => {
  const at: [string, number, [number, number, number], [number, number, number]][] = [
    ['made', START - 72 * HOUR, [0, 0, 0], [0, 0, 0]],
    ['a quarter', START - 12 * HOUR, [0, 0, 37_50], [0, 0, 0]],
    ['moving', START - 6 * HOUR, [37_50, 37_50, 37_50], [0, 0, 20_00]],
    ['half', START - 3 * HOUR, [37_50, 37_50, 75_00], [20_00, 20_00, 20_00]],
    ['the start', START, [75_00, 75_00, 150_00], [20_00, 20_00, 150_00]],
  ];
  for (const [what, boundary, cancel, reschedule] of at) {
    const around = [-SECOND, 0, SECOND].map((by) => boundary + by);
    assert.deepEqual(
      around.map((now) => feeOf('cancel', charged(), now)),
      cancel,
      what,
    );
    assert.deepEqual(
      around.map((now) => feeOf('reschedule', charged(), now)),
      reschedule,
      what,
    );
  }
});

test('nothing costs anything in the time after booking, unless the start has passed', () => {
  const createdAt = START - 2 * HOUR;
  const ends = createdAt + 10 * MINUTE;
  const fees = [ends - SECOND, ends, ends + SECOND].map((now) =>
    feeOf('cancel', charged({ createdAt }), now),
  );
  assert.deepEqual(fees, [0, 0, 75_00]);
  const late = charged({ createdAt: START - MINUTE });
  assert.deepEqual(
    [START, START + SECOND].map((now) => feeOf('cancel', late, now)),
    [0, 150_00],
  );
  assert.equal(feeOf('cancel', charged({ hasBegun: true }), START - 5 * HOUR), 150_00);
});

test('after a move when a fee was due, fees count from the earlier start', () => {
  const now = START - 2 * HOUR;
  const counts_from = countsFromAfterMove(charged(), now);
  assert.equal(counts_from, START);
  const fee: Fee = { action: 'reschedule', amount: '20.00', at: now, counts_from };
  const moved = charged({ startsAt: START + 48 * HOUR, fees: [fee] });
  assert.equal(feeOf('cancel', moved, now), 75_00);
  // The start itself is that of now.
  assert.equal(feeOf('cancel', moved, START + HOUR), 75_00);
  assert.equal(feeOf('cancel', moved, START + 48 * HOUR + SECOND), 130_00);
  // Moved in time: from the new start.
  assert.equal(countsFromAfterMove(charged(), START - 12 * HOUR), null);
  assert.equal(countsFromAfterMove(charged({ createdAt: now }), now), null);
});

test('fees are rounded half up to the halala, and never more than the price in all', () => {
  assert.deepEqual(
    (['0.01', '0.02', '0.05', '99.99', '9999999999.99'] as const).map((price) => percentOf(price, 50)),
    [1, 1, 3, 5_000, 500_000_000_000],
  );
  assert.equal(percentOf('0.33', 25), 8);
  assert.equal(percentOf('0.00', 100), 0);
  const terms: Terms = { ...TERMS, cancel: [{ hoursBefore: 12, amount: 400 }] };
  assert.equal(feeOf('cancel', charged({ terms }), START - HOUR), 150_00);
  const fees: Fee[] = [{ action: 'reschedule', amount: '140.00', at: 0, counts_from: null }];
  assert.equal(feeOf('cancel', charged({ terms, fees }), START - HOUR), 10_00);
});

// ---------------------------------------------------------------------------
// The model: the fee of each second by the words of the policy, without a shared function

function modelFee(action: ChangeAction, booking: Charged, now: number): number {
  const { terms, price, createdAt, startsAt, hasBegun, fees } = booking;
  const halalas = Math.round(Number(price) * 100);
  const paid = fees.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0);
  const part = (percent: number): number => {
    const hundredths = halalas * percent;
    return (hundredths - (hundredths % 100)) / 100 + (hundredths % 100 >= 50 ? 1 : 0);
  };
  let fee = 0;
  if (hasBegun || now > startsAt) fee = part(terms.afterStartPercent);
  else if (terms.graceMinutes === 0 || now - createdAt > terms.graceMinutes * MINUTE) {
    let from = startsAt;
    for (const { counts_from } of fees) if (counts_from !== null && counts_from < from) from = counts_from;
    const left = (from - now) / HOUR;
    let nearest: FeeStep | undefined;
    for (const step of terms[action])
      if (left < step.hoursBefore && !(nearest && nearest.hoursBefore < step.hoursBefore)) nearest = step;
    if (nearest) fee = 'percent' in nearest ? part(nearest.percent) : Math.round(nearest.amount * 100);
  }
  return fee > halalas - paid ? halalas - paid : fee;
}

/** A random number below `most`, by a seed: a failure can be repeated. */
function randomFrom(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

function randomTerms(below: (most: number) => number): Terms {
  const steps = (): FeeStep[] =>
    Array.from({ length: below(4) }, (_, index) => {
      const hoursBefore = 1 + index * 7 + below(7);
      return below(2) ? { hoursBefore, percent: below(101) } : { hoursBefore, amount: below(20_000) / 100 };
    });
  return {
    graceMinutes: below(120),
    cancel: steps(),
    reschedule: steps(),
    afterStartPercent: below(101),
    noShowPercent: below(101),
    maxReschedules: null,
  };
}

test('random policies and histories of moves agree with the model, also their last moment', () => {
  for (let seed = 1; seed <= 400; seed++) {
    const below = randomFrom(seed);
    let booking = charged({ terms: randomTerms(below), price: (below(30_000) / 100).toFixed(2) });
    let now = booking.createdAt;
    for (let move = 0; move < 6; move++) {
      now += below(30 * HOUR);
      for (const action of ['cancel', 'reschedule'] as const) {
        const fee = feeOf(action, booking, now);
        assert.equal(fee, modelFee(action, booking, now), `seed ${seed}`);
        assert.ok(fee + totalOf(booking.fees) <= Math.round(Number(booking.price) * 100), `seed ${seed}`);
        const last = validUntil(action, booking, now);
        const probes = Array.from({ length: 20 }, () => now + below((last ?? now + 200 * HOUR) - now + 1));
        for (const probe of [...probes, ...(last === null ? [] : [last])])
          assert.equal(feeOf(action, booking, probe), fee, `seed ${seed}`);
        if (last !== null) assert.notEqual(feeOf(action, booking, last + 1), fee, `seed ${seed}`);
      }
      const counts_from = countsFromAfterMove(booking, now);
      const amount = (feeOf('reschedule', booking, now) / 100).toFixed(2);
      const startsAt = booking.startsAt + below(96 * HOUR) - 24 * HOUR;
      const fees = [...booking.fees, { action: 'reschedule' as const, amount, at: now, counts_from }];
      booking = { ...booking, startsAt, fees };
    }
  }
});
