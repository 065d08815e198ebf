import type { App } from '../http/edge.ts';
import { paging, success, successPage } from '../http/envelope.ts';
import type { Deps } from '../program/deps.ts';
import { accountFaults, providersOf } from './account-rules.ts';
import {
  CreatePartner,
  ListPartnersQuery,
  ListPartnersResponse,
  PartnerParams,
  PartnerResponse,
  UpdatePartner,
} from './account-schema.ts';
import { changePartner, createPartner, readPartner, searchPartners } from './accounts.ts';
import { partnerView } from './view.ts';

/** Partners in the operator's interface. Every change is in force in this process before the response. */
export function operatorPartnerRoutes(
  app: App,
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
): void {
  const providers = providersOf(config.payments);
  const rules = (body: UpdatePartner) => accountFaults(body, providers);

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
        errors: [
          { code: 'CONFLICT', message: 'Another partner has this name', details: { reason: 'NAME_TAKEN' } },
        ],
        body: CreatePartner,
        response: { 201: PartnerResponse },
      },
      config: { rules },
    },
    async ({ actor, body }, reply) => {
      const partner = await db.transaction((tx) =>
        createPartner(tx, clock.now(), actor, { ...body, providers }),
      );
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
        errors: [
          { code: 'CONFLICT', message: 'Another partner has this name', details: { reason: 'NAME_TAKEN' } },
        ],
        params: PartnerParams,
        body: UpdatePartner,
        response: { 200: PartnerResponse },
      },
      config: { rules },
    },
    async ({ actor, params, body }) => {
      const input = { id: params.id, providers, changes: body };
      const partner = await db.transaction((tx) => changePartner(tx, clock.now(), actor, input));
      return success(partnerView(partner));
    },
  );
}
