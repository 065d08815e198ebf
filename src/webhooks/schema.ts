import Type, { type Static } from 'typebox';
import { EVENT_NAMES } from '../bookings/rules.ts';
import { EVENT_PAYLOADS } from '../bookings/schema.ts';
import {
  Body,
  Choice,
  MAX_UNPAGED,
  NoFields,
  Nullable,
  PageQuery,
  SortQuery,
  Stamp,
  StampOfBusiness,
  Success,
  SuccessList,
  SuccessPage,
  Text,
  Uuid,
} from '../http/schemas.ts';
import {
  DELIVERY_ORDERS,
  DELIVERY_STATUSES,
  MAX_KEPT,
  MAX_LOCATION,
  MAX_OVERLAP_HOURS,
  SUBSCRIPTION_ORDERS,
  SUBSCRIPTION_STATUSES,
} from './rules.ts';
import { TEST_EVENT } from './test-event.ts';

const { Optional } = Type;

const Whole = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, description, examples: [example] });
const StatusCode = (description: string, example: number) =>
  Nullable(Type.Integer({ minimum: 100, maximum: 999, description, examples: [example] }));
const Failure = (description: string, example = 'STATUS_NOT_2XX') =>
  Nullable(Text(description, example, 100));
const Location = () =>
  Optional(
    Type.String({
      format: 'text',
      maxLength: MAX_LOCATION,
      description: 'Of a redirect: where it leads (`Location`). Redirects are not followed',
      examples: ['https://hooks.example.sa/moved'],
    }),
  );

const ResponseBody = (example: string) =>
  Text('The first 1,024 bytes at most, phones, coordinates and credentials masked', example, MAX_KEPT);

// ---------------------------------------------------------------------------
// Subscriptions

const subscriptionFields = {
  url: Type.String({
    format: 'text',
    minLength: 1,
    maxLength: 2048,
    description:
      "Where deliveries go: https, in one of the account's allowed webhook domains, no credentials, " +
      'not this machine ' +
      'or a private network',
    examples: ['https://hooks.example.sa/bookings'],
  }),
  // The type makes the check of uniqueness a linear one.
  events: Type.Array(Type.Enum([...EVENT_NAMES], { type: 'string' }), {
    minItems: 1,
    maxItems: EVENT_NAMES.length,
    uniqueItems: true,
    description: 'Events to deliver',
    examples: [['booking.created', 'booking.cancelled']],
  }),
  status: Choice(
    [...SUBSCRIPTION_STATUSES],
    'Deliveries of an inactive subscription wait until it is active again',
  ),
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
      description: 'Signs the deliveries; the whole string is the key. Only shown in this response',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq'],
    }),
  },
  { title: 'WebhookSubscriptionWithSecret' },
);

export const SubscriptionsQuery = Type.Object({
  status: Optional(
    Type.Enum([...SUBSCRIPTION_STATUSES], { description: 'Filter by status', default: 'ACTIVE' }),
  ),
});

export const RotateSecret = Body({
  overlapHours: Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_OVERLAP_HOURS,
      default: 0,
      description:
        'Hours for which attempts are also signed with the previous secret; 0: none. Until then the ' +
        'previous secret signs `X-Service-Signature` and the new one `X-Service-Signature-Next`; ' +
        '`webhook-signature` has both',
      examples: [24],
    }),
  ),
});

export const RotatedSecret = Type.Object(
  {
    ...SubscriptionWithSecret.properties,
    previousSecretEndsAt: Nullable(Stamp('When the previous secret stops signing; null: it no longer signs')),
  },
  { title: 'WebhookSecretRotated' },
);
export const RotatedSecretResponse = Success(RotatedSecret);

export const SubscriptionParams = Type.Object({ id: Uuid('Subscription') });
export const SubscriptionsResponse = SuccessList(Subscription);
export const SubscriptionResponse = Success(Subscription);
export const SubscriptionWithSecretResponse = Success(SubscriptionWithSecret);

export const RecoverDeliveries = Body({
  since: StampOfBusiness(
    'Deliveries that failed at or after this time are retried, and whatever waits for its next retry is sent at once; ' +
      'ISO 8601 with offset',
    '2026-11-22T08:00:00+03:00',
  ),
});
export const RecoveredResponse = Success(
  Type.Object(
    {
      id: Uuid('Subscription'),
      recovered: Whole('Number of failed deliveries to be retried', 12),
      waiting: Whole('Number of deliveries that waited for their next retry, and are sent at once too', 3),
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
    ok: Type.Boolean({
      description: 'Whether the receiver responded with 2xx within 10 seconds',
      examples: [true],
    }),
    statusCode: StatusCode('null: no response', 200),
    error: Failure('null: ok', 'TIMEOUT'),
    durationMs: Whole('Duration of the whole attempt in milliseconds', 120),
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
    location: Location(),
  },
  { title: 'WebhookTestResult' },
);
export const TestResultResponse = Success(TestResult);

// ---------------------------------------------------------------------------
// Deliveries

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

/** How a replay is refused. */
const NOT_REPLAYABLE = {
  code: 'DELIVERY_NOT_RETRYABLE' as const,
  message: 'Only a DELIVERED delivery can be replayed, this one is FAILED',
  details: { status: 'FAILED' },
};

const AGAIN = {
  tags: ['Webhooks'],
  missing: ['Webhook delivery'],
  body: NoFields,
  optionalBody: true as const,
};
/** Of every route that tries a delivery again at once, whoever asks. */
export const RETRY = {
  ...AGAIN,
  summary: 'Retry a failed webhook delivery now',
  errors: ['DELIVERY_NOT_RETRYABLE' as const],
};
/** Of every route that sends a delivery once more, whoever asks. */
export const REPLAY = {
  ...AGAIN,
  summary: 'Send a delivered webhook once more, as a delivery of its own of the same event',
  errors: [NOT_REPLAYABLE],
};

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
  partnerId: Optional(Uuid('Filter by partner')),
  status: Optional(subscriptionFields.status),
  search: Optional(
    Type.String({
      format: 'text',
      maxLength: 2048,
      description: 'Part of the URL, case-insensitive',
      examples: ['hooks.example.sa'],
    }),
  ),
  ...SortQuery(SUBSCRIPTION_ORDERS, 'DESC'),
  ...PageQuery,
});

export const OperatorSubscription = Type.Object(
  {
    ...Subscription.properties,
    ...OfPartner,
    failures: Whole('Failed attempts since the last success', 0),
  },
  { title: 'WebhookSubscription' },
);
export const OperatorSubscriptionsResponse = SuccessPage(OperatorSubscription);
export const OperatorSubscriptionResponse = Success(OperatorSubscription);

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
      description: 'Payload, as partners receive it',
      examples: [{ bookingId: '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10' }],
    }),
  },
  { title: 'WebhookDeliveryDetail' },
);
export const OperatorDeliveryDetailResponse = Success(OperatorDeliveryDetail);
