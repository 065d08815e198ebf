import Type, { type Static } from 'typebox';
import { Changes, Ids, ListQuery } from '../catalogue/admin-schema.ts';
import {
  Body,
  MOST_UNPAGED,
  Name,
  PageQuery,
  Stamp,
  Success,
  SuccessPage,
  Text,
  TimeText,
  Uuid,
} from '../platform/schemas.ts';

/** Bodies and answers of /operator/teams and /operator/teams/:id/time-off. */

const { Optional } = Type;

const Shifts = Type.Array(
  Body({
    weekday: Type.Integer({
      minimum: 1,
      maximum: 7,
      description: '1 Monday to 7 Sunday, the day it starts on',
      examples: [7],
    }),
    startAt: TimeText('Start, Riyadh time, on a whole minute', '08:00'),
    endAt: TimeText('End; not after the start means the next day, equal to it 24 hours', '20:00'),
  }),
  { maxItems: 50, description: 'Weekly shifts in Riyadh time, none over another' },
);

const name = Name('Unique name', 'Team 1');
const teamSettings = {
  zoneIds: Ids('Zones it serves'),
  serviceIds: Ids('Services it can do'),
  travelBufferMinutes: Type.Integer({
    minimum: 0,
    maximum: 480,
    description: 'Minutes kept free between two appointments',
    examples: [30],
  }),
  shifts: Shifts,
  isActive: Type.Boolean({ description: 'Can it be booked?', examples: [true] }),
};

export const CreateTeam = Body({
  name,
  zoneIds: Optional(teamSettings.zoneIds),
  serviceIds: Optional(teamSettings.serviceIds),
  travelBufferMinutes: Optional(teamSettings.travelBufferMinutes),
  shifts: Optional(teamSettings.shifts),
  isActive: Optional(teamSettings.isActive),
});
export type CreateTeam = Static<typeof CreateTeam>;
export const UpdateTeam = Changes(CreateTeam);
export type UpdateTeam = Static<typeof UpdateTeam>;

export const Team = Type.Object(
  {
    id: Uuid('Team'),
    name,
    ...teamSettings,
    createdAt: Stamp(),
    updatedAt: Stamp(),
  },
  { title: 'Team' },
);
export const TeamResponse = Success(Team);
export const TeamsQuery = Type.Object({
  ...ListQuery,
  zoneId: Optional(Uuid('Only teams that serve this zone')),
  serviceId: Optional(Uuid('Only teams that can do this service')),
});
export type TeamsQuery = Static<typeof TeamsQuery>;
export const TeamsResponse = SuccessPage(Team);

// ---------------------------------------------------------------------------
// Time off

const period = {
  startsAt: Stamp('First moment off, ISO 8601 with offset', '2026-12-01T00:00:00+03:00'),
  endsAt: Stamp('First moment back, after the start', '2026-12-02T00:00:00+03:00'),
};
const reason = Text('For the operator alone', 'Training', 500);

export const CreateTimeOff = Body({ ...period, reason: Optional(reason) });
export type CreateTimeOff = Static<typeof CreateTimeOff>;

export const TimeOff = Type.Object(
  {
    id: Uuid('Time off'),
    teamId: Uuid('Its team'),
    ...period,
    reason,
    createdAt: Stamp(),
    appointments: Type.Array(
      Type.Object({
        id: Uuid('Appointment'),
        name: Text('Tracking reference', 'SA-0042', 36),
        bookingId: Uuid('Its booking'),
        startsAt: Stamp('Start', '2026-12-01T09:00:00+03:00'),
        endsAt: Stamp('End', '2026-12-01T11:00:00+03:00'),
        status: Text('Appointment status', 'Scheduled', 40),
      }),
      {
        maxItems: MOST_UNPAGED,
        description: 'Appointments of the team in this time, not cancelled: they stay until they are moved',
      },
    ),
  },
  { title: 'TimeOff' },
);
export const TimeOffParams = Type.Object({ id: Uuid('The team'), timeOffId: Uuid('The time off') });
export const TimeOffResponse = Success(TimeOff);
export const TimesOffQuery = Type.Object(PageQuery);
export type TimesOffQuery = Static<typeof TimesOffQuery>;
export const TimesOffResponse = SuccessPage(TimeOff);
