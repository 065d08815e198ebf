import type { PlanCache } from '../availability/plan.ts';
import { ALTERNATIVE_DAYS, alternativesTo, findSlotContext } from '../availability/slots.ts';
import { lengthOf } from '../availability/sold.ts';
import { dateOf, type Instant } from '../base/clock.ts';
import { ApiError, conflict } from '../base/errors.ts';
import { type Cancellation, cancellationOf } from '../bookings/cancel.ts';
import { changeBooking, PARTNER } from '../bookings/change.ts';
import { saveBooking } from '../bookings/change-queries.ts';
import { quoteOf } from '../bookings/fees.ts';
import { openLink } from '../bookings/payment-links.ts';
import type { AppointmentStatus } from '../bookings/rules.ts';
import { closeBooking, revisitBooking } from '../closings/closings.ts';
import type { Db } from '../db/connection.ts';
import type { Sealer } from '../db/sealing.ts';
import { changeAppointment } from '../dispatch/appointments.ts';
import { cancelForOperator } from '../dispatch/cancel.ts';
import { type AppointmentRow, findOperatorBooking } from '../dispatch/queries.ts';
import type { Gateways } from '../payments/gateways.ts';
import { listPaymentsOf, type OperatorPaymentRow } from '../payments/operator-queries.ts';
import { type CheckoutOutcome, useCheckout } from '../payments/providers/checkout.ts';
import { listCustomerReasons } from '../reasons/queries.ts';
import type { Logger } from '../runtime/logger.ts';
import { assertAllowed, findAppointmentOf, statusesOf } from './advance.ts';
import { moveTo, SIMULATOR } from './rules.ts';
import { type ClaimedStep, saveSlot } from './run-queries.ts';
import type { ChosenSlot } from './table.ts';

export type StepDeps = { db: Db; plans: PlanCache; sealer: Sealer; gateways: Gateways; logger: Logger };

/** `waiting`: the payment link is not sent yet; the step is taken again. */
export type StepOutcome = 'done' | 'waiting';

/**
 * Takes a claimed step through the use cases of operator, field and customer. Idempotent: a worker may have died before
 * it saved the result. Throws ApiError when the booking does not allow it (any more).
 */
export async function takeStep(deps: StepDeps, now: Instant, step: ClaimedStep): Promise<StepOutcome> {
  switch (step.action) {
    case 'appointment':
      return moveAppointment(deps, now, step, step.appointment_status!);
    case 'move':
      return moveToAnotherSlot(deps, now, step);
    case 'cancel':
    case 'close':
      return end(deps, now, step);
    case 'late-cancel':
      return cancelLate(deps, now, step);
    case 'no-show':
      return findNobody(deps, now, step);
    case 'revisit':
      return visitAgain(deps, now, step);
    case 'pay':
      return useLink(deps, now, step, 'paid');
    case 'decline':
      return useLink(deps, now, step, 'declined');
    case 'fail-payment':
      return useLink(deps, now, step, 'failed');
  }
}

async function moveAppointment(
  { db, plans }: StepDeps,
  now: Instant,
  step: ClaimedStep,
  to: AppointmentStatus,
): Promise<StepOutcome> {
  const appointment = await findAppointmentOf(db, step.partner_id, step.booking_id);
  if (appointment.status === to) return 'done';
  assertAllowed(statusesOf(appointment), to);
  const { actor, changes } = moveTo(to, appointment);
  await changeAppointment({ db, plans }, now, actor, { appointmentId: appointment.id, changes });
  return 'done';
}

/** Moves the appointment to the nearest other free time. */
async function moveToAnotherSlot(deps: StepDeps, now: Instant, step: ClaimedStep): Promise<StepOutcome> {
  const { db, plans } = deps;
  const appointment = await findAppointmentOf(db, step.partner_id, step.booking_id);
  const slot = step.slot ?? (await chooseSlot(deps, now, appointment));
  if (step.slot === null) await saveSlot(db, step, slot);
  const { date, startAt, endAt } = slot;
  const changes = { date, timeslot: { startAt, endAt } };
  try {
    await changeAppointment({ db, plans }, now, SIMULATOR, { appointmentId: appointment.id, changes });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'BOOKING_CREATION_FAILED') throw error;
    // Taken meanwhile: the next try chooses another.
    await saveSlot(db, step, null);
    throw new SlotTakenError('the timeslot that was chosen is taken', { cause: error });
  }
  return 'done';
}

/** The step is tried again. */
class SlotTakenError extends Error {
  override readonly name = 'SlotTakenError';
}

async function chooseSlot(
  { db, plans }: StepDeps,
  now: Instant,
  { partner_id, address_id, service_id, starts_at, ends_at }: AppointmentRow,
): Promise<ChosenSlot> {
  const durationMinutes = lengthOf({ startsAt: starts_at, endsAt: ends_at });
  const query = { partnerId: partner_id, addressId: address_id, serviceId: service_id, durationMinutes };
  const from = dateOf(Math.max(starts_at, now));
  const context = await findSlotContext(db, plans, query, { from, days: ALTERNATIVE_DAYS });
  const offered = context === null ? [] : alternativesTo(context, starts_at, from, { now, own: starts_at });
  if (offered[0] !== undefined) return offered[0];
  throw new ApiError('BOOKING_CREATION_FAILED', 'No other timeslot is free in the next seven days');
}

/** The operator cancels the booking, or closes it after a visit that could not be done. */
async function end({ db }: StepDeps, now: Instant, step: ClaimedStep): Promise<StepOutcome> {
  const booking = await findOperatorBooking(db, step.booking_id);
  if (booking?.status === 'canceled' && booking.cancelled_by === SIMULATOR) return 'done';
  const { booking_id: bookingId } = step;
  const cancellation = await simulatedCancellation(db);
  if (step.action === 'close') await closeBooking(db, now, SIMULATOR, { bookingId, closing: cancellation });
  else await cancelForOperator(db, now, SIMULATOR, { bookingId, cancellation });
  return 'done';
}

/** Cancels as the partner does, with the fee of the moment. */
async function cancelLate({ db }: StepDeps, now: Instant, step: ClaimedStep): Promise<StepOutcome> {
  const known = await findOperatorBooking(db, step.booking_id);
  if (known?.status === 'canceled' && known.cancelled_by === PARTNER) return 'done';
  const cancellation = await simulatedCancellation(db);
  const key = { partnerId: step.partner_id, bookingId: step.booking_id };
  await changeBooking(db, key, async (tx, booking) => {
    const quoted = quoteOf('cancel', booking, now);
    await saveBooking(tx, now, cancellationOf(booking, now, { ...cancellation, quoted }, PARTNER).change);
  });
  return 'done';
}

async function simulatedCancellation(db: Db): Promise<Cancellation> {
  const [reason] = await listCustomerReasons(db);
  if (reason === undefined)
    throw conflict('NO_CANCELLATION_REASON', 'The operator has no cancellation reason that is active');
  return { reasonId: reason.id, notes: 'Canceled by a run of the simulator' };
}

/** The visit cannot be done, because the customer is absent. */
async function findNobody({ db, plans }: StepDeps, now: Instant, step: ClaimedStep): Promise<StepOutcome> {
  const appointment = await findAppointmentOf(db, step.partner_id, step.booking_id);
  if (appointment.status === 'Cannot Complete') return 'done';
  assertAllowed(statusesOf(appointment), 'Cannot Complete');
  await changeAppointment({ db, plans }, now, SIMULATOR, {
    appointmentId: appointment.id,
    changes: { status: 'Cannot Complete', outcome: 'CUSTOMER_ABSENT', force: true },
  });
  return 'done';
}

/** The operator plans another visit at the nearest free time. */
async function visitAgain(deps: StepDeps, now: Instant, step: ClaimedStep): Promise<StepOutcome> {
  const { db, plans } = deps;
  const appointment = await findAppointmentOf(db, step.partner_id, step.booking_id);
  // Planned by a worker that died, or by an operator.
  if (appointment.status === 'Scheduled') return 'done';
  const { date, startAt, endAt } = await chooseSlot(deps, now, appointment);
  const revisit = { date, timeslot: { startAt, endAt } };
  await revisitBooking({ db, plans }, now, SIMULATOR, { bookingId: step.booking_id, revisit }).catch(
    (error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'BOOKING_CREATION_FAILED') throw error;
      throw new SlotTakenError('the timeslot that was chosen is taken', { cause: error });
    },
  );
  return 'done';
}

/** The payment's status after each action of the customer. */
const ENDS = { paid: 'PAID', failed: 'FAILED', declined: null } as const;

/** Uses the payment link on the page of the sandbox's gateway, once there is one. */
async function useLink(
  deps: StepDeps,
  now: Instant,
  step: ClaimedStep,
  outcome: CheckoutOutcome,
): Promise<StepOutcome> {
  const { db, sealer, gateways, logger } = deps;
  const payment = await findPaymentOf(db, step.booking_id);
  if (payment.status === ENDS[outcome]) return 'done';
  if (payment.status !== 'CREATED' && payment.status !== 'OPEN') {
    throw new ApiError('INVALID_TRANSITION', `The payment by link is ${payment.status}`);
  }
  if (payment.status === 'CREATED' || payment.link_url === null) return 'waiting';
  const gateway = gateways.find('sandbox');
  if (gateway === null || payment.gateway !== gateway.name) {
    throw new ApiError('INVALID_TRANSITION', `The customer pays by ${payment.gateway}, not in the sandbox`);
  }
  const token = openLink(sealer, payment.id, payment.link_url).split('/').at(-1) ?? '';
  const page = await useCheckout({ db, gateway, logger }, now, token, outcome);
  if (outcome === 'declined') {
    if (page.state === 'open') return 'done';
    throw new ApiError('INVALID_TRANSITION', 'The payment link cannot be used any more');
  }
  // The booking changes at once, or by the worker of payments.
  const after = await findPaymentOf(db, step.booking_id);
  return after.status === ENDS[outcome] ? 'done' : 'waiting';
}

async function findPaymentOf(db: Db, bookingId: string): Promise<OperatorPaymentRow> {
  const [payment] = await listPaymentsOf(db, [bookingId]);
  if (payment === undefined) throw new ApiError('INVALID_TRANSITION', 'The booking has no payment by link');
  return payment;
}
