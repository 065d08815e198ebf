import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { guessPhone, isCoordinate, normalizePhone } from './rules.ts';

/** A country code, zeros that may follow it, and digits, often those of a mobile number. */
const PHONES = fc
  .tuple(
    fc.constantFrom('+966', '+9660', '+96600', '+966000', '+966966'),
    fc.oneof(
      fc.stringMatching(/^5\d{8}$/),
      fc.stringMatching(/^1[1-7]\d{7}$/),
      fc.stringMatching(/^\d{4,14}$/),
      fc.stringMatching(/^(?:800|9200)\d{5,7}$/),
    ),
  )
  .map((parts) => parts.join(''));

test('normalizing a phone number is a fixed point', () => {
  let valid = 0;
  fc.assert(
    fc.property(PHONES, (phone) => {
      const once = normalizePhone(phone);
      if (once === null) return;
      valid++;
      assert.equal(normalizePhone(once), once);
      assert.match(once, /^\+966[1-9]\d{7,9}$/);
    }),
    { numRuns: 2_000 },
  );
  assert.ok(valid > 200, `${valid} of them were numbers`);
});

test('all zeros after the country code are dropped', () => {
  for (const phone of ['+966501234567', '+9660501234567', '+96600501234567', '+966000501234567'])
    assert.equal(normalizePhone(phone), '+966501234567');
});

test('only valid Saudi numbers', () => {
  for (const phone of ['+966601234567', '+966501234', '+966000000000', '+971501234567', '+966966501234567'])
    assert.equal(normalizePhone(phone), null, phone);
});

test('every +9665 and eight digits is a mobile number, however it is written', () => {
  const digits = fc.stringMatching(/^\d{6}$/);
  for (let prefix = 500; prefix < 600; prefix++)
    fc.assert(
      fc.property(digits, fc.stringMatching(/^0{0,3}$/), (rest, zeros) => {
        assert.equal(normalizePhone(`+966${zeros}${prefix}${rest}`), `+966${prefix}${rest}`);
        assert.equal(normalizePhone(`+966${prefix}${rest}`), `+966${prefix}${rest}`);
      }),
      { numRuns: 10 },
    );
});

/** One of these between any two digits, and around them. */
const STRAYS = [
  '',
  ' ',
  '\u00a0',
  '-',
  '\u2010',
  '\u2013',
  '\u2212',
  '(',
  ')',
  '.',
  '/',
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202c',
  '\u202d',
  '\u2066',
  '\u2069',
  '\ufeff',
  '\t',
];
const SCRIPTS = [
  (digit: number) => String(digit),
  (digit: number) => String.fromCharCode(0x660 + digit),
].concat(
  (digit) => String.fromCharCode(0x6f0 + digit),
  (digit) => String.fromCharCode(0xff10 + digit),
);

test('the suggested number for an invalid one', () => {
  for (const text of [
    '050 123 4567',
    '00966501234567',
    '+966 (50) 123-4567',
    '966 050 1234567',
    '+966 (0) 50 123 4567',
    '\u202a+966 50 123 4567\u202c',
    '٠٥٠١٢٣٤٥٦٧',
    '+٩٦٦٥٠١٢٣٤٥٦٧',
    '۰۵۰۱۲۳۴۵۶۷',
    '＋966501234567',
  ])
    assert.equal(guessPhone(text), '+966501234567', text);
  const starts = fc.constantFrom('+966', '966', '00966', '0', '', '+9660', '+96600');
  const stray = fc.constantFrom(...STRAYS);
  const writing = fc.constantFrom(...SCRIPTS);
  fc.assert(
    fc.property(
      starts,
      fc.stringMatching(/^5\d{8}$/),
      writing,
      fc.array(stray),
      (start, number, write, strays) => {
        const text = [...start, ...number]
          .map((sign, nth) => `${strays[nth] ?? ''}${sign === '+' ? sign : write(Number(sign))}`)
          .join('');
        assert.equal(guessPhone(text), `+966${number}`, JSON.stringify(text));
        // The suggested number has no marks, so that masking finds it.
        assert.match(guessPhone(text)!, /^\+966\d{9}$/);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('a coordinate in a response is no longer than the limit of requests', () => {
  for (const [text, accepted] of [
    [`.${'1'.repeat(38)}`, true],
    [`.${'1'.repeat(39)}`, false],
    [`-.${'1'.repeat(37)}`, true],
    [`-.${'1'.repeat(38)}`, false],
    [`1.${'1'.repeat(38)}`, true],
  ] as const)
    assert.equal(isCoordinate(text, 90), accepted, text);
});
