import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Team } from '../availability/rules.ts';
import { drawGuesses } from './guesses.ts';

const team = (number: number, services = 1): Team => ({
  id: `team ${number}`,
  number,
  name: '',
  bufferMinutes: 30,
  shifts: [],
  timeOff: [],
  serviceIds: new Set(Array.from({ length: services }, (_, index) => String(index))),
  zoneIds: new Set(['zone']),
});
const PERIOD = { from: 600, until: 720 };
const anyone = () => true;
const numbers = (teams: readonly Team[]): number[] => teams.map(({ number }) => number);

test('teams that seem free come first, then specialists, and those that seem held last', () => {
  const teams = [team(1), team(2), team(3, 2), team(4, 2), team(5, 3)];
  const hint = new Map([
    [1, [{ from: 700, until: 800, bufferMinutes: 0 }]],
    // Until the visit begins, and from the end of its journey on: free.
    [2, [{ from: 500, until: 600, bufferMinutes: 30 }]],
    [3, [{ from: 750, until: 900, bufferMinutes: 0 }]],
    // It would still be on its way.
    [4, [{ from: 749, until: 900, bufferMinutes: 0 }]],
  ]);
  for (let round = 0; round < 20; round++) {
    assert.deepEqual(numbers(drawGuesses(teams, anyone, hint, PERIOD, 9)), [2, 3, 5, 1, 4]);
    assert.deepEqual(numbers(drawGuesses(teams, anyone, hint, PERIOD, 4)), [2, 3, 5, 1]);
    assert.deepEqual(numbers(drawGuesses(teams, anyone, hint, PERIOD, 2)), [2, 3]);
  }
  assert.deepEqual(drawGuesses([], anyone, hint, PERIOD, 2), []);
});

test('who cannot take it is not drawn, and nobody is asked who is not', () => {
  const teams = [team(1), team(2), team(3, 2), team(4, 2), team(5, 3), team(6, 3)];
  for (let round = 0; round < 20; round++) {
    const asked: number[] = [];
    const canTake = ({ number }: Team): boolean => {
      asked.push(number);
      return number !== 1 && number !== 4;
    };
    assert.deepEqual(numbers(drawGuesses(teams, canTake, null, PERIOD, 2)), [2, 3]);
    assert.deepEqual(new Set(asked).size, asked.length, 'each once');
    assert.ok(!asked.includes(5) && !asked.includes(6));
  }
  assert.deepEqual(
    drawGuesses(teams, () => false, null, PERIOD, 2),
    [],
  );
});

test('equals are drawn by lot, each once and each as often as the others', () => {
  const teams = Array.from({ length: 10 }, (_, index) => team(index));
  const drawn = new Map<number, number>();
  const ROUNDS = 5_000;
  for (let round = 0; round < ROUNDS; round++) {
    const guesses = numbers(drawGuesses(teams, anyone, null, PERIOD, 3));
    assert.equal(new Set(guesses).size, 3);
    for (const number of guesses) drawn.set(number, (drawn.get(number) ?? 0) + 1);
  }
  // 1,500 each are expected; 200 more or less are six standard deviations.
  for (const { number } of teams)
    assert.ok(Math.abs(drawn.get(number)! - ROUNDS * 0.3) < 200, `team ${number}`);
});
