import { readFileSync } from 'node:fs';
import Type from 'typebox';
import { REVALIDATED } from '../http/if-none-match.ts';
import type { Interface } from './document.ts';

/** Shared parts of the APIs' documents. */

export const DEPLOYMENT = 'The deployment that serves this document: sandbox or production';
/** Placeholder for the address of the documentation in examples, as in docs/errors.md. */
export const DOCS_URL = 'https://booking.example/docs';
export const LICENSE = { name: 'MIT', identifier: 'MIT' };

/** The description of a document or of its deliveries, in Markdown. */
export const textOf = (name: string): string =>
  readFileSync(new URL(`${name}.md`, import.meta.url), 'utf8').trimEnd();

/** A count in a header. */
export const wholeNumber = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000, description, examples: [example] });

export const RequestId = Type.String({
  maxLength: 128,
  pattern: '^[!-~]{1,128}$',
  description: 'The request ID, returned in the response; generated when missing or malformed',
  examples: ['order-4711-attempt-1'],
});

export const RETRY_AFTER = wholeNumber(
  'Seconds to wait before the next request; with 500 only while the service is unavailable',
  12,
);

export const COMMON_HEADERS: Interface['responseHeaders'] = {
  'X-Request-Id': {
    required: true,
    schema: Type.String({
      maxLength: 128,
      pattern: '^[!-~]{1,128}$',
      description: 'The request ID: yours, or a new UUID. Quote it to support',
      examples: ['5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10'],
    }),
  },
  'X-API-Version': {
    required: true,
    schema: Type.String({ const: '1', description: 'API version', examples: ['1'] }),
  },
  'X-Ignored-Parameters': {
    schema: Type.String({
      maxLength: 4_000,
      pattern: '^[!-~]+(?:, [!-~]+)*$',
      description:
        'Query parameters that the operation does not know and has ignored, percent-encoded, `...` for what is left out; ' +
        'sent when there are any',
      examples: ['pageSize, colour'],
    }),
  },
  'Cache-Control': {
    required: true,
    schema: Type.String({
      enum: ['no-store', REVALIDATED],
      description:
        'Responses must not be cached: they are for one caller at one moment. `private, no-cache` beside an `ETag` for ' +
        '`If-None-Match`: one caller may keep it, and asks whether it is current',
      examples: ['no-store'],
    }),
  },
  'X-Content-Type-Options': {
    required: true,
    schema: Type.String({
      const: 'nosniff',
      description: 'Browsers must not sniff the content type',
      examples: ['nosniff'],
    }),
  },
};

/** The head of the document of an interface that is not the partners'. */
export const headOf = (side: string, about: { path: string; summary: string; description: string }) => ({
  info: {
    title: `Partner Booking Service: ${side}`,
    version: '1.0.0',
    summary: about.summary,
    description: about.description,
    license: LICENSE,
    contact: { name: 'Partner Booking Service' },
  },
  servers: [{ url: about.path, description: DEPLOYMENT, 'x-internal': true }],
});

/** Common parts of the interfaces of operators and pages. */
export const OF_PAGES = {
  guardErrors: ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMIT_EXCEEDED'],
  requestHeaders: { 'x-request-id': RequestId },
  responseHeaders: { ...COMMON_HEADERS, 'Retry-After': { schema: RETRY_AFTER, statuses: [429, 500] } },
  docsUrl: DOCS_URL,
} satisfies Partial<Interface>;

/** `what`: the credential without which the requests came. */
export const tooManyFailures = (what: string) => ({
  when: `Too many requests without a valid ${what} came from this address; see Retry-After`,
  message: 'Too many failed authentications from this address',
  details: { check: 'failed-authentications', limit: 100, window: 60, retryAfter: 12 },
});
