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

/** Changes what is stored with the booking, which the transaction has made or locked, and returns the changed fields. */
export async function saveAccess(
  tx: Tx,
  sealer: Sealer,
  bookingId: string,
  input: AccessInput,
): Promise<(keyof Access)[]> {
  if (!hasAccess(input)) return [];
  const context = BOOKING_ACCESS.context(bookingId);
  const before = openSealed(sealer, context, await findAccessRow(tx, bookingId));
  const access = accessAfter(before, input);
  const sealed = sealedAccess(sealer, context, access);
  if (sealed === null) await deleteAccessRows(tx, [bookingId]);
  else await saveAccessRow(tx, bookingId, sealed);
  return (['instructions', 'accessCode'] as const).filter((field) => access[field] !== before[field]);
}

/** The texts after the input. */
export function accessAfter(before: Access, input: AccessInput): Access {
  const text = (given: string | null | undefined, known: string | null) =>
    given === undefined ? known : given?.trim() || null;
  return {
    instructions: text(input.instructions, before.instructions),
    accessCode: text(input.accessCode, before.accessCode),
  };
}

/** null: there are no texts. */
export const sealedAccess = (sealer: Sealer, context: string, access: Access): string | null =>
  access.instructions === null && access.accessCode === null
    ? null
    : sealer.seal(JSON.stringify(access), context);

/** The stored value; without texts when there is none, or its key was lost. */
export const openAccess = (sealer: Sealer, bookingId: string, sealed: string | null): Access =>
  openSealed(sealer, BOOKING_ACCESS.context(bookingId), sealed);

/** The same of another table. */
export function openSealed(sealer: Sealer, context: string, sealed: string | null): Access {
  try {
    if (sealed !== null) return JSON.parse(sealer.open(sealed, context));
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
