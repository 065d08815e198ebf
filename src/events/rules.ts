import type { Rule } from '../http/validation.ts';

/** The cursors of the feed. */

/** Instead of a cursor: the end of the feed at that moment. */
export const LATEST = 'latest';

/** Opaque to partners, so that what it holds may change. */
export function encodeCursor(position: number): string {
  return Buffer.from(`f1.${position}`).toString('base64url');
}

/** The position that a cursor holds, or null when it is none of ours. */
export function decodeCursor(cursor: string): number | null {
  const match = /^f1\.(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString());
  return match && encodeCursor(Number(match[1])) === cursor ? Number(match[1]) : null;
}

export const CURSOR: Rule<string> = {
  check: (text) => text === LATEST || decodeCursor(text) !== null,
  message: 'must be a cursor that the feed returned',
};
