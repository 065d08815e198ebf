/** What the operator's lists can be sorted by. */
export const BOOKING_ORDERS = [
  'createdAt',
  'updatedAt',
  'date',
  'status',
  'externalReference',
  'amount',
] as const;
export const REASON_ORDERS = ['sortOrder', 'nameEn', 'nameAr', 'isCustomerFacing', 'isActive'] as const;
export const APPOINTMENT_ORDERS = ['startsAt', 'endsAt', 'createdAt', 'status', 'name'] as const;
