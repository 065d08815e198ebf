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

/**
 * What moves a booking, and from where to where; what is not here is refused. Update and confirm-payment leave
 * the status as it is, but only these statuses admit them (section 3).
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
  appointmentCompleted: { 'in progress': 'success' },
} as const satisfies Record<string, Partial<Record<BookingStatus, BookingStatus>>>;
export type BookingTrigger = keyof typeof BOOKING_MOVES;

/** The same for the payment status. */
export const PAYMENT_MOVES = {
  cancel: { NOT_REQUIRED: 'CANCELLED', PENDING: 'CANCELLED', PAID: 'CANCELLED', FAILED: 'CANCELLED' },
  confirmPayment: { PENDING: 'PAID' },
  customerPaid: { PENDING: 'PAID' },
  paymentFailed: { PENDING: 'FAILED' },
} as const satisfies Record<string, Partial<Record<PaymentStatus, PaymentStatus>>>;
export type PaymentTrigger = keyof typeof PAYMENT_MOVES;

/** Where the operator may move an appointment. Cancelling its booking cancels it from anywhere. */
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

/** The status after the trigger, or null when the status does not admit it. */
export function bookingAfter(trigger: BookingTrigger, from: BookingStatus): BookingStatus | null {
  return (BOOKING_MOVES[trigger] as Partial<Record<BookingStatus, BookingStatus>>)[from] ?? null;
}

/** The statuses that admit the trigger. */
export function statusesFor(trigger: BookingTrigger): BookingStatus[] {
  return Object.keys(BOOKING_MOVES[trigger]) as BookingStatus[];
}

/** The payment status after the trigger, or null when it does not admit it. */
export function paymentAfter(trigger: PaymentTrigger, from: PaymentStatus): PaymentStatus | null {
  return (PAYMENT_MOVES[trigger] as Partial<Record<PaymentStatus, PaymentStatus>>)[from] ?? null;
}

/** May the operator move an appointment from one status to the other? */
export function mayMoveAppointment(from: AppointmentStatus, to: AppointmentStatus): boolean {
  return (APPOINTMENT_MOVES[from] as readonly AppointmentStatus[]).includes(to);
}

/** Can the appointment still be moved to another time? `absent`: there is none to move; `begun`: too late. */
export function movability(status: AppointmentStatus): 'movable' | 'absent' | 'begun' {
  if (status === 'New' || status === 'Cancelled') return 'absent';
  return status === 'Scheduled' || status === 'Confirmed' ? 'movable' : 'begun';
}

/** What cancelling does with the money (section 4.10). */
export function cancellationAction(mode: PaymentResponsibility): 'CANCEL_AND_REFUND' | 'CANCEL_ONLY' {
  return mode === 'PLATFORM' ? 'CANCEL_AND_REFUND' : 'CANCEL_ONLY';
}

/** Events about bookings (section 6). */
export const EVENT_NAMES = [
  'booking.created',
  'booking.updated',
  'booking.cancelled',
  'booking.payment_failed',
  'booking.payment_confirmed',
  'booking.appointment_status_changed',
] as const;
export type EventName = (typeof EVENT_NAMES)[number];

/** How long before its start the worker assigns an appointment that the operator has not assigned (hours). */
export const ASSIGN_BEFORE_HOURS = 24;
