import { type App, absentBodyIsEmpty } from '../http/edge.ts';
import { paging, success, successPage } from '../http/envelope.ts';
import type { Deps } from '../program/deps.ts';
import { PartnerParams } from './account-schema.ts';
import {
  CreateKey,
  KeyParams,
  KeyResponse,
  KeyWithSecretResponse,
  ListKeysQuery,
  ListKeysResponse,
  RotateKey,
  UpdateKey,
} from './key-schema.ts';
import { changeKey, type IssuedKey, issueKey, rotateKey, searchKeys } from './keys.ts';
import { keyView } from './view.ts';

/** Keys of partners in the operator's interface. Every change is in force in this process before the response. */
export function operatorKeyRoutes(
  app: App,
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
): void {
  const { deployment } = config;
  const issuedView = ({ row, key }: IssuedKey) => ({ ...keyView(row, clock.now()), key });

  app.get(
    '/partners/:id/keys',
    {
      schema: {
        operationId: 'listKeys',
        summary: "List a partner's keys, newest first",
        tags: ['API keys'],
        missing: ['Partner'],
        params: PartnerParams,
        querystring: ListKeysQuery,
        response: { 200: ListKeysResponse },
      },
    },
    async ({ params, query }) => {
      const now = clock.now();
      const keys = await searchKeys(db, params.id, query, paging(query));
      return successPage(query, keys, (key) => keyView(key, now));
    },
  );

  app.post(
    '/partners/:id/keys',
    {
      schema: {
        operationId: 'createKey',
        summary: 'Create a key; it is only shown in this response',
        tags: ['API keys'],
        missing: ['Partner'],
        params: PartnerParams,
        body: CreateKey,
        response: { 201: KeyWithSecretResponse },
      },
    },
    async ({ actor, params, body }, reply) => {
      const input = { ...body, partnerId: params.id, deployment };
      const issued = await db.transaction((tx) => issueKey(tx, clock.now(), actor, input));
      reply.code(201);
      return success(issuedView(issued));
    },
  );

  app.patch(
    '/keys/:id',
    {
      schema: {
        operationId: 'updateKey',
        summary: 'Change or revoke a key',
        tags: ['API keys'],
        missing: ['Key'],
        errors: [
          {
            code: 'INVALID_TRANSITION',
            message: 'A revoked key stays revoked: create a new one',
            details: {},
          },
        ],
        params: KeyParams,
        body: UpdateKey,
        response: { 200: KeyResponse },
      },
    },
    async ({ actor, params, body }) => {
      const now = clock.now();
      const input = { id: params.id, changes: body };
      const key = await db.transaction((tx) => changeKey(tx, now, actor, input));
      return success(keyView(key, now));
    },
  );

  app.post(
    '/keys/:id/rotate',
    {
      schema: {
        operationId: 'rotateKey',
        summary: 'Rotate the secret of a key; the new one is only shown in this response',
        tags: ['API keys'],
        missing: ['Key'],
        errors: [
          {
            code: 'INVALID_TRANSITION',
            message: 'A revoked key cannot be rotated: create a new one',
            details: {},
          },
        ],
        optionalBody: true,
        params: KeyParams,
        body: RotateKey,
        response: { 201: KeyWithSecretResponse },
      },
      preValidation: absentBodyIsEmpty,
    },
    async ({ actor, params, body }, reply) => {
      const input = { ...body, id: params.id, deployment };
      const issued = await db.transaction((tx) => rotateKey(tx, clock.now(), actor, input));
      reply.code(201);
      return success(issuedView(issued));
    },
  );
}
