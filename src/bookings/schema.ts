import Type from 'typebox';
import { Body, Choice, DateText, Success, TimeText, Uuid } from '../platform/schemas.ts';
import { APPOINTMENT_STATUSES, BOOKING_STATUSES, PAYMENT_STATUSES } from './rules.ts';

export const Timeslot = Body({
  startAt: TimeText('Start, Riyadh time, as offered'),
  endAt: TimeText('End, Riyadh time, as offered; not after the start means the next day', '11:00'),
});

export const CreateBooking = Body({
  contactId: Uuid('From the contacts operation'),
  addressId: Uuid('An address of the contact'),
  serviceId: Uuid('Enabled for the partner and available at the address'),
  date: DateText('Riyadh date on which the appointment starts'),
  timeslot: Timeslot,
  externalReference: Type.Optional(
    Type.String({
      format: 'text',
      minLength: 1,
      maxLength: 150,
      description: "The partner's own reference, unique in its account; makes retries safe",
      examples: ['ORDER-2026-000123'],
    }),
  ),
});

export const Booking = Type.Object({
  bookingId: Uuid('Booking'),
  externalReference: Type.Union([Type.String(), Type.Null()], { examples: ['ORDER-2026-000123'] }),
  appointmentId: Type.Union([Uuid('Appointment'), Type.Null()], {
    description: 'null until an appointment is assigned',
  }),
  status: Choice([...BOOKING_STATUSES], 'Booking status'),
  paymentStatus: Choice([...PAYMENT_STATUSES], 'Payment status'),
  trackingReference: Type.String({ description: 'To be shown to the customer', examples: ['SA-0042'] }),
  date: Type.String({ description: 'Service date, midnight form', examples: ['2026-12-01T00:00:00.000Z'] }),
  timeslot: Type.Object({
    startAt: TimeText('Start'),
    endAt: TimeText('End', '11:00'),
    endsAtNextDay: Type.Boolean({ examples: [false] }),
  }),
  appointment: Type.Union(
    [
      Type.Object({
        id: Uuid('Appointment'),
        name: Type.String({ examples: ['SA-0042'] }),
        status: Choice([...APPOINTMENT_STATUSES], 'Appointment status'),
        scheduledStartDateTime: Type.String({ examples: ['2026-12-01T09:00:00+03:00'] }),
        scheduledEndDateTime: Type.String({ examples: ['2026-12-01T11:00:00+03:00'] }),
      }),
      Type.Null(),
    ],
    { description: 'null until an appointment is assigned' },
  ),
});

export const BookingParams = Type.Object({ bookingId: Uuid('Booking') });
export const BookingResponse = Success(Booking);
