/** Answers how many milliseconds have passed since it was started; not moved by anything that sets a clock. */
export function startStopwatch(): () => number {
  const started = performance.now();
  return () => performance.now() - started;
}
