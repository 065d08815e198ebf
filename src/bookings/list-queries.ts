import type { CalendarDate } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import type { Page, Window } from '../db/pages.ts';
import {
  type Bound,
  bigint,
  bind,
  type Column,
  column,
  type HotStatement,
  hotStatement,
  nullable,
  type Row,
  rows,
  text,
  timestamptz,
  uuid,
  xid8,
} from '../db/statement.ts';
import type { KnownTotal, KnownTotals } from './known-totals.ts';
import {
  type BookingOrder,
  CONDITIONS,
  DIRECTIONS,
  FILTER_NAMES,
  type FilterName,
  hasReach,
  isWithinReach,
  orderOf,
  pageOf,
  SORTABLE,
  totalOf,
  whereOf,
} from './list-page-queries.ts';
import { BOOKING_COLUMNS, type BookingRow } from './queries.ts';
import type { BookingStatus } from './rules.ts';

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

const RETURNS = {
  total: bigint,
  /** Without filters: how many of the total are of transactions that the snapshot saw under way, or later ones. */
  recent: nullable(bigint),
  server: nullable(text),
  as_of: text,
  ...BOOKING_COLUMNS,
  /** null: the page is empty, and this row has the total only. */
  id: nullable(uuid),
  created_at: timestamptz,
};
type ListStatement = HotStatement<Readonly<Record<string, Column<string | number>>>, typeof RETURNS>;

type KnownStatement = HotStatement<
  {
    partnerId: typeof uuid;
    before: typeof bigint;
    horizon: typeof xid8;
    limit: typeof bigint;
    offset: typeof bigint;
  },
  typeof RETURNS
>;

const knownNameOf = ({ by, direction }: BookingOrder, isFirst: boolean): string =>
  `list-${by}-${direction}-known${isFirst ? '-first' : ''}`;
const nameOf = (
  { by, direction }: BookingOrder,
  given: readonly FilterName[],
  isAsOf: boolean,
  isFirst: boolean,
): string =>
  `list-${by}-${direction}-${given.map((name) => CONDITIONS[name][0]).join('')}${isAsOf ? 'a' : ''}${isFirst ? '-first' : ''}`;

const RECENT = 'b.created_in >= pg_snapshot_xmin(pg_current_snapshot())';
const SERVER = 'pg_postmaster_start_time()::text';

const AS_OF = {
  /** The snapshot as text. */
  primary: 'pg_current_snapshot()::text',
  /**
   * As it was given, or empty: it is ahead of the database.
   */
  given: `(
    select case when pg_snapshot_xmax(:asOf::pg_snapshot)::text::bigint <= until::text::bigint + age(until::xid)
      then :asOf::pg_snapshot::text else '' end
    from pg_snapshot_xmax(pg_current_snapshot()) until
  )`,
};

/** The page beside its total: with an empty page one row, which has the total only. */
const pageBeside = (order: BookingOrder, page: string, counted: string, asOf: keyof typeof AS_OF): string => `
  with counted (total, recent, server) as (
    ${counted}
  ), page as (
    ${page}
  )
  select counted.total, counted.recent, counted.server, ${AS_OF[asOf]} as as_of, page.*,
    a.id as appointment_id, a.name as appointment_name, a.status as appointment_status, a.starts_at, a.ends_at
  from counted left join (
    page cross join lateral (select * from appointments where booking_id = page.id offset 0) a
  ) on true
  order by ${orderOf(order, 'page')}`;

function statementOf(
  order: BookingOrder,
  given: readonly FilterName[],
  isAsOf: boolean,
  isFirst: boolean,
): ListStatement {
  const where = whereOf(given);
  const visible = 'pg_visible_in_snapshot(b.created_in, :asOf::pg_snapshot)';
  const counted = `select count(*) from bookings b where ${where}`;
  // A reference is that of a few bookings; of the other filters there are totals.
  const all = given.includes('externalReference') ? `(${counted})` : totalOf(given);
  // All except the few made since, which an index finds; checking each booking would read the whole table.
  const since = `b.created_in >= pg_snapshot_xmin(:asOf::pg_snapshot) and not ${visible}`;
  const total = isAsOf ? `${all} - (${counted} and ${since})` : all;
  const isKept = given.length === 0 && !isAsOf;
  return hotStatement({
    name: nameOf(order, given, isAsOf, isFirst),
    takes: {
      partnerId: uuid,
      ...Object.fromEntries(given.map((name) => [name, CONDITIONS[name][2]])),
      ...(isAsOf && { asOf: column<string>('pg_snapshot') }),
      limit: bigint,
      offset: bigint,
    },
    returns: RETURNS,
    text: pageBeside(
      order,
      pageOf(order, given, isAsOf ? visible : null, isFirst),
      `select ${total}, ${isKept ? `(${counted} and ${RECENT}), ${SERVER}` : 'null::bigint, null::text'}`,
      isAsOf ? 'given' : 'primary',
    ),
  });
}

/** More than so many bookings since the total was remembered are not looked for: then all are counted. */
export const MAX_SINCE = 500;
/** Pages without a filter, with a total that is known but for the bookings since. */
function knownStatement(order: BookingOrder, isFirst: boolean): KnownStatement {
  return hotStatement({
    name: knownNameOf(order, isFirst),
    takes: { partnerId: uuid, before: bigint, horizon: xid8, limit: bigint, offset: bigint },
    returns: RETURNS,
    text: pageBeside(
      order,
      pageOf(order, [], null, isFirst),
      `select :before + count(*), count(*) filter (where ${RECENT}), ${SERVER}
       from (
         select created_in from bookings
         where partner_id = :partnerId and created_in >= :horizon limit ${MAX_SINCE}
       ) b`,
      'primary',
    ),
  });
}

/** Every choice of the filters; a last date counts only together with a first. */
const CHOICES = Array.from({ length: 2 ** FILTER_NAMES.length }, (_, bits) =>
  FILTER_NAMES.filter((_name, index) => (bits & (1 << index)) !== 0),
).filter((given) => given.includes('fromDate') || !given.includes('toDate'));

/**
 * A statement for every order and choice of filters: only the conditions that apply are in it, so that each finds its
 * index (test/list-plans.test.ts shows the plans at half a million bookings). Ties are broken by id.
 */
export const LIST_STATEMENTS: readonly ListStatement[] = SORTABLE.flatMap((by) =>
  DIRECTIONS.flatMap((direction) =>
    CHOICES.flatMap((given) => {
      const reaches = hasReach({ by, direction }, given) ? [false, true] : [false];
      return [
        statementOf({ by, direction }, given, true, false),
        ...reaches.map((isFirst) => statementOf({ by, direction }, given, false, isFirst)),
      ];
    }),
  ),
);
const byName = new Map(LIST_STATEMENTS.map((statement) => [statement.name, statement]));

export const KNOWN_STATEMENTS: readonly KnownStatement[] = SORTABLE.flatMap((by) =>
  DIRECTIONS.flatMap((direction) =>
    [true, false].map((isFirst) => knownStatement({ by, direction }, isFirst)),
  ),
);
const knownByName = new Map(KNOWN_STATEMENTS.map((statement) => [statement.name, statement]));

/** A last date counts only together with a first. */
const givenOf = (filter: BookingFilter): FilterName[] =>
  FILTER_NAMES.filter(
    (name) => filter[name] !== undefined && !(name === 'toDate' && filter.fromDate === undefined),
  );

function listing(
  partnerId: string,
  { asOf, ...filter }: BookingFilter,
  order: BookingOrder,
  page: Window,
): [ListStatement, Record<string, string | number>] {
  const given = givenOf(filter);
  const isFirst = asOf === undefined && isWithinReach(page) && hasReach(order, given);
  const statement = byName.get(nameOf(order, given, asOf !== undefined, isFirst))!;
  return [statement, { ...filter, ...(asOf !== undefined && { asOf }), partnerId, ...page }];
}

/**
 * A page of the partner's bookings, how many there are on all pages, and the snapshot they were read in.
 * An `asOf` that is ahead of the database comes back empty.
 */
export async function listBookings(
  db: Queryable,
  totals: KnownTotals,
  partnerId: string,
  filter: BookingFilter,
  order: BookingOrder,
  page: Window,
): Promise<Page<BookingRow> & { asOf: string }> {
  const isUnfiltered = givenOf(filter).length === 0 && filter.asOf === undefined;
  const known = isUnfiltered ? totals.of(partnerId) : null;
  const found =
    (known && (await listWithKnown(db, known, partnerId, order, page))) ??
    (await rows(db, ...listing(partnerId, filter, order, page)));
  const { total, recent, server, as_of } = found[0]!;
  if (recent !== null && server !== null) {
    const horizon = as_of.slice(0, as_of.indexOf(':'));
    totals.remember(partnerId, { before: total - recent, horizon, server });
  }
  return { rows: found.filter(isBooking), total, asOf: as_of };
}

/** null: what was known is of no use any more. */
async function listWithKnown(
  db: Queryable,
  { before, horizon, server }: KnownTotal,
  partnerId: string,
  order: BookingOrder,
  page: Window,
) {
  const statement = knownByName.get(knownNameOf(order, isWithinReach(page)))!;
  const found = await rows(db, statement, { partnerId, before, horizon, ...page });
  const { total, server: now } = found[0]!;
  return now === server && total - before < MAX_SINCE ? found : null;
}

const isBooking = (row: Row<ListStatement>): row is Row<ListStatement> & { id: string } => row.id !== null;

/** The statement of a list whose total is not known, for the test that looks at its plan. */
export function listStatement(...listed: Parameters<typeof listing>): Bound {
  return bind(...listing(...listed));
}
