import type { Appointment, Booking } from './contract.ts';

/**
 * Possible actions by state, for the visibility of buttons. The service decides; a test compares these with its tables.
 */

type AppointmentStatus = Appointment['status'];

/** Moves of appointments on the board. Cancellation belongs to the booking. */
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

const CORRECTABLE: readonly AppointmentStatus[] = [
  'Scheduled',
  'Confirmed',
  'In The Way',
  'In The location',
  'In Progress',
  'Finished',
  'Cannot Complete',
];

/** The corrections of a status by an administrator. */
export const correctionsOf = (from: AppointmentStatus): AppointmentStatus[] =>
  CORRECTABLE.includes(from) ? [...CORRECTABLE.filter((to) => to !== from), 'Completed'] : [];

/** Statuses of appointments whose bookings wait for payment. */
export const UNPAID: readonly AppointmentStatus[] = ['New', 'Scheduled', 'Confirmed'];

/** Appointments that can be given another team or time. */
export const MOVABLE: readonly AppointmentStatus[] = [
  'New',
  'Scheduled',
  'Confirmed',
  'In The Way',
  'In The location',
];

/** Bookings whose appointments no longer change. */
export const CLOSED: readonly Booking['status'][] = ['canceled', 'failed'];

/** Bookings that can be cancelled, and that can be failed. */
export const CANCELLABLE: readonly Booking['status'][] = [
  'in progress',
  'waiting payment',
  'success',
  'failed',
];
export const FAILABLE: readonly Booking['status'][] = ['in progress', 'waiting payment', 'success'];
