import Type, { type Static } from 'typebox';
import { MAX_MONEY } from '../base/money.ts';
import {
  ArabicName,
  Body,
  Changes,
  Choice,
  ListQuery,
  Name,
  optional,
  SortQuery,
  Uuid,
} from '../http/schemas.ts';
import { withRules } from '../http/validation.ts';
import { ComingPrices } from '../partners/price-schema.ts';
import { EXACT_PRICE, SERVICE_ORDERS, serviceChangeFaults, serviceFaults } from './service-rules.ts';
import { Flag, stamps } from './shared-schema.ts';

/** Bodies and responses of /operator/services. */

const { Optional } = Type;

const Price = Type.Number({
  minimum: 0,
  maximum: MAX_MONEY,
  rule: EXACT_PRICE,
  description: 'SAR, at most 2 decimals; for partners without a price of their own',
  examples: [249],
});
const comingPrices = ComingPrices(Price);
const EnglishName = (description: string) => Name(description, 'Deep cleaning, 4 hours');
const serviceNames = {
  name: EnglishName('Alias of `nameEn`; one of the two is required'),
  nameEn: EnglishName('English name'),
  nameAr: ArabicName('تنظيف عميق، 4 ساعات'),
};
const serviceFields = {
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
    'Whether the team is assigned at once, or once the operator has confirmed it',
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
  isActive: Flag('Whether it can be booked'),
};
export const CreateService = Body({
  ...optional(serviceNames),
  ...serviceFields,
  ...optional(serviceSettings),
  comingPrices: Optional(comingPrices),
});
withRules(CreateService, serviceFaults);
export type CreateService = Static<typeof CreateService>;
export const UpdateService = withRules(Changes(CreateService), serviceChangeFaults);
export type UpdateService = Static<typeof UpdateService>;

export const Service = Type.Object(
  {
    id: Uuid('Service'),
    ...serviceNames,
    name: EnglishName('The English name, as `nameEn`'),
    ...serviceFields,
    ...serviceSettings,
    comingPrices,
    ...stamps,
  },
  { title: 'Service' },
);
export const ServicesQuery = Type.Object({
  ...ListQuery,
  categoryId: Optional(Uuid('Filter by category')),
  zoneId: Optional(Uuid('Filter by zone')),
  ...SortQuery(SERVICE_ORDERS, 'ASC'),
});
export type ServicesQuery = Static<typeof ServicesQuery>;
