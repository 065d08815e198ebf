import Type, { type Static } from 'typebox';
import { Body, Choice, Name, Nullable, PageQuery, SortQuery, Stamp, Text, Uuid } from '../http/schemas.ts';
import { EXPIRY } from '../partners/key-rules.ts';

const TOKEN_ORDERS = ['createdAt', 'name', 'role', 'status', 'lastUsedAt'] as const;

const { Optional } = Type;

const name = Name('The person, or the purpose of the token', 'Dispatch desk');
const role = Choice(
  ['admin', 'dispatcher', 'viewer'],
  'viewer: reads; dispatcher: also field work and bookings; admin: everything',
);
const status = Choice(['ACTIVE', 'REVOKED'], 'A revoked token stays revoked');

const expiresAt = Optional(
  Nullable(
    Type.String({
      format: 'date-time',
      rule: EXPIRY,
      description:
        'When the token and its sessions end, in real time: ISO 8601 with offset, years 2000 to 2100; null: never',
      examples: ['2027-11-21T12:00:00+03:00'],
    }),
  ),
);

export const CreateToken = Body({ name, role, expiresAt });
export type CreateToken = Static<typeof CreateToken>;
const changes = { name: Optional(name), role: Optional(role), status: Optional(status), expiresAt };
export const UpdateToken = Body(changes);
export type UpdateToken = Static<typeof UpdateToken>;

const tokenFields = {
  id: Uuid('Token'),
  name,
  role,
  isPerson: Type.Boolean({
    description: 'A person, for whom a link was made; else a program',
    examples: [true],
  }),
  status,
  prefix: Text('First characters of the token', 'pbs_operator_7Kd2', 20),
  last4: Text('Last 4 characters of the token', 'x9Qa', 4),
  expiresAt: Nullable(Stamp('When it ends, in real time; null: never')),
  lastUsedAt: Nullable(Stamp('Updated every few seconds; null: never used')),
  createdAt: Stamp(),
  updatedAt: Stamp(),
};

export const Token = Type.Object(tokenFields, { title: 'Token' });
export const TokenWithSecret = Type.Object(
  {
    ...tokenFields,
    token: Text(
      'The token; only shown in this response',
      'pbs_operator_4fN0c3XkqYy2m7SgB1eVtA9dLhJ5uWzRoP6iTQ8xDbK',
      100,
    ),
  },
  { title: 'TokenWithSecret' },
);
export const TokensQuery = Type.Object({
  search: Optional(Text('Part of the name, case-insensitive', 'desk')),
  role: Optional(role),
  isPerson: Optional(Choice(['true', 'false'], 'Filter by people or programs')),
  status: Optional(status),
  ...SortQuery(TOKEN_ORDERS, 'DESC'),
  ...PageQuery,
});
export type TokensQuery = Static<typeof TokensQuery>;
