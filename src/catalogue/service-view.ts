import type { Instant } from '../base/clock.ts';
import { viewBy } from '../http/fields.ts';
import { comingPricesView, pricesAt } from '../partners/price-rules.ts';
import { Service } from './service-schema.ts';
import type { ServiceRow } from './table.ts';

/** The row with the default price of the moment. */
export function settledService(row: ServiceRow, now: Instant): ServiceRow {
  const { price, coming_prices } = pricesAt({ ...row, price: row.default_price }, now);
  return { ...row, default_price: price!, coming_prices: coming_prices as ServiceRow['coming_prices'] };
}

/** A service in the operator API and the audit log; `name` is the English one, prices are SAR. */
export function operatorServiceView(row: ServiceRow, now: Instant) {
  const settled = settledService(row, now);
  return viewBy(Service, settled, {
    nameEn: row.name,
    comingPrices: comingPricesView(settled.coming_prices),
  });
}
