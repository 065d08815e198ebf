import Type from 'typebox';
import {
  Body,
  Choice,
  DateText,
  PageQuery,
  Success,
  SuccessPage,
  Text,
  TimeText,
  Uuid,
} from '../platform/schemas.ts';
import { SORTABLE } from './list-queries.ts';
import { APPOINTMENT_STATUSES, BOOKING_STATUSES, EVENT_NAMES, PAYMENT_STATUSES } from './rules.ts';

export const Timeslot = Body({
  startAt: TimeText('Start, Riyadh time, as offered'),
  endAt: TimeText('End, Riyadh time, as offered; not after the start means the next day', '11:00'),
});

const ExternalReference = Type.String({
  format: 'text',
  minLength: 1,
  maxLength: 150,
  description: "The partner's own reference, unique in its account; makes retries safe",
  examples: ['ORDER-2026-000123'],
});

export const CreateBooking = Body({
  contactId: Uuid('From the contacts operation'),
  addressId: Uuid('An address of the contact'),
  serviceId: Uuid('Enabled for the partner and available at the address'),
  date: DateText('Riyadh date on which the appointment starts'),
  timeslot: Timeslot,
  externalReference: Type.Optional(ExternalReference),
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

export const ListBookings = Type.Object({
  ...PageQuery,
  sortBy: Type.Optional(Choice([...SORTABLE], 'Order; ties are broken by id')),
  sortOrder: Type.Optional(Choice(['ASC', 'DESC'], 'Default DESC')),
  status: Type.Optional(Choice([...BOOKING_STATUSES], 'Exactly this status')),
  fromDate: Type.Optional(DateText('Service date on or after')),
  toDate: Type.Optional(DateText('Service date on or before; ignored without fromDate')),
  externalReference: Type.Optional(
    Type.String({ format: 'text', description: 'Exactly this reference', examples: ['ORDER-2026-000123'] }),
  ),
  asOf: Type.Optional(
    Type.String({
      description:
        'The X-List-As-Of header of the first page: later pages then leave out bookings made meanwhile',
      examples: ['768:768:'],
    }),
  ),
});

export const UpdateBooking = Body({
  date: Type.Optional(DateText('New Riyadh date; alone it keeps the times')),
  timeslot: Type.Optional(Timeslot),
  notes: Type.Optional(Text('Stored, never returned', 'Please ring twice', 2000)),
  externalReference: Type.Optional(ExternalReference),
});

export const CancelBooking = Body({
  reasonId: Uuid('From the list of cancellation reasons'),
  notes: Type.Optional(Text('Stored, never returned', 'The customer has moved', 2000)),
});

export const ConfirmPayment = Body({
  paymentReference: Type.Optional(
    Type.String({
      format: 'text',
      maxLength: 255,
      description: "The partner's reference of the payment",
      examples: ['PAY-99812'],
    }),
  ),
});

export const FeedQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      description:
        'nextCursor of an earlier answer, or `latest`: no event, and the cursor of the end of the feed',
      examples: ['ZjEuNDI'],
    }),
  ),
  limit: PageQuery.limit,
});

export const FeedResponse = Type.Object({
  success: Type.Literal(true),
  data: Type.Array(
    Type.Object({
      id: Uuid('Event; the deliveries of it name it too'),
      event: Choice([...EVENT_NAMES], 'What happened'),
      bookingId: Uuid('Booking'),
      sequence: Type.Integer({ description: 'From 1 within the booking', examples: [1] }),
      createdAt: Type.String({ examples: ['2026-12-01T09:00:00+03:00'] }),
      payload: Type.Unknown({ description: 'What the webhook carries' }),
    }),
  ),
  meta: Type.Object({
    nextCursor: Type.String({
      description: 'Pass it as `after` to go on exactly here',
      examples: ['ZjEuNDI'],
    }),
    hasMore: Type.Boolean({ examples: [false] }),
  }),
});

export const BookingParams = Type.Object({ bookingId: Uuid('Booking') });
export const BookingResponse = Success(Booking);
export const BookingListResponse = SuccessPage(Booking);
