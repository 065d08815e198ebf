/** Returns a function that returns the milliseconds since the start, by a monotonic clock. */
export function startStopwatch(): () => number {
  const started = performance.now();
  return () => performance.now() - started;
}
