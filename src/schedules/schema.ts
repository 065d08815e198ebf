import Type, { type Static } from 'typebox';
import { NamedSchedule } from '../availability/operator-schema.ts';
import { Conflicts } from '../catalogue/conflict-schema.ts';
import {
  Choice,
  DateInput,
  DateText,
  MAX_UNPAGED,
  periodRules,
  Stamp,
  Text,
  TimeText,
  teamNames,
  Uuid,
  zoneNames,
} from '../http/schemas.ts';
import { withRules } from '../http/validation.ts';
import { ScheduleResource } from '../teams/schedule-schema.ts';
import { FIRST_TEMPLATE_YEAR, LAST_TEMPLATE_YEAR } from '../teams/schedule-templates.ts';

/** Queries and responses of /operator/schedules about their effects, and of a team's hours. */

/** Dates whose hours are compared. */
export const MAX_HOURS_DAYS = 92;

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, description, examples: [example] });

export const ScheduleChange = Type.Object(
  {
    isApplied: Type.Boolean({ description: 'false: it was a preview', examples: [true] }),
    schedule: Type.Union([ScheduleResource, Type.Null()], {
      description: 'As it is, or would be; null: removed',
    }),
    appointments: Conflicts,
    laterSeries: count('Series with dates on these days that are not booked yet', 9),
    hours: Type.Array(
      Type.Object({
        zoneId: Uuid('Zone'),
        zoneName: zoneNames.name,
        zoneNameAr: zoneNames.nameAr,
        minutesBefore: count('Working minutes before', 28_800),
        minutesAfter: count('Working minutes after', 21_600),
      }),
      {
        maxItems: MAX_UNPAGED,
        description: `Zones whose hours change, on the first ${MAX_HOURS_DAYS} of the dates from today on`,
      },
    ),
    longDays: Type.Array(
      Type.Object({
        teamId: Uuid('Team'),
        teamName: teamNames.name,
        teamNameAr: teamNames.nameAr,
        minutes: count('Working minutes of its longest day', 660),
      }),
      {
        maxItems: MAX_UNPAGED,
        description:
          'A warning: teams of the schedule that would work more than six hours on a day in Ramadan (labour law, article 98)',
      },
    ),
  },
  { title: 'ScheduleChange' },
);

// ---------------------------------------------------------------------------
// Templates

export const TemplatesQuery = Type.Object({
  year: Type.Optional(
    Type.Integer({
      minimum: FIRST_TEMPLATE_YEAR,
      maximum: LAST_TEMPLATE_YEAR,
      description: 'Only those of this Hijri year',
      examples: [FIRST_TEMPLATE_YEAR],
    }),
  ),
});

const Times = {
  startAt: TimeText('Start, Riyadh time', '20:00'),
  endAt: TimeText('End; not after the start: on the next day', '01:00'),
};
export const ScheduleTemplate = Type.Object(
  {
    key: Choice(['ramadan', 'eid-al-fitr', 'eid-al-adha', 'national-day', 'founding-day'], 'What it is'),
    nameEn: Text('English name', 'Ramadan 1448'),
    nameAr: Text('Arabic name', 'رمضان 1448'),
    from: DateText('First date: of the moon it is computed, and to be confirmed'),
    to: DateText('Last date'),
    closed: Type.Boolean({ description: 'Whether nobody works', examples: [false] }),
    weekly: Type.Union(
      [
        Type.Array(
          Type.Object({
            weekday: Type.Integer({
              minimum: 1,
              maximum: 7,
              description: '1 (Monday) to 7 (Sunday)',
              examples: [7],
            }),
            ...Times,
          }),
          { maxItems: 50 },
        ),
        Type.Null(),
      ],
      { description: 'Proposed hours' },
    ),
    breaks: Type.Array(Type.Object(Times), { maxItems: 20, description: 'Proposed breaks' }),
    priority: Type.Integer({
      minimum: -1000,
      maximum: 1000,
      description: 'Proposed priority',
      examples: [10],
    }),
  },
  { title: 'ScheduleTemplate' },
);

// ---------------------------------------------------------------------------
// A team's hours

const MAX_DAYS = 62;

export const TeamHoursQuery = withRules(
  Type.Object({
    from: DateInput('First Riyadh date'),
    to: DateInput(`Last Riyadh date; ${MAX_DAYS} days at most`),
  }),
  periodRules(MAX_DAYS),
);
export type TeamHoursQuery = Static<typeof TeamHoursQuery>;

export const DayOfTeam = Type.Object(
  {
    date: DateText('Riyadh date'),
    schedule: Type.Union([NamedSchedule, Type.Null()], {
      description: 'Whose hours hold; null: the weekly shifts',
    }),
    hours: Type.Array(
      Type.Object({
        startsAt: Stamp('Start; on the day before for the rest of a night'),
        endsAt: Stamp('End; on the next day for a night'),
      }),
      { maxItems: 200, description: 'When a visit may lie, breaks left out, by start' },
    ),
    breaks: Type.Array(
      Type.Object({
        startsAt: Stamp('Start'),
        endsAt: Stamp('End'),
        schedule: NamedSchedule,
      }),
      { maxItems: MAX_UNPAGED, description: 'Breaks that touch the date' },
    ),
  },
  { title: 'DayOfTeam' },
);

export const HoursOfTeam = Type.Object(
  {
    team: Type.Object({ id: Uuid('Team'), ...teamNames }),
    days: Type.Array(DayOfTeam, { maxItems: MAX_DAYS, description: 'By date' }),
  },
  { title: 'HoursOfTeam' },
);
