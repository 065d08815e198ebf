import Type, { type Static } from 'typebox';
import { CustomerPhone, OperatorContact } from '../contacts/schema.ts';
import { Choice, Nullable, PageQuery, Stamp, Text, Uuid } from '../http/schemas.ts';
import { KINDS, MATCHES } from './search.ts';

/** Query and response of /operator/search. */

export const SearchQuery = Type.Object({
  q: Type.String({
    format: 'text',
    trimmedLength: [2, 200],
    description:
      'Phone in any spelling, its beginning or last digits (not for viewers); tracking reference (`sa 42`), or its ' +
      'beginning; external reference, or any part of it from three characters on; the id of anything; words of a ' +
      'name, or their beginnings; short address; district or street of the newest bookings',
    examples: ['050 123 4567'],
  }),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 20,
      default: 5,
      description: 'Most items of each kind',
      examples: [5],
    }),
  ),
});
export type SearchQuery = Static<typeof SearchQuery>;

export const CustomersQuery = Type.Object({
  search: Type.Optional({
    ...SearchQuery.properties.q,
    description:
      'Phone, name, short address or id of the customer, as `GET /operator/search` takes them, or the reference of ' +
      'one of its bookings; at most 100 are found',
  }),
  ...PageQuery,
});
export type CustomersQuery = Static<typeof CustomersQuery>;

export const ListedCustomer = Type.Pick(
  OperatorContact,
  ['id', 'name', 'phone', 'partnerId', 'partnerName', 'createdAt'],
  { title: 'ListedCustomer' },
);

const Item = Type.Object(
  {
    id: Uuid('What is found; of a customer the contact'),
    title: Text('Tracking reference, or name', 'SA-0042'),
    titleAr: Nullable(Text('Arabic name of a service', 'تنظيف عميق')),
    detail: Nullable(Text('External reference of a booking', 'ORDER-2026-000123')),
    customer: Nullable(Text('Customer of a booking', 'Noura Al-Qahtani')),
    phone: { ...CustomerPhone, description: 'Phone of a customer, E.164; masked for viewers' },
    partner: Nullable(Text('Partner of a booking or a customer', 'Home Deals')),
    status: Nullable(Text('Booking status; of what is set up: active or inactive', 'in progress')),
    appointmentId: Nullable(Uuid('Appointment of a booking')),
    appointmentStatus: Nullable(Text('Its status', 'Scheduled')),
    startsAt: Nullable(Stamp('Its start')),
    match: Choice(
      [...MATCHES],
      'It is what was typed, begins with it, has it in it, or is a booking of a customer that was found',
    ),
  },
  { title: 'SearchItem' },
);

export const Search = Type.Array(
  Type.Object(
    {
      kind: Choice([...KINDS], 'What its items are'),
      items: Type.Array(Item, { minItems: 1, maxItems: 20, description: 'The best first' }),
    },
    { title: 'SearchGroup' },
  ),
  { maxItems: KINDS.length, description: 'Kinds with items, the one with the best item first' },
);
