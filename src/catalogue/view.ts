import { viewBy } from '../http/fields.ts';
import { shownPolicy } from '../policies/view.ts';
import type { EnabledServiceRow, OfferedCategoryRow } from './queries.ts';
import { OfferedCategory, Service } from './schema.ts';

/** Service category of section 2. */
export const categoryView = (category: OfferedCategoryRow) =>
  viewBy(OfferedCategory, category, {
    services: category.services.map(({ policyId, terms, ...service }) => ({
      ...service,
      policy: policyId === null || terms === null ? null : shownPolicy(policyId, terms),
    })),
  });

/** Service of section 2. */
export const serviceView = (service: EnabledServiceRow) => viewBy(Service, service);
