import type { CalendarDate } from '../clock.ts';
import type { Db } from '../platform/db.ts';
import type { Page } from '../platform/envelope.ts';
import type { BookingRow } from './queries.ts';
import type { BookingStatus } from './rules.ts';

export const SORTABLE = ['createdAt', 'date', 'status', 'externalReference'] as const;
export type SortKey = (typeof SORTABLE)[number];

const COLUMNS: Record<SortKey, string> = {
  createdAt: 'created_at',
  date: 'service_date',
  status: 'status',
  externalReference: 'external_reference',
};

export type BookingFilter = {
  status?: BookingStatus;
  /** Service date on or after. */
  fromDate?: CalendarDate;
  /** Service date on or before; counts only together with fromDate. */
  toDate?: CalendarDate;
  externalReference?: string;
  /** Only bookings that this snapshot of the database (see `asOf` below) could see. */
  asOf?: string;
};

export type BookingOrder = { by: SortKey; direction: 'ASC' | 'DESC' };

/** Conditions and values of the filter, but for asOf; the same words serve the page and the count. */
function conditionsOf(
  partnerId: string,
  filter: BookingFilter,
): { where: string; values: unknown[]; name: string } {
  const values: unknown[] = [partnerId];
  const given: [string, string, unknown][] = [
    ['s', 'b.status = ?', filter.status],
    ['f', 'b.service_date >= ?::date', filter.fromDate],
    ['t', 'b.service_date <= ?::date', filter.fromDate === undefined ? undefined : filter.toDate],
    ['r', 'b.external_reference = ?', filter.externalReference],
  ];
  const conditions = ['b.partner_id = $1'];
  let name = '';
  for (const [letter, condition, value] of given) {
    if (value === undefined) continue;
    values.push(value);
    conditions.push(condition.replace('?', `$${values.length}`));
    name += letter;
  }
  return { where: conditions.join(' and '), values, name };
}

type ListedRow = { total: number; as_of: string } & (BookingRow | { id: null });

/**
 * A page of the partner's bookings, how many there are on all pages, and the snapshot they were read in. Only the
 * conditions that apply are in the statement, so that each filter and order finds its index
 * (test/list-plans.test.ts shows the plans at a million bookings). Ties are broken by id.
 */
export async function listBookings(
  db: Db,
  partnerId: string,
  filter: BookingFilter,
  order: BookingOrder,
  page: { limit: number; offset: number },
): Promise<Page<BookingRow> & { asOf: string }> {
  const { text, values, name } = listStatement(partnerId, filter, order, page);
  const rows = await db.rows<ListedRow>({ name, text, values });
  const { total, as_of } = rows[0]!;
  return { rows: rows.filter((row): row is ListedRow & BookingRow => row.id !== null), total, asOf: as_of };
}

/** The statement itself, for the test that looks at its plan. */
export function listStatement(
  partnerId: string,
  filter: BookingFilter,
  { by, direction }: BookingOrder,
  page: { limit: number; offset: number },
) {
  const { where, values, name } = conditionsOf(partnerId, filter);
  let pageWhere = where;
  let total = `select count(*) from bookings b where ${where}`;
  if (filter.asOf !== undefined) {
    values.push(filter.asOf);
    const snapshot = `$${values.length}::pg_snapshot`;
    const visible = `pg_visible_in_snapshot(b.created_in, ${snapshot})`;
    pageWhere += ` and ${visible}`;
    // All but the few made since: which those are, an index tells; asking each booking would read the whole table.
    const since = `b.created_in >= pg_snapshot_xmin(${snapshot}) and not ${visible}`;
    total = `select (${total}) - (${total} and ${since})`;
  }
  const column = COLUMNS[by];
  const ordered = (alias: string): string => `${alias}.${column} ${direction}, ${alias}.id ${direction}`;
  const text = `
    with page as (
      select b.id, b.external_reference, b.status, b.payment_status, b.service_date, b.created_at
      from bookings b where ${pageWhere}
      order by ${ordered('b')} limit $${values.length + 1} offset $${values.length + 2}
    ), counted (total) as (
      ${total}
    )
    select counted.total, pg_current_snapshot()::text as as_of, page.*, a.id as appointment_id,
      a.name as appointment_name, a.status as appointment_status, a.starts_at, a.ends_at
    from counted left join (page join appointments a on a.booking_id = page.id) on true
    order by ${ordered('page')}`;
  const asOfName = filter.asOf === undefined ? '' : 'a';
  return {
    name: `list-${by}-${direction}-${name}${asOfName}`,
    text,
    values: [...values, page.limit, page.offset],
  };
}
