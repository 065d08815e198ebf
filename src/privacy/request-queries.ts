import { sql } from 'kysely';
import { type Instant, toUtcIso } from '../base/clock.ts';
import type { AppointmentStatus } from '../bookings/rules.ts';
import type { BookingTable } from '../bookings/table.ts';
import type { ContactTable } from '../contacts/table.ts';
import { actorName } from '../db/actors.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import type { Page, Sorting, Window } from '../db/pages.ts';
import { firstOf, instant, isOneOf, pageOf, rowsOf, sortedBy, tablesOf } from '../db/tables.ts';
import { insertRequest, type NewRequest } from './erasure-queries.ts';
import type { PrivacyRequestRow, PrivacyRequestTable, RequestKind, RequestStatus } from './table.ts';

/** The register of privacy requests, and the customers they are about. */

const tables = tablesOf<{
  privacy_requests: PrivacyRequestTable;
  partners: { id: string; name: string };
  contacts: ContactTable;
  bookings: BookingTable;
  appointments: { booking_id: string | null; status: AppointmentStatus };
}>();

/** A request with the names of its partner (null: it is of the number) and of the tokens of its actors. */
export type RequestRow = PrivacyRequestRow & {
  partner_name: string | null;
  received_by_name: string | null;
  finished_by_name: string | null;
};

const requests = tables
  .selectFrom('privacy_requests')
  .selectAll('privacy_requests')
  .select([
    sql<string | null>`(select p.name from partners p where p.id = privacy_requests.partner_id)`.as(
      'partner_name',
    ),
    actorName('received_by').as('received_by_name'),
    actorName('finished_by').as('finished_by_name'),
  ]);

export function findRequest(db: Queryable, id: string): Promise<RequestRow | null> {
  return firstOf(db, requests.where('id', '=', id));
}

/** Locked until the end of the transaction; null: there is none. */
export function lockRequest(tx: Tx, id: string): Promise<RequestRow | null> {
  return firstOf(tx, requests.where('id', '=', id).forNoKeyUpdate());
}

export const REQUEST_ORDERS = ['receivedAt', 'dueAt'] as const;
const ORDERS = { receivedAt: ['received_at'], dueAt: ['due_at'] };

export type RequestFilter = {
  status?: RequestStatus;
  kind?: RequestKind;
  overdue?: boolean;
  /** Open ones that are due before. */
  dueBefore?: Instant;
  phone?: { number: string; hash: Buffer };
};

/** The latest received first, unless sorted otherwise. */
export function listRequests(
  db: Queryable,
  now: Instant,
  filter: RequestFilter & Sorting<(typeof REQUEST_ORDERS)[number]>,
  page: Window,
): Promise<Page<RequestRow>> {
  const { status, kind, overdue, dueBefore, phone, ...sorting } = filter;
  const isOverdue = sql<boolean>`(status = 'OPEN' and due_at < ${instant(now)})`;
  const query = requests
    .$if(status !== undefined, (found) => found.where('status', '=', status!))
    .$if(kind !== undefined, (found) => found.where('kind', '=', kind!))
    .$if(overdue !== undefined, (found) => found.where(isOverdue, '=', overdue!))
    .$if(dueBefore !== undefined, (found) =>
      found.where('status', '=', 'OPEN').where('due_at', '<', instant(dueBefore!)),
    )
    .$if(phone !== undefined, (found) =>
      found.where(sql<boolean>`(phone = ${phone!.number} or phone_hash = ${phone!.hash})`),
    );
  return pageOf(db, sortedBy(query, ORDERS, sorting, { by: 'receivedAt', order: 'DESC' }), page);
}

/** Ends the open request; its number is forgotten. */
export async function finishRequest(
  tx: Tx,
  now: Instant,
  id: string,
  end: { status: 'DONE' | 'REFUSED'; finished_by: string; answer: string | null },
): Promise<void> {
  const set = { ...end, finished_at: toUtcIso(now), phone: null };
  await rowsOf(tx, tables.updateTable('privacy_requests').set(set).where('id', '=', id));
}

export type ContactOfNumber = { id: string; name: string; partner_id: string; partner_name: string };

const contacts = tables
  .selectFrom('contacts as c')
  .innerJoin('partners as p', 'p.id', 'c.partner_id')
  .select(['c.id', 'c.name', 'c.partner_id', 'p.name as partner_name']);

/** Customers with the number, of the partner, or of all (null), by id. */
export function listContactsOf(
  db: Queryable,
  phone: string,
  partnerId: string | null,
): Promise<ContactOfNumber[]> {
  const query = contacts.where('c.phone', '=', phone).orderBy('c.id');
  return rowsOf(db, partnerId === null ? query : query.where('c.partner_id', '=', partnerId));
}

/** Customers who were erased by the request, by id. */
export function listErasedBy(db: Queryable, requestId: string): Promise<ContactOfNumber[]> {
  return rowsOf(db, contacts.where('c.erasure_id', '=', requestId).orderBy('c.id'));
}

/** The bookings of the customers, with the statuses that tell whether they are open. */
export function listBookingsOf(db: Queryable, contactIds: readonly string[]) {
  const query = tables
    .selectFrom('bookings as b')
    .innerJoin('appointments as a', 'a.booking_id', 'b.id')
    .select(['b.contact_id', 'b.status', 'a.status as appointment_status']);
  return rowsOf(db, query.where(isOneOf('b.contact_id', contactIds)));
}

/** Open requests by when they are due: overdue, before `soon`, or later. */
export async function countOpen(
  db: Queryable,
  now: Instant,
  soon: Instant,
): Promise<{ overdue: number; soon: number; later: number }> {
  const due = sql`due_at`;
  const query = tables
    .selectFrom('privacy_requests')
    .select([
      sql<number>`count(*) filter (where ${due} < ${instant(now)})`.as('overdue'),
      sql<number>`count(*) filter (where ${due} >= ${instant(now)} and ${due} < ${instant(soon)})`.as('soon'),
      sql<number>`count(*) filter (where ${due} >= ${instant(soon)})`.as('later'),
    ])
    .where('status', '=', 'OPEN');
  return (await firstOf(db, query))!;
}

/**
 * The next `limit` customers by id after `last` who are not erased, and whether each was made, and has had all visits,
 * before `months` months ago, and has no series that goes on.
 */
export function listForRetention(
  db: Queryable,
  now: Instant,
  { months, last }: { months: number; last: string | null },
  limit: number,
): Promise<{ id: string; is_due: boolean }[]> {
  const before = sql`${instant(now)} - make_interval(months => ${months}::int)`;
  const query = tables
    .selectFrom('contacts as c')
    .select([
      'c.id',
      sql<boolean>`(c.created_at < ${before} and not exists (
        select from bookings b join appointments a on a.booking_id = b.id
        where b.contact_id = c.id and (a.ends_at >= ${before} or b.created_at >= ${before}))
        and not exists (select from series s where s.contact_id = c.id and s.status <> 'ENDED'))`.as(
        'is_due',
      ),
    ])
    .where('c.erasure_id', 'is', null)
    .$if(last !== null, (found) => found.where('c.id', '>', last!))
    .orderBy('c.id')
    .limit(limit);
  return rowsOf(db, query);
}

/** Erased customers by id after `last`, with the requests that erased them. */
export function listErasures(
  db: Queryable,
  last: string | null,
  limit: number,
): Promise<(PrivacyRequestRow & { contact_id: string })[]> {
  const query = tables
    .selectFrom('contacts as c')
    .innerJoin('privacy_requests as r', 'r.id', 'c.erasure_id')
    .selectAll('r')
    .select('c.id as contact_id')
    .$if(last !== null, (found) => found.where('c.id', '>', last!))
    .orderBy('c.id')
    .limit(limit);
  return rowsOf(db, query);
}

/** Inserts a finished request, or finishes it where it is open. */
export async function saveDone(tx: Tx, request: NewRequest): Promise<void> {
  const { status, finishedAt, finished_by } = request;
  const set = { status, finished_by, finished_at: toUtcIso(finishedAt!), phone: null };
  const known = tables.updateTable('privacy_requests').set(set).where('id', '=', request.id);
  await rowsOf(tx, known.where('status', '=', 'OPEN'));
  if ((await findRequest(tx, request.id)) === null) await insertRequest(tx, request);
}

/** Inserts an open request, or makes the one of the kind for the number and partner due. */
export async function makeDue(tx: Tx, request: NewRequest): Promise<void> {
  const { kind, phone, partner_id, dueAt } = request;
  const known = tables
    .updateTable('privacy_requests')
    .set({ due_at: toUtcIso(dueAt) })
    .where('status', '=', 'OPEN')
    .where('kind', '=', kind)
    .where('phone', '=', phone)
    .where('partner_id', '=', partner_id)
    .returning('id');
  if ((await firstOf(tx, known)) === null) await insertRequest(tx, request);
}
