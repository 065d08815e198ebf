import Type from 'typebox';
import { DEGREES, locationFaults, locationFields } from '../contacts/schema.ts';
import {
  Choice,
  DateInput,
  DateText,
  Nullable,
  PageQuery,
  Stamp,
  StampOfBusiness,
  Text,
  TimeText,
  teamNames,
  Uuid,
} from '../http/schemas.ts';
import { withRules } from '../http/validation.ts';
import { HOLD_SECONDS, HOLD_STATUSES } from './hold-rules.ts';
import { preferredTeam, Timeslot, teamKept } from './schema.ts';
import { timeslotFaults } from './timeslots.ts';

const Seconds = (description: string) =>
  Type.Integer({
    minimum: HOLD_SECONDS.least,
    maximum: HOLD_SECONDS.most,
    description,
    examples: [HOLD_SECONDS.usual],
  });

const Reference = Type.String({
  format: 'text',
  minLength: 1,
  maxLength: 150,
  visible: true,
  description:
    "The partner's own reference, unique among its live holds. Without a customer it makes the hold repeatable",
  examples: ['CART-2026-000123'],
});

const createFields = {
  ...locationFields,
  serviceId: Uuid('Enabled for the partner and available at the address'),
  date: DateInput('Riyadh date on which the slot starts'),
  timeslot: Timeslot,
  seconds: Type.Optional(Seconds(`How long; default ${HOLD_SECONDS.usual}`)),
  contactId: Type.Optional(Uuid('The contact of the address; need not be sent, and must agree with it')),
  reference: Type.Optional(Reference),
  ...preferredTeam,
};
export const CreateHold = Type.Object(createFields, {
  additionalProperties: false,
  examples: [
    {
      addressId: '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10',
      serviceId: '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10',
      date: '2026-12-01',
      timeslot: { startAt: '09:00', endAt: '11:00' },
      seconds: HOLD_SECONDS.usual,
    },
  ],
});
withRules(CreateHold, (body, given) => [
  ...locationFaults(given),
  ...(given.includes('contactId') && given.includes('latitude')
    ? ['contactId must not be sent with latitude']
    : []),
  ...timeslotFaults(body),
]);

export const ExtendHold = Type.Object(
  {
    seconds: Type.Optional(Seconds('How much longer; 30 minutes in all at most')),
    until: Type.Optional(
      StampOfBusiness(
        'Until when, ISO 8601 with offset: can be sent again; an earlier end changes nothing',
        '2026-11-22T08:25:00+03:00',
      ),
    ),
  },
  { additionalProperties: false, examples: [{ seconds: 600 }] },
);
withRules(ExtendHold, ({ seconds, until }) =>
  (seconds === undefined) === (until === undefined) ? ['seconds or until must be given, not both'] : [],
);

export const HoldParams = Type.Object({ id: Uuid('Hold') });

export const holdFields = {
  holdId: Uuid('Hold; `holdId` of POST /partners/bookings'),
  status: Choice([...HOLD_STATUSES], '`CONSUMED`: a booking took it'),
  expiresAt: Stamp('From then on the slot is free again', '2026-11-22T08:10:00+03:00'),
  price: Type.Number({ description: 'SAR; that of the booking that takes it', examples: [199.5] }),
  currency: Choice(['SAR'], 'Currency of the price'),
  date: DateText('Riyadh date of the start'),
  timeslot: Type.Object(
    {
      startAt: TimeText('Start, Riyadh time'),
      endAt: TimeText('End, Riyadh time', '11:00'),
      endsAtNextDay: Type.Boolean({ description: 'Whether it ends on the next day', examples: [false] }),
    },
    { title: 'HeldTimeslot' },
  ),
  addressId: Nullable(Uuid('Address; null: the hold was made at coordinates, without a customer')),
  serviceId: Uuid('Service'),
  contactId: Nullable(Uuid('Contact of the address; null as `addressId`')),
  latitude: Nullable(
    Type.String({
      ...DEGREES,
      description: 'Of a hold that was made at coordinates, until it is over',
      examples: ['24.7136'],
    }),
  ),
  longitude: Nullable(Type.String({ ...DEGREES, description: 'As `latitude`', examples: ['46.6753'] })),
  reference: Nullable(Text("The partner's reference; null: none", 'CART-2026-000123', 150)),
  bookingId: Nullable(Uuid('The booking that took it; null: none')),
  policyId: Nullable(Uuid('The version of the policy that the booking will be under; null: none')),
};

export const Hold = Type.Object({ ...holdFields, ...teamKept }, { title: 'Hold' });

export const OwnHoldsQuery = Type.Object(PageQuery);

export const HoldsQuery = Type.Object({
  date: Type.Optional(DateInput('Slots that touch this Riyadh date')),
  partnerId: Type.Optional(Uuid('Filter by partner')),
  teamId: Type.Optional(Uuid('Filter by team')),
  ...PageQuery,
});

export const Holds = Type.Object(
  {
    ...holdFields,
    partnerId: Uuid('Partner'),
    partnerName: Text('Its name', 'Riyadh Homes'),
    teamId: Uuid('The team that is held'),
    teamName: teamNames.name,
    teamNameAr: teamNames.nameAr,
    serviceName: Text('Name of the service', 'Deep cleaning'),
    serviceNameAr: Nullable(Text('Its Arabic name; null: none', 'تنظيف عميق')),
    contactName: Nullable(Text('Name of the customer; null: there is none yet', 'Noura')),
  },
  { title: 'OperatorHold' },
);
