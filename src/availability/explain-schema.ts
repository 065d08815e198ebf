import Type, { type Static } from 'typebox';
import { DEGREES } from '../contacts/schema.ts';
import { DateText, MOST_UNPAGED, Success, Text, TimeText, Uuid } from '../platform/schemas.ts';
import type { SlotProblem } from './rules.ts';

/** Query and answer of /operator/availability. */

const { Optional } = Type;

const Degrees = (description: string, example: string) =>
  Type.String({ format: 'text', documented: DEGREES, description, examples: [example] });
/** One of the values, or null. */
const Reason = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T | null>({ enum: [...values, null], description, examples: [null] });

export const AvailabilityQuery = Type.Object({
  addressId: Optional(Uuid('An address with coordinates; or lat and lng')),
  lat: Optional(Degrees('Latitude, decimal degrees, with lng', '24.7136')),
  lng: Optional(Degrees('Longitude, decimal degrees, with lat', '46.6753')),
  serviceId: Uuid('The service to be booked'),
  date: DateText('The Riyadh date on which the slots start'),
});
export type AvailabilityQuery = Static<typeof AvailabilityQuery>;

const startAt = TimeText('Start, Riyadh time');
const endAt = TimeText('End; earlier than the start when it is on the next day', '11:00');

export const Availability = Type.Object(
  {
    date: DateText('The date asked for'),
    zone: Type.Union(
      [Type.Object({ id: Uuid('Zone'), name: Text('Its name', 'Riyadh North') }), Type.Null()],
      {
        description: 'The zone that covers the place; null: none',
      },
    ),
    slots: Type.Array(
      Type.Object({
        startAt,
        endAt,
        teams: Type.Integer({
          minimum: 1,
          maximum: MOST_UNPAGED,
          description: 'How many teams are free',
          examples: [2],
        }),
      }),
      { maxItems: 1_440, description: 'What is offered, sorted by start' },
    ),
    starts: Type.Array(
      Type.Object({
        startAt,
        endAt,
        problem: Reason<SlotProblem>(
          ['SLOT_IN_PAST', 'SLOT_INSIDE_NOTICE', 'SLOT_BEYOND_HORIZON', 'SLOT_NOT_OFFERED'],
          'Why nobody may take it, however free; SLOT_NOT_OFFERED: the service cannot be booked there',
        ),
      }),
      { maxItems: 1_440, description: 'The starts of the grid at which a team of the zone is on shift' },
    ),
    teams: Type.Array(
      Type.Object({
        id: Uuid('Team'),
        name: Text('Its name', 'Team 1'),
        reason: Reason(['NO_SKILL', 'INACTIVE'], 'Why it can take no start at all'),
        slots: Type.Array(
          Type.Object({
            startAt,
            free: Type.Boolean({
              description: 'Could it take this start, its `problem` apart?',
              examples: [true],
            }),
            reason: Reason(['OFF_SHIFT', 'TIME_OFF', 'BUSY'], 'What keeps it from this start'),
            appointment: Type.Union(
              [
                Type.Object({
                  id: Uuid('Appointment'),
                  name: Text('Tracking reference', 'SA-0042', 36),
                  bookingId: Uuid('Its booking'),
                }),
                Type.Null(),
              ],
              { description: 'The first appointment that holds a busy team' },
            ),
          }),
          { maxItems: 1_440, description: 'One for each of `starts`' },
        ),
      }),
      { maxItems: MOST_UNPAGED, description: 'Every team of the zone, by name' },
    ),
  },
  { title: 'Availability' },
);
export const AvailabilityResponse = Success(Availability);
