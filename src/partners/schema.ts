import Type, { type TSchema } from 'typebox';
import { MAX_MONEY } from '../platform/money.ts';
import {
  Body,
  Choice,
  Name,
  Nullable,
  PageQuery,
  Stamp,
  Success,
  SuccessPage,
  Text,
  Uuid,
} from '../platform/schemas.ts';
import { PERMISSIONS } from './rules.ts';

const NullableTime = (description: string) => Nullable(Stamp(description));

// ---------------------------------------------------------------------------
// Partners

const Domains = (description: string, example: string) =>
  Type.Array(Type.String({ format: 'text', maxLength: 253 }), {
    maxItems: 200,
    description: `${description}. Bare host names, no scheme, port or path; stored in lower-case ASCII`,
    examples: [[example]],
  });

const partnerFields = {
  name: Name('Unique whatever its case; becomes utmSource of its contacts', 'Riyadh Homes'),
  status: Choice(['ACTIVE', 'SUSPENDED'], 'No key of a suspended partner works'),
  paymentResponsibility: Choice(['PARTNER', 'PLATFORM'], 'Who collects the money for new bookings'),
  rateLimitPerMinute: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Requests in any 60 seconds, for each key; null: no limit',
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
};

const changeablePartner = Type.Partial(Type.Object(partnerFields)).properties;

export const CreatePartner = Body({ ...changeablePartner, name: partnerFields.name });
export const UpdatePartner = Body(changeablePartner);

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
  search: Type.Optional(Text('Part of the name, whatever its case', 'homes')),
  status: Type.Optional(partnerFields.status),
  ...PageQuery,
});
export const PartnerResponse = Success(Partner);
export const ListPartnersResponse = SuccessPage(Partner);

// ---------------------------------------------------------------------------
// Keys

const keyFields = {
  name: Name('What the key is for', 'Production server'),
  // The type makes the check of uniqueness a linear one.
  permissions: Type.Array(Type.Enum([...PERMISSIONS], { type: 'string' }), {
    minItems: 1,
    uniqueItems: true,
    documented: { maxItems: PERMISSIONS.length },
    description: 'What the key opens (section 5)',
    examples: [['partner_bookings_create', 'partner_bookings_read']],
  }),
  ipAllowlist: Type.Array(Type.String({ format: 'text', maxLength: 100 }), {
    maxItems: 500,
    description: 'Addresses and CIDRs, IPv4 or IPv6, that may use the key; empty: any',
    examples: [['203.0.113.7', '2001:db8::/32']],
  }),
  expiresAt: Nullable(
    Type.String({
      format: 'date-time',
      description:
        'ISO 8601 with offset, years 2000 to 2100: from then on the key does not work; null: never',
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
export const UpdateKey = Body({ ...changeableKey, status: Type.Optional(KeyStatusChoice) });
export const RotateKey = Body({
  overlapMinutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 43_200,
      default: 0,
      description: 'Minutes for which the secret until now works beside the new one; 0: it stops at once',
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
  lastUsedAt: NullableTime('Written every few seconds; null: never used'),
  prefix: Text('How the key begins', 'pbs_test_7Kd2', 20),
  last4: Text('How the key ends', 'x9Qa', 4),
  previousExpiresAt: NullableTime(
    'Until when the secret before the last rotation works; null: it does not any more',
  ),
  createdAt: Stamp(),
  updatedAt: Stamp(),
};

export const Key = Type.Object(keyResource, { title: 'Key' });
export const KeyWithSecret = Type.Object(
  {
    ...keyResource,
    key: Text(
      'The key itself, shown this once',
      'pbs_test_4fN0c3XkqYy2m7SgB1eVtA9dLhJ5uWzRoP6iTQ8xDbKAb12Cd',
      100,
    ),
  },
  { title: 'KeyWithSecret' },
);

export const KeyParams = Type.Object({ id: Uuid('Key') });
export const ListKeysQuery = Type.Object({
  search: Type.Optional(Text('Part of the name, whatever its case', 'server')),
  status: Type.Optional(KeyStatusChoice),
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
    description: "SAR, at most two decimals; null: the service's default price",
    examples: [249.5],
  }),
);

const listOf = <T extends TSchema>(item: T) =>
  Type.Array(item, {
    maxItems: 1000,
    description: 'The services with what this partner pays for them; no service twice',
  });

export const PutPartnerServices = Body({
  restricted,
  services: listOf(Body({ serviceId: Uuid('Service'), price: Type.Optional(price) })),
});

export const PartnerServices = Type.Object(
  {
    restricted,
    services: listOf(Type.Object({ serviceId: Uuid('Service'), price })),
  },
  { title: 'PartnerServices' },
);

export const PartnerServicesResponse = Success(PartnerServices);
