import { randomUUID } from 'node:crypto';
import type { PlanBook } from '../availability/plan.ts';
import type { SlotProblem } from '../availability/rules.ts';
import { candidatesFor, loadProspect, type Prospect } from '../availability/slots.ts';
import { type CalendarDate, dateOf, type Instant, MINUTE } from '../clock.ts';
import { ApiError, notFound } from '../errors.ts';
import { type Db, isDbError, type Tx } from '../platform/db.ts';
import { isReferenceTaken, type LockedBooking, lockBooking, moveAppointment, saveUpdate } from './queries.ts';
import { bookingAfter, movability, statusesFor } from './rules.ts';
import {
  duplicateReference,
  lostRace,
  MOST_ATTEMPTS,
  type Period,
  slotLost,
  slotRefused,
  wantedPeriod,
} from './slot.ts';
import { type BookingView, bookingView } from './view.ts';

export type UpdateBookingInput = {
  date?: CalendarDate;
  timeslot?: { startAt: string; endAt: string };
  notes?: string;
  externalReference?: string;
};

/** The slot was refused inside the transaction; the answer with its alternatives is made outside. */
class SlotRefused extends Error {
  readonly booking: LockedBooking;
  readonly period: Period;
  readonly reason: SlotProblem | 'RETRY';
  constructor(booking: LockedBooking, period: Period, reason: SlotProblem | 'RETRY') {
    super(reason);
    this.booking = booking;
    this.period = period;
    this.reason = reason;
  }
}

/**
 * Section 4.8: changes what is given and answers the Booking; on any error everything stays as it was, the held
 * slot included. What is already so is no change, and without a change of date, timeslot or reference there is no
 * event. Throws RESOURCE_NOT_FOUND, DUPLICATE_EXTERNAL_REFERENCE, BOOKING_NOT_EDITABLE,
 * BOOKING_APPOINTMENT_NOT_FOUND and, with reason and alternatives, BOOKING_CREATION_FAILED.
 */
export async function updateBooking(
  db: Db,
  plans: PlanBook,
  now: Instant,
  partnerId: string,
  bookingId: string,
  input: UpdateBookingInput,
): Promise<BookingView> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction((tx) => update(tx, plans, now, partnerId, bookingId, input));
    } catch (error) {
      if (isDbError(error, 'uniqueViolation', 'bookings_external_reference_key'))
        throw duplicateReference(input.externalReference ?? null);
      const again = lostRace(error) || (error instanceof SlotRefused && error.reason === 'RETRY');
      if (again && attempt < MOST_ATTEMPTS) continue;
      if (lostRace(error)) throw slotLost();
      if (!(error instanceof SlotRefused)) throw error;
      const { booking, period } = error;
      const query = {
        partnerId,
        addressId: booking.address_id,
        serviceId: booking.service_id,
        movingBookingId: booking.id,
      };
      throw await slotRefused(
        db,
        plans,
        now,
        query,
        period.startsAt,
        error.reason === 'RETRY' ? 'SLOT_UNAVAILABLE' : error.reason,
      );
    }
  }
}

async function update(
  tx: Tx,
  plans: PlanBook,
  now: Instant,
  partnerId: string,
  bookingId: string,
  input: UpdateBookingInput,
): Promise<BookingView> {
  const booking = await lockBooking(tx, partnerId, bookingId);
  if (booking === null) throw notFound('Booking');

  const externalReference = input.externalReference ?? booking.external_reference;
  const rereferenced = externalReference !== booking.external_reference;
  if (rereferenced && (await isReferenceTaken(tx, booking, externalReference!)))
    throw duplicateReference(externalReference);
  if (bookingAfter('update', booking.status) === null) {
    throw new ApiError('BOOKING_NOT_EDITABLE', `A booking that is ${booking.status} cannot be changed`, {
      status: booking.status,
      editable: statusesFor('update'),
    });
  }

  const period = wantedPeriod(booking, input);
  const moved = period.startsAt !== booking.starts_at || period.endsAt !== booking.ends_at;
  if (moved) await move(tx, plans, now, booking, period);

  const after: LockedBooking = {
    ...booking,
    external_reference: externalReference,
    service_date: dateOf(period.startsAt),
    starts_at: period.startsAt,
    ends_at: period.endsAt,
  };
  const view = bookingView(after);
  const notes = input.notes ?? booking.notes;
  if (moved || rereferenced || notes !== booking.notes) {
    const event =
      moved || rereferenced
        ? { id: randomUUID(), name: 'booking.updated' as const, payload: view, actor: 'partner' }
        : null;
    await saveUpdate(tx, now, booking, { externalReference, notes, serviceDate: after.service_date }, event);
  }
  return view;
}

async function move(
  tx: Tx,
  plans: PlanBook,
  now: Instant,
  booking: LockedBooking,
  period: Period,
): Promise<void> {
  const state = movability(booking.appointment_status);
  if (state === 'absent') {
    const { appointment } = bookingView(booking);
    throw new ApiError('BOOKING_APPOINTMENT_NOT_FOUND', 'The booking has no appointment to reschedule', {
      appointmentStatus: appointment?.status ?? null,
    });
  }
  if (state === 'begun') {
    throw new ApiError('BOOKING_NOT_EDITABLE', 'The appointment has begun and cannot be rescheduled', {
      status: booking.status,
      appointmentStatus: booking.appointment_status,
      hints: ['notes and externalReference can still be changed, without date and timeslot'],
    });
  }
  const prospect = await prospectOf(tx, plans, booking, dateOf(period.startsAt));
  const found = prospect && candidatesFor(prospect, period, now);
  if (!prospect?.place || !found) throw new SlotRefused(booking, period, 'SLOT_NOT_OFFERED');
  if (found.problem !== null) throw new SlotRefused(booking, period, found.problem);

  const teams = found.teams.toSorted(
    (a, b) => Number(b.id === booking.team_id) - Number(a.id === booking.team_id),
  );
  const outcome = await moveAppointment(tx, now, {
    catalogueVersion: prospect.plan.version,
    candidates: teams.map((team) => ({
      teamId: team.id,
      busyUntil: period.endsAt + team.bufferMinutes * MINUTE,
    })),
    appointmentId: booking.appointment_id,
    zoneId: prospect.place.zoneId,
    startsAt: period.startsAt,
    endsAt: period.endsAt,
  });
  // TAKEN or STALE: the whole change begins anew, with what is there then.
  if (outcome !== 'MOVED') throw new SlotRefused(booking, period, 'RETRY');
}

/** Null: the booking's service is no longer there for this partner, so none of its slots is offered. */
async function prospectOf(
  tx: Tx,
  plans: PlanBook,
  booking: LockedBooking,
  date: CalendarDate,
): Promise<Prospect | null> {
  const query = {
    partnerId: booking.partner_id,
    addressId: booking.address_id,
    serviceId: booking.service_id,
    movingBookingId: booking.id,
  };
  try {
    return await loadProspect(tx, plans, query, date, 1);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'SERVICE_NOT_ALLOWED') return null;
    throw error;
  }
}
