import type { Db } from '../platform/db.ts';
import { loadPlan, type PlanRows } from './queries.ts';
import { type Team, toEpochMinutes } from './rules.ts';

export type PlannedService = {
  id: string;
  durationMinutes: number;
  zeroPriceMeans: 'free' | 'deferred';
  assignment: 'instant' | 'deferred';
  minimumNoticeMinutes: number;
  bookingHorizonDays: number;
};

/** Services, zones and teams as of one version of the catalogue: everything slots depend on but the bookings. */
export type Plan = {
  version: number;
  services: ReadonlyMap<string, PlannedService>;
  /** Active zones: their slot grids and services. */
  zones: ReadonlyMap<string, { gridMinutes: number; serviceIds: ReadonlySet<string> }>;
  /** Active teams that serve the zone and have the skill, the least versatile first. */
  teamsFor(zoneId: string, serviceId: string): readonly Team[];
};

export type PlanBook = {
  /** The plan of this version (which the caller read in the statement that needs it) or a newer one. */
  get(version: number): Promise<Plan>;
};

/**
 * The plan in memory. Statements that need it read the version along, so an answer never rests on an older
 * plan than the rows it came with; a change by any process is seen by the next request.
 */
export function createPlanBook(db: Db): PlanBook {
  let current: Plan | null = null;
  let loading: Promise<Plan> | null = null;

  async function load(): Promise<Plan> {
    current = toPlan(await loadPlan(db));
    return current;
  }

  return {
    async get(version) {
      while (current === null || current.version < version) {
        // Whoever comes while one loads waits for it, then looks again whether it is new enough.
        loading ??= load().finally(() => {
          loading = null;
        });
        await loading;
      }
      return current;
    },
  };
}

function toPlan({ version, services, zones, teams }: PlanRows): Plan {
  const built: Team[] = teams.map((team) => ({
    id: team.id,
    number: team.lock_number,
    name: team.name,
    bufferMinutes: team.travel_buffer_minutes,
    shifts: team.shifts,
    // Time off counts whole minutes: a started minute is off.
    timeOff: team.time_off.map(([from, until]) => ({
      from: toEpochMinutes(from * 1000),
      until: Math.ceil(until / 60),
    })),
    serviceIds: new Set(team.service_ids),
    zoneIds: new Set(team.zone_ids),
  }));
  // Specialists are claimed before all-rounders, which keeps the most options open for later bookings.
  const versatility = (team: Team): number => team.serviceIds.size * team.zoneIds.size;
  built.sort((a, b) => versatility(a) - versatility(b) || a.number - b.number);

  const byZoneAndService = new Map<string, Team[]>();
  return {
    version,
    services: new Map(
      services.map((service) => [
        service.id,
        {
          id: service.id,
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
