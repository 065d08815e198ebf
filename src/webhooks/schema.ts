import Type from 'typebox';
import { EVENT_NAMES } from '../bookings/rules.ts';
import { EVENT_PAYLOADS } from '../bookings/schema.ts';
import {
  Body,
  Choice,
  MOST_UNPAGED,
  Nullable,
  PageQuery,
  Stamp,
  Success,
  SuccessList,
  SuccessPage,
  Text,
  Uuid,
} from '../platform/schemas.ts';
import { DELIVERY_STATUSES, MOST_KEPT, SUBSCRIPTION_STATUSES } from './rules.ts';
import { TEST_EVENT } from './test-event.ts';

const { Optional } = Type;

const Whole = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, description, examples: [example] });
const StatusCode = (description: string, example: number) =>
  Nullable(Type.Integer({ minimum: 100, maximum: 999, description, examples: [example] }));
const Failure = (description: string, example = 'STATUS_NOT_2XX') =>
  Nullable(Text(description, example, 100));
const ResponseBody = (example: string) => Text('At most its first 1,024 bytes', example, MOST_KEPT);

// ---------------------------------------------------------------------------
// Subscriptions

const subscriptionFields = {
  url: Type.String({
    format: 'text',
    minLength: 1,
    maxLength: 2048,
    description:
      "Where deliveries go: https, in one of the account's allowed webhook domains, no credentials, not this machine " +
      'or a private network',
    examples: ['https://hooks.example.sa/bookings'],
  }),
  // The type makes the check of uniqueness a linear one.
  events: Type.Array(Type.Enum([...EVENT_NAMES], { type: 'string' }), {
    minItems: 1,
    maxItems: EVENT_NAMES.length,
    uniqueItems: true,
    description: 'What is delivered',
    examples: [['booking.created', 'booking.cancelled']],
  }),
  status: Choice([...SUBSCRIPTION_STATUSES], 'Deliveries of an inactive one wait until it is active again'),
};

export const CreateSubscription = Body({ url: subscriptionFields.url, events: subscriptionFields.events });
export const UpdateSubscription = Body({
  url: Optional(subscriptionFields.url),
  events: Optional(subscriptionFields.events),
  status: Optional(subscriptionFields.status),
});

export const Subscription = Type.Object(
  {
    id: Uuid('Subscription'),
    partnerClientId: Uuid('The partner account'),
    ...subscriptionFields,
    createdAt: Stamp('When it was created'),
    updatedAt: Stamp('When it was last changed'),
  },
  { title: 'WebhookSubscription' },
);

export const SubscriptionWithSecret = Type.Object(
  {
    ...Subscription.properties,
    secret: Type.String({
      maxLength: 100,
      pattern: '^whsec_[A-Za-z0-9_-]+$',
      description: 'Signs the deliveries; the whole string is the key. Shown this once',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq'],
    }),
  },
  { title: 'WebhookSubscriptionWithSecret' },
);

export const SubscriptionParams = Type.Object({ id: Uuid('Subscription') });
export const SubscriptionsResponse = SuccessList(Subscription);
export const SubscriptionResponse = Success(Subscription);
export const SubscriptionWithSecretResponse = Success(SubscriptionWithSecret);

export const RecoverDeliveries = Body({
  since: Type.String({
    format: 'date-time',
    description: 'ISO 8601 with offset: what failed then or later is retried',
    examples: ['2026-11-22T08:00:00+03:00'],
  }),
});
export const RecoveredResponse = Success(
  Type.Object(
    {
      id: Uuid('Subscription'),
      recovered: Whole('How many deliveries are due again', 12),
    },
    { title: 'RecoveredDeliveries' },
  ),
);

/** What the event of the test operation carries. */
export const TestPayload = Type.Object(
  {
    subscriptionId: Uuid('Subscription'),
    message: Text('What it is', 'A test of this subscription: nothing happened'),
  },
  { title: 'WebhookTestPayload' },
);

export const TestResult = Type.Object(
  {
    deliveryId: Uuid('As in the header X-Service-Delivery-Id'),
    event: Type.Literal(TEST_EVENT, { description: 'The event that was sent' }),
    ok: Type.Boolean({ description: 'Did the receiver answer 2xx within 10 seconds?', examples: [true] }),
    statusCode: StatusCode('null: no answer', 200),
    error: Failure('null: ok', 'TIMEOUT'),
    durationMs: Whole('Milliseconds of the whole attempt', 120),
    timings: Type.Object(
      {
        dnsMs: Nullable(Whole('Milliseconds to resolve the name; null: there was none to resolve', 4)),
        connectMs: Nullable(
          Whole('Milliseconds to connect, TLS included; null: an open connection was used', 35),
        ),
      },
      { title: 'WebhookTimings' },
    ),
    tls: Type.Union(
      [Type.Object({ protocol: Text('Its version', 'TLSv1.3', 20) }, { title: 'WebhookTls' }), Type.Null()],
      { description: 'null: no TLS' },
    ),
    responseBody: ResponseBody('ok'),
  },
  { title: 'WebhookTestResult' },
);
export const TestResultResponse = Success(TestResult);

// ---------------------------------------------------------------------------
// Deliveries

const deliveryFilters = {
  subscriptionId: Optional(Uuid("Only this subscription's")),
  status: Optional(Choice([...DELIVERY_STATUSES], 'Exactly this status')),
  event: Optional(Choice([...EVENT_NAMES], 'Only of these events')),
  bookingId: Optional(Uuid("Only this booking's")),
  eventId: Optional(Uuid('Only of this event')),
};
export const DeliveriesQuery = Type.Object({ ...deliveryFilters, ...PageQuery });

export const Delivery = Type.Object(
  {
    id: Uuid('Delivery; the same on every attempt'),
    subscriptionId: Uuid('Subscription'),
    event: Choice([...EVENT_NAMES], 'What happened'),
    status: Choice([...DELIVERY_STATUSES], 'FAILED: no attempt follows by itself', 'DELIVERED'),
    attemptCount: Whole('Attempts made', 1),
    statusCode: StatusCode("Of the last attempt's answer; null: there was none", 200),
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
        description: 'When the next attempt is due; null: no attempt was made yet, or none follows',
        examples: [null],
      }),
    ),
    deliveredAt: Nullable(Stamp('null: not delivered')),
    createdAt: Stamp('When the event happened'),
  },
  { title: 'WebhookDelivery' },
);

const Attempt = Type.Object(
  {
    attemptedAt: Stamp('When'),
    durationMs: Whole('Milliseconds', 120),
    statusCode: StatusCode('null: no answer', 503),
    error: Failure('null: it succeeded'),
    responseBody: ResponseBody('unavailable'),
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
      description: 'What it carries',
    }),
    attempts: Type.Array(Attempt, { maxItems: MOST_UNPAGED, description: 'Oldest first' }),
  },
  { title: 'WebhookDeliveryDetail' },
);

export const DeliveryParams = Type.Object({ id: Uuid('Delivery') });
export const DeliveriesResponse = SuccessPage(Delivery);
export const DeliveryResponse = Success(Delivery);
export const DeliveryDetailResponse = Success(DeliveryDetail);

// ---------------------------------------------------------------------------
// The operator's interface

const OfPartner = {
  partnerId: Uuid('The partner it belongs to'),
  partnerName: Text('Its name', 'Home Deals'),
};

export const OperatorSubscriptionsQuery = Type.Object({
  partnerId: Optional(Uuid("Only this partner's")),
  status: Optional(subscriptionFields.status),
  search: Optional(
    Type.String({
      format: 'text',
      maxLength: 2048,
      description: 'A part of the URL, whatever its case',
      examples: ['hooks.example.sa'],
    }),
  ),
  ...PageQuery,
});

export const OperatorSubscription = Type.Object(
  {
    ...Subscription.properties,
    ...OfPartner,
    failures: Whole('Failed attempts since the last success', 0),
    pausedUntil: Nullable(Stamp('Until when its circuit breaker makes no attempt; null: it does')),
  },
  { title: 'WebhookSubscription' },
);
export const OperatorSubscriptionsResponse = SuccessPage(OperatorSubscription);
export const OperatorSubscriptionResponse = Success(OperatorSubscription);

export const OperatorDeliveriesQuery = Type.Object({
  partnerId: Optional(Uuid("Only this partner's")),
  ...deliveryFilters,
  ...PageQuery,
});

const AtOperator = { eventId: DeliveryDetail.properties.eventId, bookingId: Uuid('Booking'), ...OfPartner };
export const OperatorDelivery = Type.Object(
  { ...Delivery.properties, ...AtOperator },
  { title: 'WebhookDelivery' },
);
export const OperatorDeliveriesResponse = SuccessPage(OperatorDelivery);
export const OperatorDeliveryResponse = Success(OperatorDelivery);
export const OperatorDeliveryDetail = Type.Object(
  {
    ...DeliveryDetail.properties,
    ...OfPartner,
    payload: Type.Unsafe<unknown>({
      type: 'object',
      description: 'What it carries, as partners get it',
      examples: [{ bookingId: '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10' }],
    }),
  },
  { title: 'WebhookDeliveryDetail' },
);
export const OperatorDeliveryDetailResponse = Success(OperatorDeliveryDetail);
