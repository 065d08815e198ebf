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
} from '../http/schemas.ts';
import { ADDRESS_RANGE, EXPIRY, KEY_ORDERS, PERMISSIONS } from './key-rules.ts';

const NullableTime = (description: string) => Nullable(Stamp(description));

const keyFields = {
  name: Name('Purpose of the key', 'Production server'),
  // With the type, the check of uniqueness is linear.
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

const changeableKey = optional(keyFields);
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
