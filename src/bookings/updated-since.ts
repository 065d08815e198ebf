import { type Instant, parseOffsetDateTime } from '../base/clock.ts';
import { validationError } from '../base/errors.ts';
import { DatabaseUnavailableError } from '../db/unavailable.ts';
import type { Rule } from '../http/validation.ts';
import { isSnapshot } from './snapshots.ts';

/** The snapshot of a list, and the history in which it was taken (docs/decisions/list-and-as-of.md). */
export type SeenChanges = { history: string; snapshot: string };

/** Opaque to partners. */
export function encodeSeen({ history, snapshot }: SeenChanges): string {
  return Buffer.from(`u1.${history}.${snapshot}`).toString('base64url');
}

function decodeSeen(text: string): SeenChanges | null {
  const match = /^u1\.([0-9a-f]{8})\.([\d:,]+)$/.exec(Buffer.from(text, 'base64url').toString());
  if (match === null || !isSnapshot(match[2]!)) return null;
  const seen = { history: match[1]!, snapshot: match[2]! };
  return encodeSeen(seen) === text ? seen : null;
}

/** The value of `updatedSince`: an instant, or what an earlier list has seen. It must have the form UPDATED_SINCE. */
export function parseUpdatedSince(text: string): Instant | SeenChanges {
  return decodeSeen(text) ?? parseOffsetDateTime(text)!;
}

export const UPDATED_SINCE: Rule<string> = {
  check: (text) => decodeSeen(text) !== null || parseOffsetDateTime(text) !== null,
  message: 'must be a time in ISO 8601 with an offset, or the X-Updated-Since of an earlier list',
};

/** Throws when what a list has seen cannot be known (a standby), or is of another history of the data. */
export function assertSameHistory(since: Instant | SeenChanges, seen: SeenChanges | null): void {
  if (seen === null) throw new DatabaseUnavailableError('the database is a standby');
  if (typeof since === 'number' || since.history === seen.history) return;
  throw validationError(
    [`updatedSince ${UPDATED_SINCE.message}`],
    [
      'updatedSince: the database was restarted or restored since that list, which may have lost changes: send a time ' +
        'before it, some minutes earlier, and go on with the X-Updated-Since of the answer',
    ],
  );
}
