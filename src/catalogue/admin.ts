import { conflict, notFound, validationError } from '../errors.ts';
import { isDbError } from '../platform/db.ts';
import type { Uses } from './admin-queries.ts';

/** What the operator's use cases of catalogue and availability have in common. */

/** The resource, or 404 `RESOURCE_NOT_FOUND`; `what` begins the sentence: `Zone not found`. */
export async function existing<Row>(row: Promise<Row | null>, what: string): Promise<Row> {
  const found = await row;
  if (found === null) throw notFound(what);
  return found;
}

/** Throws VALIDATION_ERROR when there are faults. */
export function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw validationError([...faults]);
}

/** Ids as they are stored and compared: lower case, sorted. */
export function sortedIds(ids: readonly string[]): string[] {
  return ids.map((id) => id.toLowerCase()).sort();
}

/** The fault of a list that names an id twice; letter case makes no difference. */
export function repeatFaults(field: string, ids: readonly string[] = []): string[] {
  return new Set(sortedIds(ids)).size === ids.length ? [] : [`All ${field}'s elements must be unique`];
}

/** The faults of ids that name nothing: `serviceIds.1 must be the id of a service`. */
export async function unknownIdFaults(
  field: string,
  ids: readonly string[] = [],
  what: string,
  known: (ids: readonly string[]) => Promise<Set<string>>,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const found = await known(ids);
  return ids.flatMap((id, index) =>
    found.has(id.toLowerCase()) ? [] : [`${field}.${index} must be the id of ${what}`],
  );
}

/** Runs the write; a name or code that is taken is 409 `CONFLICT`. */
export async function unlessTaken<T>(constraint: string, message: string, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (isDbError(error, 'uniqueViolation', constraint)) throw conflict(message);
    throw error;
  }
}

/**
 * Runs the transaction that removes a resource. Foreign keys decide whether it is in use, so nothing can begin
 * to use it in between; then it is 409 `CONFLICT` with what uses it in `details.usedBy`.
 */
export async function unlessInUse<T>(
  what: string,
  removal: () => Promise<T>,
  uses: () => Promise<Uses>,
): Promise<T> {
  try {
    return await removal();
  } catch (error) {
    if (!isDbError(error, 'foreignKeyViolation')) throw error;
    throw conflict(`${what} is in use: deactivate it instead`, { usedBy: await uses() });
  }
}
