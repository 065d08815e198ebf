/**
 * Prices of a configuration, exact: amounts and factors come as the database's decimals and are calculated
 * with whole numbers, because in binary floating point 0.30 x 0.75 rounds to 0.22.
 */

/** Hundredths of a SAR. */
export type Halalas = bigint;

const FACTOR_PLACES = 4;
const FACTOR_ONE = 10n ** BigInt(FACTOR_PLACES);

/** `basePrice` (SAR, up to 2 decimals) x `factor` (up to 4 decimals), rounded half up. Throws RangeError on other texts. */
export function applyFactor(basePrice: string, factor: string): Halalas {
  const product = scaled(basePrice, 2) * scaled(factor, FACTOR_PLACES);
  return (product + FACTOR_ONE / 2n) / FACTOR_ONE;
}

/** The amount as a JSON number in SAR: the double nearest to it, which prints with the same decimals. */
export function toSar(amount: Halalas): number {
  return Number(`${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`);
}

/** Is it a factor: 0.0001 to 99 with at most four decimals? */
export function isFactor(value: number): boolean {
  // Four decimals of at most 6 digits survive the way through a double and back, so equality is exact here.
  return value >= 0.0001 && value <= 99 && Number(value.toFixed(FACTOR_PLACES)) === value;
}

/** `249.5` with 2 places → 24950. */
function scaled(decimal: string, places: number): bigint {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d*))?$/.exec(decimal) ?? [];
  if (whole === undefined || fraction.length > places) throw new RangeError('not a decimal of these places');
  return BigInt(whole + fraction.padEnd(places, '0'));
}
