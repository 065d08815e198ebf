import Type from 'typebox';
import { Nullable, Text, Uuid } from '../http/schemas.ts';
import {
  DeliveriesQuery,
  Delivery,
  DeliveryDetail,
  OperatorDeliveriesQuery,
} from '../webhooks/delivery-schema.ts';
import { Subscription } from '../webhooks/subscription-schema.ts';

export const PortalSubscription = Type.Object(
  {
    ...Subscription.properties,
    failures: Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'Failed attempts since the last success',
      examples: [0],
    }),
  },
  { title: 'PortalSubscription' },
);

export const PortalDeliveriesQuery = Type.Object({
  ...DeliveriesQuery.properties,
  failingWithinHours: OperatorDeliveriesQuery.properties.failingWithinHours,
});

const DeliveryUrl = Nullable(
  Text('Where it goes; null: the subscription was removed', 'https://hooks.example.sa', 2_048),
);
const beside = {
  eventId: Uuid('Event, as in the event feed'),
  bookingId: Uuid('Booking'),
  url: DeliveryUrl,
};
export const PortalDelivery = Type.Object({ ...Delivery.properties, ...beside }, { title: 'PortalDelivery' });

const Header = Type.Object(
  { name: Text('Name', 'x-service-event', 100), value: Text('Value', 'booking.created', 1_000) },
  { title: 'PortalHeader' },
);
const { attempts, payload, ...detail } = DeliveryDetail.properties;
export const PortalDeliveryDetail = Type.Object(
  {
    ...detail,
    url: DeliveryUrl,
    payload: Type.Unsafe<unknown>({
      type: 'object',
      description: 'Payload',
      examples: [{ bookingId: '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10' }],
    }),
    body: Text(
      'The body of every attempt, to the byte: what the signatures cover',
      '{"deliveryId":"…","event":"booking.created","payload":{}}',
      1_000_000,
    ),
    attempts: Type.Array(
      Type.Object(
        {
          ...attempts.items.properties,
          headers: Type.Array(Header, {
            maxItems: 20,
            description: 'The headers that were sent; empty: nothing was, or they were not kept',
          }),
        },
        { title: 'PortalAttempt' },
      ),
      { maxItems: 10_000, description: 'Oldest first' },
    ),
  },
  { title: 'PortalDeliveryDetail' },
);
