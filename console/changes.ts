/** A local bus of changes by topic. */

export const TOPICS = [
  'bookings',
  'appointments',
  'payments',
  'deliveries',
  'availability',
  'catalogue',
  'partners',
  'audit',
  'tokens',
  'clock',
  'requests',
  'series',
] as const;
export type Topic = (typeof TOPICS)[number];

type Listener = () => void;
const listeners = new Map<Topic, Set<Listener>>();

/** Calls the listener when one of the topics changed. Returns a function that removes it. */
export function onChange(topics: readonly Topic[], listener: Listener): () => void {
  for (const topic of topics) {
    const known = listeners.get(topic) ?? new Set();
    listeners.set(topic, known.add(listener));
  }
  return () => {
    for (const topic of topics) listeners.get(topic)?.delete(listener);
  };
}

/** Notifies the listeners of the topics, each once. */
export function changed(topics: readonly Topic[]): void {
  for (const listener of new Set(topics.flatMap((topic) => [...(listeners.get(topic) ?? [])]))) listener();
}
