import { isDbError } from '../db/connection.ts';

/** The largest number of attempts; each lost one means that another change was committed. */
export const MAX_ATTEMPTS = 20;

/**
 * Repeats the attempt while it loses to a concurrent change (`isLost`, an overlap, a deadlock), at most MAX_ATTEMPTS
 * times. Returns the last result, which may be a lost one; null: every attempt ended in an overlap or a deadlock.
 */
export async function retryOnConflict<T>(
  attempt: (number: number) => Promise<T>,
  isLost: (result: T) => boolean,
): Promise<T | null> {
  let result: T | null = null;
  for (let number = 1; number <= MAX_ATTEMPTS; number++) {
    try {
      result = await attempt(number);
      if (!isLost(result)) return result;
    } catch (error) {
      if (!isLostRace(error)) throw error;
    }
  }
  return result;
}

function isLostRace(error: unknown): boolean {
  return isDbError(error, 'exclusionViolation', 'appointments_no_overlap') || isDbError(error, 'deadlock');
}
