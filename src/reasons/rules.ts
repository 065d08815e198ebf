/** Orders of the operator's list. */
export const REASON_ORDERS = ['sortOrder', 'nameEn', 'nameAr', 'isCustomerFacing', 'isActive'] as const;
