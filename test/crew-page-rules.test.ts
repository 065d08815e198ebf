import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysOf } from '../console/crew/days.ts';
import { tappedAt } from '../console/crew/steps.ts';

/** Pure rules of the crew's page. */

const at = (time: string): number => Date.parse(`${time}:00+03:00`);
const visit = (time: string, status: 'Scheduled' | 'Finished' = 'Scheduled') => ({
  startsAt: `${time}:00+03:00`,
  date: time.slice(0, 10),
  status,
});

test('days: today is now in Riyadh, nights belong to the evening, what is not over stays', () => {
  const visits = [
    visit('2026-11-21T10:00', 'Finished'),
    visit('2026-11-21T22:00'),
    visit('2026-11-22T04:59'),
    visit('2026-11-22T05:00', 'Finished'),
    visit('2026-11-23T00:30'),
    visit('2026-11-23T05:00'),
    visit('2026-11-24T00:30'),
  ];
  const shown = (now: string) =>
    daysOf(visits, at(now)).map(({ date, when, visits: of }) => [
      date.slice(8),
      when,
      of.map(({ startsAt }) => startsAt.slice(8, 16)),
    ]);
  assert.deepEqual(shown('2026-11-22T23:59'), [
    ['22', 'today', ['21T22:00', '22T04:59', '22T05:00', '23T00:30']],
    ['23', 'tomorrow', ['23T05:00', '24T00:30']],
  ]);
  assert.deepEqual(shown('2026-11-23T00:00'), [
    ['23', 'today', ['21T22:00', '22T04:59', '23T00:30', '23T05:00', '24T00:30']],
    ['24', 'tomorrow', []],
  ]);
  assert.deepEqual(shown('2026-11-21T12:00'), [
    ['21', 'today', ['21T10:00', '21T22:00', '22T04:59']],
    ['22', 'tomorrow', ['22T05:00', '23T00:30']],
    ['23', 'later', ['23T05:00', '24T00:30']],
  ]);
});

test('a clock that fell back since the last answer does not make a step older than that', () => {
  const readAt = at('2026-11-22T09:30');
  assert.equal(tappedAt(at('2026-11-22T09:45'), readAt), at('2026-11-22T09:45'));
  assert.equal(tappedAt(60_000, readAt), readAt);
});
