import Type, { type TSchema } from 'typebox';
import { givenFields, shownFields } from '../http/fields.ts';
import {
  Body,
  Choice,
  ChoiceOrNull,
  DateInput,
  MAX_UNPAGED,
  Nullable,
  PageQuery,
  Stamp,
  Success,
  Text,
  TimeText,
  Uuid,
} from '../http/schemas.ts';
import { withRules } from '../http/validation.ts';
import { Sar } from '../policies/schema.ts';
import { CHANGE_ACTIONS, OUTCOMES } from '../policies/words.ts';
import { SORTABLE } from './list-queries.ts';
import { SHOWN_REFUND_STATUSES } from './refund.ts';
import { APPOINTMENT_STATUSES, BEGUN, BOOKING_STATUSES, type EventName, PAYMENT_STATUSES } from './rules.ts';
import { SNAPSHOT } from './snapshots.ts';
import { BOOKINGS } from './table.ts';
import { timeslotFaults } from './timeslots.ts';
import { encodeSeen, UPDATED_SINCE } from './updated-since.ts';

export const Timeslot = Object.assign(
  Body(
    {
      startAt: TimeText('Start, Riyadh time, as offered'),
      endAt: TimeText('End, Riyadh time, as offered; not after the start means the next day', '11:00'),
      endsAtNextDay: Type.Optional(
        Type.Boolean({
          description: 'As answered; need not be sent, and must agree with `startAt` and `endAt`',
          examples: [false],
        }),
      ),
      date: Type.Optional(
        DateInput('As in `alternatives`; need not be sent, and must agree with a `date` beside the timeslot'),
      ),
    },
    {
      start: 'start is called startAt',
      end: 'end is called endAt',
      startTime: 'startTime is called startAt',
      endTime: 'endTime is called endAt',
      from: 'from is called startAt',
      to: 'to is called endAt',
    },
    'Timeslot',
  ),
  // The example is an offered slot, without optional fields.
  { examples: [{ startAt: '09:00', endAt: '11:00' }] },
);

/** Hints for fields that are not accepted (any more) (section 4.5). */
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

const EXAMPLE_ID = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';

const INSTRUCTIONS =
  'Access instructions for the crew. Encrypted, never returned, shown to the crew on the day of the visit only, deleted a week after';
const ACCESS_CODE = 'Code of a door or gate; kept as `instructions` are';

/** For bodies of what takes a slot. */
export const preferredTeam = {
  preferTeamOf: Type.Optional(
    Uuid(
      'An earlier booking, usually of the customer: its team comes again if it is free, else another. ' +
        'Not in later responses: `keepsTeam` in that of this request says what came of it',
    ),
  ),
};

/** For responses to them. */
export const teamKept = {
  keepsTeam: Type.Optional(
    Type.Boolean({
      description:
        'In the response to the request alone, with `preferTeamOf`: whether the team is that of the booking',
      examples: [true],
    }),
  ),
};

export const CreateBooking = Object.assign(
  Body(
    {
      contactId: Uuid('From the contacts operation'),
      addressId: Uuid('An address of the contact'),
      serviceId: Uuid('Enabled for the partner and available at the address'),
      date: DateInput('Riyadh date on which the appointment starts'),
      timeslot: Timeslot,
      ...givenFields(BOOKINGS),
      instructions: Type.Optional(Text(INSTRUCTIONS, 'The bell is at the side entrance', 500)),
      accessCode: Type.Optional(Text(ACCESS_CODE, '4711#', 50)),
      holdId: Type.Optional(
        Uuid(
          'The hold of this slot: the booking takes it, at its price. One that is over is ignored if that costs nothing',
        ),
      ),
      ...preferredTeam,
    },
    NOT_ACCEPTED,
  ),
  {
    // Without a hold, so that what is copied works.
    examples: [
      {
        contactId: EXAMPLE_ID,
        addressId: EXAMPLE_ID,
        serviceId: EXAMPLE_ID,
        date: '2026-12-01',
        timeslot: { startAt: '09:00', endAt: '11:00' },
        externalReference: 'ORDER-2026-000123',
        notes: 'Please ring twice',
      },
    ],
  },
);
withRules(CreateBooking, timeslotFaults);

export const BookingAppointment = Type.Object(
  {
    id: Uuid('Appointment'),
    name: Text('Tracking reference', 'SA-0042', 36),
    status: Choice([...APPOINTMENT_STATUSES], 'Appointment status', 'Scheduled'),
    scheduledStartDateTime: Stamp('Start', '2026-12-01T09:00:00+03:00'),
    scheduledEndDateTime: Stamp('End', '2026-12-01T11:00:00+03:00'),
  },
  { title: 'BookingAppointment' },
);

/** Obeyed where the deployment has switched it on (`IDEMPOTENCY`). */
export const HoldHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[!-~]+$',
      description:
        'The same key with the same body gets the stored answer for 24 hours, with another body 409. An answer that is worth ' +
        'a retry (`BOOKING_CREATION_FAILED`, 429, 5xx) is not stored: the key is free again. Ignored unless the deployment has switched it on; `externalReference` makes retries safe everywhere',
      examples: ['order-4711'],
    }),
  ),
});

export const CreateHeaders = Type.Object({
  ...HoldHeaders.properties,
  'x-sandbox-run': Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: '^ *[a-z-]+ *(; *every *= *[0-9]{1,4} *)?$',
      description:
        'Sandbox only: a script that is played on the booking, and how many seconds apart its steps are; see `POST ' +
        '/partners/sandbox/bookings/{bookingId}/runs`, which needs the permission `partner_bookings_update` as this does. ' +
        'One that is malformed, or does not fit the booking, is 400, and nothing is booked',
      examples: ['complete; every=5'],
    }),
  ),
});

export const IdempotencyHeaders = {
  'Idempotent-Replayed': {
    schema: Type.Literal('true', {
      description: 'Sent when this is the stored answer to an earlier request with the same Idempotency-Key',
      examples: ['true'],
    }),
    // The statuses of stored responses: refusals of the guard and internal errors are not stored.
    statuses: [200, 400, 404, 409, 422],
  },
};

const bookingFields = {
  bookingId: Uuid('Booking'),
  externalReference: Nullable(Text("The partner's reference; null: none", 'ORDER-2026-000123', 150)),
  appointmentId: Nullable(Uuid('Appointment; null until one is assigned')),
  status: Choice([...BOOKING_STATUSES], 'Booking status'),
  paymentStatus: Choice([...PAYMENT_STATUSES], 'Payment status', 'PENDING'),
  trackingReference: Text(
    "To be shown to the customer: the appointment's name, also while `appointment` is null",
    'SA-0042',
    36,
  ),
  date: Stamp('Service date, midnight form', '2026-12-01T00:00:00.000Z'),
  timeslot: Type.Object(
    {
      startAt: TimeText('Start'),
      endAt: TimeText('End', '11:00'),
      endsAtNextDay: Type.Boolean({ description: 'Whether it ends after midnight', examples: [false] }),
    },
    { title: 'BookedTimeslot' },
  ),
  appointment: Type.Union([BookingAppointment, Type.Null()], {
    description: 'null until an appointment is assigned',
  }),
};

const PaymentLink = Type.Object(
  {
    url: Type.String({
      format: 'uri',
      maxLength: 2_048,
      description: 'Where the customer pays',
      examples: ['https://pay.example.sa/i/4hT9vQ2m'],
    }),
    expiresAt: Stamp('When it ends, at the latest', '2026-12-01T09:00:00+03:00'),
  },
  { title: 'PaymentLink' },
);

/** Not in responses of before. */
export const CancellationCost = {
  feeToDecide: Type.Boolean({
    description:
      'Whether the operator still decides on the fee, because nobody knows why the visit was not done; after seven days ' +
      'there is none',
    examples: [false],
  }),
  kept: Nullable(
    Type.Number({
      description: 'SAR that is kept of the price now, fees of moves too; null: the operator still decides',
      examples: [37.5],
    }),
  ),
  onBehalfOf: ChoiceOrNull(['CUSTOMER'], 'For whom the operator cancelled; null: the side in `by` decided'),
  workReached: ChoiceOrNull(BEGUN, 'How far the work had come; null: it had not begun'),
};

const Cancellation = Type.Object(
  {
    reasonId: Nullable(Uuid('Cancellation reason')),
    by: Choice(['PARTNER', 'OPERATOR'], 'Side that cancelled'),
    at: Stamp('When', '2026-12-01T09:00:00+03:00'),
    notes: Nullable(Text('Your own notes on the cancellation', 'The customer has moved', 2_000)),
    fee: Type.Optional(
      Nullable(
        Type.Number({
          description:
            'SAR, by the policy, as it is now; null: no policy held, the operator cancelled, or `feeToDecide`',
          examples: [37.5],
        }),
      ),
    ),
    ...Type.Partial(Type.Object(CancellationCost)).properties,
  },
  { title: 'BookingCancellation' },
);

const Refund = Type.Object(
  {
    amount: Type.Number({ description: 'SAR', examples: [150] }),
    status: Choice(
      SHOWN_REFUND_STATUSES.filter((status) => status !== 'NONE'),
      '`PENDING`: is made; `DONE`: was made; `FAILED`: the operator makes it; `TO_DECIDE`: the work had begun, so the ' +
        'operator decides; `DECLINED`: the operator has decided against it',
      'DONE',
    ),
  },
  { title: 'BookingRefund' },
);

/** Not in responses of version 0.1.0. */
const Fees = Type.Array(
  Type.Object(
    {
      action: Choice([...CHANGE_ACTIONS], 'The change'),
      amount: Type.Number({ description: 'SAR', examples: [37.5] }),
      at: Stamp('When', '2026-12-01T09:00:00+03:00'),
      onBehalfOf: Type.Optional(
        ChoiceOrNull(
          ['CUSTOMER'],
          'The operator made the change, and the customer asked for it; null: you made it',
        ),
      ),
    },
    { title: 'BookingFee' },
  ),
  { maxItems: MAX_UNPAGED, description: 'Fees of its changes by the policy, as they are now, oldest first' },
);

/** Service, price, payment and ending of a booking: not in responses of version 0.1.0. */
const bookingDetails = {
  serviceId: Uuid('Service'),
  serviceNameEn: Text('English name of the service', 'Deep cleaning, 4 hours'),
  serviceNameAr: Text('Arabic name of the service', 'تنظيف عميق، ٤ ساعات'),
  contactId: Uuid('Contact'),
  addressId: Uuid('Address of the contact'),
  price: Type.Number({ description: 'Locked at creation', examples: [150] }),
  trackingUrl: Nullable(
    Type.String({
      format: 'uri',
      maxLength: 2_048,
      description:
        "The customer's page of the booking, to be passed on to the customer; it ends 7 days after the visit. null: your " +
        'account has no such pages, or the customer was erased',
      examples: ['https://bookings.example.sa/t/XwxqbjwbS16aUw1aLxx7EIJ4o2XcJcpIjQw1xq7pK7sTgb0sQk9nTw'],
    }),
  ),
  currency: Type.Literal('SAR', { description: 'Currency of all amounts', examples: ['SAR'] }),
  paymentLink: Type.Union([PaymentLink, Type.Null()], {
    description:
      'The link by which the customer pays; null: there is none yet, or the booking does not wait for payment',
  }),
  cancellation: Type.Union([Cancellation, Type.Null()], { description: 'null: not canceled' }),
  outcome: Type.Optional(
    ChoiceOrNull(OUTCOMES, 'Why the visit could not be done; null: it could, or the reason is not known'),
  ),
  ...shownFields(BOOKINGS, 'partner'),
  fees: Type.Optional(Fees),
  refund: Type.Union([Refund, Type.Null()], {
    description: 'Refund of a payment by link; null: none',
  }),
  createdAt: Stamp('When it was created', '2026-11-30T09:00:00+03:00'),
  updatedAt: Stamp('When it last changed', '2026-11-30T09:00:00+03:00'),
};

export const Booking = Type.Object(
  { ...bookingFields, ...bookingDetails, ...teamKept },
  { title: 'Booking' },
);

const eventFields = { ...bookingFields, ...Type.Partial(Type.Object(bookingDetails)).properties };

/** As it was at the event. Events before version 0.2.0 have no details. */
const BookingSnapshot = Type.Object(eventFields, { title: 'BookingSnapshot' });

/** Payloads of the events (section 6), in webhooks and in the feed. */
export const EVENT_PAYLOADS = {
  'booking.created': BookingSnapshot,
  'booking.updated': Type.Object(
    {
      ...eventFields,
      onBehalfOf: Type.Optional(
        Choice(['CUSTOMER'], 'The operator moved it because the customer asked for it; left out: otherwise'),
      ),
    },
    { title: 'BookingUpdated' },
  ),
  'booking.cancelled': BookingSnapshot,
  'booking.payment_confirmed': BookingSnapshot,
  'booking.payment_succeeded': Booking,
  'booking.failed': Type.Object(
    { ...bookingFields, ...bookingDetails, reason: Text('Why, as `failureReason`', 'LINK_EXPIRED', 1_000) },
    { title: 'BookingFailed' },
  ),
  'booking.refunded': Booking,
  'booking.fees_changed': Type.Object(
    {
      ...bookingFields,
      ...bookingDetails,
      feesChange: Type.Object(
        {
          cause: Choice(
            ['DECIDED', 'WAIVED', 'GATEWAY'],
            'The operator decided or corrected why the visit was not done, or gave something back; or the gateway reported a ' +
              'refund or a chargeback',
          ),
          kept: Sar('SAR that may be kept from now on', 0),
          at: Stamp('When'),
        },
        { title: 'FeesChange' },
      ),
    },
    { title: 'FeesChanged' },
  ),
  'booking.payment_failed': Type.Object(
    {
      bookingId: Uuid('Booking'),
      reason: Text('Why the payment failed', 'The payment link expired', 1_000),
    },
    { title: 'PaymentFailed' },
  ),
  'booking.appointment_status_changed': Type.Object(
    {
      ...eventFields,
      appointmentId: Type.Optional(bookingFields.appointmentId),
      appointmentStatusChange: Type.Object(
        {
          from: Choice([...APPOINTMENT_STATUSES], 'Appointment status before', 'Scheduled'),
          to: Choice([...APPOINTMENT_STATUSES], 'Appointment status from now on', 'Confirmed'),
          changedAt: Stamp('When, ISO 8601 with offset'),
        },
        { title: 'AppointmentStatusChange' },
      ),
    },
    { title: 'AppointmentStatusChanged' },
  ),
} as const satisfies Record<EventName, TSchema>;

const AS_OF = { maxLength: 10_000, pattern: '^\\d{1,19}:\\d{1,19}:(\\d{1,19}(,\\d{1,19})*)?$' };

const SEEN = { maxLength: 14_000, pattern: '^[A-Za-z0-9_-]+$' };
const SEEN_EXAMPLE = encodeSeen({ history: '5f0c6a6e', snapshot: '768:768:' });

export const ListHeaders = {
  'X-List-As-Of': {
    schema: Type.String({
      description: 'Send it as `asOf` with the next pages, and bookings made meanwhile shift no rows',
      ...AS_OF,
      examples: ['768:768:'],
    }),
    required: true as const,
    statuses: [200],
  },
  'X-Updated-Since': {
    schema: Type.String({
      description:
        'Of the first page of a list with `updatedSince`. Send it as `updatedSince` next time: you get every change that ' +
        'this list has not seen, also one that was under way meanwhile',
      ...SEEN,
      examples: [SEEN_EXAMPLE],
    }),
    statuses: [200],
  },
};

export const ListBookings = Type.Object({
  ...PageQuery,
  sortBy: Type.Optional(Choice([...SORTABLE], 'Order; ties are broken by id')),
  sortOrder: Type.Optional(Choice(['ASC', 'DESC'], 'Default DESC')),
  status: Type.Optional(Choice([...BOOKING_STATUSES], 'Filter by status')),
  fromDate: Type.Optional(DateInput('Service date on or after')),
  toDate: Type.Optional(DateInput('Service date on or before; ignored without fromDate')),
  externalReference: Type.Optional(
    Text('Filter by external reference (exact match)', 'ORDER-2026-000123', 1_000),
  ),
  trackingReference: Type.Optional(Text('Filter by tracking reference (exact match)', 'SA-0042', 36)),
  contactId: Type.Optional(Uuid('Filter by contact')),
  serviceId: Type.Optional(Uuid('Filter by service')),
  paymentStatus: Type.Optional(Choice([...PAYMENT_STATUSES], 'Filter by payment status')),
  updatedSince: Type.Optional(
    Type.String({
      description:
        'Bookings changed at this time (ISO 8601 with offset) or later, the last changed first unless sorted otherwise; or, ' +
        'with the X-Updated-Since of an earlier list, those with a change that it has not seen. A booking that changes ' +
        'meanwhile moves to the first page, so pages in this order repeat bookings, but leave none out',
      documented: { maxLength: 14_000, pattern: '^[A-Za-z0-9_:.+-]+$' },
      rule: UPDATED_SINCE,
      examples: ['2026-11-22T08:00:00.000+03:00'],
    }),
  ),
  asOf: Type.Optional(
    Type.String({
      description:
        'The X-List-As-Of header of the first page: later pages then leave out bookings created since',
      documented: AS_OF,
      rule: SNAPSHOT,
      examples: ['768:768:'],
    }),
  ),
});

const isMonth = (text: string): boolean => /^(?:20\d\d|2100)-(?:0[1-9]|1[0-2])$/.test(text);

/** A month, `2026-11`. */
export const Month = (description: string) =>
  Type.String({
    description,
    documented: { minLength: 7, maxLength: 7, pattern: '^\\d{4}-\\d{2}$' },
    rule: { check: isMonth, message: 'must be a month of the years 2000 to 2100, like 2026-11' },
    examples: ['2026-11'],
  });

export const ExportQuery = Type.Object({ month: Month('Riyadh month of the service dates') });

export const FileHeaders = {
  'Content-Disposition': {
    schema: Type.String({
      description: 'The name of the file',
      maxLength: 100,
      pattern: '^(attachment|inline); filename="[\\w.-]+"$',
      examples: ['attachment; filename="bookings-2026-11.csv"'],
    }),
    required: true as const,
    statuses: [200],
  },
};

/** RFC 4180, with a header line. */
export const MonthFile = Type.String({
  description: 'One line for each booking',
  // An optional byte order mark; up to the length of a string in Node.
  pattern: '^\\uFEFF?[A-Za-z]',
  maxLength: 536_870_888,
  examples: ['bookingId,trackingReference\r\n'],
});

const MaxFee = Type.Optional(
  Sar(
    'If the fee of the change is higher: 409 `FEE_CHANGED` with the quote of now, and nothing is done. ' +
      'Not in later responses: it limits this change',
    37.5,
  ),
);

export const UpdateBooking = Body(
  {
    date: Type.Optional(DateInput('New Riyadh date; given alone, the times stay')),
    timeslot: Type.Optional(Timeslot),
    ...givenFields(BOOKINGS),
    instructions: Type.Optional(
      Nullable(Text(`${INSTRUCTIONS}. null: none`, 'The bell is at the side entrance', 500)),
    ),
    accessCode: Type.Optional(Nullable(Text(`${ACCESS_CODE}. null: none`, '4711#', 50))),
    maxFee: MaxFee,
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
withRules(UpdateBooking, timeslotFaults);

export const CancelBooking = Body(
  {
    reasonId: Uuid('From the list of cancellation reasons'),
    notes: Type.Optional(Text('Stored, never returned', 'The customer has moved', 2000)),
    maxFee: MaxFee,
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

export const BookingParams = Type.Object({ bookingId: Uuid('Booking') });
export const BookingResponse = Success(Booking);
