import { toSar } from '../base/money.ts';
import type { Rule } from '../http/validation.ts';

/**
 * Exact price calculation: amounts and factors are the database's decimals, computed as whole numbers, because in
 * binary floating point 0.30 x 0.75 rounds to 0.22.
 */

/** Hundredths of a SAR. */
export type Halalas = bigint;

/** The orders of the operator's list of tiers. */
export const TIER_ORDERS = ['sorting', 'minMinutes', 'maxMinutes', 'factor'] as const;

const FACTOR_PLACES = 4;
const FACTOR_ONE = 10n ** BigInt(FACTOR_PLACES);

/**
 * `basePrice` (SAR, up to 2 decimals) x `factor` (up to 4 decimals), rounded half up. Throws RangeError on other texts.
 */
export function applyFactor(basePrice: string, factor: string): Halalas {
  const product = scaled(basePrice, 2) * scaled(factor, FACTOR_PLACES);
  return (product + FACTOR_ONE / 2n) / FACTOR_ONE;
}

/** The amount as a JSON number in SAR: the nearest double, which prints with the same decimals. */
export function toSarNumber(amount: Halalas): number {
  return Number(toSar(Number(amount)));
}

/** Whether it is a factor: 0.0001 to 99 with at most four decimals. */
export function isFactor(value: number): boolean {
  // Decimals of at most 6 digits round-trip through a double, so equality is exact here.
  return value >= 0.0001 && value <= 99 && Number(value.toFixed(FACTOR_PLACES)) === value;
}

/** The factor as a database parameter. */
export const toFactor = (value: number): string => value.toFixed(FACTOR_PLACES);

/** `hours`: whole minutes, as the double nearest to their sixtieths, the form of responses. */
export const HOURS: Rule<number> = {
  check: (hours) => Math.round(hours * 60) / 60 === hours,
  message: 'must be a multiple of 0.25',
};

/** Messages about hours that are not the service's own duration. */
export function estimateFaults(hours: number): string[] {
  if (hours < 1) return ['must not be less than 1'];
  // A quarter is exact in binary floating point, so the check is exact, too.
  return hours % 0.25 === 0 ? [] : [HOURS.message];
}

export const FACTOR: Rule<number> = { check: isFactor, message: 'must have at most 4 decimals' };

/** Messages about the bounds of a tier, when present. */
export function boundsFaults(tier: { minMinutes?: number; maxMinutes?: number | null }): string[] {
  const { minMinutes, maxMinutes } = tier;
  if (minMinutes === undefined || maxMinutes === undefined || maxMinutes === null) return [];
  return maxMinutes < minMinutes ? ['maxMinutes must not be less than minMinutes'] : [];
}

/** `249.5` with 2 places → 24950. */
function scaled(decimal: string, places: number): bigint {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d*))?$/.exec(decimal) ?? [];
  if (whole === undefined || fraction.length > places) throw new RangeError('not a decimal of these places');
  return BigInt(whole + fraction.padEnd(places, '0'));
}
