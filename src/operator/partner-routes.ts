import type { Deps } from '../deps.ts';
import { changePartner, createPartner, readPartner, searchPartners } from '../partners/accounts.ts';
import { changeKey, type IssuedKey, issueKey, rotateKey, searchKeys } from '../partners/keys.ts';
import {
  CreateKey,
  CreatePartner,
  KeyParams,
  KeyResponse,
  KeyWithSecretResponse,
  ListKeysQuery,
  ListKeysResponse,
  ListPartnersQuery,
  ListPartnersResponse,
  PartnerParams,
  PartnerResponse,
  PartnerServicesResponse,
  PutPartnerServices,
  RotateKey,
  UpdateKey,
  UpdatePartner,
} from '../partners/schema.ts';
import { readPartnerServices, setPartnerServices } from '../partners/services.ts';
import { keyView, partnerServicesView, partnerView } from '../partners/view.ts';
import { paging, success, successPage } from '../platform/envelope.ts';
import { type App, absentBodyIsEmpty } from '../platform/http.ts';

/** Partners, their keys and their services. Every change is in force in this process when it is answered. */
export function partnerRoutes(app: App, { db, clock, config }: Deps): void {
  const { deployment } = config;
  const issuedView = ({ row, key }: IssuedKey) => ({ ...keyView(row, clock.now()), key });

  app.get(
    '/partners',
    {
      schema: {
        operationId: 'listPartners',
        summary: 'List partners, newest first',
        tags: ['Partners'],
        querystring: ListPartnersQuery,
        response: { 200: ListPartnersResponse },
      },
    },
    async ({ query }) => successPage(query, await searchPartners(db, query, paging(query)), partnerView),
  );

  app.post(
    '/partners',
    {
      schema: {
        operationId: 'createPartner',
        summary: 'Create a partner',
        tags: ['Partners'],
        errors: [{ code: 'CONFLICT', message: 'Another partner has this name' }],
        body: CreatePartner,
        response: { 201: PartnerResponse },
      },
    },
    async ({ actor, body }, reply) => {
      const partner = await createPartner(db, clock.now(), actor, body);
      reply.code(201);
      return success(partnerView(partner));
    },
  );

  app.get(
    '/partners/:id',
    {
      schema: {
        operationId: 'getPartner',
        summary: 'Read a partner',
        tags: ['Partners'],
        missing: ['Partner'],
        params: PartnerParams,
        response: { 200: PartnerResponse },
      },
    },
    async ({ params }) => success(partnerView(await readPartner(db, params.id))),
  );

  app.patch(
    '/partners/:id',
    {
      schema: {
        operationId: 'updatePartner',
        summary: 'Change a partner; suspending it stops all its keys',
        tags: ['Partners'],
        missing: ['Partner'],
        errors: [{ code: 'CONFLICT', message: 'Another partner has this name' }],
        params: PartnerParams,
        body: UpdatePartner,
        response: { 200: PartnerResponse },
      },
    },
    async ({ actor, params, body }) => {
      const partner = await changePartner(db, clock.now(), actor, { id: params.id, changes: body });
      return success(partnerView(partner));
    },
  );

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
        summary: 'Create a key; the answer shows it for the only time',
        tags: ['API keys'],
        missing: ['Partner'],
        params: PartnerParams,
        body: CreateKey,
        response: { 201: KeyWithSecretResponse },
      },
    },
    async ({ actor, params, body }, reply) => {
      const issued = await issueKey(db, clock.now(), actor, { ...body, partnerId: params.id, deployment });
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
      const key = await changeKey(db, now, actor, { id: params.id, changes: body });
      return success(keyView(key, now));
    },
  );

  app.post(
    '/keys/:id/rotate',
    {
      schema: {
        operationId: 'rotateKey',
        summary: 'Give a key a new secret; the answer shows it for the only time',
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
      const issued = await rotateKey(db, clock.now(), actor, { ...body, id: params.id, deployment });
      reply.code(201);
      return success(issuedView(issued));
    },
  );

  app.get(
    '/partners/:id/services',
    {
      schema: {
        operationId: 'getPartnerServices',
        summary: 'Read which services a partner may book, and at which prices',
        tags: ['Partners'],
        missing: ['Partner'],
        params: PartnerParams,
        response: { 200: PartnerServicesResponse },
      },
    },
    async ({ params }) => success(partnerServicesView(await readPartnerServices(db, params.id))),
  );

  app.put(
    '/partners/:id/services',
    {
      schema: {
        operationId: 'putPartnerServices',
        summary: 'Replace which services a partner may book, and at which prices',
        tags: ['Partners'],
        missing: ['Partner'],
        params: PartnerParams,
        body: PutPartnerServices,
        response: { 200: PartnerServicesResponse },
      },
    },
    async ({ actor, params, body }) => {
      const services = await setPartnerServices(db, clock.now(), actor, { ...body, partnerId: params.id });
      return success(partnerServicesView(services));
    },
  );
}
