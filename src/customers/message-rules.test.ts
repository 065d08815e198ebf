import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR, type Instant, MINUTE } from '../base/clock.ts';
import { endOfQuietHours, newMessages, type Planned, staleBecause, type Visit } from './message-rules.ts';

const at = (text: string): Instant => Date.parse(`${text}:00+03:00`);
const NOW = at('2026-11-22T10:00');
const KINDS = ['BOOKED', 'DAY_BEFORE', 'ON_THE_WAY', 'DONE'] as const;
const VISIT: Visit = {
  status: 'in progress',
  appointment_status: 'Scheduled',
  starts_at: at('2026-11-25T10:00'),
  kinds: KINDS,
};
const CREATED = ['booking.created'] as const;
const due = (
  visit: Visit,
  now = NOW,
  events: Parameters<typeof newMessages>[1] = CREATED,
  planned: Planned[] = [],
) =>
  newMessages(visit, events, planned, now).map(({ kind, version, dueAt, dropped }) => [
    kind,
    version,
    dueAt,
    dropped,
  ]);

test('quiet hours are from 21:00 to 09:00 in Riyadh', () => {
  assert.equal(endOfQuietHours(at('2026-11-22T09:00')), null);
  assert.equal(endOfQuietHours(at('2026-11-22T21:00') - 1), null);
  assert.equal(endOfQuietHours(at('2026-11-22T21:00')), at('2026-11-23T09:00'));
  assert.equal(endOfQuietHours(at('2026-11-23T00:00')), at('2026-11-23T09:00'));
  assert.equal(endOfQuietHours(at('2026-11-23T09:00') - 1), at('2026-11-23T09:00'));
});

test('a booking is told at once, and reminded of a day before', () => {
  assert.deepEqual(due(VISIT), [
    ['BOOKED', 1, NOW, null],
    ['DAY_BEFORE', 1, at('2026-11-24T10:00'), null],
  ]);
  // At night, in the morning.
  assert.deepEqual(due({ ...VISIT, starts_at: at('2026-11-25T08:00') }, at('2026-11-22T23:00')), [
    ['BOOKED', 1, at('2026-11-23T09:00'), null],
    ['DAY_BEFORE', 1, at('2026-11-24T09:00'), null],
  ]);
  // A customer who books within a day has just been told.
  assert.deepEqual(due({ ...VISIT, starts_at: NOW + DAY }), [['BOOKED', 1, NOW, null]]);
  assert.deepEqual(due({ ...VISIT, kinds: [] }), []);
  assert.deepEqual(due({ ...VISIT, status: 'waiting payment' }), []);
  // Another change tells nothing about the time.
  assert.deepEqual(due({ ...VISIT, kinds: ['BOOKED'] }, NOW, ['booking.appointment_status_changed']), []);
});

test('news is told at once, and at night never', () => {
  const visit: Visit = { ...VISIT, appointment_status: 'In The Way' };
  assert.deepEqual(due(visit), [['ON_THE_WAY', 1, NOW, null]]);
  const night = at('2026-11-25T21:30');
  assert.deepEqual(due(visit, night), [['ON_THE_WAY', 1, night, 'QUIET_HOURS']]);
  for (const appointment_status of ['Finished', 'Completed'] as const)
    assert.deepEqual(due({ ...visit, appointment_status }), [['DONE', 1, NOW, null]]);
  assert.deepEqual(due({ ...visit, appointment_status: 'In Progress' }), []);
});

test('a move plans again; a message that was told, failed or dropped for another reason is not repeated', () => {
  const told: Planned = { kind: 'BOOKED', version: 1, starts_at: VISIT.starts_at, reason: null };
  const only: Visit = { ...VISIT, kinds: ['BOOKED'] };
  assert.deepEqual(due(only, NOW, ['booking.updated'], [told]), []);
  const moved = { ...only, starts_at: VISIT.starts_at + HOUR };
  assert.deepEqual(due(moved, NOW, ['booking.updated'], [told]), [['BOOKED', 2, NOW, null]]);
  // Back, before anything was sent about the other time, and after.
  const unsent: Planned = { ...told, version: 2, starts_at: moved.starts_at, reason: 'MOVED' };
  assert.deepEqual(due(only, NOW, ['booking.updated'], [told, unsent]), []);
  assert.deepEqual(due(only, NOW, ['booking.updated'], [told, { ...unsent, reason: null }]), [
    ['BOOKED', 3, NOW, null],
  ]);
  assert.deepEqual(due(only, NOW, ['booking.updated'], [{ ...told, reason: 'MOVED' }]), [
    ['BOOKED', 2, NOW, null],
  ]);
  assert.deepEqual(due(only, NOW, ['booking.updated'], [{ ...told, reason: 'QUIET_HOURS' }]), []);
});

test('what is no longer so is not sent', () => {
  const message = { kind: 'DAY_BEFORE', starts_at: VISIT.starts_at, due_at: NOW } as const;
  const way = { ...message, kind: 'ON_THE_WAY' } as const;
  const onTheWay: Visit = { ...VISIT, appointment_status: 'In The Way' };
  assert.equal(staleBecause(message, VISIT, NOW), null);
  assert.equal(staleBecause(message, { ...VISIT, starts_at: NOW + DAY }, NOW), 'MOVED');
  assert.equal(staleBecause(message, { ...VISIT, status: 'canceled' }, NOW), 'CANCELLED');
  assert.equal(staleBecause(message, { ...VISIT, status: 'failed' }, NOW), 'CANCELLED');
  assert.equal(staleBecause(message, { ...VISIT, appointment_status: 'Cancelled' }, NOW), 'CANCELLED');
  assert.equal(staleBecause(message, onTheWay, NOW), 'OVER');
  assert.equal(staleBecause(message, VISIT, VISIT.starts_at), 'TOO_LATE');
  assert.equal(staleBecause(message, { ...VISIT, kinds: ['DONE'] }, NOW), 'SWITCHED_OFF');
  assert.equal(staleBecause(way, onTheWay, NOW), null);
  assert.equal(staleBecause(way, onTheWay, NOW + HOUR), 'TOO_LATE');
  assert.equal(staleBecause(way, { ...VISIT, appointment_status: 'In The location' }, NOW + MINUTE), 'OVER');
  assert.equal(staleBecause(way, onTheWay, at('2026-11-22T22:00')), 'QUIET_HOURS');
});
