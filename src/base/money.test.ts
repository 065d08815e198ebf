import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toHalalas, toSar } from './money.ts';

test('amounts that floating point gets wrong', () => {
  for (const [sar, halalas] of [
    ['0.00', 0],
    ['0.07', 7],
    ['1.15', 115],
    ['4.35', 435],
    ['150.00', 15_000],
    ['1234567.89', 123_456_789],
    ['9999999999.99', 999_999_999_999],
  ] as const) {
    assert.equal(toHalalas(sar), halalas);
    assert.equal(toSar(halalas), sar);
  }
  assert.equal(toHalalas('150'), 15_000);
  assert.equal(toHalalas('150.5'), 15_050);
});

test('every amount survives the round trip', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 999_999_999_999 }),
      (halalas) => toHalalas(toSar(halalas)) === halalas,
    ),
  );
});

test('an invalid amount is refused', () => {
  const texts = [
    '',
    '.5',
    '1.',
    '-1.00',
    '+1',
    '1.005',
    '1e3',
    '01.00',
    '1,5',
    ' 1.00',
    '1.00\n',
    '10000000000.00',
  ];
  for (const text of texts) assert.throws(() => toHalalas(text), RangeError, text);
  for (const value of [-1, 0.5, Number.NaN, 2 ** 53]) assert.throws(() => toSar(value), RangeError);
});
