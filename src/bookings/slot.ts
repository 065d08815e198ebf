import type { PlanBook } from '../availability/plan.ts';
import type { SlotProblem } from '../availability/rules.ts';
import { ALTERNATIVE_DAYS, alternativesTo, loadProspect, type ProspectQuery } from '../availability/slots.ts';
import { type CalendarDate, DAY, dateOf, type Instant, secondsOfDay, startOfDate } from '../clock.ts';
import { ApiError } from '../errors.ts';
import { type Db, isDbError } from '../platform/db.ts';

/** Somebody else was faster this often: give up. Each time means another booking went through. */
export const MOST_ATTEMPTS = 20;

/** The instants of a date and timeslot; an end not after the start is on the next day. */
export function periodOf(date: CalendarDate, timeslot: { startAt: string; endAt: string }): Period {
  const midnight = startOfDate(date);
  const startsAt = midnight + secondsOfDay(timeslot.startAt) * 1000;
  const endsAt = midnight + secondsOfDay(timeslot.endAt) * 1000;
  return { startsAt, endsAt: endsAt > startsAt ? endsAt : endsAt + DAY };
}

export type Period = { startsAt: Instant; endsAt: Instant };

/**
 * The time a booking would have with another date or timeslot. A new timeslot decides anew whether it ends on the
 * next day; a new date alone keeps the times and that flag.
 */
export function wantedPeriod(
  booking: { starts_at: Instant; ends_at: Instant; service_date: CalendarDate },
  { date, timeslot }: { date?: CalendarDate; timeslot?: { startAt: string; endAt: string } },
): Period {
  if (timeslot !== undefined) return periodOf(date ?? booking.service_date, timeslot);
  const shift = date === undefined ? 0 : startOfDate(date) - startOfDate(booking.service_date);
  return { startsAt: booking.starts_at + shift, endsAt: booking.ends_at + shift };
}

/** Did somebody else take the team's time meanwhile, or did two transactions wait for each other? */
export function lostRace(error: unknown): boolean {
  return isDbError(error, 'exclusionViolation', 'appointments_no_overlap') || isDbError(error, 'deadlock');
}

/** Every attempt was lost to somebody else. */
export function slotLost(): ApiError {
  return new ApiError('BOOKING_CREATION_FAILED', REFUSALS.SLOT_UNAVAILABLE, {
    reason: 'SLOT_UNAVAILABLE',
    alternatives: [],
  });
}

/** 409 that says how to find the booking that has the reference. */
export function duplicateReference(externalReference: string | null): ApiError {
  const message = 'externalReference is already used by another booking';
  const list = `GET /partners/bookings?externalReference=${encodeURIComponent(externalReference ?? '')}`;
  return new ApiError('DUPLICATE_EXTERNAL_REFERENCE', message, {
    externalReference,
    hints: [`${list} answers the booking that has it`],
  });
}

const REFUSALS: Record<SlotProblem, string> = {
  SLOT_IN_PAST: 'The timeslot is in the past',
  SLOT_INSIDE_NOTICE: "The timeslot is inside the service's minimum notice",
  SLOT_BEYOND_HORIZON: "The timeslot is beyond the service's booking horizon",
  SLOT_NOT_OFFERED: 'The timeslot is not one of those offered for this service, address and date',
  SLOT_UNAVAILABLE: 'The timeslot is no longer available',
};

/** 422 with the reason and the nearest free slots of seven days, from the wanted date or today on. */
export async function slotRefused(
  db: Db,
  plans: PlanBook,
  now: Instant,
  query: ProspectQuery,
  wanted: Instant,
  reason: SlotProblem,
): Promise<ApiError> {
  const from = dateOf(Math.max(wanted, now));
  const alternatives = await loadProspect(db, plans, query, from, ALTERNATIVE_DAYS).then(
    (prospect) => alternativesTo(prospect, wanted, from, now),
    (error) => {
      // A booking whose service its partner may not use any more can be moved nowhere.
      if (error instanceof ApiError && error.code === 'SERVICE_NOT_ALLOWED') return [];
      throw error;
    },
  );
  return new ApiError('BOOKING_CREATION_FAILED', REFUSALS[reason], { reason, alternatives });
}
