import { statusesIn } from '../bookings/rules.ts';

/** The concerns of appointments that need attention. */
export const APPOINTMENT_CONCERNS = [
  'unassigned',
  'unconfirmed',
  'late',
  'unreported',
  'overdue',
  'team-away',
  'cannot-complete',
  'cancelled-alone',
  'not-completed',
  'work-cancelled',
] as const;
export type AppointmentConcern = (typeof APPOINTMENT_CONCERNS)[number];

/** The concerns of bookings that need attention. */
export const BOOKING_CONCERNS = [
  'payment-due',
  'dropped-unpaid',
  'paid-cancelled',
  'fees-to-decide',
  'fees-given-back',
] as const;
export type BookingConcern = (typeof BOOKING_CONCERNS)[number];

/** The limits of a request that names none. */
export const ATTENTION_DEFAULTS = {
  assignWithinHours: 72,
  confirmWithinMinutes: 180,
  lateAfterMinutes: 15,
  payWithinHours: 24,
  awayWithinDays: 60,
  finishedForMinutes: 60,
};
/** Minutes after the start within which a visit begins in time: what has not is late. */
export const PUNCTUAL_MINUTES = ATTENTION_DEFAULTS.lateAfterMinutes;

export type AttentionLimits = typeof ATTENTION_DEFAULTS;

/** Days in which appointments that were cancelled alone are searched: those of closed bookings are many. */
export const CANCELLED_ALONE_DAYS = 366;

/** Days in which visits that were cancelled after their work had begun are shown. */
export const WORK_CANCELLED_DAYS = 14;

/** Late when the start has passed, overdue when the end has. */
export const BEFORE_WORK = statusesIn('planned', 'arriving');
/** Overdue when the end has passed. */
export const UNFINISHED = statusesIn('planned', 'arriving', 'working');
/** Nobody has reported anything: late ones are unreported too, and concern teams that are away. */
export const NOT_UNDER_WAY = statusesIn('planned');

/** The limits of a request, with their defaults. */
export function limitsOf(given: { [Name in keyof AttentionLimits]?: number | undefined }): AttentionLimits {
  const entries = Object.entries(ATTENTION_DEFAULTS).map(([name, value]) => [
    name,
    given[name as keyof AttentionLimits] ?? value,
  ]);
  return Object.fromEntries(entries) as AttentionLimits;
}
