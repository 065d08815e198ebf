import { DAY, type Instant, parseOffsetDateTime, toRiyadhIso } from '../base/clock.ts';
import { ApiError, conflict, notFound, orNotFound, validationError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { retryOnConflict } from '../bookings/attempts.ts';
import { guessPhone, normalizePhone } from '../contacts/rules.ts';
import { exportCustomer } from '../customers/export.ts';
import { type Actor, audit } from '../db/audit.ts';
import { type Db, isDbError, type Queryable, type Tx } from '../db/connection.ts';
import type { Page } from '../db/pages.ts';
import { paging } from '../http/envelope.ts';
import {
  type Erasable,
  type ErasureDeps,
  erase,
  lockErasable,
  logErasure,
  openBookings,
  openBookingsConflict,
} from './erasure.ts';
import { insertRequest } from './erasure-queries.ts';
import {
  type ContactOfNumber,
  findRequest,
  finishRequest,
  listBookingsOf,
  listContactsOf,
  listErasedBy,
  listRequests,
  lockRequest,
  type RequestRow,
} from './request-queries.ts';
import type { CreatePrivacyRequest, PrivacyRequestsQuery } from './request-schema.ts';
import { dueAt, isOpen, namesPerson, type PhoneHash } from './rules.ts';

/** The register of what customers ask for by their rights: a copy, a correction, their erasure. */

export type KnownRequest = {
  request: RequestRow;
  contacts: (ContactOfNumber & { open_bookings: number })[];
};

/** E.164. The number has the format `spelledPhone`. */
const numberOf = (phone: string): string => (normalizePhone(phone) ?? guessPhone(phone))!;

/** Enters a request. Throws VALIDATION_ERROR and CONFLICT (REQUEST_OPEN). */
export async function enterRequest(
  { db, phoneHash }: { db: Db; phoneHash: PhoneHash },
  now: Instant,
  actor: Actor,
  { kind, phone: spelled, receivedAt, note }: CreatePrivacyRequest,
): Promise<KnownRequest> {
  const received = receivedAt === undefined ? now : parseOffsetDateTime(receivedAt)!;
  if (received > now) throw validationError(['receivedAt must not be in the future']);
  const phone = numberOf(spelled);
  assertNamesNobody('note', note, phone, await listContactsOf(db, phone, null));
  const id = newId(now);
  const row = {
    id,
    kind,
    status: 'OPEN' as const,
    partner_id: null,
    phone,
    phone_hash: phoneHash(phone),
    receivedAt: received,
    dueAt: dueAt(received),
    received_by: actor,
    reason: note?.trim() ?? null,
    finishedAt: null,
    finished_by: null,
    answer: null,
  };
  try {
    await db.transaction(async (tx) => {
      await insertRequest(tx, row);
      await record(tx, now, { actor, action: 'privacy-request.create', id });
    });
  } catch (error) {
    if (isDbError(error, 'uniqueViolation', 'privacy_requests_open_key'))
      throw conflict('REQUEST_OPEN', 'A request of this kind is open for the number');
    throw error;
  }
  return readRequest(db, id);
}

/** A page of the register. */
export async function searchRequests(
  { db, phoneHash }: { db: Queryable; phoneHash: PhoneHash },
  now: Instant,
  { overdue, dueWithinDays, phone, ...query }: PrivacyRequestsQuery,
): Promise<Page<RequestRow>> {
  const number = phone === undefined ? null : numberOf(phone);
  const filter = {
    ...query,
    ...(overdue !== undefined && { overdue: overdue === 'true' }),
    ...(dueWithinDays !== undefined && { dueBefore: now + dueWithinDays * DAY }),
    ...(number !== null && { phone: { number, hash: phoneHash(number) } }),
  };
  return listRequests(db, now, filter, paging(query));
}

/** The request with its customers. Throws RESOURCE_NOT_FOUND. */
export async function readRequest(db: Queryable, id: string): Promise<KnownRequest> {
  const request = await orNotFound(findRequest(db, id), 'Privacy request');
  const contacts =
    request.phone === null
      ? await listErasedBy(db, id)
      : await listContactsOf(db, request.phone, request.partner_id);
  const ids = contacts.map((contact) => contact.id);
  const open = (await listBookingsOf(db, ids)).filter((each) => isOpen(each.status, each.appointment_status));
  return {
    request,
    contacts: contacts.map((contact) => ({
      ...contact,
      open_bookings: open.filter(({ contact_id }) => contact_id === contact.id).length,
    })),
  };
}

export type Ending = { id: string; actor: Actor; answer: string | null };

/**
 * Marks the request as done; an erasure erases the customer with every partner, or with none. Throws
 * RESOURCE_NOT_FOUND, INVALID_TRANSITION, VALIDATION_ERROR, CONFLICT (OPEN_BOOKINGS), and FORBIDDEN for an erasure by
 * another role than admin.
 */
export async function completeRequest(
  { db, logger, requestLog }: Pick<ErasureDeps, 'db' | 'logger' | 'requestLog'>,
  now: Instant,
  { role, ...ending }: Ending & { role: string },
): Promise<void> {
  await requestLog?.flush();
  const erased = await retryOnConflict(
    () =>
      db.transaction(async (tx) => {
        const { request, contacts } = await lockOpen(tx, ending);
        if (request.kind === 'ERASURE' && role !== 'admin')
          throw new ApiError('FORBIDDEN', 'An erasure needs the role admin', {
            check: 'role',
            role: 'admin',
            tokenRole: role,
          });
        const contactIds =
          request.kind === 'ERASURE'
            ? await eraseAll(
                tx,
                now,
                { requestId: request.id, keepsBodies: requestLog?.keepsBodies ?? false },
                contacts,
              )
            : [];
        await end(tx, now, { ...ending, status: 'DONE', contactIds });
        return contactIds;
      }, ending.id),
    () => false,
  );
  if (erased === null) throw new Error('completing a request lost against other changes every time');
  for (const id of erased) logErasure(logger, { id, requestId: ending.id });
}

/** Ends the request without doing what it asks for. Throws RESOURCE_NOT_FOUND, INVALID_TRANSITION and VALIDATION_ERROR. */
export function refuseRequest(db: Db, now: Instant, ending: Ending): Promise<void> {
  return db.transaction(async (tx) => {
    await lockOpen(tx, ending);
    await end(tx, now, { ...ending, status: 'REFUSED', contactIds: [] });
  });
}

/** A copy of the customer's data with each partner. Throws RESOURCE_NOT_FOUND unless the request is open and of ACCESS. */
export async function exportRequest(db: Db, now: Instant, { id, actor }: { id: string; actor: Actor }) {
  const { request, contacts } = await readRequest(db, id);
  if (request.phone === null || request.kind !== 'ACCESS') throw notFound('Copy');
  const customers = [];
  for (const contact of contacts) {
    const { exportedAt: _, ...copy } = await exportCustomer(db, now, { partnerId: null, id: contact.id });
    customers.push({ partnerName: contact.partner_name, ...copy });
  }
  await db.transaction((tx) => record(tx, now, { actor, action: 'privacy-request.export', id }));
  return { exportedAt: toRiyadhIso(now), customers };
}

/** The request and its customers. */
async function lockOpen(
  tx: Tx,
  { id, answer }: Ending,
): Promise<{ request: RequestRow; contacts: ContactOfNumber[] }> {
  const request = await orNotFound(lockRequest(tx, id), 'Privacy request');
  if (request.phone === null)
    throw new ApiError('INVALID_TRANSITION', 'The request is finished', {
      from: request.status,
      allowedFrom: ['OPEN'],
    });
  const contacts = await listContactsOf(tx, request.phone, request.partner_id);
  assertNamesNobody('answer', answer, request.phone, contacts);
  return { request, contacts };
}

/** With the open bookings of all in the way, nobody is erased. */
async function eraseAll(
  tx: Tx,
  now: Instant,
  how: { requestId: string; keepsBodies: boolean },
  contacts: readonly ContactOfNumber[],
): Promise<string[]> {
  const found: Erasable[] = [];
  for (const { id } of contacts) {
    const erasable = await lockErasable(tx, { partnerId: null, id });
    if (erasable !== null) found.push(erasable);
  }
  const inTheWay = found.flatMap(openBookings);
  if (inTheWay.length > 0) throw openBookingsConflict(inTheWay);
  for (const erasable of found) await erase(tx, now, erasable, how);
  return found.map(({ contact }) => contact.id);
}

/** Throws VALIDATION_ERROR for a text that is kept longer than the customer's data, and names her. */
function assertNamesNobody(
  field: 'note' | 'answer',
  text: string | null | undefined,
  phone: string,
  contacts: readonly ContactOfNumber[],
): void {
  if (text == null) return;
  if (['', ...contacts.map(({ name }) => name)].some((name) => namesPerson(text, { name, phone })))
    throw validationError([`${field} must not name the customer: it is kept`]);
}

async function end(
  tx: Tx,
  now: Instant,
  { id, actor, answer, status, contactIds }: Ending & { status: 'DONE' | 'REFUSED'; contactIds: string[] },
): Promise<void> {
  await finishRequest(tx, now, id, { status, finished_by: actor, answer: answer?.trim() ?? null });
  await record(tx, now, {
    actor,
    action: status === 'DONE' ? 'privacy-request.complete' : 'privacy-request.refuse',
    id,
    contactIds,
  });
}

/** Without number and texts: the audit log is never erased. */
async function record(
  tx: Tx,
  now: Instant,
  { actor, action, id, contactIds }: { actor: Actor; action: string; id: string; contactIds?: string[] },
): Promise<void> {
  const { kind, status, received_at, due_at } = (await findRequest(tx, id))!;
  await audit(tx, now, {
    actor,
    action,
    target: `privacy-request:${id}`,
    after: {
      id,
      kind,
      status,
      receivedAt: toRiyadhIso(received_at),
      dueAt: toRiyadhIso(due_at),
      ...(contactIds !== undefined && { contactIds }),
    },
  });
}
