import type { PlanCache } from '../availability/plan.ts';
import { availableSlots } from '../availability/slots.ts';
import { addDays, type Clock, DAY, dateOf, type Instant } from '../base/clock.ts';
import type { CreateBookingInput } from '../bookings/create.ts';
import { createCategory } from '../catalogue/categories.ts';
import { offeredServices } from '../catalogue/offered-services.ts';
import { hasAnyData, lockCatalogue } from '../catalogue/queries.ts';
import { createService } from '../catalogue/services.ts';
import { createZone } from '../catalogue/zones.ts';
import { findOrCreateContact } from '../contacts/contacts.ts';
import { createCrewLink } from '../crew/links.ts';
import type { Db, Tx } from '../db/connection.ts';
import { findPartnerByName } from '../partners/account-queries.ts';
import { createPartner } from '../partners/accounts.ts';
import { PERMISSIONS } from '../partners/key-rules.ts';
import { type Deployment, issueKey } from '../partners/keys.ts';
import { setPartnerServices } from '../partners/services.ts';
import { createTier } from '../pricing/pricing.ts';
import { hasTiers } from '../pricing/queries.ts';
import { hasReasons } from '../reasons/queries.ts';
import { createReason } from '../reasons/reasons.ts';
import type { CreateSchedule } from '../teams/schedule-schema.ts';
import { allTemplates } from '../teams/schedule-templates.ts';
import { createSchedule } from '../teams/schedules.ts';
import { createTeam } from '../teams/teams.ts';
import {
  CATEGORIES,
  PARTNERS,
  type PartnerSeed,
  REASONS,
  SERVICES,
  type ServiceKey,
  type ServiceSeed,
  TEAMS,
  TIERS,
  WEBHOOK_DOMAINS,
  ZONES,
  type ZoneKey,
} from './demo-data.ts';

/** Plain-text keys of the two demo partners and the link of a crew, known only at their creation. */
export type DemoKeys = { partner: string; platform: string; crew?: string };

/** The age of the demo's partners, teams and services: more than that of its bookings. */
export const DEMO_AGE = 7 * DAY;

/** The actor of the demo data in the audit log. */
export const ACTOR = 'seed:demo';

/**
 * Fills an empty database with the demo data of Riyadh, in one transaction, and returns the keys of the two demo
 * partners. Null, without a change: there is a partner, category, zone, team, cancellation reason or pricing tier
 * already.
 */
export function seedDemo(db: Db, now: Instant, deployment: Deployment): Promise<DemoKeys | null> {
  return db.transaction(async (tx) => {
    // Of processes that start together on one database, only the first finds it empty.
    await lockCatalogue(tx);
    if ((await hasAnyData(tx)) || (await hasReasons(tx)) || (await hasTiers(tx))) return null;
    await inTurn(REASONS, (reason, index) =>
      createReason(tx, now, ACTOR, { ...reason, sortOrder: (index + 1) * 10 }),
    );
    await inTurn(TIERS, (tier, index) => createTier(tx, now, ACTOR, { ...tier, sorting: (index + 1) * 10 }));
    const services = await seedCatalogue(tx, now);
    const zones = await seedZones(tx, now, services);
    const crew = await seedTeams(tx, now, services, zones);
    for (const season of comingSeason(now)) await createSchedule(tx, now, ACTOR, season);
    return {
      partner: await seedPartner(tx, now, PARTNERS.partner, { deployment, services }),
      platform: await seedPartner(tx, now, PARTNERS.platform, { deployment, services }),
      crew,
    };
  });
}

/** A customer in the middle of the centre zone. */
const CUSTOMER = {
  phone: '+966500000001',
  name: 'Demo Customer',
  latitude: '24.7136',
  longitude: '46.6753',
};
const DAYS_AHEAD = 14;

/**
 * The body of a booking that the demo partner of the PARTNER kind could make now: the next free slot of its first
 * service for a demo customer, who is created if needed. Null: nothing is free, or there is no demo.
 */
export async function demoBooking(
  db: Db,
  plans: PlanCache,
  now: Instant,
): Promise<CreateBookingInput | null> {
  const partner = await findPartnerByName(db, PARTNERS.partner.name);
  if (partner === null) return null;
  const contact = await findOrCreateContact(db, now, partner, CUSTOMER);
  const addressId = contact.address_id!;
  const { rows } = await offeredServices(db, partner.id, addressId, { limit: 1, offset: 0 });
  const serviceId = rows[0]?.services[0]?.id;
  if (serviceId === undefined) return null;
  for (let day = 1; day <= DAYS_AHEAD; day++) {
    const date = addDays(dateOf(now), day);
    const {
      slots: [timeslot],
    } = await availableSlots(db, plans, now, {
      partnerId: partner.id,
      addressId,
      serviceId,
      date,
    });
    if (timeslot) return { contactId: contact.id, addressId, serviceId, date, timeslot };
  }
  return null;
}

type Ids<Key extends string> = Record<Key, string>;

async function seedCatalogue(tx: Tx, now: Instant): Promise<Ids<ServiceKey>> {
  const categories = await inTurn(CATEGORIES, (category, index) =>
    createCategory(tx, now, ACTOR, { ...category, sortOrder: (index + 1) * 10 }),
  );
  return inTurn<ServiceKey, ServiceSeed>(SERVICES, ({ category, ...fields }) =>
    createService(tx, now, ACTOR, { ...fields, categoryId: categories[category] }),
  );
}

function seedZones(tx: Tx, now: Instant, services: Ids<ServiceKey>): Promise<Ids<ZoneKey>> {
  return inTurn(ZONES, ({ services: keys, ...zone }) =>
    createZone(tx, now, ACTOR, { ...zone, serviceIds: keys.map((key) => services[key]) }),
  );
}

/** Creates the teams, each with a link for its crew; returns the first team's. */
async function seedTeams(
  tx: Tx,
  now: Instant,
  services: Ids<ServiceKey>,
  zones: Ids<ZoneKey>,
): Promise<string> {
  const clock: Clock = { now: () => now, offset: () => 0 };
  const links: string[] = [];
  for (const { zones: served, skills, hours, ...team } of TEAMS) {
    const { id: teamId } = await createTeam(tx, now, ACTOR, {
      ...team,
      shifts: hours.flatMap(({ weekdays, ...time }) => weekdays.map((weekday) => ({ weekday, ...time }))),
      zoneIds: served.map((key) => zones[key]),
      serviceIds: skills.map((key) => services[key]),
      travelBufferMinutes: 30,
    });
    links.push((await createCrewLink(tx, clock, ACTOR, { teamId, lasts: 'UNTIL_REVOKED' })).token);
  }
  return links[0]!;
}

/** The next Ramadan and Eid, none of which disturbs the demo's first days; none after the last year of the templates. */
export function comingSeason(now: Instant): CreateSchedule[] {
  const today = dateOf(now);
  return allTemplates()
    .filter(
      ({ key, from }) => (key === 'ramadan' || key === 'eid-al-fitr') && from > addDays(today, DAYS_AHEAD),
    )
    .slice(0, 2)
    .map(({ key: _key, ...season }) => season);
}

/** Returns the plain text of the partner's key. */
async function seedPartner(
  tx: Tx,
  now: Instant,
  { name, paymentResponsibility, prices }: PartnerSeed,
  { deployment, services }: { deployment: Deployment; services: Ids<ServiceKey> },
): Promise<string> {
  // As with a gateway: the demo has its PLATFORM partner whatever PAYMENT_GATEWAY is.
  const partner = await createPartner(tx, now, ACTOR, {
    providers: { hasGateway: true, hasNotifier: true },
    name,
    paymentResponsibility,
    allowedWebhookDomains: WEBHOOK_DOMAINS,
  });
  const priced = Object.entries(prices).map(([key, price]) => ({
    serviceId: services[key as ServiceKey],
    price,
  }));
  await setPartnerServices(tx, now, ACTOR, { partnerId: partner.id, restricted: false, services: priced });
  const { key } = await issueKey(tx, now, ACTOR, {
    partnerId: partner.id,
    deployment,
    name: 'Demo key',
    permissions: [...PERMISSIONS],
  });
  return key;
}

/** Creates them sequentially, in the order of the list, and returns their ids by the same keys. */
async function inTurn<Key extends string, Seed>(
  seeds: Record<Key, Seed>,
  create: (seed: Seed, index: number) => Promise<{ id: string }>,
): Promise<Ids<Key>> {
  const ids = {} as Ids<Key>;
  for (const [index, key] of (Object.keys(seeds) as Key[]).entries()) {
    ids[key] = (await create(seeds[key], index)).id;
  }
  return ids;
}
