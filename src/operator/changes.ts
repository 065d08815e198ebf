import type { Changes } from './change-queries.ts';

/** Changes as events of streams: pure. */

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
  'series',
] as const;
export type Topic = (typeof TOPICS)[number];

/** The cursor of a stream: places and sequences that only grow. */
export type Cursor = { feed: number; audit: number; deliveries: number; payments: number };

/** Changes sent one by one; more of them are sent as a reset. */
export const MAX_CHANGES = 500;
/** Ids of one topic in one event; with more, none are listed. */
const MAX_IDS = 100;

/** The cursor's fields of a larger object. */
export function cursorOf({ feed, audit, deliveries, payments }: Cursor): Cursor {
  return { feed, audit, deliveries, payments };
}

/** The maximum of both, field by field: retention can drop the last events of a feed. */
export function laterOf(one: Cursor, other: Cursor): Cursor {
  return {
    feed: Math.max(one.feed, other.feed),
    audit: Math.max(one.audit, other.audit),
    deliveries: Math.max(one.deliveries, other.deliveries),
    payments: Math.max(one.payments, other.payments),
  };
}

/** The value of `Last-Event-ID`; no field ever decreases. */
export function encodeCursor({ feed, audit, deliveries, payments }: Cursor): string {
  return [feed, audit, deliveries, payments].join('-');
}

/** null: invalid. */
export function decodeCursor(text: string): Cursor | null {
  const parts = /^(\d{1,15})-(\d{1,15})-(\d{1,15})-(\d{1,15})$/.exec(text);
  if (parts === null) return null;
  const [feed, audit, deliveries, payments] = parts.slice(1).map(Number) as [number, number, number, number];
  return { feed, audit, deliveries, payments };
}

/** By the kind in the target of an audit entry, `kind:id`. */
export const TOPICS_OF_TARGET: Record<string, readonly Topic[]> = {
  appointment: ['appointments', 'bookings', 'availability'],
  booking: ['bookings', 'appointments', 'availability'],
  hold: ['appointments', 'availability'],
  subscription: ['deliveries'],
  delivery: ['deliveries'],
  team: ['availability'],
  schedule: ['availability'],
  'time-off': ['availability'],
  zone: ['availability', 'catalogue'],
  category: ['catalogue'],
  service: ['catalogue'],
  reason: ['catalogue'],
  tier: ['catalogue'],
  policy: ['catalogue'],
  partner: ['partners'],
  statement: ['payments'],
  key: ['partners'],
  'portal-link': ['partners'],
  token: ['tokens'],
  session: ['tokens'],
  clock: ['clock'],
  series: ['series'],
};

const isId = (text: string): boolean => text.length === 36;

/** The changed ids by topic; null: too many, or not known. */
export type Told = Map<Topic, Set<string> | null>;

/** The changes since the cursor; `reset`: too many, or some are not kept any more. */
export function changesSince(since: Cursor, found: Changes): Told | 'reset' {
  const isAhead = since.feed > found.feed || since.audit > found.audit;
  const isForgotten = found.oldest > 0 && since.feed < found.oldest - 1 && since.feed < found.feed;
  if (isAhead || isForgotten || found.bookings.length > MAX_CHANGES || found.entries.length > MAX_CHANGES)
    return 'reset';
  const told: Told = new Map();
  const tell = (topic: Topic, id: string | null): void => {
    const ids = told.get(topic);
    if (ids === null) return;
    if (id === null || ids?.size === MAX_IDS) told.set(topic, null);
    else told.set(topic, (ids ?? new Set()).add(id));
  };
  for (const { booking_id, appointment_id } of found.bookings) {
    tell('bookings', booking_id);
    if (appointment_id === null) tell('appointments', null);
    else tell('appointments', appointment_id);
    // The availability of teams changes with it, its delivery is due, and its payment may change.
    for (const topic of ['availability', 'deliveries', 'payments'] as const) tell(topic, null);
  }
  for (const { id, target, booking_id, appointment_id } of found.entries) {
    const [kind = '', named = ''] = target.split(':', 2);
    tell('audit', id);
    // The change names its booking and appointment; the ids of other topics are not known.
    const ids: Partial<Record<Topic, string | null>> = { bookings: booking_id, appointments: appointment_id };
    for (const [place, topic] of (TOPICS_OF_TARGET[kind] ?? []).entries())
      tell(topic, place === 0 ? (isId(named) ? named : null) : (ids[topic] ?? null));
  }
  if (found.deliveries > since.deliveries) tell('deliveries', null);
  if (found.payments > since.payments)
    for (const topic of ['payments', 'bookings'] as const) tell(topic, null);
  return told;
}

/** As server-sent events. Only the last one has the id: after a partial read, the client gets all of them again. */
export function toEvents(told: Told | 'reset', cursor: Cursor): string {
  const id = `id: ${encodeCursor(cursor)}\n`;
  if (told === 'reset') return `event: reset\n${id}data: {}\n\n`;
  const events = [...told].map(
    ([topic, ids]) => `event: change\ndata: ${JSON.stringify({ topic, ids: ids && [...ids] })}\n`,
  );
  const last = events.pop();
  return last === undefined ? '' : `${events.map((event) => `${event}\n`).join('')}${last}${id}\n`;
}
