import {
  addDays,
  type CalendarDate,
  dateOf,
  type Instant,
  type Minutes,
  secondsOfDay,
} from '../base/clock.ts';
import { repeatFaults } from '../http/id-lists.ts';
import { hijriOf, nextHijri } from './hijri.ts';
import { type Shift, type ShiftInput, shiftFaults } from './rules.ts';

/** Schedules: the hours of teams on certain dates. Pure. */

/** The orders of the operator's list of schedules. */
export const SCHEDULE_ORDERS = ['priority', 'nameEn', 'nameAr', 'createdAt'] as const;

/** A time without visits; `end` <= `start` ends on the next day. weekdays null: every day. */
export type Break = { weekdays: number[] | null; start: Minutes; end: Minutes };

/** From the first date to the last one, both included; null: without an end. */
export type SchedulePeriod = readonly [first: CalendarDate, last: CalendarDate | null];

/** A schedule as the plan of teams has it. */
export type Schedule = {
  id: string;
  name_en: string;
  name_ar: string;
  /** Teams that serve one of the zones; null: not limited by zones. */
  zone_ids: readonly string[] | null;
  team_ids: readonly string[] | null;
  /** Instead of the teams' weekly shifts; empty: closed; null: they keep them. */
  weekly: readonly Shift[] | null;
  breaks: readonly Break[];
  periods: readonly SchedulePeriod[];
};

/** Whether the schedule is for the team. */
export function isForTeam(
  { zone_ids, team_ids }: Pick<Schedule, 'zone_ids' | 'team_ids'>,
  team: { id: string; zone_ids: readonly string[] },
): boolean {
  if (team_ids !== null) return team_ids.includes(team.id);
  return zone_ids === null || zone_ids.some((id) => team.zone_ids.includes(id));
}

/** Whether the schedule holds on the date. */
export const isOn = ({ periods }: Pick<Schedule, 'periods'>, date: CalendarDate): boolean =>
  periods.some(([first, last]) => first <= date && (last === null || date <= last));

export const CALENDARS = ['gregorian', 'islamic-umalqura'] as const;

/** A date of each year of a calendar, for some days; `shifts` move those of a year, as the sighted moon does. */
export type Yearly = {
  calendar: (typeof CALENDARS)[number];
  month: number;
  day: number;
  days: number;
  shifts: { year: number; days: number }[];
};

/** The years ahead for which the dates of a yearly schedule are made. */
export const YEARS_AHEAD = 10;

/** The periods of a yearly schedule from a year before now to ten years after, by date. */
export function periodsOf({ calendar, month, day, days, shifts }: Yearly, now: Instant): SchedulePeriod[] {
  const today = dateOf(now);
  const until = addDays(today, YEARS_AHEAD * 365);
  const periods: SchedulePeriod[] = [];
  for (let from = addDays(today, -366); from <= until; ) {
    const found =
      calendar === 'gregorian' ? nextGregorian(from, month, day) : nextHijri(from, { month, day });
    const year = calendar === 'gregorian' ? Number(found.slice(0, 4)) : hijriOf(found).year;
    const first = addDays(found, shifts.find((shift) => shift.year === year)?.days ?? 0);
    if (found <= until) periods.push([first, addDays(first, days - 1)]);
    from = addDays(found, 1);
  }
  return periods;
}

/** The first date from `from` on with this month and day; 29 February only in leap years. */
function nextGregorian(from: CalendarDate, month: number, day: number): CalendarDate {
  const end = `-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  for (let year = Number(from.slice(0, 4)); ; year++) {
    const date = `${year}${end}`;
    const isDate = new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10) === date;
    if (isDate && date >= from) return date;
  }
}

export type BreakInput = { weekdays?: readonly number[]; startAt: string; endAt: string };

/** The stored form of breaks, by start. */
export function toBreaks(inputs: readonly BreakInput[]): Break[] {
  return inputs
    .map(({ weekdays, startAt, endAt }) => ({
      weekdays: weekdays === undefined ? null : [...weekdays].sort((a, b) => a - b),
      start: secondsOfDay(startAt) / 60,
      end: secondsOfDay(endAt) / 60,
    }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The most days of a month in the calendar. */
const LONGEST = {
  gregorian: [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31],
  'islamic-umalqura': Array<number>(12).fill(30),
} as const;

type ScheduleInput = {
  from?: string | null;
  to?: string | null;
  yearly?: Partial<Pick<Yearly, 'calendar' | 'month' | 'day'>> | null;
  zoneIds?: readonly (string | undefined)[] | null;
  teamIds?: readonly (string | undefined)[] | null;
  closed?: boolean;
  weekly?: readonly (Partial<ShiftInput> | undefined)[] | null;
};

/** Faults of a schedule's fields, beyond their form. */
export function scheduleFaults(input: ScheduleInput): string[] {
  const { from, to, yearly, zoneIds, teamIds, closed, weekly } = input;
  const faults = [
    ...repeatFaults('zoneIds', zoneIds ?? undefined),
    ...repeatFaults('teamIds', teamIds ?? undefined),
    ...shiftFaults(weekly ?? undefined),
  ];
  if (zoneIds != null && teamIds != null) faults.push('zoneIds and teamIds must not be given together');
  if (closed === true && weekly != null) faults.push('closed and weekly must not be given together');
  if (weekly?.length === 0) faults.push('weekly must have a shift: closed says that there is none');
  if (yearly != null && (from != null || to != null))
    faults.push('yearly and from, to must not be given together');
  if (from != null && to != null && to < from) faults.push('to must not be before from');
  if (yearly?.calendar !== undefined && yearly.month !== undefined && yearly.day !== undefined) {
    const most = LONGEST[yearly.calendar][yearly.month - 1] ?? 0;
    if (yearly.day > most) faults.push(`yearly.day must be at most ${most} in this month`);
  }
  return faults;
}
