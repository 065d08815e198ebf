import type { Appointment, Booking } from './contract.ts';

/**
 * Possible actions by state, for the visibility of buttons. The service decides; a test compares these with its tables.
 */

type AppointmentStatus = Appointment['status'];

/** How far a visit is, in the order of its way. */
const PHASES = {
  New: 'planned',
  Scheduled: 'planned',
  Confirmed: 'planned',
  'In The Way': 'arriving',
  'In The location': 'arriving',
  'In Progress': 'working',
  Finished: 'done',
  Completed: 'done',
  'Cannot Complete': 'not done',
  Cancelled: 'cancelled',
} as const satisfies Record<AppointmentStatus, string>;
type Phase = (typeof PHASES)[AppointmentStatus];

/** The statuses of these phases, in the order of a visit's way. */
export const statusesIn = (...phases: Phase[]): readonly AppointmentStatus[] =>
  (Object.keys(PHASES) as AppointmentStatus[]).filter((status) => phases.includes(PHASES[status]));

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

const CORRECTABLE: readonly AppointmentStatus[] = statusesIn(
  'planned',
  'arriving',
  'working',
  'done',
  'not done',
).filter((status) => status !== 'New' && status !== 'Completed');

/** The corrections of a status by an administrator. */
export const correctionsOf = (from: AppointmentStatus): AppointmentStatus[] =>
  CORRECTABLE.includes(from) ? [...CORRECTABLE.filter((to) => to !== from), 'Completed'] : [];

/** Statuses of appointments whose bookings wait for payment. */
export const UNPAID = statusesIn('planned');

/** Appointments that can be given another team or time. */
export const MOVABLE = statusesIn('planned', 'arriving');

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
