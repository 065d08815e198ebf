import Type from 'typebox';
import { Choice, Nullable, Stamp, Success, Uuid } from '../http/schemas.ts';
import { CHANGE_ACTIONS } from '../policies/rules.ts';
import { Sar, ShownPolicy } from '../policies/schema.ts';

const Action = Choice([...CHANGE_ACTIONS], 'The change');

export const QuoteQuery = Type.Object({ action: Action });

export const Quote = Type.Object(
  {
    bookingId: Uuid('Booking'),
    action: Action,
    fee: Sar('SAR: what the change costs now', 37.5),
    earlierFees: Sar('SAR: fees of earlier changes, which a cancellation keeps too', 0),
    refund: Nullable(
      Sar(
        'SAR: what a cancellation gives back of what was paid, which is `fee`, `earlierFees` and this; null: the work has ' +
          'begun, and the operator decides. Under PARTNER you refund it yourself',
        112.5,
      ),
    ),
    currency: Choice(['SAR'], 'Currency of all amounts'),
    validUntil: Nullable(
      Stamp('The last moment at which the fee is this; null: it stays', '2026-12-01T06:00:00+03:00'),
    ),
    policy: Type.Union([ShownPolicy, Type.Null()], {
      description: 'The policy that the booking was made under; null: none, and changes are free',
    }),
  },
  { title: 'Quote' },
);
export const QuoteResponse = Success(Quote);

export const OperatorQuoteQuery = Type.Object({
  action: Action,
  by: Type.Optional(
    Choice(['PARTNER', 'OPERATOR'], 'Who makes the change. An operator’s has no fee. Default PARTNER'),
  ),
});
