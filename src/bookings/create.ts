import { randomUUID } from 'node:crypto';
import type { PlanBook } from '../availability/plan.ts';
import type { SlotProblem } from '../availability/rules.ts';
import {
  ALTERNATIVE_DAYS,
  alternativesTo,
  candidatesFor,
  loadProspect,
  type Prospect,
  type ProspectQuery,
} from '../availability/slots.ts';
import { type CalendarDate, DAY, dateOf, type Instant, MINUTE, secondsOfDay, startOfDate } from '../clock.ts';
import { findContact } from '../contacts/queries.ts';
import { ApiError, notFound } from '../errors.ts';
import type { PaymentResponsibility } from '../partners/queries.ts';
import { type Db, isDbError } from '../platform/db.ts';
import { type BookingRow, insertBooking, prepareBooking } from './queries.ts';
import { initialState } from './rules.ts';
import { type BookingView, bookingView } from './view.ts';

export type CreateBookingInput = {
  contactId: string;
  addressId: string;
  serviceId: string;
  date: CalendarDate;
  timeslot: { startAt: string; endAt: string };
  externalReference?: string;
};

/** Somebody else was faster this often: give up. Each time means another booking went through. */
const MOST_ATTEMPTS = 20;

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
): Promise<BookingView> {
  const query: ProspectQuery = {
    partnerId: partner.id,
    addressId: input.addressId,
    serviceId: input.serviceId,
  };
  const period = periodOf(input.date, input.timeslot);
  const externalReference = input.externalReference ?? null;

  for (let attempt = 1; ; attempt++) {
    const prospect = await loadVisible(db, plans, query, input);
    const { place, service } = prospect;
    if (place === null)
      throw new ApiError('SERVICE_NOT_ALLOWED', 'The service is not available at the address');

    const prepared = await prepareBooking(db, partner.id, externalReference);
    if (prepared.reference_taken) throw duplicateReference();

    const found = candidatesFor(prospect, period, now);
    if (found.problem !== null)
      throw await slotRefused(db, plans, now, query, period.startsAt, found.problem);

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
      appointment_name: appointmentName(prepared.number),
      appointment_status: service.assignment === 'deferred' ? 'New' : 'Scheduled',
      starts_at: period.startsAt,
      ends_at: period.endsAt,
    };
    const booking = bookingView(row);
    const outcome = await attemptInsert(() =>
      insertBooking(db, now, {
        row,
        partnerId: partner.id,
        contactId: input.contactId,
        addressId: input.addressId,
        serviceId: input.serviceId,
        zoneId: place.zoneId,
        paymentResponsibility: partner.paymentResponsibility,
        amount: prospect.price,
        candidates: found.teams.map((team) => ({
          teamId: team.id,
          busyUntil: period.endsAt + team.bufferMinutes * MINUTE,
        })),
        catalogueVersion: prospect.plan.version,
        event: { id: randomUUID(), name: 'booking.created', payload: booking },
      }),
    );
    if (outcome === 'BOOKED') return booking;
    // TAKEN or STALE: look again; the next look sees what changed.
    if (attempt === MOST_ATTEMPTS)
      throw await slotRefused(db, plans, now, query, period.startsAt, 'SLOT_UNAVAILABLE');
  }
}

/** The appointment's name: `SA-` and a growing number of at least 4 digits. */
export function appointmentName(number: number): string {
  return `SA-${String(number).padStart(4, '0')}`;
}

/** The instants of a date and timeslot; an end not after the start is on the next day. */
export function periodOf(date: CalendarDate, timeslot: { startAt: string; endAt: string }) {
  const midnight = startOfDate(date);
  const startsAt = midnight + secondsOfDay(timeslot.startAt) * 1000;
  const endsAt = midnight + secondsOfDay(timeslot.endAt) * 1000;
  return { startsAt, endsAt: endsAt > startsAt ? endsAt : endsAt + DAY };
}

async function loadVisible(
  db: Db,
  plans: PlanBook,
  query: ProspectQuery,
  input: CreateBookingInput,
): Promise<Prospect> {
  const contact = async () => findContact(db, query.partnerId, input.contactId);
  try {
    const prospect = await loadProspect(db, plans, query, input.date, 1);
    if (prospect.contactId === input.contactId.toLowerCase()) return prospect;
    throw (await contact()) === null ? notFound('Contact') : notFound('Address');
  } catch (error) {
    // Whatever is wrong with the rest, a contact that is not there comes first.
    if (error instanceof ApiError && (await contact()) === null) throw notFound('Contact');
    throw error;
  }
}

async function attemptInsert<T>(insert: () => Promise<T>): Promise<T | 'TAKEN'> {
  try {
    return await insert();
  } catch (error) {
    if (isDbError(error, 'uniqueViolation', 'bookings_external_reference_key')) throw duplicateReference();
    // Appointments around midnight lock different days: there the constraint alone decides.
    if (isDbError(error, 'exclusionViolation', 'appointments_no_overlap') || isDbError(error, 'deadlock'))
      return 'TAKEN';
    throw error;
  }
}

function duplicateReference(): ApiError {
  return new ApiError('DUPLICATE_EXTERNAL_REFERENCE', 'externalReference is already used by another booking');
}

const REFUSALS: Record<SlotProblem, string> = {
  SLOT_IN_PAST: 'The timeslot is in the past',
  SLOT_INSIDE_NOTICE: "The timeslot is inside the service's minimum notice",
  SLOT_BEYOND_HORIZON: "The timeslot is beyond the service's booking horizon",
  SLOT_NOT_OFFERED: 'The timeslot is not one of those offered for this service, address and date',
  SLOT_UNAVAILABLE: 'The timeslot is no longer available',
};

/** 422 with the reason and the nearest free slots of seven days, from the wanted date or today on. */
async function slotRefused(
  db: Db,
  plans: PlanBook,
  now: Instant,
  query: ProspectQuery,
  wanted: Instant,
  reason: SlotProblem,
): Promise<ApiError> {
  const from = dateOf(Math.max(wanted, now));
  const prospect = await loadProspect(db, plans, query, from, ALTERNATIVE_DAYS);
  const alternatives = alternativesTo(prospect, wanted, from, now);
  return new ApiError('BOOKING_CREATION_FAILED', REFUSALS[reason], { reason, alternatives });
}
