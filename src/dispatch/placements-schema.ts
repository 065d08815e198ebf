import Type from 'typebox';
import {
  placementReason,
  Starts,
  slotFields,
  teamReason,
  ZoneAtPlace,
} from '../availability/operator-schema.ts';
import {
  DateInput,
  DateText,
  MAX_UNPAGED,
  Nullable,
  TimeText,
  teamNames,
  Uuid,
  Version,
} from '../http/schemas.ts';

/** Query and response of /operator/appointments/:id/placements. */

export const PlacementsQuery = Type.Object({
  date: Type.Optional(DateInput('Riyadh date; left out: the one that the appointment has')),
});

const Kilometres = (description: string) =>
  Type.Number({ minimum: 0, maximum: 50_000, description, examples: [3.2] });

export const Placements = Type.Object(
  {
    appointmentId: Uuid('Appointment'),
    version: Version,
    date: DateText('Date of the starts'),
    isMovable: Type.Boolean({
      description: 'Whether its status and that of its booking allow a move',
      examples: [true],
    }),
    zone: Type.Union(ZoneAtPlace.anyOf, {
      description: 'The zone that covers the address; when none does, the one in which it was sold',
    }),
    starts: Starts,
    teams: Type.Array(
      Type.Object({
        id: Uuid('Team'),
        ...teamNames,
        reason: teamReason,
        rank: Nullable(
          Type.Integer({
            minimum: 1,
            maximum: MAX_UNPAGED,
            description:
              'Which team suits best, from 1: `keepsTeam`, then `best.keepsTime`, then the least `best.detourKm`, then the ' +
              'least `usedMinutes`; null: it can take none of the starts',
            examples: [1],
          }),
        ),
        keepsTeam: Type.Boolean({ description: 'Whether the appointment is its own now', examples: [true] }),
        usedMinutes: Type.Integer({
          minimum: 0,
          maximum: 1_440,
          description: 'Minutes of the date that other appointments hold, travel buffers included',
          examples: [150],
        }),
        best: Type.Union(
          [
            Type.Object({
              startAt: TimeText('Start'),
              endAt: TimeText('End; earlier than the start when it is on the next day', '11:00'),
              keepsTime: Type.Boolean({ description: 'Whether the time of day stays', examples: [true] }),
              detourKm: Kilometres('Detour at this start'),
            }),
            Type.Null(),
          ],
          { description: 'The start that suits best: the present time of day, else the least detour' },
        ),
        slots: Type.Array(
          Type.Object({
            ...slotFields,
            reason: placementReason,
            detourKm: Nullable(
              Kilometres(
                'How much further the team goes, in a straight line from the appointment before and to the one ' +
                  'after it in the shift; null: not free',
              ),
            ),
          }),
          { maxItems: 1_440, description: 'One for each of `starts`' },
        ),
      }),
      {
        maxItems: MAX_UNPAGED,
        description:
          'Every team of the zone that covers the address, and of the one in which it was sold: by rank, then those that ' +
          'cannot take it',
      },
    ),
  },
  { title: 'Placements' },
);
