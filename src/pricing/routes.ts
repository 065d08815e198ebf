import type { Db } from '../db/connection.ts';
import type { App } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import { calculatePrice, tierView } from './pricing.ts';
import { allTiers } from './queries.ts';
import { CalculatedPriceResponse, CalculatePrice, PricingTiersResponse } from './schema.ts';

/** The tiers of section 4.12 and the calculation of section 4.13. */
export function pricingRoutes(app: App, { db }: { db: Db }): void {
  app.get(
    '/partners/pricing/tiers',
    {
      schema: {
        operationId: 'listPricingTiers',
        summary: 'List pricing tiers',
        tags: ['Pricing'],
        description:
          'Factors on the base price by length of service; they do not change the price of bookings.',
        response: { 200: PricingTiersResponse },
      },
      config: { permission: 'partner_pricing_read' },
    },
    async () => success((await allTiers(db)).map(tierView)),
  );

  app.post(
    '/partners/pricing/calculate-price',
    {
      schema: {
        operationId: 'calculatePrice',
        summary: 'Calculate the exact price of a configuration',
        tags: ['Pricing'],
        description:
          'Your price of each service times the factor of the tier that holds its minutes, rounded half up to 2 decimals, ' +
          'and the sum.',
        errors: [
          {
            code: 'SERVICE_NOT_ALLOWED',
            details: { serviceIds: ['5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10'] },
          },
        ],
        body: CalculatePrice,
        response: { 200: CalculatedPriceResponse },
      },
      config: { permission: 'partner_pricing_read' },
    },
    async ({ caller, body }) => success(await calculatePrice(db, caller.partnerId, body)),
  );
}
