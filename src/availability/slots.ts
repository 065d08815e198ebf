import {
  addDays,
  type CalendarDate,
  DAY,
  dateOf,
  formatMinutes,
  type Instant,
  MINUTE,
  startOfDate,
  timeOf,
} from '../clock.ts';
import { ApiError, notFound, validationError } from '../errors.ts';
import type { Queryable } from '../platform/db.ts';
import type { Plan, PlanBook, PlannedService } from './plan.ts';
import { loadSituation, type Situation } from './queries.ts';
import {
  type BusyRanges,
  freeStarts,
  type Range,
  refusal,
  type SlotProblem,
  type SlotRules,
  shiftsOn,
  startProblem,
  type Team,
  toEpochMinutes,
} from './rules.ts';

export type Slot = { startAt: string; endAt: string };
export type DatedSlot = Slot & { date: CalendarDate };

/** A service at an address, with the teams that could do it and what holds them in a period. */
export type Prospect = {
  contactId: string;
  service: PlannedService;
  /** SAR. */
  price: string;
  /** null: the service is not available at the address (outside every zone, or not in the zone's list). */
  place: { zoneId: string; rules: SlotRules; teams: readonly Team[] } | null;
  busy: BusyRanges;
  plan: Plan;
};

export type ProspectQuery = { partnerId: string; addressId: string; serviceId: string };

/** No appointment lasts longer, with its buffer, than this. */
const LONGEST = 32 * 60 * MINUTE;

/**
 * Looks at a service and an address for the dates from `date` on, `days` of them. Throws, in this order,
 * RESOURCE_NOT_FOUND (address, or service), VALIDATION_ERROR (address without coordinates) and
 * SERVICE_NOT_ALLOWED (not enabled for the partner). Sections 4.4 and 4.5.
 */
export async function loadProspect(
  db: Queryable,
  plans: PlanBook,
  query: ProspectQuery,
  date: CalendarDate,
  days: number,
): Promise<Prospect> {
  const from = startOfDate(date);
  const found = await loadSituation(
    db,
    query.partnerId,
    query.addressId,
    query.serviceId,
    from,
    from + days * DAY + LONGEST,
  );
  if (found === null) throw notFound('Address');
  if (!found.located) throw validationError(['addressId must belong to an address with coordinates']);
  if (found.service_id === null) throw notFound('Service');
  if (!found.enabled)
    throw new ApiError('SERVICE_NOT_ALLOWED', 'The service is not enabled for this partner');
  const plan = await plans.get(found.catalogue_version);
  // The plan may be newer than the row: the service can have gone in between.
  const service = plan.services.get(found.service_id);
  if (service === undefined) throw notFound('Service');
  return toProspect(found, plan, service);
}

function toProspect(found: Situation, plan: Plan, service: PlannedService): Prospect {
  const zone = found.zone_id === null ? undefined : plan.zones.get(found.zone_id);
  return {
    contactId: found.contact_id,
    service,
    price: found.price!,
    place:
      found.zone_id !== null && zone?.serviceIds.has(service.id)
        ? {
            zoneId: found.zone_id,
            rules: {
              durationMinutes: service.durationMinutes,
              gridMinutes: zone.gridMinutes,
              noticeMinutes: service.minimumNoticeMinutes,
              horizonDays: service.bookingHorizonDays,
            },
            teams: plan.teamsFor(found.zone_id, service.id),
          }
        : null,
    busy: unpackBusy(found.busy),
    plan,
  };
}

/** Undoes the packing of loadSituation: team number, start, end in epoch minutes, 4 bytes each. */
export function unpackBusy(packed: Buffer | null): BusyRanges {
  const busy = new Map<number, Range[]>();
  for (let at = 0; packed !== null && at < packed.length; at += 12) {
    const team = packed.readInt32BE(at);
    const range = { from: packed.readInt32BE(at + 4), until: packed.readInt32BE(at + 8) };
    const ranges = busy.get(team);
    if (ranges === undefined) busy.set(team, [range]);
    else ranges.push(range);
  }
  return busy;
}

/** The free slots of the date, sorted by start; none outside the service's area, notice or horizon. */
export function slotsOn({ place, busy }: Prospect, date: CalendarDate, now: Instant): Slot[] {
  if (place === null) return [];
  const midnight = toEpochMinutes(startOfDate(date));
  return freeStarts(place.teams, busy, place.rules, dateOf(now), date, now).map((from) => ({
    startAt: formatMinutes(from - midnight),
    endAt: formatMinutes(from - midnight + place.rules.durationMinutes),
  }));
}

/** Section 4.4: the timeslots of a service at an address on a date. Throws as loadProspect does. */
export async function availableSlots(
  db: Queryable,
  plans: PlanBook,
  now: Instant,
  query: ProspectQuery & { date: CalendarDate },
): Promise<Slot[]> {
  return slotsOn(await loadProspect(db, plans, query, query.date, 1), query.date, now);
}

export type Candidates = { problem: SlotProblem } | { problem: null; teams: Team[] };

/** Who could take the period between two instants, most suitable first, or why nobody can. */
export function candidatesFor(
  { place, busy }: Prospect,
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

  const reasons = place.teams.map((team) => refusal(team, shiftsOn(team, date), busy, { from, until }));
  const teams = place.teams.filter((_team, index) => reasons[index] === null);
  if (teams.length > 0) return { problem: null, teams };
  return { problem: reasons.some((reason) => reason === 'BUSY') ? 'SLOT_UNAVAILABLE' : 'SLOT_NOT_OFFERED' };
}

const MOST_ALTERNATIVES = 5;
export const ALTERNATIVE_DAYS = 7;

/** Up to five free slots of the prospect's seven days from `date`, the nearest to the wanted start first. */
export function alternativesTo(
  prospect: Prospect,
  wanted: Instant,
  date: CalendarDate,
  now: Instant,
): DatedSlot[] {
  const { place, busy } = prospect;
  if (place === null) return [];
  const starts: number[] = [];
  for (let day = 0; day < ALTERNATIVE_DAYS; day++) {
    starts.push(...freeStarts(place.teams, busy, place.rules, dateOf(now), addDays(date, day), now));
  }
  const distance = (start: number): number => Math.abs(start * MINUTE - wanted);
  return starts
    .sort((a, b) => distance(a) - distance(b) || a - b)
    .slice(0, MOST_ALTERNATIVES)
    .map((start) => ({
      date: dateOf(start * MINUTE),
      startAt: timeOf(start * MINUTE),
      endAt: timeOf((start + place.rules.durationMinutes) * MINUTE),
    }));
}
