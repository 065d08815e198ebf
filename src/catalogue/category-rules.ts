/** The orders of the operator's list. */
export const CATEGORY_ORDERS = ['sortOrder', 'nameEn', 'nameAr', 'code', 'isActive'] as const;
