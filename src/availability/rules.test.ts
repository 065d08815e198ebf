import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addDays, type CalendarDate, DAY, dateOf, MINUTE, startOfDate, weekdayOf } from '../base/clock.ts';
import type { Shift } from '../teams/rules.ts';
import type { Schedule } from '../teams/schedule-rules.ts';
import type { Range } from './hours.ts';
import {
  type BusyRanges,
  dayState,
  firstDate,
  freeStarts,
  type Held,
  refusalsOn,
  type SlotRules,
  startProblem,
  type Team,
  toBusyRanges,
  toEpochMinutes,
  toTeam,
} from './rules.ts';

const DATE: CalendarDate = '2026-11-25'; // a Wednesday
const MIDNIGHT = toEpochMinutes(startOfDate(DATE));

function team(fields: Partial<Team> = {}): Team {
  return {
    id: 'team',
    number: 1,
    name: 'Team',
    nameAr: null,
    bufferMinutes: 30,
    shifts: [{ weekday: weekdayOf(DATE), start: 8 * 60, end: 16 * 60 }],
    schedules: [],
    timeOff: [],
    serviceIds: new Set(),
    zoneIds: new Set(),
    ...fields,
  };
}

const rules: SlotRules = { durationMinutes: 120, gridMinutes: 30, noticeMinutes: 120, horizonDays: 60 };
const LONG_BEFORE = startOfDate(addDays(DATE, -3));

/** Hours after midnight at which slots start. */
function hours(
  teams: Team[],
  busy: BusyRanges = new Map(),
  now = LONG_BEFORE,
  changed: Partial<SlotRules> = {},
): number[] {
  const starts = freeStarts({ teams, busy, rules: { ...rules, ...changed } }, DATE, now);
  return starts.map((start) => (start - MIDNIGHT) / 60);
}

const at = (from: number, until: number): Range => ({
  from: MIDNIGHT + from * 60,
  until: MIDNIGHT + until * 60,
});
/** A visit with the buffer it was sold with. */
const sold = (from: number, until: number, bufferMinutes: number): Held => ({
  ...at(from, until + bufferMinutes / 60),
  bufferMinutes,
});

test('slots lie inside one shift', () => {
  assert.deepEqual(hours([team()], new Map(), LONG_BEFORE, { gridMinutes: 120 }), [8, 10, 12, 14]);
  const split = team({
    shifts: [
      { weekday: weekdayOf(DATE), start: 8 * 60, end: 11 * 60 },
      { weekday: weekdayOf(DATE), start: 11 * 60, end: 14 * 60 },
    ],
  });
  assert.deepEqual(hours([split], new Map(), LONG_BEFORE, { gridMinutes: 60 }), [8, 9, 11, 12]);
});

test('the travel buffer lies between appointments', () => {
  // Held 10:00 to 12:00 and the buffer: the next may start at 12:30, the one before must end by 9:30.
  const busy = new Map([[1, [sold(10, 12, 30)]]]);
  assert.deepEqual(hours([team()], busy), [12.5, 13, 13.5, 14]);
  assert.deepEqual(
    hours([team({ shifts: [{ weekday: weekdayOf(DATE), start: 7 * 60, end: 16 * 60 }] })], busy),
    [7, 7.5, 12.5, 13, 13.5, 14],
  );
});

test('the travel buffer is the longer of the two, on both sides', () => {
  const early = [{ weekday: weekdayOf(DATE), start: 6 * 60, end: 16 * 60 }];
  const around = (bufferMinutes: number, soldWith: number): number[] =>
    hours([team({ bufferMinutes, shifts: early })], new Map([[1, [sold(10, 12, soldWith)]]]), LONG_BEFORE, {
      durationMinutes: 60,
      gridMinutes: 60,
    });
  const [before, after] = [
    [6, 7, 8],
    [13, 14, 15],
  ] as const;
  assert.deepEqual(around(0, 0), [...before, 9, 12, ...after]);
  assert.deepEqual(around(60, 0), [...before, ...after], 'raised after it was sold');
  assert.deepEqual(around(0, 60), [...before, ...after], 'lowered after it was sold');
  assert.deepEqual(around(60, 60), [...before, ...after]);
  assert.deepEqual(around(30, 60), [...before, ...after]);
  assert.deepEqual(around(90, 60), [6, 7, 14, 15]);
});

test('the buffer is not needed against the ends of a shift or of time off', () => {
  assert.deepEqual(hours([team({ timeOff: [at(10, 14)] })]), [8, 14]);
});

test('a minute of time off that has begun is off', () => {
  const seconds = (hour: number) => (MIDNIGHT + hour * 60) * 60;
  const { timeOff } = toTeam(
    {
      id: 'team',
      lock_number: 1,
      name: 'Team',
      name_ar: null,
      travel_buffer_minutes: 30,
      shifts: [],
      time_off: [
        [seconds(10) + 30, seconds(11) + 30],
        [seconds(12), seconds(13)],
      ],
      service_ids: [],
      zone_ids: [],
    },
    [],
  );
  assert.deepEqual(timeOff, [at(10, 11 + 1 / 60), at(12, 13)]);
});

test('a minute that has begun is held', () => {
  /** Seconds after 10:00, until the end and of the buffer. */
  const period = (team: number, start: number, length: number, buffer: number) => {
    const startsAt = ((MIDNIGHT + 600) * 60 + start) * 1000;
    return {
      team,
      startsAt,
      endsAt: startsAt + length * 1000,
      busyUntil: startsAt + (length + buffer) * 1000,
    };
  };
  const known = toBusyRanges([period(1, 0, 7_200, 1_800)]);
  const more = [period(1, 30, 7_200, 1_800), period(2, 0, 3_570, 30), period(1, 59, 60, 0)];
  assert.deepEqual(
    [...toBusyRanges(more, known)],
    [
      [
        1,
        [
          { from: MIDNIGHT + 600, until: MIDNIGHT + 750, bufferMinutes: 30 },
          { from: MIDNIGHT + 600, until: MIDNIGHT + 751, bufferMinutes: 30 },
          { from: MIDNIGHT + 600, until: MIDNIGHT + 602, bufferMinutes: 0 },
        ],
      ],
      [2, [{ from: MIDNIGHT + 600, until: MIDNIGHT + 660, bufferMinutes: 1 }]],
    ],
  );
});

test('an overnight shift serves the evening and the morning after', () => {
  const night: Shift = { weekday: weekdayOf(DATE), start: 22 * 60, end: 2 * 60 };
  assert.deepEqual(hours([team({ shifts: [night] })]), [22, 22.5, 23, 23.5]);
  const before: Shift = { ...night, weekday: weekdayOf(addDays(DATE, -1)) };
  assert.deepEqual(hours([team({ shifts: [before] })]), [0]);
});

test('a shift from a time to the same time lasts 24 hours', () => {
  const round = team({ shifts: [{ weekday: weekdayOf(DATE), start: 0, end: 0 }] });
  assert.equal(hours([round]).length, 45); // 00:00 to 22:00: it ends at midnight
});

test('nothing is offered in the past, inside the notice or beyond the horizon', () => {
  const nine = startOfDate(DATE) + 9 * 60 * MINUTE;
  assert.deepEqual(hours([team()], new Map(), nine, { gridMinutes: 60 }), [11, 12, 13, 14]);
  assert.deepEqual(hours([team()], new Map(), nine + 1, { gridMinutes: 60 }), [12, 13, 14]);
  const on = (today: CalendarDate) =>
    freeStarts({ teams: [team()], busy: new Map(), rules }, DATE, startOfDate(today)).length;
  assert.equal(on(addDays(DATE, -60)) > 0, true);
  assert.equal(on(addDays(DATE, -61)), 0);
});

// ---------------------------------------------------------------------------
// The slow, obvious model: minute by minute, over three days.

const minutes = (from: number, until: number): number[] =>
  Array.from({ length: until - from }, (_, index) => from + index);

function obviousStarts(
  teams: Team[],
  busy: BusyRanges,
  wanted: SlotRules,
  today: CalendarDate,
  now: number,
): number[] {
  const starts: number[] = [];
  for (const start of minutes(MIDNIGHT, MIDNIGHT + 1440)) {
    if ((start - MIDNIGHT) % wanted.gridMinutes !== 0) continue;
    if (start * MINUTE < now + wanted.noticeMinutes * MINUTE || start * MINUTE < now) continue;
    if (startOfDate(DATE) > startOfDate(today) + wanted.horizonDays * 1440 * MINUTE) continue;
    const work = minutes(start, start + wanted.durationMinutes);
    const free = teams.some((candidate) => {
      const onDay = (day: number) =>
        candidate.schedules.filter(({ periods }) =>
          periods.some(
            ([first, last]) =>
              startOfDate(first) <= startOfDate(DATE) + day * DAY &&
              startOfDate(last ?? '2100-01-01') >= startOfDate(DATE) + day * DAY,
          ),
        );
      const isInBreak = [-1, 0, 1].some((day) =>
        onDay(day).some(({ breaks }) =>
          breaks.some(({ weekdays, start: begin, end }) => {
            if (weekdays !== null && !weekdays.includes(weekdayOf(addDays(DATE, day)))) return false;
            const pause = minutes(begin, end > begin ? end : end + 1440).map(
              (at) => MIDNIGHT + day * 1440 + at,
            );
            return work.some((minute) => pause.includes(minute));
          }),
        ),
      );
      const inOneShift = [-1, 0].some((day) =>
        (onDay(day).find(({ weekly }) => weekly !== null)?.weekly ?? candidate.shifts).some((shift) => {
          if (shift.weekday !== weekdayOf(addDays(DATE, day))) return false;
          const from = MIDNIGHT + day * 1440 + shift.start;
          const until = MIDNIGHT + day * 1440 + (shift.end > shift.start ? shift.end : shift.end + 1440);
          const onShift = new Set(minutes(from, until));
          return work.every((minute) => onShift.has(minute));
        }),
      );
      const off = candidate.timeOff.some((range) =>
        work.some((minute) => range.from <= minute && minute < range.until),
      );
      const held = (busy.get(candidate.number) ?? []).some((range) =>
        minutes(range.from, range.until - range.bufferMinutes).some((minute) => {
          const gap = Math.max(range.bufferMinutes, candidate.bufferMinutes);
          return start - gap <= minute && minute < start + wanted.durationMinutes + gap;
        }),
      );
      return inOneShift && !isInBreak && !off && !held;
    });
    if (free) starts.push(start);
  }
  return starts;
}

const minuteOfDay = fc.integer({ min: 0, max: 95 }).map((quarter) => quarter * 15);
const someRange = fc
  .tuple(fc.integer({ min: -600, max: 1800 }), fc.integer({ min: 1, max: 400 }))
  .map(([from, length]) => ({ from: MIDNIGHT + from, until: MIDNIGHT + from + length }));
const someHeld = fc.tuple(someRange, fc.constantFrom(0, 15, 60, 90)).map(([range, bufferMinutes]) => ({
  from: range.from,
  until: range.until + bufferMinutes,
  bufferMinutes,
}));
const someShifts = fc.array(
  fc.record({ weekday: fc.constantFrom(2, 3, 4), start: minuteOfDay, end: minuteOfDay }),
  { maxLength: 3 },
);
const someDay = fc.integer({ min: -3, max: 2 }).map((days) => addDays(DATE, days));
const someSchedule: fc.Arbitrary<Schedule> = fc.record({
  id: fc.constant('schedule'),
  name_en: fc.constant('Season'),
  name_ar: fc.constant('موسم'),
  zone_ids: fc.constant(null),
  team_ids: fc.constant(null),
  weekly: fc.option(someShifts),
  breaks: fc.array(
    fc.record({
      weekdays: fc.option(fc.subarray([1, 2, 3, 4, 5, 6, 7])),
      start: minuteOfDay,
      end: minuteOfDay,
    }),
    { maxLength: 2 },
  ),
  periods: fc.array(
    fc
      .tuple(someDay, fc.option(fc.integer({ min: 0, max: 4 })))
      .map(([first, days]) => [first, days === null ? null : addDays(first, days)] as const),
    { maxLength: 2 },
  ),
});
const someTeam = fc.record({
  bufferMinutes: fc.constantFrom(0, 15, 30, 60),
  shifts: someShifts,
  schedules: fc.oneof(fc.constant([]), fc.array(someSchedule, { maxLength: 3 })),
  timeOff: fc.array(someRange, { maxLength: 2 }),
});
const world = fc.record({
  teams: fc
    .array(someTeam, { maxLength: 3 })
    .map((teams) => teams.map((fields, index) => team({ ...fields, number: index }))),
  busy: fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), someHeld), { maxLength: 6 }),
  rules: fc.record({
    durationMinutes: fc.constantFrom(30, 60, 120, 480),
    gridMinutes: fc.constantFrom(15, 30, 45, 60),
    noticeMinutes: fc.constantFrom(0, 120, 3000),
    horizonDays: fc.constantFrom(0, 1, 60),
  }),
  today: fc.constantFrom(addDays(DATE, -2), addDays(DATE, -1), DATE, addDays(DATE, 1)),
  minuteNow: minuteOfDay,
});

test('slots agree with a minute-by-minute model, and with the teams that can be booked', () => {
  fc.assert(
    fc.property(world, ({ teams, busy, rules: wanted, today, minuteNow }) => {
      const ranges = new Map<number, Held[]>();
      for (const [number, range] of busy) ranges.set(number, [...(ranges.get(number) ?? []), range]);
      const now = startOfDate(today) + minuteNow * MINUTE;
      const starts = freeStarts({ teams, busy: ranges, rules: wanted }, DATE, now);
      assert.deepEqual(starts, obviousStarts(teams, ranges, wanted, today, now));
      const bookable = minutes(MIDNIGHT, MIDNIGHT + 1440).filter((from) => {
        const refusalOf = refusalsOn(DATE, { from, until: from + wanted.durationMinutes }, ranges);
        return startProblem(wanted, from, now) === null && teams.some((each) => refusalOf(each) === null);
      });
      assert.deepEqual(starts, bookable);
      // Closed: nothing could be booked if nobody were busy.
      const offered = obviousStarts(teams, new Map(), wanted, today, now);
      const day = { teams, busy: ranges, rules: wanted };
      const state = starts.length > 0 ? 'FREE' : offered.length > 0 ? 'FULL' : 'CLOSED';
      assert.equal(dayState(starts, day, DATE, now), state);
      let first = toEpochMinutes(startOfDate(today));
      while (startProblem({ ...wanted, horizonDays: 9 }, first, now) !== null) first += wanted.gridMinutes;
      assert.equal(firstDate(wanted, now), dateOf(first * MINUTE));
    }),
    { numRuns: 600 },
  );
});
