import type { BoardAppointment, Conflicts, HoldInTheWay, Placements } from '../contract.ts';
import { number, timeOfDay } from '../format.ts';
import { listed, type PlainKey, t } from '../language.ts';
import { instant, MINUTE, type Span } from './day.ts';

/** Whether a team can take a visit at a start, and the reasons of the service if not. */

export type { Placements };
export type PlacementTeam = Placements['teams'][number];

type Refusal =
  | Placements['starts'][number]['problem']
  | Placements['teams'][number]['reason']
  | BoardAppointment['problem']
  | Conflicts['rows'][number]['reasons'][number];

const REASONS: Partial<Record<string, PlainKey>> = {
  OFF_SHIFT: 'cannot.offShift',
  SCHEDULE: 'cannot.schedule',
  TIME_OFF: 'cannot.timeOff',
  BUSY: 'cannot.busy',
  HELD: 'cannot.held',
  NO_SKILL: 'cannot.noSkill',
  INACTIVE: 'cannot.inactive',
  NOT_IN_ZONE: 'cannot.notInZone',
  SLOT_IN_PAST: 'cannot.past',
  SLOT_INSIDE_NOTICE: 'cannot.notice',
  SLOT_BEYOND_HORIZON: 'cannot.horizon',
  SLOT_NOT_OFFERED: 'cannot.notOffered',
  SLOT_UNAVAILABLE: 'cannot.unavailable',
  HOLD_EXPIRED: 'cannot.holdExpired',
  PRICE_CHANGED: 'cannot.priceChanged',
  PAYMENT_UNAVAILABLE: 'cannot.payment',
  NOT_AFFECTED: 'cannot.notAffected',
  ZONES_OVERLAP: 'cannot.zonesOverlap',
  SERVICE_OFF: 'cannot.serviceOff',
  NOT_OFFERED_IN_ZONE: 'cannot.notOfferedInZone',
  OUTSIDE_ZONE: 'cannot.outsideZone',
  MOVED_ALONE: 'series.movedAlone',
  BOOKING_NOT_EDITABLE: 'failure.BOOKING_NOT_EDITABLE',
  FEE_CHANGED: 'failure.FEE_CHANGED',
} satisfies Record<NonNullable<Refusal>, PlainKey> & Record<string, PlainKey>;

/** The text of a reason; of an unknown one that there is another reason. */
export function reasonText(reason: string): string {
  return t(REASONS[reason] ?? 'cannot.other');
}

/** Slots that customers hold there, with end and partner; empty: none. */
export const heldText = (holds: readonly HoldInTheWay[]): string =>
  listed(
    ...holds.map(({ partnerName: partner, expiresAt }) =>
      t('board.heldWith', { partner, time: timeOfDay(expiresAt) }),
    ),
  );

export type Verdict = { is: 'free' | 'refused' | 'unknown'; text: string };

export const UNKNOWN: Verdict = { is: 'unknown', text: '' };

type Index = { teams: Map<string, PlacementTeam>; starts: Map<number, number> };

const indexes = new WeakMap<Placements, Index>();

/** Every row looks up each start under the pointer: teams by id, starts by minute of the day. */
function indexOf(placements: Placements): Index {
  let index = indexes.get(placements);
  if (index === undefined) {
    const minute = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
    index = {
      teams: new Map(placements.teams.map((team) => [team.id, team])),
      starts: new Map(placements.starts.map(({ startAt }, place) => [minute(startAt), place])),
    };
    indexes.set(placements, index);
  }
  return index;
}

/** The verdict on a team at a start. Unknown: the placements are of another date. */
export function verdictOf(placements: Placements, teamId: string, start: number): Verdict {
  const midnight = midnightOf(placements);
  if (start < midnight || start >= midnight + 1_440 * MINUTE) return UNKNOWN;
  const refused = (reason: string): Verdict => ({ is: 'refused', text: reasonText(reason) });
  const { teams, starts } = indexOf(placements);
  const team = teams.get(teamId);
  if (team === undefined) return refused('NOT_IN_ZONE');
  if (team.reason !== null) return refused(team.reason);
  const index = starts.get((start - midnight) / MINUTE) ?? -1;
  const [given, slot] = [placements.starts[index], team.slots[index]];
  if (given === undefined || slot === undefined) return refused('OFF_SHIFT');
  if (given.problem !== null) return refused(given.problem);
  if (slot.appointment !== null) {
    return { is: 'refused', text: t('cannot.busyWith', { name: slot.appointment.name }) };
  }
  if (slot.reason !== null) return refused(slot.reason);
  if (slot.holds.length > 0) return { is: 'free', text: heldText(slot.holds) };
  const km = slot.detourKm ?? 0;
  return { is: 'free', text: km > 0 ? t('board.freeDetour', { km: number(km) }) : t('board.free') };
}

const midnightOf = ({ date }: Placements): number => instant(`${date}T00:00:00+03:00`);

/** The start of a placement as an instant. */
export const startOf = ({ date }: { date: string }, startAt: string): number =>
  instant(`${date}T${startAt}:00+03:00`);

/** The possible starts of a team as periods: consecutive starts are merged. */
export function freeSpans(placements: Placements, { slots }: PlacementTeam, grid: number): Span[] {
  const spans: Span[] = [];
  for (const [index, { free, startAt }] of slots.entries()) {
    if (!free || placements.starts[index]?.problem !== null) continue;
    const from = startOf(placements, startAt);
    const last = spans.at(-1);
    if (last?.until === from) last.until = from + grid;
    else spans.push({ from, until: from + grid });
  }
  return spans;
}

/** Teams that can take it, best first. */
export const ranked = ({ teams }: Pick<Placements, 'teams'>): PlacementTeam[] =>
  teams.filter(({ rank }) => rank !== null);
