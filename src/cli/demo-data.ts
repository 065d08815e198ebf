import company from '../../examples/riyadh/company.json' with { type: 'json' };
import day from '../../examples/riyadh/day.json' with { type: 'json' };
import zones from '../../examples/riyadh/zones.json' with { type: 'json' };

/** The demo data of Riyadh: a company as two set-up files, and its days. */

export const FILES = { 'company.json': company, 'zones.json': zones };

export const PARTNERS = { partner: 'Demo Partner', platform: 'Demo Platform' };
/** Domains of their webhooks: a receiver on the developer's machine (WEBHOOK_ALLOW_HOSTS permits it), or an example. */
export const WEBHOOK_DOMAINS = ['localhost', '127.0.0.1', 'example.com', 'demo-platform.invalid'];

/** Of teams, in the order of the file. */
export const TEAMS = company.teams.map(({ name }) => name);
/** Minutes, by the name of the service. */
export const DURATIONS = new Map(
  company.services.map(({ nameEn, durationMinutes }) => [nameEn, durationMinutes]),
);

export type ZoneKey = keyof typeof day.customers;

type Customer = { name: string; district: string; street: string; latitude: string; longitude: string };
/** The districts and streets exist, the people do not. */
export const CUSTOMERS: Record<ZoneKey, readonly Customer[]> = day.customers;

/** An appointment of a day; the service by name. */
export type Entry = { zone: ZoneKey; service: string; startAt: string };
/** By start; on a Friday fewer teams work, and those without a free team are skipped. */
export const EVERY_DAY = day.everyDay as readonly Entry[];
/**
 * In the centre only on days that have started: the guides make their first booking there on one of the next days, at
 * the first free time.
 */
export const UNTIL_TODAY = day.untilToday as readonly Entry[];
