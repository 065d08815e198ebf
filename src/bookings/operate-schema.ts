import Type, { type Static } from 'typebox';
import { Address } from '../contacts/schema.ts';
import {
  Body,
  Choice,
  DateText,
  MOST_UNPAGED,
  Nullable,
  PageQuery,
  Stamp,
  Success,
  SuccessPage,
  Text,
  TimeText,
  Uuid,
} from '../platform/schemas.ts';
import { APPOINTMENT_STATUSES, BOOKING_STATUSES, PAYMENT_STATUSES } from './rules.ts';
import { Booking, BookingAppointment, Timeslot } from './schema.ts';

/** Queries, bodies and answers of /operator/bookings and /operator/appointments. */

const { Optional } = Type;

const Named = (what: string, example: string) =>
  Type.Object({ id: Uuid(what), name: Text('Its name', example) });
const AppointmentName = Text('Tracking reference', 'SA-0042', 36);
const AppointmentStatus = Choice([...APPOINTMENT_STATUSES], 'Appointment status');
const Phone = Type.String({ format: 'phone', description: 'E.164', examples: ['+966501234567'] });

// ---------------------------------------------------------------------------
// Bookings

export const OperatorBookingsQuery = Type.Object({
  partnerId: Optional(Uuid("Only this partner's")),
  status: Optional(Choice([...BOOKING_STATUSES], 'Exactly this status')),
  paymentStatus: Optional(Choice([...PAYMENT_STATUSES], 'Exactly this payment status')),
  fromDate: Optional(DateText('Service date on or after')),
  toDate: Optional(DateText('Service date on or before')),
  externalReference: Optional(Text('Exactly this reference', 'ORDER-2026-000123', 1_000)),
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
  // Also while it is New, when the partner sees none.
  appointment: BookingAppointment,
  partnerId: Uuid('Partner'),
  partnerName: Text('Its name', 'Home Deals'),
  contact: Type.Object({
    id: Uuid('Contact'),
    name: Text('Customer', 'Noura Al-Qahtani'),
    phone: Phone,
  }),
  address: Address,
  service: Named('Service', 'Deep cleaning'),
  team: Named('The team that is held', 'Team 1'),
  amount: Type.Number({ description: 'SAR, locked at creation', examples: [150] }),
  notes: Nullable(Text("The partner's notes", 'Please ring twice', 2_000)),
  paymentReference: Nullable(Text("The partner's reference of the payment", 'PAY-99812', 255)),
  paymentConfirmedAt: Nullable(Stamp('When the partner confirmed the payment')),
  cancellation: Type.Union(
    [
      Type.Object({
        reasonId: Nullable(Uuid('Cancellation reason')),
        reasonNameEn: Nullable(Text('Its English name', 'Customer changed their mind')),
        notes: Nullable(Text('Notes given with it', 'The customer has moved', 2_000)),
        action: Nullable(Text('CANCEL_ONLY or CANCEL_AND_REFUND', 'CANCEL_ONLY', 40)),
        by: Nullable(Text('Who cancelled', 'partner')),
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
      by: Text('Who', 'partner'),
      what: Text('An event, or an action of the audit log', 'booking.created'),
      sequence: Nullable(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000_000,
          description: "The event's number within the booking; null: no event",
          examples: [1],
        }),
      ),
    }),
    { maxItems: MOST_UNPAGED, description: 'Oldest first' },
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

export const Appointment = Type.Object(
  {
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
    contact: Type.Object({ name: Text('Customer', 'Noura Al-Qahtani'), phone: Phone }),
    address: Address,
  },
  { title: 'Appointment' },
);
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
