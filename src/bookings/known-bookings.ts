import type { Booker } from './queries.ts';
import type { BookingChange, SeenBooking } from './shared-change-queries.ts';

/**
 * Bookings as this process last wrote or read them, so that a change need not read what it is about to save. They may be out
 * of date: who uses one saves on the condition that nothing has changed, and refuses nobody because of it
 * (docs/decisions/known-bookings.md).
 */
export type KnownBookings = {
  /** null: it is not known, or not the partner's. */
  get(partnerId: string, bookingId: string): SeenBooking | null;
  set(booking: SeenBooking): void;
  forget(bookingId: string): void;
};

/** 0.9 KB each, measured; those that were used longest ago go. */
const MAX_KNOWN = 10_000;

/** Knows `maxKnown` bookings at most: the longest unused is forgotten first. */
export function createKnownBookings(maxKnown = MAX_KNOWN): KnownBookings {
  // A Map keeps the order of insertion.
  const bookings = new Map<string, SeenBooking>();
  return {
    get(partnerId, bookingId) {
      const booking = bookings.get(bookingId.toLowerCase());
      if (booking === undefined || booking.partner_id !== partnerId) return null;
      bookings.delete(booking.id);
      bookings.set(booking.id, booking);
      return booking;
    },
    set(booking) {
      bookings.delete(booking.id);
      if (bookings.size >= maxKnown) bookings.delete(bookings.keys().next().value!);
      bookings.set(booking.id, booking);
    },
    forget(bookingId) {
      bookings.delete(bookingId);
    },
  };
}

/** The version of a row that nobody has changed yet. */
const FIRST_VERSION = 1;

/** Writes bookings as `book` does, and remembers them as they were written. */
export function rememberBooked(book: Booker, known: KnownBookings): Booker {
  return async (now, booking) => {
    const written = await book(now, booking);
    if (written.outcome === 'BOOKED') {
      known.set({
        ...booking.row,
        appointment_name: written.appointmentName,
        partner_id: booking.partnerId,
        payment_responsibility: booking.paymentResponsibility,
        notes: null,
        version: FIRST_VERSION,
        server: written.server,
      });
    }
    return written;
  };
}

/** The booking as it is once the change is saved: each raises the version by one. */
export function changedBooking(booking: SeenBooking, change: BookingChange): SeenBooking {
  const changed = { ...booking, version: booking.version + 1 };
  switch (change.kind) {
    case 'update':
      changed.external_reference = change.changed.externalReference;
      changed.notes = change.changed.notes;
      changed.service_date = change.changed.serviceDate;
      break;
    case 'confirm':
      changed.payment_status = change.confirmation.paymentStatus;
      break;
    case 'cancel':
      changed.status = change.after.status;
      changed.payment_status = change.after.paymentStatus;
      changed.appointment_status = change.after.appointmentStatus;
  }
  return changed;
}
