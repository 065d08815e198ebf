import Type, { type Static, type TSchema } from 'typebox';
import { OfferedPolicy, UnservedMeta } from '../catalogue/schema.ts';
import { Coordinates, locationFaults, locationFields } from '../contacts/schema.ts';
import {
  Choice,
  DateInput,
  DateText,
  MAX_UNPAGED,
  periodRules,
  StampOfBusiness,
  Text,
  TimeText,
  Uuid,
} from '../http/schemas.ts';
import { withRules } from '../http/validation.ts';
import { MAX_CALENDAR_DAYS } from './calendar.ts';
import { DAY_STATES } from './rules.ts';

const { Optional } = Type;

/** The envelope of section 2, with the reason when the place is not served. */
const SuccessOrUnserved = <T extends TSchema>(data: T) =>
  Type.Object({ success: Type.Literal(true), data, meta: Optional(UnservedMeta) });

const service = { serviceId: Uuid('The service to be booked') };
const serviceAtAddress = { addressId: Uuid('An address with coordinates'), ...service };
const serviceAtLocation = { ...locationFields, ...service };
const slotTimes = {
  startAt: TimeText('Start, Riyadh time; pass it unchanged as `timeslot.startAt`'),
  endAt: TimeText('End, Riyadh time; earlier than the start when it is on the next day', '11:00'),
};
const datedSlot = { date: DateText('Date of the start'), ...slotTimes };

/** The slots of a date. */
const Slots = Type.Array(Type.Object(slotTimes, { title: 'AvailableSlot' }), {
  maxItems: 1_440,
  description: 'Sorted by start; empty when no team is free',
});

const CalendarSlots = Type.Array(
  Type.Object(
    {
      ...slotTimes,
      keepsTeam: Optional(
        Type.Boolean({
          description: 'With `preferTeamOf`: whether the team of that booking is free then',
          examples: [true],
        }),
      ),
    },
    { title: 'CalendarSlot' },
  ),
  { maxItems: 1_440, description: 'Sorted by start; empty when no team is free' },
);

export const TimeslotsQuery = Type.Object({
  ...serviceAtAddress,
  date: DateInput('The Riyadh date on which the slots start'),
});

export const TimeslotsResponse = SuccessOrUnserved(
  Type.Object({ date: DateText('Requested date'), slots: Slots }),
);

export const CalendarQuery = withRules(
  Type.Object({
    ...serviceAtLocation,
    from: DateInput('The first Riyadh date'),
    to: DateInput(`The last Riyadh date, at most ${MAX_CALENDAR_DAYS} days with the first`),
    view: Optional(
      Choice(['slots', 'days'], '`days`: instead of its slots, whether a date has any. Default slots'),
    ),
    preferTeamOf: Optional(
      Uuid('An earlier booking, usually of the customer: each slot says whether its team is free'),
    ),
  }),
  (query, given) => [
    ...locationFaults(given),
    ...periodRules(MAX_CALENDAR_DAYS)(query),
    ...(query.view === 'days' && query.preferTeamOf !== undefined
      ? ['preferTeamOf must not be sent with view=days']
      : []),
  ],
);

const bookableUntil = DateText('The last date that the service can be booked on, seen from today');

export const CalendarResponse = SuccessOrUnserved(
  Type.Object(
    {
      from: DateText('First date'),
      to: DateText('Last date'),
      bookableFrom: DateText('The first date that the service can be booked on, after its notice'),
      bookableUntil,
      days: Type.Array(
        Type.Object(
          {
            date: DateText('A date'),
            state: Choice(
              DAY_STATES,
              '`FREE`: it has free slots. `FULL`: all are taken. `CLOSED`: none is offered, because no team works, or it ' +
                'is past, inside the notice or after `bookableUntil`',
            ),
            slots: Optional(CalendarSlots),
            available: Optional(
              Type.Boolean({
                description: 'With `view=days`, instead of `slots`: whether the date has any',
                examples: [true],
              }),
            ),
          },
          { title: 'CalendarDay' },
        ),
        { minItems: 1, maxItems: MAX_CALENDAR_DAYS, description: 'Every date from `from` to `to`' },
      ),
    },
    { title: 'TimeslotCalendar' },
  ),
);
export type CalendarResponse = Static<typeof CalendarResponse>;

const MAX_NEXT = 10;

export const NextSlotsQuery = withRules(
  Type.Object({
    ...serviceAtLocation,
    notBefore: Optional(
      StampOfBusiness(
        'The earliest start, ISO 8601 with offset; default now. A `+` in a URL is written `%2B`',
        '2026-12-01T12:00:00+03:00',
      ),
    ),
    count: Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_NEXT,
        default: 1,
        description: 'The number of slots wanted',
        examples: [3],
      }),
    ),
  }),
  (_query, given) => locationFaults(given),
);

export const NextSlotsResponse = SuccessOrUnserved(
  Type.Object(
    {
      bookableUntil,
      slots: Type.Array(Type.Object(datedSlot, { title: 'DatedSlot' }), {
        maxItems: MAX_NEXT,
        description: 'The earliest ones, sorted by start; fewer when there are no more until `bookableUntil`',
      }),
    },
    { title: 'NextTimeslots' },
  ),
);

export const CoverageQuery = Type.Object(Coordinates);

export const Coverage = Type.Object(
  {
    covered: Type.Boolean({ description: 'Whether the place is inside of a zone', examples: [true] }),
    services: Type.Array(
      Type.Object(
        {
          id: Uuid('Service; used as `serviceId`'),
          nameEn: Text('English name', 'Deep cleaning, 4 hours'),
          nameAr: Text('Arabic name; the English one where there is none', 'تنظيف عميق، 4 ساعات'),
          price: Type.Number({ description: 'SAR, for this partner', examples: [249] }),
          policy: OfferedPolicy,
        },
        { title: 'CoveredService' },
      ),
      {
        maxItems: MAX_UNPAGED,
        description: 'Those that you may book there, in the order of the list of services',
      },
    ),
    earliest: Type.Union(
      [Type.Object({ serviceId: Uuid('Its service'), ...datedSlot }, { title: 'EarliestSlot' }), Type.Null()],
      { description: 'The earliest free timeslot of any of the services; null: there is none' },
    ),
  },
  { title: 'Coverage' },
);
