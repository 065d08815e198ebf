import Type from 'typebox';
import { Nullable, Success, SuccessList, Text, Uuid } from '../http/schemas.ts';
import { Key, Partner } from '../partners/schema.ts';

const Whole = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, description, examples: [example] });

export const AccountResponse = Success(
  Type.Object(
    {
      partner: Type.Union([Partner, Type.Null()], {
        description: 'The settings of the partner; null: the session is limited',
      }),
      keys: Type.Array(Key, {
        maxItems: 100,
        description: 'The keys of the partner, newest first; in a limited session the one that was typed in',
      }),
    },
    { title: 'PortalAccount' },
  ),
);

export const EnabledService = Type.Object(
  {
    id: Uuid('Service'),
    nameEn: Text('Its English name', 'Regular cleaning'),
    nameAr: Nullable(Text('Its Arabic name; null: the English one is used', 'تنظيف عادي')),
    categoryEn: Text('English name of its category', 'Cleaning'),
    categoryAr: Text('Arabic name of its category', 'تنظيف'),
    durationMinutes: Whole('Minutes', 120),
    minimumNoticeMinutes: Whole('Minutes before a start from which on it cannot be booked', 120),
    bookingHorizonDays: Whole('Days ahead for which it can be booked', 60),
    price: Type.Number({ minimum: 0, maximum: 1e10, description: 'SAR', examples: [150] }),
    isOwnPrice: Type.Boolean({
      description: 'Whether the price was agreed with the partner, and is not the usual one',
      examples: [false],
    }),
  },
  { title: 'PortalService' },
);
export const ServicesResponse = SuccessList(EnabledService);
