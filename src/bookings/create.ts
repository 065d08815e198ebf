import { randomUUID } from 'node:crypto';
import type { PlanBook } from '../availability/plan.ts';
import {
  candidatesFor,
  guessOrder,
  type Look,
  loadProspect,
  type Prospect,
  type ProspectQuery,
} from '../availability/slots.ts';
import { type CalendarDate, type Instant, MINUTE } from '../clock.ts';
import { findContact } from '../contacts/queries.ts';
import { ApiError, notFound } from '../errors.ts';
import type { PaymentResponsibility } from '../partners/queries.ts';
import { type Db, isDbError, type Tx } from '../platform/db.ts';
import {
  type BookingOutcome,
  type BookingRow,
  insertBooking,
  isReferenceHeld,
  type NewBooking,
} from './queries.ts';
import { initialState } from './rules.ts';
import { duplicateReference, lostRace, MOST_ATTEMPTS, periodOf, slotRefused } from './slot.ts';
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
const MOST_GUESSES = 12;

/**
 * Section 4.5: books the slot and answers the Booking. On any error nothing remains. Throws
 * RESOURCE_NOT_FOUND (contact, address, service), VALIDATION_ERROR (address without coordinates),
 * SERVICE_NOT_ALLOWED, DUPLICATE_EXTERNAL_REFERENCE and, with reason and alternatives, BOOKING_CREATION_FAILED.
 */
export async function createBooking(
  db: Db,
  plans: PlanBook,
  now: Instant,
  partner: { id: string; paymentResponsibility: PaymentResponsibility },
  input: CreateBookingInput,
  /** Runs in the transaction that books; what it throws undoes the booking. */
  record?: (tx: Tx, booking: BookingView) => Promise<void>,
): Promise<BookingView> {
  const query: ProspectQuery = {
    partnerId: partner.id,
    addressId: input.addressId,
    serviceId: input.serviceId,
  };
  const period = periodOf(input.date, input.timeslot);
  const externalReference = input.externalReference ?? null;

  for (let attempt = 1; ; attempt++) {
    // The first time without reading who is held: the claim finds out. Only when that fails is the day looked at.
    const look = attempt === 1 ? 'later' : 'fresh';
    const prospect = await loadVisible(db, plans, query, input, look);
    const { place, service } = prospect;
    if (place === null) {
      throw new ApiError('SERVICE_NOT_ALLOWED', 'The service is not available at the address', {
        hints: ['GET /partners/services?addressId= lists what can be booked at the address'],
      });
    }

    const found = candidatesFor(prospect, period, now);
    if (found.problem !== null || attempt === MOST_ATTEMPTS) {
      if (externalReference !== null && (await isReferenceHeld(db, partner.id, externalReference))) {
        throw duplicateReference(externalReference);
      }
      throw await slotRefused(db, plans, now, query, period.startsAt, found.problem ?? 'SLOT_UNAVAILABLE');
    }
    const teams =
      look === 'fresh'
        ? found.teams
        : guessOrder(
            found.teams,
            plans.busy.hint(input.date),
            period.startsAt / MINUTE,
            period.endsAt / MINUTE,
          );

    const { status, paymentStatus } = initialState(
      partner.paymentResponsibility,
      Number(prospect.price) === 0,
      service.zeroPriceMeans,
    );
    const row: BookingRow = {
      id: randomUUID(),
      external_reference: externalReference,
      status,
      payment_status: paymentStatus,
      service_date: input.date,
      appointment_id: randomUUID(),
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
      amount: prospect.price,
      candidates: teams.slice(0, look === 'fresh' ? teams.length : MOST_GUESSES).map((team) => ({
        teamId: team.id,
        teamNumber: team.number,
        busyUntil: period.endsAt + team.bufferMinutes * MINUTE,
      })),
      catalogueVersion: prospect.plan.version,
      event: { id: randomUUID(), name: 'booking.created', payload: bookingView(row) },
    };
    const view = (name: string): BookingView => bookingView({ ...row, appointment_name: name });
    // Without a record to keep, one statement does it all: one round trip instead of three.
    const { outcome, appointmentName } = await attemptInsert(externalReference, () =>
      record === undefined
        ? insertBooking(db, now, newBooking)
        : db.transaction(async (tx) => {
            const result = await insertBooking(tx, now, newBooking);
            if (result.outcome === 'BOOKED') await record(tx, view(result.appointmentName));
            return result;
          }),
    );
    if (outcome === 'BOOKED') return view(appointmentName);
    // TAKEN or STALE: look again; the next look sees what changed.
  }
}

async function loadVisible(
  db: Db,
  plans: PlanBook,
  query: ProspectQuery,
  input: CreateBookingInput,
  look: Look,
): Promise<Prospect> {
  const contact = async () => findContact(db, query.partnerId, input.contactId);
  try {
    const prospect = await loadProspect(db, plans, query, input.date, 1, look);
    if (prospect.contactId === input.contactId.toLowerCase()) return prospect;
    throw (await contact()) === null ? notFound('Contact') : notFound('Address');
  } catch (error) {
    // Whatever is wrong with the rest, a contact that is not there comes first.
    if (error instanceof ApiError && (await contact()) === null) throw notFound('Contact');
    throw error;
  }
}

async function attemptInsert(
  externalReference: string | null,
  insert: () => Promise<BookingOutcome>,
): Promise<BookingOutcome> {
  try {
    return await insert();
  } catch (error) {
    if (isDbError(error, 'uniqueViolation', 'bookings_external_reference_key'))
      throw duplicateReference(externalReference);
    // Appointments around midnight lock different days: there the constraint alone decides.
    if (lostRace(error)) return { outcome: 'TAKEN', appointmentName: '' };
    throw error;
  }
}
