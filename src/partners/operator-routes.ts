import { type App, absentBodyIsEmpty } from '../http/edge.ts';
import { paging, success, successPage } from '../http/envelope.ts';
import { EtagHeader, IfMatchHeader, ifMatchRules, STALE, tagged, wantedVersions } from '../http/if-match.ts';
import type { Deps } from '../program/deps.ts';
import { changePartner, createPartner, readPartner, searchPartners } from './accounts.ts';
import { changeKey, type IssuedKey, issueKey, rotateKey, searchKeys } from './keys.ts';
import { gatewayFaults } from './rules.ts';
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
} from './schema.ts';
import { readPartnerServices, setPartnerServices } from './services.ts';
import { keyView, partnerServicesView, partnerView } from './view.ts';

/** Partners, their keys and their services. Every change is in force in this process before the response. */
export function partnerRoutes(app: App, { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>): void {
  const { deployment } = config;
  const hasGateway = config.payments.gateway !== 'none';
  const rules = (body: UpdatePartner) => gatewayFaults(body, hasGateway);
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
      config: { rules },
    },
    async ({ actor, body }, reply) => {
      const partner = await db.transaction((tx) => createPartner(tx, clock.now(), actor, hasGateway, body));
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
      config: { rules },
    },
    async ({ actor, params, body }) => {
      const input = { id: params.id, changes: body };
      const partner = await db.transaction((tx) => changePartner(tx, clock.now(), actor, hasGateway, input));
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

  app.get(
    '/partners/:id/services',
    {
      schema: {
        operationId: 'getPartnerServices',
        summary: 'Read the services that a partner may book, with their prices',
        tags: ['Partners'],
        missing: ['Partner'],
        params: PartnerParams,
        response: { 200: PartnerServicesResponse },
        responseHeaders: EtagHeader,
      },
    },
    async ({ params }, reply) => {
      const services = await readPartnerServices(db, params.id);
      tagged(reply, services.version);
      return success(partnerServicesView(services));
    },
  );

  app.put(
    '/partners/:id/services',
    {
      schema: {
        operationId: 'putPartnerServices',
        summary: 'Replace the services that a partner may book, with their prices',
        tags: ['Partners'],
        missing: ['Partner'],
        errors: [STALE],
        params: PartnerParams,
        headers: IfMatchHeader,
        body: PutPartnerServices,
        response: { 200: PartnerServicesResponse },
        responseHeaders: EtagHeader,
      },
      config: { rules: ifMatchRules },
    },
    async (request, reply) => {
      const { actor, params, body } = request;
      const wanted = wantedVersions(request);
      const services = await db.transaction((tx) =>
        setPartnerServices(tx, clock.now(), actor, params.id, body, wanted),
      );
      tagged(reply, services.version);
      return success(partnerServicesView(services));
    },
  );
}
