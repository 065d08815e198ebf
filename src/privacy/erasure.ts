import type { Instant } from '../base/clock.ts';
import { conflict, notFound, orNotFound, validationError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { retryOnConflict } from '../bookings/attempts.ts';
import type { Owned } from '../contacts/corrections.ts';
import { listAddresses } from '../contacts/queries.ts';
import type { ContactRow } from '../contacts/table.ts';
import type { Actor } from '../db/audit.ts';
import type { Db, Tx } from '../db/connection.ts';
import { eraseFrom } from '../db/personal.ts';
import type { Logger } from '../runtime/logger.ts';
import {
  type BookingToErase,
  findErasure,
  insertRequest,
  lockBookingsOf,
  lockContactToErase,
} from './erasure-queries.ts';
import { PERSONAL_TABLES } from './personal.ts';
import { dueAt, isOpen, namesPerson, type PhoneHash } from './rules.ts';
import type { RequestKind } from './table.ts';

/** A contact that is about to be erased, with its bookings, all locked. */
export type Erasable = { contact: ContactRow & { phone: string }; bookings: BookingToErase[] };

/** Locks the contact and its bookings; null: it is erased already. Throws RESOURCE_NOT_FOUND. */
export async function lockErasable(tx: Tx, { partnerId, id }: Owned): Promise<Erasable | null> {
  const contact = await orNotFound(lockContactToErase(tx, id), 'Contact');
  const { phone } = contact;
  if (partnerId !== null && contact.partner_id !== partnerId) throw notFound('Contact');
  if (phone === null) return null;
  return { contact: { ...contact, phone }, bookings: await lockBookingsOf(tx, id) };
}

/** The ids of the bookings that stand in the way of erasing their customer, oldest first. */
export const openBookings = ({ bookings }: Pick<Erasable, 'bookings'>): string[] =>
  bookings.filter((each) => isOpen(each.status, each.appointment_status)).map(({ id }) => id);

/** CONFLICT with the bookings (`details.bookings`). */
export const openBookingsConflict = (bookings: readonly string[]) =>
  conflict('OPEN_BOOKINGS', 'The customer has open bookings: cancel or finish them first', {
    bookings: [...bookings],
  });

/**
 * Removes what is stored about the customer (docs/privacy.md); ids, amounts, times, statuses and references stay. The
 * request must be stored. Throws CONFLICT (OPEN_BOOKINGS).
 */
export async function erase(
  tx: Tx,
  now: Instant,
  erasable: Erasable,
  { requestId, keepsBodies }: { requestId: string; keepsBodies: boolean },
): Promise<void> {
  const { contact, bookings } = erasable;
  const open = openBookings(erasable);
  if (open.length > 0) throw openBookingsConflict(open);
  const addresses = (await listAddresses(tx, contact.id)).map(({ id }) => id);
  const person = { now, contact, addresses, bookings, requestId, keepsBodies };
  for (const table of PERSONAL_TABLES) await eraseFrom(tx, table, person);
}

export type Erased = { id: string; requestId: string; erasedAt: Instant };

export type ErasureDeps = {
  db: Db;
  phoneHash: PhoneHash;
  logger: Logger;
  /** Its buffer is written before, so that requests about her that wait there are erased with the rest; null: none. */
  requestLog: { flush(): Promise<void>; readonly keepsBodies: boolean } | null;
};

type Wanted = {
  kind: RequestKind;
  reason: string | null;
  actor: Actor;
  /** Runs in the transaction. */
  record?: (tx: Tx, erased: Erased) => Promise<void>;
};

/**
 * Erases one contact, and registers it as done. A repetition returns the first erasure. Throws
 * RESOURCE_NOT_FOUND, CONFLICT (OPEN_BOOKINGS) and VALIDATION_ERROR (a reason that names the person).
 */
export async function eraseContact(
  { db, phoneHash, logger, requestLog }: ErasureDeps,
  now: Instant,
  owned: Owned,
  { kind, reason, actor, record }: Wanted,
): Promise<Erased> {
  await requestLog?.flush();
  const erased = await retryOnConflict(
    () =>
      db.transaction(async (tx): Promise<Erased> => {
        const erasable = await lockErasable(tx, owned);
        if (erasable === null) return known(tx, owned.id);
        const { contact } = erasable;
        if (reason !== null && namesPerson(reason, contact))
          throw validationError(['reason must not name the customer: it is kept']);
        const requestId = newId(now);
        await insertRequest(tx, {
          id: requestId,
          kind,
          status: 'DONE',
          partner_id: contact.partner_id,
          phone: null,
          phone_hash: phoneHash(contact.phone),
          receivedAt: now,
          dueAt: dueAt(now),
          received_by: actor,
          reason,
          finishedAt: now,
          finished_by: actor,
          answer: null,
        });
        await erase(tx, now, erasable, { requestId, keepsBodies: requestLog?.keepsBodies ?? false });
        const done = { id: contact.id, requestId, erasedAt: now };
        await record?.(tx, done);
        return done;
      }, owned.id),
    () => false,
  );
  if (erased === null) throw new Error('erasing a contact lost against other changes every time');
  logErasure(logger, erased);
  return erased;
}

/** Erasures since the last export are found in the log (docs/privacy.md). */
export const logErasure = (logger: Logger, { id, requestId }: Pick<Erased, 'id' | 'requestId'>): void =>
  logger.info({ contactId: id, requestId }, 'contact erased');

async function known(tx: Tx, contactId: string): Promise<Erased> {
  const { id, finished_at } = (await findErasure(tx, contactId))!;
  return { id: contactId, requestId: id, erasedAt: finished_at! };
}
