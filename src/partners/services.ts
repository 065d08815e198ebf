import { isDeepStrictEqual } from 'node:util';
import type { Instant } from '../clock.ts';
import { notFound, validationError } from '../errors.ts';
import { type Actor, audit } from '../platform/audit.ts';
import type { Db, Queryable } from '../platform/db.ts';
import { isMoney, MAX_MONEY, toDecimal } from '../platform/money.ts';
import {
  findPartnerServices,
  lockPartner,
  type PartnerServiceRow,
  type PartnerServicesRow,
  replacePartnerServices,
} from './queries.ts';
import { partnerServicesView } from './view.ts';

/** `price` in SAR; null or absent: the service's default price. */
export type PartnerServiceInput = { serviceId: string; price?: number | null };

/** What the partner may book and at which prices. Throws RESOURCE_NOT_FOUND. */
export async function readPartnerServices(db: Queryable, partnerId: string): Promise<PartnerServicesRow> {
  const services = await findPartnerServices(db, partnerId);
  if (services === null) throw notFound('Partner');
  return services;
}

/**
 * Replaces what the partner may book and at which prices; bookings keep the price they were made at. Throws
 * RESOURCE_NOT_FOUND and VALIDATION_ERROR (a price that is not exact money, a service twice or unknown).
 */
export async function setPartnerServices(
  db: Db,
  now: Instant,
  actor: Actor,
  input: { partnerId: string; restricted: boolean; services: PartnerServiceInput[] },
): Promise<PartnerServicesRow> {
  const wanted = { restricted: input.restricted, services: exactServices(input.services) };
  return db.transaction(async (tx) => {
    const partner = await lockPartner(tx, input.partnerId);
    if (partner === null) throw notFound('Partner');
    const before = await readPartnerServices(tx, partner.id);
    if (isDeepStrictEqual(sorted(before), sorted(wanted))) return before;

    const known = new Set(await replacePartnerServices(tx, now, partner.id, wanted));
    const unknown = wanted.services.flatMap(({ service_id }, index) =>
      known.has(service_id) ? [] : `services.${index}.serviceId must be the id of a service`,
    );
    if (unknown.length > 0) throw validationError(unknown);
    const after = await readPartnerServices(tx, partner.id);
    await audit(tx, now, {
      actor,
      action: 'partner.services',
      target: `partner:${partner.id}`,
      before: partnerServicesView(before),
      after: partnerServicesView(after),
    });
    return after;
  });
}

function exactServices(services: PartnerServiceInput[]): PartnerServiceRow[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  const rows = services.map(({ serviceId, price = null }, index) => {
    const id = serviceId.toLowerCase();
    if (seen.has(id)) faults.push(`services.${index}.serviceId must not be listed twice`);
    seen.add(id);
    if (price !== null && !isMoney(price)) {
      faults.push(`services.${index}.price must be an amount from 0 to ${MAX_MONEY} with at most 2 decimals`);
      return { service_id: id, price: null };
    }
    return { service_id: id, price: price === null ? null : toDecimal(price) };
  });
  if (faults.length > 0) throw validationError(faults);
  return rows;
}

function sorted({ restricted, services }: PartnerServicesRow): PartnerServicesRow {
  const byId = (one: PartnerServiceRow, other: PartnerServiceRow) =>
    one.service_id < other.service_id ? -1 : 1;
  return { restricted, services: services.toSorted(byId) };
}
