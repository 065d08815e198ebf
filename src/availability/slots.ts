import {
  addDays,
  type CalendarDate,
  dateOf,
  formatMinutes,
  type Instant,
  MINUTE,
  startOfDate,
  timeOf,
} from '../base/clock.ts';
import { ApiError, addressWithoutCoordinates, notFound } from '../base/errors.ts';
import { findEnabledService } from '../catalogue/queries.ts';
import type { Unserved } from '../catalogue/rules.ts';
import type { Db, Tx } from '../db/connection.ts';
import { priceAt } from '../partners/price-rules.ts';
import type { Plan, PlanCache, PlannedService } from './plan.ts';
import { type Availability, busyAt, type Days, readAvailability, readCoverageOf } from './queries.ts';
import {
  type BusyRanges,
  type DayState,
  dayState,
  freeStarts,
  refusalsOn,
  type SlotProblem,
  type SlotRules,
  startProblem,
  type Team,
  toEpochMinutes,
} from './rules.ts';

export type Slot = { startAt: string; endAt: string };
export type DatedSlot = Slot & { date: CalendarDate };

/** A service at an address or a place, with the teams that can do it and their holds in a period. */
export type SlotContext = {
  /** null: of a place. */
  contactId: string | null;
  /** The customer's hold for the service, also when its time is over; null: none. */
  ownHoldId: string | null;
  service: PlannedService;
  /** The price of a sale at the moment; SAR. */
  priceAt(now: Instant): string;
  /** The active zone that covers the address; null: none. */
  zoneId: string | null;
  /** null: the service is not available at the address (outside every zone, or not in the zone's list). */
  place: { zoneId: string; rules: SlotRules; teams: readonly Team[] } | null;
  /** The ranges that keep the teams from visits. A slot that the customer holds itself for the service counts as free. */
  busyAt(now: Instant): BusyRanges;
  plan: Plan;
};

/** A partner's address, or coordinates before there is a customer. */
export type Location = { addressId: string } | { latitude: string; longitude: string };

/** The location of a request that `locationFaults` has passed. */
export const locationOf = (sent: { addressId?: string; latitude?: string; longitude?: string }): Location =>
  sent.addressId === undefined
    ? { latitude: sent.latitude!, longitude: sent.longitude! }
    : { addressId: sent.addressId };

export type SlotQuery = Location & {
  partnerId: string;
  serviceId: string;
  /** The booking to be moved: its hold counts as free. */
  movingBookingId?: string;
  /** The length of the sold visit, instead of the service's duration. */
  durationMinutes?: number;
  /** Allows starts inside the service's minimum notice (operator). */
  ignoresNotice?: boolean;
  /** Days by which the service's horizon is further away: dates of a series. */
  daysAhead?: number;
};

/**
 * Reads a service at an address or a place and the holds of some days (null: none), in one snapshot after the call. Throws, in this
 * order, RESOURCE_NOT_FOUND (address, or service), VALIDATION_ERROR (address without coordinates) and SERVICE_NOT_ALLOWED
 * (not enabled for the partner). Sections 4.4 and 4.5.
 */
export async function loadSlotContext(
  db: Db | Tx,
  plans: PlanCache,
  query: SlotQuery,
  days: Days | null,
): Promise<SlotContext> {
  const context = await findSlotContext(db, plans, query, days);
  if (context === null)
    throw new ApiError('SERVICE_NOT_ALLOWED', 'The service is not enabled for this partner');
  return context;
}

/** loadSlotContext; null instead of SERVICE_NOT_ALLOWED. */
export async function findSlotContext(
  db: Db | Tx,
  plans: PlanCache,
  query: SlotQuery,
  days: Days | null,
): Promise<SlotContext | null> {
  const context = await readContext(db, plans, query, days);
  return context.isEnabled ? context : null;
}

/** findSlotContext for a booking to be moved, also of a withdrawn service. */
export function loadMoveContext(
  tx: Tx,
  plans: PlanCache,
  query: SlotQuery & { movingBookingId: string },
  date: CalendarDate,
): Promise<SlotContext & { isEnabled: boolean }> {
  return readContext(tx, plans, query, { from: date, days: 1 });
}

async function readContext(
  db: Db | Tx,
  plans: PlanCache,
  query: SlotQuery,
  days: Days | null,
): Promise<SlotContext & { isEnabled: boolean }> {
  // Shared reads are outside of transactions.
  const tx = 'transaction' in db ? undefined : db;
  const { catalogueVersion, found, ...held } = await read();
  if (found === null) throw notFound('Address');
  if (!found.located) throw addressWithoutCoordinates();
  if (found.service_id === null) throw notFound('Service');
  const plan = await plans.get(catalogueVersion, tx);
  // The catalogue changed in between: other teams may serve the zone.
  if (plan.version !== catalogueVersion) return readContext(db, plans, query, days);
  const service = plan.services.get(found.service_id);
  if (service === undefined) throw notFound('Service');
  const { contact_id: contactId } = found;
  return {
    contactId,
    ownHoldId: found.hold_id,
    service,
    priceAt: (now) => priceAt(found.prices!, now),
    zoneId: found.zone_id,
    isEnabled: found.enabled,
    place: placeOf(found.zone_id, plan, service, query),
    busyAt: (now) => busyAt(held, now, contactId === null ? undefined : { contactId, serviceId: service.id }),
    plan,
  };

  async function read(): Promise<Availability> {
    if (!('addressId' in query)) return readPlace(db, query, days);
    const { movingBookingId } = query;
    return tx === undefined && (days === null || days.days === 1) && movingBookingId === undefined
      ? plans.read({ ...query, date: days?.from ?? null })
      : (await readAvailability(db, days, [query], movingBookingId))[0]!;
  }
}

/** The availability of a place, as readAvailability returns that of an address. The plan tells unknown services. */
async function readPlace(
  db: Db | Tx,
  { serviceId, ...place }: Extract<SlotQuery, { latitude: string }>,
  days: Days | null,
): Promise<Availability> {
  const { zoneId, services, ...read } = await readCoverageOf(db, place, days);
  const offered = services.find(({ id }) => id === serviceId.toLowerCase());
  const isEnabled =
    offered !== undefined || (await findEnabledService(db, place.partnerId, serviceId))?.is_active === true;
  const found = {
    place: 1,
    contact_id: null,
    located: true,
    zone_id: zoneId,
    service_id: serviceId.toLowerCase(),
    enabled: isEnabled,
    prices: offered?.prices ?? null,
    hold_id: null,
  };
  return { ...read, found };
}

/** The context with this team alone. */
export function onlyTeam(context: SlotContext, teamId: string): SlotContext {
  const { place } = context;
  if (place === null) return context;
  return { ...context, place: { ...place, teams: place.teams.filter(({ id }) => id === teamId) } };
}

/** The rules and teams of the service in the zone; null: the zone does not offer it. */
export function placeOf(
  zoneId: string | null,
  plan: Plan,
  service: PlannedService,
  {
    durationMinutes = service.durationMinutes,
    ignoresNotice = false,
    daysAhead = 0,
  }: Pick<SlotQuery, 'durationMinutes' | 'ignoresNotice' | 'daysAhead'> = {},
): SlotContext['place'] {
  const zone = zoneId === null ? undefined : plan.zones.get(zoneId);
  if (zoneId === null || !zone?.serviceIds.has(service.id)) return null;
  return {
    zoneId,
    rules: {
      durationMinutes,
      gridMinutes: zone.gridMinutes,
      noticeMinutes: ignoresNotice ? 0 : service.minimumNoticeMinutes,
      horizonDays: service.bookingHorizonDays + daysAhead,
    },
    teams: plan.teamsFor(zoneId, service.id),
  };
}

export type Day = { state: DayState; slots: Slot[] };

/** The free slots of the date, sorted by start; none outside the service's area, notice or horizon. */
export function dayOn({ place, busyAt }: SlotContext, date: CalendarDate, now: Instant): Day {
  if (place === null) return { state: 'CLOSED', slots: [] };
  const { durationMinutes } = place.rules;
  const midnight = toEpochMinutes(startOfDate(date));
  const day = { ...place, busy: busyAt(now) };
  const starts = freeStarts(day, date, now);
  const slots = starts.map((from) => ({
    startAt: formatMinutes(from - midnight),
    endAt: formatMinutes(from - midnight + durationMinutes),
  }));
  return { state: dayState(starts, day, date, now), slots };
}

/** Why the service is never offered at the address; null: it is. */
export function unservedAt({ zoneId, place }: SlotContext): Unserved | null {
  if (zoneId === null) return 'PLACE_NOT_COVERED';
  return place === null ? 'NOT_OFFERED_AT_PLACE' : null;
}

/** Section 4.4: the timeslots of a service at an address on a date. Throws as loadSlotContext does. */
export async function availableSlots(
  db: Db,
  plans: PlanCache,
  now: Instant,
  query: SlotQuery & { date: CalendarDate },
): Promise<{ slots: Slot[]; unserved: Unserved | null }> {
  const context = await loadSlotContext(db, plans, query, { from: query.date, days: 1 });
  return { slots: dayOn(context, query.date, now).slots, unserved: unservedAt(context) };
}

export type Candidates = { problem: SlotProblem } | { problem: null; teams: Team[] };

/** Chooses teams that can take a period, from a list with the least versatile ones first. */
export type Choice = (teams: readonly Team[], canTake: (team: Team) => boolean) => Team[];

const allFree: Choice = (teams, canTake) => teams.filter(canTake);

/** The chosen teams that can take the period, most suitable first, or the problem when there is none. */
export function candidatesFor(
  { place, busyAt }: SlotContext,
  period: { startsAt: Instant; endsAt: Instant },
  now: Instant,
  choose: Choice = allFree,
): Candidates {
  if (place === null) return { problem: 'SLOT_NOT_OFFERED' };
  const from = period.startsAt / MINUTE;
  const problem = startProblem(place.rules, from, now);
  if (problem !== null) return { problem };
  const until = period.endsAt / MINUTE;
  if (until - from !== place.rules.durationMinutes) return { problem: 'SLOT_NOT_OFFERED' };
  return freeTeams(place.teams, period, busyAt(now), choose);
}

/** The chosen ones of the teams that can take the period, in their order, or the problem when there is none. */
export function freeTeams(
  able: readonly Team[],
  { startsAt, endsAt }: { startsAt: Instant; endsAt: Instant },
  busy: BusyRanges,
  choose: Choice = allFree,
): Candidates {
  const refusalOf = refusalsOn(dateOf(startsAt), { from: startsAt / MINUTE, until: endsAt / MINUTE }, busy);
  const teams = choose(able, (team) => refusalOf(team) === null);
  if (teams.length > 0) return { problem: null, teams };
  const isAnyBusy = able.some((team) => refusalOf(team) === 'BUSY');
  return { problem: isAnyBusy ? 'SLOT_UNAVAILABLE' : 'SLOT_NOT_OFFERED' };
}

const MAX_ALTERNATIVES = 5;
export const ALTERNATIVE_DAYS = 7;

/** A few free slots of ALTERNATIVE_DAYS from `date`, the nearest to the wanted start first, and never the one at `own`. */
export function alternativesTo(
  context: SlotContext,
  wanted: Instant,
  date: CalendarDate,
  { now, own }: { now: Instant; own?: Instant | undefined },
): DatedSlot[] {
  const { place } = context;
  if (place === null) return [];
  const busy = context.busyAt(now);
  const starts: number[] = [];
  for (let day = 0; day < ALTERNATIVE_DAYS; day++) {
    starts.push(...freeStarts({ ...place, busy }, addDays(date, day), now));
  }
  const distance = (start: number): number => Math.abs(start * MINUTE - wanted);
  return starts
    .filter((start) => start * MINUTE !== own)
    .sort((a, b) => distance(a) - distance(b) || a - b)
    .slice(0, MAX_ALTERNATIVES)
    .map((start) => datedSlot(start, place.rules.durationMinutes));
}

/** The slot of a start (epoch minutes). */
export function datedSlot(start: number, durationMinutes: number): DatedSlot {
  return {
    date: dateOf(start * MINUTE),
    startAt: timeOf(start * MINUTE),
    endAt: timeOf((start + durationMinutes) * MINUTE),
  };
}
