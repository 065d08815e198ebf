import { type Instant, riyadhIsoOrNull } from '../base/clock.ts';
import { viewBy } from '../http/fields.ts';
import { Partner } from './account-schema.ts';
import { previousSecretUntil } from './key-rules.ts';
import { Key } from './key-schema.ts';
import type { KeyRow, PartnerRow, PartnerServicesRow } from './table.ts';

/** A partner in the operator API. */
export const partnerView = (partner: PartnerRow) => viewBy(Partner, partner);

/** A key in the operator API: never the secret, nor its hash. */
export const keyView = (key: KeyRow, now: Instant) =>
  viewBy(Key, key, { previousExpiresAt: riyadhIsoOrNull(previousSecretUntil(key, now)) });

/** The services of a partner; prices in SAR, null: the service's default price. */
export function partnerServicesView({ version, restricted, services }: PartnerServicesRow) {
  return {
    version,
    restricted,
    services: services.map((service) => ({
      serviceId: service.service_id,
      price: service.price === null ? null : Number(service.price),
    })),
  };
}
