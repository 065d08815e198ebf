import type { TObject } from 'typebox';
import type { Instant } from '../base/clock.ts';
import { createCategory, updateCategory } from '../catalogue/categories.ts';
import { listCategories } from '../catalogue/category-queries.ts';
import { CreateCategory, UpdateCategory } from '../catalogue/category-schema.ts';
import { operatorCategoryView } from '../catalogue/category-view.ts';
import { listServices } from '../catalogue/service-queries.ts';
import { CreateService, UpdateService } from '../catalogue/service-schema.ts';
import { operatorServiceView } from '../catalogue/service-view.ts';
import { createService, updateService } from '../catalogue/services.ts';
import { listZones } from '../catalogue/zone-queries.ts';
import { doOverlap } from '../catalogue/zone-rules.ts';
import { CreateZone, UpdateZone } from '../catalogue/zone-schema.ts';
import { operatorZoneView } from '../catalogue/zone-view.ts';
import { createZone, updateZone } from '../catalogue/zones.ts';
import type { Actor } from '../db/audit.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { listPartners } from '../partners/account-queries.ts';
import { CreatePartner, UpdatePartner } from '../partners/account-schema.ts';
import { changePartner, createPartner } from '../partners/accounts.ts';
import { readPartnerServices } from '../partners/services.ts';
import { partnerServicesView, partnerView } from '../partners/view.ts';
import { changePolicy, createPolicy } from '../policies/policies.ts';
import { listPolicies } from '../policies/queries.ts';
import { CreatePolicy, UpdatePolicy } from '../policies/schema.ts';
import { policyView } from '../policies/view.ts';
import { createTier, operatorTierView, updateTier } from '../pricing/pricing.ts';
import { listTiers } from '../pricing/queries.ts';
import { CreateTier, UpdateTier } from '../pricing/schema.ts';
import { listReasons } from '../reasons/queries.ts';
import { createReason, reasonView, updateReason } from '../reasons/reasons.ts';
import { CreateReason, UpdateReason } from '../reasons/schema.ts';
import { listTeams } from '../teams/queries.ts';
import { listSchedules } from '../teams/schedule-queries.ts';
import { CreateSchedule, UpdateSchedule } from '../teams/schedule-schema.ts';
import { scheduleView } from '../teams/schedule-view.ts';
import { changeSchedule, createSchedule } from '../teams/schedules.ts';
import { CreateTeam, UpdateTeam } from '../teams/schema.ts';
import { createTeam, updateTeam } from '../teams/teams.ts';
import { teamView } from '../teams/view.ts';

/** A company's set-up as a file: the fields of the operator's interface, with names where that has ids. */

export type Entry = Record<string, unknown>;
/** As the operator's interface shows it. */
export type Item = Entry & { id: string };

const EVERYTHING = { limit: 1_000_000, offset: 0 };
type List<Row> = (db: Queryable, query: typeof EVERYTHING) => Promise<{ rows: Row[] }>;

const all =
  <Row>(list: List<Row>, view: (row: Row, now: Instant) => Item) =>
  async (db: Queryable, now: Instant): Promise<Item[]> =>
    (await list(db, EVERYTHING)).rows.map((row) => view(row, now));

type UseCase = (tx: Tx, now: Instant, actor: Actor, input: never) => Promise<unknown>;

/** Bodies and use cases of the interface, and what is there; fields that files have not, and those that only they have. */
const resource = (
  [create, make, update, change]: readonly [TObject, UseCase, TObject, UseCase],
  list: (db: Queryable, now: Instant) => Promise<Item[]>,
  { without = [], more = [] }: { without?: string[]; more?: string[] } = {},
) => ({ create, make, update, change, list, without, more });

/** The kinds in the order in which they are applied: one refers to those before it. */
export const RESOURCES = {
  categories: resource(
    [CreateCategory, createCategory, UpdateCategory, updateCategory],
    all(listCategories, operatorCategoryView),
  ),
  services: resource(
    [CreateService, createService, UpdateService, updateService],
    all(listServices, operatorServiceView),
    { without: ['name'] },
  ),
  zones: resource([CreateZone, createZone, UpdateZone, updateZone], listZonesWithOverlaps, {
    without: ['confirmOverlap'],
    more: ['confirmedOverlaps'],
  }),
  teams: resource([CreateTeam, createTeam, UpdateTeam, updateTeam], all(listTeams, teamView)),
  reasons: resource([CreateReason, createReason, UpdateReason, updateReason], all(listReasons, reasonView)),
  tiers: resource([CreateTier, createTier, UpdateTier, updateTier], all(listTiers, operatorTierView)),
  partners: resource([CreatePartner, createPartner, UpdatePartner, changePartner], listPartnersWithPrices, {
    without: ['allowedWebhookDomains'],
    more: ['restricted', 'prices'],
  }),
  policies: resource([CreatePolicy, createPolicy, UpdatePolicy, changePolicy], all(listPolicies, policyView)),
  schedules: resource(
    [CreateSchedule, createSchedule, UpdateSchedule, changeSchedule],
    all(listSchedules, scheduleView),
  ),
};
export type Kind = keyof typeof RESOURCES;
export const KINDS = Object.keys(RESOURCES) as Kind[];
/**
 * `place`: for messages, as `company.json, teams 3 "Team 4"`. `isChange`: of what is there, or another entry makes: a name that
 * is mistyped makes nothing.
 */
export type SetupEntry = { kind: Kind; entry: Entry; place: string; isChange?: true };
/** `policies` as `policy`. */
export const nounOf = (kind: Kind): string => kind.replace(/ies$/, 'ys').slice(0, -1);

async function listZonesWithOverlaps(db: Queryable): Promise<Item[]> {
  const zones = (await listZones(db, EVERYTHING)).rows.map(operatorZoneView);
  return zones.map((zone) => {
    const { confirmedOverlaps, isActive, priority, area } = zone;
    // A confirmation stays when the zones part: a copy would not have it.
    const others = zones.filter(
      (other) => confirmedOverlaps.includes(other.id) && other.isActive && isActive,
    );
    const lasting = others.filter((other) => other.priority === priority && doOverlap(area, other.area));
    return { ...zone, confirmedOverlaps: lasting.map(({ id }) => id) };
  });
}

async function listPartnersWithPrices(db: Queryable, now: Instant): Promise<Item[]> {
  const partners: Item[] = [];
  for (const row of (await listPartners(db, EVERYTHING)).rows) {
    const { restricted, services } = partnerServicesView(await readPartnerServices(db, row.id), now);
    partners.push({ ...partnerView(row), restricted, prices: services });
  }
  return partners;
}
