import type { Clock } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import type { App } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { calculatePrice, tierView } from './pricing.ts';
import { allTiers } from './queries.ts';
import { CalculatedPrice, CalculatePrice, PricingTier } from './schema.ts';

/** The tiers of section 4.12 and the calculation of section 4.13. */
export function pricingRoutes(app: App, { db, clock }: { db: Db; clock: Clock }): void {
  const route = routesOf(app, { tags: ['Pricing'], config: { permission: 'partner_pricing_read' } });

  route.get('/v1/partners/pricing/tiers', {
    operationId: 'listPricingTiers',
    summary: 'List pricing tiers',
    description: 'Factors on the base price by length of service; they do not change the price of bookings.',
    response: { list: PricingTier },
    answer: async () => (await allTiers(db)).map(tierView),
  });

  route.post('/v1/partners/pricing/calculate-price', {
    operationId: 'calculatePrice',
    summary: 'Price services, or estimate other hours',
    description:
      "Without `hours`, or with the service's own duration: `isBookable` true and your price of the service, which a " +
      'booking locks. With other `hours`: `isBookable` false and an estimate, your price times the factor of the tier ' +
      'that holds the minutes, rounded half up to 2 decimals. Bookings last as long as their service and are never ' +
      'charged an estimate.',
    errors: [
      {
        code: 'SERVICE_NOT_ALLOWED',
        details: { serviceIds: ['5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10'] },
      },
    ],
    body: CalculatePrice,
    response: { data: CalculatedPrice },
    answer: async ({ caller, body }) => await calculatePrice(db, clock.now(), caller.partnerId, body),
  });
}
