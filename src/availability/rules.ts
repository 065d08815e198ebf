import {
  addDays,
  type CalendarDate,
  type Instant,
  MINUTE,
  type Minutes,
  startOfDate,
  weekdayOf,
} from '../clock.ts';

/**
 * When is a team free? Pure functions over shifts, time off, busy ranges and buffers; the same `fits` decides
 * what is offered (section 4.4) and who may be booked (4.5), so the two cannot disagree.
 */

/** A weekly shift in Riyadh time; `end` <= `start` ends on the next day. */
export type Shift = { weekday: number; start: Minutes; end: Minutes };

/** From `from` up to, not including, `until`; epoch minutes. */
export type Range = { from: number; until: number };

export type Team = {
  id: string;
  /** The number that busy ranges are filed under. */
  number: number;
  name: string;
  bufferMinutes: number;
  shifts: readonly Shift[];
  timeOff: readonly Range[];
  serviceIds: ReadonlySet<string>;
  zoneIds: ReadonlySet<string>;
};

/** What holds a team, by team number: from the start of an appointment to the end of its travel buffer. */
export type BusyRanges = ReadonlyMap<number, readonly Range[]>;

const EMPTY: readonly Range[] = [];

export const toEpochMinutes = (instant: Instant): number => Math.floor(instant / MINUTE);

/** The team's shifts that touch the date, as ranges: those of the date and what is left of the night before. */
export function shiftsOn(team: Team, date: CalendarDate): Range[] {
  const midnight = toEpochMinutes(startOfDate(date));
  const today = weekdayOf(date);
  const yesterday = today === 1 ? 7 : today - 1;
  const ranges: Range[] = [];
  for (const { weekday, start, end } of team.shifts) {
    const overnight = end <= start;
    if (weekday === today) {
      ranges.push({ from: midnight + start, until: midnight + end + (overnight ? 1440 : 0) });
    } else if (weekday === yesterday && overnight && end > 0) {
      ranges.push({ from: midnight + start - 1440, until: midnight + end });
    }
  }
  return ranges;
}

export type Refusal = 'OFF_SHIFT' | 'TIME_OFF' | 'BUSY';

/**
 * Can the team take an appointment from `from` until `until`? It must lie inside one shift and outside time
 * off, and from its start to the end of its travel buffer nothing else may hold the team. Null: yes.
 */
export function refusal(team: Team, shifts: readonly Range[], busy: BusyRanges, slot: Range): Refusal | null {
  if (!shifts.some((shift) => shift.from <= slot.from && slot.until <= shift.until)) return 'OFF_SHIFT';
  for (const off of team.timeOff) {
    if (off.from < slot.until && slot.from < off.until) return 'TIME_OFF';
  }
  const free = slot.until + team.bufferMinutes;
  for (const held of busy.get(team.number) ?? EMPTY) {
    if (held.from < free && slot.from < held.until) return 'BUSY';
  }
  return null;
}

/** What a service and its zone say about slots. */
export type SlotRules = {
  durationMinutes: number;
  gridMinutes: number;
  noticeMinutes: number;
  horizonDays: number;
};

export type SlotProblem =
  | 'SLOT_IN_PAST'
  | 'SLOT_INSIDE_NOTICE'
  | 'SLOT_BEYOND_HORIZON'
  | 'SLOT_NOT_OFFERED'
  | 'SLOT_UNAVAILABLE';

/** Why this start can be offered by nobody, whichever teams are free; null: it can. */
export function startProblem(
  rules: SlotRules,
  today: CalendarDate,
  date: CalendarDate,
  from: number,
  now: Instant,
): SlotProblem | null {
  if (from * MINUTE < now) return 'SLOT_IN_PAST';
  if (from * MINUTE < now + rules.noticeMinutes * MINUTE) return 'SLOT_INSIDE_NOTICE';
  if (date > addDays(today, rules.horizonDays)) return 'SLOT_BEYOND_HORIZON';
  const sinceMidnight = from - toEpochMinutes(startOfDate(date));
  return sinceMidnight % rules.gridMinutes === 0 ? null : 'SLOT_NOT_OFFERED';
}

/** The starts (epoch minutes, ascending) at which at least one team is free on the date. */
export function freeStarts(
  teams: readonly Team[],
  busy: BusyRanges,
  rules: SlotRules,
  today: CalendarDate,
  date: CalendarDate,
  now: Instant,
): number[] {
  const midnight = toEpochMinutes(startOfDate(date));
  const shifts = teams.map((team) => shiftsOn(team, date));
  const starts: number[] = [];
  for (let from = midnight; from < midnight + 1440; from += rules.gridMinutes) {
    if (startProblem(rules, today, date, from, now) !== null) continue;
    const slot = { from, until: from + rules.durationMinutes };
    if (teams.some((team, index) => refusal(team, shifts[index]!, busy, slot) === null)) starts.push(from);
  }
  return starts;
}
