import { isDbError } from '../db/connection.ts';

/** Somebody else was faster this often: give up. Each time means another booking went through. */
export const MAX_ATTEMPTS = 20;

/**
 * Attempts anew while the result is lost to somebody faster, an overlap or a deadlock included, at most MAX_ATTEMPTS
 * times. Returns the last result, which may be a lost one; null: no attempt had one.
 */
export async function attemptUntilSettled<T>(
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

/** Did somebody else take the team's time meanwhile, or did two transactions wait for each other? */
function isLostRace(error: unknown): boolean {
  return isDbError(error, 'exclusionViolation', 'appointments_no_overlap') || isDbError(error, 'deadlock');
}
