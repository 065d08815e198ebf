import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyFactor, isFactor, toSarNumber } from './rules.ts';

const amounts = fc.bigInt({ min: 0n, max: 999_999_999_999n }); // halalas of a numeric(12, 2)
const factors = fc.bigInt({ min: 1n, max: 990_000n }); // ten-thousandths

/** As PostgreSQL prints a numeric of that scale. */
function decimal(value: bigint, places: number): string {
  const digits = String(value).padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

test('the price is the product, rounded half up, whatever the amounts', () => {
  fc.assert(
    fc.property(amounts, factors, (amount, factor) => {
      const price = applyFactor(decimal(amount, 2), decimal(factor, 4));
      // Exactly one whole number lies in ]product - 1/2, product + 1/2]: with halves rounded up it is the price.
      const [product, one] = [amount * factor, 10_000n];
      assert.ok(2n * price * one > 2n * product - one, 'not too low');
      assert.ok(2n * price * one <= 2n * product + one, 'not too high');
    }),
    { numRuns: 2_000 },
  );
});

test('halves go up where binary floating point lets them fall', () => {
  for (const [base, factor, price, floating] of [
    ['0.25', '0.5800', 15n, '0.14'],
    ['0.30', '0.7500', 23n, '0.22'],
    ['0.35', '0.5000', 18n, '0.17'],
  ] as const) {
    assert.equal(applyFactor(base, factor), price, `${base} x ${factor}`);
    assert.equal((Number(base) * Number(factor)).toFixed(2), floating, `${base} x ${factor} in doubles`);
  }
});

test('amounts become numbers that print with the same decimals', () => {
  // 15 digits: ten times the largest amount at the largest factor.
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 990_000_000_000_000n }), (amount) => {
      assert.equal(toSarNumber(amount).toFixed(2), decimal(amount, 2));
    }),
  );
  assert.equal(JSON.stringify(toSarNumber(17005n)), '170.05');
  assert.equal(JSON.stringify(toSarNumber(5n)), '0.05');
});

test('texts may be as short as the value allows, and nothing else', () => {
  assert.equal(applyFactor('249.5', '1'), 24_950n);
  assert.equal(applyFactor('249', '0.9'), 22_410n);
  for (const [base, factor] of [
    ['249.555', '1'],
    ['-1', '1'],
    ['1', '0.00001'],
    ['1e3', '1'],
    ['', '1'],
    ['NaN', '1'],
  ] as const)
    assert.throws(() => applyFactor(base, factor), RangeError, `${base} x ${factor}`);
});

test('a factor has at most four decimals', () => {
  for (const value of [0.0001, 0.1, 0.95, 1, 1.2345, 98.9999, 99])
    assert.equal(isFactor(value), true, `${value}`);
  for (const value of [0, -1, 0.00001, 0.12345, 1 + 1e-9, 99.0001, Number.NaN, Number.POSITIVE_INFINITY])
    assert.equal(isFactor(value), false, `${value}`);
  fc.assert(fc.property(factors, (factor) => isFactor(Number(decimal(factor, 4)))));
});
