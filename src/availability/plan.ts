import type { CalendarDate } from '../base/clock.ts';
import type { Db, Queryable, Tx } from '../db/connection.ts';
import { gatherLookups } from '../runtime/gather.ts';
import { createVersionedMap, type VersionedMap } from '../runtime/versioned-map.ts';
import { type BusyCache, createBusyCache } from './busy.ts';
import {
  type Confirmation,
  confirmDays,
  type DayQuestion,
  loadBusy,
  loadPlan,
  type PackedBusy,
  type PlanRows,
} from './queries.ts';
import { type Team, toTeam, versatility } from './rules.ts';

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
  /** The numbers of the active teams, by their ids in hex without dashes. */
  teamNumbers: ReadonlyMap<string, number>;
};

export type PlanCache = {
  /**
   * The plan of this version (which the caller read in the statement that needs it) or a newer one; after a failover that
   * lost that version, the one that there is. Inside a transaction it is loaded through that, never through a second
   * connection or somebody else's.
   */
  get(version: number, tx?: Tx): Promise<Plan>;
  /** What this process remembers of who is held when. */
  busy: BusyCache;
  /** The version of the plan in memory; null: there is none yet. Unchecked, as a hint is. */
  newest(): number | null;
  /** What a partner, an address and a service give, as of a version of the catalogue. */
  situations: VersionedMap<Situation>;
  /** Whether what is remembered of a date still holds, as of now; requests that ask together share a statement. */
  confirm(asked: DayQuestion): Promise<Confirmation>;
  /** Reads the held ranges of a date; requests that ask for one together share the answer. */
  readDay(date: CalendarDate): Promise<PackedBusy>;
};

/** What slots depend on but the plan and the appointments: the address is located, and the service is there. */
export type Situation = {
  contactId: string;
  /** null: no active zone covers the address. */
  zoneId: string | null;
  serviceId: string;
  /** Active, of an active category, and enabled for the partner. */
  enabled: boolean;
  /** SAR; the partner's price, else the default. */
  price: string;
};

/** Situations kept: some megabytes. */
const MAX_SITUATIONS = 10_000;
/** Questions of one statement, and statements at once. */
const SHARED = { maxKeys: 100, maxRunning: 2 };

/**
 * The plan in memory. Statements that need it read the version along, so a result never rests on an older
 * plan than the rows it came with; a change by any process is seen by the next request.
 */
export function createPlanCache(db: Db): PlanCache {
  let current: Plan | null = null;
  let loading: Promise<Plan> | null = null;

  const situations = createVersionedMap<Situation>(MAX_SITUATIONS);

  async function load(): Promise<Plan> {
    const plan = toPlan(await loadPlan(db));
    // These run one after the other: the version that was known is lost.
    if (current !== null && plan.version < current.version) situations.clear();
    current = plan;
    return plan;
  }

  return {
    busy: createBusyCache(),
    newest: () => current?.version ?? null,
    situations,
    confirm: gatherLookups({
      one: async (asked) => (await confirmDays(db, [asked]))[0]!,
      many: (asked) =>
        onceEach(
          asked,
          ({ date, horizon }) => `${date}/${horizon}`,
          (distinct) => confirmDays(db, distinct),
        ),
      ...SHARED,
    }),
    readDay: gatherLookups({
      one: (date) => readDay(db, date),
      many: (dates) =>
        onceEach(
          dates,
          (date) => date,
          (distinct) => Promise.all(distinct.map((date) => readDay(db, date))),
        ),
      ...SHARED,
    }),
    async get(version, tx) {
      if (current?.version === version) return current;
      // What a transaction sees may be its own, and be rolled back: it is not kept.
      if (tx !== undefined) return toPlan(await loadPlan(tx));
      for (let loads = 1; ; loads++) {
        // Whoever comes while one loads waits for it, then looks again whether it is new enough.
        loading ??= load().finally(() => {
          loading = null;
        });
        const loaded = await loading;
        // The second began after the version was read: a version that it lacks is lost.
        if (loaded.version >= version || loads === 2) return loaded;
      }
    },
  };
}

const readDay = (db: Queryable, date: CalendarDate): Promise<PackedBusy> =>
  loadBusy(db, { from: date, days: 1 }, null);

/** Looks the distinct ones up, and answers each of them all. */
async function onceEach<Key, Value>(
  all: readonly Key[],
  nameOf: (key: Key) => string,
  lookUp: (distinct: readonly Key[]) => Promise<readonly Value[]>,
): Promise<readonly Value[]> {
  const places = new Map<string, number>();
  const distinct: Key[] = [];
  const placeOfEach = all.map((key) => {
    const name = nameOf(key);
    const known = places.get(name);
    if (known !== undefined) return known;
    places.set(name, distinct.length);
    return distinct.push(key) - 1;
  });
  const values = await lookUp(distinct);
  return placeOfEach.map((place) => values[place]!);
}

function toPlan({ version, services, zones, teams }: PlanRows): Plan {
  const built: Team[] = teams.map(toTeam);
  built.sort((a, b) => versatility(a) - versatility(b) || a.number - b.number);

  const byZoneAndService = new Map<string, Team[]>();
  return {
    version,
    teamNumbers: new Map(built.map((team) => [team.id.replaceAll('-', ''), team.number])),
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
