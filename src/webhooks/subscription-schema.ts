import Type from 'typebox';
import { EVENT_NAMES } from '../bookings/rules.ts';
import {
  Body,
  Choice,
  Nullable,
  optional,
  PageQuery,
  SortQuery,
  Stamp,
  StampOfBusiness,
  Text,
  Uuid,
} from '../http/schemas.ts';
import { MAX_OVERLAP_HOURS, SUBSCRIPTION_ORDERS, SUBSCRIPTION_STATUSES } from './rules.ts';
import { Failure, Location, PartnerFields, ResponseBody, StatusCode, Whole } from './shared-schema.ts';
import { TEST_EVENT } from './test-event.ts';

const { Optional } = Type;

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
  // With the type, the check of uniqueness is linear.
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
  ...optional(subscriptionFields),
});

export const Subscription = Type.Object(
  {
    id: Uuid('Subscription'),
    partnerClientId: Uuid('The partner account'),
    ...subscriptionFields,
    previousSecretEndsAt: Nullable(
      Stamp('When the previous secret stops signing, after a rotation; null: it no longer signs'),
    ),
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
  { ...SubscriptionWithSecret.properties },
  { title: 'WebhookSecretRotated' },
);

export const SubscriptionParams = Type.Object({ id: Uuid('Subscription') });

export const RecoverDeliveries = Body({
  since: StampOfBusiness(
    'Deliveries that failed at or after this time are retried, and whatever waits for its next retry is sent at once; ' +
      'ISO 8601 with offset. Not in later responses: it chooses what is sent now',
    '2026-11-22T08:00:00+03:00',
  ),
});
export const Recovered = Type.Object(
  {
    id: Uuid('Subscription'),
    recovered: Whole('Number of failed deliveries to be retried', 12),
    waiting: Whole('Number of deliveries that waited for their next retry, and are sent at once too', 3),
  },
  { title: 'RecoveredDeliveries' },
);

/** Payload of the test event. */
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

// ---------------------------------------------------------------------------
// The operator's interface

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
    ...PartnerFields,
    failures: Whole('Failed attempts since the last success', 0),
  },
  { title: 'WebhookSubscription' },
);
