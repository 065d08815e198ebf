import { DAY, type Instant } from '../base/clock.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import type { SealedColumn } from '../db/sealed-columns.ts';
import { SealError, type Sealer } from '../db/sealing.ts';
import { deleteAccessRows, deleteOldAccess, findAccessRow, saveAccessRow } from './access-queries.ts';

/**
 * The access of a crew: instructions and the code of a door or gate. Sealed in a table of their own, which no list, event or
 * log reads; only the crew of the day sees them (docs/decisions/secrets-at-rest.md).
 */
export type Access = { instructions: string | null; accessCode: string | null };

/** null and blank texts remove; undefined keeps. */
export type AccessInput = { instructions?: string | null; accessCode?: string | null };

export const BOOKING_ACCESS: SealedColumn = {
  table: 'booking_access',
  column: 'value',
  context: (id) => `booking-access:${id}`,
};

export const hasAccess = ({ instructions, accessCode }: AccessInput): boolean =>
  instructions !== undefined || accessCode !== undefined;

/** Changes what is stored with the booking, which the transaction has made or locked. */
export async function saveAccess(
  tx: Tx,
  sealer: Sealer,
  bookingId: string,
  input: AccessInput,
): Promise<void> {
  if (!hasAccess(input)) return;
  const row = await findAccessRow(tx, bookingId);
  const before = openAccess(sealer, bookingId, row);
  const text = (given: string | null | undefined, known: string | null) =>
    given === undefined ? known : given?.trim() || null;
  const access: Access = {
    instructions: text(input.instructions, before.instructions),
    accessCode: text(input.accessCode, before.accessCode),
  };
  if (access.instructions === null && access.accessCode === null) return deleteAccessRows(tx, [bookingId]);
  await saveAccessRow(tx, bookingId, sealer.seal(JSON.stringify(access), BOOKING_ACCESS.context(bookingId)));
}

/** The stored value; without texts when there is none, or its key was lost. */
export function openAccess(sealer: Sealer, bookingId: string, sealed: string | null): Access {
  try {
    if (sealed !== null) return JSON.parse(sealer.open(sealed, BOOKING_ACCESS.context(bookingId)));
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
  }
  return { instructions: null, accessCode: null };
}

/** Milliseconds after the end of the visit for which it is kept. */
const RETENTION = 7 * DAY;

/** Deletes what belongs to visits that ended a week ago, or were cancelled. */
export const forgetAccess = (db: Queryable, now: Instant): Promise<void> =>
  deleteOldAccess(db, now - RETENTION);
