/** The database did not respond, or the connection broke before: the statement may have been executed. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

/** An error that the database reported. */
export type DatabaseError = Error & { code: string; severity: string } & Partial<
    Record<'schema' | 'table' | 'constraint' | 'routine', string>
  >;

/**
 * Whether the database reported it, with a code (SQLSTATE). False for connection errors, also pg's own. Checks fields:
 * PGlite and pg have different classes.
 */
export function isDatabaseError(error: unknown): error is DatabaseError {
  return (
    error instanceof Error &&
    'severity' in error &&
    'code' in error &&
    /^[0-9A-Z]{5}$/.test(String(error.code))
  );
}

/**
 * 08 connection exceptions, 25006 read only, 25P03 and 57 ended by the server or its time-outs, 40 rolled back in
 * favour of another, 53 out of resources, 55P03 lock not available.
 */
const TRANSIENT = /^(?:08...|25006|25P03|40001|40P01|53...|55P03|57...)$/;

/** Of XX000: an object that a statement had looked up was replaced before it was used, as by another migration. */
const REPLACED = /^(?:cache lookup failed for|could not open relation with OID|could not find trigger) /;

/** Whether the same statement will probably succeed soon. */
export function isUnavailable(error: unknown): boolean {
  if (!isDatabaseError(error)) return error instanceof DatabaseUnavailableError;
  return TRANSIENT.test(error.code) || (error.code === 'XX000' && REPLACED.test(error.message));
}
