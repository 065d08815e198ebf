import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BilledBooking, type Line, linesOf, type Told } from './lines.ts';
import { formulaOf, type MoneyFacts, owedOf } from './owed.ts';
import { rateOn, USUAL_TERMS, type VatTerms, vatIn } from './vat.ts';

const FACTS: MoneyFacts = {
  payment_responsibility: 'PARTNER',
  status: 'in progress',
  amount: '150.00',
  fees: null,
  appointment_status: 'Scheduled',
  work_reached: null,
  payment: null,
};
const at = 0;

test('what is owed, for every way that a booking can go', () => {
  const canceled = { status: 'canceled', appointment_status: 'Cancelled' } as const;
  const platform = { payment_responsibility: 'PLATFORM' } as const;
  const ways: [string, Partial<MoneyFacts>, object][] = [
    ['ahead', {}, {}],
    ['finished', { appointment_status: 'Finished' }, { VISIT: 15_000 }],
    ['completed', { status: 'success', appointment_status: 'Completed' }, { VISIT: 15_000 }],
    ['not done', { appointment_status: 'Cannot Complete' }, {}],
    ['failed after the visit', { status: 'failed', appointment_status: 'Completed' }, {}],
    ['cancelled free', canceled, {}],
    [
      'cancelled with a fee and that of a move',
      {
        ...canceled,
        fees: [
          { action: 'reschedule', amount: '20.00', at },
          { action: 'cancel', amount: '37.50', at },
        ],
      },
      { FEE: 5_750 },
    ],
    ['a move alone', { fees: [{ action: 'reschedule', amount: '20.00', at }] }, {}],
    [
      'done, and only then cancelled by its partner; a part is waived',
      {
        ...canceled,
        work_reached: 'Finished',
        fees: [
          { action: 'cancel', amount: '150.00', at },
          { action: 'waive', amount: '0.00', lowers: '50.00', at },
        ],
      },
      { VISIT: 15_000, WAIVER: -5_000 },
    ],
    [
      'not decided yet, its moves neither',
      {
        ...canceled,
        fees: [
          { action: 'reschedule', amount: '20.00', at },
          { action: 'cancel', amount: '0.00', undecided: true, at },
        ],
      },
      {},
    ],
    [
      'decided, and lowered by a corrected outcome',
      {
        ...canceled,
        fees: [
          { action: 'cancel', amount: '0.00', undecided: true, at },
          { action: 'decide', amount: '120.00', at },
          { action: 'decide', amount: '0.00', lowers: '120.00', at },
        ],
      },
      {},
    ],
    [
      'waived before it was due, and then free',
      { ...canceled, fees: [{ action: 'waive', amount: '0.00', lowers: '30.00', at }] },
      {},
    ],
    [
      'waived before it was due, and then charged',
      {
        ...canceled,
        fees: [
          { action: 'waive', amount: '0.00', lowers: '30.00', at },
          { action: 'cancel', amount: '100.00', at },
        ],
      },
      { FEE: 10_000, WAIVER: -3_000 },
    ],
    [
      'paid by link and partly given back',
      {
        ...platform,
        ...canceled,
        payment: { paid_amount: '150.00', refunded_amount: '112.50', refund_status: 'DONE' },
      },
      { COLLECTED: 15_000, GIVEN_BACK: -11_250 },
    ],
    ['free of charge', { ...platform, appointment_status: 'Finished' }, {}],
    ['a visit without a price', { amount: '0.00', appointment_status: 'Finished' }, {}],
  ];
  for (const [way, facts, owed] of ways)
    assert.deepEqual(owedOf({ ...FACTS, ...facts }, formulaOf(null, '2026-11-23')), owed, way);
});

test('VAT in a sum is rounded half up to the halala, and a correction takes back what was told', () => {
  for (const [gross, percent, vat] of [
    [15_000, 15, 1_957],
    [1, 15, 0],
    [23, 15, 3],
    [4, 15, 1],
    [100, 100, 50],
    [1, 100, 1],
    [10_500, 5, 500],
    [15_000, 0, 0],
    [10_000, 12.5, 1_111],
    [999_999_999_999, 15, 130_434_782_609],
  ] as const) {
    assert.equal(vatIn(gross, percent), vat, `${gross} at ${percent} %`);
    assert.equal(vatIn(-gross, percent), vat === 0 ? 0 : -vat);
  }
  assert.deepEqual(
    ['2017-12-31', '2018-01-01', '2020-06-30', '2020-07-01'].map((date) => rateOn(USUAL_TERMS.rates, date)),
    [0, 5, 5, 15],
  );
});

/** As issued statements would have told the lines. */
function toldBy(lines: readonly Line[]): Told {
  const kinds = Map.groupBy(lines, ({ kind }) => kind);
  return [...kinds].map(([kind, some]) => ({
    kind,
    gross: some.reduce((sum, { gross }) => sum + gross, 0),
    vat: some.reduce((sum, { vat }) => sum + vat, 0),
    category: some[0]!.category,
    percent: some[0]!.percent,
  }));
}

test('whatever changes, the sum of all lines is what is owed, with the VAT of its date', () => {
  let state = 7;
  const below = (bound: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
  for (let round = 0; round < 300; round++) {
    const told: Line[] = [];
    const amount = ((1 + below(90_000)) / 100).toFixed(2);
    const ways: Partial<MoneyFacts>[] = [
      { appointment_status: 'Finished' },
      { appointment_status: 'Cannot Complete' },
      { status: 'canceled', fees: [{ action: 'cancel', amount: ((1 + below(9_000)) / 100).toFixed(2), at }] },
      { status: 'canceled', work_reached: 'Completed', fees: [{ action: 'cancel', amount, at }] },
    ];
    for (let month = 0; month < 6; month++) {
      // Another rate and other categories every month: they are for what was never told.
      const terms: VatTerms = {
        rates: [{ from: '2020-01-01', percent: below(20) }],
        categories: { VISIT: 'S', FEE: below(2) === 0 ? 'O' : 'S' },
      };
      const booking: BilledBooking = {
        ...FACTS,
        amount,
        ...ways[below(ways.length)],
        service_date: '2026-11-23',
        told: toldBy(told),
        told_formula: told[0]?.formula ?? null,
        last_told: told.length === 0 ? null : 'earlier',
      };
      const lines = linesOf(booking, terms);
      told.push(...lines);
      const sums = toldBy(told).filter(({ gross }) => gross !== 0);
      assert.deepEqual(Object.fromEntries(sums.map(({ kind, gross }) => [kind, gross])), owedOf(booking, 1));
      for (const { gross, vat, percent } of toldBy(told)) assert.equal(vat, vatIn(gross, percent!));
      for (const line of lines) {
        const same = lines.filter(
          ({ category, percent }) => category === line.category && percent === line.percent,
        );
        const isLower = same.reduce((sum, { gross }) => sum + gross, 0) < 0;
        assert.equal(line.document, isLower ? 'CREDIT' : 'INVOICE');
        assert.ok(!isLower || line.corrects !== null);
      }
      assert.deepEqual(linesOf({ ...booking, told: toldBy(told) }, terms), [], 'nothing is told twice');
    }
  }
});
