import type { Board, BoardAppointment, BoardTeam } from '../contract.ts';
import { language, nameOf } from '../language.ts';
import { westernDigits } from '../values.ts';

/** A day of the board as rows and positions. Pure; all times are epoch milliseconds. */

export type Visit = BoardAppointment;

/** From `from` up to, not including, `until`. */
export type Span = { from: number; until: number };

export type Lane = {
  team: BoardTeam;
  visits: Visit[];
  /** Visits that hold the team but are not assigned to it. */
  unassigned: Visit[];
};

export type ZoneLanes = { id: string; name: string | null; lanes: Lane[] };

export const HOUR = 3_600_000;
export const MINUTE = 60_000;
const DAY = 24 * HOUR;

export const instant = (stamp: string): number => Date.parse(stamp);

/** `HH:MM` in Riyadh, which has no summer time. */
export const clockTime = (at: number): string => new Date(at + 3 * HOUR).toISOString().slice(11, 16);

/**
 * A local change of a visit that the loaded board lacks. `version`: until the service has responded, the one before.
 */
export type Override = { version: number; teamId: string; from: number; isAssigned: boolean };

/** The visits with local changes, except those that the loaded board supersedes. */
export function withOverrides(visits: readonly Visit[], overrides: ReadonlyMap<string, Override>): Visit[] {
  return visits.map((visit) => {
    const changed = overrides.get(visit.id);
    if (changed === undefined || visit.version > changed.version) return visit;
    const { version, from, teamId, isAssigned } = changed;
    const moved = (stamp: string): string =>
      new Date(instant(stamp) + from - instant(visit.startsAt)).toISOString();
    return {
      ...visit,
      version,
      teamId,
      isAssigned,
      startsAt: moved(visit.startsAt),
      endsAt: moved(visit.endsAt),
      busyUntil: moved(visit.busyUntil),
    };
  });
}

/**
 * The hours to show: those with a shift, without any those with a visit; `isWhole`: also all of the date. A night that
 * starts on the date is shown to its end; one from the day before would fill the board with empty hours.
 */
export function hoursOf(board: Board, { isWhole = false } = {}): Span {
  const [midnight, next] = [instant(board.from), instant(board.until)];
  const shifts = board.teams.flatMap((team) =>
    team.shifts.filter(({ startsAt }) => instant(startsAt) >= midnight),
  );
  const spans = [
    ...(shifts.length > 0 && !isWhole ? shifts : [...shifts, ...board.appointments]),
    ...(isWhole ? [{ startsAt: board.from, endsAt: board.until }] : []),
  ];
  if (spans.length === 0) return { from: midnight + 8 * HOUR, until: midnight + 20 * HOUR };
  const from = Math.min(...spans.map(({ startsAt }) => Math.max(instant(startsAt), midnight)));
  const until = Math.max(...spans.map(({ endsAt }) => Math.min(instant(endsAt), next + DAY / 2)));
  return {
    from: Math.floor(from / HOUR) * HOUR,
    until: Math.ceil(Math.max(until, from + HOUR) / HOUR) * HOUR,
  };
}

/** When a quarter of the teams have begun their first shift of the date; null: nobody works. */
export function firstShifts(board: Board): number | null {
  const firsts = board.teams
    .flatMap(({ shifts }) =>
      shifts
        .map(({ startsAt }) => instant(startsAt))
        .filter((at) => at >= instant(board.from))
        .slice(0, 1),
    )
    .sort((a, b) => a - b);
  return firsts[Math.floor(firsts.length / 4)] ?? null;
}

/** The whole hours of a span. */
export function hoursIn({ from, until }: Span): number[] {
  const hours: number[] = [];
  for (let hour = from; hour < until; hour += HOUR) hours.push(hour);
  return hours;
}

/** The position and size of a period on the axis, as percentages cut at the ends. */
export function placed(span: Span, from: number, until: number): { start: string; size: string } | null {
  const [shownFrom, shownUntil] = [Math.max(from, span.from), Math.min(until, span.until)];
  if (shownUntil <= shownFrom) return null;
  const part = (time: number): string => `${((time / (span.until - span.from)) * 100).toFixed(4)}%`;
  return { start: part(shownFrom - span.from), size: part(shownUntil - shownFrom) };
}

/** Every team once: under the filtered zone, else under its home zone, else under its first zone by name. */
export function lanesByZone(board: Board, visits: readonly Visit[]): ZoneLanes[] {
  const byTeam = new Map<string, Lane>(
    board.teams.map((team) => [team.id, { team, visits: [], unassigned: [] }]),
  );
  for (const visit of visits)
    byTeam.get(visit.teamId)?.[visit.isAssigned ? 'visits' : 'unassigned'].push(visit);
  const zones = board.zones.map((zone): ZoneLanes => ({ id: zone.id, name: nameOf(zone), lanes: [] }));
  const others: ZoneLanes = { id: 'none', name: null, lanes: [] };
  const byName = new Intl.Collator(language.value, { numeric: true });
  for (const lane of [...byTeam.values()].sort((a, b) => byName.compare(nameOf(a.team), nameOf(b.team)))) {
    const { homeZoneId, zoneIds } = lane.team;
    const served = zones.filter(({ id }) => zoneIds.includes(id));
    const zone = served.find(({ id }) => id === homeZoneId) ?? served[0] ?? others;
    zone.lanes.push(lane);
  }
  return [...zones, others].filter(({ lanes }) => lanes.length > 0);
}

/** Visits in as few rows as possible without overlaps, by start. */
export function packed(visits: readonly Visit[]): Visit[][] {
  const rows: Visit[][] = [];
  for (const visit of [...visits].sort((a, b) => instant(a.startsAt) - instant(b.startsAt))) {
    const row = rows.find((one) => instant(one.at(-1)!.endsAt) <= instant(visit.startsAt));
    if (row === undefined) rows.push([visit]);
    else row.push(visit);
  }
  return rows;
}

/** Whether the search text matches a visit. */
export function matches(visit: Visit, typed: string): boolean {
  const { name, partner, service, contact, address } = visit;
  const digits = westernDigits(typed).replace(/\D/g, '').replace(/^0+/, '');
  return (
    [name, partner.name, service.nameEn, service.nameAr, contact.name, address.districtName ?? ''].some(
      (text) => text.toLowerCase().includes(typed.toLowerCase()),
    ) ||
    (digits.length >= 4 && contact.phone !== null && isOfPhone(contact.phone, digits))
  );
}

/** Of a masked phone the last digits alone are compared. */
const isOfPhone = (phone: string, digits: string): boolean =>
  phone.includes('•') ? phone.endsWith(digits.slice(-3)) : phone.includes(digits);
