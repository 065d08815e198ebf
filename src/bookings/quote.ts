import type { PlanCache } from '../availability/plan.ts';
import type { Period } from '../availability/sold.ts';
import type { CalendarDate, Instant } from '../base/clock.ts';
import { orNotFound } from '../base/errors.ts';
import type { Db, Queryable } from '../db/connection.ts';
import type { ChangeAction, Outcome } from '../policies/words.ts';
import { assertCancellable } from './cancel.ts';
import { type BookingKey, findToChange, type LockedBooking } from './change-queries.ts';
import { keptAfterDecision, quoteOf } from './fees.ts';
import { quoteView } from './quote-view.ts';
import { findMoveRefusal, rescheduleRefused } from './reschedule.ts';
import { bookingAfter } from './rules.ts';
import { wantedPeriod } from './slot.ts';
import { assertMovable, isMoved, notEditable } from './update.ts';

type QuoteDeps = { db: Db; plans: PlanCache };
/** The change, and the new time of a move if it is known; a time that it has already is no move. */
type Asked = { action: ChangeAction; date?: CalendarDate; startAt?: string; endAt?: string };

/**
 * The price of a change of the booking now, for its partner. Throws RESOURCE_NOT_FOUND, and the refusal of a change that is not
 * possible: BOOKING_ALREADY_CANCELLED, BOOKING_NOT_EDITABLE, BOOKING_APPOINTMENT_NOT_FOUND and BOOKING_CREATION_FAILED.
 */
export async function readQuote(deps: QuoteDeps, now: Instant, key: BookingKey, asked: Asked) {
  const { action } = asked;
  const booking = await orNotFound(findToChange(deps.db, key), 'Booking');
  if (action === 'cancel') assertCancellable(booking);
  else {
    if (bookingAfter('update', booking.status) === null) throw notEditable(booking);
    const period = periodAsked(booking, asked);
    if (period !== null && !isMoved(booking, period)) return quoteView(booking, action, null);
    assertMovable(booking);
    if (period !== null) await assertOffered(deps, now, booking, period);
  }
  return quoteView(booking, action, quoteOf(action, booking, now));
}

/** null: any. */
function periodAsked(booking: LockedBooking, { date, startAt, endAt }: Asked): Period | null {
  if (date === undefined && startAt === undefined) return null;
  return wantedPeriod(booking, {
    ...(date !== undefined && { date }),
    ...(startAt !== undefined && endAt !== undefined && { timeslot: { startAt, endAt } }),
  });
}

/** Throws the refusal of a move to the period. */
async function assertOffered(deps: QuoteDeps, now: Instant, booking: LockedBooking, period: Period) {
  const to = { period, team: null, force: false };
  const refused = await deps.db.transaction((tx) => findMoveRefusal(tx, deps.plans, now, { booking, to }));
  if (refused !== null) throw await rescheduleRefused(deps, now, refused);
}

/**
 * The same of a change by the operator, which has no fee, or of closing the booking with the outcome of its visit, or
 * of recording that one after the end: then `fee` is all that is kept. Throws
 * RESOURCE_NOT_FOUND and BOOKING_ALREADY_CANCELLED.
 */
export async function readOperatorQuote(
  db: Queryable,
  now: Instant,
  bookingId: string,
  { action, outcome }: { action: ChangeAction; outcome?: Outcome },
) {
  const booking = await orNotFound(findToChange(db, { partnerId: null, bookingId }), 'Booking');
  if (outcome !== undefined && booking.status === 'canceled') {
    const fee = keptAfterDecision(booking, outcome);
    return quoteView(booking, 'cancel', { action: 'cancel', fee, most: fee, earlier: 0, validUntil: null });
  }
  assertCancellable(booking);
  if (outcome === undefined) return quoteView(booking, action, null);
  return quoteView(booking, 'cancel', quoteOf('cancel', { ...booking, outcome }, now));
}
