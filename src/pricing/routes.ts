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
        summary: 'Price services, or estimate other hours',
        tags: ['Pricing'],
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
        response: { 200: CalculatedPriceResponse },
      },
      config: { permission: 'partner_pricing_read' },
    },
    async ({ caller, body }) => success(await calculatePrice(db, caller.partnerId, body)),
  );
}
