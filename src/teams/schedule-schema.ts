import Type, { type Static } from 'typebox';
import {
  Body,
  Changes,
  Choice,
  DateInput,
  DateText,
  Ids,
  Name,
  Nullable,
  PageQuery,
  SortQuery,
  Stamp,
  Text,
  Uuid,
  Version,
} from '../http/schemas.ts';
import { withRules } from '../http/validation.ts';
import { CALENDARS, SCHEDULE_ORDERS, scheduleFaults, YEARS_AHEAD } from './schedule-rules.ts';
import { Shifts, WholeMinute } from './schema.ts';

/** Bodies and responses of /operator/schedules. */

const { Optional } = Type;

/** `from` without `to`. */
const withoutEnd = 'null: without an end';

const integer = (minimum: number, maximum: number, description: string, example: number) =>
  Type.Integer({ minimum, maximum, description, examples: [example] });

const Weekday = Type.Integer({
  minimum: 1,
  maximum: 7,
  meaning: 'weekdays are 1 (Monday) to 7 (Sunday)',
  description: 'Day on which it starts, 1 (Monday) to 7 (Sunday)',
  examples: [5],
});

const Breaks = Type.Array(
  Body({
    weekdays: Optional(
      Type.Array(Weekday, {
        minItems: 1,
        maxItems: 7,
        uniqueItems: true,
        description: 'Left out: every day',
      }),
    ),
    startAt: WholeMinute('Start, Riyadh time, on a whole minute', '11:45'),
    endAt: WholeMinute('End; not after the start: on the next day', '13:15'),
  }),
  {
    maxItems: 20,
    description: 'Times in which no visit may lie, with other hours and with the weekly shifts',
  },
);

const YearlyDate = Body({
  calendar: Choice([...CALENDARS], 'Calendar of month and day', 'islamic-umalqura'),
  month: integer(1, 12, 'Month', 10),
  day: integer(1, 31, 'Day of the month', 1),
  days: integer(1, 60, 'Number of days', 4),
  shifts: Type.Array(
    Body({
      year: integer(1300, 2100, 'Year of the calendar', 1448),
      days: integer(-3, 3, 'Days later, or earlier', 1),
    }),
    {
      maxItems: 20,
      description: 'Years in which it begins on another day, by the sighted moon for instance',
    },
  ),
});

const fields = {
  nameEn: Name('English name', 'Ramadan'),
  nameAr: Name('Arabic name', 'رمضان'),
  priority: integer(
    -1000,
    1000,
    'Where several set the hours of a team on a date, the highest wins; of equal ones the last made',
    10,
  ),
  breaks: Breaks,
  closed: Type.Boolean({ description: 'Whether nobody works on these dates', examples: [false] }),
};
const HOURS = 'Hours instead of the weekly shifts of the teams; null: they keep them';

export const CreateSchedule = withRules(
  Body({
    nameEn: fields.nameEn,
    nameAr: fields.nameAr,
    from: Optional(Nullable(DateInput('First Riyadh date; or yearly'))),
    to: Optional(Nullable(DateInput(`Last Riyadh date; ${withoutEnd}`))),
    yearly: Optional(Nullable({ ...YearlyDate, description: 'A date of each year instead of from and to' })),
    zoneIds: Optional(Nullable(Ids('Teams that serve one of these zones; null: not limited by zones'))),
    teamIds: Optional(Nullable(Ids('These teams; with neither zoneIds nor teamIds all teams'))),
    closed: Optional(fields.closed),
    weekly: Optional(Nullable({ ...Shifts, description: HOURS })),
    breaks: Optional(Breaks),
    priority: Optional(fields.priority),
  }),
  (input, given) => [
    ...scheduleFaults(input),
    ...(given.includes('from') || given.includes('yearly') ? [] : ['from, or yearly, must be given']),
  ],
);
export type CreateSchedule = Static<typeof CreateSchedule>;
export const UpdateSchedule = withRules(Changes(CreateSchedule), scheduleFaults);
export type UpdateSchedule = Static<typeof UpdateSchedule>;

const Period = Type.Object({
  from: DateText('First date'),
  to: Nullable(DateText(`Last date; ${withoutEnd}`)),
});

export const ScheduleResource = Type.Object(
  {
    id: Uuid('Schedule'),
    nameEn: fields.nameEn,
    nameAr: fields.nameAr,
    from: Nullable(DateText('First date; null: yearly')),
    to: Nullable(DateText(`Last date; ${withoutEnd}, or yearly`)),
    yearly: Nullable({ ...YearlyDate, description: 'The date of each year; null: from and to' }),
    periods: Type.Array(Period, {
      maxItems: 40,
      description: `When it holds: a yearly one for the ${YEARS_AHEAD} years after its last change`,
    }),
    zoneIds: Nullable(Ids('Teams that serve one of these zones; null: not limited by zones')),
    teamIds: Nullable(Ids('These teams; with neither zoneIds nor teamIds all teams')),
    closed: fields.closed,
    weekly: Nullable({ ...Shifts, description: HOURS }),
    breaks: Breaks,
    priority: fields.priority,
    version: Version,
    createdAt: Stamp(),
    updatedAt: Stamp(),
  },
  { title: 'Schedule' },
);

export const SchedulesQuery = Type.Object({
  search: Optional(Text('Part of a name, case-insensitive', 'eid')),
  from: Optional(DateInput('Only those that hold on this Riyadh date or later')),
  to: Optional(DateInput('Only those that hold on this Riyadh date or earlier')),
  ...PageQuery,
  ...SortQuery(SCHEDULE_ORDERS, 'DESC'),
});
export type SchedulesQuery = Static<typeof SchedulesQuery>;
