import Type, { type Static } from 'typebox';
import { Conflicts } from '../catalogue/conflict-schema.ts';
import { MAX_OVERLAPS } from '../catalogue/zone-overlaps.ts';
import { zoneFaults } from '../catalogue/zone-rules.ts';
import { ConfirmOverlap, NewZone, Zone, ZoneOverlap } from '../catalogue/zone-schema.ts';
import { Body, Nullable, ReadVersion, Stamp, Text, teamNames, Uuid } from '../http/schemas.ts';
import { withRules } from '../http/validation.ts';
import { MAX_EFFECTS } from './zone-effects-queries.ts';

/** Query, body and response of /operator/zones/changes. */

const { Optional } = Type;
const MAX_ZONES = 100;

const fields = Type.Partial(Type.Object(NewZone)).properties;

export const ChangeZones = withRules(
  Body({
    zones: Type.Array(
      Body({
        id: Optional(Uuid('Zone; without one a new zone is made')),
        version: Optional(ReadVersion),
        ...fields,
      }),
      {
        minItems: 1,
        maxItems: MAX_ZONES,
        description:
          'Each with the fields to change; a `version` that it no longer has is refused. One without `id` is new, and has ' +
          '`name` and `area` at least',
      },
    ),
    confirmOverlap: ConfirmOverlap,
  }),
  ({ zones = [] }) => [
    ...zones.flatMap((zone, index) => zoneFaults(zone ?? {}).map((fault) => within(`zones.${index}`, fault))),
    ...zones.flatMap((zone, index) =>
      zone?.id !== undefined
        ? []
        : (['name', 'area'] as const)
            .filter((name) => zone?.[name] === undefined)
            .map((name) => `zones.${index}.${name} must be given, or the id of a zone`),
    ),
    ...zones.flatMap((zone, index) =>
      zone?.id !== undefined &&
      zones.findIndex((one) => one?.id?.toLowerCase() === zone.id?.toLowerCase()) < index
        ? [`zones.${index}.id must not be listed twice`]
        : [],
    ),
  ],
);
export type ChangeZones = Static<typeof ChangeZones>;

/** `area must …` as `zones.0.area must …`, and `All serviceIds's …` likewise. */
function within(path: string, fault: string): string {
  return fault.startsWith('All ') ? `All ${path}.${fault.slice(4)}` : `${path}.${fault}`;
}

const zoneId = (description: string) => Nullable(Uuid(description));
const moved = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, description, examples: [12] });

export const ZoneChanges = Type.Object(
  {
    isApplied: Type.Boolean({ description: 'false: it was a preview', examples: [true] }),
    zones: Type.Array(Zone, { maxItems: MAX_ZONES, description: 'The zones as they are, or would be' }),
    overlaps: Type.Array(ZoneOverlap, {
      maxItems: MAX_OVERLAPS,
      description:
        'Overlaps of equal priority that the changes make or alter, the first ones; without `confirmOverlap` they are refused',
    }),
    addresses: Type.Object({
      moved: moved('Addresses that lie in another zone'),
      moves: Type.Array(
        Type.Object(
          {
            fromZoneId: zoneId('Zone before; null: none'),
            toZoneId: zoneId('Zone after; null: none, and nothing can be booked there'),
            addresses: moved('How many'),
          },
          { title: 'AddressMove' },
        ),
        { maxItems: 10_000, description: 'By both zones, the most first' },
      ),
    }),
    conflicts: Conflicts,
    bookings: Type.Object({
      moved: moved('Appointments still to begin at these addresses; they keep their team and time'),
      rows: Type.Array(
        Type.Object(
          {
            bookingId: Uuid('Booking'),
            appointmentId: Uuid('Appointment'),
            trackingReference: Text('Tracking reference', 'SA-0042', 36),
            startsAt: Stamp('Start'),
            fromZoneId: zoneId('Zone before; null: none'),
            toZoneId: zoneId('Zone after; null: none'),
            team: Type.Object({ id: Uuid('Team'), ...teamNames }),
            teamServesZone: Type.Boolean({
              description: 'Whether the team serves the zone after',
              examples: [true],
            }),
          },
          { title: 'BookingMove' },
        ),
        { maxItems: MAX_EFFECTS, description: 'The first by start' },
      ),
    }),
  },
  { title: 'ZoneChanges' },
);
