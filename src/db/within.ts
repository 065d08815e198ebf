/**
 * Resolves with the result within the time (milliseconds); after it with null, or rejects with the error of `late`.
 * Rejects as the promise does. A later result or error is ignored, and nothing is cancelled. The timer does not keep
 * the process alive.
 */
export function within<T>(milliseconds: number, answer: Promise<T>): Promise<T | null>;
export function within<T>(milliseconds: number, answer: Promise<T>, late: () => Error): Promise<T>;
export function within<T>(milliseconds: number, answer: Promise<T>, late?: () => Error): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const callTime = (): void => (late === undefined ? resolve(null) : reject(late()));
    // After a pause of the process both the timer is due and the result is there: two turns let it be read first.
    const timer = setTimeout(() => setImmediate(() => setImmediate(callTime)), milliseconds);
    // Reuses the timer's list, which would otherwise be created again for the next statement.
    timer.unref();
    answer.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
