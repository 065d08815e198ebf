import Type, { type Static } from 'typebox';
import { WithConflicts } from '../catalogue/conflict-schema.ts';
import { GivenPhone, TeamPhone } from '../contacts/schema.ts';
import {
  ArabicName,
  Body,
  Changes,
  Choice,
  DateInput,
  Ids,
  ListQuery,
  MAX_UNPAGED,
  Name,
  Nullable,
  optional,
  PageQuery,
  periodRules,
  SortQuery,
  Stamp,
  StampOfBusiness,
  Text,
  teamNames,
  Uuid,
  Version,
  Words,
} from '../http/schemas.ts';
import { withRules } from '../http/validation.ts';
import { periodFaults, TEAM_ORDERS, teamFaults, WHOLE_MINUTE } from './rules.ts';

/** Bodies and responses of /operator/teams and /operator/teams/:id/time-off. */

const { Optional } = Type;

export const WholeMinute = (description: string, example: string) =>
  Type.String({ format: 'time', rule: WHOLE_MINUTE, description, examples: [example] });

export const Shifts = Type.Array(
  Body({
    weekday: Type.Integer({
      minimum: 1,
      maximum: 7,
      meaning: 'weekdays are 1 (Monday) to 7 (Sunday)',
      description: 'Day on which it starts, 1 (Monday) to 7 (Sunday)',
      examples: [7],
    }),
    startAt: WholeMinute('Start, Riyadh time, on a whole minute', '08:00'),
    endAt: WholeMinute('End; before the start: on the next day; equal to it: 24 hours later', '20:00'),
  }),
  { maxItems: 50, description: 'Weekly shifts in Riyadh time, without overlaps' },
);

const name = Name('Unique name', 'Team 1');
const nameAr = ArabicName('الفريق 1');
const teamSettings = {
  zoneIds: Ids('Zones it serves'),
  homeZoneId: Nullable(
    Uuid(
      'Zone under which the board lists it; null, or one that it does not serve: the first that it serves, by name',
    ),
  ),
  serviceIds: Ids('Services it can do'),
  travelBufferMinutes: Type.Integer({
    minimum: 0,
    maximum: 480,
    description:
      'Minutes kept free before and after an appointment that is booked or moved from now on; one that was sold with ' +
      'more keeps them',
    examples: [30],
  }),
  shifts: Shifts,
  isActive: Type.Boolean({ description: 'Whether it can be booked', examples: [true] }),
};

export const CreateTeam = Body({
  name,
  nameAr: Optional(nameAr),
  phone: Optional(GivenPhone),
  ...optional(teamSettings),
});
withRules(CreateTeam, teamFaults);
export type CreateTeam = Static<typeof CreateTeam>;
export const UpdateTeam = withRules(Changes(CreateTeam), teamFaults);
export type UpdateTeam = Static<typeof UpdateTeam>;

export const Team = Type.Object(
  {
    id: Uuid('Team'),
    name,
    nameAr,
    phone: TeamPhone,
    ...teamSettings,
    version: Version,
    createdAt: Stamp(),
    updatedAt: Stamp(),
  },
  { title: 'Team' },
);

export const RevealedTeamPhone = Type.Object({ phone: GivenPhone }, { title: 'RevealedTeamPhone' });

export const HitAppointment = Type.Object({
  id: Uuid('Appointment'),
  name: Text('Tracking reference', 'SA-0042', 36),
  bookingId: Uuid('Its booking'),
  startsAt: Stamp('Start', '2026-12-01T09:00:00+03:00'),
  endsAt: Stamp('End', '2026-12-01T11:00:00+03:00'),
  status: Text('Appointment status', 'Scheduled', 40),
});
export const ChangedTeam = WithConflicts(
  Type.Object({
    ...Team.properties,
    appointments: Type.Array(
      Type.Object({
        ...HitAppointment.properties,
        reasons: Type.Array(
          Choice(
            ['INACTIVE', 'NOT_IN_ZONE', 'NO_SKILL', 'OFF_SHIFT', 'TIME_OFF'],
            'Why the team cannot do it',
          ),
          { minItems: 1, maxItems: 5, description: 'Why the team cannot do it any more' },
        ),
      }),
      {
        maxItems: MAX_UNPAGED,
        description:
          'Unfinished appointments that the change took from the team: they stay until they are moved',
      },
    ),
  }),
  'ChangedTeam',
);
export const TeamsQuery = Type.Object({
  ...ListQuery,
  zoneId: Optional(Uuid('Filter by zone served')),
  serviceId: Optional(Uuid('Filter by service provided')),
  ...SortQuery(TEAM_ORDERS, 'ASC'),
});
export type TeamsQuery = Static<typeof TeamsQuery>;

// ---------------------------------------------------------------------------
// Time off

const period = {
  startsAt: StampOfBusiness('Start, ISO 8601 with offset', '2026-12-01T00:00:00+03:00'),
  endsAt: StampOfBusiness('End (exclusive), after the start', '2026-12-02T00:00:00+03:00'),
};
const REASON = ['Only visible to the operator', 'Training', 500] as const;

export const CreateTimeOff = withRules(Body({ ...period, reason: Optional(Words(...REASON)) }), periodFaults);
export type CreateTimeOff = Static<typeof CreateTimeOff>;

export const RecordedTimeOff = Type.Object({
  id: Uuid('Time off'),
  teamId: Uuid('Its team'),
  ...period,
  reason: Text(...REASON),
  createdAt: Stamp(),
});
export const TimeOff = Type.Object(
  {
    ...RecordedTimeOff.properties,
    appointments: Type.Array(HitAppointment, {
      maxItems: MAX_UNPAGED,
      description: 'Appointments of the team in this time, not cancelled: they stay until they are moved',
    }),
  },
  { title: 'TimeOff' },
);
export const TimeOffParams = Type.Object({ id: Uuid('The team'), timeOffId: Uuid('The time off') });
/** Of all teams, with the names of each. */
export const TimeOffOfTeam = Type.Object(
  { ...TimeOff.properties, teamName: teamNames.name, teamNameAr: teamNames.nameAr },
  { title: 'TimeOffOfTeam' },
);
const MAX_DAYS = 366;
export const TimesOffBetweenQuery = withRules(
  Type.Object({
    from: DateInput('First Riyadh date'),
    to: DateInput(`Last Riyadh date; ${MAX_DAYS} days at most`),
    teamId: Optional(Uuid('Filter by team')),
    ...PageQuery,
  }),
  periodRules(MAX_DAYS),
);
export type TimesOffBetweenQuery = Static<typeof TimesOffBetweenQuery>;
export const TimesOffQuery = Type.Object(PageQuery);
export type TimesOffQuery = Static<typeof TimesOffQuery>;
