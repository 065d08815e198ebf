import Type from 'typebox';
import { PageQuery, Success, SuccessPage, Uuid } from '../platform/schemas.ts';

export const ListServicesQuery = Type.Object({
  addressId: Uuid('An address with coordinates'),
  ...PageQuery,
});

export const OfferedService = Type.Object({
  id: Uuid('Service; used as `serviceId`'),
  name: Type.String({ examples: ['Deep cleaning, 4 hours'] }),
  price: Type.Number({
    description: 'SAR, for this partner; locked on the booking at creation. 0: no upfront charge',
    examples: [249],
  }),
});

export const OfferedCategory = Type.Object({
  id: Uuid('Category; for display and grouping only'),
  code: Type.Union([Type.String(), Type.Null()], { examples: ['deep-cleaning'] }),
  nameEn: Type.String({ examples: ['Deep cleaning'] }),
  nameAr: Type.String({ examples: ['تنظيف عميق'] }),
  descriptionEn: Type.String({ examples: ['Every corner, top to bottom'] }),
  descriptionAr: Type.String({ examples: ['كل زاوية من الأعلى إلى الأسفل'] }),
  isActive: Type.Boolean({ examples: [true] }),
  services: Type.Array(OfferedService),
});

export const ListServicesResponse = SuccessPage(OfferedCategory);

export const ServiceParams = Type.Object({ serviceId: Uuid('Service') });
export const ServiceResponse = Success(
  Type.Object({
    id: Uuid('Service'),
    name: Type.String({ examples: ['Deep cleaning, 4 hours'] }),
    isActive: Type.Boolean({ examples: [true] }),
  }),
);
