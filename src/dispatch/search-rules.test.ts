import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchTermsOf } from './search-rules.ts';

test('a phone in any spelling', () => {
  const whole = { whole: '+966501234567', start: '+966501234567' };
  for (const text of [
    '0501234567',
    '050 123 4567',
    '+966 50 123 4567',
    '00966-50-1234567',
    '966501234567',
    '٠٥٠١٢٣٤٥٦٧',
    '۰۵۰ ۱۲۳ ۴۵۶۷',
    ' +966 (0)50 123 4567 ',
  ]) {
    const { whole: found, start } = searchTermsOf(text).phone!;
    assert.deepEqual({ whole: found, start }, whole, text);
  }
  assert.deepEqual(searchTermsOf('0501').phone, { whole: null, start: '+966501', end: '0501' });
  assert.deepEqual(searchTermsOf('4567').phone, { whole: null, start: null, end: '4567' });
  for (const text of ['123', 'ORDER-4567', '12345678901234567'])
    assert.equal(searchTermsOf(text).phone, null, text);
});

test('of one who sees phones masked only a whole number is a phone', () => {
  const ofViewer = (text: string) => searchTermsOf(text, { hidesPhones: true }).phone;
  for (const text of ['0501234567', '050 123 4567', '٠٥٠١٢٣٤٥٦٧'])
    assert.deepEqual(ofViewer(text), { whole: '+966501234567', start: null, end: '+966501234567' }, text);
  for (const text of ['4567', '1234567', '0501', '05012345', '+96650123'])
    assert.equal(ofViewer(text), null, text);
});

test('tracking references, ids and words', () => {
  assert.deepEqual(
    ['sa-0042', 'SA0042', 'sa 42', 'SA ٤٢', '42', '00042', 'ORDER-42'].map(
      (text) => searchTermsOf(text).trackingReference,
    ),
    ['SA-0042', 'SA-0042', 'SA-0042', 'SA-0042', 'SA-0042', 'SA-00042', null],
  );
  assert.deepEqual(
    ['sa-00', 'sa 36', '36', 'ORDER-42'].map((text) => searchTermsOf(text).trackingStart),
    ['SA-00', 'SA-36', 'SA-0036', null],
  );
  const id = '5F0C6A6E-3C1B-4B5E-9A53-0D5A2F1C7B10';
  assert.equal(searchTermsOf(id).id, id.toLowerCase());
  assert.equal(
    searchTermsOf('Noura Al-Q').words,
    "('noura':* | 'الnoura':* | 'alnoura':*) & ('alq':* | 'الalq':* | 'alalq':*)",
  );
  assert.equal(searchTermsOf("o'b | !x:*").words, "('ob':* | 'الob':* | 'alob':*)");
  assert.equal(searchTermsOf('ab & !x:*').words, "('ab':* | 'الab':* | 'alab':*)");
  assert.deepEqual(
    ['Noura Al-Q', 'المنصور أَحْمَد', '٠٥٠١٢٣', 'ORDER-42', 'Noura 7919', "o'b"].map(
      (q) => searchTermsOf(q).commonWord,
    ),
    ['noura', 'المنصور', null, null, null, 'ob'],
  );
});
