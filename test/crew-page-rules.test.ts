import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysOf } from '../console/crew/days.ts';
import { asciiDigits } from '../console/crew/digits.ts';
import { endOf, tappedAt } from '../console/crew/steps.ts';

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

test('a link says its end an hour before, and its list is forgotten 12 hours after', () => {
  const kept = { endsAt: '2026-11-22T20:00:00+03:00' };
  const cases: [string, ReturnType<typeof endOf>][] = [
    ['2026-11-22T18:59', null],
    ['2026-11-22T19:00', 'soon'],
    ['2026-11-22T19:59', 'soon'],
    ['2026-11-22T20:00', 'ended'],
    ['2026-11-23T07:59', 'ended'],
    ['2026-11-23T08:00', 'forgotten'],
  ];
  for (const [now, state] of cases) assert.equal(endOf(kept, at(now)), state, now);
  for (const none of [null, {}, { endsAt: null }]) assert.equal(endOf(none, at('2027-01-01T00:00')), null);
});

test('PINs in the digits of any keyboard are the same PIN', () => {
  for (const pin of ['4711', '٤٧١١', '۴۷۱۱', '४७११', '৪৭১১']) assert.equal(asciiDigits(pin), '4711');
  assert.equal(asciiDigits('4a ٧'), '4a 7');
});
