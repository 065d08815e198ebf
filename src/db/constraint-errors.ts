import { type ConflictReason, conflict } from '../base/errors.ts';
import { isDbError } from './connection.ts';

/** The users of a resource, counted by kind: `{ services: 2 }`. */
export type Uses = Record<string, number>;

/** Runs the write; a duplicate name or code is 409 `CONFLICT` with the reason. */
export async function conflictOnDuplicate<T>(
  constraint: string,
  { reason = 'NAME_TAKEN', message }: { reason?: ConflictReason; message: string },
  write: Promise<T>,
): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (isDbError(error, 'uniqueViolation', constraint)) throw conflict(reason, message);
    throw error;
  }
}

/**
 * Runs the transaction that removes a resource. Foreign keys decide whether it is in use, so that no use can start in
 * between; then it is 409 `CONFLICT` with the users in `details.usedBy`.
 */
export async function conflictOnUse<T>(
  what: string,
  removal: () => Promise<T>,
  uses: () => Promise<Uses>,
): Promise<T> {
  try {
    return await removal();
  } catch (error) {
    if (!isDbError(error, 'foreignKeyViolation')) throw error;
    const users = Object.entries(await uses()).filter(([_kind, count]) => count > 0);
    throw conflict('IN_USE', `${what} is in use: deactivate it instead`, {
      usedBy: Object.fromEntries(users),
    });
  }
}
