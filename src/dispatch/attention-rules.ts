import type { AppointmentStatus } from '../bookings/rules.ts';

/** Why a dispatcher should look at an appointment. */
export const APPOINTMENT_CONCERNS = [
  'unassigned',
  'unconfirmed',
  'late',
  'overdue',
  'team-away',
  'cannot-complete',
  'cancelled-alone',
  'not-completed',
] as const;
export type AppointmentConcern = (typeof APPOINTMENT_CONCERNS)[number];

/** Why somebody should look at a booking. */
export const BOOKING_CONCERNS = ['payment-due'] as const;
export type BookingConcern = (typeof BOOKING_CONCERNS)[number];

/** What counts as soon, late and so on, unless a request says otherwise. */
export const ATTENTION_DEFAULTS = {
  assignWithinHours: 72,
  confirmWithinMinutes: 180,
  lateAfterMinutes: 15,
  payWithinHours: 24,
  awayWithinDays: 60,
  finishedForMinutes: 60,
};
export type AttentionLimits = typeof ATTENTION_DEFAULTS;

/** How far back an appointment that was cancelled alone is looked for (days): those of closed bookings are many. */
export const UNDECIDED_FOR_DAYS = 366;

/** Late when the start has passed, overdue when the end has. */
export const BEFORE_WORK: readonly AppointmentStatus[] = [
  'New',
  'Scheduled',
  'Confirmed',
  'In The Way',
  'In The location',
];
/** Overdue when the end has passed. */
export const UNFINISHED: readonly AppointmentStatus[] = [...BEFORE_WORK, 'In Progress'];
/** Of a team that is away: what is under way is left alone. */
export const STILL_TO_DO: readonly AppointmentStatus[] = ['New', 'Scheduled', 'Confirmed'];

/** The limits of a request, with their defaults. */
export function limitsOf(given: { [Name in keyof AttentionLimits]?: number | undefined }): AttentionLimits {
  const entries = Object.entries(ATTENTION_DEFAULTS).map(([name, value]) => [
    name,
    given[name as keyof AttentionLimits] ?? value,
  ]);
  return Object.fromEntries(entries) as AttentionLimits;
}
