import { addDays, type CalendarDate, dateOf, type Instant } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import { searchDays } from './calendar.ts';
import type { PlanCache } from './plan.ts';
import { busyAt, type Coverage, type Days, readCoverageOf, type ServiceAtPlace } from './queries.ts';
import { freeStarts, lastDate } from './rules.ts';
import { type DatedSlot, datedSlot, placeOf, type SlotContext } from './slots.ts';

export type PlaceQuery = { partnerId: string; latitude: string; longitude: string };

type PlaceServed = {
  /** Whether an active zone covers the place. */
  isCovered: boolean;
  services: readonly ServiceAtPlace[];
  /** Of all services; null: none until their horizons. */
  earliest: (DatedSlot & { serviceId: string }) | null;
};

/** The services that the partner may book at a place, and the earliest slot of any, from one snapshot. */
export function readCoverage(
  db: Db,
  plans: PlanCache,
  now: Instant,
  place: PlaceQuery,
): Promise<PlaceServed> {
  return searchDays(dateOf(now), async (days) => {
    const coverage = await readWithPlan(db, plans, place, days);
    const { services, offers } = coverage;
    const horizonDays = Math.max(0, ...offers.map(({ rules }) => rules.horizonDays));
    const earliest = earliestOf(offers, busyAt(coverage, now), days, now);
    return {
      found: { isCovered: coverage.zoneId !== null, services, earliest },
      isComplete: earliest !== null || offers.length === 0,
      bookableUntil: lastDate({ horizonDays }, now),
    };
  });
}

type ServiceOffer = NonNullable<SlotContext['place']> & { serviceId: string };

/** With the rules and teams of each service, of the version that was read. */
async function readWithPlan(
  db: Db,
  plans: PlanCache,
  place: PlaceQuery,
  days: Days,
): Promise<Coverage & { offers: ServiceOffer[] }> {
  const coverage = await readCoverageOf(db, place, days);
  const plan = await plans.get(coverage.catalogueVersion);
  if (plan.version !== coverage.catalogueVersion) return readWithPlan(db, plans, place, days);
  const offers = coverage.services.map(({ id }) => ({
    serviceId: id,
    ...placeOf(coverage.zoneId, plan, plan.services.get(id)!)!,
  }));
  return { ...coverage, offers };
}

/** Of equal starts that of the first service. */
function earliestOf(
  offers: readonly ServiceOffer[],
  busy: Coverage['busy'],
  { from, days }: Days,
  now: Instant,
): PlaceServed['earliest'] {
  for (let day = 0; day < days; day++) {
    const date: CalendarDate = addDays(from, day);
    let earliest: { start: number; offer: ServiceOffer } | null = null;
    for (const offer of offers) {
      const [start] = freeStarts({ ...offer, busy }, date, now);
      if (start !== undefined && (earliest === null || start < earliest.start)) earliest = { start, offer };
    }
    if (earliest !== null) {
      const { start, offer } = earliest;
      return { serviceId: offer.serviceId, ...datedSlot(start, offer.rules.durationMinutes) };
    }
  }
  return null;
}
