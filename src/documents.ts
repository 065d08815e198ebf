import type { RouteOptions } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { APPOINTMENT_MOVES, EVENT_NAMES, type EventName, statusesFor } from './bookings/rules.ts';
import { EVENT_PAYLOADS } from './bookings/schema.ts';
import { duplicateReference } from './bookings/slot.ts';
import type { ErrorCode } from './errors.ts';
import {
  type ErrorExample,
  type Interface,
  type OpenApiDocument,
  type Operation,
  openApiDocument,
} from './platform/openapi.ts';
import { exampleOf, keepComponent, toJsonSchema } from './platform/openapi-schemas.ts';
import { Nullable, Stamp, Text, Uuid } from './platform/schemas.ts';
import { MOST_SUBSCRIPTIONS } from './webhooks/rules.ts';
import { TestPayload } from './webhooks/schema.ts';
import { TEST_EVENT } from './webhooks/test-event.ts';

/**
 * The OpenAPI documents of the two interfaces. They are committed (openapi.json, openapi.operator.json) and made
 * by scripts/print-openapi.ts; nothing here runs in a service.
 */

const DEPLOYMENT = 'The deployment that serves this document: sandbox or production';
/** Stands in the examples for the address of the documentation, as in docs/errors.md. */
const DOCS_URL = 'https://booking.example/docs';
const LICENSE = { name: 'MIT', identifier: 'MIT' };

// ---------------------------------------------------------------------------
// Refusals

const alternatives = [{ date: '2026-12-01', startAt: '13:00', endAt: '15:00' }];

/** Every code with when it comes, and a message and details as they are answered. */
export const ERROR_EXAMPLES: Record<ErrorCode, ErrorExample> = {
  VALIDATION_ERROR: {
    when: 'All faults of the request, one message for each field',
    message: 'The request is not valid',
  },
  UNAUTHORIZED: {
    when: 'The key is missing, unknown, expired or revoked, or its partner is suspended',
    message: 'The API key is missing or not valid',
    details: {
      check: 'key',
      reason: 'missing',
      hints: ['send the key in the header x-api-key'],
    },
  },
  FORBIDDEN: {
    when: 'The key lacks the permission, or may not be used from this address',
    message: 'The API key lacks the permission this operation needs',
    details: { check: 'permission', permission: 'partner_bookings_create' },
  },
  INVALID_PARTNER_DOMAIN: {
    when: 'The request names a domain that the partner does not allow',
    message: 'Requests from this domain are not allowed',
    details: { check: 'domain', domain: 'elsewhere.sa', source: 'Origin' },
  },
  SANDBOX_DOMAIN_NOT_ALLOWED: {
    when: 'The request names a sandbox domain, and the deployment refuses these',
    message: 'Requests from this domain are not allowed',
    details: { check: 'domain', domain: 'sandbox.example.sa', source: 'x-partner-domain' },
  },
  RESOURCE_NOT_FOUND: {
    when: "It does not exist, or is another partner's",
    message: 'Booking not found',
    details: { resource: 'booking' },
  },
  SERVICE_NOT_ALLOWED: {
    when: 'The service is not enabled for the partner, or not available at the address',
    message: 'The service is not enabled for this partner',
  },
  DUPLICATE_EXTERNAL_REFERENCE: {
    when: 'The reference is taken: read the status of the booking you stored for it',
    message: 'externalReference is already used by another booking',
    details: duplicateReference('ORDER-2026-000123').details,
  },
  IDEMPOTENCY_KEY_CONFLICT: {
    when: 'The key came before with another body',
    message: 'The Idempotency-Key was used with another body',
  },
  IDEMPOTENCY_KEY_IN_PROGRESS: {
    when: 'Ask again in a moment',
    message: 'The first request with this Idempotency-Key is still running',
  },
  CONFLICT: {
    when: 'A name that must be unique is taken, or the thing is in use',
    message: 'Another resource has this name',
  },
  BOOKING_CREATION_FAILED: {
    when: 'Nobody is free then; up to five free timeslots nearby are in the details',
    message: 'The timeslot is no longer available',
    details: { reason: 'SLOT_UNAVAILABLE', alternatives },
  },
  BOOKING_ALREADY_CANCELLED: {
    when: 'The booking is canceled',
    message: 'The booking is already canceled',
    details: { status: 'canceled', cancellable: statusesFor('cancel') },
  },
  BOOKING_NOT_PAYABLE: {
    when: 'The booking is canceled or failed',
    message: 'A booking that is canceled cannot be paid',
    details: { status: 'canceled', payable: statusesFor('confirmPayment') },
  },
  PAYMENT_RESPONSIBILITY_MISMATCH: {
    when: 'The platform collects the payments of this account',
    message: 'Payment of this booking is collected by the platform',
    details: { paymentResponsibility: 'PLATFORM', paymentStatus: 'PENDING' },
  },
  PAYMENT_ALREADY_CONFIRMED: {
    when: 'It was confirmed before; nothing need be done',
    message: 'Payment of this booking is already confirmed',
    details: { paymentStatus: 'PAID' },
  },
  BOOKING_NOT_EDITABLE: {
    when: 'The booking is neither in progress nor waiting for payment, or its appointment has begun',
    message: 'A booking that is canceled cannot be changed',
    details: { status: 'canceled', editable: statusesFor('update') },
  },
  BOOKING_APPOINTMENT_NOT_FOUND: {
    when: 'A date or timeslot is given, and no appointment is assigned yet',
    message: 'The booking has no appointment to reschedule',
    details: { appointmentStatus: null },
  },
  INVALID_TRANSITION: {
    when: 'It cannot become that from what it is',
    message: 'An appointment that is Scheduled cannot become Completed',
    details: { from: 'Scheduled', to: 'Completed', allowed: APPOINTMENT_MOVES.Scheduled },
  },
  WEBHOOK_DOMAIN_NOT_ALLOWED: {
    when: 'The host of the URL is in none of the webhook domains that the operator allows the account',
    message: "The URL's host is in none of the account's allowed webhook domains",
  },
  WEBHOOK_LIMIT_REACHED: {
    when: 'The account has as many subscriptions as it may have',
    message: `The limit of ${MOST_SUBSCRIPTIONS} webhook subscriptions is reached: remove one first`,
  },
  DELIVERY_NOT_RETRYABLE: {
    when: 'The delivery waits for its next attempt or has arrived, or its subscription was removed',
    message: 'Only a FAILED delivery can be retried, this one is PENDING',
    details: { status: 'PENDING' },
  },
  RATE_LIMIT_EXCEEDED: {
    when: 'The limit of the key is used up; Retry-After says for how long',
    message: 'The limit of 600 requests in 60 seconds is used up',
    details: { check: 'rate-limit', limit: 600, window: 60, retryAfter: 12 },
  },
  INTERNAL_ERROR: {
    when: 'An error of ours; it is logged under the request id',
    message: 'An unexpected error occurred',
  },
};

const wholeNumber = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000, description, examples: [example] });

const { Optional } = Type;

/** A word that may get new values, so it is no closed list of them. */
const word = (description: string, example: string) => Optional(Text(description, example, 100));
const wordOrNull = (description: string, example: string) => Optional(Nullable(Text(description, example)));
const words = (description: string, examples: readonly string[]) =>
  Optional(
    Type.Array(Text('A status', examples[0]!, 100), { maxItems: 20, description, examples: [examples] }),
  );
const whole = (description: string, example: number) => Optional(wholeNumber(description, example));

const sharedDetails = {
  docUrl: Type.String({
    format: 'uri',
    maxLength: 2_048,
    description: 'Where this code is explained',
    examples: [`${DOCS_URL}/errors#validation-error`],
  }),
  hints: Optional(
    Type.Array(Text('A sentence', 'startTime is called startAt', 2_000), {
      maxItems: 20,
      description: 'What would help, for developers; the wordings may change',
    }),
  ),
  message: Optional(
    Type.Array(Text('A fault', 'page must not be less than 1', 1_000), {
      maxItems: 100,
      description: 'VALIDATION_ERROR: one message for each faulty field',
    }),
  ),
  statusCode: Optional(
    Type.Integer({
      minimum: 400,
      maximum: 499,
      description: 'VALIDATION_ERROR: the status',
      examples: [400],
    }),
  ),
  error: Optional(Text('VALIDATION_ERROR: the name of the status', 'Bad Request', 50)),
  check: word('UNAUTHORIZED, FORBIDDEN, codes of domains and limits: which check refused the request', 'key'),
  reason: word(
    'UNAUTHORIZED: missing, malformed or not-valid. BOOKING_CREATION_FAILED: SLOT_UNAVAILABLE, SLOT_NOT_OFFERED, ' +
      'SLOT_IN_PAST, SLOT_INSIDE_NOTICE or SLOT_BEYOND_HORIZON. Others may come',
    'SLOT_UNAVAILABLE',
  ),
  resource: word('RESOURCE_NOT_FOUND: what is not there', 'booking'),
  status: word('What it is now', 'canceled'),
  alternatives: Optional(
    Type.Array(
      Type.Object(
        {
          date: Type.String({ format: 'date', description: 'Riyadh date' }),
          startAt: Type.String({ format: 'time', description: 'Start, Riyadh time' }),
          endAt: Type.String({ format: 'time', description: 'End, Riyadh time' }),
        },
        { title: 'AlternativeSlot' },
      ),
      {
        maxItems: 5,
        description: 'BOOKING_CREATION_FAILED: free timeslots nearby',
        examples: [alternatives],
      },
    ),
  ),
  cancellable: words('BOOKING_ALREADY_CANCELLED: the statuses that can be cancelled', statusesFor('cancel')),
};

const DETAILS = 'More about the refusal, by `code`; `docUrl` is always there';

const ErrorDetails = Type.Object(
  {
    ...sharedDetails,
    permission: wordOrNull('FORBIDDEN: the permission that the key lacks', 'partner_bookings_cancel'),
    address: word('FORBIDDEN: the address the request came from, as the service sees it', '203.0.113.7'),
    domain: Optional(
      Nullable(Text('The domain that was detected; null: it cannot be read', 'shop.example.sa', 16_384)),
    ),
    source: word('The header that names the domain', 'Origin'),
    limit: whole('RATE_LIMIT_EXCEEDED: requests in any window', 600),
    window: whole('RATE_LIMIT_EXCEEDED: seconds of the window', 60),
    retryAfter: whole('RATE_LIMIT_EXCEEDED: seconds until the next request is admitted', 12),
    serviceIds: Optional(
      Type.Array(Uuid('Service'), {
        maxItems: 10,
        description: 'SERVICE_NOT_ALLOWED: the services of a price calculation that are not enabled',
      }),
    ),
    externalReference: wordOrNull('DUPLICATE_EXTERNAL_REFERENCE: the one that is taken', 'ORDER-2026-000123'),
    payable: words('BOOKING_NOT_PAYABLE: the statuses that admit it', statusesFor('confirmPayment')),
    editable: words('BOOKING_NOT_EDITABLE: the statuses that admit changes', statusesFor('update')),
    paymentResponsibility: word('PAYMENT_RESPONSIBILITY_MISMATCH: who collects the payment', 'PLATFORM'),
    paymentStatus: word('The payment status of the booking', 'PAID'),
    appointmentStatus: wordOrNull(
      'BOOKING_NOT_EDITABLE, BOOKING_APPOINTMENT_NOT_FOUND: the status of the appointment; null: there is none',
      'In The Way',
    ),
  },
  { title: 'ErrorDetails', description: DETAILS },
);

const OperatorErrorDetails = Type.Object(
  {
    ...sharedDetails,
    role: wordOrNull('FORBIDDEN: the role that the operation needs', 'admin'),
    tokenRole: word('FORBIDDEN: the role that the token has', 'viewer'),
    from: word('INVALID_TRANSITION: the status it has', 'Scheduled'),
    to: word('INVALID_TRANSITION: the status asked for', 'Completed'),
    allowed: words('INVALID_TRANSITION: the statuses it may get', APPOINTMENT_MOVES.Scheduled),
    allowedFrom: words('INVALID_TRANSITION: the statuses in which it can be done', ['OPEN']),
    movable: words('INVALID_TRANSITION: the statuses in which it can be moved', ['Scheduled']),
    bookingStatus: word('INVALID_TRANSITION: the status of its booking', 'canceled'),
    usedBy: Optional(
      Type.Unsafe<unknown>({
        type: 'object',
        description: 'CONFLICT: how many of what uses it',
        examples: [{ services: 2 }],
      }),
    ),
  },
  { title: 'ErrorDetails', description: DETAILS },
);

// ---------------------------------------------------------------------------
// Headers

const RequestId = Type.String({
  maxLength: 128,
  pattern: '^[!-~]{1,128}$',
  description: "The request's id, echoed in the answer; a new one is made when it is missing or malformed",
  examples: ['order-4711-attempt-1'],
});

const EVERY_ANSWER: Interface['responseHeaders'] = {
  'X-Request-Id': {
    required: true,
    schema: Type.String({
      maxLength: 128,
      pattern: '^[!-~]{1,128}$',
      description: 'The id of the request: yours, or a new UUID. Quote it to support',
      examples: ['5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10'],
    }),
  },
  'X-API-Version': {
    required: true,
    schema: Type.String({ const: '1', description: 'The version of the interface', examples: ['1'] }),
  },
};

// ---------------------------------------------------------------------------
// The partners' interface

const PARTNER_TEXT = `Partner organisations book home-cleaning appointments for their own customers.

**A booking in four calls.** Register the customer and the address (\`POST /partners/contacts\`), list what can be
booked there (\`GET /partners/services\`), ask for free timeslots (\`GET /partners/timeslots/available\`), create the
booking (\`POST /partners/bookings\`).

**Conventions.** Bodies are JSON with camelCase names; fields that an operation does not know are refused. Dates are
\`YYYY-MM-DD\`, times \`HH:MM\` or \`HH:MM:SS\`, both in Riyadh local time (UTC+3). Identifiers are UUIDs of version 4.
Money is in SAR. Answers may get new fields at any time: ignore those you do not know.

**Order of refusals.** Key, address, rate limit and domain; then the route and the permission; then the request itself
(400), what is not visible to you (404), what is taken (409), what its state forbids (422). An unknown path is 401
without a key and 404 \`RESOURCE_NOT_FOUND\` with one. Requests that are no readable HTTP get 400, 408 or 431 with the
same body.

**Retries.** Repeat 500 with growing pauses, 429 after \`Retry-After\`, \`BOOKING_CREATION_FAILED\` once; nothing else.
Give every booking an \`externalReference\`: a repeated creation is then refused instead of booked twice.

**Events.** Webhooks deliver at least once, in no guaranteed order. \`GET /partners/events\` is the same history in
order and without gaps.`;

export const partnerInterface: Interface = {
  prefix: '/v1',
  head: {
    info: {
      title: 'Partner Booking Service',
      version: '1.0.0',
      summary: 'Contacts, services, timeslots, bookings and events for partner organisations',
      description: PARTNER_TEXT,
      license: LICENSE,
      contact: { name: 'Partner support of your deployment' },
    },
    servers: [{ url: '/v1', description: DEPLOYMENT, 'x-internal': false }],
    security: [{ ApiKey: [] }],
    tags: [
      { name: 'Bookings', description: 'Create, read, change, cancel bookings and confirm their payment' },
      { name: 'Catalogue', description: 'Services that can be booked, and their prices' },
      { name: 'Contacts', description: 'Customers and their addresses' },
      { name: 'Events', description: 'What happened to bookings' },
      { name: 'Pricing', description: 'Exact prices of configurations' },
      { name: 'Timeslots', description: 'When a service can be booked' },
      { name: 'Webhooks', description: 'Subscriptions, deliveries, and what is delivered' },
    ],
  },
  securitySchemes: {
    ApiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'x-api-key',
      description:
        'The opaque key of your organisation; keep it on your servers. The query parameter `api_key` is accepted, ' +
        'too, but query strings end up in logs.',
    },
  },
  guardErrors: [
    'UNAUTHORIZED',
    'FORBIDDEN',
    'INVALID_PARTNER_DOMAIN',
    'SANDBOX_DOMAIN_NOT_ALLOWED',
    'RATE_LIMIT_EXCEEDED',
  ],
  requestHeaders: {
    'x-request-id': RequestId,
    'x-partner-domain': Type.String({
      maxLength: 253,
      pattern: '^[^\\u0000]*$',
      description:
        'The domain the request is made for, when neither Origin nor Referer names one; checked when the partner ' +
        'has allowed domains',
      examples: ['example.sa'],
    }),
  },
  responseHeaders: {
    ...EVERY_ANSWER,
    'RateLimit-Limit': {
      schema: wholeNumber('Requests in any 60 seconds; sent when the key is known and has a limit', 600),
    },
    'RateLimit-Remaining': { schema: wholeNumber('Requests left now; sent with RateLimit-Limit', 599) },
    'RateLimit-Reset': {
      schema: wholeNumber('Seconds until the window is empty again; sent with RateLimit-Limit', 60),
    },
    'Retry-After': { schema: wholeNumber('Seconds to wait before the next request', 12), statuses: [429] },
  },
  access: ({ permission = '' }) => ({
    sentence: `Needs the permission \`${permission}\`.`,
    extension: { 'x-permission': permission },
  }),
  docsUrl: DOCS_URL,
  errorDetails: ErrorDetails,
  examples: ERROR_EXAMPLES,
};

/** openapi.json: the partners' operations and the webhooks they receive. */
export function partnerDocument(routes: readonly RouteOptions[]): OpenApiDocument {
  const { components, ...document } = openApiDocument(routes, partnerInterface);
  const { schemas } = components;
  const webhooks = Object.fromEntries(
    Object.entries(DELIVERED).map(([event, what]) => [event, { post: webhookOf(event, what, schemas) }]),
  );
  return { ...document, webhooks, components };
}

const EVENTS: Record<EventName, string> = {
  'booking.created': 'A booking was created through the API',
  'booking.updated': 'Date, timeslot or externalReference of a booking changed',
  'booking.cancelled': 'A booking was cancelled, by the partner or by the operator',
  'booking.payment_failed': 'The payment by link failed, or its link expired (PLATFORM accounts)',
  'booking.payment_confirmed': 'The partner confirmed the payment of a booking (PARTNER accounts)',
  'booking.appointment_status_changed': 'The appointment of a booking changed its status',
};

/** What is sent to receivers: when, and what it carries. */
const DELIVERED: Record<string, { when: string; payload: TSchema }> = {
  ...Object.fromEntries(
    EVENT_NAMES.map((event) => [event, { when: EVENTS[event], payload: EVENT_PAYLOADS[event] }]),
  ),
  [TEST_EVENT]: { when: 'The test operation of the subscription was called', payload: TestPayload },
};

const DELIVERY_TEXT = `Sent by POST to the URL of every active subscription to this event. Any 2xx within 10 seconds
counts as received; everything else is repeated after 1, 5 and 15 minutes, then the delivery is FAILED until it is
retried by hand. The same delivery keeps its \`deliveryId\` on every attempt, so that repeats can be told.

Check the signature before reading the body: \`X-Service-Signature\` is \`sha256=\` and the lowercase hex HMAC-SHA256,
keyed with the subscription's secret, of \`X-Service-Timestamp\`, a full stop and the body as it came. Compare in
constant time.`;

const deliveryHeaders = (event: string): Record<string, TSchema> => ({
  'User-Agent': Type.Literal('Service-Partner-Webhooks/1.0', { description: 'Who sends it' }),
  'X-Service-Delivery-Id': Uuid('The delivery, the same on every attempt'),
  'X-Service-Event': Type.Literal(event, { description: 'What happened' }),
  'X-Service-Signature': Type.String({
    maxLength: 71,
    pattern: '^sha256=[0-9a-f]{64}$',
    description: 'HMAC-SHA256 of timestamp, full stop and body, keyed with the secret of the subscription',
    examples: ['sha256=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  }),
  'X-Service-Timestamp': Stamp('When this attempt was sent'),
  'webhook-id': Uuid('The delivery, as the Standard Webhooks specification names it'),
  'webhook-timestamp': Type.String({
    maxLength: 20,
    pattern: '^\\d+$',
    description: 'When this attempt was sent, in seconds since 1970 (Standard Webhooks)',
    examples: ['1795323600'],
  }),
  'webhook-signature': Type.String({
    maxLength: 1_000,
    pattern: '^v1,[A-Za-z0-9+/]{43}=$',
    description: 'The signature in the form of the Standard Webhooks specification',
    examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
  }),
});

function webhookOf(
  event: string,
  { when, payload }: (typeof DELIVERED)[string],
  schemas: OpenApiDocument['components']['schemas'],
): Operation {
  const name = event.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const delivery = toJsonSchema(
    Type.Object({
      event: Type.Literal(event, { description: 'What happened' }),
      deliveryId: Uuid('The delivery, the same on every attempt'),
      payload,
    }),
    schemas,
  );
  keepComponent(`${name}Delivery`, delivery, schemas);
  const parameters = Object.entries(deliveryHeaders(event)).map(([header, schema]) => {
    const { description = '', ...rest } = toJsonSchema(schema, schemas);
    return { name: header, in: 'header', required: true, description, schema: rest };
  });
  const content = { schema: { $ref: `#/components/schemas/${name}Delivery` } };
  return {
    operationId: `receive${name}`,
    summary: when,
    description: DELIVERY_TEXT,
    tags: ['Webhooks'],
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: { 'application/json': { ...content, example: exampleOf(content.schema, schemas) } },
    },
    responses: { '2XX': { description: 'Received; the body is not read' } },
  };
}

// ---------------------------------------------------------------------------
// The operator's interface

const OPERATOR_TEXT = `What the operator of the service configures and watches: partners and their keys, the catalogue,
teams, bookings of all partners.

A role contains those before it: \`viewer\` reads, \`dispatcher\` does field work and bookings, \`admin\` everything.
Lists are paginated. What is in use is not removed but refused with 409 \`CONFLICT\`; deactivate it. Everything done here
is in the audit log. An unknown path is 401 without a token and 404 with one.`;

export const operatorInterface: Interface = {
  prefix: '/operator',
  head: {
    info: {
      title: 'Partner Booking Service: operator',
      version: '1.0.0',
      summary: "The operator's side of the service",
      description: OPERATOR_TEXT,
      license: LICENSE,
      contact: { name: 'Partner Booking Service' },
    },
    servers: [{ url: '/operator', description: DEPLOYMENT, 'x-internal': true }],
    security: [{ OperatorToken: [] }],
    tags: [
      { name: 'API keys', description: "Partners' keys" },
      { name: 'Appointments', description: 'Appointments of all partners' },
      { name: 'Audit', description: 'What operators did' },
      { name: 'Availability', description: 'Who is free, and why others are not' },
      { name: 'Bookings', description: 'Bookings of all partners' },
      { name: 'Cancellation reasons', description: 'What bookings can be cancelled for' },
      { name: 'Catalogue', description: 'Categories, services and zones' },
      { name: 'Operator tokens', description: 'Who may use this interface' },
      { name: 'Partners', description: 'Partner accounts and what they may book' },
      { name: 'Payments', description: 'Payments by link of all partners, and their refunds' },
      { name: 'Pricing', description: 'Pricing tiers' },
      { name: 'Sandbox', description: 'The clock of a sandbox; not there in production' },
      { name: 'Teams', description: 'Teams, their shifts and time off' },
      { name: 'Webhooks', description: 'Subscriptions and deliveries of all partners' },
    ],
  },
  securitySchemes: {
    OperatorToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'opaque',
      description: 'An operator token',
    },
  },
  guardErrors: ['UNAUTHORIZED', 'FORBIDDEN'],
  requestHeaders: { 'x-request-id': RequestId },
  responseHeaders: EVERY_ANSWER,
  access: ({ role = '' }) => ({
    sentence: `Needs the role \`${role}\`.`,
    extension: { 'x-role': role },
  }),
  docsUrl: DOCS_URL,
  errorDetails: OperatorErrorDetails,
  examples: {
    ...ERROR_EXAMPLES,
    UNAUTHORIZED: {
      when: 'The operator token is missing, unknown or revoked',
      message: 'The operator token is missing or not valid',
      details: {
        check: 'token',
        reason: 'missing',
        hints: ['send the token in the header Authorization: Bearer <token>'],
      },
    },
    FORBIDDEN: {
      when: 'The role of the token does not suffice',
      message: 'This operation needs the role admin',
      details: { check: 'role', role: 'admin', tokenRole: 'viewer' },
    },
  },
};

/** openapi.operator.json. */
export function operatorDocument(routes: readonly RouteOptions[]): OpenApiDocument {
  return openApiDocument(routes, operatorInterface);
}
