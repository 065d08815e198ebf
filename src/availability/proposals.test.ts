import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparePlaces, PROPOSED_FIRST, type ProposedPlace } from './proposals.ts';

const [TODAY, TOMORROW] = ['2026-11-29', '2026-11-30'];
const place = (changes: Partial<ProposedPlace> = {}): ProposedPlace => ({
  date: TODAY,
  keepsTime: false,
  keepsTeam: false,
  isHeld: false,
  minutesAway: 60,
  detourKm: 1,
  usedMinutes: 0,
  ...changes,
});
const SAME_TIME = { keepsTime: true, minutesAway: 0 };

/** The better one, the other, and with which setting. */
const CASES: [string, Partial<ProposedPlace>, Partial<ProposedPlace>, (readonly string[])?][] = [
  [
    'today in the evening before tomorrow at its time with its team',
    { minutesAway: 270 },
    { ...SAME_TIME, keepsTeam: true, date: TOMORROW },
  ],
  ['its time before its team', SAME_TIME, { keepsTeam: true }, ['same-time']],
  ['its team before its time', { keepsTeam: true }, SAME_TIME, ['same-team']],
  ['of its times that with its team', { ...SAME_TIME, keepsTeam: true, detourKm: 9 }, SAME_TIME],
  ['of its teams times the same', { ...SAME_TIME, keepsTeam: true }, { keepsTeam: true, minutesAway: 15 }],
  ['what nobody holds', { minutesAway: 240, detourKm: 9 }, { isHeld: true }],
  ['the nearer time', { minutesAway: 30, detourKm: 9 }, { minutesAway: 45 }],
  ['the smaller detour', { detourKm: 0.5, usedMinutes: 300 }, { detourKm: 0.6 }],
  ['the team with less to do', { usedMinutes: 120 }, { usedMinutes: 150 }],
];

for (const [name, better, other, settings = PROPOSED_FIRST] of CASES)
  for (const first of PROPOSED_FIRST)
    test(`${name}, with ${first} first`, () => {
      const [a, b] = settings.includes(first) ? [better, other] : [other, better];
      assert.ok(comparePlaces(place(a), place(b), first) < 0);
      assert.ok(comparePlaces(place(b), place(a), first) > 0);
      assert.equal(comparePlaces(place(a), place(a), first), 0);
    });
