import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { breakingChanges } from '../scripts/breaking-changes.ts';
import type { OpenApiDocument, Operation } from '../src/openapi/document.ts';
import type { JsonSchema } from '../src/openapi/schemas.ts';

const read = (path: string): OpenApiDocument =>
  JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

/**
 * Only for callers that opt in: two signatures during the overlap of a rotation with `overlapHours`; events that a
 * subscription, or a query of the feed, names.
 */
const ON_REQUEST = [
  /: header webhook-signature: pattern is \^v1,\[A-Za-z0-9\+\/\]\{43\}=\(\?: v1,/,
  /\/events?(?:\/items)?: booking\.(?:payment_succeeded|failed|refunded|fees_changed) can come$/,
  /\/events: maxItems is 10, was 6$/,
];

test('no breaking change since the last release', () => {
  const changes = breakingChanges(read('../openapi/released.json'), read('../openapi/partner.json'));
  assert.deepEqual(
    changes.filter((change) => !ON_REQUEST.some((pattern) => pattern.test(change))),
    [],
    'a client written for openapi/released.json would break',
  );
});

// ---------------------------------------------------------------------------
// Samples: each change of the document, and the sentence it must bring

const path = '/partners/bookings/{bookingId}';
const operation = (document: OpenApiDocument): Operation => document.paths[path]!.patch!;
const schema = (document: OpenApiDocument, name: string): JsonSchema => document.components.schemas[name]!;
const sentBack = (document: OpenApiDocument): JsonSchema => schema(document, 'Booking');
const received = (document: OpenApiDocument): JsonSchema => schema(document, 'UpdateBookingRequest');
const field = (of: JsonSchema, name: string): JsonSchema => of.properties![name]!;

const codesOf = (refusal: JsonSchema): string[] =>
  refusal.properties!.error!.properties!.code!.enum as string[];

/** The refusal in one schema, its codes listed: `code` has no limits beside the list. */
function completeRefusal(document: OpenApiDocument, codes: readonly string[]): JsonSchema {
  const whole = structuredClone(schema(document, 'Error'));
  field(whole, 'error').properties!.code = { type: 'string', enum: [...codes] };
  return whole;
}

type Sample = [what: string, change: (document: OpenApiDocument) => unknown, sentence: RegExp];

const BREAKING: Sample[] = [
  ['a removed operation', (d) => delete d.paths[path], /PATCH .*: removed/],
  ['another operationId', (d) => Object.assign(operation(d), { operationId: 'x' }), /operationId is x/],
  ['another permission', (d) => Object.assign(operation(d), { 'x-permission': 'x' }), /x-permission is x/],
  ['another authentication', (d) => Object.assign(d, { security: [{ Token: [] }] }), /authentication/],
  [
    'another place of the key',
    (d) => Object.assign(d.components.securitySchemes.ApiKey!, { name: 'x-other' }),
    /authentication/,
  ],
  ['another base address', (d) => Object.assign(d.servers[0]!, { url: '/v2' }), /base address/],
  [
    'a new required parameter',
    (d) =>
      operation(d).parameters!.push({ name: 'why', in: 'query', required: true, schema: { type: 'string' } }),
    /query why is new and required/,
  ],
  ['a removed parameter', (d) => operation(d).parameters!.pop(), /is removed/],
  [
    'a parameter that becomes required',
    (d) => operation(d).parameters!.map((each) => Object.assign(each, { required: true })),
    /header x-request-id is required/,
  ],
  ['a removed body', (d) => delete operation(d).requestBody, /the body is removed/],
  ['a removed request field', (d) => delete received(d).properties!.notes, /\/notes: removed/],
  [
    'a request field that becomes required',
    (d) => (received(d).required = ['notes']),
    /\/notes: is required/,
  ],
  [
    'a new required request field',
    (d) => {
      received(d).properties!.why = { type: 'string' };
      received(d).required = ['why'];
    },
    /\/why: is required/,
  ],
  [
    'another type of a request field',
    (d) => (field(received(d), 'notes').type = 'integer'),
    /type is integer/,
  ],
  ['a request field of fewer values', (d) => (field(received(d), 'notes').enum = ['x']), /only x is allowed/],
  ['a shorter request field', (d) => (field(received(d), 'notes').maxLength = 10), /maxLength is 10/],
  ['a longer least length', (d) => (field(received(d), 'notes').minLength = 10), /minLength is 10/],
  ['another pattern', (d) => (field(received(d), 'notes').pattern = '^x$'), /pattern is/],
  ['another format', (d) => (field(received(d), 'date').format = 'date-time'), /format is date-time/],
  [
    'a value of a query parameter that is gone',
    (d) => {
      const list = d.paths['/partners/bookings']!.get!.parameters!;
      list.find(({ name }) => name === 'sortBy')!.schema.enum!.pop();
    },
    /query sortby: externalReference is removed/,
  ],
  [
    'a smaller maximum',
    (d) => {
      const list = d.paths['/partners/bookings']!.get!.parameters!;
      list.find(({ name }) => name === 'limit')!.schema.maximum = 50;
    },
    /maximum is 50/,
  ],
  ['a removed response field', (d) => delete sentBack(d).properties!.date, /\/data\/date: removed/],
  [
    'a response field that may be absent',
    (d) => (sentBack(d).required = sentBack(d).required!.filter((name) => name !== 'date')),
    /\/data\/date: may be absent/,
  ],
  [
    'another type of a response field',
    (d) => (field(sentBack(d), 'date').type = 'integer'),
    /type is integer/,
  ],
  [
    'a response field that may be null',
    (d) => (field(sentBack(d), 'date').type = ['string', 'null']),
    /type is string or null/,
  ],
  [
    'a new value of a response field',
    (d) => field(sentBack(d), 'status').enum!.push('x'),
    /status: x can come/,
  ],
  ['any value of a response field', (d) => delete field(sentBack(d), 'status').enum, /any value can come/],
  [
    'a longer response field',
    (d) => (field(sentBack(d), 'trackingReference').maxLength = 99),
    /maxLength is 99/,
  ],
  [
    'another alternative of a response field',
    (d) => field(sentBack(d), 'appointment').anyOf!.push({ type: 'string' }),
    /alternatives are others/,
  ],
  [
    'a changed item of a list',
    (d) => (field(schema(d, 'OfferedService'), 'price').type = 'string'),
    /\/data\/items\/services\/items\/price: type is string/,
  ],
  ['a removed status', (d) => delete operation(d).responses[409], /status 409 is removed/],
  [
    'a removed code',
    (d) => {
      const media = operation(d).responses[422]!.content!['application/json']!;
      media.schema.properties!.error!.properties!.code!.enum!.pop();
    },
    /\/error\/code: BOOKING_APPOINTMENT_NOT_FOUND is removed/,
  ],
  [
    'a code of another form, where all are listed',
    (d) => {
      const media = operation(d).responses[422]!.content!['application/json']!;
      media.schema = completeRefusal(d, [...codesOf(media.schema), 'lower-case']);
    },
    /\/error\/code: lower-case is beyond the limits/,
  ],
  [
    'a complete refusal that lacks a code',
    (d) => {
      const media = operation(d).responses[422]!.content!['application/json']!;
      media.schema = completeRefusal(d, codesOf(media.schema).slice(1));
    },
    /\/error\/code: \w+ is removed/,
  ],
  [
    'a complete refusal that lacks a field',
    (d) => {
      const media = operation(d).responses[422]!.content!['application/json']!;
      media.schema = completeRefusal(d, codesOf(media.schema));
      delete media.schema.properties!.error!.properties!.requestId;
    },
    /\/error\/requestId: removed/,
  ],
  [
    'a removed header',
    (d) => delete operation(d).responses[200]!.headers!['X-Request-Id'],
    /header X-Request-Id is removed/,
  ],
  ['a removed event', (d) => delete d.webhooks!['booking.updated'], /POST booking.updated: removed/],
  [
    'a removed header of deliveries',
    (d) => d.webhooks!['booking.updated']!.post!.parameters!.shift(),
    /header user-agent is removed/,
  ],
  [
    'a removed field of a payload',
    (d) => delete schema(d, 'PaymentFailed').properties!.reason,
    /booking.payment_failed: \/payload\/reason: removed/,
  ],
];

const HARMLESS: [what: string, change: (document: OpenApiDocument) => unknown][] = [
  ['nothing', () => {}],
  ['a new operation', (d) => (d.paths['/partners/new'] = { get: operation(d) })],
  ['a new response field', (d) => (sentBack(d).properties!.more = { type: 'string' })],
  ['a new optional request field', (d) => (received(d).properties!.more = { type: 'string' })],
  [
    'a new optional parameter',
    (d) => operation(d).parameters!.push({ name: 'more', in: 'query', schema: { type: 'string' } }),
  ],
  ['a longer request field', (d) => (field(received(d), 'notes').maxLength = 9_999)],
  [
    'a new code',
    (d) => {
      const media = operation(d).responses[422]!.content!['application/json']!;
      media.schema.properties!.error!.properties!.code!.enum!.push('SOMETHING_NEW');
    },
  ],
  [
    'a refusal that is complete instead of a reference and what narrows it',
    (d) => {
      const media = operation(d).responses[422]!.content!['application/json']!;
      media.schema = completeRefusal(d, codesOf(media.schema));
    },
  ],
  ['other words', (d) => Object.assign(operation(d), { summary: 'x', description: 'x' })],
];

const released = read('../openapi/released.json');

for (const [what, change, sentence] of BREAKING) {
  test(`${what} is found`, () => {
    const after = structuredClone(released);
    change(after);
    const found = breakingChanges(released, after);
    assert.ok(
      found.some((fault) => sentence.test(fault)),
      `${sentence} is not in ${JSON.stringify(found)}`,
    );
  });
}

for (const [what, change] of HARMLESS) {
  test(`${what} is not breaking`, () => {
    const after = structuredClone(released);
    change(after);
    assert.deepEqual(breakingChanges(released, after), []);
  });
}
