import Type, { type Static } from 'typebox';
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
import { APPOINTMENT_STATUSES, BOOKING_STATUSES, PAYMENT_STATUSES } from './rules.ts';
import { Booking, Timeslot } from './schema.ts';

/** Queries, bodies and answers of /operator/bookings and /operator/appointments. */

const { Optional } = Type;

const Stamp = (description: string) => Type.String({ description, examples: ['2026-11-22T08:00:00+03:00'] });
const OrNull = (description: string, example: string | null) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] });
const Named = (what: string, example: string) =>
  Type.Object({ id: Uuid(what), name: Type.String({ examples: [example] }) });
const AppointmentName = Type.String({ description: 'Tracking reference', examples: ['SA-0042'] });
const AppointmentStatus = Choice([...APPOINTMENT_STATUSES], 'Appointment status');
const Phone = Type.String({ description: 'E.164', examples: ['+966501234567'] });

const Address = Type.Object({
  id: Uuid('Address'),
  latitude: OrNull('Decimal degrees', '24.7136'),
  longitude: OrNull('Decimal degrees', '46.6753'),
  cityName: OrNull('City', 'Riyadh'),
  districtName: OrNull('District', 'Al Olaya'),
  streetName: OrNull('Street', 'King Fahd Road'),
});

// ---------------------------------------------------------------------------
// Bookings

export const OperatorBookingsQuery = Type.Object({
  partnerId: Optional(Uuid("Only this partner's")),
  status: Optional(Choice([...BOOKING_STATUSES], 'Exactly this status')),
  paymentStatus: Optional(Choice([...PAYMENT_STATUSES], 'Exactly this payment status')),
  fromDate: Optional(DateText('Service date on or after')),
  toDate: Optional(DateText('Service date on or before')),
  externalReference: Optional(
    Type.String({ format: 'text', description: 'Exactly this reference', examples: ['ORDER-2026-000123'] }),
  ),
  phone: Optional(
    Type.String({
      format: 'phone',
      description: "The customer's phone, in international format",
      examples: ['+966501234567'],
    }),
  ),
  search: Optional(
    Text(
      'A tracking reference, a booking id, or a part of an external reference, whatever its case',
      'SA-0042',
    ),
  ),
  ...PageQuery,
});
export type OperatorBookingsQuery = Static<typeof OperatorBookingsQuery>;

export const OperatorBooking = Type.Object({
  ...Booking.properties,
  appointmentId: Uuid('Appointment'),
  trackingReference: AppointmentName,
  appointment: Type.Object(
    {
      id: Uuid('Appointment'),
      name: AppointmentName,
      status: AppointmentStatus,
      scheduledStartDateTime: Stamp('Start'),
      scheduledEndDateTime: Stamp('End'),
    },
    { description: 'Also while it is New, when the partner sees none' },
  ),
  partnerId: Uuid('Partner'),
  partnerName: Type.String({ examples: ['Home Deals'] }),
  contact: Type.Object({
    id: Uuid('Contact'),
    name: Type.String({ examples: ['Noura Al-Qahtani'] }),
    phone: Phone,
  }),
  address: Address,
  service: Named('Service', 'Deep cleaning'),
  team: Named('The team that is held', 'Team 1'),
  amount: Type.Number({ description: 'SAR, locked at creation', examples: [150] }),
  notes: OrNull("The partner's notes", 'Please ring twice'),
  paymentReference: OrNull("The partner's reference of the payment", 'PAY-99812'),
  paymentConfirmedAt: OrNull('When the partner confirmed the payment', '2026-11-22T08:00:00+03:00'),
  cancellation: Type.Union(
    [
      Type.Object({
        reasonId: OrNull('Cancellation reason', '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10'),
        reasonNameEn: OrNull('Its English name', 'Customer changed their mind'),
        notes: OrNull('Notes given with it', null),
        action: OrNull('CANCEL_ONLY or CANCEL_AND_REFUND', 'CANCEL_ONLY'),
        by: OrNull('Who cancelled', 'partner'),
        at: Stamp('When'),
      }),
      Type.Null(),
    ],
    { description: 'null: not canceled' },
  ),
  createdAt: Stamp('When it was created'),
  updatedAt: Stamp('When it was last changed'),
});

export const OperatorBookingDetail = Type.Object({
  ...OperatorBooking.properties,
  history: Type.Array(
    Type.Object({
      at: Stamp('When'),
      by: Type.String({ description: 'Who', examples: ['partner'] }),
      what: Type.String({
        description: 'An event, or an action of the audit log',
        examples: ['booking.created'],
      }),
      sequence: Type.Union([Type.Integer(), Type.Null()], {
        description: "The event's number within the booking; null: no event",
        examples: [1],
      }),
    }),
    { description: 'Oldest first' },
  ),
});

export const CancelForOperator = Body({
  reasonId: Uuid('An active cancellation reason, customer-facing or not'),
  notes: Optional(Text('Why, in your words', 'The team had an accident', 2000)),
});

// ---------------------------------------------------------------------------
// Appointments

export const AppointmentsQuery = Type.Object({
  date: Optional(DateText('Starts on this Riyadh date')),
  fromDate: Optional(DateText('Starts on this Riyadh date or later')),
  toDate: Optional(DateText('Starts on this Riyadh date or earlier')),
  zoneId: Optional(Uuid('Only in this zone')),
  teamId: Optional(Uuid("Only this team's")),
  status: Optional(AppointmentStatus),
  ...PageQuery,
});
export type AppointmentsQuery = Static<typeof AppointmentsQuery>;

export const Appointment = Type.Object({
  id: Uuid('Appointment'),
  name: AppointmentName,
  status: AppointmentStatus,
  bookingId: Uuid('Its booking'),
  partnerId: Uuid('The partner whose booking it is'),
  team: Named('The team that is held', 'Team 1'),
  zoneId: Uuid('Zone'),
  serviceId: Uuid('Service'),
  startsAt: Stamp('Start'),
  endsAt: Stamp('End'),
  date: DateText('Riyadh date on which it starts'),
  timeslot: Type.Object({
    startAt: TimeText('Start, Riyadh time'),
    endAt: TimeText('End; earlier than the start when it is on the next day', '11:00'),
  }),
  contact: Type.Object({ name: Type.String({ examples: ['Noura Al-Qahtani'] }), phone: Phone }),
  address: Address,
});
export const AppointmentResponse = Success(Appointment);
export const AppointmentsResponse = SuccessPage(Appointment);

export const ChangeAppointment = Body({
  status: Optional(AppointmentStatus),
  teamId: Optional(Uuid('Another team; alone it keeps the time')),
  date: Optional(DateText('New Riyadh date; alone it keeps the times')),
  timeslot: Optional(Timeslot),
  force: Optional(
    Type.Boolean({
      description:
        'Move whatever notice, horizon, grid, duration, shift, time off, skill and zone say; only an overlap with ' +
        'another appointment of the team is refused',
      examples: [false],
    }),
  ),
});
export type ChangeAppointment = Static<typeof ChangeAppointment>;
