import Type from 'typebox';
import { EVENT_NAMES } from '../bookings/rules.ts';
import { Body, Choice, PageQuery, Success, SuccessPage, Uuid } from '../platform/schemas.ts';
import { DELIVERY_STATUSES, SUBSCRIPTION_STATUSES } from './rules.ts';
import { TEST_EVENT } from './test-event.ts';

const { Optional } = Type;

const Stamp = (description: string) => Type.String({ description, examples: ['2026-11-22T08:00:00+03:00'] });
const StampOrNull = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: ['2026-11-22T08:00:00+03:00'] });
const WholeOrNull = (description: string, example: number) =>
  Type.Union([Type.Integer(), Type.Null()], { description, examples: [example] });

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

export const Subscription = Type.Object({
  id: Uuid('Subscription'),
  partnerClientId: Uuid('The partner account'),
  ...subscriptionFields,
  createdAt: Stamp('When it was created'),
  updatedAt: Stamp('When it was last changed'),
});

export const SubscriptionWithSecret = Type.Object({
  ...Subscription.properties,
  secret: Type.String({
    description: 'Signs the deliveries; the whole string is the key. Shown this once',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq'],
  }),
});

export const SubscriptionParams = Type.Object({ id: Uuid('Subscription') });
export const SubscriptionsResponse = Success(Type.Array(Subscription));
export const SubscriptionResponse = Success(Subscription);
export const SubscriptionWithSecretResponse = Success(SubscriptionWithSecret);

/** Of operations that take nothing; their routes let it be absent, too. */
export const NoFields = Body({});

export const RecoverDeliveries = Body({
  since: Type.String({
    format: 'date-time',
    description: 'ISO 8601 with offset: what failed then or later is retried',
    examples: ['2026-11-22T08:00:00+03:00'],
  }),
});
export const RecoveredResponse = Success(
  Type.Object({
    id: Uuid('Subscription'),
    recovered: Type.Integer({ description: 'How many deliveries are due again', examples: [12] }),
  }),
);

export const TestResult = Type.Object({
  deliveryId: Uuid('As in the header X-Service-Delivery-Id'),
  event: Type.Literal(TEST_EVENT),
  ok: Type.Boolean({ description: 'Did the receiver answer 2xx within 10 seconds?', examples: [true] }),
  statusCode: WholeOrNull('null: no answer', 200),
  error: Type.Union([Type.String(), Type.Null()], { description: 'null: ok', examples: ['TIMEOUT'] }),
  durationMs: Type.Integer({ description: 'Milliseconds of the whole attempt', examples: [120] }),
  timings: Type.Object({
    dnsMs: WholeOrNull('Milliseconds to resolve the name; null: there was none to resolve', 4),
    connectMs: WholeOrNull('Milliseconds to connect, TLS included; null: an open connection was used', 35),
  }),
  tls: Type.Union([Type.Object({ protocol: Type.String({ examples: ['TLSv1.3'] }) }), Type.Null()], {
    description: 'null: no TLS',
  }),
  responseBody: Type.String({ description: 'At most its first 1,024 bytes', examples: ['ok'] }),
});
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

export const Delivery = Type.Object({
  id: Uuid('Delivery; the same on every attempt'),
  subscriptionId: Uuid('Subscription'),
  event: Choice([...EVENT_NAMES], 'What happened'),
  status: Choice([...DELIVERY_STATUSES], 'FAILED: no attempt follows by itself'),
  attemptCount: Type.Integer({ description: 'Attempts made', examples: [1] }),
  statusCode: WholeOrNull("Of the last attempt's answer; null: there was none", 200),
  error: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the last attempt failed, or SUBSCRIPTION_REMOVED; null: it did not',
    examples: ['STATUS_NOT_2XX'],
  }),
  nextRetryAt: StampOrNull('When the next attempt is due; null: no attempt was made yet, or none follows'),
  deliveredAt: StampOrNull('null: not delivered'),
  createdAt: Stamp('When the event happened'),
});

export const DeliveryDetail = Type.Object({
  ...Delivery.properties,
  eventId: Uuid('Event, as in the event feed'),
  bookingId: Uuid('Booking'),
  payload: Type.Unknown({ description: 'What it carries', examples: [{}] }),
  attempts: Type.Array(
    Type.Object({
      attemptedAt: Stamp('When'),
      durationMs: Type.Integer({ description: 'Milliseconds', examples: [120] }),
      statusCode: WholeOrNull('null: no answer', 503),
      error: Type.Union([Type.String(), Type.Null()], {
        description: 'null: it succeeded',
        examples: ['STATUS_NOT_2XX'],
      }),
      responseBody: Type.String({ description: 'At most its first 1,024 bytes', examples: ['unavailable'] }),
    }),
    { description: 'Oldest first' },
  ),
});

export const DeliveryParams = Type.Object({ id: Uuid('Delivery') });
export const DeliveriesResponse = SuccessPage(Delivery);
export const DeliveryResponse = Success(Delivery);
export const DeliveryDetailResponse = Success(DeliveryDetail);

// ---------------------------------------------------------------------------
// The operator's interface

const OfPartner = {
  partnerId: Uuid('The partner it belongs to'),
  partnerName: Type.String({ examples: ['Home Deals'] }),
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

export const OperatorSubscription = Type.Object({
  ...Subscription.properties,
  ...OfPartner,
  failures: Type.Integer({ description: 'Failed attempts since the last success', examples: [0] }),
  pausedUntil: StampOrNull('Until when its circuit breaker makes no attempt; null: it does'),
});
export const OperatorSubscriptionsResponse = SuccessPage(OperatorSubscription);
export const OperatorSubscriptionResponse = Success(OperatorSubscription);

export const OperatorDeliveriesQuery = Type.Object({
  partnerId: Optional(Uuid("Only this partner's")),
  ...deliveryFilters,
  ...PageQuery,
});

const AtOperator = { eventId: DeliveryDetail.properties.eventId, bookingId: Uuid('Booking'), ...OfPartner };
export const OperatorDelivery = Type.Object({ ...Delivery.properties, ...AtOperator });
export const OperatorDeliveriesResponse = SuccessPage(OperatorDelivery);
export const OperatorDeliveryResponse = Success(OperatorDelivery);
export const OperatorDeliveryDetailResponse = Success(
  Type.Object({ ...DeliveryDetail.properties, ...OfPartner }),
);
