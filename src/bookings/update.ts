import type { PlanCache } from '../availability/plan.ts';
import { type CalendarDate, dateOf, type Instant } from '../base/clock.ts';
import { ApiError, notFound } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { isDbError, type Queryable, type Tx } from '../db/connection.ts';
import { attemptUntilSettled } from './attempts.ts';
import { type NewEvent, saveUpdate } from './change-queries.ts';
import { type BookingChanges, type ChangeableBooking, changeSeen } from './change-seen.ts';
import { appointmentEvents } from './events.ts';
import { findReferenceHolder, type LockedBooking, lockBooking } from './queries.ts';
import { isLost, type NotMoved, reschedule, rescheduleRefused, saveStatusAtNewTime } from './reschedule.ts';
import { bookingAfter, movability, statusAtNewTime, statusesFor } from './rules.ts';
import { type ChangeSaver, PARTNER } from './shared-change-queries.ts';
import { duplicateReference, slotLost, wantedPeriod } from './slot.ts';
import type { TimeslotInput } from './timeslots.ts';
import { type BookingView, bookingView } from './view.ts';

export type UpdateBookingInput = {
  date?: CalendarDate;
  timeslot?: TimeslotInput;
  notes?: string;
  externalReference?: string;
};

/** What the transaction did; what was refused has its alternatives looked up outside it. */
type Updated = { outcome: 'UPDATED'; view: BookingView } | NotMoved;

/**
 * Section 4.8: changes what is given and returns the Booking; on any error everything stays as it was, the held
 * slot included. What is already so is no change, and without a change of date, timeslot or reference there is no
 * event. Throws RESOURCE_NOT_FOUND, DUPLICATE_EXTERNAL_REFERENCE, BOOKING_NOT_EDITABLE,
 * BOOKING_APPOINTMENT_NOT_FOUND and, with reason and alternatives, BOOKING_CREATION_FAILED.
 */
export async function updateBooking(
  changes: BookingChanges,
  plans: PlanCache,
  now: Instant,
  partnerId: string,
  bookingId: string,
  input: UpdateBookingInput,
): Promise<BookingView> {
  const { db } = changes;
  const work =
    input.date === undefined && input.timeslot === undefined
      ? changeSeen(changes, { partnerId, bookingId }, (booking, save, on) =>
          updateInPlace(on, save, now, booking, input),
        )
      : attemptUntilSettled<Updated>(
          () => db.transaction((tx) => update(tx, plans, now, partnerId, bookingId, input), bookingId),
          isLost,
        );
  const result = await work.catch((error) => {
    if (isDbError(error, 'uniqueViolation', 'bookings_external_reference_key'))
      throw duplicateReference(input.externalReference ?? null);
    throw error;
  });
  if (result === null) throw slotLost();
  if (result.outcome === 'UPDATED') return result.view;
  throw await rescheduleRefused(db, plans, now, result);
}

/** Without a change of date or timeslot; null: the booking is not what was seen any more. */
async function updateInPlace(
  on: Queryable,
  save: ChangeSaver,
  now: Instant,
  booking: ChangeableBooking,
  input: UpdateBookingInput,
): Promise<Updated | null> {
  // Whether the reference is free the save finds out; only who may not change the booking has to be told first.
  if (bookingAfter('update', booking.status) === null) await assertReferenceFree(on, booking, input);
  assertEditable(booking);
  const { view, isNew, changed, events } = changesOf(now, booking, booking, input);
  const saved = !isNew || (await save({ kind: 'update', booking, now, changed, events }));
  return saved ? { outcome: 'UPDATED', view } : null;
}

async function update(
  tx: Tx,
  plans: PlanCache,
  now: Instant,
  partnerId: string,
  bookingId: string,
  input: UpdateBookingInput,
): Promise<Updated> {
  const booking = await lockBooking(tx, partnerId, bookingId);
  if (booking === null) throw notFound('Booking');

  await assertReferenceFree(tx, booking, input);
  assertEditable(booking);

  const period = wantedPeriod(booking, input);
  const moved = period.startsAt !== booking.starts_at || period.endsAt !== booking.ends_at;
  if (moved) {
    assertMovable(booking);
    const result = await reschedule(tx, plans, now, booking, { period, team: null, force: false });
    if (result.outcome !== 'MOVED') return result;
  }

  const to = {
    starts_at: period.startsAt,
    ends_at: period.endsAt,
    service_date: dateOf(period.startsAt),
    appointment_status: statusAtNewTime(booking.appointment_status, period.startsAt !== booking.starts_at),
  };
  const { view, isNew, changed, events } = changesOf(now, booking, to, input);
  const [updated = null, ...statusEvents] = events;
  if (isNew) await saveUpdate(tx, now, booking, changed, updated);
  await saveStatusAtNewTime(tx, now, { ...booking, ...to }, statusEvents);
  return { outcome: 'UPDATED', view };
}

/** What the update makes of a booking whose appointment is at `to`, and what is to be saved, if anything is new. */
function changesOf(
  now: Instant,
  booking: ChangeableBooking,
  to: Pick<LockedBooking, 'starts_at' | 'ends_at' | 'service_date' | 'appointment_status'>,
  input: UpdateBookingInput,
) {
  const externalReference = input.externalReference ?? booking.external_reference;
  const { starts_at, ends_at, service_date, appointment_status } = to;
  const after = {
    ...booking,
    external_reference: externalReference,
    service_date,
    starts_at,
    ends_at,
    appointment_status,
  };
  const view = bookingView(after);
  const notes = input.notes ?? booking.notes;
  const isEvent =
    starts_at !== booking.starts_at ||
    ends_at !== booking.ends_at ||
    externalReference !== booking.external_reference;
  const events: NewEvent[] = isEvent
    ? [
        { id: newId(now), name: 'booking.updated', payload: view, actor: PARTNER },
        ...appointmentEvents(booking, after, now, PARTNER),
      ]
    : [];
  const changed = { externalReference, notes, serviceDate: service_date };
  return { view, isNew: isEvent || notes !== booking.notes, changed, events };
}

async function assertReferenceFree(
  on: Queryable,
  booking: ChangeableBooking,
  { externalReference }: UpdateBookingInput,
): Promise<void> {
  if (externalReference === undefined || externalReference === booking.external_reference) return;
  const holder = await findReferenceHolder(on, booking.partner_id, externalReference);
  if (holder !== null && holder !== booking.id) throw duplicateReference(externalReference);
}

function assertEditable(booking: ChangeableBooking): void {
  if (bookingAfter('update', booking.status) !== null) return;
  throw new ApiError('BOOKING_NOT_EDITABLE', `A booking that is ${booking.status} cannot be changed`, {
    status: booking.status,
    editable: statusesFor('update'),
  });
}

function assertMovable(booking: LockedBooking): void {
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
}
