import type { App } from '../http/edge.ts';
import { success, successPage } from '../http/envelope.ts';
import { IdParams, Removed, Success } from '../http/schemas.ts';
import type { Deps } from '../program/deps.ts';
import { createTier, listTiers, operatorTierView, readTier, removeTier, updateTier } from './pricing.ts';
import { CreateTier, TierResponse, TiersQuery, TiersResponse, UpdateTier } from './schema.ts';

/** Pricing tiers in the operator API. */
export function tierRoutes(app: App, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  app.get(
    '/pricing-tiers',
    {
      schema: {
        operationId: 'listPricingTiers',
        summary: 'List pricing tiers',
        tags: ['Pricing'],
        querystring: TiersQuery,
        response: { 200: TiersResponse },
      },
    },
    async ({ query }) => successPage(query, await listTiers(db, query), operatorTierView),
  );

  app.post(
    '/pricing-tiers',
    {
      schema: {
        operationId: 'createPricingTier',
        summary: 'Create a pricing tier',
        tags: ['Pricing'],
        errors: [
          {
            code: 'CONFLICT',
            message: 'The minutes overlap those of another tier',
            details: { reason: 'TIERS_OVERLAP' },
          },
        ],
        body: CreateTier,
        response: { 201: TierResponse },
      },
    },
    async ({ actor, body }, reply) => {
      const row = await db.transaction((tx) => createTier(tx, clock.now(), actor, body));
      reply.code(201);
      return success(operatorTierView(row));
    },
  );

  app.get(
    '/pricing-tiers/:id',
    {
      schema: {
        operationId: 'getPricingTier',
        summary: 'Read a pricing tier',
        tags: ['Pricing'],
        missing: ['Pricing tier'],
        params: IdParams,
        response: { 200: TierResponse },
      },
    },
    async ({ params }) => success(operatorTierView(await readTier(db, params.id))),
  );

  app.patch(
    '/pricing-tiers/:id',
    {
      schema: {
        operationId: 'updatePricingTier',
        summary: 'Update a pricing tier',
        tags: ['Pricing'],
        missing: ['Pricing tier'],
        errors: [
          {
            code: 'CONFLICT',
            message: 'The minutes overlap those of another tier',
            details: { reason: 'TIERS_OVERLAP' },
          },
        ],
        params: IdParams,
        body: UpdateTier,
        response: { 200: TierResponse },
      },
    },
    async ({ actor, params, body }) => {
      const input = { id: params.id, changes: body };
      const row = await db.transaction((tx) => updateTier(tx, clock.now(), actor, input));
      return success(operatorTierView(row));
    },
  );

  app.delete(
    '/pricing-tiers/:id',
    {
      schema: {
        operationId: 'removePricingTier',
        summary: 'Remove a pricing tier',
        tags: ['Pricing'],
        missing: ['Pricing tier'],
        params: IdParams,
        response: { 200: Success(Removed) },
      },
    },
    async ({ actor, params }) => {
      const { id } = await removeTier(db, clock.now(), actor, params.id);
      return success({ id, removed: true as const });
    },
  );
}
