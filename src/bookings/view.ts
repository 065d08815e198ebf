import { riyadhText, toRiyadhIso } from '../base/clock.ts';
import type { BookingRow } from './queries.ts';
import type { AppointmentStatus } from './rules.ts';

/** The Booking of section 2, in responses and webhook payloads. */
export function bookingView(row: BookingRow) {
  // A deferred assignment: a team is held, but partners see no appointment yet.
  const assigned = row.appointment_status !== 'New';
  // Each instant is formatted once: this is most of the work of a response (bench/serialize.ts).
  const starts = riyadhText(row.starts_at);
  const ends = riyadhText(row.ends_at);
  return {
    bookingId: row.id,
    externalReference: row.external_reference,
    appointmentId: assigned ? row.appointment_id : null,
    status: row.status,
    paymentStatus: row.payment_status,
    trackingReference: row.appointment_name,
    date: `${row.service_date}T00:00:00.000Z`,
    timeslot: { startAt: starts.time, endAt: ends.time, endsAtNextDay: ends.date > row.service_date },
    appointment: assigned
      ? {
          id: row.appointment_id,
          name: row.appointment_name,
          status: row.appointment_status,
          scheduledStartDateTime: starts.iso,
          scheduledEndDateTime: ends.iso,
        }
      : null,
  };
}

export type BookingView = ReturnType<typeof bookingView>;

/** Payload of booking.appointment_status_changed (section 6). */
export function appointmentStatusChangedView(
  row: BookingRow,
  change: { from: AppointmentStatus; to: AppointmentStatus; changedAt: number },
) {
  return {
    ...bookingView(row),
    appointmentStatusChange: { from: change.from, to: change.to, changedAt: toRiyadhIso(change.changedAt) },
  };
}
