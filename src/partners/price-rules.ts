import { type CalendarDate, dateOf, type Instant } from '../base/clock.ts';
import { toDecimal } from '../base/money.ts';

/** Prices by the moment of sale, in SAR; pure. */

/** By the day from whose midnight in Riyadh on they count; null: the default price. */
export type ComingPrices<Price extends number | null = number | null> = Readonly<Record<CalendarDate, Price>>;

/** A price as an exact decimal, null: the default price; and those that follow it. Some may have begun since they were stored. */
export type PriceList = { price: string | null; coming_prices: ComingPrices | null };

/** A price in a request or a response. */
type Listed<Price extends number | null> = { from: CalendarDate; price: Price };

/** In the order of their days. */
export const comingPricesView = <Price extends number | null>(
  prices: ComingPrices<Price> | null,
): Listed<Price>[] =>
  Object.entries(prices ?? {})
    .map(([from, price]) => ({ from, price }))
    .sort((a, b) => (a.from < b.from ? -1 : 1));

export const toComingPrices = <Price extends number | null>(
  listed: readonly Listed<Price>[],
): ComingPrices<Price> => Object.fromEntries(listed.map(({ from, price }) => [from, price]));

/** The list with the price of the moment as its price, and those after it. */
export function pricesAt({ price, coming_prices }: PriceList, now: Instant) {
  const today = dateOf(now);
  const all = comingPricesView(coming_prices);
  const begun = all.findLast(({ from }) => from <= today);
  return {
    price: begun === undefined ? price : begun.price === null ? null : toDecimal(begun.price),
    coming_prices: toComingPrices(all.filter(({ from }) => from > today)),
  };
}

/** A partner's list of a service, and the service's own for where that has no price. */
export type PriceLists = readonly [own: PriceList, service: PriceList];

/** The price of a sale at the moment; an exact decimal. */
export const priceAt = ([own, service]: PriceLists, now: Instant): string =>
  pricesAt(own, now).price ?? pricesAt(service, now).price!;

/** Messages about coming prices of today or before, which count at once without a day, and about a day's second one. */
export const comingPriceFaults = (
  listed: readonly Listed<number | null>[] = [],
  now: Instant,
  at = '',
): string[] =>
  listed.flatMap(({ from }, index) => [
    ...(from > dateOf(now) ? [] : [`${at}comingPrices.${index}.from must be after today`]),
    ...(listed.findIndex((other) => other.from === from) === index
      ? []
      : [`${at}comingPrices.${index}.from must not be listed twice`]),
  ]);
