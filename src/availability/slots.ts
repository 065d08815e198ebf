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
import type { Db, Queryable, Tx } from '../db/connection.ts';
import { type Counted, readBusy } from './busy.ts';
import type { Plan, PlanCache, PlannedService, Situation } from './plan.ts';
import { findSlotRow } from './queries.ts';
import {
  type BusyRanges,
  firstStart,
  freeStarts,
  MINUTES_OF_DAY,
  refusalsOn,
  type SlotProblem,
  type SlotRules,
  startProblem,
  type Team,
  toEpochMinutes,
} from './rules.ts';

export type Slot = { startAt: string; endAt: string };
export type DatedSlot = Slot & { date: CalendarDate };

/** A service at an address, with the teams that could do it and what holds them in a period. */
export type SlotContext = {
  contactId: string;
  service: PlannedService;
  /** SAR. */
  price: string;
  /** The active zone that covers the address; null: none. */
  zoneId: string | null;
  /** null: the service is not available at the address (outside every zone, or not in the zone's list). */
  place: { zoneId: string; rules: SlotRules; teams: readonly Team[] } | null;
  busy: BusyRanges;
  plan: Plan;
  /** false: as far as this process knows. It is good for a claim, which compares the version, and for no refusal. */
  isConfirmed: boolean;
};

export type SlotQuery = {
  partnerId: string;
  addressId: string;
  serviceId: string;
  /** The booking that is being moved: what it holds counts as free. */
  movingBookingId?: string;
  /** The length of what is sold already, instead of the service's duration. */
  durationMinutes?: number;
  /** The operator may book inside the service's minimum notice. */
  ignoresNotice?: boolean;
};

/**
 * `fresh`: all is true as of this moment. `later`: no held ranges, and the rest may be what is remembered, for a caller
 * whose claim finds out who is free and whether the catalogue is still of that version.
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
  const context = await readContext(db, plans, query, date, days, freshness);
  return context.isEnabled ? context : null;
}

/** findSlotContext for a booking that is being moved: also of a service that was withdrawn, and always with who is held. */
export function loadMoveContext(
  tx: Tx,
  plans: PlanCache,
  query: SlotQuery & { movingBookingId: string },
  date: CalendarDate,
): Promise<SlotContext & { isEnabled: boolean }> {
  return readContext(tx, plans, query, date, 1, 'fresh');
}

async function readContext(
  db: Db | Tx,
  plans: PlanCache,
  query: SlotQuery,
  date: CalendarDate,
  days: number,
  freshness: Freshness,
): Promise<SlotContext & { isEnabled: boolean }> {
  const window = { from: date, days };
  const movingBookingId = query.movingBookingId ?? null;
  // What is kept, and what requests share, is read outside of transactions.
  const tx = 'transaction' in db ? undefined : db;
  const rememberable = freshness === 'fresh' && days === 1 && movingBookingId === null && tx === undefined;
  const horizon = rememberable ? plans.busy.horizon(date) : null;
  const found =
    (tx === undefined ? await knownSituation(plans, query, date, freshness, horizon) : null) ??
    (await readSituation(db, plans, query, date, horizon, tx !== undefined));
  const { situation, version, counted, isConfirmed } = found;
  const plan = await plans.get(version, tx);
  // The plan may be newer than the situation: the service can have gone in between.
  const service = plan.services.get(situation.serviceId);
  if (service === undefined) throw notFound('Service');

  const place = placeOf(situation, plan, service, query);
  const isOffered = place !== null && situation.enabled;
  let busy: BusyRanges = new Map();
  if (isOffered && rememberable) {
    busy =
      plans.busy.confirmed(date, plan, counted) ?? plans.busy.remember(date, plan, await plans.readDay(date));
  } else if ((isOffered || movingBookingId !== null) && freshness === 'fresh') {
    busy = await readBusy(db, plan, window, movingBookingId);
  }
  return {
    contactId: situation.contactId,
    service,
    price: situation.price,
    zoneId: situation.zoneId,
    isEnabled: situation.enabled,
    place,
    busy,
    // Price and zone are as of the situation's version: who claims a team with it is told when that is not the newest.
    plan: plan.version === version ? plan : { ...plan, version },
    isConfirmed,
  };
}

type FoundSituation = {
  situation: Situation;
  version: number;
  counted: Counted | null;
  isConfirmed: boolean;
};

const situationKey = ({ partnerId, addressId, serviceId }: SlotQuery): string =>
  `${partnerId}/${addressId}/${serviceId}`;

/**
 * The situation that is kept, when the catalogue still has the version that it is as of: confirmed by the database for a
 * fresh look, and for a later one as far as this process knows, because the claim compares the version. null: not known,
 * or not any more.
 */
async function knownSituation(
  plans: PlanCache,
  query: SlotQuery,
  date: CalendarDate,
  freshness: Freshness,
  horizon: string | null,
): Promise<FoundSituation | null> {
  const { situations } = plans;
  const situation = situations.get(situationKey(query));
  const version = situations.version();
  if (situation === undefined || version === null) return null;
  if (freshness === 'later') {
    const isUseful = situation.enabled && plans.newest() === version;
    return isUseful ? { situation, version, counted: null, isConfirmed: false } : null;
  }
  if (horizon === null) return null;
  const { catalogue_version, changes, server } = await plans.confirm({ date, horizon });
  if (catalogue_version !== version) return null;
  return { situation, version, counted: { horizon, changes, server }, isConfirmed: true };
}

/** Throws what loadSlotContext throws, but for SERVICE_NOT_ALLOWED. */
async function readSituation(
  db: Queryable,
  plans: PlanCache,
  query: SlotQuery,
  date: CalendarDate,
  horizon: string | null,
  inTransaction: boolean,
): Promise<FoundSituation> {
  const found = await findSlotRow(db, query, date, horizon);
  if (found === null) throw notFound('Address');
  if (!found.located) throw addressWithoutCoordinates();
  if (found.service_id === null) throw notFound('Service');
  const version = found.catalogue_version;
  const situation: Situation = {
    contactId: found.contact_id,
    zoneId: found.zone_id,
    serviceId: found.service_id,
    enabled: found.enabled,
    price: found.price!,
  };
  // What a transaction sees may be its own, and be rolled back.
  if (!inTransaction) plans.situations.set(version, situationKey(query), situation);
  const { changes, server } = found;
  const counted = horizon === null || changes === null ? null : { horizon, changes, server };
  return { situation, version, counted, isConfirmed: true };
}

/** The context with this team alone. */
export function onlyTeam(context: SlotContext, teamId: string): SlotContext {
  const { place } = context;
  if (place === null) return context;
  return { ...context, place: { ...place, teams: place.teams.filter(({ id }) => id === teamId) } };
}

function placeOf(
  { zoneId }: Situation,
  plan: Plan,
  service: PlannedService,
  { durationMinutes = service.durationMinutes, ignoresNotice = false }: SlotQuery,
): SlotContext['place'] {
  const zone = zoneId === null ? undefined : plan.zones.get(zoneId);
  if (zoneId === null || !zone?.serviceIds.has(service.id)) return null;
  return {
    zoneId,
    rules: {
      durationMinutes,
      gridMinutes: zone.gridMinutes,
      noticeMinutes: ignoresNotice ? 0 : service.minimumNoticeMinutes,
      horizonDays: service.bookingHorizonDays,
    },
    teams: plan.teamsFor(zoneId, service.id),
  };
}

/** Slots by zone, service and first start: the rest of what they depend on, the plan included, the ranges are of. */
const slotsByRanges = new WeakMap<BusyRanges, Map<string, readonly Slot[]>>();
/** Slots kept with the ranges of one date: zones, services and starts. */
const MAX_KEPT = 200;

/**
 * The free slots of the date, sorted by start; none outside the service's area, notice or horizon. They are kept as long
 * as the held ranges are the same, and found anew when the next start of the grid goes out of reach.
 */
export function slotsOn(
  { place, busy, service }: SlotContext,
  date: CalendarDate,
  now: Instant,
): readonly Slot[] {
  if (place === null) return [];
  const { rules, teams } = place;
  const today = dateOf(now);
  if (date > addDays(today, rules.horizonDays)) return [];
  const first = firstStart(rules, date, now);
  if (first >= MINUTES_OF_DAY) return [];
  let kept = slotsByRanges.get(busy);
  if (kept === undefined) {
    kept = new Map();
    slotsByRanges.set(busy, kept);
  }
  const key = `${date}/${first}/${place.zoneId}/${service.id}`;
  let slots = kept.get(key);
  if (slots === undefined) {
    const midnight = toEpochMinutes(startOfDate(date));
    slots = freeStarts(teams, busy, rules, today, date, now).map((from) => ({
      startAt: formatMinutes(from - midnight),
      endAt: formatMinutes(from - midnight + rules.durationMinutes),
    }));
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, slots);
  }
  return slots;
}

/** Section 4.4: the timeslots of a service at an address on a date. Throws as loadSlotContext does. */
export async function availableSlots(
  db: Db,
  plans: PlanCache,
  now: Instant,
  query: SlotQuery & { date: CalendarDate },
): Promise<Slot[]> {
  return [...slotsOn(await loadSlotContext(db, plans, query, query.date, 1), query.date, now)];
}

export type Candidates = { problem: SlotProblem } | { problem: null; teams: Team[] };

/** Chooses among teams, the least versatile of which are first, of those that can take a period. */
export type Choice = (teams: readonly Team[], canTake: (team: Team) => boolean) => Team[];

const everyone: Choice = (teams, canTake) => teams.filter(canTake);

/** Teams that could take the period, most suitable first, or why none can; of them those that are chosen. */
export function candidatesFor(
  { place, busy }: SlotContext,
  period: { startsAt: Instant; endsAt: Instant },
  now: Instant,
  choose: Choice = everyone,
): Candidates {
  if (place === null) return { problem: 'SLOT_NOT_OFFERED' };
  const date = dateOf(period.startsAt);
  const from = period.startsAt / MINUTE;
  const problem = startProblem(place.rules, dateOf(now), date, from, now);
  if (problem !== null) return { problem };
  const until = period.endsAt / MINUTE;
  if (until - from !== place.rules.durationMinutes) return { problem: 'SLOT_NOT_OFFERED' };
  return freeTeams(place.teams, period, busy, choose);
}

/** Of the teams those that can take the period, in their order, or why none can; of them those that are chosen. */
export function freeTeams(
  able: readonly Team[],
  { startsAt, endsAt }: { startsAt: Instant; endsAt: Instant },
  busy: BusyRanges,
  choose: Choice = everyone,
): Candidates {
  const refusalOf = refusalsOn(dateOf(startsAt), { from: startsAt / MINUTE, until: endsAt / MINUTE }, busy);
  const teams = choose(able, (team) => refusalOf(team) === null);
  if (teams.length > 0) return { problem: null, teams };
  const isAnyBusy = able.some((team) => refusalOf(team) === 'BUSY');
  return { problem: isAnyBusy ? 'SLOT_UNAVAILABLE' : 'SLOT_NOT_OFFERED' };
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
