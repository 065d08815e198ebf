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
  textOf,
  wholeNumber,
} from './both-interfaces.ts';
import type { Interface } from './document.ts';
import { PartnerErrorDetails } from './error-details.ts';
import { ERROR_EXAMPLES } from './refusals.ts';
import tags from './tags.json' with { type: 'json' };

export const partnerInterface: Interface = {
  prefix: '/v1',
  head: {
    info: {
      title: 'Partner Booking Service',
      version: '1.0.0',
      summary: 'Contacts, services, timeslots, bookings and events for partner organisations',
      description: textOf('partner'),
      license: LICENSE,
      contact: { name: 'Partner support of your deployment' },
    },
    servers: [{ url: '/v1', description: DEPLOYMENT, 'x-internal': false }],
    security: [{ ApiKey: [] }],
    tags: tags.partner,
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
