import { isDeepStrictEqual } from 'node:util';
import type { Instant } from '../base/clock.ts';
import { orNotFound, throwIfInvalid } from '../base/errors.ts';
import { toDecimal } from '../base/money.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { assertWanted, type WantedVersions } from '../http/if-match.ts';
import { partnerRows } from './account-queries.ts';
import { comingPriceFaults, pricesAt, toComingPrices } from './price-rules.ts';
import { findPartnerServices, replacePartnerServices } from './service-queries.ts';
import { duplicateServiceFaults } from './service-rules.ts';
import type { PutPartnerServices } from './service-schema.ts';
import type { PartnerServiceRow, PartnerServicesRow } from './table.ts';
import { partnerServicesView } from './view.ts';

/** The services and prices of the partner. Throws RESOURCE_NOT_FOUND. */
export function readPartnerServices(db: Queryable, partnerId: string): Promise<PartnerServicesRow> {
  return orNotFound(findPartnerServices(db, partnerId), 'Partner');
}

export type ServicesChange = PutPartnerServices & { partnerId: string; wantedVersions?: WantedVersions };

/**
 * Replaces the services and prices of the partner; bookings keep their price, and services the coming prices that are left
 * out. Throws RESOURCE_NOT_FOUND, CONFLICT (another version) and VALIDATION_ERROR (a repeated or unknown service, a coming price of today or before).
 */
export async function setPartnerServices(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { partnerId, wantedVersions = null, ...input }: ServicesChange,
): Promise<PartnerServicesRow> {
  throwIfInvalid([
    ...duplicateServiceFaults(input),
    ...input.services.flatMap((one, index) => comingPriceFaults(one.comingPrices, now, `services.${index}.`)),
  ]);
  const partner = await orNotFound(partnerRows.lock(tx, partnerId), 'Partner');
  const stored = await readPartnerServices(tx, partner.id);
  const before = { ...stored, services: stored.services.map((one) => ({ ...one, ...pricesAt(one, now) })) };
  const wanted = { restricted: input.restricted, services: exactServices(input.services, before.services) };
  const current = () => partnerServicesView(before, now);
  await assertWanted(wantedVersions, before.version, current);
  // Equality comes before the version: a repeated request has changed the version itself.
  if (isDeepStrictEqual(sorted(before), sorted(wanted))) return before;
  await assertWanted(input.version === undefined ? null : [input.version], before.version, current);

  const known = await replacePartnerServices(tx, now, partner.id, wanted);
  const unknown = wanted.services.flatMap(({ service_id }, index) =>
    known.has(service_id) ? [] : `services.${index}.serviceId must be the id of a service`,
  );
  throwIfInvalid(unknown);
  const after = await readPartnerServices(tx, partner.id);
  await audit(tx, now, {
    actor,
    action: 'partner.services',
    target: `partner:${partner.id}`,
    before: partnerServicesView(before, now),
    after: partnerServicesView(after, now),
  });
  return after;
}

/** Prices as exact decimals; null or absent: the service's default price. Coming prices that are absent stay. */
function exactServices(
  services: PutPartnerServices['services'],
  before: readonly PartnerServiceRow[],
): PartnerServiceRow[] {
  const known = new Map(before.map((one) => [one.service_id, one.coming_prices]));
  return services.map(({ serviceId, price = null, comingPrices }) => {
    const id = serviceId.toLowerCase();
    return {
      service_id: id,
      price: price === null ? null : toDecimal(price),
      coming_prices: comingPrices === undefined ? (known.get(id) ?? {}) : toComingPrices(comingPrices),
    };
  });
}

type Services = Omit<PartnerServicesRow, 'version'>;

function sorted({ restricted, services }: Services): Services {
  const byId = (one: PartnerServiceRow, other: PartnerServiceRow) =>
    one.service_id < other.service_id ? -1 : 1;
  return { restricted, services: services.toSorted(byId) };
}
