import Type, { type Static, type TSchema } from 'typebox';
import { MAX_MONEY } from '../platform/money.ts';
import {
  Body,
  Choice,
  Name,
  Nullable,
  PageQuery,
  Stamp,
  Success,
  SuccessPage,
  Text,
  Uuid,
} from '../platform/schemas.ts';

/** Bodies and answers of /operator/categories, /operator/services and /operator/zones. */

const { Optional } = Type;

const Flag = (description: string) => Type.Boolean({ description, examples: [true] });
const Order = (description: string, example: number) =>
  Type.Integer({ minimum: -1_000_000, maximum: 1_000_000, description, examples: [example] });

/** Ids, each once. */
export const Ids = (description: string) =>
  Type.Array(Uuid('Id'), { uniqueItems: true, maxItems: 1_000, description });

/** Query parameters of every list. */
export const ListQuery = {
  search: Optional(Text('A part of the name, whatever its case', 'clean')),
  isActive: Optional(Choice(['true', 'false'], 'Only active, or only inactive')),
  ...PageQuery,
};

/** A body with the same fields, none of them required. */
export const Changes = <T extends Record<string, TSchema>>(body: Type.TObject<T>) =>
  Type.Partial(body, { additionalProperties: false });

export const IdParams = Type.Object({ id: Uuid('The resource') });
const stamps = { createdAt: Stamp(), updatedAt: Stamp() };

// ---------------------------------------------------------------------------
// Categories

const categoryTexts = {
  nameEn: Name('English name', 'Deep cleaning'),
  nameAr: Name('Arabic name', 'تنظيف عميق'),
};
export const CreateCategory = Body({
  code: Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'text',
      trimmedLength: [1, 100],
      description: 'Unique code, or null',
      examples: ['deep-cleaning'],
    }),
  ),
  ...categoryTexts,
  descriptionEn: Optional(Text('English description', 'Every corner, top to bottom', 2_000)),
  descriptionAr: Optional(Text('Arabic description', 'كل زاوية من الأعلى إلى الأسفل', 2_000)),
  sortOrder: Optional(Order('Lower first; 0 unless given', 0)),
  isActive: Optional(Flag('An inactive category hides its services; true unless given')),
});
export type CreateCategory = Static<typeof CreateCategory>;
export const UpdateCategory = Changes(CreateCategory);
export type UpdateCategory = Static<typeof UpdateCategory>;

export const Category = Type.Object(
  {
    id: Uuid('Category'),
    code: Nullable(Text('Unique code, or null', 'deep-cleaning', 100)),
    ...categoryTexts,
    descriptionEn: Text('English description', 'Every corner, top to bottom', 2_000),
    descriptionAr: Text('Arabic description', 'كل زاوية من الأعلى إلى الأسفل', 2_000),
    sortOrder: Order('Lower first', 0),
    isActive: Flag('An inactive category hides its services'),
    ...stamps,
  },
  { title: 'Category' },
);
export const CategoryResponse = Success(Category);
export const CategoriesQuery = Type.Object(ListQuery);
export type CategoriesQuery = Static<typeof CategoriesQuery>;
export const CategoriesResponse = SuccessPage(Category);

// ---------------------------------------------------------------------------
// Services

const Price = Type.Number({
  minimum: 0,
  maximum: MAX_MONEY,
  description: 'SAR, at most 2 decimals; for partners without a price of their own',
  examples: [249],
});
const serviceFields = {
  name: Name('Name', 'Deep cleaning, 4 hours'),
  categoryId: Uuid('Its category'),
  durationMinutes: Type.Integer({
    minimum: 1,
    maximum: 1_440,
    description: 'Length of its appointments, in minutes',
    examples: [240],
  }),
  defaultPrice: Price,
};
const serviceSettings = {
  zeroPriceMeans: Choice(
    ['free', 'deferred'],
    'What a price of 0 means for a PLATFORM partner: nothing to pay (in progress), or paid later (success)',
  ),
  assignment: Choice(
    ['instant', 'deferred'],
    'Is the appointment there at once, or when the operator has confirmed the team?',
  ),
  minimumNoticeMinutes: Type.Integer({
    minimum: 0,
    maximum: 525_600,
    description: 'Slots that start sooner than this are not offered',
    examples: [120],
  }),
  bookingHorizonDays: Type.Integer({
    minimum: 0,
    maximum: 730,
    description: 'Slots further ahead than this are not offered',
    examples: [60],
  }),
  isActive: Flag('Can it be booked?'),
};
export const CreateService = Body({
  ...serviceFields,
  zeroPriceMeans: Optional(serviceSettings.zeroPriceMeans),
  assignment: Optional(serviceSettings.assignment),
  minimumNoticeMinutes: Optional(serviceSettings.minimumNoticeMinutes),
  bookingHorizonDays: Optional(serviceSettings.bookingHorizonDays),
  isActive: Optional(serviceSettings.isActive),
});
export type CreateService = Static<typeof CreateService>;
export const UpdateService = Changes(CreateService);
export type UpdateService = Static<typeof UpdateService>;

export const Service = Type.Object(
  {
    id: Uuid('Service'),
    ...serviceFields,
    ...serviceSettings,
    ...stamps,
  },
  { title: 'Service' },
);
export const ServiceAdminResponse = Success(Service);
export const ServicesQuery = Type.Object({
  ...ListQuery,
  categoryId: Optional(Uuid('Only services of this category')),
  zoneId: Optional(Uuid('Only services of this zone')),
});
export type ServicesQuery = Static<typeof ServicesQuery>;
export const ServicesResponse = SuccessPage(Service);

// ---------------------------------------------------------------------------
// Zones

/** The use case says what is wrong with an area. */
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
const zoneSettings = {
  serviceIds: Ids('Services that can be booked in the zone'),
  slotGridMinutes: Type.Integer({
    minimum: 5,
    maximum: 1_440,
    description: 'Slots start at multiples of this many minutes after midnight',
    examples: [30],
  }),
  priority: Order('Where zones overlap, the lower priority, then the name, covers the point', 100),
  isActive: Flag('Does it cover addresses?'),
};
export const CreateZone = Body({
  ...zoneFields,
  serviceIds: Optional(zoneSettings.serviceIds),
  slotGridMinutes: Optional(zoneSettings.slotGridMinutes),
  priority: Optional(zoneSettings.priority),
  isActive: Optional(zoneSettings.isActive),
});
export type CreateZone = Static<typeof CreateZone>;
export const UpdateZone = Changes(CreateZone);
export type UpdateZone = Static<typeof UpdateZone>;

export const Zone = Type.Object(
  { id: Uuid('Zone'), ...zoneFields, ...zoneSettings, ...stamps },
  { title: 'Zone' },
);
export const ZoneResponse = Success(Zone);
export const ZonesQuery = Type.Object({
  ...ListQuery,
  serviceId: Optional(Uuid('Only zones with this service')),
});
export type ZonesQuery = Static<typeof ZonesQuery>;
export const ZonesResponse = SuccessPage(Zone);
