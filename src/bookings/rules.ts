import type { PaymentResponsibility } from '../partners/queries.ts';

/** Booking status (section 3). */
export const BOOKING_STATUSES = ['in progress', 'waiting payment', 'success', 'canceled', 'failed'] as const;
export type BookingStatus = (typeof BOOKING_STATUSES)[number];

/** Payment status (section 3). */
export const PAYMENT_STATUSES = ['NOT_REQUIRED', 'PENDING', 'PAID', 'FAILED', 'CANCELLED'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** Appointment status (section 3), exactly as written there. */
export const APPOINTMENT_STATUSES = [
  'New',
  'Scheduled',
  'Confirmed',
  'In The Way',
  'In The location',
  'In Progress',
  'Finished',
  'Completed',
  'Cannot Complete',
  'Cancelled',
] as const;
export type AppointmentStatus = (typeof APPOINTMENT_STATUSES)[number];

/**
 * The first state of a booking (section 3's "create booking" rows). A price of zero under PLATFORM has two
 * outcomes there; the service's `zeroPriceMeans` decides between them.
 */
export function initialState(
  mode: PaymentResponsibility,
  isFree: boolean,
  zeroPriceMeans: 'free' | 'deferred',
): { status: BookingStatus; paymentStatus: PaymentStatus } {
  if (mode === 'PARTNER') return { status: 'in progress', paymentStatus: 'PENDING' };
  if (!isFree) return { status: 'waiting payment', paymentStatus: 'PENDING' };
  return { status: zeroPriceMeans === 'deferred' ? 'success' : 'in progress', paymentStatus: 'NOT_REQUIRED' };
}

/** How long before its start the worker assigns an appointment that the operator has not assigned (hours). */
export const ASSIGN_BEFORE_HOURS = 24;
