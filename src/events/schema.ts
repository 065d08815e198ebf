import Type from 'typebox';
import { CONTRACT_EVENTS, EVENT_NAMES } from '../bookings/rules.ts';
import { EVENT_PAYLOADS } from '../bookings/schema.ts';
import { Choice, PageQuery, Stamp, StampOfBusiness, Uuid } from '../http/schemas.ts';
import { CURSOR, EVENT_LIST, encodeCursor } from './rules.ts';

/** Query and response of GET /partners/events. */

const CURSOR_FORM = { maxLength: 100, pattern: '^[A-Za-z0-9_-]+$' };
const CURSOR_EXAMPLE = encodeCursor({ history: '5f0c6a6e', position: 42 });

const isOfContract = (name: string) => CONTRACT_EVENTS.some((known) => known === name);

export const FeedQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      description:
        '`nextCursor` of an earlier response, or `latest` for no events and the cursor of the end of ' +
        'the feed; by default the feed starts at the oldest event kept',
      documented: CURSOR_FORM,
      rule: CURSOR,
      examples: [CURSOR_EXAMPLE],
    }),
  ),
  since: Type.Optional(
    StampOfBusiness(
      'Without `after`: begin with the events that happened at this time or later, to go on after a cursor was refused; ' +
        'ISO 8601 with offset',
      '2026-11-22T08:00:00+03:00',
    ),
  ),
  events: Type.Optional(
    Type.String({
      description:
        'Names of events, with commas between them, or `all`; by default those of the contract, without ' +
        `${EVENT_NAMES.filter((name) => !isOfContract(name))
          .map((name) => `\`${name}\``)
          .join(', ')}. ` +
        'A cursor is good for any. With rare events a page may be empty while `hasMore` is true',
      documented: { maxLength: 500, pattern: '^[a-z_.]+(,[a-z_.]+)*$' },
      rule: EVENT_LIST,
      examples: ['booking.failed,booking.refunded'],
    }),
  ),
  limit: PageQuery.limit,
});

export const FeedEvent = Type.Object(
  {
    id: Uuid('Event; its deliveries have the same `eventId`'),
    event: Choice([...EVENT_NAMES], 'What happened'),
    bookingId: Uuid('Booking'),
    sequence: Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description: 'Number within the booking, starting at 1',
      examples: [1],
    }),
    createdAt: Stamp('When it happened', '2026-12-01T09:00:00+03:00'),
    payload: Type.Unsafe<unknown>({
      anyOf: [...new Set(Object.values(EVENT_PAYLOADS))],
      description: 'Payload of the webhook',
    }),
  },
  { title: 'FeedEvent' },
);

export const FeedResponse = Type.Object({
  success: Type.Literal(true),
  data: Type.Array(FeedEvent, { maxItems: 100 }),
  meta: Type.Object(
    {
      nextCursor: Type.String({
        ...CURSOR_FORM,
        description: 'Pass it as `after` to continue from here',
        examples: [CURSOR_EXAMPLE],
      }),
      hasMore: Type.Boolean({ description: 'Whether there are events after the cursor', examples: [false] }),
    },
    { title: 'FeedMeta' },
  ),
});
