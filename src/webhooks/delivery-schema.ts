import Type, { type Static } from 'typebox';
import { EVENT_NAMES } from '../bookings/rules.ts';
import { EVENT_PAYLOADS } from '../bookings/schema.ts';
import {
  Choice,
  MAX_UNPAGED,
  NoFields,
  Nullable,
  PageQuery,
  SortQuery,
  Stamp,
  Uuid,
} from '../http/schemas.ts';
import { DELIVERY_ORDERS, DELIVERY_STATUSES } from './rules.ts';
import { Failure, Location, PartnerFields, ResponseBody, StatusCode, Whole } from './shared-schema.ts';

const { Optional } = Type;

const deliveryFilters = {
  subscriptionId: Optional(Uuid('Filter by subscription')),
  status: Optional(Choice([...DELIVERY_STATUSES], 'Filter by status')),
  event: Optional(Choice([...EVENT_NAMES], 'Filter by event name')),
  bookingId: Optional(Uuid('Filter by booking')),
  eventId: Optional(Uuid('Filter by event')),
};
export const DeliveriesQuery = Type.Object({ ...deliveryFilters, ...PageQuery });

export const Delivery = Type.Object(
  {
    id: Uuid('Delivery; the same on every attempt'),
    subscriptionId: Uuid('Subscription'),
    event: Choice([...EVENT_NAMES], 'What happened'),
    status: Choice([...DELIVERY_STATUSES], 'FAILED: no attempt follows by itself', 'DELIVERED'),
    attemptCount: Whole('Number of attempts', 1),
    statusCode: StatusCode('Status code of the last response; null: no response', 200),
    error: Nullable(
      Type.String({
        format: 'text',
        maxLength: 100,
        description: 'Why the last attempt failed, or SUBSCRIPTION_REMOVED; null: it did not',
        examples: [null],
      }),
    ),
    nextRetryAt: Nullable(
      Type.String({
        format: 'date-time',
        description:
          'When the next attempt is due; null: no attempt was made yet, it is due already or under way, its ' +
          'subscription is inactive, or none follows',
        examples: [null],
      }),
    ),
    deliveredAt: Nullable(Stamp('null: not delivered')),
    createdAt: Stamp('When the event happened; of a replay: when it was asked for'),
    replay: Whole('0: sent because the event happened; 1 and more: which replay of it this is', 0),
  },
  { title: 'WebhookDelivery' },
);

const Attempt = Type.Object(
  {
    attemptedAt: Stamp('When'),
    durationMs: Whole('Milliseconds', 120),
    statusCode: StatusCode('null: no response', 503),
    error: Failure('null: it succeeded'),
    responseBody: ResponseBody('unavailable'),
    location: Location(),
  },
  { title: 'WebhookAttempt' },
);

export const DeliveryDetail = Type.Object(
  {
    ...Delivery.properties,
    eventId: Uuid('Event, as in the event feed'),
    bookingId: Uuid('Booking'),
    payload: Type.Unsafe<unknown>({
      anyOf: [...new Set(Object.values(EVENT_PAYLOADS))],
      description: 'Payload',
    }),
    attempts: Type.Array(Attempt, { maxItems: MAX_UNPAGED, description: 'Oldest first' }),
  },
  { title: 'WebhookDeliveryDetail' },
);

const NOT_REPLAYABLE = {
  code: 'DELIVERY_NOT_RETRYABLE' as const,
  message: 'Only a DELIVERED delivery can be replayed, this one is FAILED',
  details: { status: 'FAILED' },
};

const REPEAT = {
  tags: ['Webhooks'],
  missing: ['Webhook delivery'],
  body: NoFields,
  optionalBody: true as const,
};
/** Shared by the routes of all interfaces that retry a delivery. */
export const RETRY = {
  ...REPEAT,
  summary: 'Retry a failed webhook delivery now',
  errors: ['DELIVERY_NOT_RETRYABLE' as const],
};
/** Shared by the routes of all interfaces that replay a delivery. */
export const REPLAY = {
  ...REPEAT,
  summary: 'Send a delivered webhook once more, as a delivery of its own of the same event',
  errors: [NOT_REPLAYABLE],
};

export const DeliveryParams = Type.Object({ id: Uuid('Delivery') });

// ---------------------------------------------------------------------------
// The operator's interface

export const OperatorDeliveriesQuery = Type.Object({
  partnerId: Optional(Uuid('Filter by partner')),
  ...deliveryFilters,
  failingWithinHours: Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_160,
      description:
        'Only those that fail: given up within these hours, or with a failed attempt and another one to come',
      examples: [24],
    }),
  ),
  ...SortQuery(DELIVERY_ORDERS, 'DESC'),
  ...PageQuery,
});
export type OperatorDeliveriesQuery = Static<typeof OperatorDeliveriesQuery>;

const AtOperator = {
  eventId: DeliveryDetail.properties.eventId,
  bookingId: Uuid('Booking'),
  ...PartnerFields,
};
export const OperatorDelivery = Type.Object(
  { ...Delivery.properties, ...AtOperator },
  { title: 'WebhookDelivery' },
);
export const OperatorDeliveryDetail = Type.Object(
  {
    ...DeliveryDetail.properties,
    ...PartnerFields,
    payload: Type.Unsafe<unknown>({
      type: 'object',
      description: 'Payload, as partners receive it',
      examples: [{ bookingId: '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10' }],
    }),
  },
  { title: 'WebhookDeliveryDetail' },
);
