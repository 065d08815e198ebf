import Type, { type TSchema } from 'typebox';
import { Body, DateText } from '../http/schemas.ts';

/** Prices from dates on, in bodies and responses. */
export const ComingPrices = <Price extends TSchema>(price: Price) =>
  Type.Array(
    Body({
      from: DateText(
        'Sales from this day on have the price, from midnight in Riyadh; after today, and each day once',
      ),
      price,
    }),
    {
      maxItems: 20,
      description:
        'Prices from days after today on, in place of those that are there. Left out, these stay; one that is not listed is taken back. ' +
        'The moment of sale counts, not the day of the visit',
    },
  );
