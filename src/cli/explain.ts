import { ApiError } from '../base/errors.ts';
import { DatabaseUnavailableError } from '../db/unavailable.ts';

/** An error in one line. */
export function explain(thrown: Error & { code?: string }): string {
  const error: typeof thrown =
    thrown instanceof DatabaseUnavailableError ? (thrown.cause as typeof thrown) : thrown;
  const says = error.message || error.code || 'unknown error';
  if (error instanceof ApiError) {
    const { message } = error.details;
    return Array.isArray(message) ? message.join('; ') : says;
  }
  const isConnection = /^(?:(?!ERR_)E[A-Z_]+|28\w{3}|3D000|57P03)$/.test(error.code ?? '');
  return (isConnection ? `the database cannot be used: ${says}` : says).replaceAll(/\s*\n\s*/g, ' ');
}
