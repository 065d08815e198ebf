import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { escaped, escapedLines, isPlainLine, plainLine } from './text.ts';

const HARMFUL = ['\0', '\t', '\n', '\r', '\u001b', '\u007f', '\u0085', '\u009b', '\u2028', '\u2029']
  .concat(['\u202a', '\u202b', '\u202c', '\u202d', '\u202e'])
  .concat(['\u2066', '\u2067', '\u2068', '\u2069']);
/** Marks and joiners that Arabic and Persian need, and characters that look harmful but are not. */
const HARMLESS = ['\u200c', '\u200d', '\u200e', '\u200f', '\u061c', ' ', '\u00a0', '\\', 'ـ', '🧹', 'é'];

test('harmful characters are found, and those that Arabic needs are not', () => {
  for (const sign of HARMFUL) assert.equal(isPlainLine(`a${sign}b`), false, JSON.stringify(sign));
  for (const sign of HARMLESS) {
    assert.equal(isPlainLine(`a${sign}b`), true, JSON.stringify(sign));
    assert.equal(escaped(`a${sign}b`), `a${sign}b`);
  }
});

test('escaped and plainLine return one plain line', () => {
  const texts = fc
    .array(fc.oneof(fc.constantFrom(...HARMFUL, ...HARMLESS), fc.string()))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      const once = escaped(text);
      assert.ok(isPlainLine(once));
      assert.equal(escaped(once), once);
      assert.equal(JSON.parse(escaped(JSON.stringify(text))), text);
      assert.ok(isPlainLine(escapedLines(text).replaceAll(/[\t\r\n]/g, '')));
      assert.ok(isPlainLine(plainLine(text)));
      assert.doesNotMatch(plainLine(text), /^\s|\s$|\s\s/);
    }),
    { numRuns: 2_000 },
  );
  assert.equal(escaped('a\u001b]0;x\u0007\nb'), 'a\\u001b]0;x\\u0007\\u000ab');
  assert.equal(escapedLines('a\u001b\nb'), 'a\\u001b\nb');
  assert.equal(plainLine('\u202b نظافة \u202c\n\t24'), 'نظافة 24');
});
