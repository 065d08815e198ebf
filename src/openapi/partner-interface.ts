import Type from 'typebox';
import { Choice } from '../http/schemas.ts';
import { ANSWER_FAULTS } from '../simulator/fault-rules.ts';
import {
  COMMON_HEADERS,
  DEPLOYMENT,
  DOCS_URL,
  LICENSE,
  RETRY_AFTER,
  RequestId,
  wholeNumber,
} from './both-interfaces.ts';
import type { Interface } from './document.ts';
import { PartnerErrorDetails } from './error-details.ts';
import { ERROR_EXAMPLES } from './refusals.ts';

const PARTNER_TEXT = `Partner organisations book home-cleaning appointments for their own customers.

**A booking in four calls.** Register the customer and the address (\`POST /partners/contacts\`), list what can be
booked there (\`GET /partners/services\`), ask for free timeslots (\`GET /partners/timeslots/available\`), create the
booking (\`POST /partners/bookings\`).

**Conventions.** Bodies are JSON with camelCase names; unknown fields are refused. Dates are
\`YYYY-MM-DD\`, times \`HH:MM\` or \`HH:MM:SS\`, both in Riyadh local time (UTC+3). Identifiers are UUIDs of version 4.
Money is in SAR. Responses may get new fields at any time: ignore unknown ones.

**Order of refusals.** Key, address, rate limit and domain; then the route and the permission; then the request itself
(400), what is not visible to you (404), what is taken (409), what its state forbids (422). An unknown path is 401
without a key and 404 \`RESOURCE_NOT_FOUND\` with one. Requests that are not valid HTTP get 400, 408 or 431 with the
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
      { name: 'Events', description: 'The history of bookings' },
      { name: 'Holds', description: 'Timeslots that are held with their price until a booking takes them' },
      { name: 'Pricing', description: 'Prices of services, estimates of other durations, and tiers' },
      {
        name: 'Sandbox',
        description: 'The field, customers and faults of webhooks, simulated; absent in production',
      },
      { name: 'Timeslots', description: 'Free timeslots of services' },
      { name: 'Webhooks', description: 'Subscriptions, deliveries and their payloads' },
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
    'x-sandbox-fault': Choice(
      [...ANSWER_FAULTS],
      'Sandbox only. lose-answer: a request that succeeds is done, and its connection is closed without an answer; once ' +
        'for each X-Request-Id, so that its repetition is answered',
    ),
  },
  responseHeaders: {
    ...COMMON_HEADERS,
    'RateLimit-Limit': {
      schema: wholeNumber('Requests in any 60 seconds; sent when the key is known and has a limit', 600),
    },
    'RateLimit-Remaining': { schema: wholeNumber('Requests left; sent with RateLimit-Limit', 599) },
    'RateLimit-Reset': {
      schema: wholeNumber(
        'Seconds until one more request than now is allowed; sent with RateLimit-Limit',
        60,
      ),
    },
    'Retry-After': {
      schema: RETRY_AFTER,
      statuses: [429, 500],
    },
  },
  access: ({ permission = '' }) => ({
    sentence: `Needs the permission \`${permission}\`.`,
    extension: { 'x-permission': permission },
  }),
  docsUrl: DOCS_URL,
  errorDetails: PartnerErrorDetails,
  examples: ERROR_EXAMPLES,
};
