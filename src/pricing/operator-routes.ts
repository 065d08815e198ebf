import type { App, RouteParts } from '../http/edge.ts';
import { pageOf, removed } from '../http/envelope.ts';
import { routesOf } from '../http/routes.ts';
import { IdParams, Removed } from '../http/schemas.ts';
import { createTier, listTiers, operatorTierView, readTier, removeTier, updateTier } from './pricing.ts';
import { CreateTier, Tier, TiersQuery, UpdateTier } from './schema.ts';

/** Pricing tiers in the operator API. */
export function tierRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, { tags: ['Pricing'], missing: ['Pricing tier'], params: IdParams });

  route.get('/operator/pricing-tiers', {
    operationId: 'listPricingTiers',
    summary: 'List pricing tiers',
    query: TiersQuery,
    response: { page: Tier },
    answer: async ({ query }) => pageOf(await listTiers(db, query), operatorTierView),
  });

  route.post('/operator/pricing-tiers', {
    operationId: 'createPricingTier',
    summary: 'Create a pricing tier',
    errors: [
      {
        code: 'CONFLICT',
        message: 'The minutes overlap those of another tier',
        details: { reason: 'TIERS_OVERLAP' },
      },
    ],
    body: CreateTier,
    status: 201,
    response: { data: Tier },
    answer: async ({ actor, body }) =>
      operatorTierView(await db.transaction((tx) => createTier(tx, clock.now(), actor, body))),
  });

  route.get('/operator/pricing-tiers/:id', {
    operationId: 'getPricingTier',
    summary: 'Read a pricing tier',
    response: { data: Tier },
    answer: async ({ params }) => operatorTierView(await readTier(db, params.id)),
  });

  route.patch('/operator/pricing-tiers/:id', {
    operationId: 'updatePricingTier',
    summary: 'Update a pricing tier',
    errors: [
      {
        code: 'CONFLICT',
        message: 'The minutes overlap those of another tier',
        details: { reason: 'TIERS_OVERLAP' },
      },
    ],
    body: UpdateTier,
    response: { data: Tier },
    answer: async ({ actor, params, body }) => {
      const input = { id: params.id, changes: body };
      return operatorTierView(await db.transaction((tx) => updateTier(tx, clock.now(), actor, input)));
    },
  });

  route.delete('/operator/pricing-tiers/:id', {
    operationId: 'removePricingTier',
    summary: 'Remove a pricing tier',
    response: { data: Removed },
    answer: async ({ actor, params }) => removed(await removeTier(db, clock.now(), actor, params.id)),
  });
}
