import type { Instant } from '../base/clock.ts';
import { viewBy } from '../http/fields.ts';
import { priceAt } from '../partners/price-rules.ts';
import { policyOf } from '../policies/view.ts';
import type { EnabledServiceRow, OfferedCategoryRow } from './queries.ts';
import { OfferedCategory, Service } from './schema.ts';

/** Service category of section 2, at the prices of the moment. */
export const categoryView = (category: OfferedCategoryRow, now: Instant) =>
  viewBy(OfferedCategory, category, {
    services: category.services.map(({ policyId, terms, prices, ...service }) => ({
      ...service,
      price: Number(priceAt(prices, now)),
      policy: policyOf(policyId, terms),
    })),
  });

/** Service of section 2. */
export const serviceView = (service: EnabledServiceRow) =>
  viewBy(Service, service, { policy: policyOf(service.policy_id, service.terms) });
