import company from '../../examples/riyadh/company.json' with { type: 'json' };
import day from '../../examples/riyadh/day.json' with { type: 'json' };
import zones from '../../examples/riyadh/zones.json' with { type: 'json' };
import type { CreateCategory } from '../catalogue/category-schema.ts';
import type { CreateService } from '../catalogue/service-schema.ts';
import type { PaymentResponsibility } from '../partners/rules.ts';
import type { CreateTier } from '../pricing/schema.ts';
import type { CreateReason } from '../reasons/schema.ts';

/** The demo data of Riyadh: two partners, and everything needed to book. */

export type ZoneKey = keyof typeof day.customers;
export type ServiceKey = keyof typeof company.services;
type CategoryKey = keyof typeof company.categories;

export type ServiceSeed = Omit<CreateService, 'categoryId'> & { category: CategoryKey };

type TeamSeed = {
  name: string;
  nameAr: string;
  /** The first is its home zone, in the second it helps out. */
  zones: ZoneKey[];
  skills: ServiceKey[];
  /** The same hours on several days; 1 is Monday. */
  hours: { weekdays: number[]; startAt: string; endAt: string }[];
};

export type PartnerSeed = {
  name: string;
  paymentResponsibility: PaymentResponsibility;
  /** SAR, where they differ from the default. */
  prices: Partial<Record<ServiceKey, number>>;
};

export const CATEGORIES: Record<CategoryKey, CreateCategory> = company.categories;
export const SERVICES = company.services as Record<ServiceKey, ServiceSeed>;
export const REASONS: Record<string, CreateReason> = company.reasons;
export const TIERS: Record<string, CreateTier> = company.tiers;
export const TEAMS = company.teams as readonly TeamSeed[];
export const PARTNERS = company.partners as Record<'partner' | 'platform', PartnerSeed>;
/** Domains of their webhooks: a receiver on the developer's machine (WEBHOOK_ALLOW_HOSTS permits it), or an example. */
export const WEBHOOK_DOMAINS = company.webhookDomains;

type ZoneSeed = { name: string; nameAr: string; services: ServiceKey[]; area: Area };
type Area = { type: 'Polygon'; coordinates: number[][][] };

/** The centre inside the ring roads, and four quarters of the city around it; neighbours share their corners. */
export const ZONES = Object.fromEntries(
  zones.features.map(({ id, properties, geometry }) => [id, { ...properties, area: geometry }]),
) as Record<ZoneKey, ZoneSeed>;

type Customer = { name: string; district: string; street: string; latitude: string; longitude: string };
/** The districts and streets exist, the people do not. */
export const CUSTOMERS: Record<ZoneKey, readonly Customer[]> = day.customers;

/** An appointment of a day. */
export type Entry = { zone: ZoneKey; service: ServiceKey; startAt: string };
/** By start; on a Friday fewer teams work, and those without a free team are skipped. */
export const EVERY_DAY = day.everyDay as readonly Entry[];
/**
 * In the centre only on days that have started: the guides make their first booking there on one of the next days, at
 * the first free time.
 */
export const UNTIL_TODAY = day.untilToday as readonly Entry[];
