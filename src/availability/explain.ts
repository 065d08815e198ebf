import { type CalendarDate, dateOf, type Instant, MINUTE, startOfDate, timeOf } from '../base/clock.ts';
import type { HeldRow, PlaceOnDate, ZoneTeams } from './operator-queries.ts';
import {
  isTooClose,
  type Range,
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

/** The teams of a zone on a date, and the starts (epoch minutes, ascending) at which one of them is on shift. */
export type TeamsOnDate = {
  date: CalendarDate;
  /** Epoch minutes. */
  midnight: number;
  rules: SlotRules;
  teams: TeamOnDate[];
  starts: number[];
  /** The problem of the start for all teams; null: there is none. */
  problemAt(start: number): SlotProblem | null;
  /** The team's reason against the start, with the first conflicting appointment. */
  refusalAt(team: TeamOnDate, start: number): { reason: Refusal | null; holder: HeldRow | null };
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
  const teams = found.teams.map((row) => toTeamOnDate(row, serviceId, date));
  const busy = new Map(teams.map(({ team, held }) => [team.number, held]));
  const starts = startsOnShift(teams, rules.gridMinutes, midnight);
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
      const reason = refusal(each.team, each.shifts, busy, slot);
      return { reason, holder: reason === 'BUSY' ? holderOf(each, slot) : null };
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

function toTeamOnDate(row: ZoneTeams['teams'][number], serviceId: string, date: CalendarDate): TeamOnDate {
  const team = toTeam({
    ...row,
    service_ids: row.is_skilled ? [serviceId.toLowerCase()] : [],
  });
  const reason = !row.is_active ? 'INACTIVE' : row.is_skilled ? null : 'NO_SKILL';
  return { team, reason, shifts: shiftsOn(team, date), held: row.held };
}

/** The starts of the grid (epoch minutes, ascending) that lie in a shift of any of the teams. */
function startsOnShift(teams: readonly TeamOnDate[], gridMinutes: number, midnight: number): number[] {
  const starts: number[] = [];
  for (let start = midnight; start < midnight + 1440; start += gridMinutes) {
    const covered = ({ shifts }: TeamOnDate): boolean =>
      shifts.some((shift) => shift.from <= start && start < shift.until);
    if (teams.some(covered)) starts.push(start);
  }
  return starts;
}

/** The first conflicting appointment, travel buffers included. */
function holderOf({ team, held }: TeamOnDate, slot: Range): HeldRow | null {
  return held.find((each) => isTooClose(each, slot.from, slot.until, team.bufferMinutes)) ?? null;
}
