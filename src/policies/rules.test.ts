import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelFee, modelMove, type Told, untouched } from '../../test/fee-model.ts';
import { HOUR, MINUTE, SECOND } from '../base/clock.ts';
import { chargesOf, type FeeEntry, isUndecided, totalOf, withTotal } from './ledger.ts';
import {
  afterOperatorsMove,
  type Charged,
  countsFromAfterMove,
  type FeeStep,
  feeOf,
  percentOf,
  type Terms,
  validUntil,
} from './rules.ts';
import type { ChangeAction } from './words.ts';

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
  visit: 'AHEAD',
  fees: [],
  ...overrides,
});

test('fees around every boundary, a second before, at it, and a second after', () => {
  const at: [string, number, (number | null)[], number[]][] = [
    ['made', START - 72 * HOUR, [0, 0, 0], [0, 0, 0]],
    ['a quarter', START - 12 * HOUR, [0, 0, 37_50], [0, 0, 0]],
    ['moving', START - 6 * HOUR, [37_50, 37_50, 37_50], [0, 0, 20_00]],
    ['half', START - 3 * HOUR, [37_50, 37_50, 75_00], [20_00, 20_00, 20_00]],
    // Nobody knows what happened, and the operator decides; a move costs nothing.
    ['the start', START, [75_00, 75_00, null], [20_00, 20_00, 0]],
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

test('nothing costs anything in the time after booking, unless the work has begun', () => {
  const createdAt = START - 2 * HOUR;
  const ends = createdAt + 10 * MINUTE;
  const fees = [ends - SECOND, ends, ends + SECOND].map((now) =>
    feeOf('cancel', charged({ createdAt }), now),
  );
  assert.deepEqual(fees, [0, 0, 75_00]);
  assert.equal(feeOf('cancel', charged({ visit: 'BEGUN' }), START - 5 * HOUR), 150_00);
});

test('the clock alone begins no work: past the start it is whether the crew is there', () => {
  const at = (visit: Charged['visit']) =>
    [START, START + SECOND].map((now) => feeOf('cancel', charged({ visit }), now));
  assert.deepEqual(at('AHEAD'), [75_00, null]);
  assert.deepEqual(at('THERE'), [75_00, 150_00]);
  assert.deepEqual(at('BEGUN'), [150_00, 150_00]);
  assert.deepEqual(at('NOT_DONE'), [null, null]);
});

test('after a move when a fee was due, fees count from the earlier start', () => {
  const now = START - 2 * HOUR;
  const counts_from = countsFromAfterMove(charged(), now);
  assert.equal(counts_from, START);
  const fee: FeeEntry = { action: 'reschedule', amount: '20.00', at: now, counts_from: START };
  const moved = charged({ startsAt: START + 48 * HOUR, fees: [fee] });
  assert.equal(feeOf('cancel', moved, now), 75_00);
  // The start itself is that of now.
  assert.equal(feeOf('cancel', moved, START + HOUR), 75_00);
  assert.equal(feeOf('cancel', { ...moved, visit: 'THERE' }, START + 48 * HOUR + SECOND), 130_00);
  // Moved in time: from the new start.
  assert.equal(countsFromAfterMove(charged(), START - 12 * HOUR), null);
  assert.equal(countsFromAfterMove(charged({ createdAt: now }), now), null);
});

/** The booking after the operator's move by so many minutes. */
function movedByOperator(booking: Charged, now: number, minutes: number): Charged {
  const startsAt = booking.startsAt + minutes * MINUTE;
  return { ...booking, startsAt, fees: afterOperatorsMove(booking, now, { startsAt, by: 'operator:x' }) };
}

/** The booking after the partner's move. */
function movedByPartner(booking: Charged, now: number, startsAt: number): Charged {
  const fee = feeOf('reschedule', booking, now)!;
  const counts_from = countsFromAfterMove(booking, now);
  const fees = withTotal(booking.fees, totalOf(booking.fees) + fee, {
    action: 'reschedule',
    at: now,
    counts_from,
  });
  return { ...booking, startsAt, fees };
}

test("a change by the operator costs nothing, and keeps what was due by the customer's own choice", () => {
  const costs = (booking: Charged, now: number) => [
    feeOf('cancel', booking, now),
    feeOf('reschedule', booking, now),
  ];
  const far = START - 48 * HOUR;
  const near = START - 2 * HOUR;
  // From far away to within her window: free, until the visit begins.
  const pulled = movedByOperator(charged(), far, -46 * 60);
  assert.deepEqual(costs(pulled, pulled.startsAt - MINUTE), [0, 0]);
  assert.deepEqual(costs({ ...pulled, visit: 'BEGUN' }, pulled.startsAt - MINUTE), [150_00, 150_00]);
  // In her own window: what was due stays, and not more.
  const delayed = movedByOperator(charged(), near, 24 * 60);
  assert.deepEqual(costs(delayed, near), [75_00, 20_00]);
  assert.deepEqual(costs(delayed, delayed.startsAt - MINUTE), [75_00, 20_00]);
  // She has paid for a move: that stays, and nothing comes after it.
  const own = movedByPartner(charged(), near, START + 5 * HOUR);
  assert.deepEqual([feeOf('cancel', own, near), totalOf(own.fees)], [75_00, 20_00]);
  const then = movedByOperator(own, near, 60);
  assert.deepEqual([...costs(then, near), totalOf(then.fees)], [0, 0, 20_00]);
  // A small change is none, also in two steps, until they add up.
  const small = movedByOperator(charged(), far, 29);
  assert.deepEqual(costs(small, START - 3 * HOUR + MINUTE), [75_00, 20_00]);
  assert.deepEqual(costs(movedByOperator(small, far, 1), START - 3 * HOUR + MINUTE), [0, 0]);
  assert.deepEqual(costs(movedByOperator(small, far, -29), START - 3 * HOUR + MINUTE), [75_00, 20_00]);
  // Her next move begins a new count.
  const again = movedByPartner(pulled, far, START);
  assert.deepEqual(costs(again, near), [75_00, 20_00]);
  // A start that passed without a report binds nobody.
  assert.deepEqual(costs(movedByOperator(charged(), START + HOUR, 300), START + HOUR), [0, 0]);
});

test('what is given back is taken from the newest charge, and what is due can be given back before', () => {
  const charge = (action: ChangeAction, amount: string): FeeEntry => ({ action, amount, at: 1 });
  const waive = (lowers: string): FeeEntry => ({ action: 'waive', amount: '0.00', lowers, at: 2 });
  const fees = [charge('reschedule', '20.00'), charge('cancel', '75.00'), waive('80.00')];
  const amounts = (ledger: FeeEntry[]) => chargesOf(ledger).map(({ amount }) => amount);
  assert.deepEqual([amounts(fees), totalOf(fees)], [['15.00', '0.00'], 15_00]);
  const near = START - 2 * HOUR;
  const delayed = movedByOperator(charged(), near, 24 * 60);
  const waived = { ...delayed, fees: [...delayed.fees, waive('50.00')] };
  assert.equal(feeOf('cancel', waived, near), 25_00);
  const ended = withTotal(waived.fees, 25_00, { action: 'cancel', at: near });
  assert.deepEqual([amounts(ended), totalOf(ended)], [['25.00'], 25_00]);
});

test('an undecided fee is none until the decision, which is the cancellation’s', () => {
  const fees = withTotal([], 0, { action: 'cancel', at: 1, undecided: true });
  assert.equal(isUndecided(fees), true);
  const decided = withTotal(fees, 60_00, { action: 'decide', at: 2, outcome: 'NO_ACCESS' });
  assert.equal(isUndecided(decided), false);
  assert.deepEqual(
    chargesOf(decided).map(({ action, amount }) => [action, amount]),
    [['cancel', '60.00']],
  );
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
  const fees: FeeEntry[] = [{ action: 'reschedule', amount: '140.00', at: 0, counts_from: null }];
  assert.equal(feeOf('cancel', charged({ terms, fees }), START - HOUR), 10_00);
});

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
  for (let seed = 1; seed <= 600; seed++) {
    const below = randomFrom(seed);
    let booking = charged({ terms: randomTerms(below), price: (below(30_000) / 100).toFixed(2) });
    let told: Told = untouched(booking.startsAt);
    let now = booking.createdAt;
    for (let move = 0; move < 6; move++) {
      now += below(30 * HOUR);
      const visit = (['AHEAD', 'AHEAD', 'AHEAD', 'THERE', 'BEGUN'] as const)[below(5)]!;
      for (const action of ['cancel', 'reschedule'] as const) {
        const seen = { ...booking, visit };
        const fee = feeOf(action, seen, now);
        assert.equal(fee, modelFee(action, seen, told, now), `seed ${seed}`);
        assert.equal(totalOf(booking.fees), told.paid, `seed ${seed}`);
        assert.ok((fee ?? 0) + told.paid <= Math.round(Number(booking.price) * 100), `seed ${seed}`);
        const last = validUntil(action, seen, now);
        const probes = Array.from({ length: 20 }, () => now + below((last ?? now + 200 * HOUR) - now + 1));
        for (const probe of [...probes, ...(last === null ? [] : [last])])
          assert.equal(feeOf(action, seen, probe), fee, `seed ${seed}`);
        if (last !== null) assert.notEqual(feeOf(action, seen, last + 1), fee, `seed ${seed}`);
      }
      const isOwn = below(2) === 0;
      const minutes = [below(29), 0, below(60 * 96) - 24 * 60][below(3)]!;
      const startsAt = booking.startsAt + minutes * MINUTE;
      told = modelMove(booking, told, now, { startsAt, isOwn });
      booking = isOwn ? movedByPartner(booking, now, startsAt) : movedByOperator(booking, now, minutes);
    }
  }
});
