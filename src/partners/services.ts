import { isDeepStrictEqual } from 'node:util';
import type { Instant } from '../base/clock.ts';
import { orNotFound, throwIfInvalid } from '../base/errors.ts';
import { toDecimal } from '../base/money.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { assertWanted, type WantedVersions } from '../http/if-match.ts';
import { partnerRows } from './account-queries.ts';
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
 * Replaces the services and prices of the partner; bookings keep their price. Throws RESOURCE_NOT_FOUND, CONFLICT
 * (another version) and VALIDATION_ERROR (a repeated or unknown service).
 */
export async function setPartnerServices(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { partnerId, wantedVersions = null, ...input }: ServicesChange,
): Promise<PartnerServicesRow> {
  throwIfInvalid(duplicateServiceFaults(input));
  const wanted = { restricted: input.restricted, services: exactServices(input.services) };
  const partner = await orNotFound(partnerRows.lock(tx, partnerId), 'Partner');
  const before = await readPartnerServices(tx, partner.id);
  const current = () => partnerServicesView(before);
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
    before: partnerServicesView(before),
    after: partnerServicesView(after),
  });
  return after;
}

/** Prices as exact decimals; null or absent: the service's default price. */
function exactServices(services: PutPartnerServices['services']): PartnerServiceRow[] {
  return services.map(({ serviceId, price = null }) => ({
    service_id: serviceId.toLowerCase(),
    price: price === null ? null : toDecimal(price),
  }));
}

type Services = Omit<PartnerServicesRow, 'version'>;

function sorted({ restricted, services }: Services): Services {
  const byId = (one: PartnerServiceRow, other: PartnerServiceRow) =>
    one.service_id < other.service_id ? -1 : 1;
  return { restricted, services: services.toSorted(byId) };
}
