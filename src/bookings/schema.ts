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

export const Timeslot = Body(
  {
    startAt: TimeText('Start, Riyadh time, as offered'),
    endAt: TimeText('End, Riyadh time, as offered; not after the start means the next day', '11:00'),
  },
  {
    start: 'start is called startAt',
    end: 'end is called endAt',
    startTime: 'startTime is called startAt',
    endTime: 'endTime is called endAt',
    from: 'from is called startAt',
    to: 'to is called endAt',
    endsAtNextDay: 'endsAtNextDay is set by the service: an endAt not after startAt is on the next day',
  },
);

/** What became of the fields of older versions and of others that callers send (section 4.5). */
const NOT_ACCEPTED = {
  categoryId: 'categoryId is resolved from serviceId',
  price: "price is the partner's price of the service and cannot be sent",
  amount: "amount is the partner's price of the service and cannot be sent",
  utmSource: 'utmSource is set by the service from the partner account',
  packageId: 'packageId was removed: serviceId says what is booked',
  customServices: 'customServices was removed: serviceId says what is booked',
  hours: 'hours was removed: the duration is that of the service',
  numberOfTeams: 'numberOfTeams was removed: one team serves a booking',
  workType: 'workType was removed: serviceId says what is booked',
  userId: 'userId was removed: contactId says who the booking is for',
  couponIds: "couponIds was removed: the price is the partner's price of the service",
  codes: "codes was removed: the price is the partner's price of the service",
  promoCode: "promoCode was removed: the price is the partner's price of the service",
  contractCode: "contractCode was removed: the price is the partner's price of the service",
  discountCode: "discountCode was removed: the price is the partner's price of the service",
  tapId: 'tapId was removed: the service sends a payment link, or the partner calls confirm-payment',
  paymentRedirectUrl: 'paymentRedirectUrl was removed: the service sends the payment link itself',
  paymentId: 'paymentId was removed: the service sends a payment link, or the partner calls confirm-payment',
};

const ExternalReference = Type.String({
  format: 'text',
  minLength: 1,
  maxLength: 150,
  description: "The partner's own reference, unique in its account; makes retries safe",
  examples: ['ORDER-2026-000123'],
});

export const CreateBooking = Body(
  {
    contactId: Uuid('From the contacts operation'),
    addressId: Uuid('An address of the contact'),
    serviceId: Uuid('Enabled for the partner and available at the address'),
    date: DateText('Riyadh date on which the appointment starts'),
    timeslot: Timeslot,
    externalReference: Type.Optional(ExternalReference),
  },
  NOT_ACCEPTED,
);

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

export const UpdateBooking = Body(
  {
    date: Type.Optional(DateText('New Riyadh date; alone it keeps the times')),
    timeslot: Type.Optional(Timeslot),
    notes: Type.Optional(Text('Stored, never returned', 'Please ring twice', 2000)),
    externalReference: Type.Optional(ExternalReference),
  },
  {
    ...NOT_ACCEPTED,
    contactId: 'contactId cannot be changed: cancel the booking and make another',
    addressId: 'addressId cannot be changed: cancel the booking and make another',
    serviceId: 'serviceId cannot be changed: cancel the booking and make another',
    status: 'status is changed by the cancel operation, by payment and by the operator',
    paymentStatus: 'paymentStatus is changed by the confirm-payment operation and by payment',
  },
);

export const CancelBooking = Body(
  {
    reasonId: Uuid('From the list of cancellation reasons'),
    notes: Type.Optional(Text('Stored, never returned', 'The customer has moved', 2000)),
  },
  {
    reason: 'reason is called reasonId: an id that GET /partners/bookings/cancellation-reasons lists',
  },
);

export const ConfirmPayment = Body(
  {
    paymentReference: Type.Optional(
      Type.String({
        format: 'text',
        maxLength: 255,
        description: "The partner's reference of the payment",
        examples: ['PAY-99812'],
      }),
    ),
  },
  {
    paymentId: 'paymentId is called paymentReference',
    reference: 'reference is called paymentReference',
    amount: "amount is the booking's price and cannot be sent",
  },
);

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
