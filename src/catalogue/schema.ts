import Type from 'typebox';
import { Choice, MAX_UNPAGED, Nullable, PageMeta, PageQuery, Text, Uuid } from '../http/schemas.ts';
import { ShownPolicy } from '../policies/schema.ts';
import { UNSERVED } from './rules.ts';

export const ListServicesQuery = Type.Object({
  addressId: Uuid('An address with coordinates'),
  ...PageQuery,
});

/** A service without an Arabic name has its English one in both. */
const ServiceNames = {
  nameEn: Text('English name', 'Deep cleaning, 4 hours'),
  nameAr: Text('Arabic name', 'تنظيف عميق، ٤ ساعات'),
};

export const OfferedPolicy = Type.Union([ShownPolicy, Type.Null()], {
  description: 'Fees for changes of a booking that is made now; null: none',
});

const OfferedService = Type.Object(
  {
    id: Uuid('Service; used as `serviceId`'),
    name: Text('Name, in the language of your account', 'Deep cleaning, 4 hours'),
    ...ServiceNames,
    price: Type.Number({
      description: 'SAR, for this partner; locked on the booking at creation. 0: no upfront charge',
      examples: [249],
    }),
    policy: OfferedPolicy,
  },
  { title: 'OfferedService' },
);

export const OfferedCategory = Type.Object(
  {
    id: Uuid('Category; for display and grouping only'),
    code: Nullable(Text('Category code', 'deep-cleaning', 100)),
    nameEn: Text('English name', 'Deep cleaning'),
    nameAr: Text('Arabic name', 'تنظيف عميق'),
    descriptionEn: Text('English description', 'Every corner, top to bottom', 2_000),
    descriptionAr: Text('Arabic description', 'كل زاوية من الأعلى إلى الأسفل', 2_000),
    isActive: Type.Boolean({ description: 'Whether the category is active', examples: [true] }),
    services: Type.Array(OfferedService, { maxItems: MAX_UNPAGED, description: 'Sorted by name' }),
  },
  { title: 'OfferedCategory' },
);

/** Why nothing is offered at a place. */
const reason = Type.Optional(
  Choice(
    UNSERVED,
    'Only when nothing is offered at the place. `PLACE_NOT_COVERED`: it is outside of every zone; `NOT_OFFERED_AT_PLACE`: its ' +
      'zone does not have the service, or any of yours',
  ),
);
/** `meta` of a response that is empty because the place is not served. */
export const UnservedMeta = Type.Object({ reason }, { title: 'UnservedMeta' });

export const ListServicesResponse = Type.Object({
  success: Type.Literal(true),
  data: Type.Array(OfferedCategory, { maxItems: 100 }),
  meta: Type.Object({ ...PageMeta.properties, reason }, { title: 'ServicesPageMeta' }),
});

export const ServiceParams = Type.Object({ serviceId: Uuid('Service') });
export const Service = Type.Object(
  {
    id: Uuid('Service'),
    name: Text('Name, in the language of your account', 'Deep cleaning, 4 hours'),
    ...ServiceNames,
    isActive: Type.Boolean({ description: 'Whether it can be booked', examples: [true] }),
    policy: OfferedPolicy,
  },
  { title: 'Service' },
);
