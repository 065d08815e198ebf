import Type, { type Static, type TSchema } from 'typebox';
import { MAX_MONEY } from '../base/money.ts';
import {
  Body,
  Choice,
  Name,
  Nullable,
  PageQuery,
  SortQuery,
  Stamp,
  Success,
  SuccessPage,
  Text,
  Uuid,
  Version,
} from '../http/schemas.ts';
import { withRules } from '../http/validation.ts';
import {
  ADDRESS_RANGE,
  AMOUNT,
  DOMAIN,
  duplicateServiceFaults,
  EXPIRY,
  KEY_ORDERS,
  PARTNER_ORDERS,
  PERMISSIONS,
} from './rules.ts';

const NullableTime = (description: string) => Nullable(Stamp(description));

// ---------------------------------------------------------------------------
// Partners

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
  allowedDomains: Domains(
    'Domains that requests may come from, subdomains included; empty: any',
    'example.sa',
  ),
  sandboxDomains: Domains('Allowed domains refused while SANDBOX_DOMAIN_CHECK is on', 'sandbox.example.sa'),
  allowedWebhookDomains: Domains('Domains that webhooks may go to, subdomains included', 'hooks.example.sa'),
  requireHttpsWebhooks: Type.Boolean({ description: 'Refuse webhook URLs without TLS', examples: [true] }),
  language: Choice(['en', 'ar'], 'Language of the service names in its responses; default en'),
};

const changeablePartner = Type.Partial(Type.Object(partnerFields)).properties;

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
export const PartnerResponse = Success(Partner);
export const ListPartnersResponse = SuccessPage(Partner);

// ---------------------------------------------------------------------------
// Keys

const keyFields = {
  name: Name('Purpose of the key', 'Production server'),
  // The type makes the check of uniqueness a linear one.
  permissions: Type.Array(Type.Enum([...PERMISSIONS], { type: 'string' }), {
    minItems: 1,
    uniqueItems: true,
    documented: { maxItems: PERMISSIONS.length },
    description: 'What the key may be used for (section 5)',
    examples: [['partner_bookings_create', 'partner_bookings_read']],
  }),
  ipAllowlist: Type.Array(Type.String({ format: 'text', maxLength: 100, rule: ADDRESS_RANGE }), {
    maxItems: 500,
    description: 'Addresses and CIDRs, IPv4 or IPv6, that may use the key; empty: any',
    examples: [['203.0.113.7', '2001:db8::/32']],
  }),
  expiresAt: Nullable(
    Type.String({
      format: 'date-time',
      rule: EXPIRY,
      description: 'When the key expires: ISO 8601 with offset, years 2000 to 2100; null: never',
      examples: ['2027-11-21T12:00:00+03:00'],
    }),
  ),
};

const changeableKey = Type.Partial(Type.Object(keyFields)).properties;
const KeyStatusChoice = Choice(['ACTIVE', 'REVOKED'], 'A revoked key stays revoked');

export const CreateKey = Body({
  ...changeableKey,
  name: keyFields.name,
  permissions: keyFields.permissions,
});
export type CreateKey = Static<typeof CreateKey>;
export const UpdateKey = Body({ ...changeableKey, status: Type.Optional(KeyStatusChoice) });
export type UpdateKey = Static<typeof UpdateKey>;
export const RotateKey = Body({
  overlapMinutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 43_200,
      default: 0,
      description: 'Minutes for which the previous secret keeps working; 0: it stops at once',
      examples: [60],
    }),
  ),
});

const keyResource = {
  id: Uuid('Key'),
  partnerId: Uuid('Its partner'),
  ...keyFields,
  expiresAt: NullableTime('null: never'),
  status: KeyStatusChoice,
  lastUsedAt: NullableTime('Updated every few seconds; null: never used'),
  prefix: Text('First characters of the key', 'pbs_test_7Kd2', 20),
  last4: Text('Last 4 characters of the key', 'x9Qa', 4),
  previousExpiresAt: NullableTime('When the previous secret stops working; null: it no longer works'),
  createdAt: Stamp(),
  updatedAt: Stamp(),
};

export const Key = Type.Object(keyResource, { title: 'Key' });
export const KeyWithSecret = Type.Object(
  {
    ...keyResource,
    key: Text(
      'The key; only shown in this response',
      'pbs_test_4fN0c3XkqYy2m7SgB1eVtA9dLhJ5uWzRoP6iTQ8xDbKAb12Cd',
      100,
    ),
  },
  { title: 'KeyWithSecret' },
);

export const KeyParams = Type.Object({ id: Uuid('Key') });
export const ListKeysQuery = Type.Object({
  search: Type.Optional(Text('Part of the name, case-insensitive', 'server')),
  status: Type.Optional(KeyStatusChoice),
  ...SortQuery(KEY_ORDERS, 'DESC'),
  ...PageQuery,
});
export const KeyResponse = Success(Key);
export const KeyWithSecretResponse = Success(KeyWithSecret);
export const ListKeysResponse = SuccessPage(Key);

// ---------------------------------------------------------------------------
// Services of a partner

const restricted = Type.Boolean({
  description: 'true: only the services listed may be booked; false: every active one',
  examples: [true],
});

const price = Nullable(
  Type.Number({
    minimum: 0,
    maximum: MAX_MONEY,
    rule: AMOUNT,
    description: "SAR, at most two decimals; null: the service's default price",
    examples: [249.5],
  }),
);

const listOf = <T extends TSchema>(item: T) =>
  Type.Array(item, {
    maxItems: 1000,
    description: 'The services and their prices for this partner, each service once',
  });

export const PutPartnerServices = withRules(
  Body({
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description:
          'As it was read, so that what was read can be changed and sent back: heeded as `If-Match` is',
        examples: [3],
      }),
    ),
    restricted,
    services: listOf(Body({ serviceId: Uuid('Service'), price: Type.Optional(price) })),
  }),
  duplicateServiceFaults,
);
export type PutPartnerServices = Static<typeof PutPartnerServices>;

export const PartnerServices = Type.Object(
  {
    version: Version,
    restricted,
    services: listOf(Type.Object({ serviceId: Uuid('Service'), price })),
  },
  { title: 'PartnerServices' },
);

export const PartnerServicesResponse = Success(PartnerServices);
