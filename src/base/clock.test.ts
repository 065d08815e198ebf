import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  addDays,
  dateOf,
  formatMinutes,
  isCalendarDate,
  isTimeOfDay,
  parseOffsetDateTime,
  riyadhText,
  secondsOfDay,
  startOfDate,
  timeOf,
  toRiyadhIso,
  weekdayOf,
} from './clock.ts';

const supported = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2100, 11, 31) });
const inRiyadh = (instant: number) =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO('Asia/Riyadh');

test('conversions agree with the time zone database for Asia/Riyadh', () => {
  fc.assert(
    fc.property(supported, (instant) => {
      const zoned = inRiyadh(instant);
      assert.equal(dateOf(instant), zoned.toPlainDate().toString());
      assert.equal(weekdayOf(dateOf(instant)), zoned.dayOfWeek);
      assert.equal(startOfDate(dateOf(instant)), zoned.startOfDay().epochMilliseconds);
      assert.deepEqual(riyadhText(instant), {
        date: dateOf(instant),
        time: timeOf(instant),
        iso: toRiyadhIso(instant),
      });
      assert.equal(secondsOfDay(timeOf(instant)), zoned.hour * 3600 + zoned.minute * 60 + zoned.second);
      assert.equal(
        Temporal.Instant.from(toRiyadhIso(instant)).epochMilliseconds,
        Math.floor(instant / 1000) * 1000,
      );
    }),
  );
});

test('days are added by the calendar', () => {
  fc.assert(
    fc.property(supported, fc.integer({ min: -400, max: 400 }), (instant, days) => {
      assert.equal(addDays(dateOf(instant), days), inRiyadh(instant).toPlainDate().add({ days }).toString());
    }),
  );
});

test('only real calendar dates of 2000 to 2100 are dates', () => {
  for (const date of ['2026-11-22', '2024-02-29', '2000-01-01', '2100-12-31'])
    assert.equal(isCalendarDate(date), true, date);
  for (const date of [
    '2026-02-30',
    '2025-02-29',
    '1999-12-31',
    '2101-01-01',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-1-1',
    '20260101',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '2026-01-01\n',
    '٢٠٢٦-٠١-٠١',
    '',
  ]) {
    assert.equal(isCalendarDate(date), false, date);
  }
});

test('times of day are HH:MM or HH:MM:SS', () => {
  for (const time of ['00:00', '23:59', '09:30:00', '23:59:59']) assert.equal(isTimeOfDay(time), true, time);
  for (const time of ['24:00', '9:30', '09:60', '09:30:60', '0930', '09:30 ', '09:30\n', '09:30:00.5', '']) {
    assert.equal(isTimeOfDay(time), false, time);
  }
  assert.throws(() => secondsOfDay('24:00'), RangeError);
});

test('times are written with seconds only when there are some', () => {
  assert.equal(timeOf(Date.parse('2026-11-22T06:00:00Z')), '09:00');
  assert.equal(timeOf(Date.parse('2026-11-22T06:00:05Z')), '09:00:05');
  assert.equal(formatMinutes(0), '00:00');
  assert.equal(formatMinutes(24 * 60), '00:00');
  assert.equal(formatMinutes(25 * 60 + 5), '01:05');
});

test('a date and time needs an offset and must exist', () => {
  assert.equal(parseOffsetDateTime('2026-11-22T09:00:00+03:00'), Date.parse('2026-11-22T06:00:00Z'));
  assert.equal(parseOffsetDateTime('2026-11-22T06:00Z'), Date.parse('2026-11-22T06:00:00Z'));
  for (const text of [
    '2026-11-22T09:00:00',
    '2026-02-30T09:00:00Z',
    '2026-11-22T25:00:00Z',
    '2026-11-22',
    'now',
  ]) {
    assert.equal(parseOffsetDateTime(text), null, text);
  }
});
