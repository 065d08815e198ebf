import type { App } from '../http/edge.ts';
import { success, successPage } from '../http/envelope.ts';
import { IdParams, Removed, Success } from '../http/schemas.ts';
import type { Deps } from '../program/deps.ts';
import { changeToken, createToken, listTokens, removeToken, tokenView } from './tokens.ts';
import {
  CreateToken,
  TokenResponse,
  TokensQuery,
  TokensResponse,
  TokenWithSecretResponse,
  UpdateToken,
} from './tokens-schema.ts';

/** Operator tokens, for admins only. A change takes effect here before the response. */
export function tokenRoutes(app: App, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  app.get(
    '/tokens',
    {
      schema: {
        operationId: 'listTokens',
        summary: 'List operator tokens, newest first',
        tags: ['Operator tokens'],
        querystring: TokensQuery,
        response: { 200: TokensResponse },
      },
      config: { role: 'admin' },
    },
    async ({ query }) => successPage(query, await listTokens(db, query), tokenView),
  );

  app.post(
    '/tokens',
    {
      schema: {
        operationId: 'createToken',
        summary: 'Create an operator token; it is only shown in this response',
        tags: ['Operator tokens'],
        body: CreateToken,
        response: { 201: TokenWithSecretResponse },
      },
      config: { role: 'admin' },
    },
    async ({ actor, body }, reply) => {
      const { row, token } = await db.transaction((tx) => createToken(tx, clock.now(), actor, body));
      reply.code(201);
      return success({ ...tokenView(row), token });
    },
  );

  app.patch(
    '/tokens/:id',
    {
      schema: {
        operationId: 'updateToken',
        summary: 'Rename or revoke an operator token, or change its expiry',
        tags: ['Operator tokens'],
        missing: ['Token'],
        errors: [
          {
            code: 'INVALID_TRANSITION',
            message: 'A revoked token stays revoked: create a new one',
            details: {},
          },
        ],
        params: IdParams,
        body: UpdateToken,
        response: { 200: TokenResponse },
      },
      config: { role: 'admin' },
    },
    async ({ actor, params, body }) =>
      success(
        tokenView(
          await db.transaction((tx) => changeToken(tx, clock.now(), actor, { id: params.id, changes: body })),
        ),
      ),
  );

  app.delete(
    '/tokens/:id',
    {
      schema: {
        operationId: 'removeToken',
        summary: 'Remove an operator token',
        tags: ['Operator tokens'],
        missing: ['Token'],
        params: IdParams,
        response: { 200: Success(Removed) },
      },
      config: { role: 'admin' },
    },
    async ({ actor, params }) => {
      const { id } = await db.transaction((tx) => removeToken(tx, clock.now(), actor, params.id));
      return success({ id, removed: true as const });
    },
  );
}
