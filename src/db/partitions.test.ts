import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toUtcIso } from '../base/clock.ts';
import { boundFor, nextStart } from './partitions.ts';

const at = (text: string) => Date.parse(text);

test('days and months begin in UTC', () => {
  for (const [step, after, next] of [
    ['day', '2026-11-22T05:00:00Z', '2026-11-23'],
    ['day', '2026-12-31T00:00:00Z', '2027-01-01'],
    ['month', '2026-11-22T05:00:00Z', '2026-12-01'],
    ['month', '2026-12-01T00:00:00Z', '2027-01-01'],
    ['month', '2028-01-31T23:59:59.999Z', '2028-02-01'],
  ] as const)
    assert.equal(nextStart(step, at(after)), at(next), `${step} after ${after}`);
});

test('an open partition ends with its day or month; after a leap of the clock with that of the time', () => {
  const now = at('2026-11-22T05:00:00Z');
  for (const [from, bound] of [
    [null, '2026-12-01'],
    ['2026-12-01', '2027-01-01'],
    // The job has not run for some months: each gets its partition.
    ['2026-03-01', '2026-04-01'],
    ['2020-03-01', '2026-12-01'],
  ] as const)
    assert.equal(toUtcIso(boundFor('month', from === null ? null : at(from), now)), toUtcIso(at(bound)));
});
