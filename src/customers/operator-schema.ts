import Type, { type Static } from 'typebox';
import { Choice, Nullable, PageQuery, Stamp, Text, Uuid } from '../http/schemas.ts';
import { MESSAGE_KINDS } from '../partners/account-rules.ts';
import { MESSAGE_STATUSES } from './table.ts';

const messageFields = {
  id: Uuid('Message'),
  kind: Choice([...MESSAGE_KINDS], '`BOOKED` also tells a new time', 'DAY_BEFORE'),
  status: Choice(
    [...MESSAGE_STATUSES],
    '`QUEUED`: at `at`; `FAILED`: the provider refused it; `DROPPED`: not sent, because of `reason`; `UNKNOWN`: a ' +
      'process died while it sent it, so it may have arrived, and is not repeated',
    'SENT',
  ),
  reason: Nullable(
    Text(
      'Why it was dropped (`MOVED`, `CANCELLED`, `OVER`, `QUIET_HOURS`, `TOO_LATE`, `SWITCHED_OFF`), or what the provider said',
      'MOVED',
      1_000,
    ),
  ),
  visitAt: Stamp('The start of the visit that it tells about', '2026-12-01T09:00:00+03:00'),
  at: Stamp('When it ended; of a waiting one, when it is due', '2026-11-30T09:00:00+03:00'),
  createdAt: Stamp('When it was planned', '2026-11-29T09:00:00+03:00'),
};

export const CustomerMessage = Type.Object(messageFields, { title: 'CustomerMessage' });

export const MessagesQuery = Type.Object({
  status: Type.Optional(Choice([...MESSAGE_STATUSES], 'Filter by status')),
  partnerId: Type.Optional(Uuid('Filter by partner')),
  withinHours: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_160,
      description: 'Ended within these hours',
      examples: [24],
    }),
  ),
  ...PageQuery,
});
export type MessagesQuery = Static<typeof MessagesQuery>;

export const FoundMessage = Type.Object(
  {
    ...messageFields,
    bookingId: Uuid('Its booking'),
    trackingReference: Text("The visit's name", 'SA-0042', 36),
    partner: Type.Object({ id: Uuid('Partner'), name: Text('Its name', 'Home Deals') }),
  },
  { title: 'FoundMessage' },
);

export const CustomerMessages = Type.Object(
  {
    trackingUrl: Nullable(
      Type.String({
        format: 'uri',
        maxLength: 2_048,
        description: "The customer's page of the booking; null: the partner's account has none",
        examples: ['https://bookings.example.sa/t/XwxqbjwbS16aUw1aLxx7EIJ4o2XcJcpIjQw1xq7pK7sTgb0sQk9nTw'],
      }),
    ),
    messages: Type.Array(CustomerMessage, {
      maxItems: 10_000,
      description: 'Oldest first, of the last 90 days',
    }),
  },
  { title: 'BookingMessages' },
);
