import Type, { type Static } from 'typebox';
import { APPOINTMENT_STATUSES, BOOKING_STATUSES } from '../bookings/rules.ts';
import { ListHeaders, preferredTeam } from '../bookings/schema.ts';
import { UPDATED_SINCE } from '../bookings/updated-since.ts';
import {
  Body,
  Choice,
  ChoiceOrNull,
  DateInput,
  DateText,
  MAX_UNPAGED,
  Nullable,
  PageQuery,
  Stamp,
  Text,
  TimeText,
  Uuid,
} from '../http/schemas.ts';
import { withRules } from '../http/validation.ts';
import { Sar } from '../policies/schema.ts';
import { EVERY_WEEKS, MAX_INDEX, MAX_VISITS, SERIES_STATUSES, STOP_REASONS, VISIT_STATES } from './rules.ts';

const EXAMPLE_ID = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';

/** With one example instead of those of the fields, so that what is copied works. */
const withExample = <Schema extends object>(schema: Schema, example: object): Schema =>
  Object.assign(schema, { examples: [example] });

const Index = (description: string) =>
  Type.Integer({ minimum: 1, maximum: MAX_INDEX, description, examples: [3] });
const Weekday = (description: string) =>
  Type.Integer({
    minimum: 1,
    maximum: 7,
    description: `${description}; 1 (Monday) to 7 (Sunday)`,
    examples: [7],
  });
const SameCrew = Type.Boolean({
  description:
    'Whether the crew of the first visit comes again if it can; `keepsTeam` of each visit says whether it does',
  examples: [true],
});
const preview = {
  preview: Type.Optional(
    Type.Boolean({
      description: 'Only says what would come of it. Not in later responses: nothing is stored',
      examples: [true],
    }),
  ),
};
const texts = {
  notes: Type.Optional(
    Text(
      'For the operator. Not in later responses: those of its bookings have them',
      'Please ring twice',
      2_000,
    ),
  ),
  instructions: Type.Optional(
    Text(
      'Access instructions for the crews of each booking, encrypted. Not in later responses: crews alone see them',
      'The bell is at the side',
      500,
    ),
  ),
  accessCode: Type.Optional(
    Text('Code of a door or gate, encrypted. Not in later responses: crews alone see it', '4711#', 50),
  ),
};
/** Fields of a cancellation of visits that are placed. */
const cancelling = {
  reasonId: Type.Optional(
    Uuid('From the cancellation reasons; must be given when a visit is placed already'),
  ),
  cancellationNotes: Type.Optional(
    Text('Your own notes on the cancellations', 'The customer travels', 2_000),
  ),
  maxFee: Type.Optional(
    Sar(
      'SAR that each visit may cost; when one costs more, nothing is changed. Not in later responses: `fees` of the bookings say what they cost',
      50,
    ),
  ),
  ...preview,
};

export const CreateSeries = withExample(
  Body(
    {
      contactId: Uuid('From the contacts operation'),
      addressId: Uuid('An address of the contact'),
      serviceId: Uuid('Enabled for the partner and available at the address'),
      firstDate: DateInput('Riyadh date of the first visit; its weekday is that of the series'),
      startAt: TimeText('Start of each visit, Riyadh time; the length is that of the service'),
      everyWeeks: Type.Optional(
        Type.Enum([...EVERY_WEEKS], {
          description: 'Weeks from one visit to the next; default 1',
          examples: [1],
        }),
      ),
      until: Type.Optional(
        DateInput('Riyadh date of the last visit at the latest; without it and `visits` it has no end'),
      ),
      visits: Type.Optional(
        Type.Integer({ minimum: 1, maximum: MAX_VISITS, description: 'Number of visits', examples: [12] }),
      ),
      sameCrew: Type.Optional(SameCrew),
      ...preferredTeam,
      ...texts,
      externalReference: Type.Optional(
        Type.String({
          format: 'text',
          minLength: 1,
          maxLength: 150,
          visible: true,
          description:
            "The partner's own reference, unique among its series; makes retries safe. Its bookings have none",
          examples: ['WEEKLY-2026-000123'],
        }),
      ),
      ...preview,
    },
    {
      date: 'date is called firstDate',
      timeslot: 'timeslot is called startAt: the end follows from the service',
      weekday: 'weekday follows from firstDate',
    },
  ),
  {
    contactId: EXAMPLE_ID,
    addressId: EXAMPLE_ID,
    serviceId: EXAMPLE_ID,
    firstDate: '2026-12-06',
    startAt: '09:00',
    everyWeeks: 1,
    externalReference: 'WEEKLY-2026-000123',
  },
);
withRules(CreateSeries, ({ firstDate, until, visits }) => [
  ...(until !== undefined && visits !== undefined ? ['until must not be sent with visits'] : []),
  ...(until !== undefined && firstDate !== undefined && until < firstDate
    ? ['until must not be before firstDate']
    : []),
]);
export type CreateSeries = Static<typeof CreateSeries>;

export const ChangeSeries = withExample(
  Body({
    fromIndex: Index(
      'The first visit that changes; earlier ones stay as they are. Not in later responses: the visits are',
    ),
    startAt: Type.Optional(TimeText('Start from then on, Riyadh time')),
    weekday: Type.Optional(Weekday('Day from then on, in the same weeks')),
    sameCrew: Type.Optional(SameCrew),
    ...preferredTeam,
    ...texts,
    maxFee: cancelling.maxFee,
    ...preview,
  }),
  { fromIndex: 3, weekday: 7, startAt: '10:00', preview: true },
);
export type ChangeSeries = Static<typeof ChangeSeries>;

export const SkipVisit = Body(cancelling);
export type SkipVisit = Static<typeof SkipVisit>;
export const PauseSeries = Body({
  from: DateInput('First Riyadh date without visits'),
  to: DateInput('Last one'),
  ...cancelling,
});
withRules(PauseSeries, ({ from, to }) =>
  from !== undefined && to !== undefined && to < from ? ['to must not be before from'] : [],
);
export type PauseSeries = Static<typeof PauseSeries>;
export const EndSeries = withExample(
  Body({ fromIndex: Index('The first visit that does not take place'), ...cancelling }),
  { fromIndex: 3, reasonId: EXAMPLE_ID, cancellationNotes: 'The customer travels' },
);
export type EndSeries = Static<typeof EndSeries>;

export const PlaceVisit = Body({
  date: Type.Optional(DateInput('Another Riyadh date, as in `alternatives`')),
  startAt: Type.Optional(TimeText('Another start, as in `alternatives`')),
});

export type PlaceVisit = Static<typeof PlaceVisit>;

export const SeriesParams = Type.Object({ seriesId: Uuid('Series') });
export const SeriesVisitParams = Type.Object({
  seriesId: Uuid('Series'),
  index: Type.String({
    pattern: '^[1-9][0-9]{0,3}$',
    maxLength: 4,
    description: 'Index of the visit',
    examples: ['3'],
  }),
});

const Alternative = Type.Object(
  {
    date: DateText('Riyadh date'),
    startAt: TimeText('Start'),
    endAt: TimeText('End', '11:00'),
  },
  { title: 'SeriesAlternative' },
);

const SeriesVisit = Type.Object(
  {
    index: Index('From 1'),
    date: DateText('Riyadh date, as it is now'),
    startAt: TimeText('Start, as it is now'),
    state: Choice(
      ['PLANNED', ...VISIT_STATES],
      '`PLANNED`: the horizon has not reached it; `PLACED`: it is a booking; `UNPLACED`: it could not be booked, until you choose or skip',
      'PLACED',
    ),
    reason: Nullable(
      Text(
        'Why it is not placed, as `reason` of a refused booking; null: otherwise',
        'SLOT_UNAVAILABLE',
        100,
      ),
    ),
    alternatives: Type.Array(Alternative, {
      maxItems: 3,
      description: 'Free times near one that is `UNPLACED`; in the response of one series alone',
    }),
    bookingId: Nullable(Uuid('Its booking; null: none')),
    trackingReference: Nullable(Text('Of its booking', 'SA-0042', 36)),
    status: ChoiceOrNull([...BOOKING_STATUSES], 'Of its booking'),
    appointmentStatus: ChoiceOrNull([...APPOINTMENT_STATUSES], 'Of its booking'),
    price: Nullable(
      Type.Number({ description: 'SAR, locked when it was placed; null: it is not', examples: [150] }),
    ),
    keepsTeam: Nullable(
      Type.Boolean({
        description: "Whether the series' crew comes; null: it is not placed",
        examples: [true],
      }),
    ),
    movedAlone: Type.Boolean({ description: 'Whether its booking was moved by itself', examples: [false] }),
  },
  { title: 'SeriesVisit' },
);

const SeriesChange = Type.Object(
  {
    index: Index('Of the visit'),
    outcome: Choice(
      ['MOVED', 'STAYS', 'CANCELLED', 'SKIPPED'],
      '`STAYS`: it cannot be moved, and `reason` says why; `SKIPPED`: it was not placed yet',
      'MOVED',
    ),
    reason: Nullable(Text('Why it stays; null: otherwise', 'SLOT_UNAVAILABLE', 100)),
    bookingId: Nullable(Uuid('Its booking; null: none')),
    date: DateText('Riyadh date by the series'),
    startAt: TimeText('Start by the series'),
    fee: Nullable(
      Type.Number({ description: 'SAR; null: free, or the operator decides later', examples: [0] }),
    ),
  },
  { title: 'SeriesChange' },
);

const seriesFields = {
  seriesId: Nullable(Uuid('Series; null: a preview of one')),
  externalReference: Nullable(Text("The partner's reference; null: none", 'WEEKLY-2026-000123', 150)),
  status: Choice(
    [...SERIES_STATUSES],
    '`STOPPED`: places nothing for now; `ENDED`: places nothing more, what is placed stays',
  ),
  reason: ChoiceOrNull([...STOP_REASONS], 'Why it is not `ACTIVE`'),
  contactId: Uuid('Contact'),
  addressId: Uuid('Address of the contact'),
  serviceId: Uuid('Service'),
  firstDate: DateText('Riyadh date of the first visit'),
  everyWeeks: Type.Integer({
    minimum: 1,
    maximum: 4,
    description: 'Weeks from one visit to the next',
    examples: [1],
  }),
  weekday: Weekday('Day of the next visits'),
  startAt: TimeText('Start of the next visits'),
  sameCrew: SameCrew,
  until: Nullable(DateText('Riyadh date of the last visit at the latest; null: none')),
  visits: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: MAX_VISITS,
      description: 'Number of visits; null: none',
      examples: [12],
    }),
  ),
  pauses: Type.Array(
    Type.Object(
      { from: DateText('First date without visits'), to: DateText('Last one') },
      { title: 'SeriesPause' },
    ),
    { maxItems: MAX_UNPAGED, description: 'Riyadh dates without visits' },
  ),
  dates: Type.Array(SeriesVisit, {
    maxItems: MAX_UNPAGED,
    description: 'Its visits by index, with the next that are planned; in a list those from today on',
  }),
  changes: Type.Optional(
    Type.Array(SeriesChange, {
      maxItems: MAX_UNPAGED,
      description:
        'In the response to a change alone: what became, or with `preview` would become, of its visits',
    }),
  ),
  createdAt: Stamp('When it was made'),
  updatedAt: Stamp('When it last changed'),
};
export const Series = Type.Object(seriesFields, { title: 'Series' });
export type Series = Static<typeof Series>;

const filters = {
  status: Type.Optional(Choice([...SERIES_STATUSES], 'Filter by status')),
  contactId: Type.Optional(Uuid('Filter by contact')),
  externalReference: Type.Optional(Text('Filter by reference', 'WEEKLY-2026-000123', 150)),
  unplaced: Type.Optional(
    Choice(['true'], 'Those with a visit to come that could not be placed, and stopped ones'),
  ),
};
export const ListSeries = Type.Object({
  ...filters,
  updatedSince: Type.Optional(
    Type.String({
      description:
        'Series changed at this time (ISO 8601 with offset) or later, the last changed first; or, with the X-Updated-Since of ' +
        'an earlier list, those with a change that it has not seen',
      documented: { maxLength: 14_000, pattern: '^[A-Za-z0-9_:.+-]+$' },
      rule: UPDATED_SINCE,
      examples: ['2026-11-22T08:00:00.000+03:00'],
    }),
  ),
  ...PageQuery,
});
export const SeriesHeaders = { 'X-Updated-Since': ListHeaders['X-Updated-Since'] };
export const SeriesQuery = Type.Object({
  partnerId: Type.Optional(Uuid('Filter by partner')),
  ...filters,
  ...PageQuery,
});

/** A series as the operator sees it. */
export const OperatorSeries = Type.Object(
  {
    ...seriesFields,
    partnerId: Uuid('Partner'),
    partnerName: Text('Its name', 'Riyadh Homes'),
    contactName: Text('Name of the customer', 'Noura'),
    serviceName: Text('Name of the service', 'Deep cleaning'),
    serviceNameAr: Nullable(Text('Its Arabic name; null: none', 'تنظيف عميق')),
    crewName: Nullable(Text('The crew that comes if it can; null: none yet', 'Team 1')),
    crewNameAr: Nullable(Text('Its Arabic name; null: none', 'الفريق 1')),
  },
  { title: 'OperatorSeries' },
);
export type OperatorSeries = Static<typeof OperatorSeries>;
