import Type, { type Static } from 'typebox';
import { Body, Changes, Nullable, PageQuery, SortQuery, Stamp, Uuid } from '../http/schemas.ts';
import { withRules } from '../http/validation.ts';
import { boundsFaults, FACTOR, HOURS, TIER_ORDERS } from './rules.ts';

const { Optional } = Type;

const Minutes = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000, description, examples: [example] });

const tierFields = {
  minMinutes: Minutes('Inclusive lower bound of the duration, in minutes', 180),
  maxMinutes: Type.Unsafe<number | null>({
    ...Minutes('Inclusive upper bound, in minutes; null: no upper limit', 299),
    type: ['integer', 'null'],
  }),
  factor: Type.Number({
    minimum: 0.0001,
    maximum: 99,
    rule: FACTOR,
    description: 'Multiplies the base price; at most 4 decimals. 0.9: 10 % off',
    examples: [0.95],
  }),
  sorting: Type.Integer({
    minimum: -1_000_000,
    maximum: 1_000_000,
    description: 'Display order, lower first',
    examples: [20],
  }),
};

/** Pricing tier of section 2. */
export const PricingTier = Type.Object({ id: Uuid('Tier'), ...tierFields }, { title: 'PricingTier' });

const serviceId = Uuid('Service');

export const CalculatePrice = Body({
  items: Type.Array(
    Body({
      serviceId,
      // The use case compares them with the service's own duration, which need not be quarters.
      hours: Optional(
        Type.Number({
          maximum: 24,
          rule: HOURS,
          documented: { exclusiveMinimum: 0 },
          description:
            "Hours of service: left out or the service's own duration for the price of a booking, other quarters from 1 on for " +
            'an estimate. The `hours` of an answer can be sent as they are',
          examples: [4],
        }),
      ),
    }),
    {
      minItems: 1,
      maxItems: 10,
      description:
        'Services to price; a service may occur more than once. Not in later responses: nothing is stored',
    },
  ),
});
export type CalculatePrice = Static<typeof CalculatePrice>;

const Sar = (description: string, example: number) => Type.Number({ description, examples: [example] });
export const CalculatedPrice = Type.Object(
  {
    currency: Type.Literal('SAR'),
    items: Type.Array(
      Type.Object({
        serviceId,
        hours: Type.Number({ description: 'As sent, or the duration of the service', examples: [4] }),
        basePrice: Sar('SAR, for this partner: what a booking of the service locks', 179),
        tierId: Nullable(
          Uuid('The tier of an estimate, which holds these hours; null: none does, or `isBookable`'),
        ),
        factor: Type.Number({ description: 'Of the tier; 1 without one', examples: [0.95] }),
        price: Sar('SAR: basePrice x factor, rounded half up to 2 decimals', 170.05),
        isBookable: Type.Boolean({
          description:
            "true: the hours are the service's own duration, and `price` is what a booking locks; false: an estimate, which " +
            'no booking is charged',
          examples: [false],
        }),
      }),
      { minItems: 1, maxItems: 10, description: 'In the order of the request' },
    ),
    total: Sar('SAR: the sum of the prices; an estimate unless all are bookable', 170.05),
  },
  { title: 'CalculatedPrice' },
);

// ---------------------------------------------------------------------------
// The operator's interface

export const CreateTier = Body({
  minMinutes: tierFields.minMinutes,
  maxMinutes: Optional(tierFields.maxMinutes),
  factor: tierFields.factor,
  sorting: Optional(tierFields.sorting),
});
withRules(CreateTier, boundsFaults);
export type CreateTier = Static<typeof CreateTier>;
export const UpdateTier = withRules(Changes(CreateTier), boundsFaults);
export type UpdateTier = Static<typeof UpdateTier>;

export const Tier = Type.Object(
  { id: Uuid('Tier'), ...tierFields, createdAt: Stamp(), updatedAt: Stamp() },
  { title: 'PricingTier' },
);
export const TiersQuery = Type.Object({ ...SortQuery(TIER_ORDERS, 'ASC'), ...PageQuery });
export type TiersQuery = Static<typeof TiersQuery>;
