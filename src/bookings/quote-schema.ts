import Type, { type Static } from 'typebox';
import { Choice, DateInput, Nullable, Stamp, TimeText, Uuid } from '../http/schemas.ts';
import { withRules } from '../http/validation.ts';
import { QuotedPolicy, Sar, ShownPolicy } from '../policies/schema.ts';
import { CHANGE_ACTIONS, OUTCOMES } from '../policies/words.ts';
import { quoteFaults } from './timeslots.ts';

const Action = Choice([...CHANGE_ACTIONS], 'The change');

export const QuoteQuery = withRules(
  Type.Object({
    action: Action,
    date: Type.Optional(DateInput('Of `reschedule`: the new Riyadh date; given alone, the times stay')),
    startAt: Type.Optional(TimeText('Of `reschedule`: the new start, with `endAt`')),
    endAt: Type.Optional(TimeText('Of `reschedule`: the new end', '11:00')),
  }),
  quoteFaults,
);
export type QuoteQuery = Static<typeof QuoteQuery>;

const description = 'The policy that the booking was made under; null: none, and changes are free';
/** The policy of a booking, without a quote. */
export const BookedPolicy = Type.Union([ShownPolicy, Type.Null()], { description });

export const Quote = Type.Object(
  {
    bookingId: Uuid('Booking'),
    action: Action,
    fee: Nullable(
      Sar(
        'SAR: what the change costs now; null: nobody knows why the visit has not begun or was not done, and the operator decides',
        37.5,
      ),
    ),
    feeAtMost: Sar('SAR: `fee`, or the most that the operator can decide on', 37.5),
    earlierFees: Sar('SAR: fees of earlier changes, which a cancellation keeps too', 0),
    refund: Nullable(
      Sar(
        'SAR: what a cancellation gives back of what was paid, which is `fee`, `earlierFees` and this; null: the operator ' +
          'decides. Under PARTNER you refund it yourself',
        112.5,
      ),
    ),
    currency: Choice(['SAR'], 'Currency of all amounts'),
    validUntil: Nullable(
      Stamp('The last moment at which the fee is this; null: it stays', '2026-12-01T06:00:00+03:00'),
    ),
    policy: Type.Union([QuotedPolicy, Type.Null()], { description }),
  },
  { title: 'Quote' },
);

export const OperatorQuoteQuery = Type.Object({
  action: Action,
  outcome: Type.Optional(
    Choice(
      [...OUTCOMES],
      'Of `cancel`: what closing a visit that could not be done costs with this outcome; of a canceled booking what recording it keeps',
    ),
  ),
  by: Type.Optional(
    Choice(['PARTNER', 'OPERATOR'], 'Who makes the change. An operator’s has no fee. Default PARTNER'),
  ),
});
