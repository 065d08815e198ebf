import { addDays, type CalendarDate, weekdayOf } from '../base/clock.ts';
import type { Shift } from '../teams/rules.ts';
import { isOn, type Schedule } from '../teams/schedule-rules.ts';

/**
 * The hours of a team on a date: its weekly shifts, or those of the schedule that holds there, without breaks. Pure;
 * is_in_team_hours (src/teams/functions.sql) is the same in SQL.
 */

/** From `from` up to, not including, `until`; minutes. */
export type Range = { from: number; until: number };

/** A team's weekly shifts, and the schedules for it, the strongest first. */
export type WithHours = { shifts: readonly Shift[]; schedules: readonly Schedule[] };

const DAY_MINUTES = 1_440;

/** The range of a shift or break that starts on a date whose midnight is at `midnight`. */
function rangeOf({ start, end }: { start: number; end: number }, midnight: number): Range {
  return { from: midnight + start, until: midnight + end + (end <= start ? DAY_MINUTES : 0) };
}

/** The schedule whose hours hold on the date instead of the weekly shifts; null: none. */
export const scheduleOn = ({ schedules }: WithHours, date: CalendarDate): Schedule | null =>
  schedules.find((schedule) => schedule.weekly !== null && isOn(schedule, date)) ?? null;

/** The shifts that start on the date. */
function shiftsFrom(team: WithHours, date: CalendarDate): readonly Shift[] {
  const weekday = weekdayOf(date);
  return (scheduleOn(team, date)?.weekly ?? team.shifts).filter((shift) => shift.weekday === weekday);
}

/** A break with the schedule that it comes from. */
export type BreakOn = Range & { schedule: Schedule };

/** The breaks of the day before, the date and the next one; minutes from midnight of the date. */
export function breaksAround({ schedules }: WithHours, date: CalendarDate): BreakOn[] {
  return [-1, 0, 1].flatMap((days) => {
    const day = addDays(date, days);
    const weekday = weekdayOf(day);
    return schedules.flatMap((schedule) =>
      isOn(schedule, day)
        ? schedule.breaks
            .filter(({ weekdays }) => weekdays === null || weekdays.includes(weekday))
            .map((each) => ({ ...rangeOf(each, days * DAY_MINUTES), schedule }))
        : [],
    );
  });
}

const weeks = new WeakMap<WithHours, readonly (readonly Range[])[]>();
const dated = new WeakMap<WithHours, Map<CalendarDate, readonly Range[]>>();

/**
 * The ranges of the date in which a visit may lie: the shifts that touch it, the rest of the night before included, cut
 * by breaks. Minutes from midnight. Kept for the life of the team's object, which belongs to a version of the plan.
 */
export const hoursOn = (team: WithHours, date: CalendarDate): readonly Range[] => hoursOfDate(date)(team);

/** hoursOn for many teams. */
export function hoursOfDate(date: CalendarDate): (team: WithHours) => readonly Range[] {
  const weekday = weekdayOf(date);
  return (team) => (isDated(team, date) ? datedHours(team, date) : weeklyHours(team, weekday));
}

function datedHours(team: WithHours, date: CalendarDate): readonly Range[] {
  const days = dated.get(team) ?? new Map<CalendarDate, readonly Range[]>();
  dated.set(team, days);
  let found = days.get(date);
  if (found === undefined) {
    const yesterday = shiftsFrom(team, addDays(date, -1))
      .map((shift) => rangeOf(shift, -DAY_MINUTES))
      .filter(({ until }) => until > 0);
    const shifts = [...shiftsFrom(team, date).map((shift) => rangeOf(shift, 0)), ...yesterday];
    found = breaksAround(team, date).reduce(without, shifts);
    days.set(date, found);
  }
  return found;
}

/** Whether a schedule holds on the date or next to it. */
function isDated({ schedules }: WithHours, date: CalendarDate): boolean {
  if (schedules.length === 0) return false;
  const days = [addDays(date, -1), date, addDays(date, 1)];
  return schedules.some((schedule) => days.some((day) => isOn(schedule, day)));
}

/** The hours of a weekday by the weekly shifts alone. */
export function weeklyHours(team: WithHours, weekday: number): readonly Range[] {
  let week = weeks.get(team);
  if (week === undefined) {
    week = [1, 2, 3, 4, 5, 6, 7].map((day) => {
      const yesterday = day === 1 ? 7 : day - 1;
      return team.shifts.flatMap((shift) => {
        if (shift.weekday === day) return rangeOf(shift, 0);
        const range = rangeOf(shift, -DAY_MINUTES);
        return shift.weekday === yesterday && range.until > 0 ? range : [];
      });
    });
    weeks.set(team, week);
  }
  return week[weekday - 1]!;
}

/** The ranges without the cut. */
function without(ranges: readonly Range[], cut: Range): Range[] {
  return ranges.flatMap((range) => {
    if (cut.until <= range.from || range.until <= cut.from) return [range];
    return [
      { from: range.from, until: cut.from },
      { from: cut.until, until: range.until },
    ].filter(({ from, until }) => from < until);
  });
}

/** Whether one of the ranges contains the whole slot. */
export function isInOneShift(shifts: readonly Range[], from: number, until: number): boolean {
  for (const shift of shifts) {
    if (shift.from <= from && until <= shift.until) return true;
  }
  return false;
}

/**
 * The schedule that keeps the team from a slot that lies in its weekly shifts: by a break, or by its hours; null: the
 * weekly shifts refuse it too, or nothing does. Minutes from midnight of the date.
 */
export function scheduleAgainst(team: WithHours, date: CalendarDate, slot: Range): Schedule | null {
  if (!isInOneShift(weeklyHours(team, weekdayOf(date)), slot.from, slot.until)) return null;
  if (isInOneShift(hoursOn(team, date), slot.from, slot.until)) return null;
  const cut = breaksAround(team, date).find((each) => each.from < slot.until && slot.from < each.until);
  return cut?.schedule ?? scheduleOn(team, date) ?? scheduleOn(team, addDays(date, -1));
}
