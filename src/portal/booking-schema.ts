import Type from 'typebox';
import { Booking } from '../bookings/schema.ts';
import { FeedEvent } from '../events/schema.ts';
import { MAX_UNPAGED, Success } from '../http/schemas.ts';

export const BookingDetailResponse = Success(
  Type.Object(
    {
      booking: Booking,
      events: Type.Array(FeedEvent, {
        maxItems: MAX_UNPAGED,
        description: 'What the feed and the webhooks told of it, oldest first',
      }),
    },
    { title: 'PortalBooking' },
  ),
);
