import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gapAround, startOf } from './partitions.ts';

const at = (text: string) => Date.parse(text);

test('days and months start in UTC', () => {
  for (const [step, of, start, next] of [
    ['day', '2026-11-22T05:00:00Z', '2026-11-22', '2026-11-23'],
    ['day', '2026-12-31T00:00:00Z', '2026-12-31', '2027-01-01'],
    ['month', '2026-11-22T05:00:00Z', '2026-11-01', '2026-12-01'],
    ['month', '2026-12-01T00:00:00Z', '2026-12-01', '2027-01-01'],
    ['month', '2028-01-31T23:59:59.999Z', '2028-01-01', '2028-02-01'],
  ] as const) {
    assert.equal(startOf(step, at(of)), at(start), `${step} of ${of}`);
    assert.equal(startOf(step, at(of), 1), at(next), `${step} after ${of}`);
  }
});

test('a new partition covers its day or month, without parts of existing partitions', () => {
  const range = (from: string, until: string) => ({ from: at(from), until: at(until) });
  const days = [range('2026-11-04', '2026-11-05'), range('2026-11-20', '2026-11-21')];
  for (const [step, of, expected] of [
    ['day', '2026-11-22T05:00:00Z', range('2026-11-22', '2026-11-23')],
    ['month', '2026-11-22T05:00:00Z', range('2026-11-21', '2026-12-01')],
    ['month', '2026-11-12', range('2026-11-05', '2026-11-20')],
    ['month', '2026-11-02', range('2026-11-01', '2026-11-04')],
  ] as const)
    assert.deepEqual(gapAround(days, step, at(of)), expected, `${step} of ${of}`);
  const before = [{ from: Number.NEGATIVE_INFINITY, until: at('2026-11-20') }];
  assert.deepEqual(gapAround(before, 'month', at('2026-11-22')), range('2026-11-20', '2026-12-01'));
});
