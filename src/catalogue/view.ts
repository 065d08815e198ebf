import { shownPolicy } from '../policies/view.ts';
import type { EnabledServiceRow, OfferedCategoryRow } from './queries.ts';

/** Service category of section 2. */
export function categoryView(category: OfferedCategoryRow) {
  return {
    id: category.id,
    code: category.code,
    nameEn: category.name_en,
    nameAr: category.name_ar,
    descriptionEn: category.description_en,
    descriptionAr: category.description_ar,
    isActive: category.is_active,
    services: category.services.map(({ policyId, terms, ...service }) => ({
      ...service,
      policy: policyId === null || terms === null ? null : shownPolicy(policyId, terms),
    })),
  };
}

/** Service of section 2. */
export function serviceView(service: EnabledServiceRow) {
  return {
    id: service.id,
    name: service.name,
    nameEn: service.name_en,
    nameAr: service.name_ar,
    isActive: service.is_active,
  };
}
