const SAR = /^(0|[1-9]\d{0,9})(?:\.(\d{1,2}))?$/;

/** `150.00` (SAR) → 15000 halalas, exact. Throws RangeError on anything but 0 to 9999999999.99. */
export function toHalalas(sar: string): number {
  const parts = SAR.exec(sar);
  if (!parts) throw new RangeError('not an amount of SAR');
  // At most 12 digits, so the integer is exact.
  return Number(parts[1] + (parts[2] ?? '').padEnd(2, '0'));
}

/** 15000 halalas → `150.00` (SAR), exact. Throws RangeError on what is no whole number of halalas. */
export function toSar(halalas: number): string {
  if (!Number.isSafeInteger(halalas) || halalas < 0) throw new RangeError('not an amount of halalas');
  const digits = String(halalas).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
