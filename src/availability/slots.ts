import {
  addDays,
  type CalendarDate,
  dateOf,
  formatMinutes,
  type Instant,
  MINUTE,
  startOfDate,
  timeOf,
} from '../clock.ts';
import type { Db, Tx } from '../db/connection.ts';
import { ApiError, addressWithoutCoordinates, notFound } from '../errors.ts';
import { readBusy } from './busy.ts';
import type { Plan, PlanCache, PlannedService } from './plan.ts';
import { findSlotRow, loadBusy, type SlotRow } from './queries.ts';
import {
  type BusyRanges,
  freeStarts,
  refusals,
  type SlotProblem,
  type SlotRules,
  startProblem,
  type Team,
  toEpochMinutes,
  versatility,
} from './rules.ts';

export type Slot = { startAt: string; endAt: string };
export type DatedSlot = Slot & { date: CalendarDate };

/** A service at an address, with the teams that could do it and what holds them in a period. */
export type SlotContext = {
  contactId: string;
  service: PlannedService;
  /** SAR. */
  price: string;
  /** null: the service is not available at the address (outside every zone, or not in the zone's list). */
  place: { zoneId: string; rules: SlotRules; teams: readonly Team[] } | null;
  busy: BusyRanges;
  plan: Plan;
};

export type SlotQuery = {
  partnerId: string;
  addressId: string;
  serviceId: string;
  /** The booking that is being moved: what it holds counts as free. */
  movingBookingId?: string;
};

/**
 * How the held ranges are had: `fresh`, true as of this moment; `later`, none at all, for a caller whose claim will
 * find out anyway who is free.
 */
export type Freshness = 'fresh' | 'later';

/**
 * Looks at a service and an address for the dates from `date` on, `days` of them. Throws, in this order,
 * RESOURCE_NOT_FOUND (address, or service), VALIDATION_ERROR (address without coordinates) and
 * SERVICE_NOT_ALLOWED (not enabled for the partner). Sections 4.4 and 4.5.
 */
export async function loadSlotContext(
  db: Db | Tx,
  plans: PlanCache,
  query: SlotQuery,
  date: CalendarDate,
  days: number,
  freshness: Freshness = 'fresh',
): Promise<SlotContext> {
  const context = await findSlotContext(db, plans, query, date, days, freshness);
  if (context === null)
    throw new ApiError('SERVICE_NOT_ALLOWED', 'The service is not enabled for this partner');
  return context;
}

/** loadSlotContext; null instead of SERVICE_NOT_ALLOWED: the partner is offered none of the service's slots. */
export async function findSlotContext(
  db: Db | Tx,
  plans: PlanCache,
  query: SlotQuery,
  date: CalendarDate,
  days: number,
  freshness: Freshness = 'fresh',
): Promise<SlotContext | null> {
  const window = { from: date, days };
  const movingBookingId = query.movingBookingId ?? null;
  const rememberable = freshness === 'fresh' && days === 1 && movingBookingId === null;
  const horizon = rememberable ? plans.busy.horizon(date) : null;
  const found = await findSlotRow(db, query, window, horizon);
  if (found === null) throw notFound('Address');
  if (!found.located) throw addressWithoutCoordinates();
  if (found.service_id === null) throw notFound('Service');
  if (!found.enabled) return null;
  const plan = await plans.get(found.catalogue_version, 'transaction' in db ? undefined : db);
  // The plan may be newer than the row: the service can have gone in between.
  const service = plan.services.get(found.service_id);
  if (service === undefined) throw notFound('Service');

  const place = placeOf(found, plan, service);
  let busy: BusyRanges = NOBODY;
  if (place !== null && rememberable) {
    busy =
      plans.busy.confirmed(date, plan, horizon, found.changes) ??
      plans.busy.remember(date, plan, await loadBusy(db, window, null));
  } else if (place !== null && freshness === 'fresh') {
    busy = await readBusy(db, plan, window, movingBookingId);
  }
  return { contactId: found.contact_id, service, price: found.price!, place, busy, plan };
}

/** The context with this team alone. */
export function onlyTeam(context: SlotContext, teamId: string): SlotContext {
  const { place } = context;
  if (place === null) return context;
  return { ...context, place: { ...place, teams: place.teams.filter(({ id }) => id === teamId) } };
}

const NOBODY: BusyRanges = new Map();

function placeOf(found: SlotRow, plan: Plan, service: PlannedService): SlotContext['place'] {
  const zone = found.zone_id === null ? undefined : plan.zones.get(found.zone_id);
  if (found.zone_id === null || !zone?.serviceIds.has(service.id)) return null;
  return {
    zoneId: found.zone_id,
    rules: {
      durationMinutes: service.durationMinutes,
      gridMinutes: zone.gridMinutes,
      noticeMinutes: service.minimumNoticeMinutes,
      horizonDays: service.bookingHorizonDays,
    },
    teams: plan.teamsFor(found.zone_id, service.id),
  };
}

/** The free slots of the date, sorted by start; none outside the service's area, notice or horizon. */
export function slotsOn({ place, busy }: SlotContext, date: CalendarDate, now: Instant): Slot[] {
  if (place === null) return [];
  const midnight = toEpochMinutes(startOfDate(date));
  return freeStarts(place.teams, busy, place.rules, dateOf(now), date, now).map((from) => ({
    startAt: formatMinutes(from - midnight),
    endAt: formatMinutes(from - midnight + place.rules.durationMinutes),
  }));
}

/** Section 4.4: the timeslots of a service at an address on a date. Throws as loadSlotContext does. */
export async function availableSlots(
  db: Db,
  plans: PlanCache,
  now: Instant,
  query: SlotQuery & { date: CalendarDate },
): Promise<Slot[]> {
  return slotsOn(await loadSlotContext(db, plans, query, query.date, 1), query.date, now);
}

export type Candidates = { problem: SlotProblem } | { problem: null; teams: Team[] };

/** Teams that could take the period, most suitable first, or why none can. */
export function candidatesFor(
  { place, busy }: SlotContext,
  period: { startsAt: Instant; endsAt: Instant },
  now: Instant,
): Candidates {
  if (place === null) return { problem: 'SLOT_NOT_OFFERED' };
  const date = dateOf(period.startsAt);
  const from = period.startsAt / MINUTE;
  const problem = startProblem(place.rules, dateOf(now), date, from, now);
  if (problem !== null) return { problem };
  const until = period.endsAt / MINUTE;
  if (until - from !== place.rules.durationMinutes) return { problem: 'SLOT_NOT_OFFERED' };

  const reasons = refusals(place.teams, busy, date, { from, until });
  const teams = place.teams.filter((_team, index) => reasons[index] === null);
  if (teams.length > 0) return { problem: null, teams };
  return { problem: reasons.some((reason) => reason === 'BUSY') ? 'SLOT_UNAVAILABLE' : 'SLOT_NOT_OFFERED' };
}

/**
 * The teams in the order in which to try them, when it is not known who is free: those that seemed free when last
 * looked at, then specialists, then by lot, so that simultaneous bookings spread.
 */
export function guessOrder(
  teams: readonly Team[],
  hint: BusyRanges | null,
  from: number,
  until: number,
): Team[] {
  const seemsHeld = (team: Team): boolean =>
    (hint?.get(team.number) ?? []).some(
      (range) => range.from < until + team.bufferMinutes && from < range.until,
    );
  return teams
    .map((team) => ({ team, held: Number(seemsHeld(team)), rank: versatility(team), lot: Math.random() }))
    .sort((a, b) => a.held - b.held || a.rank - b.rank || a.lot - b.lot)
    .map(({ team }) => team);
}

const MAX_ALTERNATIVES = 5;
export const ALTERNATIVE_DAYS = 7;

/** Up to five free slots of the seven days from `date`, the nearest to the wanted start first. */
export function alternativesTo(
  context: SlotContext,
  wanted: Instant,
  date: CalendarDate,
  now: Instant,
): DatedSlot[] {
  const { place, busy } = context;
  if (place === null) return [];
  const starts: number[] = [];
  for (let day = 0; day < ALTERNATIVE_DAYS; day++) {
    starts.push(...freeStarts(place.teams, busy, place.rules, dateOf(now), addDays(date, day), now));
  }
  const distance = (start: number): number => Math.abs(start * MINUTE - wanted);
  return starts
    .sort((a, b) => distance(a) - distance(b) || a - b)
    .slice(0, MAX_ALTERNATIVES)
    .map((start) => ({
      date: dateOf(start * MINUTE),
      startAt: timeOf(start * MINUTE),
      endAt: timeOf((start + place.rules.durationMinutes) * MINUTE),
    }));
}
