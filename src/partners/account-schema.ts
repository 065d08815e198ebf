import Type, { type Static } from 'typebox';
import {
  Body,
  Choice,
  Name,
  Nullable,
  optional,
  PageQuery,
  SortQuery,
  Stamp,
  Text,
  Uuid,
  Words,
} from '../http/schemas.ts';
import { CHOSEN_KINDS, PARTNER_ORDERS } from './account-rules.ts';
import { DOMAIN } from './domain-rules.ts';

const Domains = (description: string, example: string) =>
  Type.Array(Type.String({ format: 'text', maxLength: 253, rule: DOMAIN }), {
    maxItems: 200,
    description: `${description}. Bare host names, no scheme, port or path; stored in lower-case ASCII`,
    examples: [[example]],
  });

const partnerFields = {
  name: Name('Unique, case-insensitive; becomes the utmSource of its contacts', 'Riyadh Homes'),
  status: Choice(['ACTIVE', 'SUSPENDED'], 'The keys of a suspended partner do not work'),
  paymentResponsibility: Choice(['PARTNER', 'PLATFORM'], 'Who collects the money for new bookings'),
  rateLimitPerMinute: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Requests per key in any 60 seconds; null: no limit',
      examples: [600],
    }),
  ),
  maxHolds: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description: 'Slots that it may hold at once; default 50',
    examples: [50],
  }),
  allowedDomains: Domains(
    'Domains that requests may come from, subdomains included; empty: any',
    'example.sa',
  ),
  sandboxDomains: Domains('Allowed domains refused while SANDBOX_DOMAIN_CHECK is on', 'sandbox.example.sa'),
  allowedWebhookDomains: Domains('Domains that webhooks may go to, subdomains included', 'hooks.example.sa'),
  requireHttpsWebhooks: Type.Boolean({ description: 'Refuse webhook URLs without TLS', examples: [true] }),
  language: Choice(['en', 'ar'], 'Language of the service names in its responses; default en'),
  trackingPage: Type.Boolean({
    description:
      'Whether its customers have a page for each booking, at the `trackingUrl` of the booking; default false',
    examples: [true],
  }),
  pageColour: Nullable(
    Type.String({
      minLength: 7,
      maxLength: 7,
      pattern: '^#[0-9a-f]{6}$',
      description: 'Colour of the head of these pages; null: a neutral one',
      examples: ['#0b6b46'],
    }),
  ),
  contactTextEn: Nullable(
    Words(
      'How a customer reaches the partner, on the English page; null: nothing',
      'Sunday to Thursday, 9 to 5',
      300,
    ),
  ),
  contactTextAr: Nullable(
    Words(
      'How a customer reaches the partner, on the Arabic page; null: nothing',
      'من الأحد إلى الخميس، ٩ إلى ٥',
      300,
    ),
  ),
  contactNumber: Nullable(
    Type.String({
      minLength: 3,
      maxLength: 16,
      pattern: '^\\+?[0-9]{3,15}$',
      description: 'Telephone of the partner on these pages; null: none',
      examples: ['+966112345678'],
    }),
  ),
  customerMessages: Type.Array(Choice([...CHOSEN_KINDS], 'Kind of message', 'BOOKED'), {
    maxItems: CHOSEN_KINDS.length,
    description:
      'Messages that its customers get, from their next change on: `BOOKED`, `DAY_BEFORE`, `ON_THE_WAY`, `LATE`, ' +
      '`DONE`. Whoever was told of a visit is also told that it was moved, cancelled or could not be done. Between 21:00 ' +
      'and 09:00 in Riyadh only what concerns the next twelve hours is sent. Only where `NOTIFIER` sends them. Default none',
    examples: [['BOOKED', 'DAY_BEFORE']],
  }),
};

const changeablePartner = optional(partnerFields);

export const CreatePartner = Body({ ...changeablePartner, name: partnerFields.name });
export type CreatePartner = Static<typeof CreatePartner>;
export const UpdatePartner = Body(changeablePartner);
export type UpdatePartner = Static<typeof UpdatePartner>;

export const Partner = Type.Object(
  {
    id: Uuid('Partner'),
    ...partnerFields,
    createdAt: Stamp(),
    updatedAt: Stamp(),
  },
  { title: 'Partner' },
);

export const PartnerParams = Type.Object({ id: Uuid('Partner') });
export const ListPartnersQuery = Type.Object({
  search: Type.Optional(Text('Part of the name, case-insensitive', 'homes')),
  status: Type.Optional(partnerFields.status),
  ...SortQuery(PARTNER_ORDERS, 'DESC'),
  ...PageQuery,
});
export type ListPartnersQuery = Static<typeof ListPartnersQuery>;
