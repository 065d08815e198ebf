import Type, { type Static } from 'typebox';
import { LATITUDE, LONGITUDE } from '../contacts/rules.ts';
import { DEGREES } from '../contacts/schema.ts';
import {
  ChoiceOrNull,
  DateInput,
  DateText,
  MAX_UNPAGED,
  Stamp,
  Text,
  TimeText,
  teamNames,
  Uuid,
  zoneNames,
} from '../http/schemas.ts';
import { type Rule, withRules } from '../http/validation.ts';
import { placeFaults, type SlotProblem } from './rules.ts';

/** Query and response of /operator/availability. */

const { Optional } = Type;

const Degrees = (rule: Rule<string>, description: string, example: string) =>
  Type.String({ format: 'text', documented: DEGREES, rule, description, examples: [example] });
export const AvailabilityQuery = Type.Object({
  addressId: Optional(Uuid('An address with coordinates; or lat and lng')),
  lat: Optional(Degrees(LATITUDE, 'Latitude, decimal degrees, with lng', '24.7136')),
  lng: Optional(Degrees(LONGITUDE, 'Longitude, decimal degrees, with lat', '46.6753')),
  serviceId: Uuid('The service to be booked'),
  date: DateInput('The Riyadh date on which the slots start'),
});
withRules(AvailabilityQuery, (_input, given) => placeFaults(given));
export type AvailabilityQuery = Static<typeof AvailabilityQuery>;

const startAt = TimeText('Start, Riyadh time');
const endAt = TimeText('End; earlier than the start when it is on the next day', '11:00');

export const Starts = Type.Array(
  Type.Object({
    startAt,
    endAt,
    problem: ChoiceOrNull<SlotProblem>(
      ['SLOT_IN_PAST', 'SLOT_INSIDE_NOTICE', 'SLOT_BEYOND_HORIZON', 'SLOT_NOT_OFFERED'],
      'Why no team may take the slot, even if available; SLOT_NOT_OFFERED: the service cannot be booked there',
    ),
  }),
  { maxItems: 1_440, description: 'Slot starts at which a team of the zone is on shift' },
);

const REFUSALS = ['OFF_SHIFT', 'SCHEDULE', 'TIME_OFF', 'BUSY'] as const;

/** The reason of a team against a sold appointment at a start. */
export const placementReason = ChoiceOrNull(
  [...REFUSALS, 'NOT_IN_ZONE'],
  'Why the team cannot take this slot; NOT_IN_ZONE: at another time than the one that was sold, a team of the zone that ' +
    'covers the address now has to come',
);

/** A schedule by its names. */
export const NamedSchedule = Type.Object(
  {
    id: Uuid('Schedule'),
    nameEn: Text('English name', 'Ramadan'),
    nameAr: Text('Arabic name', 'رمضان'),
  },
  { title: 'NamedSchedule' },
);

/** Slots that customers hold, when nothing else is in the way. */
export const HoldsInTheWay = Type.Array(
  Type.Object(
    {
      holdId: Uuid('Hold'),
      partnerName: Text('Its partner', 'Home Deals'),
      startsAt: Stamp('Start of its slot', '2026-12-01T09:00:00+03:00'),
      endsAt: Stamp('End of its slot', '2026-12-01T11:00:00+03:00'),
      expiresAt: Stamp('From then on the slot is free again', '2026-12-01T07:40:00+03:00'),
    },
    { title: 'HoldInTheWay' },
  ),
  {
    maxItems: 100,
    description:
      'Slots that customers hold there, when nothing else is in the way. A sold visit displaces them: each goes to another free team; ' +
      'where there is none, `displaceHolds` of the move has to name it',
  },
);

/** A start for one team. */
export const slotFields = {
  startAt,
  free: Type.Boolean({
    description: 'Whether the team could take this slot, apart from its `problem`',
    examples: [true],
  }),
  reason: ChoiceOrNull(
    REFUSALS,
    'Why the team cannot take this slot; SCHEDULE: its weekly shifts would allow it',
  ),
  schedule: Type.Union([NamedSchedule, Type.Null()], {
    description: 'With SCHEDULE: the schedule that is against it',
  }),
  appointment: Type.Union(
    [
      Type.Object({
        id: Uuid('Appointment'),
        name: Text('Tracking reference', 'SA-0042', 36),
        bookingId: Uuid('Its booking'),
      }),
      Type.Null(),
    ],
    { description: 'The first conflicting appointment of a busy team; null: a customer holds the slot' },
  ),
  holds: HoldsInTheWay,
};

export const teamReason = ChoiceOrNull(['NO_SKILL', 'INACTIVE'], 'Why the team cannot take any slot');

export const ZoneAtPlace = Type.Union([Type.Object({ id: Uuid('Zone'), ...zoneNames }), Type.Null()], {
  description: 'The zone that covers the location; null: none',
});

export const Availability = Type.Object(
  {
    date: DateText('Requested date'),
    zone: ZoneAtPlace,
    slots: Type.Array(
      Type.Object({
        startAt,
        endAt,
        teams: Type.Integer({
          minimum: 1,
          maximum: MAX_UNPAGED,
          description: 'Number of available teams',
          examples: [2],
        }),
      }),
      { maxItems: 1_440, description: 'Slots offered to partners, sorted by start' },
    ),
    starts: Starts,
    teams: Type.Array(
      Type.Object({
        id: Uuid('Team'),
        ...teamNames,
        reason: teamReason,
        slots: Type.Array(
          Type.Object({
            ...slotFields,
          }),
          { maxItems: 1_440, description: 'One for each of `starts`' },
        ),
      }),
      { maxItems: MAX_UNPAGED, description: 'Every team of the zone, by name' },
    ),
    hints: Type.Array(Text('A hint', 'no team serves the zone Riyadh North', 400), {
      maxItems: 10,
      description: 'When no slot is offered: what is not set up, and where to set it up',
    }),
  },
  { title: 'Availability' },
);
