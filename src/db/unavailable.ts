/** The database could not be asked, or the connection broke before it answered: what was asked may have been done. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

/** An error that the database reported. */
export type DatabaseError = Error & { code: string; severity: string } & Partial<
    Record<'schema' | 'table' | 'constraint' | 'routine', string>
  >;

/**
 * Did the database report it, with a code (SQLSTATE)? False for an error of the connection, also one that pg makes itself. By
 * its fields: PGlite and pg have classes of their own.
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
 * 08 connection exceptions, 25006 read only, 25P03 and 57 ended by the server or its time-outs, 40 rolled back in favour
 * of another, 53 out of resources, 55P03 the lock was not to be had.
 */
const TRANSIENT = /^(?:08...|25006|25P03|40001|40P01|53...|55P03|57...)$/;

/** Will the same statement probably do in a moment? */
export function isUnavailable(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError || (isDatabaseError(error) && TRANSIENT.test(error.code));
}
