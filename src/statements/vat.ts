import type { CalendarDate } from '../base/clock.ts';

/** VAT that prices include; pure. Sums are halalas, and may be negative. */

/** Of the standard rate, zero-rated, exempt, or outside of VAT: UNCL 5305, as e-invoices have them. */
export const VAT_CATEGORIES = ['S', 'Z', 'E', 'O'] as const;
export type VatCategory = (typeof VAT_CATEGORIES)[number];

/** From a service date on; percent has at most two decimals. */
export type VatRate = { from: CalendarDate; percent: number };

export type VatTerms = { rates: readonly VatRate[]; categories: Record<'VISIT' | 'FEE', VatCategory> };

export const USUAL_TERMS: VatTerms = {
  rates: [
    { from: '2018-01-01', percent: 5 },
    { from: '2020-07-01', percent: 15 },
  ],
  categories: { VISIT: 'S', FEE: 'S' },
};

/** The standard rate on the date, in percent; 0 before the first one. */
export const rateOn = (rates: readonly VatRate[], date: CalendarDate): number =>
  rates.reduce<VatRate | null>(
    (best, rate) => (rate.from <= date && (best === null || rate.from > best.from) ? rate : best),
    null,
  )?.percent ?? 0;

/** The VAT in a gross sum, rounded half up (of its absolute value) to the halala. */
export function vatIn(gross: number, percent: number): number {
  const hundredths = BigInt(Math.round(percent * 100));
  const whole = 10_000n + hundredths;
  const vat = Number((2n * BigInt(Math.abs(gross)) * hundredths + whole) / (2n * whole));
  return gross < 0 && vat !== 0 ? -vat : vat;
}
