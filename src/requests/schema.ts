import Type, { type Static } from 'typebox';
import { ERROR_STATUS } from '../base/errors.ts';
import { Nullable, PageQuery, Stamp, Text, Uuid } from '../http/schemas.ts';
import { MAX_BODY_TEXT, MAX_IGNORED, MAX_PARAMETER, MAX_PATH, MAX_USER_AGENT } from './rules.ts';

const { Optional } = Type;

/** The ID of a request in the log, also in cursors. */
const EntryId = (description: string) =>
  Type.String({ pattern: '^[1-9]\\d{0,17}$', maxLength: 18, description, examples: ['4811'] });
const REQUEST_ID = '0b8f5f0e-6d0b-4c63-9d5b-0d1c0f4f2a11';

const Method = (description: string) =>
  Type.String({ description, pattern: '^[A-Z]{1,20}$', maxLength: 20, examples: ['POST'] });
const HttpStatus = (description: string) =>
  Type.Integer({ minimum: 100, maximum: 599, description, examples: [422] });
const CODES = Object.keys(ERROR_STATUS);

export const RequestsQuery = Type.Object({
  partnerId: Optional(Uuid('Filter by partner')),
  requestId: Optional(
    Type.String({
      description: 'Filter by `X-Request-Id` or its beginning',
      pattern: '^[!-~]{1,128}$',
      maxLength: 128,
      examples: [REQUEST_ID],
    }),
  ),
  status: Optional(HttpStatus('Filter by status')),
  outcome: Optional(
    Type.Enum(['success', 'refused', 'error'], {
      description: '`success`: 2xx, `refused`: 4xx and 5xx, `error`: 5xx',
      examples: ['refused'],
    }),
  ),
  code: Optional(Type.Enum(CODES, { description: 'Filter by `error.code`', examples: ['UNAUTHORIZED'] })),
  keyId: Optional(Uuid('Filter by API key')),
  method: Optional(Method('Filter by method')),
  route: Optional(
    Text("Filter by the route's pattern, exactly", '/v1/partners/bookings/:bookingId/status', 300),
  ),
  bookingId: Optional(Uuid('Filter by booking: in the path, or in the answer that created it')),
  from: Optional(Stamp('At or after this time')),
  to: Optional(Stamp('Before this time')),
  before: Optional(EntryId('`nextCursor` of the page before')),
  limit: PageQuery.limit,
});
export type RequestsQuery = Static<typeof RequestsQuery>;

const entryFields = {
  id: EntryId('Entry of the log'),
  at: Stamp('When it was answered'),
  requestId: Text('`X-Request-Id`', REQUEST_ID, 128),
  partnerId: Uuid('Partner'),
  keyId: Uuid('API key'),
  key: Nullable(Text('The key, masked', 'pbs_test_ab12…wXyZ', 30)),
  method: Method('Method'),
  route: Nullable(Text("The route's pattern; null: there is none", '/v1/partners/bookings', 300)),
  path: Nullable(
    Text(
      'Path as it was sent, without what is personal. Sandbox: with its query; production: of unknown routes only',
      '/v1/partners/bookings?limit=20',
      MAX_PATH,
    ),
  ),
  status: HttpStatus('Status'),
  code: Nullable(Text('`error.code`', 'UNAUTHORIZED', 50)),
  message: Nullable(Text('`error.message`', 'The API key is missing or not valid', 500)),
  check: Nullable(
    Text('The check that refused it: `key`, `address`, `rate-limit`, `domain`, `permission` …', 'key', 50),
  ),
  reason: Nullable(
    Text(
      'What the check said. Of a 401 what the partner was not told: `expired`, `revoked`, `replaced` by a rotation, ' +
        'or `suspended`; null: the key is valid by now',
      'expired',
      100,
    ),
  ),
  hints: Type.Array(Text('Hint', 'send the key in the header x-api-key', 1_000), {
    maxItems: 100,
    description: '`error.details.hints`',
  }),
  ignoredParameters: Type.Array(Text('Name', 'pageSize', MAX_PARAMETER), {
    maxItems: MAX_IGNORED,
    description:
      'Query parameters that nothing read, as `X-Ignored-Parameters` named them; without their values',
  }),
  details: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'The rest of `error.details`, without what is personal',
    examples: [null],
  }),
  durationMs: Type.Number({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'Milliseconds from the first byte of the request to the end of the answer',
    examples: [3.4],
  }),
  bookingId: Nullable(Uuid('Booking in the path, or that the answer created or names')),
  userAgent: Nullable(Text('`User-Agent`', 'example-partner/1.0', MAX_USER_AGENT)),
};

export const LoggedRequestView = Type.Object(entryFields, { title: 'LoggedRequest' });

const BodyText = (description: string, example: string) =>
  Nullable(Text(description, example, MAX_BODY_TEXT));

export const LoggedExchangeView = Type.Object(
  {
    ...entryFields,
    bodies: Type.Unsafe<unknown>({
      type: ['object', 'null'],
      properties: {
        request: BodyText('JSON as it was read; null: there was none', '{"notes":"two floors"}'),
        response: BodyText('JSON as it was sent', '{"success":true}'),
        requestCut: Type.Boolean({ description: 'Whether the request was longer', examples: [false] }),
        responseCut: Type.Boolean({ description: 'Whether the response was longer', examples: [false] }),
      },
      required: ['request', 'response', 'requestCut', 'responseCut'],
      additionalProperties: false,
      description:
        'Of a sandbox: the first 4,096 characters of each body, phones, coordinates and credentials masked; ' +
        'null: production, which keeps no bodies, or one of too many at once',
    }),
  },
  { title: 'LoggedExchange' },
);

export const RequestsResponse = Type.Object({
  success: Type.Literal(true),
  data: Type.Array(LoggedRequestView, { maxItems: 100 }),
  meta: Type.Object(
    {
      nextCursor: Nullable(EntryId('Pass it as `before` for the next page; null: there is none')),
    },
    { title: 'LogMeta' },
  ),
});

export const EntryParams = Type.Object({
  id: EntryId('Entry of the log'),
});
