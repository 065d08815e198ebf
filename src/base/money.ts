/** Amounts are SAR with two decimals: JSON numbers on the wire, exact numerics in the database. */

/** The largest value of a numeric(12, 2) column. */
export const MAX_MONEY = 9_999_999_999.99;

const SAR = /^(0|[1-9]\d{0,9})(?:\.(\d{1,2}))?$/;

/** Whether it is an amount: 0 to 9,999,999,999.99 with at most two decimals. */
export function isMoney(value: number): boolean {
  // Decimals of at most 12 digits round-trip through a double, so equality is exact here.
  return value >= 0 && value <= MAX_MONEY && Number(value.toFixed(2)) === value;
}

/** The amount as a database parameter: `249.5` → `249.50`. Throws RangeError on an invalid amount. */
export function toDecimal(value: number): string {
  if (!isMoney(value)) throw new RangeError('not an amount of money');
  return value.toFixed(2);
}

/** `150.00` (SAR) → 15000 halalas, exact. Throws RangeError on anything but 0 to 9999999999.99. */
export function toHalalas(sar: string): number {
  const parts = SAR.exec(sar);
  if (!parts) throw new RangeError('not an amount of SAR');
  // At most 12 digits, so the integer is exact.
  return Number(parts[1] + (parts[2] ?? '').padEnd(2, '0'));
}

/** 15000 halalas → `150.00` (SAR), exact. Throws RangeError unless it is a whole number of halalas. */
export function toSar(halalas: number): string {
  if (!Number.isSafeInteger(halalas) || halalas < 0) throw new RangeError('not an amount of halalas');
  const digits = String(halalas).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** `-150.00` (SAR) → -15000 halalas, exact. Throws RangeError as toHalalas. */
export const toSignedHalalas = (sar: string): number =>
  sar.startsWith('-') ? -toHalalas(sar.slice(1)) : toHalalas(sar);

/** -15000 halalas → `-150.00` (SAR), exact. Throws RangeError as toSar. */
export const toSignedSar = (halalas: number): string =>
  halalas < 0 ? `-${toSar(-halalas)}` : toSar(halalas);
