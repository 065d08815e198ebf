import Type from 'typebox';
import { BookedPolicy } from '../bookings/quote-schema.ts';
import { Booking } from '../bookings/schema.ts';
import { FeedEvent } from '../events/schema.ts';
import { MAX_UNPAGED, Nullable } from '../http/schemas.ts';

export const BookingDetail = Type.Object(
  {
    booking: Booking,
    policy: BookedPolicy,
    paymentLink: Nullable(
      Type.String({
        format: 'uri',
        maxLength: 2_048,
        description:
          'In a sandbox: where its customer pays. null: production, or nothing is to be paid by link now',
        examples: ['https://sandbox.example.sa/checkout/4hT9vQ2m'],
      }),
    ),
    events: Type.Array(FeedEvent, {
      maxItems: MAX_UNPAGED,
      description: 'What the feed and the webhooks told of it, oldest first',
    }),
  },
  { title: 'PortalBooking' },
);
