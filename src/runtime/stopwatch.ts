/** Returns the milliseconds since the start; changes of the clock do not affect it. */
export function startStopwatch(): () => number {
  const started = performance.now();
  return () => performance.now() - started;
}
