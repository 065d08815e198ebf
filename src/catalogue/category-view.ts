import { toRiyadhIso } from '../base/clock.ts';
import type { CategoryRow } from './table.ts';

/** A category in the operator API and the audit log. */
export function operatorCategoryView(row: CategoryRow) {
  return {
    id: row.id,
    code: row.code,
    nameEn: row.name_en,
    nameAr: row.name_ar,
    descriptionEn: row.description_en,
    descriptionAr: row.description_ar,
    sortOrder: row.sort_order,
    isActive: row.is_active,
    createdAt: toRiyadhIso(row.created_at),
    updatedAt: toRiyadhIso(row.updated_at),
  };
}
