import { type Move, stateAfter, statesBefore } from '../base/moves.ts';
import type { PaymentResponsibility } from '../partners/rules.ts';

/** Booking status (section 3). */
export const BOOKING_STATUSES = ['in progress', 'waiting payment', 'success', 'canceled', 'failed'] as const;
export type BookingStatus = (typeof BOOKING_STATUSES)[number];

/** Payment status (section 3). */
export const PAYMENT_STATUSES = ['NOT_REQUIRED', 'PENDING', 'PAID', 'FAILED', 'CANCELLED'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** Appointment status (section 3), exactly as written there, with its phase, for rules that hold for several of them. */
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
} as const;
export type AppointmentStatus = keyof typeof PHASES;
export const APPOINTMENT_STATUSES = Object.keys(PHASES) as AppointmentStatus[];
type Phase = (typeof PHASES)[AppointmentStatus];

/** The statuses of these phases, in the order of a visit. */
export const statusesIn = (...phases: Phase[]): readonly AppointmentStatus[] =>
  APPOINTMENT_STATUSES.filter((status) => phases.includes(PHASES[status]));

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

/**
 * Moves of a booking by trigger; others are refused. Update and confirm-payment keep the status, but only these
 * statuses admit them (section 3).
 */
export const BOOKING_MOVES = {
  cancel: {
    'in progress': 'canceled',
    'waiting payment': 'canceled',
    success: 'canceled',
    failed: 'canceled',
  },
  update: { 'in progress': 'in progress', 'waiting payment': 'waiting payment' },
  confirmPayment: { 'in progress': 'in progress', 'waiting payment': 'waiting payment', success: 'success' },
  customerPaid: { 'waiting payment': 'in progress' },
  paymentFailed: { 'waiting payment': 'failed' },
  fail: { 'in progress': 'failed', 'waiting payment': 'failed', success: 'failed' },
  appointmentCompleted: { 'in progress': 'success' },
} as const satisfies Record<string, Move<BookingStatus>>;
export type BookingTrigger = keyof typeof BOOKING_MOVES;

/** Moves of the payment status by trigger. */
export const PAYMENT_MOVES = {
  cancel: { NOT_REQUIRED: 'CANCELLED', PENDING: 'CANCELLED', PAID: 'CANCELLED', FAILED: 'CANCELLED' },
  confirmPayment: { PENDING: 'PAID' },
  customerPaid: { PENDING: 'PAID' },
  paymentFailed: { PENDING: 'FAILED' },
  fail: { NOT_REQUIRED: 'NOT_REQUIRED', PENDING: 'FAILED', PAID: 'FAILED' },
} as const satisfies Record<string, Move<PaymentStatus>>;
export type PaymentTrigger = keyof typeof PAYMENT_MOVES;

/** Moves of an appointment by the operator, first that on its way to Completed. */
export const APPOINTMENT_MOVES = {
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
} as const satisfies Record<AppointmentStatus, readonly AppointmentStatus[]>;

/** The statuses in which a visible appointment holds its team; Completed has settled the booking, and stays. */
const CORRECTABLE: readonly AppointmentStatus[] = statusesIn(
  'planned',
  'arriving',
  'working',
  'done',
  'not done',
).filter((status) => status !== 'New' && status !== 'Completed');

/** Whether an administrator may correct the status of an appointment so. */
export function mayCorrectAppointment(from: AppointmentStatus, to: AppointmentStatus): boolean {
  return correctionsOf(from).includes(to);
}

/** The corrections of a status: a wrong entry is undone, with its event. */
export function correctionsOf(from: AppointmentStatus): AppointmentStatus[] {
  if (!CORRECTABLE.includes(from)) return [];
  return [...CORRECTABLE.filter((to) => to !== from), 'Completed'];
}

const NOT_BEGUN = { New: 'Cancelled', Scheduled: 'Cancelled', Confirmed: 'Cancelled' } as const;
const UNDER_WAY = {
  'In The Way': 'Cancelled',
  'In The location': 'Cancelled',
  'In Progress': 'Cancelled',
} as const;

/**
 * Moves of an appointment by the worker's assignment and by changes of its booking. A booking that the operator fails
 * cancels its appointment; a failed payment does not change an appointment that has ended in the field.
 */
export const AUTOMATIC_MOVES = {
  assigned: { New: 'Scheduled' },
  bookingCanceled: {
    ...NOT_BEGUN,
    ...UNDER_WAY,
    Finished: 'Cancelled',
    Completed: 'Cancelled',
    'Cannot Complete': 'Cancelled',
    Cancelled: 'Cancelled',
  },
  bookingFailed: { ...NOT_BEGUN, ...UNDER_WAY, 'Cannot Complete': 'Cancelled', Cancelled: 'Cancelled' },
  paymentFailed: { ...NOT_BEGUN, ...UNDER_WAY, Cancelled: 'Cancelled' },
} as const satisfies Record<string, Move<AppointmentStatus>>;
export type AutomaticTrigger = keyof typeof AUTOMATIC_MOVES;

/** The status after the trigger, or null when the status does not admit it. */
export function bookingAfter(trigger: BookingTrigger, from: BookingStatus): BookingStatus | null {
  return stateAfter<BookingStatus>(BOOKING_MOVES[trigger], from);
}

/** The statuses that admit the trigger. */
export function statusesFor(trigger: BookingTrigger): BookingStatus[] {
  return statesBefore<BookingStatus>(BOOKING_MOVES[trigger]);
}

/** The payment status after the trigger, or null when it does not admit it. */
export function paymentAfter(trigger: PaymentTrigger, from: PaymentStatus): PaymentStatus | null {
  return stateAfter<PaymentStatus>(PAYMENT_MOVES[trigger], from);
}

/** Whether the operator may move an appointment from one status to the other. */
export function mayMoveAppointment(from: AppointmentStatus, to: AppointmentStatus): boolean {
  return (APPOINTMENT_MOVES[from] as readonly AppointmentStatus[]).includes(to);
}

/** The appointment's status after the trigger, or null when the status does not admit it. */
export function appointmentAfter(
  trigger: AutomaticTrigger,
  from: AppointmentStatus,
): AppointmentStatus | null {
  return stateAfter<AppointmentStatus>(AUTOMATIC_MOVES[trigger], from);
}

/** The statuses of an appointment whose booking waits for payment. */
export const UNPAID_APPOINTMENT = statusesIn('planned');

/** Whether the appointment can be moved to another time. `absent`: there is none; `begun`: its work has begun. */
export function movability(status: AppointmentStatus): 'movable' | 'absent' | 'begun' {
  if (status === 'New' || status === 'Cancelled') return 'absent';
  return status === 'Scheduled' || status === 'Confirmed' ? 'movable' : 'begun';
}

/** The statuses in which the work has begun, or is done. */
export const BEGUN = statusesIn('working', 'done');

/** The statuses of bookings whose appointments cannot change. */
export const CLOSED_BOOKINGS: readonly BookingStatus[] = ['canceled', 'failed'];

/**
 * The status of an appointment after a change of its start: a confirmation was for the old one. Another team alone
 * keeps the status. Statuses without an entry admit neither.
 */
export const RESCHEDULE_MOVES = {
  New: 'New',
  Scheduled: 'Scheduled',
  Confirmed: 'Scheduled',
  'In The Way': 'Scheduled',
  'In The location': 'Scheduled',
} as const satisfies Move<AppointmentStatus>;

/** The status of an appointment that gets another visit, because the first could not be done. */
export const REVISIT_MOVES = { 'Cannot Complete': 'Scheduled' } as const satisfies Move<AppointmentStatus>;

/** The statuses in which the operator may change time or team. */
export const MOVABLE_BY_OPERATOR: readonly AppointmentStatus[] =
  statesBefore<AppointmentStatus>(RESCHEDULE_MOVES);

/** The status of a movable appointment after the move. */
export function statusAtNewTime(status: AppointmentStatus, isNewStart: boolean): AppointmentStatus {
  return isNewStart ? (stateAfter<AppointmentStatus>(RESCHEDULE_MOVES, status) ?? status) : status;
}

/** The effect of a cancellation on the payment (section 4.10). */
export function cancellationAction(mode: PaymentResponsibility): 'CANCEL_AND_REFUND' | 'CANCEL_ONLY' {
  return mode === 'PLATFORM' ? 'CANCEL_AND_REFUND' : 'CANCEL_ONLY';
}

/** Events about bookings (section 6). */
export const CONTRACT_EVENTS = [
  'booking.created',
  'booking.updated',
  'booking.cancelled',
  'booking.payment_failed',
  'booking.payment_confirmed',
  'booking.appointment_status_changed',
] as const;

/** The contract's events and ours, which a subscription receives only by name: others may not be expected. */
export const EVENT_NAMES = [
  ...CONTRACT_EVENTS,
  'booking.payment_succeeded',
  'booking.failed',
  'booking.refunded',
  'booking.fees_changed',
] as const;
export type EventName = (typeof EVENT_NAMES)[number];

/** Hours before its start at which the worker assigns an appointment. */
export const ASSIGN_BEFORE_HOURS = 24;

/** Reasons of permanent failures: `reason` of booking.payment_failed (section 6). */
export const FAILURE_REASONS = [
  'LINK_NOT_CREATED',
  'LINK_NOT_SENT',
  'LINK_EXPIRED',
  'PAYMENT_FAILED',
  'AMOUNT_MISMATCH',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];
