/** The party that collects the money for a booking. */
export type PaymentResponsibility = 'PARTNER' | 'PLATFORM';
