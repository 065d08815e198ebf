import type { PlanCache } from '../availability/plan.ts';
import type { Instant } from '../base/clock.ts';
import { ApiError, notFound, orNotFound } from '../base/errors.ts';
import { MAX_ATTEMPTS } from '../bookings/attempts.ts';
import type { PartnerBookingKey } from '../bookings/change.ts';
import { findBooking } from '../bookings/queries.ts';
import type { AppointmentStatus } from '../bookings/rules.ts';
import { type BookingView, bookingView } from '../bookings/view.ts';
import type { Db, Queryable } from '../db/connection.ts';
import { changeAppointment, readAppointment } from '../dispatch/appointments.ts';
import type { AppointmentRow } from '../dispatch/queries.ts';
import { movesFrom, moveTo, nextStatus, type Statuses } from './rules.ts';

export type Advanced = {
  from: AppointmentStatus;
  to: AppointmentStatus;
  /** The statuses that may follow. */
  next: AppointmentStatus[];
  booking: BookingView;
};

type AdvanceDeps = { db: Db; plans: PlanCache };

/** The appointment of the partner's booking. Throws RESOURCE_NOT_FOUND. */
export async function findAppointmentOf(
  db: Queryable,
  partnerId: string,
  bookingId: string,
): Promise<AppointmentRow> {
  const booking = await orNotFound(findBooking(db, partnerId, bookingId), 'Booking');
  return readAppointment(db, booking.appointment_id);
}

export const statusesOf = ({ status, booking_status }: AppointmentRow): Statuses => ({
  appointmentStatus: status,
  bookingStatus: booking_status,
});

/**
 * Moves the appointment of the partner's booking as its crew and the office would: to `to`, or to the next status on the way to
 * Completed, which here may come before its start. The status that it has is no change; two simultaneous calls without
 * `to` are two steps. Throws RESOURCE_NOT_FOUND and INVALID_TRANSITION.
 */
export async function advanceBooking(
  { db, plans }: AdvanceDeps,
  now: Instant,
  { partnerId, bookingId }: PartnerBookingKey,
  to?: AppointmentStatus,
): Promise<Advanced> {
  for (let attempt = 1; ; attempt++) {
    const before = await findAppointmentOf(db, partnerId, bookingId);
    const statuses = statusesOf(before);
    const target = to ?? nextStatus(statuses);
    if (target !== before.status) assertAllowed(statuses, target);
    // assertAllowed has refused null.
    const status = target ?? before.status;
    const { actor, changes } = moveTo(status, before);
    try {
      await changeAppointment({ db, plans }, now, actor, {
        appointmentId: before.id,
        changes,
        wanted: [before.version],
      });
    } catch (error) {
      // Changed meanwhile: decided again, from its status now.
      const isLost = error instanceof ApiError && ['CONFLICT', 'INVALID_TRANSITION'].includes(error.code);
      if (!isLost || attempt === MAX_ATTEMPTS) throw error;
      continue;
    }
    const booking = await findBooking(db, partnerId, bookingId);
    if (booking === null) throw notFound('Booking');
    const next = movesFrom({ appointmentStatus: status, bookingStatus: booking.status });
    return { from: before.status, to: status, next, booking: bookingView(booking) };
  }
}

/** Throws INVALID_TRANSITION unless the appointment may become `to`; null: it has no next status. */
export function assertAllowed(statuses: Statuses, to: AppointmentStatus | null): void {
  const { appointmentStatus: from, bookingStatus } = statuses;
  const allowed = movesFrom(statuses);
  if (to !== null && allowed.includes(to)) return;
  const waits = bookingStatus === 'waiting payment';
  const what = to === null ? 'has no next status' : `cannot become ${to}`;
  const why = waits ? ' while its booking waits for payment' : '';
  throw new ApiError('INVALID_TRANSITION', `An appointment that is ${from} ${what}${why}`, {
    from,
    ...(to !== null && { to }),
    allowed,
    bookingStatus,
    ...(waits && {
      hints: [
        'the run customer-pays pays for the booking; then the appointment can go on',
        'the run operator-cancels, or cancelling the booking, ends it together with its payment link',
      ],
    }),
  });
}
