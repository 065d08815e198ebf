import type { CalendarDate } from '../clock.ts';
import type { Queryable } from '../db/connection.ts';
import type { Page, Window } from '../db/pages.ts';
import {
  type Bound,
  bigint,
  bind,
  type Column,
  column,
  date,
  type HotStatement,
  hotStatement,
  nullable,
  type Row,
  rows,
  text,
  timestamptz,
  uuid,
} from '../db/statement.ts';
import { BOOKING_COLUMNS, type BookingRow } from './queries.ts';
import type { BookingStatus } from './rules.ts';

export const SORTABLE = ['createdAt', 'date', 'status', 'externalReference'] as const;
export type SortKey = (typeof SORTABLE)[number];

const SORT_COLUMNS: Record<SortKey, string> = {
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

const DIRECTIONS = ['ASC', 'DESC'] as const;
export type BookingOrder = { by: SortKey; direction: (typeof DIRECTIONS)[number] };

/** The filters but asOf: in a statement's name, as a condition, and what they take. */
const CONDITIONS = {
  status: ['s', 'b.status = :status', text],
  fromDate: ['f', 'b.service_date >= :fromDate', date],
  toDate: ['t', 'b.service_date <= :toDate', date],
  externalReference: ['r', 'b.external_reference = :externalReference', text],
} as const;
type FilterName = keyof typeof CONDITIONS;
const FILTER_NAMES = Object.keys(CONDITIONS) as FilterName[];

const RETURNS = {
  total: bigint,
  as_of: text,
  ...BOOKING_COLUMNS,
  /** null: the page is empty, and this row has the total only. */
  id: nullable(uuid),
  created_at: timestamptz,
};
type ListStatement = HotStatement<Readonly<Record<string, Column<string | number>>>, typeof RETURNS>;

const nameOf = ({ by, direction }: BookingOrder, given: readonly FilterName[], isAsOf: boolean): string =>
  `list-${by}-${direction}-${given.map((name) => CONDITIONS[name][0]).join('')}${isAsOf ? 'a' : ''}`;

function statementOf(order: BookingOrder, given: readonly FilterName[], isAsOf: boolean): ListStatement {
  const where = ['b.partner_id = :partnerId', ...given.map((name) => CONDITIONS[name][1])].join(' and ');
  const visible = 'pg_visible_in_snapshot(b.created_in, :asOf::pg_snapshot)';
  const counted = `select count(*) from bookings b where ${where}`;
  // All except the few made since, which an index finds; checking each booking would read the whole table.
  const since = `b.created_in >= pg_snapshot_xmin(:asOf::pg_snapshot) and not ${visible}`;
  const orderOf = (alias: string): string =>
    `${alias}.${SORT_COLUMNS[order.by]} ${order.direction}, ${alias}.id ${order.direction}`;
  return hotStatement({
    name: nameOf(order, given, isAsOf),
    takes: {
      partnerId: uuid,
      ...Object.fromEntries(given.map((name) => [name, CONDITIONS[name][2]])),
      ...(isAsOf && { asOf: column<string>('pg_snapshot') }),
      limit: bigint,
      offset: bigint,
    },
    returns: RETURNS,
    text: `
      with page as (
        select b.id, b.external_reference, b.status, b.payment_status, b.service_date, b.created_at
        from bookings b where ${where} ${isAsOf ? `and ${visible}` : ''}
        order by ${orderOf('b')} limit :limit offset :offset
      ), counted (total) as (
        ${isAsOf ? `select (${counted}) - (${counted} and ${since})` : counted}
      )
      select counted.total, pg_current_snapshot()::text as as_of, page.*, a.id as appointment_id,
        a.name as appointment_name, a.status as appointment_status, a.starts_at, a.ends_at
      from counted left join (page join appointments a on a.booking_id = page.id) on true
      order by ${orderOf('page')}`,
  });
}

/** Every choice of the filters; a last date counts only together with a first. */
const CHOICES = Array.from({ length: 2 ** FILTER_NAMES.length }, (_, bits) =>
  FILTER_NAMES.filter((_name, index) => (bits & (1 << index)) !== 0),
).filter((given) => given.includes('fromDate') || !given.includes('toDate'));

/**
 * A statement for every order and choice of filters: only the conditions that apply are in it, so that each finds its
 * index (test/list-plans.test.ts shows the plans at a million bookings). Ties are broken by id.
 */
export const LIST_STATEMENTS: readonly ListStatement[] = SORTABLE.flatMap((by) =>
  DIRECTIONS.flatMap((direction) =>
    CHOICES.flatMap((given) => [false, true].map((isAsOf) => statementOf({ by, direction }, given, isAsOf))),
  ),
);
const byName = new Map(LIST_STATEMENTS.map((statement) => [statement.name, statement]));

function listing(
  partnerId: string,
  { asOf, ...filter }: BookingFilter,
  order: BookingOrder,
  page: Window,
): [ListStatement, Record<string, string | number>] {
  const given = FILTER_NAMES.filter(
    (name) => filter[name] !== undefined && !(name === 'toDate' && filter.fromDate === undefined),
  );
  const statement = byName.get(nameOf(order, given, asOf !== undefined))!;
  return [statement, { ...filter, ...(asOf !== undefined && { asOf }), partnerId, ...page }];
}

/** A page of the partner's bookings, how many there are on all pages, and the snapshot they were read in. */
export async function listBookings(
  db: Queryable,
  partnerId: string,
  filter: BookingFilter,
  order: BookingOrder,
  page: Window,
): Promise<Page<BookingRow> & { asOf: string }> {
  const found = await rows(db, ...listing(partnerId, filter, order, page));
  const { total, as_of } = found[0]!;
  return { rows: found.filter(isBooking), total, asOf: as_of };
}

const isBooking = (row: Row<ListStatement>): row is Row<ListStatement> & { id: string } => row.id !== null;

/** What listBookings runs, for the test that looks at its plan, and for the bench. */
export function listStatement(...listed: Parameters<typeof listing>): Bound {
  return bind(...listing(...listed));
}
