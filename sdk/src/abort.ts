/** The callbacks of each signal. It has one listener, however many calls wait: platforms warn of more than ten. */
const callbacks = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `callback` when the signal is aborted, until the returned function is called. */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return () => undefined;
  let waiting = callbacks.get(signal);
  if (waiting === undefined) {
    const all = new Set<() => void>();
    signal.addEventListener(
      'abort',
      () => {
        for (const one of all) one();
      },
      { once: true },
    );
    callbacks.set(signal, all);
    waiting = all;
  }
  waiting.add(callback);
  return () => void waiting.delete(callback);
}
