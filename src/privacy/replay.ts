import { type Instant, parseOffsetDateTime, toRiyadhIso, toUtcIso } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Db, Queryable, Tx } from '../db/connection.ts';
import { type Erasable, erase, lockErasable, openBookings } from './erasure.ts';
import { listErasures, makeDue, saveDone } from './request-queries.ts';
import type { ErasureLine } from './request-schema.ts';
import { dueAt, type PhoneHash } from './rules.ts';

/** Erasures as lines of a file that is kept apart from backups, and their repetition after a restore. */

const BATCH = 1_000;

/** All erasures, by contact. Names, numbers and reasons are not in them. */
export async function* exportErasures(db: Queryable): AsyncGenerator<ErasureLine> {
  for (let last: string | null = null, isMore = true; isMore; ) {
    const batch = await listErasures(db, last, BATCH);
    for (const row of batch) {
      last = row.contact_id;
      yield {
        contactId: row.contact_id,
        requestId: row.id,
        partnerId: row.partner_id,
        kind: row.kind,
        receivedAt: toUtcIso(row.received_at),
        receivedBy: row.received_by,
        erasedAt: toUtcIso(row.finished_at!),
        erasedBy: row.finished_by!,
      };
    }
    isMore = batch.length === BATCH;
  }
}

/**
 * ERASED: again; KNOWN: it was erased still; MISSING: the database has no such contact; OPEN_BOOKINGS: a request to erase it
 * is open and due.
 */
export type Replayed = 'ERASED' | 'KNOWN' | 'MISSING' | 'OPEN_BOOKINGS';

/** Erases the contact again if it lives again, as the same request. May be repeated. */
export async function replayErasure(
  { db, phoneHash, keepsBodies }: { db: Db; phoneHash: PhoneHash; keepsBodies: boolean },
  now: Instant,
  actor: Actor,
  line: ErasureLine,
): Promise<Replayed> {
  return db.transaction(async (tx) => {
    const erasable = await lockOrMissing(tx, line.contactId);
    if (erasable === 'MISSING') return 'MISSING';
    if (erasable === null) return 'KNOWN';
    const { contact } = erasable;
    const receivedAt = parseOffsetDateTime(line.receivedAt)!;
    const row = {
      partner_id: line.partnerId,
      phone: null,
      phone_hash: phoneHash(contact.phone),
      receivedAt,
      received_by: line.receivedBy,
      reason: null,
      answer: null,
    };
    if (openBookings(erasable).length > 0) {
      await makeDue(tx, {
        ...row,
        id: newId(now),
        kind: 'ERASURE',
        status: 'OPEN',
        partner_id: contact.partner_id,
        phone: contact.phone,
        receivedAt: Math.min(receivedAt, now),
        dueAt: now,
        reason: 'Erased before; a restored backup has the customer again, with open bookings',
        finishedAt: null,
        finished_by: null,
      });
      return 'OPEN_BOOKINGS';
    }
    await saveDone(tx, {
      ...row,
      id: line.requestId,
      kind: line.kind,
      status: 'DONE',
      dueAt: dueAt(receivedAt),
      finishedAt: parseOffsetDateTime(line.erasedAt)!,
      finished_by: line.erasedBy,
    });
    await erase(tx, now, erasable, { requestId: line.requestId, keepsBodies });
    await audit(tx, now, {
      actor,
      action: 'contact.erase',
      target: `contact:${contact.id}`,
      after: { id: contact.id, requestId: line.requestId, erasedAt: toRiyadhIso(now) },
    });
    return 'ERASED';
  });
}

async function lockOrMissing(tx: Tx, id: string): Promise<Erasable | null | 'MISSING'> {
  try {
    return await lockErasable(tx, { partnerId: null, id });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'RESOURCE_NOT_FOUND') return 'MISSING';
    throw error;
  }
}
