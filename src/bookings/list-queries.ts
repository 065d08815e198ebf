import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { type CalendarDate, type Instant, toUtcIso } from '../base/clock.ts';
import type { Queryable, Statement } from '../db/connection.ts';
import type { Page, Window } from '../db/pages.ts';
import { tablesOf } from '../db/tables.ts';
import { DEFAULT_LIMIT } from '../http/envelope.ts';
import type { KnownTotal, KnownTotals } from './known-totals.ts';
import { BOOKING, type BookingRow } from './queries.ts';
import type { BookingStatus, PaymentStatus } from './rules.ts';
import type { SeenChanges } from './updated-since.ts';

export const SORTABLE = ['createdAt', 'updatedAt', 'date', 'status', 'externalReference'] as const;

const SORT_COLUMNS: Record<(typeof SORTABLE)[number], string> = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  date: 'service_date',
  status: 'status',
  externalReference: 'external_reference',
};

export type BookingOrder = { by: (typeof SORTABLE)[number]; direction: 'ASC' | 'DESC' };

export type BookingFilter = {
  status?: BookingStatus;
  /** Service date on or after. */
  fromDate?: CalendarDate;
  /** Service date on or before; counts only together with fromDate. */
  toDate?: CalendarDate;
  externalReference?: string;
  trackingReference?: string;
  contactId?: string;
  serviceId?: string;
  paymentStatus?: PaymentStatus;
  /** Changed at that time or later, or not seen by an earlier list. */
  updatedSince?: Instant | SeenChanges;
  /** Only bookings that are visible in this snapshot. */
  asOf?: string;
};

export type BookingListQuery = { filter: BookingFilter; order: BookingOrder; page: Window };

/** With more bookings than these since the cached total, all are counted again. */
export const MAX_SINCE = 500;

/** An empty page has one row with the totals alone. */
type ListRow = {
  total: number;
  recent: number | null;
  server: string;
  as_of: string;
  history: string | null;
} & (BookingRow | { id: null });

/**
 * A page of the partner's bookings, their total and the snapshot of the read, in one statement. An `asOf` that is ahead
 * of the database is returned empty. `seen`: of a list of changes; null: on a standby, which does not know the history.
 */
export async function listBookings(
  db: Queryable,
  totals: KnownTotals,
  partnerId: string,
  asked: BookingListQuery,
): Promise<Page<BookingRow> & { asOf: string; seen: SeenChanges | null }> {
  const isUnfiltered = conditionsOf(partnerId, asked.filter).length === 1 && asked.filter.asOf === undefined;
  const known = isUnfiltered ? totals.of(partnerId) : null;
  const found =
    (known !== null && (await listWithKnown(db, known, partnerId, asked))) ||
    (await db.rows<ListRow>(listStatement(partnerId, asked, isUnfiltered ? countedApart(partnerId) : null)));
  const { total, recent, server, as_of: asOf, history } = found[0]!;
  if (isUnfiltered && recent !== null)
    totals.remember(partnerId, { before: total - recent, horizon: asOf.slice(0, asOf.indexOf(':')), server });
  const seen = history === null ? null : { history, snapshot: asOf };
  return { rows: found.filter(isBooking), total, asOf, seen };
}

const isBooking = (row: ListRow): row is ListRow & BookingRow => row.id !== null;

/** null: the cached total is outdated. */
async function listWithKnown(
  db: Queryable,
  known: KnownTotal,
  partnerId: string,
  asked: BookingListQuery,
): Promise<ListRow[] | null> {
  const found = await db.rows<ListRow>(listStatement(partnerId, asked, countedSince(partnerId, known)));
  const { total, server } = found[0]!;
  return server === known.server && total - known.before < MAX_SINCE ? found : null;
}

/**
 * The list as one statement. The page is a literal, for which PostgreSQL plans an index scan whatever the parameters are;
 * the default page without filters is prepared, so that this plan is kept. `counted` has the columns total and recent;
 * null: the total is counted by the filter.
 */
export function listStatement(
  partnerId: string,
  { filter, order, page }: BookingListQuery,
  counted: RawBuilder<unknown> | null = null,
): Statement {
  const conditions = conditionsOf(partnerId, filter);
  const where = sql.join(conditions, sql` and `);
  const { asOf } = filter;
  const isVisible = sql`pg_visible_in_snapshot(b.created_in, ${asOf}::pg_snapshot)`;
  const direction = sql.raw(order.direction);
  const sorted = (alias: string) =>
    sql`${sql.ref(`${alias}.${SORT_COLUMNS[order.by]}`)} ${direction}, ${sql.ref(`${alias}.id`)} ${direction}`;
  // The ids first: indexes cover filters and orders, so only the rows of the page are read.
  const { sql: text, parameters } = sql`
    select counted.total, counted.recent, pg_postmaster_start_time()::text as server,
      ${asOf === undefined ? sql`pg_current_snapshot()::text` : knownSnapshot(asOf)} as as_of,
      ${filter.updatedSince === undefined ? sql`null` : sql`current_history()`} as history, b.*
    from (${counted ?? countedBy(where, asOf)}) counted
    left join (
      select ${sql.raw(BOOKING)} from (
        select b.id from bookings b where ${asOf === undefined ? where : sql`${where} and ${isVisible}`}
        order by ${sorted('b')} limit ${sql.lit(page.limit)} offset ${sql.lit(page.offset)}
      ) found
      join bookings b on b.id = found.id
      join appointments a on a.booking_id = b.id
    ) b on true
    order by ${sorted('b')}`.compile(tablesOf());
  const isUsual =
    conditions.length === 1 && asOf === undefined && page.offset === 0 && page.limit === DEFAULT_LIMIT;
  return { ...(isUsual && { name: nameOf(text) }), text, values: parameters };
}

/** A few texts: each order, with the total counted or known. */
const nameOf = (text: string): string =>
  `list-bookings-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;

/** The first condition is the partner. `toDate` counts only together with `fromDate` (section 4.6). */
function conditionsOf(partnerId: string, filter: BookingFilter): RawBuilder<unknown>[] {
  const { status, fromDate, toDate, externalReference, trackingReference } = filter;
  const { contactId, serviceId, paymentStatus, updatedSince } = filter;
  const conditions: RawBuilder<unknown>[] = [sql`b.partner_id = ${partnerId}`];
  if (status !== undefined) conditions.push(sql`b.status = ${status}`);
  if (fromDate !== undefined) conditions.push(sql`b.service_date >= ${fromDate}`);
  if (fromDate !== undefined && toDate !== undefined) conditions.push(sql`b.service_date <= ${toDate}`);
  if (externalReference !== undefined) conditions.push(sql`b.external_reference = ${externalReference}`);
  if (trackingReference !== undefined)
    conditions.push(sql`b.id = (select booking_id from appointments where name = ${trackingReference})`);
  if (contactId !== undefined) conditions.push(sql`b.contact_id = ${contactId}`);
  if (serviceId !== undefined) conditions.push(sql`b.service_id = ${serviceId}`);
  if (paymentStatus !== undefined) conditions.push(sql`b.payment_status = ${paymentStatus}`);
  if (updatedSince !== undefined) conditions.push(changedSince('b', updatedSince));
  return conditions;
}

/** SQL: whether the row of the table has changed since, or has a change that an earlier list has not seen. */
export function changedSince(table: string, since: Instant | SeenChanges): RawBuilder<boolean> {
  const of = (column: string) => sql.ref(`${table}.${column}`);
  if (typeof since === 'number') return sql`${of('updated_at')} >= ${toUtcIso(since)}`;
  return sql`(${of('changed_in')} >= pg_snapshot_xmin(${since.snapshot}::pg_snapshot)
    and not pg_visible_in_snapshot(${of('changed_in')}, ${since.snapshot}::pg_snapshot))`;
}

const counting = (where: RawBuilder<unknown>) => sql`(select count(*) from bookings b where ${where})`;

/**
 * In a snapshot: all but those made since, which an index finds. A check of each booking would read the whole table.
 */
function countedBy(where: RawBuilder<unknown>, asOf: string | undefined): RawBuilder<unknown> {
  if (asOf === undefined) return sql`select ${counting(where)} as total, null::bigint as recent`;
  const since = sql`${where} and b.created_in >= pg_snapshot_xmin(${asOf}::pg_snapshot)
    and not pg_visible_in_snapshot(b.created_in, ${asOf}::pg_snapshot)`;
  return sql`select ${counting(where)} - ${counting(since)} as total, null::bigint as recent`;
}

/** `recent`: the number of those whose transactions are not older than all transactions under way. */
const countedApart = (partnerId: string) => sql`
  select ${counting(sql`b.partner_id = ${partnerId}`)} as total,
    ${counting(sql`b.partner_id = ${partnerId} and b.created_in >= pg_snapshot_xmin(pg_current_snapshot())`)} as recent`;

// Selected, and with a literal limit: else PostgreSQL expects more rows of a kept plan and plans each list again.
const countedSince = (partnerId: string, { before, horizon }: KnownTotal) => sql`
  select ${before}::bigint + count(*) as total,
    count(*) filter (where created_in >= pg_snapshot_xmin(pg_current_snapshot())) as recent
  from (
    select created_in from bookings
    where partner_id = ${partnerId} and created_in >= (select ${horizon}::xid8) limit ${sql.lit(MAX_SINCE)}
  ) since`;

/** `asOf`, or empty when it is ahead of the database. */
const knownSnapshot = (asOf: string) => sql`(
  select case when pg_snapshot_xmax(${asOf}::pg_snapshot)::text::bigint <= until::text::bigint + age(until::xid)
    then ${asOf}::pg_snapshot::text else '' end
  from pg_snapshot_xmax(pg_current_snapshot()) until)`;
