import Type, { type Static } from 'typebox';
import { CustomerExport } from '../customers/export-schema.ts';
import {
  Body,
  Choice,
  MAX_UNPAGED,
  Nullable,
  PageQuery,
  SortQuery,
  Stamp,
  StampOfBusiness,
  Text,
  Uuid,
  Words,
} from '../http/schemas.ts';
import { REQUEST_ORDERS } from './request-queries.ts';
import { REQUEST_KINDS, REQUEST_STATUSES } from './table.ts';

/** Bodies and responses of /operator/privacy-requests. */

const { Optional } = Type;

const SpelledPhone = (description: string) =>
  Type.String({ format: 'spelledPhone', description, examples: ['+966501234567'] });
const KIND =
  'ACCESS: a copy; CORRECTION; ERASURE. The service enters RETENTION itself, for customers who were not served for long';

export const CreatePrivacyRequest = Body({
  kind: Choice(['ACCESS', 'CORRECTION', 'ERASURE'], 'The right that the customer uses', 'ERASURE'),
  phone: SpelledPhone("The customer's phone, in any spelling"),
  receivedAt: Optional(StampOfBusiness('When it was received; default now', '2026-11-22T08:00:00+03:00')),
  note: Optional(Words('A note for the office, which does not name the customer', 'By email', 500)),
});
export type CreatePrivacyRequest = Static<typeof CreatePrivacyRequest>;

export const CompletePrivacyRequest = Body({
  answer: Optional(Words('A note on the answer, which does not name the customer', 'Sent by post', 500)),
});

export const RefusePrivacyRequest = Body({
  answer: Words(
    'Why it is refused, without naming the customer',
    'The caller could not prove the number',
    500,
  ),
});

const yesOrNo = (description: string) => Optional(Choice(['true', 'false'], description));

export const PrivacyRequestsQuery = Type.Object({
  status: Optional(Choice([...REQUEST_STATUSES], 'Filter by status')),
  kind: Optional(Choice([...REQUEST_KINDS], 'Filter by kind')),
  overdue: yesOrNo('Filter by whether it is open and its time is over'),
  dueWithinDays: Optional(
    Type.Integer({
      minimum: 0,
      maximum: 365,
      description: 'Only open ones that are due within these days, or overdue',
      examples: [7],
    }),
  ),
  phone: Optional(
    SpelledPhone('Requests for this number, also finished ones, of which the service keeps no number'),
  ),
  ...SortQuery(REQUEST_ORDERS, 'DESC'),
  ...PageQuery,
});
export type PrivacyRequestsQuery = Static<typeof PrivacyRequestsQuery>;

const fields = {
  id: Uuid('Privacy request'),
  kind: Choice([...REQUEST_KINDS], KIND),
  status: Choice([...REQUEST_STATUSES], 'Status'),
  partner: Nullable(
    Type.Object(
      { id: Uuid('Partner'), name: Text('Its name', 'Acme Homes') },
      { description: "Whose customer it is about; null: the number's, with every partner" },
    ),
  ),
  phoneEnding: Nullable(
    Type.String({
      pattern: '^\\d{3}$',
      maxLength: 3,
      description: 'The last three digits of the number; null: the request is finished',
      examples: ['567'],
    }),
  ),
  receivedAt: Stamp('When it was received'),
  dueAt: Stamp('Until when it has to be answered', '2026-12-22T08:00:00+03:00'),
  isOverdue: Type.Boolean({ description: 'Whether it is open and its time is over', examples: [false] }),
  receivedBy: Text('Actor that entered it', 'operator:first-token'),
  receivedByName: Nullable(Text('Name that its token has now; null: it has none', 'Dispatch desk')),
  note: Nullable(Text('A note, or why an erasure was asked for', 'By email', 500)),
  finishedAt: Nullable(Stamp('When it was completed or refused; null: open')),
  finishedBy: Nullable(Text('Actor that completed or refused it', 'operator:first-token')),
  finishedByName: Nullable(Text('Name that its token has now; null: it has none', 'Dispatch desk')),
  answer: Nullable(Text('A note on the answer, or why it was refused', 'Sent by post', 500)),
};

export const PrivacyRequest = Type.Object(fields, { title: 'PrivacyRequest' });

export const PrivacyRequestDetail = Type.Object(
  {
    ...fields,
    phone: Nullable(Text('The number, E.164; null: the request is finished', '+966501234567', 18)),
    contacts: Type.Array(
      Type.Object(
        {
          id: Uuid('Contact'),
          partnerId: Uuid('Its partner'),
          partnerName: Text("The partner's name", 'Acme Homes'),
          openBookings: Type.Integer({
            minimum: 0,
            maximum: MAX_UNPAGED,
            description: 'Bookings that stand in the way of an erasure',
            examples: [0],
          }),
        },
        { title: 'PrivacyRequestContact' },
      ),
      {
        maxItems: MAX_UNPAGED,
        description:
          'Customers with the number, of all partners; when an erasure is done, those who were erased',
      },
    ),
  },
  { title: 'PrivacyRequestDetail' },
);

const copy = CustomerExport.properties;
export const PrivacyCopy = Type.Object(
  {
    exportedAt: Stamp('When it was read', '2026-12-02T08:00:00+03:00'),
    customers: Type.Array(
      Type.Object(
        {
          partnerName: Text('The partner whose customer she is', 'Acme Homes'),
          contact: copy.contact,
          bookings: copy.bookings,
          series: copy.series,
          messages: copy.messages,
        },
        { title: 'PrivacyCopyCustomer' },
      ),
      { maxItems: MAX_UNPAGED, description: 'The customer with each partner' },
    ),
  },
  { title: 'PrivacyCopy' },
);

/** A line of the file of erasures. */
export const ErasureLine = Body({
  contactId: Uuid('The erased contact'),
  requestId: Uuid('The request that erased it'),
  partnerId: Nullable(Uuid("Whose customer the request is about; null: the number's, with every partner")),
  kind: Choice([...REQUEST_KINDS], KIND, 'ERASURE'),
  receivedAt: Stamp('When the request was received'),
  receivedBy: Words('Actor that entered it', 'operator:first-token'),
  erasedAt: Stamp('When the contact was erased'),
  erasedBy: Words('Actor that erased it', 'operator:first-token'),
});
export type ErasureLine = Static<typeof ErasureLine>;
