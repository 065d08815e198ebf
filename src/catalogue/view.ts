import { viewBy } from '../http/fields.ts';
import { policyOf } from '../policies/view.ts';
import type { EnabledServiceRow, OfferedCategoryRow } from './queries.ts';
import { OfferedCategory, Service } from './schema.ts';

/** Service category of section 2. */
export const categoryView = (category: OfferedCategoryRow) =>
  viewBy(OfferedCategory, category, {
    services: category.services.map(({ policyId, terms, ...service }) => ({
      ...service,
      policy: policyOf(policyId, terms),
    })),
  });

/** Service of section 2. */
export const serviceView = (service: EnabledServiceRow) =>
  viewBy(Service, service, { policy: policyOf(service.policy_id, service.terms) });
