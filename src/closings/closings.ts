import type { PlanCache } from '../availability/plan.ts';
import { type CalendarDate, dateOf, type Instant } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { retryOnConflict } from '../bookings/attempts.ts';
import { type Cancellation, cancellationOf, withKnownReason } from '../bookings/cancel.ts';
import { changeBooking } from '../bookings/change.ts';
import { type LockedBooking, saveBooking } from '../bookings/change-queries.ts';
import { appointmentEvents } from '../bookings/events.ts';
import { assertFee, feesAfterMove, quoteOf } from '../bookings/fees.ts';
import { saveOutcome } from '../bookings/outcome-queries.ts';
import { isLost, type NotMoved, reschedule, rescheduleRefused } from '../bookings/reschedule.ts';
import { CLOSED_BOOKINGS, REVISIT_MOVES } from '../bookings/rules.ts';
import { periodOf, slotUnavailable } from '../bookings/slot.ts';
import type { TimeslotInput } from '../bookings/timeslots.ts';
import { bookingRecord, bookingView } from '../bookings/view.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Db, Tx } from '../db/connection.ts';
import { wantedTeam } from '../dispatch/appointments.ts';
import { assertBookingWanted } from '../dispatch/version.ts';
import type { WantedVersions } from '../http/if-match.ts';
import type { Outcome } from '../policies/words.ts';
import { isActiveReason } from '../reasons/queries.ts';
import { unknownReason } from '../reasons/reasons.ts';

/** The operator's decision about a visit that could not be done: the booking is closed, or visited once more. */

type Decision = { bookingId: string; wanted?: WantedVersions };

/**
 * Cancels the booking with the fee of the visit's outcome: the policy's for a no-show when the customer was the cause,
 * else none; without an outcome it is decided on later (fee-decisions.ts); without a policy it is as the operator's
 * cancellation. Throws VALIDATION_ERROR (reason), RESOURCE_NOT_FOUND, CONFLICT (version), FEE_CHANGED and
 * INVALID_TRANSITION.
 */
export async function closeBooking(
  db: Db,
  now: Instant,
  actor: Actor,
  {
    bookingId,
    wanted = null,
    closing,
  }: Decision & { closing: Cancellation & { outcome?: Outcome; maxFee?: number } },
): Promise<void> {
  const { outcome, maxFee, ...cancellation } = closing;
  if (!(await isActiveReason(db, cancellation.reasonId))) throw unknownReason();
  await withKnownReason(
    changeBooking(db, { partnerId: null, bookingId }, async (tx, booking) => {
      await assertBookingWanted(tx, wanted, booking);
      assertNotDone(booking, 'Cancelled');
      const visited = { ...booking, outcome: outcome ?? booking.outcome };
      await saveOutcome(tx, booking.appointment_id, { outcome: visited.outcome, isNewVisit: false });
      const quoted = quoteOf('cancel', visited, now);
      assertFee(visited, 'cancel', quoted, maxFee);
      const { after, change } = cancellationOf(visited, now, { ...cancellation, quoted }, actor);
      await saveBooking(tx, now, change);
      await audit(tx, now, {
        actor,
        action: 'booking.close',
        target: `booking:${booking.id}`,
        before: bookingRecord(booking),
        after: bookingRecord(after),
      });
    }),
  );
}

export type Revisit = {
  date: CalendarDate;
  timeslot: TimeslotInput;
  /** Left out: any free one, the appointment's own first. */
  teamId?: string;
  force?: boolean;
  /** Holds that may end for it. */
  displaceHolds?: string[];
  /** Why, with `force`. */
  reason?: string;
};

/**
 * Gives the booking another visit by the rules of what is sold: its appointment gets the new time and is Scheduled again; the
 * first visit stays in the history. Events: booking.updated, booking.appointment_status_changed. Throws VALIDATION_ERROR
 * (team), RESOURCE_NOT_FOUND, CONFLICT (version), INVALID_TRANSITION and, with alternatives, BOOKING_CREATION_FAILED.
 */
export async function revisitBooking(
  { db, plans }: { db: Db; plans: PlanCache },
  now: Instant,
  actor: Actor,
  { bookingId, wanted = null, revisit }: Decision & { revisit: Revisit },
): Promise<void> {
  const visited = await retryOnConflict<{ outcome: 'VISITED' } | NotMoved>(
    () =>
      changeBooking(db, { partnerId: null, bookingId }, async (tx, booking) => {
        await assertBookingWanted(tx, wanted, booking);
        assertNotDone(booking, REVISIT_MOVES['Cannot Complete']);
        return visitAgain({ tx, plans }, now, actor, { booking, revisit });
      }),
    isLost,
  );
  if (visited === null) throw slotUnavailable();
  if (visited.outcome !== 'VISITED')
    throw await rescheduleRefused({ db, plans }, now, visited, 'The booking cannot be visited then');
}

async function visitAgain(
  { tx, plans }: { tx: Tx; plans: PlanCache },
  now: Instant,
  actor: Actor,
  { booking, revisit }: { booking: LockedBooking; revisit: Revisit },
): Promise<{ outcome: 'VISITED' } | NotMoved> {
  const { date, timeslot, teamId, force = false, reason, displaceHolds = [] } = revisit;
  const team = await wantedTeam(tx, teamId);
  const period = periodOf(date, timeslot);
  const displacing = { by: actor, holdIds: displaceHolds };
  const moved = await reschedule(tx, plans, now, { booking, to: { period, team, force, displacing } });
  if (moved.outcome !== 'MOVED') return moved;
  const after: LockedBooking = {
    ...booking,
    service_date: dateOf(period.startsAt),
    starts_at: period.startsAt,
    ends_at: period.endsAt,
    appointment_status: REVISIT_MOVES['Cannot Complete'],
    outcome: null,
    fees: feesAfterMove(booking, now, { startsAt: period.startsAt, by: actor }),
    updated_at: now,
  };
  await saveOutcome(tx, booking.appointment_id, { outcome: null, isNewVisit: true });
  const updated = { id: newId(now), name: 'booking.updated' as const, payload: bookingView(after) };
  const events = [updated, ...appointmentEvents(booking, after, now)];
  await saveBooking(tx, now, { after, events, by: actor });
  await audit(tx, now, {
    actor,
    action: 'booking.revisit',
    target: `booking:${booking.id}`,
    before: bookingRecord(booking),
    after: { ...bookingRecord(after), ...(force && { forced: true, forcedBecause: reason }) },
  });
  return { outcome: 'VISITED' };
}

/** Throws INVALID_TRANSITION unless the visit of an open booking could not be done. */
function assertNotDone({ status, appointment_status: from }: LockedBooking, to: string): void {
  if (from === 'Cannot Complete' && !CLOSED_BOOKINGS.includes(status)) return;
  throw new ApiError('INVALID_TRANSITION', 'Only a visit that could not be done is decided on', {
    from,
    to,
    allowedFrom: ['Cannot Complete'],
    bookingStatus: status,
  });
}
