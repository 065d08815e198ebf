import {
  type CalendarDate,
  dateOf,
  type Instant,
  MINUTE,
  startOfDate,
  timeOf,
  weekdayOf,
} from '../base/clock.ts';
import type { Schedule } from '../teams/schedule-rules.ts';
import type { HoldInTheWay } from './hold-in-the-way.ts';
import { hoursOn, type Range, scheduleAgainst, weeklyHours } from './hours.ts';
import type { HeldRow, PlaceOnDate, ZoneTeams } from './operator-queries.ts';
import {
  isTooClose,
  type Refusal,
  refusal,
  type SlotProblem,
  type SlotRules,
  shiftsOn,
  startProblem,
  type Team,
  toEpochMinutes,
  toTeam,
} from './rules.ts';
import { allowedZones, lengthOf, type Period, type Sold } from './sold.ts';

/** The reason against each start of a date, or none, for every team of a zone. */

/** A team of the zone on the date. */
export type TeamOnDate = {
  team: Team;
  /** The reason against every start; null: there is none. */
  reason: 'NO_SKILL' | 'INACTIVE' | null;
  shifts: Range[];
  held: HeldRow[];
};

/** SCHEDULE: the slot lies in the team's weekly shifts, and a schedule is against it. */
export type RefusalAt = {
  reason: Refusal | 'SCHEDULE' | null;
  holder: HeldRow | null;
  /** The slots that customers hold there, when nothing else is in the way. */
  holds: HoldInTheWay[];
  schedule: Schedule | null;
};

/**
 * The teams of a zone on a date, and the starts (epoch minutes, ascending) at which one of them is on shift, or would be
 * without schedules.
 */
export type TeamsOnDate = {
  date: CalendarDate;
  /** Epoch minutes. */
  midnight: number;
  rules: SlotRules;
  teams: TeamOnDate[];
  starts: number[];
  /** The problem of the start for all teams; null: there is none. */
  problemAt(start: number): SlotProblem | null;
  /** The team's reason against the start, with the first conflicting appointment or the schedule. */
  refusalAt(team: TeamOnDate, start: number): RefusalAt;
  /** Whether the team serves a zone whose teams may take the start. */
  servesAt(team: TeamOnDate, start: number): boolean;
  /** `HH:MM` of the start and of its end. */
  timesOf(start: number): { startAt: string; endAt: string };
};

/**
 * The teams of the zone that covers the place; `found.zone_id` must not be null. For a `sold` visit: with its length
 * and, on its date, its start, by the rules of changes (allowedZones).
 */
export function teamsOnDate(
  found: ZoneTeams,
  { serviceId, date }: Pick<PlaceOnDate, 'serviceId' | 'date'>,
  now: Instant,
  sold: Sold | null = null,
): TeamsOnDate {
  const rules: SlotRules = {
    durationMinutes: sold === null ? found.duration_minutes : lengthOf(sold),
    gridMinutes: found.slot_grid_minutes,
    noticeMinutes: found.minimum_notice_minutes,
    horizonDays: found.booking_horizon_days,
  };
  const midnight = toEpochMinutes(startOfDate(date));
  const teams = found.teams.map((row) => toTeamOnDate(row, found.schedules, { serviceId, date }));
  const sales = new Map(
    teams.map(({ team, held }) => [team.number, held.filter(({ hold }) => hold === null)]),
  );
  const starts = startsOnShift(teams, rules.gridMinutes, { date, midnight });
  const soldStart = sold !== null && dateOf(sold.startsAt) === date ? sold.startsAt / MINUTE : null;
  if (soldStart !== null && !starts.includes(soldStart)) {
    starts.push(soldStart);
    starts.sort((a, b) => a - b);
  }
  const offer = {
    zoneId: found.is_covered ? found.zone_id : null,
    rules: found.offered ? rules : null,
  };
  const askedAt = (start: number) =>
    sold === null ? null : allowedZones(sold, periodFrom(start, sold), offer, now);
  return {
    date,
    midnight,
    rules,
    teams,
    starts,
    problemAt: (start) =>
      sold === null
        ? (startProblem(rules, start, now) ?? (found.offered ? null : 'SLOT_NOT_OFFERED'))
        : askedAt(start)!.problem,
    servesAt(each, start) {
      const asked = askedAt(start);
      if (asked === null || asked.problem !== null) return true;
      return asked.zoneIds.some((id) => each.team.zoneIds.has(id));
    },
    refusalAt(each, start) {
      const slot = { from: start, until: start + rules.durationMinutes };
      const broken = refusal(each.team, each.shifts, sales, slot);
      const holds = broken === null ? inTheWay(each, slot).map(({ hold }) => hold!) : [];
      const reason = holds.length > 0 ? 'BUSY' : broken;
      const onDate = { from: slot.from - midnight, until: slot.until - midnight };
      const schedule = reason === 'OFF_SHIFT' ? scheduleAgainst(each.team, date, onDate) : null;
      return {
        reason: schedule === null ? reason : 'SCHEDULE',
        holder: broken === 'BUSY' ? inTheWay(each, slot).find(({ hold }) => hold === null)! : null,
        holds,
        schedule,
      };
    },
    timesOf: (start) => ({
      startAt: timeOf(instantOf(start)),
      endAt: timeOf(instantOf(start + rules.durationMinutes)),
    }),
  };
}

/** A start that was forced may have seconds. */
const instantOf = (minutes: number): Instant => Math.round(minutes * MINUTE);

function periodFrom(start: number, { startsAt, endsAt }: Sold): Period {
  const at = instantOf(start);
  return { startsAt: at, endsAt: at + endsAt - startsAt };
}

function toTeamOnDate(
  row: ZoneTeams['teams'][number],
  schedules: readonly Schedule[],
  { serviceId, date }: Pick<PlaceOnDate, 'serviceId' | 'date'>,
): TeamOnDate {
  const columns = { ...row, service_ids: row.is_skilled ? [serviceId.toLowerCase()] : [] };
  const team = toTeam(columns, schedules);
  const reason = !row.is_active ? 'INACTIVE' : row.is_skilled ? null : 'NO_SKILL';
  return { team, reason, shifts: shiftsOn(team, date), held: row.held };
}

/** The starts of the grid (epoch minutes, ascending) in the hours of any of the teams, also in its weekly shifts alone. */
function startsOnShift(
  teams: readonly TeamOnDate[],
  gridMinutes: number,
  { date, midnight }: { date: CalendarDate; midnight: number },
): number[] {
  const weekday = weekdayOf(date);
  const ranges = teams.flatMap(({ team }) => [...hoursOn(team, date), ...weeklyHours(team, weekday)]);
  const starts: number[] = [];
  for (let start = 0; start < 1_440; start += gridMinutes)
    if (ranges.some(({ from, until }) => from <= start && start < until)) starts.push(midnight + start);
  return starts;
}

/** The conflicting appointments and slots, travel buffers included. */
const inTheWay = ({ team, held }: TeamOnDate, slot: Range): HeldRow[] =>
  held.filter((each) => isTooClose(each, slot.from, slot.until, team.bufferMinutes));
