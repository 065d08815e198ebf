import { addDays, type CalendarDate, dateOf, type Instant, MINUTE, startOfDate } from '../base/clock.ts';
import type { Shift } from '../teams/rules.ts';
import { isForTeam, type Schedule } from '../teams/schedule-rules.ts';
import { hoursOfDate, hoursOn, isInOneShift, type Range, type WithHours } from './hours.ts';

/**
 * The rules of free teams: pure functions over shifts, time off, holds and buffers. `freeStarts` has the offered slots
 * (section 4.4), `refusal` the bookable teams (4.5); rules.test.ts compares both at random, and with a model of every minute.
 */

export type Team = WithHours & {
  id: string;
  /** The key of the team's busy ranges. */
  number: number;
  name: string;
  nameAr: string | null;
  bufferMinutes: number;
  /** Epoch minutes. */
  timeOff: readonly Range[];
  serviceIds: ReadonlySet<string>;
  zoneIds: ReadonlySet<string>;
};

/** A row of a team; times off in seconds since the epoch, from and until. */
export type TeamColumns = {
  id: string;
  lock_number: number;
  name: string;
  name_ar: string | null;
  travel_buffer_minutes: number;
  shifts: readonly Shift[];
  time_off: readonly [number, number][];
  service_ids: readonly string[];
  zone_ids: readonly string[];
};

/** A team with minutes instead of instants, and with those of the schedules, the strongest first, that are for it. */
export function toTeam(row: TeamColumns, schedules: readonly Schedule[]): Team {
  return {
    id: row.id,
    number: row.lock_number,
    name: row.name,
    nameAr: row.name_ar,
    bufferMinutes: row.travel_buffer_minutes,
    shifts: row.shifts,
    schedules: schedules.filter((schedule) => isForTeam(schedule, row)),
    // Time off counts whole minutes: a started minute is off.
    timeOff: row.time_off.map(([from, until]) => ({
      from: toEpochMinutes(from * 1000),
      until: Math.ceil(until / 60),
    })),
    serviceIds: new Set(row.service_ids),
    zoneIds: new Set(row.zone_ids),
  };
}

/** The number of services and zones that a team covers: the least versatile teams are claimed first. */
export const versatility = (team: Team): number => team.serviceIds.size * team.zoneIds.size;

/** A hold: from the start of an appointment to the end of the travel buffer that it was sold with. */
export type Held = Range & { bufferMinutes: number };

/** Holds by team number. */
export type BusyRanges = ReadonlyMap<number, readonly Held[]>;

/** A period that is sold or held, of the team with this number; with the travel buffer until `busyUntil`. */
export type Occupied = { team: number; startsAt: Instant; endsAt: Instant; busyUntil: Instant };

/** The ranges of the periods, beside those that are known. */
export function toBusyRanges(periods: readonly Occupied[], known: BusyRanges = new Map()): BusyRanges {
  const added = new Map<number, Held[]>();
  for (const period of periods) {
    if (!added.has(period.team)) added.set(period.team, [...(known.get(period.team) ?? [])]);
    addRange(added, period);
  }
  return known.size === 0 ? added : new Map([...known, ...added]);
}

/** A minute that has begun is held. */
export function addRange(
  busy: Map<number, Held[]>,
  { team, startsAt, endsAt, busyUntil }: Readonly<Occupied>,
): void {
  const held = {
    from: Math.floor(startsAt / MINUTE),
    until: Math.ceil(busyUntil / MINUTE),
    bufferMinutes: Math.ceil((busyUntil - endsAt) / MINUTE),
  };
  const ranges = busy.get(team);
  if (ranges === undefined) busy.set(team, [held]);
  else ranges.push(held);
}

const EMPTY: readonly Held[] = [];
const NOTHING_BUSY: BusyRanges = new Map();

/**
 * A visit of this length is too close to the hold if it starts between these two, exclusive: less time lies between them, in
 * either order, than the longer of their travel buffers. Minutes.
 */
const tooCloseAfter = (held: Held, length: number, bufferMinutes: number): number =>
  held.from - Math.max(held.bufferMinutes, bufferMinutes) - length;
const tooCloseBefore = (held: Held, bufferMinutes: number): number =>
  held.until - held.bufferMinutes + Math.max(held.bufferMinutes, bufferMinutes);

/** Whether the visit starts too close to the hold. */
export function isTooClose(held: Held, from: number, until: number, bufferMinutes: number): boolean {
  return (
    tooCloseAfter(held, until - from, bufferMinutes) < from && from < tooCloseBefore(held, bufferMinutes)
  );
}

const MINUTES_OF_DAY = 1440;

/** Minutes since the epoch, rounded down. */
export const toEpochMinutes = (instant: Instant): number => Math.floor(instant / MINUTE);

/** The team's hours that touch the date (hoursOn), as ranges of epoch minutes. */
export function shiftsOn(team: Team, date: CalendarDate): Range[] {
  const midnight = toEpochMinutes(startOfDate(date));
  return hoursOn(team, date).map(({ from, until }) => ({
    from: midnight + from,
    until: midnight + until,
  }));
}

export type Refusal = 'OFF_SHIFT' | 'TIME_OFF' | 'BUSY';

/**
 * The reason why the team cannot take the slot, which must lie inside one shift and outside time off, with the travel
 * buffers free; null: it can.
 */
export function refusal(team: Team, shifts: readonly Range[], busy: BusyRanges, slot: Range): Refusal | null {
  if (!isInOneShift(shifts, slot.from, slot.until)) return 'OFF_SHIFT';
  return conflictOf(team, busy.get(team.number) ?? EMPTY, slot.from, slot.until);
}

/** `refusal` as a function of the team, for one slot that starts on the date. */
export function refusalsOn(
  date: CalendarDate,
  { from, until }: Range,
  busy: BusyRanges,
): (team: Team) => Refusal | null {
  const midnight = toEpochMinutes(startOfDate(date));
  return (team) => {
    if (!isInOneShift(hoursOn(team, date), from - midnight, until - midnight)) return 'OFF_SHIFT';
    return conflictOf(team, busy.get(team.number) ?? EMPTY, from, until);
  };
}

function conflictOf(
  team: Team,
  held: readonly Held[],
  from: number,
  until: number,
): 'TIME_OFF' | 'BUSY' | null {
  for (const off of team.timeOff) {
    if (off.from < until && from < off.until) return 'TIME_OFF';
  }
  for (const each of held) {
    if (isTooClose(each, from, until, team.bufferMinutes)) return 'BUSY';
  }
  return null;
}

/** The rules of a service and its zone about slots. */
export type SlotRules = {
  durationMinutes: number;
  gridMinutes: number;
  noticeMinutes: number;
  horizonDays: number;
};

type StartRules = Pick<SlotRules, 'gridMinutes' | 'noticeMinutes'>;

export type SlotProblem =
  | 'SLOT_IN_PAST'
  | 'SLOT_INSIDE_NOTICE'
  | 'SLOT_BEYOND_HORIZON'
  | 'SLOT_NOT_OFFERED'
  | 'SLOT_UNAVAILABLE';

/** The problem of a start (epoch minutes) for all teams; null: it can be offered. */
export function startProblem(rules: SlotRules, from: number, now: Instant): SlotProblem | null {
  const date = dateOf(from * MINUTE);
  if (from * MINUTE < now) return 'SLOT_IN_PAST';
  if (from * MINUTE < now + rules.noticeMinutes * MINUTE) return 'SLOT_INSIDE_NOTICE';
  if (date > lastDate(rules, now)) return 'SLOT_BEYOND_HORIZON';
  const sinceMidnight = from - toEpochMinutes(startOfDate(date));
  return sinceMidnight % rules.gridMinutes === 0 ? null : 'SLOT_NOT_OFFERED';
}

/**
 * The first minute of the date, from its midnight, that is after past and notice and on the grid; MINUTES_OF_DAY or
 * more: there is none. The same rules as startProblem, for a whole day.
 */
function firstStart({ gridMinutes, noticeMinutes }: StartRules, date: CalendarDate, now: Instant): number {
  const earliest = Math.ceil(now / MINUTE + noticeMinutes) - toEpochMinutes(startOfDate(date));
  return Math.max(0, Math.ceil(earliest / gridMinutes)) * gridMinutes;
}

/** The first date on which a start is after past and notice. */
export function firstDate(rules: StartRules, now: Instant): CalendarDate {
  const date = dateOf(now + rules.noticeMinutes * MINUTE);
  return firstStart(rules, date, now) < MINUTES_OF_DAY ? date : addDays(date, 1);
}

/** The last date that can be booked. */
export const lastDate = ({ horizonDays }: Pick<SlotRules, 'horizonDays'>, now: Instant): CalendarDate =>
  addDays(dateOf(now), horizonDays);

/**
 * The starts (epoch minutes, ascending) at which at least one team is free on the date: those for which `refusal` is null.
 * Each team is looked at once, not once for each start.
 */
export function freeStarts(
  { teams, busy, rules }: { teams: readonly Team[]; busy: BusyRanges; rules: SlotRules },
  date: CalendarDate,
  now: Instant,
): number[] {
  const first = firstStart(rules, date, now);
  if (first >= MINUTES_OF_DAY || date > lastDate(rules, now)) return [];
  const { durationMinutes, gridMinutes } = rules;
  const midnight = toEpochMinutes(startOfDate(date));
  const hoursOf = hoursOfDate(date);
  // A start is its place in the grid of the day.
  const places = Math.ceil(MINUTES_OF_DAY / gridMinutes);
  const isFree = new Uint8Array(places);
  /** The last team (its place in the list, from 1) that each start was refused for. */
  const refusedFor = new Uint32Array(places);
  // The compiler takes the places for fractions without `| 0`, and two thirds more time.
  const firstAt = (minute: number): number => Math.max(0, Math.ceil(minute / gridMinutes) | 0);
  const lastAt = (minute: number): number => Math.min(places - 1, Math.floor(minute / gridMinutes) | 0);
  /** Starts are whole minutes. */
  const refuse = (place: number, after: number, before: number): void => {
    // Of a month, most are on another day.
    if (before <= midnight || after >= midnight + MINUTES_OF_DAY) return;
    for (let at = firstAt(after + 1 - midnight), end = lastAt(before - 1 - midnight); at <= end; at++)
      refusedFor[at] = place;
  };
  let place = 0;
  for (const team of teams) {
    place++;
    for (const off of team.timeOff) refuse(place, off.from - durationMinutes, off.until);
    for (const held of busy.get(team.number) ?? EMPTY) {
      const after = tooCloseAfter(held, durationMinutes, team.bufferMinutes);
      refuse(place, after, tooCloseBefore(held, team.bufferMinutes));
    }
    for (const shift of hoursOf(team)) {
      for (let at = firstAt(shift.from), end = lastAt(shift.until - durationMinutes); at <= end; at++)
        if (refusedFor[at] !== place) isFree[at] = 1;
    }
  }
  const starts: number[] = [];
  for (let start = first; start < MINUTES_OF_DAY; start += gridMinutes)
    if (isFree[start / gridMinutes] === 1) starts.push(midnight + start);
  return starts;
}

export const DAY_STATES = ['FREE', 'FULL', 'CLOSED'] as const;
export type DayState = (typeof DAY_STATES)[number];

/** Whether the date with these free starts has any; FULL: all that the hours and rules offer are taken; CLOSED: they offer none. */
export function dayState(
  starts: readonly number[],
  ...[place, date, now]: Parameters<typeof freeStarts>
): DayState {
  if (starts.length > 0) return 'FREE';
  return freeStarts({ ...place, busy: NOTHING_BUSY }, date, now).length > 0 ? 'FULL' : 'CLOSED';
}

/** Faults of the location of /operator/availability: an address or coordinates, not both. */
export function placeFaults(given: readonly string[]): string[] {
  const [address, lat, lng] = ['addressId', 'lat', 'lng'].map((name) => given.includes(name));
  if (address) return lat || lng ? ['addressId and lat, lng must not be given together'] : [];
  return lat && lng ? [] : ['addressId, or lat and lng, must be given'];
}
