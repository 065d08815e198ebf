import Type, { type Static } from 'typebox';
import { APPOINTMENT_STATUSES, BOOKING_STATUSES, PAYMENT_STATUSES } from '../bookings/rules.ts';
import {
  Booking,
  BookingAppointment,
  CancellationCost,
  CreateBooking,
  Timeslot,
  UpdateBooking,
} from '../bookings/schema.ts';
import { BOOKINGS } from '../bookings/table.ts';
import { timeslotFaults } from '../bookings/timeslots.ts';
import { type AddressInput, addressOf, coordinateFaults } from '../contacts/rules.ts';
import { Address, CustomerPhone, FindOrCreateContact, TeamPhone, UpdateAddress } from '../contacts/schema.ts';
import { shownFields } from '../http/fields.ts';
import {
  Body,
  Choice,
  ChoiceOrNull,
  DateInput,
  DateText,
  MAX_UNPAGED,
  Nullable,
  PageQuery,
  SortQuery,
  Stamp,
  StampOfBusiness,
  Text,
  TimeText,
  teamNames,
  Uuid,
  Version,
  Words,
} from '../http/schemas.ts';
import { withRules } from '../http/validation.ts';
import { FEE_ACTIONS } from '../policies/ledger.ts';
import { Sar } from '../policies/schema.ts';
import { OUTCOMES } from '../policies/words.ts';
import { APPOINTMENT_CONCERNS, ATTENTION_DEFAULTS, BOOKING_CONCERNS } from './attention-rules.ts';
import { CALL_ANSWERS } from './call-rules.ts';
import { APPOINTMENT_ORDERS, BOOKING_ORDERS, outcomeFaults, STATUS_REASONS, statusFaults } from './rules.ts';

/** Queries, bodies and responses of /operator/bookings and /operator/appointments. */

const { Optional } = Type;

const Named = (what: string, example: string) =>
  Type.Object({ id: Uuid(what), name: Text('Its name', example) });
const AssignedTeam = Type.Object({ id: Uuid('Assigned team'), ...teamNames, phone: TeamPhone });
const AppointmentName = Text('Tracking reference', 'SA-0042', 36);
const AppointmentStatus = Choice([...APPOINTMENT_STATUSES], 'Appointment status');

// ---------------------------------------------------------------------------
// Attention

const limit = (name: keyof typeof ATTENTION_DEFAULTS, maximum: number, what: string) =>
  Type.Integer({
    minimum: 1,
    maximum,
    default: ATTENTION_DEFAULTS[name],
    description: what,
    examples: [ATTENTION_DEFAULTS[name]],
  });

/** Used together with `attention`. */
export const AppointmentLimits = {
  assignWithinHours: Optional(
    limit('assignWithinHours', 2_160, '`unassigned`: New, and starts within these hours'),
  ),
  confirmWithinMinutes: Optional(
    limit('confirmWithinMinutes', 10_080, '`unconfirmed`: Scheduled, and starts within these minutes'),
  ),
  lateAfterMinutes: Optional(
    limit(
      'lateAfterMinutes',
      1_440,
      '`late`, `unreported`, `overdue`: should have begun, or ended, longer ago than these minutes, and its status does ' +
        'not say so',
    ),
  ),
  awayWithinDays: Optional(
    limit('awayWithinDays', 730, '`team-away`: starts within these days, and its team could not do it'),
  ),
  finishedForMinutes: Optional(
    limit('finishedForMinutes', 10_080, '`not-completed`: Finished for longer than these minutes'),
  ),
};
export const BookingLimits = {
  payWithinHours: Optional(
    limit(
      'payWithinHours',
      2_160,
      '`payment-due`: waits for payment, and its appointment starts within these hours or has started',
    ),
  ),
};

// ---------------------------------------------------------------------------
// Bookings

export const OperatorBookingsQuery = Type.Object({
  partnerId: Optional(Uuid('Filter by partner')),
  status: Optional(Choice([...BOOKING_STATUSES], 'Filter by status')),
  paymentStatus: Optional(Choice([...PAYMENT_STATUSES], 'Filter by payment status')),
  fromDate: Optional(DateInput('Service date on or after')),
  toDate: Optional(DateInput('Service date on or before')),
  externalReference: Optional(Text('Filter by external reference (exact match)', 'ORDER-2026-000123', 1_000)),
  phone: Optional(
    Type.String({
      format: 'spelledPhone',
      description: "The customer's phone, in any spelling: `050 123 4567`, `00966501234567`",
      examples: ['+966501234567'],
    }),
  ),
  contactId: Optional(Uuid('Filter by customer')),
  search: Optional(
    Text(
      'Tracking reference (`sa 42`), booking ID, part of an external reference, phone in any spelling, its beginning ' +
        'or last digits (not for viewers), words of the name of the customer, short address, district or street',
      'SA-0042',
    ),
  ),
  ...SortQuery(BOOKING_ORDERS, 'DESC'),
  attention: Optional(
    Choice(
      [...BOOKING_CONCERNS, ...APPOINTMENT_CONCERNS],
      'Only those that need attention, themselves or their appointment',
    ),
  ),
  zoneId: Optional(Uuid('Filter by zone of the appointment')),
  teamId: Optional(Uuid('Filter by team of the appointment')),
  appointmentStatus: Optional(AppointmentStatus),
  ...BookingLimits,
  ...AppointmentLimits,
  ...PageQuery,
});
export type OperatorBookingsQuery = Static<typeof OperatorBookingsQuery>;

// The link is beside the payment.
const { paymentLink, trackingUrl, ...shared } = Booking.properties;

export const OperatorBooking = Type.Object({
  ...shared,
  appointmentId: Uuid('Appointment'),
  trackingReference: AppointmentName,
  // Also while it is New, which partners do not see.
  appointment: Type.Object(
    { ...BookingAppointment.properties, version: Version },
    { title: 'BookingAppointment' },
  ),
  partnerId: Uuid('Partner'),
  partnerName: Text('Its name', 'Home Deals'),
  contact: Type.Object({
    id: Uuid('Contact'),
    name: Text('Customer', 'Noura Al-Qahtani'),
    phone: CustomerPhone,
  }),
  address: Address,
  service: Named('Service', 'Deep cleaning'),
  team: AssignedTeam,
  amount: Type.Number({ description: 'SAR, locked at creation', examples: [150] }),
  ...shownFields(BOOKINGS, 'operator'),
  paymentReference: Nullable(Text("The partner's reference of the payment", 'PAY-99812', 255)),
  paymentConfirmedAt: Nullable(Stamp('When the partner confirmed the payment')),
  cancellation: Type.Union(
    [
      Type.Object({
        reasonId: Nullable(Uuid('Cancellation reason')),
        reasonNameEn: Nullable(Text('English name of the reason', 'Customer changed their mind')),
        reasonNameAr: Nullable(Text('Arabic name of the reason', 'غيّر العميل رأيه')),
        notes: Nullable(Text('Notes on the cancellation', 'The customer has moved', 2_000)),
        action: Nullable(Text('CANCEL_ONLY or CANCEL_AND_REFUND', 'CANCEL_ONLY', 40)),
        by: Nullable(Text('Actor of the cancellation', 'partner')),
        at: Stamp('When'),
        fee: Nullable(
          Type.Number({
            description:
              'SAR, by the policy, as it is now; null: no policy held, an operator cancelled, or the fee is to be decided',
            examples: [37.5],
          }),
        ),
        ...CancellationCost,
      }),
      Type.Null(),
    ],
    { description: 'null: not canceled' },
  ),
  version: Version,
  createdAt: Stamp('When it was created'),
  updatedAt: Stamp('When it was last changed'),
});

export const OperatorBookingDetail = Type.Object({
  ...OperatorBooking.properties,
  feeHistory: Type.Array(
    Type.Object(
      {
        at: Stamp('When'),
        by: Nullable(Text('Who; null: the partner, or the service', 'operator:first-token')),
        onBehalfOf: ChoiceOrNull(['CUSTOMER'], 'Who asked for it'),
        what: Choice(
          FEE_ACTIONS,
          '`cancel`, `reschedule`: what the change cost; `move`: another start by the operator; `decide`: what an undecided ' +
            'fee is, or was corrected to; `waive`: given back; `gateway`: charged back, or refunded there; `end`: the ' +
            'operator ended the booking',
        ),
        change: Type.Number({ description: 'SAR more that may be kept; negative: less', examples: [37.5] }),
        total: Sar('SAR that may be kept, afterwards', 37.5),
        outcome: ChoiceOrNull(OUTCOMES, 'Of the visit, where it decided'),
        reason: Nullable(Text('Why, in words; null: none was given, or it was erased', 'A gesture', 500)),
      },
      { title: 'FeeHistoryEntry' },
    ),
    { maxItems: MAX_UNPAGED, description: 'What happened to the fees of the booking, oldest first' },
  ),
  feesGivenBack: Sar('SAR: the sum of waivers so far, as `amount` of the next one begins', 0),
  history: Type.Array(
    Type.Object({
      at: Stamp('When'),
      by: Text('Who', 'partner'),
      what: Text('An event, or an action of the audit log', 'booking.created'),
      reason: Nullable(
        Text(
          "The appointment's `statusReason`, `CORRECTED`: an administrator corrected the status, or why a step of the " +
            'crew was refused',
          'CUSTOMER_ABSENT',
          100,
        ),
      ),
      notes: Nullable(
        Text(
          'In words: `statusNotes`, the reason of the correction, or how late a crew runs',
          'Rang three times',
        ),
      ),
      happenedAt: Nullable(
        Stamp('When it happened, of a step that a crew reported; null: at `at`, as far as is known'),
      ),
      isTimeUncertain: Type.Boolean({
        description: "Whether the telephone's clock was set between the step and its sending",
        examples: [false],
      }),
      sequence: Nullable(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000_000,
          description: "The event's number within the booking; null: no event",
          examples: [1],
        }),
      ),
    }),
    { maxItems: MAX_UNPAGED, description: 'Oldest first' },
  ),
});

export const displaceHolds = Optional(
  Type.Array(Uuid('Hold'), {
    maxItems: 20,
    description:
      'Holds that may end for the move, if no other team is free for their slots: confirm those that a refusal (`HELD`) or a plan ' +
      'names. Not in later responses: the audit log has each',
  }),
);

const { contactId, addressId, ...slot } = CreateBooking.properties;

const forcedBecause = Words(
  'Why, with `force`; the audit log keeps it as `forcedBecause`, beside `forced`, which stands there without it too',
  'The training ends early',
  500,
);

export const KeepsTeam = Nullable(
  Type.Boolean({
    description: 'Whether the team is that of the booking in `preferTeamOf`; null: none was asked for',
    examples: [true],
  }),
);

/** With a customer by ids, or in the form of the partner's contacts operation. */
export const CreateForPartner = withRules(
  Body({
    partnerId: Uuid('Partner whose customer it is'),
    contactId: Optional(contactId),
    addressId: Optional(addressId),
    contact: Optional(FindOrCreateContact),
    ...slot,
    force: Optional(
      Type.Boolean({
        description:
          "Ignore the service's minimum notice. Nothing else: past, horizon, grid, shifts, time off and travel buffers hold",
        examples: [false],
      }),
    ),
    reason: Optional(forcedBecause),
    preferTeamOf: Optional(
      Uuid(
        'An earlier booking of the partner: its team is assigned if it is free, else another; `keepsTeam` tells. ' +
          'Not in later responses: `team` is what came of it',
      ),
    ),
  }),
  ({ contact, ...slot }, given) => {
    const wrongSlot = timeslotFaults(slot);
    const byIds = given.includes('contactId') || given.includes('addressId');
    if (given.includes('contact') === byIds)
      return [...wrongSlot, 'contactId and addressId, or contact, must be given, and not both'];
    if (byIds) {
      const missing = ['contactId', 'addressId'].filter((name) => !given.includes(name));
      return [...wrongSlot, ...missing.map((name) => `${name} must be a UUID`)];
    }
    if (contact === undefined) return wrongSlot;
    const faults = coordinateFaults(contact as AddressInput, Object.keys(contact)).map(
      (fault) => `contact.${fault}`,
    );
    if (addressOf(contact as AddressInput) === null)
      return [...wrongSlot, ...faults, 'contact must have an address'];
    // Without coordinates no booking is possible, so no contact is stored either.
    const missing = ['latitude', 'longitude'].filter((name) => !Object.hasOwn(contact, name));
    return [...wrongSlot, ...faults, ...missing.map((name) => `contact.${name} should not be empty`)];
  },
);
export type CreateForPartner = Static<typeof CreateForPartner>;

/** Of a change that the customer asked the operator for. */
const forCustomer = (later: string) => ({
  onBehalfOf: Optional(
    Choice(
      ['CUSTOMER'],
      "The customer asked for it: it costs what the partner's own change would (GET /operator/bookings/:id/quote), and the " +
        `partner is told so. Left out: it is your decision, and costs nothing${later}`,
    ),
  ),
  maxFee: Optional(
    Sar(
      'With a fee: refused with `FEE_CHANGED` when it would cost more, SAR. Not in later responses: it is for this request',
      37.5,
    ),
  ),
});

export const CancelForOperator = Body({
  reasonId: Uuid('An active cancellation reason, customer-facing or not'),
  notes: Optional(Text('Why, in your words', 'The team had an accident', 2000)),
  ...forCustomer(''),
});

const { instructions, accessCode } = UpdateBooking.properties;

/** null removes a text. */
const CorrectBookingBody = Body({
  notes: Optional(Nullable(BOOKINGS.notes.field.given)),
  instructions,
  accessCode,
  addressId: Optional(Uuid('Another address of the customer, in the zone of the visit')),
  address: Optional(
    Type.Object(
      { id: Optional(Uuid('As `addressId`')), ...UpdateAddress.properties },
      {
        additionalProperties: false,
        description:
          'Differences from the address of the booking, or from `addressId`: texts, null removes one, and both coordinates. ' +
          'Other bookings at another door or place keep theirs: then it is a new address of the customer',
      },
    ),
  ),
});
export const CorrectBooking = withRules(CorrectBookingBody, ({ addressId, address }) =>
  addressId !== undefined && address?.id !== undefined && address.id !== addressId
    ? ['address.id must be the same as addressId']
    : [],
);
export type CorrectBooking = Static<typeof CorrectBooking>;

export const FailBooking = Body({
  reason: Words('Why, in your words; the partner reads it', 'The customer cannot be reached', 500),
});

// ---------------------------------------------------------------------------
// Appointments

const ID = '0198c2a4-5d0e-4c5b-8f5e-6a1d2b3c4d61';
const IDS = '^UUID(,UUID){0,99}$'.replaceAll('UUID', '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}');

export const AppointmentsQuery = Type.Object({
  date: Optional(DateInput('Starts on this Riyadh date')),
  fromDate: Optional(DateInput('Starts on or after this Riyadh date')),
  toDate: Optional(DateInput('Starts on or before this Riyadh date')),
  zoneId: Optional(Uuid('Filter by zone')),
  teamId: Optional(Uuid('Filter by team')),
  ids: Optional(
    Type.String({
      pattern: IDS,
      maxLength: 3_699,
      description: 'Only these appointments, by commas',
      examples: [ID],
    }),
  ),
  status: Optional(AppointmentStatus),
  ...SortQuery(APPOINTMENT_ORDERS, 'ASC'),
  attention: Optional(Choice([...APPOINTMENT_CONCERNS], 'Only those that need attention')),
  ...AppointmentLimits,
  ...PageQuery,
});
export type AppointmentsQuery = Static<typeof AppointmentsQuery>;

const answer = Choice([...CALL_ANSWERS], "The customer's answer");
const CALLED_ABOUT = [
  'The start that she was called about: present, or proposed',
  '2026-12-01T09:00:00+03:00',
] as const;
export const RecordCall = Body({ answer, startsAt: StampOfBusiness(...CALLED_ABOUT) });
export type RecordCall = Static<typeof RecordCall>;

/** The last call to the customer about the visit. */
export const VisitCall = Type.Object(
  {
    answer,
    startsAt: Stamp(...CALLED_ABOUT),
    at: Stamp('When'),
    by: Text('Actor of the call', 'operator:first-token'),
    byName: Nullable(Text('Name that its token has now; null: it has none', 'Dispatch desk')),
  },
  { title: 'VisitCall' },
);
export const LastCall = Nullable(VisitCall);

export const LateMinutes = Nullable(
  Type.Integer({
    minimum: 1,
    maximum: 1_440,
    description: 'How much later than the start the team comes, as it was reported; null: nobody has said so',
    examples: [30],
  }),
);

export const Appointment = Type.Object(
  {
    id: Uuid('Appointment'),
    name: AppointmentName,
    status: AppointmentStatus,
    bookingId: Uuid('Its booking'),
    partnerId: Uuid('Partner that made the booking'),
    team: AssignedTeam,
    zoneId: Uuid('Zone'),
    serviceId: Uuid('Service'),
    startsAt: Stamp('Start'),
    endsAt: Stamp('End'),
    lateMinutes: LateMinutes,
    lastCall: LastCall,
    date: DateText('Riyadh date on which it starts'),
    timeslot: Type.Object({
      startAt: TimeText('Start, Riyadh time'),
      endAt: TimeText('End; earlier than the start when it is on the next day', '11:00'),
    }),
    contact: Type.Object({ name: Text('Customer', 'Noura Al-Qahtani'), phone: CustomerPhone }),
    address: Address,
    version: Version,
  },
  { title: 'Appointment' },
);

export const ChangeAppointment = Body({
  status: Optional(AppointmentStatus),
  teamId: Optional(Uuid('New team; given alone, the time stays')),
  date: Optional(DateInput('New Riyadh date; given alone, the times stay')),
  timeslot: Optional(Timeslot),
  force: Optional(
    Type.Boolean({
      description:
        'Ignore notice, horizon, grid, duration, shifts, time off, skills and zone: only an overlap ' +
        'with another appointment of the team is refused. Also allows completing an appointment ' +
        'before its start',
      examples: [false],
    }),
  ),
  reason: Optional(forcedBecause),
  displaceHolds,
  ...forCustomer(
    '. Not in later responses: the audit log and, under a policy, `feeHistory` of the booking have it',
  ),
  statusReason: Optional(
    Choice(
      [...STATUS_REASONS],
      'Why the status changes. For operators: the history and the audit log keep it',
    ),
  ),
  outcome: Optional(
    Choice(
      [...OUTCOMES],
      'With `Cannot Complete`: why, also for the partner. Left out: that of `statusReason`, if it has one',
    ),
  ),
  statusNotes: Optional(Text('Why, in your words; for operators', 'Rang three times, and called', 500)),
});
withRules(ChangeAppointment, (input, given) => [
  ...timeslotFaults(input),
  ...statusFaults(given),
  ...outcomeFaults(input),
]);
export type ChangeAppointment = Static<typeof ChangeAppointment>;

export const CorrectAppointment = Body({
  status: AppointmentStatus,
  reason: Words('Why, in your words; for operators', 'The wrong visit was closed', 500),
});
