import type { PlanCache } from '../availability/plan.ts';
import type { SlotProblem } from '../availability/rules.ts';
import {
  type Choice,
  candidatesFor,
  loadSlotContext,
  type SlotContext,
  type SlotQuery,
} from '../availability/slots.ts';
import { type CalendarDate, type Instant, MINUTE } from '../base/clock.ts';
import { ApiError, notFound } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { findContact } from '../contacts/queries.ts';
import { type Db, isDbError, type Tx } from '../db/connection.ts';
import { currentHistory } from '../db/histories.ts';
import type { PaymentResponsibility } from '../partners/rules.ts';
import { attemptUntilSettled } from './attempts.ts';
import { drawGuesses } from './guesses.ts';
import {
  type Booker,
  type BookingOutcome,
  type BookingRow,
  findReferenceHolder,
  insertBooking,
  type NewBooking,
} from './queries.ts';
import { initialState } from './rules.ts';
import { duplicateReference, paymentUnavailable, periodOf, slotRefused } from './slot.ts';
import { type BookingView, bookingView } from './view.ts';

export type CreateBookingInput = {
  contactId: string;
  addressId: string;
  serviceId: string;
  date: CalendarDate;
  timeslot: { startAt: string; endAt: string };
  externalReference?: string;
};

/** How many teams a first guess offers to the claim: enough unless the day is nearly full. */
const MAX_GUESSES = 6;

/**
 * Section 4.5: books the slot and returns the Booking. On any error nothing remains. Throws
 * RESOURCE_NOT_FOUND (contact, address, service), VALIDATION_ERROR (address without coordinates),
 * SERVICE_NOT_ALLOWED, DUPLICATE_EXTERNAL_REFERENCE and, with reason and alternatives, BOOKING_CREATION_FAILED.
 */
export async function createBooking(
  db: Db,
  plans: PlanCache,
  now: Instant,
  partner: {
    id: string;
    paymentResponsibility: PaymentResponsibility;
    hasGateway: boolean;
    /** The operator books, inside the service's minimum notice. */
    ignoresNotice?: boolean;
  },
  input: CreateBookingInput,
  /** Runs in the transaction that books; what it throws undoes the booking. */
  record?: (tx: Tx, booking: BookingView) => Promise<void>,
  /** Writes the first attempt, when there is nothing to record: shared with others that arrive at the same time. */
  book: Booker = (at, booking) => insertBooking(db, at, booking),
): Promise<BookingView> {
  const query: SlotQuery = {
    partnerId: partner.id,
    addressId: input.addressId,
    serviceId: input.serviceId,
    ignoresNotice: partner.ignoresNotice ?? false,
  };
  const period = periodOf(input.date, input.timeslot);
  const externalReference = input.externalReference ?? null;

  const canCollect = partner.paymentResponsibility === 'PARTNER' || partner.hasGateway;

  const refusalFor = async (reason: SlotProblem): Promise<ApiError> => {
    if (
      externalReference !== null &&
      (await findReferenceHolder(db, partner.id, externalReference)) !== null
    ) {
      return duplicateReference(externalReference);
    }
    if (!canCollect) return paymentUnavailable();
    return slotRefused(db, plans, now, query, { wanted: period.startsAt, reason });
  };

  const attempt = async (number: number): Promise<BookingView | null> => {
    const context = await loadVisible(db, plans, query, input);
    const { place, service } = context;
    const guess: Choice = (teams, canTake) =>
      drawGuesses(
        teams,
        canTake,
        null,
        { from: period.startsAt / MINUTE, until: period.endsAt / MINUTE },
        MAX_GUESSES,
      );
    const found = candidatesFor(context, period, now, number === 1 ? guess : undefined);
    if (place === null) {
      throw new ApiError('SERVICE_NOT_ALLOWED', 'The service is not available at the address', {
        hints: ['GET /partners/services?addressId= lists what can be booked at the address'],
      });
    }
    if (!canCollect || found.problem !== null) throw await refusalFor(found.problem ?? 'SLOT_UNAVAILABLE');

    const { status, paymentStatus } = initialState(
      partner.paymentResponsibility,
      Number(context.price) === 0,
      service.zeroPriceMeans,
    );
    const row: BookingRow = {
      id: newId(now),
      external_reference: externalReference,
      status,
      payment_status: paymentStatus,
      service_date: input.date,
      appointment_id: newId(now),
      appointment_name: '',
      appointment_status: service.assignment === 'deferred' ? 'New' : 'Scheduled',
      starts_at: period.startsAt,
      ends_at: period.endsAt,
    };
    const newBooking: NewBooking = {
      row,
      partnerId: partner.id,
      contactId: input.contactId,
      addressId: input.addressId,
      serviceId: input.serviceId,
      zoneId: place.zoneId,
      paymentResponsibility: partner.paymentResponsibility,
      amount: context.price,
      candidates: found.teams.map((team) => ({
        teamId: team.id,
        teamNumber: team.number,
        busyUntil: period.endsAt + team.bufferMinutes * MINUTE,
      })),
      catalogueVersion: context.plan.version,
      event: { id: newId(now), name: 'booking.created', payload: bookingView(row) },
    };
    const view = (name: string): BookingView => bookingView({ ...row, appointment_name: name });
    // Without a record to keep, one statement does it all: one round trip instead of three.
    const { outcome, appointmentName } = await attemptInsert(db, externalReference, () =>
      record === undefined
        ? number === 1
          ? book(now, newBooking)
          : insertBooking(db, now, newBooking)
        : db.transaction(async (tx) => {
            const result = await insertBooking(tx, now, newBooking);
            if (result.outcome === 'BOOKED') await record(tx, view(result.appointmentName));
            return result;
          }),
    );
    // TAKEN or STALE: the next attempt reads what changed.
    return outcome === 'BOOKED' ? view(appointmentName) : null;
  };

  const booked = await attemptUntilSettled(attempt, (view) => view === null);
  if (booked === null) throw await refusalFor('SLOT_UNAVAILABLE');
  return booked;
}

async function loadVisible(
  db: Db,
  plans: PlanCache,
  query: SlotQuery,
  input: CreateBookingInput,
): Promise<SlotContext> {
  const contact = async () => findContact(db, query.partnerId, input.contactId);
  try {
    const context = await loadSlotContext(db, plans, query, { from: input.date, days: 1 });
    if (context.contactId === input.contactId.toLowerCase()) return context;
    throw (await contact()) === null ? notFound('Contact') : notFound('Address');
  } catch (error) {
    // Whatever is wrong with the rest, a contact that is not there comes first.
    if (error instanceof ApiError && (await contact()) === null) throw notFound('Contact');
    throw error;
  }
}

/** Where the data went back, no number is taken before its new history: begins it, and returns STALE for another attempt. */
async function attemptInsert(
  db: Db,
  externalReference: string | null,
  insert: () => Promise<BookingOutcome>,
): Promise<Omit<BookingOutcome, 'server'>> {
  try {
    return await insert();
  } catch (error) {
    if (isDbError(error, 'uniqueViolation', 'bookings_external_reference_key'))
      throw duplicateReference(externalReference);
    if (!isDbError(error, 'serialization')) throw error;
    await currentHistory(db);
    return { outcome: 'STALE', appointmentName: '' };
  }
}
