import type { PlanCache } from '../availability/plan.ts';
import type { Period } from '../availability/sold.ts';
import { type CalendarDate, dateOf, type Instant } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { type Db, isDbError, type Tx } from '../db/connection.ts';
import type { Sealer } from '../db/sealing.ts';
import { changesTo } from '../db/tables.ts';
import { columnsGiven, type Given } from '../http/fields.ts';
import { type AccessInput, hasAccess, saveAccess } from './access.ts';
import { retryOnConflict } from './attempts.ts';
import { type BookingKey, type ChangePlainly, changeBooking, type Decided, PARTNER } from './change.ts';
import { type LockedBooking, type NewEvent, saveBooking } from './change-queries.ts';
import { appointmentEvents } from './events.ts';
import { assertFee, assertMovesLeft, feesAfter, feesAfterMove, quoteOf } from './fees.ts';
import { findMade } from './queries.ts';
import { isLost, type NotMoved, reschedule, rescheduleRefused } from './reschedule.ts';
import { bookingAfter, movability, statusAtNewTime, statusesFor } from './rules.ts';
import { duplicateReference, type Repeated, slotUnavailable, wantedPeriod } from './slot.ts';
import { BOOKINGS } from './table.ts';
import type { TimeslotInput } from './timeslots.ts';
import { type BookingView, bookingView } from './view.ts';

export type UpdateBookingInput = {
  date?: CalendarDate;
  timeslot?: TimeslotInput;
  /** SAR; a fee above it is refused. */
  maxFee?: number;
} & AccessInput &
  Given<typeof BOOKINGS>;

/** Of a change with its series. */
type OfSeries = {
  /** Runs in the transaction of a move that is made, with the booking as it was; an error rolls it back. */
  record?: (tx: Tx, before: LockedBooking) => Promise<void>;
  /** The operator's moves cost nothing. */
  by?: string;
  daysAhead?: number;
};

/** The result of the transaction; alternatives to a refused move are looked up outside it. */
type Updated = { outcome: 'UPDATED'; view: BookingView } | NotMoved;

/**
 * Section 4.8: changes the given fields and returns the Booking; an error changes nothing, also not the held slot.
 * Without a difference nothing is written, and without a change of date, timeslot or reference there is no event.
 * Throws RESOURCE_NOT_FOUND, DUPLICATE_EXTERNAL_REFERENCE, BOOKING_NOT_EDITABLE, BOOKING_APPOINTMENT_NOT_FOUND,
 * FEE_CHANGED and, with reason and alternatives, BOOKING_CREATION_FAILED.
 */
export async function updateBooking(
  deps: { db: Db; plans: PlanCache; change: ChangePlainly; sealer: Sealer } & OfSeries,
  now: Instant,
  key: BookingKey,
  input: UpdateBookingInput,
): Promise<BookingView> {
  const attempt = async (): Promise<Updated> =>
    (await updatePlainly(deps.change, now, key, input)) ??
    changeBooking(deps.db, key, async (tx, booking) => {
      const updated = await update({ ...deps, tx }, now, booking, input);
      if (updated.outcome === 'UPDATED') await deps.record?.(tx, booking);
      return updated;
    });
  const result = await retryOnConflict<Updated>(attempt, isLost).catch(async (error) => {
    const { externalReference } = input;
    if (
      externalReference === undefined ||
      !isDbError(error, 'uniqueViolation', 'bookings_external_reference_key')
    )
      throw error;
    const holder =
      key.partnerId === null ? null : await findMade(deps.db, key.partnerId, { externalReference });
    throw duplicateReference(externalReference, holder === null ? undefined : heldBy(holder));
  });
  if (result === null) throw slotUnavailable();
  if (result.outcome === 'UPDATED') return result.view;
  throw await rescheduleRefused(deps, now, result);
}

/** null: it needs a transaction of its own, because it moves the appointment or another refusal could come first. */
async function updatePlainly(
  change: ChangePlainly,
  now: Instant,
  key: BookingKey,
  input: UpdateBookingInput,
): Promise<Updated | null> {
  if (input.date !== undefined || input.timeslot !== undefined || hasAccess(input)) return null;
  let isPlain = true;
  const view = await change({
    key,
    now,
    decide(booking) {
      isPlain = bookingAfter('update', booking.status) !== null;
      return isPlain ? updated(booking, now, input) : { view: bookingView(booking), change: null };
    },
  });
  return isPlain ? { outcome: 'UPDATED', view } : null;
}

async function update(
  deps: { tx: Tx; plans: PlanCache; sealer: Sealer } & OfSeries,
  now: Instant,
  booking: LockedBooking,
  input: UpdateBookingInput,
): Promise<Updated> {
  const { tx, plans, sealer, record, by = PARTNER, daysAhead = 0 } = deps;
  const period = wantedPeriod(booking, input);
  const isMove = isMoved(booking, period);
  const isEditable = bookingAfter('update', booking.status) !== null;
  // Otherwise the save finds it: the check is only needed when another refusal could come first.
  if (isMove || !isEditable) await assertReferenceFree(tx, booking, input);
  if (!isEditable) throw notEditable(booking);
  const quoted = isMove && by === PARTNER ? quoteOf('reschedule', booking, now) : null;
  if (isMove) {
    assertMovable(booking, by);
    assertFee(booking, 'reschedule', quoted, input.maxFee);
    const to = { period, team: null, force: false, daysAhead };
    const result = await reschedule(tx, plans, now, { booking, to });
    if (result.outcome !== 'MOVED') return result;
  }
  await saveAccess(tx, sealer, booking.id, input);
  const { startsAt } = period;
  const fees =
    by === PARTNER ? feesAfter(booking, quoted, now) : feesAfterMove(booking, now, { startsAt, by });
  const { view, change } = updated(booking, now, { ...input, fees, by });
  if (change !== null) await saveBooking(tx, now, change, { commits: record === undefined });
  return { outcome: 'UPDATED', view };
}

/** Whether the period is another than the booking's. */
export const isMoved = (booking: LockedBooking, { startsAt, endsAt }: Period): boolean =>
  startsAt !== booking.starts_at || endsAt !== booking.ends_at;

/** The change of an editable booking, whose appointment has been moved if its time changes. */
function updated(
  booking: LockedBooking,
  now: Instant,
  input: UpdateBookingInput & { fees?: LockedBooking['fees']; by?: string },
): Decided {
  const period = wantedPeriod(booking, input);
  const given = columnsGiven(BOOKINGS, input, booking);
  const changed: LockedBooking = {
    ...booking,
    ...given,
    fees: input.fees ?? booking.fees,
    service_date: dateOf(period.startsAt),
    starts_at: period.startsAt,
    ends_at: period.endsAt,
    appointment_status: statusAtNewTime(booking.appointment_status, period.startsAt !== booking.starts_at),
  };
  const isEvent = isMoved(booking, period) || changed.external_reference !== booking.external_reference;
  const isChange = isEvent || changesTo(booking, given) !== null;
  const after = isChange ? { ...changed, updated_at: now } : booking;
  const view = bookingView(after);
  const events: NewEvent[] = isEvent
    ? [{ id: newId(now), name: 'booking.updated', payload: view }, ...appointmentEvents(booking, after, now)]
    : [];
  return { view, change: isChange ? { after, events, by: input.by ?? PARTNER } : null };
}

const heldBy = ({ id }: { id: string }): Repeated => ({ bookingId: id, sameRequest: false });

async function assertReferenceFree(
  tx: Tx,
  booking: LockedBooking,
  { externalReference }: UpdateBookingInput,
): Promise<void> {
  if (externalReference === undefined || externalReference === booking.external_reference) return;
  const holder = await findMade(tx, booking.partner_id, { externalReference });
  if (holder !== null && holder.id !== booking.id)
    throw duplicateReference(externalReference, heldBy(holder));
}

export function notEditable({ status }: LockedBooking): ApiError {
  return new ApiError('BOOKING_NOT_EDITABLE', `A booking that is ${status} cannot be changed`, {
    status,
    editable: statusesFor('update'),
  });
}

/** Throws BOOKING_APPOINTMENT_NOT_FOUND and BOOKING_NOT_EDITABLE. */
export function assertMovable(booking: LockedBooking, by = PARTNER): void {
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
  if (by === PARTNER) assertMovesLeft(booking);
}
