import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOf, planOf, type SeenPlan, withFurtherDays } from '../console/crew/changes.ts';
import type { CrewDay, CrewVisit } from '../console/crew/contract.ts';
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

// ---------------------------------------------------------------------------
// Changes of the plan

const planned = (id: string, time: string, more: Partial<CrewVisit> = {}): CrewVisit =>
  ({
    id,
    startsAt: `${time}:00+03:00`,
    endsAt: new Date(at(time) + 2 * 3_600_000).toISOString(),
    date: time.slice(0, 10),
    status: 'Scheduled',
    address: { districtName: 'Olaya', unit: '1' },
    ...more,
  }) as CrewVisit;
const listOf = (...visits: CrewVisit[]): CrewDay => ({ today: '2026-11-22', tomorrow: '2026-11-23', visits });
const elsewhere = { address: { districtName: 'Malqa' } } as Partial<CrewVisit>;

test('changes of the plan: what the office did, never what the crew reported', () => {
  const ten = planned('a', '2026-11-22T10:00');
  const cases: [string, CrewVisit[], CrewVisit[], string[]][] = [
    ['nothing', [ten], [ten], []],
    ['added', [], [ten], ['a added']],
    ['added and done already', [], [{ ...ten, status: 'Finished' }], []],
    ['added and cancelled already', [], [{ ...ten, status: 'Cancelled' }], []],
    ['moved', [ten], [planned('a', '2026-11-22T12:00')], ['a moved']],
    ['moved to tomorrow', [ten], [planned('a', '2026-11-23T10:00')], ['a moved']],
    ['longer', [ten], [{ ...ten, endsAt: '2026-11-22T14:00:00+03:00' }], ['a moved']],
    ['another address', [ten], [{ ...ten, ...elsewhere }], ['a address']],
    ['both', [ten], [planned('a', '2026-11-22T12:00', elsewhere)], ['a moved address']],
    ['cancelled', [ten], [{ ...ten, status: 'Cancelled' }], ['a cancelled']],
    [
      'cancelled and moved',
      [ten],
      [planned('a', '2026-11-22T12:00', { status: 'Cancelled' })],
      ['a cancelled'],
    ],
    ['not cancelled after all', [{ ...ten, status: 'Cancelled' }], [ten], ['a added']],
    ['gone', [ten], [], ['a gone']],
    ['gone after it was over', [{ ...ten, status: 'Finished' }], [], []],
    ['gone as it was of yesterday', [planned('a', '2026-11-21T20:00')], [], []],
    ['gone tonight', [planned('a', '2026-11-22T00:30')], [], []],
    ['gone of the night that is running', [planned('a', '2026-11-22T08:30')], [], ['a gone']],
    ['confirmed', [ten], [{ ...ten, status: 'Confirmed' }], []],
    ...(['In The Way', 'In The location', 'In Progress', 'Finished', 'Cannot Complete'] as const).map(
      (status): [string, CrewVisit[], CrewVisit[], string[]] => [
        `own step ${status}`,
        [ten],
        [{ ...ten, status }],
        [],
      ],
    ),
    [
      'several, by start',
      [ten, planned('b', '2026-11-22T08:30')],
      [planned('c', '2026-11-22T09:30'), { ...ten, ...elsewhere }],
      ['b gone', 'c added', 'a address'],
    ],
  ];
  for (const [what, seen, now, expected] of cases) {
    const found = changesOf(planOf(listOf(...seen)), now, at('2026-11-22T09:00'));
    assert.deepEqual(
      found.map(({ id, changes }) => [id, ...changes].join(' ')),
      expected,
      what,
    );
  }
  assert.deepEqual(changesOf(null, [ten], at('2026-11-22T09:00')), [], 'the first list');
  const key = (visit: CrewVisit): string => changesOf(planOf(listOf(ten)), [visit], 0)[0]!.key;
  assert.notEqual(
    key(planned('a', '2026-11-22T12:00')),
    key(planned('a', '2026-11-22T13:00')),
    'moved again',
  );
});

test('a further day of the list is no change of the plan', () => {
  const [ten, next] = [planned('a', '2026-11-22T10:00'), planned('b', '2026-11-23T10:00')];
  const seen = planOf(listOf(ten, next));
  const monday: CrewDay = {
    today: '2026-11-23',
    tomorrow: '2026-11-24',
    visits: [next, planned('c', '2026-11-23T14:00'), planned('d', '2026-11-24T10:00')],
  };
  const changes = (plan: SeenPlan) =>
    changesOf(plan, monday.visits, at('2026-11-23T00:01')).map(
      ({ id, changes: [first] }) => `${id} ${first}`,
    );
  const after = withFurtherDays(seen, monday);
  assert.deepEqual(changes(after), ['c added'], 'was put into the day that was seen');
  assert.equal(after.until, '2026-11-24');
  assert.deepEqual(
    after.visits.map(({ id }) => id),
    ['b', 'd'],
    'what is past is forgotten',
  );
  assert.equal(withFurtherDays(after, monday), after);
  // A telephone that was off for days.
  assert.deepEqual(changes(withFurtherDays({ ...seen, until: '2026-11-21' }, monday)), []);
  assert.deepEqual(changes(withFurtherDays(null, monday)), []);
});
