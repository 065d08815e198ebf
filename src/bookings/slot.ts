import type { PlanCache } from '../availability/plan.ts';
import type { SlotProblem } from '../availability/rules.ts';
import {
  ALTERNATIVE_DAYS,
  alternativesTo,
  findSlotContext,
  onlyTeam,
  type SlotContext,
  type SlotQuery,
} from '../availability/slots.ts';
import type { Period } from '../availability/sold.ts';
import { type CalendarDate, DAY, dateOf, type Instant, secondsOfDay, startOfDate } from '../base/clock.ts';
import { ApiError, type ErrorDetails } from '../base/errors.ts';
import type { Db } from '../db/connection.ts';
import type { TimeslotInput } from './timeslots.ts';

/** The instants of a date and timeslot; an end not after the start is on the next day. */
export function periodOf(date: CalendarDate, timeslot: { startAt: string; endAt: string }): Period {
  const midnight = startOfDate(date);
  const startsAt = midnight + secondsOfDay(timeslot.startAt) * 1000;
  const endsAt = midnight + secondsOfDay(timeslot.endAt) * 1000;
  return { startsAt, endsAt: endsAt > startsAt ? endsAt : endsAt + DAY };
}

/**
 * The period of a booking with another date or timeslot, which may have a date of its own. A new timeslot determines
 * whether it ends on the next day; a new date alone keeps the times and that flag.
 */
export function wantedPeriod(
  booking: { starts_at: Instant; ends_at: Instant; service_date: CalendarDate },
  { date, timeslot }: { date?: CalendarDate; timeslot?: TimeslotInput },
): Period {
  if (timeslot !== undefined) return periodOf(date ?? timeslot.date ?? booking.service_date, timeslot);
  const shift = date === undefined ? 0 : startOfDate(date) - startOfDate(booking.service_date);
  return { startsAt: booking.starts_at + shift, endsAt: booking.ends_at + shift };
}

/** 422: every attempt lost to a concurrent change. */
export function slotUnavailable(): ApiError {
  return new ApiError('BOOKING_CREATION_FAILED', SLOT_MESSAGES.SLOT_UNAVAILABLE, {
    reason: 'SLOT_UNAVAILABLE',
    alternatives: [],
  });
}

/** 422: the account is `PLATFORM`, and the service has no payment gateway. Without alternatives. */
export function paymentUnavailable(): ApiError {
  return new ApiError('BOOKING_CREATION_FAILED', 'This account cannot collect payments at the moment', {
    reason: 'PAYMENT_UNAVAILABLE',
    alternatives: [],
    hints: ['the service has no payment gateway, which accounts under PLATFORM need: ask the operator'],
  });
}

/** A booking that exists already, and whether it was made by the very body that was sent again. */
export type Repeated = { bookingId: string; sameRequest: boolean };

/** 409 with the booking that has the reference, and a hint at the list that finds it. */
export function duplicateReference(externalReference: string | null, repeated?: Repeated): ApiError {
  const message = repeated?.sameRequest
    ? 'This request has made its booking already'
    : 'externalReference is already used by another booking';
  const list = `GET /partners/bookings?externalReference=${encodeURIComponent(externalReference ?? '')}`;
  return new ApiError('DUPLICATE_EXTERNAL_REFERENCE', message, {
    externalReference,
    ...repeated,
    hints: [`${list} returns the booking that has it`],
  });
}

export type CreationProblem = SlotProblem | 'HOLD_EXPIRED' | 'HOLD_DISPLACED' | 'PRICE_CHANGED';

export const SLOT_MESSAGES: Record<CreationProblem, string> = {
  SLOT_IN_PAST: 'The timeslot is in the past',
  SLOT_INSIDE_NOTICE: "The timeslot is inside the service's minimum notice",
  SLOT_BEYOND_HORIZON: "The timeslot is beyond the service's booking horizon",
  SLOT_NOT_OFFERED: 'The timeslot is not one of those offered for this service, address and date',
  SLOT_UNAVAILABLE: 'The timeslot is no longer available',
  HOLD_EXPIRED: 'The hold is over, and the timeslot is no longer available',
  HOLD_DISPLACED: 'The hold gave way to an earlier booking: its price holds for another timeslot',
  PRICE_CHANGED: 'The hold is over, and the price of the service has risen',
};

/**
 * 422 with the reason and the nearest free slots (ALTERNATIVE_DAYS) from the wanted date or today on; of one team when
 * `teamId` is given. With a hint when the service was withdrawn, so that the booking cannot be moved at all.
 */
export async function slotRefused(
  { db, plans }: { db: Db; plans: PlanCache },
  now: Instant,
  query: SlotQuery,
  refusal: {
    wanted: Instant;
    reason: string;
    teamId?: string | undefined;
    /** The start that the booking has. */
    own?: Instant;
    message?: string | undefined;
    hints?: readonly string[];
    details?: ErrorDetails;
  },
): Promise<ApiError> {
  const { wanted, reason, teamId } = refusal;
  const from = dateOf(Math.max(wanted, now));
  const context = await findSlotContext(db, plans, query, { from, days: ALTERNATIVE_DAYS });
  const offered = context && (teamId === undefined ? context : onlyTeam(context, teamId));
  const alternatives =
    offered === null ? [] : alternativesTo(offered, wanted, from, { now, own: refusal.own });
  const message = refusal.message ?? SLOT_MESSAGES[reason as CreationProblem];
  const withdrawal = withdrawalHint(context);
  const hints = [...(refusal.hints ?? []), ...(withdrawal === null ? [] : [withdrawal])];
  return new ApiError('BOOKING_CREATION_FAILED', message, {
    reason,
    ...refusal.details,
    alternatives,
    ...(hints.length > 0 && { hints }),
  });
}

/** The hint for a withdrawn service; null: it is offered at the address. */
function withdrawalHint(context: SlotContext | null): string | null {
  const nowhere = 'no other timeslot is free for the booking';
  if (context === null) return `the service is no longer enabled for the partner: ${nowhere}`;
  if (context.place === null) return `the service is no longer available at the address: ${nowhere}`;
  return null;
}
