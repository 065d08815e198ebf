import { type Instant, riyadhIsoOrNull } from '../base/clock.ts';
import { viewBy } from '../http/fields.ts';
import { Partner } from './account-schema.ts';
import { previousSecretUntil } from './key-rules.ts';
import { Key } from './key-schema.ts';
import { comingPricesView, pricesAt } from './price-rules.ts';
import type { KeyRow, PartnerRow, PartnerServicesRow } from './table.ts';

/** A partner in the operator API. */
export const partnerView = (partner: PartnerRow) => viewBy(Partner, partner);

/** A key in the operator API: never the secret, nor its hash. */
export const keyView = (key: KeyRow, now: Instant) =>
  viewBy(Key, key, { previousExpiresAt: riyadhIsoOrNull(previousSecretUntil(key, now)) });

/** The services of a partner; prices of the moment in SAR, null: the service's default price. */
export function partnerServicesView({ version, restricted, services }: PartnerServicesRow, now: Instant) {
  return {
    version,
    restricted,
    services: services.map((service) => {
      const { price, coming_prices } = pricesAt(service, now);
      return {
        serviceId: service.service_id,
        price: price === null ? null : Number(price),
        comingPrices: comingPricesView(coming_prices),
      };
    }),
  };
}
