import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { guessPhone, normalizePhone } from './rules.ts';

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

test('zeros after the country code are dropped, however many', () => {
  for (const phone of ['+966501234567', '+9660501234567', '+96600501234567', '+966000501234567'])
    assert.equal(normalizePhone(phone), '+966501234567');
});

test('only valid Saudi numbers', () => {
  for (const phone of ['+966601234567', '+966501234', '+966000000000', '+971501234567', '+966966501234567'])
    assert.equal(normalizePhone(phone), null, phone);
});

test('what was probably meant', () => {
  for (const text of ['050 123 4567', '00966501234567', '+966 (50) 123-4567', '966 050 1234567'])
    assert.equal(guessPhone(text), '+966501234567', text);
});
