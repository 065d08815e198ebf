import type { App, RouteParts } from '../http/edge.ts';
import { pageOf, removed } from '../http/envelope.ts';
import { noMove, routesOf } from '../http/routes.ts';
import { IdParams, Removed } from '../http/schemas.ts';
import { changeToken, createToken, removeToken, tokenView } from './tokens.ts';
import { listTokens } from './tokens-queries.ts';
import { CreateToken, Token, TokensQuery, TokenWithSecret, UpdateToken } from './tokens-schema.ts';

/** Operator tokens, for admins only. A change takes effect here before the response. */
export function tokenRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, { tags: ['Operator tokens'], missing: ['Token'], params: IdParams });

  route.get('/operator/tokens', {
    operationId: 'listTokens',
    summary: 'List people and tokens of programs, newest first',
    query: TokensQuery,
    config: { role: 'admin' },
    response: { page: Token },
    answer: async ({ query }) => pageOf(await listTokens(db, query), tokenView),
  });

  route.post('/operator/tokens', {
    operationId: 'createToken',
    summary: 'Create an operator token; it is only shown in this response',
    body: CreateToken,
    status: 201,
    response: { data: TokenWithSecret },
    answer: async ({ actor, body }) => {
      const { row, token } = await db.transaction((tx) => createToken(tx, clock.now(), actor, body));
      return { ...tokenView(row), token };
    },
  });

  route.patch('/operator/tokens/:id', {
    operationId: 'updateToken',
    summary: 'Rename or revoke an operator token, or change its role or expiry',
    errors: [noMove('A revoked token stays revoked: create a new one')],
    body: UpdateToken,
    response: { data: Token },
    answer: async ({ actor, params, body }) =>
      tokenView(
        await db.transaction((tx) => changeToken(tx, clock.now(), actor, { id: params.id, changes: body })),
      ),
  });

  route.delete('/operator/tokens/:id', {
    operationId: 'removeToken',
    summary: 'Remove an operator token',
    response: { data: Removed },
    answer: async ({ actor, params }) =>
      removed(await db.transaction((tx) => removeToken(tx, clock.now(), actor, params.id))),
  });
}
