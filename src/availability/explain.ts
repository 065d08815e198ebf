import { type CalendarDate, DAY, dateOf, formatMinutes, HOUR, type Instant, startOfDate } from '../clock.ts';
import type { Queryable } from '../db/connection.ts';
import { type HeldRow, type Location, loadZoneTeams, type ZoneTeams } from './operator-queries.ts';
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

/** For every team of a zone and every start of a date: free, or why not. */

/** No appointment lasts longer, with its buffer, than this. */
const MAX_APPOINTMENT_SPAN = 32 * HOUR;

/** A team of the zone on the date. */
export type TeamOnDate = {
  team: Team;
  /** Why it can take no start at all. */
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
  /** Why no team may take the start, even if available. */
  problemAt(start: number): SlotProblem | null;
  /** Why the team cannot take the start, with the first appointment in its way. */
  refusalAt(team: TeamOnDate, start: number): { reason: Refusal | null; holder: HeldRow | null };
  /** `HH:MM` of the start and of its end. */
  timesOf(start: number): { startAt: string; endAt: string };
};

/** Reads what `teamsOnDate` is made from, and what holds the teams on the date; null: there is no such service. */
export function loadTeamsOnDate(
  db: Queryable,
  location: Location & { latitude: string; longitude: string },
  serviceId: string,
  date: CalendarDate,
): Promise<ZoneTeams | null> {
  const from = startOfDate(date);
  return loadZoneTeams(db, location, serviceId, from, from + DAY + MAX_APPOINTMENT_SPAN);
}

/** The teams of the zone that covers the place; `found.zone_id` must not be null. */
export function teamsOnDate(
  found: ZoneTeams,
  serviceId: string,
  date: CalendarDate,
  now: Instant,
): TeamsOnDate {
  const rules: SlotRules = {
    durationMinutes: found.duration_minutes,
    gridMinutes: found.slot_grid_minutes,
    noticeMinutes: found.minimum_notice_minutes,
    horizonDays: found.booking_horizon_days,
  };
  const midnight = toEpochMinutes(startOfDate(date));
  const teams = found.teams.map((row) => toTeamOnDate(row, found.zone_id!, serviceId, date));
  const busy = new Map(teams.map(({ team, held }) => [team.number, held]));
  return {
    date,
    midnight,
    rules,
    teams,
    starts: startsOnShift(teams, rules.gridMinutes, midnight),
    problemAt: (start) =>
      startProblem(rules, dateOf(now), date, start, now) ?? (found.offered ? null : 'SLOT_NOT_OFFERED'),
    refusalAt(each, start) {
      const slot = { from: start, until: start + rules.durationMinutes };
      const reason = refusal(each.team, each.shifts, busy, slot);
      return { reason, holder: reason === 'BUSY' ? holderOf(each, slot) : null };
    },
    timesOf: (start) => ({
      startAt: formatMinutes(start - midnight),
      endAt: formatMinutes(start - midnight + rules.durationMinutes),
    }),
  };
}

function toTeamOnDate(
  row: ZoneTeams['teams'][number],
  zoneId: string,
  serviceId: string,
  date: CalendarDate,
): TeamOnDate {
  const team = toTeam({
    ...row,
    service_ids: row.is_skilled ? [serviceId.toLowerCase()] : [],
    zone_ids: [zoneId],
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

/** The first appointment in the way, travel buffers included. */
function holderOf({ team, held }: TeamOnDate, slot: Range): HeldRow | null {
  return held.find((each) => isTooClose(each, slot.from, slot.until, team.bufferMinutes)) ?? null;
}
