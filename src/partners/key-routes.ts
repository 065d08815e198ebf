import type { App, RouteParts } from '../http/edge.ts';
import { pageOf, paging } from '../http/envelope.ts';
import { noMove, routesOf } from '../http/routes.ts';
import { PartnerParams } from './account-schema.ts';
import {
  CreateKey,
  Key,
  KeyParams,
  KeyWithSecret,
  ListKeysQuery,
  RotateKey,
  UpdateKey,
} from './key-schema.ts';
import { changeKey, type Deployment, type IssuedKey, issueKey, rotateKey, searchKeys } from './keys.ts';
import { keyView } from './view.ts';

/** Keys of partners in the operator's interface. Every change is in force in this process before the response. */
export function operatorKeyRoutes(
  app: App,
  { db, clock, config }: RouteParts & { config: { deployment: Deployment } },
): void {
  const { deployment } = config;
  const issuedView = ({ row, key }: IssuedKey) => ({ ...keyView(row, clock.now()), key });

  const route = routesOf(app, { tags: ['API keys'], missing: ['Partner'], params: PartnerParams });

  route.get('/operator/partners/:id/keys', {
    operationId: 'listKeys',
    summary: "List a partner's keys, newest first",
    query: ListKeysQuery,
    response: { page: Key },
    answer: async ({ params, query }) => {
      const now = clock.now();
      const keys = await searchKeys(db, params.id, query, paging(query));
      return pageOf(keys, (key) => keyView(key, now));
    },
  });

  route.post('/operator/partners/:id/keys', {
    operationId: 'createKey',
    summary: 'Create a key; it is only shown in this response',
    body: CreateKey,
    status: 201,
    response: { data: KeyWithSecret },
    answer: async ({ actor, params, body }) => {
      const input = { ...body, partnerId: params.id, deployment };
      return issuedView(await db.transaction((tx) => issueKey(tx, clock.now(), actor, input)));
    },
  });

  route.patch('/operator/keys/:id', {
    operationId: 'updateKey',
    summary: 'Change or revoke a key',
    missing: ['Key'],
    errors: [noMove('A revoked key stays revoked: create a new one')],
    params: KeyParams,
    body: UpdateKey,
    response: { data: Key },
    answer: async ({ actor, params, body }) => {
      const now = clock.now();
      const input = { id: params.id, changes: body };
      const key = await db.transaction((tx) => changeKey(tx, now, actor, input));
      return keyView(key, now);
    },
  });

  route.post('/operator/keys/:id/rotate', {
    operationId: 'rotateKey',
    summary: 'Rotate the secret of a key; the new one is only shown in this response',
    missing: ['Key'],
    errors: [noMove('A revoked key cannot be rotated: create a new one')],
    params: KeyParams,
    body: RotateKey,
    optionalBody: true,
    status: 201,
    response: { data: KeyWithSecret },
    answer: async ({ actor, params, body }) => {
      const input = { ...body, id: params.id, deployment };
      return issuedView(await db.transaction((tx) => rotateKey(tx, clock.now(), actor, input)));
    },
  });
}
