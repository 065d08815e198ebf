import {
  addDays,
  type CalendarDate,
  dateOf,
  type Instant,
  MINUTE,
  startOfDate,
  weekdayOf,
} from '../base/clock.ts';
import type { Shift } from '../teams/rules.ts';

/**
 * When is a team free? Pure functions over shifts, time off, busy ranges and buffers; the same `fits` decides
 * what is offered (section 4.4) and who may be booked (4.5), so the two cannot disagree.
 */

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

/** A team as statements return it: times off in seconds since the epoch, from and until. */
export type TeamColumns = {
  id: string;
  lock_number: number;
  name: string;
  travel_buffer_minutes: number;
  shifts: readonly Shift[];
  time_off: readonly [number, number][];
  service_ids: readonly string[];
  zone_ids: readonly string[];
};

/** A team as the rules take it: minutes instead of instants. */
export function toTeam(row: TeamColumns): Team {
  return {
    id: row.id,
    number: row.lock_number,
    name: row.name,
    bufferMinutes: row.travel_buffer_minutes,
    shifts: row.shifts,
    // Time off counts whole minutes: a started minute is off.
    timeOff: row.time_off.map(([from, until]) => ({
      from: toEpochMinutes(from * 1000),
      until: Math.ceil(until / 60),
    })),
    serviceIds: new Set(row.service_ids),
    zoneIds: new Set(row.zone_ids),
  };
}

/** In how many kinds of work a team can be used: specialists are claimed first, which keeps later options open. */
export const versatility = (team: Team): number => team.serviceIds.size * team.zoneIds.size;

/** An appointment that holds a team: from its start to the end of the travel buffer it was sold with. */
export type Held = Range & { bufferMinutes: number };

/** What holds a team, by team number. */
export type BusyRanges = ReadonlyMap<number, readonly Held[]>;

/** The ranges of statements, which list them as numbers: team, from, until and buffer of each, one after the other. */
export function toBusyRanges(numbers: readonly number[]): BusyRanges {
  const busy = new Map<number, Held[]>();
  for (let at = 0; at < numbers.length; at += 4) {
    const team = numbers[at]!;
    const range = { from: numbers[at + 1]!, until: numbers[at + 2]!, bufferMinutes: numbers[at + 3]! };
    const held = busy.get(team);
    if (held === undefined) busy.set(team, [range]);
    else held.push(range);
  }
  return busy;
}

const EMPTY: readonly Held[] = [];

/**
 * Is less time between what holds the team and a visit with this travel buffer than the longer of their buffers? Which
 * of the two comes first makes no difference.
 */
export function isTooClose(held: Held, from: number, until: number, bufferMinutes: number): boolean {
  const gap = Math.max(held.bufferMinutes, bufferMinutes);
  return held.from < until + gap && from < held.until - held.bufferMinutes + gap;
}

export const MINUTES_OF_DAY = 1440;

/** Minutes since the epoch, rounded down. */
export const toEpochMinutes = (instant: Instant): number => Math.floor(instant / MINUTE);

/** Each weekday's shifts of a team, in minutes from its midnight: worked out once for each version of a team. */
const windows = new WeakMap<Team, readonly (readonly Range[])[]>();

function windowsOf(team: Team, weekday: number): readonly Range[] {
  let week = windows.get(team);
  if (week === undefined) {
    week = [1, 2, 3, 4, 5, 6, 7].map((day) => windowsOn(team.shifts, day));
    windows.set(team, week);
  }
  return week[weekday - 1]!;
}

/** The shifts that touch the weekday: its own, and what is left of the night before. */
function windowsOn(shifts: readonly Shift[], today: number): Range[] {
  const yesterday = today === 1 ? 7 : today - 1;
  return shifts.flatMap(({ weekday, start, end }) => {
    const overnight = end <= start;
    if (weekday === today) return { from: start, until: end + (overnight ? 1440 : 0) };
    if (weekday === yesterday && overnight && end > 0) return { from: start - 1440, until: end };
    return [];
  });
}

/** The team's shifts that touch the date, as ranges of epoch minutes. */
export function shiftsOn(team: Team, date: CalendarDate): Range[] {
  const midnight = toEpochMinutes(startOfDate(date));
  return windowsOf(team, weekdayOf(date)).map(({ from, until }) => ({
    from: midnight + from,
    until: midnight + until,
  }));
}

export type Refusal = 'OFF_SHIFT' | 'TIME_OFF' | 'BUSY';

/**
 * Can the team take an appointment from `from` until `until`? It must lie inside one shift and outside time
 * off, and no other that holds the team may be closer than the travel buffers. Null: yes.
 */
export function refusal(team: Team, shifts: readonly Range[], busy: BusyRanges, slot: Range): Refusal | null {
  if (!liesInOne(shifts, slot.from, slot.until)) return 'OFF_SHIFT';
  return holdsUp(team, busy.get(team.number) ?? EMPTY, slot.from, slot.until);
}

/** `refusal` for a slot that starts on the date, of one team after another. */
export function refusalsOn(
  date: CalendarDate,
  { from, until }: Range,
  busy: BusyRanges,
): (team: Team) => Refusal | null {
  const midnight = toEpochMinutes(startOfDate(date));
  const weekday = weekdayOf(date);
  return (team) => {
    if (!liesInOne(windowsOf(team, weekday), from - midnight, until - midnight)) return 'OFF_SHIFT';
    return holdsUp(team, busy.get(team.number) ?? EMPTY, from, until);
  };
}

function liesInOne(shifts: readonly Range[], from: number, until: number): boolean {
  for (const shift of shifts) {
    if (shift.from <= from && until <= shift.until) return true;
  }
  return false;
}

function holdsUp(team: Team, held: readonly Held[], from: number, until: number): 'TIME_OFF' | 'BUSY' | null {
  for (const off of team.timeOff) {
    if (off.from < until && from < off.until) return 'TIME_OFF';
  }
  for (const each of held) {
    if (isTooClose(each, from, until, team.bufferMinutes)) return 'BUSY';
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

/** Why no team can offer this start (epoch minutes), even if available; null: it can be offered. */
export function startProblem(rules: SlotRules, from: number, now: Instant): SlotProblem | null {
  const date = dateOf(from * MINUTE);
  if (from * MINUTE < now) return 'SLOT_IN_PAST';
  if (from * MINUTE < now + rules.noticeMinutes * MINUTE) return 'SLOT_INSIDE_NOTICE';
  if (date > addDays(dateOf(now), rules.horizonDays)) return 'SLOT_BEYOND_HORIZON';
  const sinceMidnight = from - toEpochMinutes(startOfDate(date));
  return sinceMidnight % rules.gridMinutes === 0 ? null : 'SLOT_NOT_OFFERED';
}

/**
 * The first minute of the date that is outside past and notice and on the grid, from its midnight; 1440 or more: there
 * is none. startProblem's other results for the whole day at once.
 */
export function firstStart(
  { gridMinutes, noticeMinutes }: SlotRules,
  date: CalendarDate,
  now: Instant,
): number {
  const earliest = Math.ceil(now / MINUTE + noticeMinutes) - toEpochMinutes(startOfDate(date));
  return Math.max(0, Math.ceil(earliest / gridMinutes)) * gridMinutes;
}

/** The starts (epoch minutes, ascending) at which at least one team is free on the date. */
export function freeStarts(
  { teams, busy, rules }: { teams: readonly Team[]; busy: BusyRanges; rules: SlotRules },
  date: CalendarDate,
  now: Instant,
): number[] {
  if (date > addDays(dateOf(now), rules.horizonDays)) return [];
  const midnight = toEpochMinutes(startOfDate(date));
  const weekday = weekdayOf(date);
  const first = firstStart(rules, date, now);
  const starts: number[] = [];
  const missing: number[] = [];
  for (let start = first; start < MINUTES_OF_DAY; start += rules.gridMinutes) missing.push(start);
  // Team by team, and only the starts that nobody before could take: the usual day is settled by a few teams.
  for (const team of teams) {
    if (missing.length === 0) break;
    const shifts = windowsOf(team, weekday);
    if (shifts.length === 0) continue;
    const held = busy.get(team.number) ?? EMPTY;
    let left = 0;
    for (const start of missing) {
      const from = midnight + start;
      if (
        liesInOne(shifts, start, start + rules.durationMinutes) &&
        holdsUp(team, held, from, from + rules.durationMinutes) === null
      ) {
        starts.push(from);
      } else {
        missing[left++] = start;
      }
    }
    missing.length = left;
  }
  return starts.sort((a, b) => a - b);
}

/** Faults in the location given to /operator/availability: an address or coordinates, not both. */
export function placeFaults(given: readonly string[]): string[] {
  const [address, lat, lng] = ['addressId', 'lat', 'lng'].map((name) => given.includes(name));
  if (address) return lat || lng ? ['addressId and lat, lng must not be given together'] : [];
  return lat && lng ? [] : ['addressId, or lat and lng, must be given'];
}
