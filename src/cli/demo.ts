import type { PlanCache } from '../availability/plan.ts';
import { availableSlots } from '../availability/slots.ts';
import { addDays, type Clock, DAY, dateOf, type Instant } from '../base/clock.ts';
import type { CreateBookingInput } from '../bookings/create.ts';
import { offeredServices } from '../catalogue/offered-services.ts';
import { lockCatalogue } from '../catalogue/queries.ts';
import { findOrCreateContact } from '../contacts/contacts.ts';
import { createCrewLink } from '../crew/links.ts';
import type { Db, Tx } from '../db/connection.ts';
import { findPartnerByName } from '../partners/account-queries.ts';
import { changePartner, readPartnerByName } from '../partners/accounts.ts';
import { PERMISSIONS } from '../partners/key-rules.ts';
import { type Deployment, issueKey } from '../partners/keys.ts';
import { applyEntries } from '../setup/apply.ts';
import { readContent } from '../setup/content.ts';
import { readDocument } from '../setup/files.ts';
import { listTeams } from '../teams/queries.ts';
import type { CreateSchedule } from '../teams/schedule-schema.ts';
import { allTemplates } from '../teams/schedule-templates.ts';
import { createSchedule } from '../teams/schedules.ts';
import { FILES, PARTNERS, TEAMS, WEBHOOK_DOMAINS } from './demo-data.ts';

/** Plain-text keys of the two demo partners and the link of a crew, known only at their creation. */
export type DemoKeys = { partner: string; platform: string; crew?: string };

/** The age of the demo's partners, teams and services: more than that of its bookings. */
export const DEMO_AGE = 7 * DAY;

/** As with a gateway: the demo has its PLATFORM partner whatever PAYMENT_GATEWAY is. */
const PROVIDERS = { hasGateway: true, hasNotifier: true };

/** The actor of the demo data in the audit log. */
export const ACTOR = 'seed:demo';

/**
 * Fills an empty database with the demo data of Riyadh, in one transaction, and returns the keys of the two demo
 * partners. Null, without a change: there is something of a set-up already.
 */
export function seedDemo(db: Db, now: Instant, deployment: Deployment): Promise<DemoKeys | null> {
  return db.transaction(async (tx) => {
    // Of processes that start together on one database, only the first finds it empty.
    await lockCatalogue(tx);
    if (Object.values(await readContent(tx, now)).some(({ length }) => length > 0)) return null;
    const files = Object.entries(FILES).map(([name, document]) => readDocument(name, document));
    const reading = { entries: files.flatMap(({ entries }) => entries), faults: [], states: [] };
    await applyEntries(tx, now, { actor: ACTOR, providers: PROVIDERS }, reading);
    for (const season of comingSeason(now)) await createSchedule(tx, now, ACTOR, season);
    return {
      partner: await openPartner(tx, now, PARTNERS.partner, deployment),
      platform: await openPartner(tx, now, PARTNERS.platform, deployment),
      crew: await linkCrews(tx, now),
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
  const partner = await findPartnerByName(db, PARTNERS.partner);
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

/** Opens what no set-up file has: hosts of webhooks and a key, of which it returns the plain text. */
async function openPartner(tx: Tx, now: Instant, name: string, deployment: Deployment): Promise<string> {
  const { id: partnerId } = await readPartnerByName(tx, name);
  const changes = { allowedWebhookDomains: WEBHOOK_DOMAINS };
  await changePartner(tx, now, ACTOR, { id: partnerId, providers: PROVIDERS, changes });
  const { key } = await issueKey(tx, now, ACTOR, {
    partnerId,
    deployment,
    name: 'Demo key',
    permissions: [...PERMISSIONS],
  });
  return key;
}

/** Makes a link for each team's crew; returns the first team's. */
async function linkCrews(tx: Tx, now: Instant): Promise<string> {
  const clock: Clock = { now: () => now, offset: () => 0 };
  const { rows } = await listTeams(tx, {}, { limit: TEAMS.length, offset: 0 });
  const links = new Map<string, string>();
  for (const { id: teamId, name } of rows)
    links.set(name, (await createCrewLink(tx, clock, ACTOR, { teamId, lasts: 'UNTIL_REVOKED' })).token);
  return links.get(TEAMS[0]!)!;
}
