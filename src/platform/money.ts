/** Amounts are SAR with two decimals: JSON numbers on the wire, exact numerics in the database. */

/** The largest amount a numeric(12, 2) column holds. */
export const MAX_MONEY = 9_999_999_999.99;

/** Is it an amount: 0 to 9,999,999,999.99 with at most two decimals? */
export function isMoney(value: number): boolean {
  // Two decimals of at most 12 digits survive the way through a double and back, so equality is exact here.
  return value >= 0 && value <= MAX_MONEY && Number(value.toFixed(2)) === value;
}

/** The amount as the database takes it: `249.5` → `249.50`. Throws RangeError on what is no amount. */
export function toDecimal(value: number): string {
  if (!isMoney(value)) throw new RangeError('not an amount of money');
  return value.toFixed(2);
}
