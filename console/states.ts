import type { Appointment, Booking } from './contract.ts';

/**
 * What can be done in which state, so that buttons are shown where they can work. The service decides; a test holds
 * these against its own tables.
 */

type AppointmentStatus = Appointment['status'];

/** Where a dispatcher may move an appointment. Cancelling is of the booking. */
export const APPOINTMENT_MOVES: Record<AppointmentStatus, readonly AppointmentStatus[]> = {
  New: ['Scheduled', 'Cancelled'],
  Scheduled: ['Confirmed', 'In The Way', 'Cancelled'],
  Confirmed: ['In The Way', 'Cancelled'],
  'In The Way': ['In The location', 'Cannot Complete', 'Cancelled'],
  'In The location': ['In Progress', 'Cannot Complete', 'Cancelled'],
  'In Progress': ['Finished', 'Cannot Complete', 'Cancelled'],
  Finished: ['Completed'],
  Completed: [],
  'Cannot Complete': [],
  Cancelled: [],
};

/** Appointments that can be given another team or time. */
export const MOVABLE: readonly AppointmentStatus[] = [
  'New',
  'Scheduled',
  'Confirmed',
  'In The Way',
  'In The location',
];

/** Bookings whose appointments stay as they are. */
export const CLOSED: readonly Booking['status'][] = ['canceled', 'failed'];

/** Bookings that can be cancelled, and that can be failed. */
export const CANCELLABLE: readonly Booking['status'][] = [
  'in progress',
  'waiting payment',
  'success',
  'failed',
];
export const FAILABLE: readonly Booking['status'][] = ['in progress', 'waiting payment', 'success'];
