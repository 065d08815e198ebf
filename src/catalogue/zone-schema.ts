import Type, { type Static } from 'typebox';
import {
  ArabicName,
  Body,
  Changes,
  Ids,
  ListQuery,
  Name,
  optional,
  SortQuery,
  Uuid,
  Version,
  zoneNames,
} from '../http/schemas.ts';
import { withRules } from '../http/validation.ts';
import { Flag, Order, stamps } from './shared-schema.ts';
import { ZONE_ORDERS, zoneFaults } from './zone-rules.ts';

/** Bodies and responses of /operator/zones. */

const { Optional } = Type;

/** The use case checks the area. */
const POSITION = { documented: { minItems: 2, maxItems: 3 } };
const RING = { documented: { minItems: 4, maxItems: 2_000 } };

const Area = Body({
  type: Type.Literal('Polygon'),
  coordinates: Type.Array(Type.Array(Type.Array(Type.Number(), POSITION), RING), {
    documented: { maxItems: 1 },
    description: 'One closed ring of 4 to 2,000 positions [longitude, latitude], without holes',
    examples: [
      [
        [
          [46.6, 24.6],
          [46.8, 24.6],
          [46.8, 24.8],
          [46.6, 24.6],
        ],
      ],
    ],
  }),
});
const zoneFields = { name: Name('Unique name', 'Riyadh North'), area: Area };
const nameAr = ArabicName('شمال الرياض');
const zoneSettings = {
  serviceIds: Ids('Services that can be booked in the zone'),
  slotGridMinutes: Type.Integer({
    minimum: 5,
    maximum: 1_440,
    description: 'Slots start at multiples of this many minutes after midnight',
    examples: [30],
  }),
  priority: Order(
    'Where zones overlap, the one with the lower priority, then the first by name, covers the point',
    100,
  ),
  isActive: Flag('Whether the zone covers addresses'),
};
/** The fields of a new zone. */
export const NewZone = {
  ...zoneFields,
  nameAr: Optional(nameAr),
  ...optional(zoneSettings),
};
export const ConfirmOverlap = Optional(
  Flag(
    'Whether overlaps with zones of equal priority, which are refused else, are wanted: all that the zone has',
  ),
);
export const CreateZone = Body({ ...NewZone, confirmOverlap: ConfirmOverlap });
withRules(CreateZone, zoneFaults);
export type CreateZone = Static<typeof CreateZone>;
export const UpdateZone = withRules(Changes(CreateZone), zoneFaults);
export type UpdateZone = Static<typeof UpdateZone>;

export const Zone = Type.Object(
  {
    id: Uuid('Zone'),
    name: zoneFields.name,
    nameAr,
    area: Area,
    ...zoneSettings,
    confirmedOverlaps: Ids(
      'Zones of equal priority whose overlap with it was confirmed; `version` does not count them',
    ),
    version: Version,
    ...stamps,
  },
  { title: 'Zone' },
);

const ZoneName = (description: string) => Type.Object({ id: Uuid('Zone'), ...zoneNames }, { description });
const inCommon = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, description, examples: [12] });
export const ZoneOverlap = Type.Object(
  {
    zone: ZoneName('A zone that was changed'),
    other: ZoneName('The zone of equal priority that it overlaps'),
    coveredBy: Uuid('The zone that covers what they have in common: the first by name'),
    addresses: inCommon('Addresses in both'),
    appointments: inCommon('Appointments still to begin at these addresses'),
  },
  { title: 'ZoneOverlap' },
);
export const ZonesQuery = Type.Object({
  ...ListQuery,
  serviceId: Optional(Uuid('Filter by service')),
  ...SortQuery(ZONE_ORDERS, 'ASC'),
});
export type ZonesQuery = Static<typeof ZonesQuery>;
