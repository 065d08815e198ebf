import Type, { type Static } from 'typebox';
import { Body, Choice, Name, PageQuery, Success, SuccessPage, Text, Uuid } from '../platform/schemas.ts';

const { Optional } = Type;

const name = Name('What or whom the token is for', 'Dispatch desk');
const role = Choice(
  ['admin', 'dispatcher', 'viewer'],
  'admin: everything; dispatcher: field work and bookings, and what a viewer may; viewer: reads',
);
const status = Choice(['ACTIVE', 'REVOKED'], 'A revoked token stays revoked');

export const CreateToken = Body({ name, role });
export type CreateToken = Static<typeof CreateToken>;
export const UpdateToken = Body({ name: Optional(name), status: Optional(status) });
export type UpdateToken = Static<typeof UpdateToken>;

const Stamp = Type.String({ description: 'ISO 8601 with offset', examples: ['2026-11-22T08:00:00+03:00'] });
const tokenFields = {
  id: Uuid('Token'),
  name,
  role,
  status,
  prefix: Type.String({ description: 'How the token begins', examples: ['pbs_operator_7Kd2'] }),
  last4: Type.String({ description: 'How the token ends', examples: ['x9Qa'] }),
  lastUsedAt: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Written every few seconds; null: never used',
    examples: ['2026-11-22T08:00:00+03:00'],
  }),
  createdAt: Stamp,
  updatedAt: Stamp,
};

export const Token = Type.Object(tokenFields);
export const TokenResponse = Success(Token);
export const TokenWithSecretResponse = Success(
  Type.Object({
    ...tokenFields,
    token: Type.String({
      description: 'The token itself, shown this once',
      examples: ['pbs_operator_4fN0c3XkqYy2m7SgB1eVtA9dLhJ5uWzRoP6iTQ8xDbK'],
    }),
  }),
);
export const TokensQuery = Type.Object({
  search: Optional(Text('A part of the name, whatever its case', 'desk')),
  role: Optional(role),
  status: Optional(status),
  ...PageQuery,
});
export type TokensQuery = Static<typeof TokensQuery>;
export const TokensResponse = SuccessPage(Token);
