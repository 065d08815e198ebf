import type { Static, TSchema } from 'typebox';
import { validationError } from '../base/errors.ts';
import { createRequestChecker } from '../http/validation.ts';

/** The input, validated by the schema of the operator API. Throws VALIDATION_ERROR. */
export function checked<T extends TSchema>(schema: T, fields: Record<string, unknown>): Static<T> {
  const body = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const faults = createRequestChecker()({ body: schema })({ params: {}, query: {}, body });
  if (faults !== null) throw validationError(faults.messages, faults.hints);
  return body as Static<T>;
}

/** The items between commas, trimmed; undefined for undefined. */
export function listOf(text: string | undefined): string[] | undefined {
  return text?.split(',').map((item) => item.trim());
}

/** NaN for an invalid number, which the schema then refuses. */
export function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : /^\d+$/.test(text) ? Number(text) : Number.NaN;
}
