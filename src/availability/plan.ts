import type { CalendarDate } from '../base/clock.ts';
import type { Db, Tx } from '../db/connection.ts';
import { gatherLookups } from '../runtime/gather.ts';
import {
  type Availability,
  type AvailabilityRequest,
  loadPlan,
  type PlanRows,
  readAvailability,
} from './queries.ts';
import { type Team, toTeam, versatility } from './rules.ts';

export type PlannedService = {
  id: string;
  nameEn: string;
  nameAr: string;
  durationMinutes: number;
  zeroPriceMeans: 'free' | 'deferred';
  assignment: 'instant' | 'deferred';
  minimumNoticeMinutes: number;
  bookingHorizonDays: number;
};

/** Services, zones and teams of one version of the catalogue. */
export type Plan = {
  version: number;
  services: ReadonlyMap<string, PlannedService>;
  /** Active zones: their slot grids and services. */
  zones: ReadonlyMap<string, { gridMinutes: number; serviceIds: ReadonlySet<string> }>;
  /** Active teams that serve the zone and have the skill, the least versatile first. */
  teamsFor(zoneId: string, serviceId: string): readonly Team[];
};

export type PlanCache = {
  /**
   * The plan of this version, which the caller has read with its rows, or a newer one; after a failover that lost the
   * version, the current one. With `tx` it is loaded in the transaction, never through another connection.
   */
  get(version: number, tx?: Tx): Promise<Plan>;
  /**
   * Reads a service at an address and the held ranges of a date (null: none); requests for one date share a statement,
   * and so do those for none.
   */
  read(wanted: AvailabilityRequest & { date: CalendarDate | null }): Promise<Availability>;
};

/** The largest numbers of requests in a statement and of statements under way. */
const SHARED = { maxKeys: 100, maxRunning: 2 };

/**
 * A cache of the plan. Statements read the catalogue's version with their rows, so a result never uses an older plan
 * than its rows, and the next request sees a change by any process.
 */
export function createPlanCache(db: Db): PlanCache {
  let current: Plan | null = null;
  let loading: Promise<Plan> | null = null;

  async function load(): Promise<Plan> {
    current = toPlan(await loadPlan(db));
    return current;
  }

  async function readDates(
    wanted: readonly (AvailabilityRequest & { date: CalendarDate | null })[],
  ): Promise<readonly Availability[]> {
    const read = new Map<AvailabilityRequest, Availability>();
    const byDate = Map.groupBy(wanted, ({ date }) => date);
    await Promise.all(
      [...byDate].map(async ([from, together]) => {
        const found = await readAvailability(db, from === null ? null : { from, days: 1 }, together);
        for (const [index, one] of together.entries()) read.set(one, found[index]!);
      }),
    );
    return wanted.map((one) => read.get(one)!);
  }

  return {
    read: gatherLookups(readDates, SHARED),
    async get(version, tx) {
      if (current?.version === version) return current;
      // Not cached: the transaction may have changed the catalogue itself and be rolled back.
      if (tx !== undefined) return toPlan(await loadPlan(tx));
      for (let loads = 1; ; loads++) {
        // Callers share a load under way, then check the version again.
        loading ??= load().finally(() => {
          loading = null;
        });
        const loaded = await loading;
        // The second load began after the version was read: if it lacks that version, the version is lost.
        if (loaded.version >= version || loads === 2) return loaded;
      }
    },
  };
}

function toPlan({ version, services, zones, teams, schedules }: PlanRows): Plan {
  const built: Team[] = teams.map((team) => toTeam(team, schedules));
  built.sort((a, b) => versatility(a) - versatility(b) || a.number - b.number);

  const byZoneAndService = new Map<string, Team[]>();
  return {
    version,
    services: new Map(
      services.map((service) => [
        service.id,
        {
          id: service.id,
          nameEn: service.name_en,
          nameAr: service.name_ar,
          durationMinutes: service.duration_minutes,
          zeroPriceMeans: service.zero_price_means,
          assignment: service.assignment,
          minimumNoticeMinutes: service.minimum_notice_minutes,
          bookingHorizonDays: service.booking_horizon_days,
        },
      ]),
    ),
    zones: new Map(
      zones.map((zone) => [
        zone.id,
        { gridMinutes: zone.slot_grid_minutes, serviceIds: new Set(zone.service_ids) },
      ]),
    ),
    teamsFor(zoneId, serviceId) {
      const key = zoneId + serviceId;
      let found = byZoneAndService.get(key);
      if (found === undefined) {
        found = built.filter((team) => team.zoneIds.has(zoneId) && team.serviceIds.has(serviceId));
        byZoneAndService.set(key, found);
      }
      return found;
    },
  };
}
