import type { App, RouteParts } from '../http/edge.ts';
import { pageOf } from '../http/envelope.ts';
import { routesOf } from '../http/routes.ts';
import { listPartners } from './account-queries.ts';
import { accountFaults, providersOf } from './account-rules.ts';
import { CreatePartner, ListPartnersQuery, Partner, PartnerParams, UpdatePartner } from './account-schema.ts';
import { changePartner, createPartner, readPartner } from './accounts.ts';
import { partnerView } from './view.ts';

/** Partners in the operator's interface. Every change is in force in this process before the response. */
export function operatorPartnerRoutes(
  app: App,
  { db, clock, config }: RouteParts & { config: { payments: Parameters<typeof providersOf>[0] } },
): void {
  const providers = providersOf(config.payments);
  const rules = (body: UpdatePartner) => accountFaults(body, providers);

  const route = routesOf(app, { tags: ['Partners'], missing: ['Partner'], params: PartnerParams });

  route.get('/operator/partners', {
    operationId: 'listPartners',
    summary: 'List partners, newest first',
    query: ListPartnersQuery,
    response: { page: Partner },
    answer: async ({ query }) => pageOf(await listPartners(db, query), partnerView),
  });

  route.post('/operator/partners', {
    operationId: 'createPartner',
    summary: 'Create a partner',
    errors: [
      { code: 'CONFLICT', message: 'Another partner has this name', details: { reason: 'NAME_TAKEN' } },
    ],
    body: CreatePartner,
    config: { rules },
    status: 201,
    response: { data: Partner },
    answer: async ({ actor, body }) =>
      partnerView(
        await db.transaction((tx) => createPartner(tx, clock.now(), actor, { ...body, providers })),
      ),
  });

  route.get('/operator/partners/:id', {
    operationId: 'getPartner',
    summary: 'Read a partner',
    response: { data: Partner },
    answer: async ({ params }) => partnerView(await readPartner(db, params.id)),
  });

  route.patch('/operator/partners/:id', {
    operationId: 'updatePartner',
    summary: 'Change a partner; suspending it stops all its keys',
    errors: [
      { code: 'CONFLICT', message: 'Another partner has this name', details: { reason: 'NAME_TAKEN' } },
    ],
    body: UpdatePartner,
    config: { rules },
    response: { data: Partner },
    answer: async ({ actor, params, body }) => {
      const input = { id: params.id, providers, changes: body };
      return partnerView(await db.transaction((tx) => changePartner(tx, clock.now(), actor, input)));
    },
  });
}
