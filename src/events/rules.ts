import { CONTRACT_EVENTS, EVENT_NAMES, type EventName } from '../bookings/rules.ts';
import type { Rule } from '../http/validation.ts';

/** The cursors of the feed. */

/** Instead of a cursor: the end of the feed at that moment. */
export const LATEST = 'latest';

/** A place and its history; null: the first history, of whose cursors some have none. */
export type Cursor = { history: string | null; position: number };

/** Opaque to partners, so that the content may change. */
export function encodeCursor({ history, position }: Cursor): string {
  const text = history === null ? `f1.${position}` : `f2.${history}.${position}`;
  return Buffer.from(text).toString('base64url');
}

/** The decoded cursor, or null when it is not valid. */
export function decodeCursor(text: string): Cursor | null {
  const match = /^f(?:1|2\.([0-9a-f]{8}))\.(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString());
  if (match === null) return null;
  const cursor = { history: match[1] ?? null, position: Number(match[2]) };
  return encodeCursor(cursor) === text ? cursor : null;
}

export const CURSOR: Rule<string> = {
  check: (text) => text === LATEST || decodeCursor(text) !== null,
  message: 'must be a cursor that the feed returned',
};

/** Every event, instead of their names. */
const ALL = 'all';

const isEventName = (text: string): text is EventName => EVENT_NAMES.some((name) => name === text);

/** The events that are asked for: by default those of the contract. `text` must have the form EVENT_LIST. */
export function wantedEvents(text: string | undefined): readonly EventName[] {
  if (text === undefined) return CONTRACT_EVENTS;
  return text === ALL ? EVENT_NAMES : text.split(',').filter(isEventName);
}

export const EVENT_LIST: Rule<string> = {
  check: (text) => text === ALL || text.split(',').every(isEventName),
  message: `must be ${ALL}, or of the following values, with commas between them: ${EVENT_NAMES.join(', ')}`,
};
