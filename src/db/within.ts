/**
 * What is answered within the time (milliseconds); after it null, or rejected with the error that `late` makes. Rejects as
 * the answer does. What comes later is not heard, an error neither, and nothing is broken off. The timer holds no process.
 */
export function within<T>(milliseconds: number, answer: Promise<T>): Promise<T | null>;
export function within<T>(milliseconds: number, answer: Promise<T>, late: () => Error): Promise<T>;
export function within<T>(milliseconds: number, answer: Promise<T>, late?: () => Error): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const callTime = (): void => (late === undefined ? resolve(null) : reject(late()));
    // After a pause of the process both the timer is due and the answer is there: two turns let it be read.
    const timer = setTimeout(() => setImmediate(() => setImmediate(callTime)), milliseconds);
    // The list of such timers stays when none is in it, and is not made anew for the next statement.
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
