import type { App, RouteParts } from '../http/edge.ts';
import { resourceRoutes } from '../http/resource-routes.ts';
import { createTier, operatorTierView, readTier, removeTier, updateTier } from './pricing.ts';
import { listTiers } from './queries.ts';
import { CreateTier, Tier, TiersQuery, UpdateTier } from './schema.ts';

const OVERLAP = {
  code: 'CONFLICT' as const,
  message: 'The minutes overlap those of another tier',
  details: { reason: 'TIERS_OVERLAP' },
};

/** Pricing tiers in the operator API. */
export function tierRoutes(app: App, deps: RouteParts): void {
  resourceRoutes(app, deps, {
    path: '/operator/pricing-tiers',
    tags: ['Pricing'],
    name: 'Pricing tier',
    plural: 'Pricing tiers',
    errors: [OVERLAP],
    query: TiersQuery,
    shown: Tier,
    given: CreateTier,
    changes: UpdateTier,
    view: operatorTierView,
    list: listTiers,
    read: readTier,
    create: createTier,
    update: updateTier,
    remove: removeTier,
  });
}
