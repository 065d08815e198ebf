import { TIME_ZONE } from '../base/clock.ts';
import type { Window } from '../db/pages.ts';
import { date, text } from '../db/statement.ts';
import { BOOKING_STATUSES } from './rules.ts';

/** The SQL of a page of the partner's bookings, and of its total, by what is asked for (docs/decisions/list-and-as-of.md). */

export const SORTABLE = ['createdAt', 'date', 'status', 'externalReference'] as const;
type SortKey = (typeof SORTABLE)[number];

const SORT_COLUMNS: Record<SortKey, string> = {
  createdAt: 'created_at',
  date: 'service_date',
  status: 'status',
  externalReference: 'external_reference',
};

export const DIRECTIONS = ['ASC', 'DESC'] as const;
export type BookingOrder = { by: SortKey; direction: (typeof DIRECTIONS)[number] };

/** The filters but asOf: in a statement's name, as a condition, and what they take. */
export const CONDITIONS = {
  status: ['s', 'status = :status', text],
  fromDate: ['f', 'service_date >= :fromDate', date],
  toDate: ['t', 'service_date <= :toDate', date],
  externalReference: ['r', 'external_reference = :externalReference', text],
} as const;
export type FilterName = keyof typeof CONDITIONS;
export const FILTER_NAMES = Object.keys(CONDITIONS) as FilterName[];

const PAGE_COLUMNS = 'b.id, b.external_reference, b.status, b.payment_status, b.service_date, b.created_at';

/** The order in SQL; ties by id. */
export const orderOf = ({ by, direction }: BookingOrder, alias: string): string =>
  `${alias}.${SORT_COLUMNS[by]} ${direction}, ${alias}.id ${direction}`;

/**
 * How far the first pages reach. They have this limit in their text: of one in a parameter PostgreSQL thinks the worst, and
 * makes a plan for each request (bench/README.md).
 */
const REACH = 128;
const limited = (found: string, alias: string, sorted: string, isFirst: boolean): string => {
  const asked = 'limit :limit offset :offset';
  return isFirst
    ? `select * from (${found} order by ${sorted} limit ${REACH}) ${alias} order by ${sorted} ${asked}`
    : `${found} order by ${sorted} ${asked}`;
};
/** Whether the statement of the first pages may be asked for it. */
export const isWithinReach = (page: Window): boolean => page.offset + page.limit <= REACH;

const ALL_STATUSES = `'{${BOOKING_STATUSES.map((status) => `"${status}"`).join()}}'`;

/**
 * As many as `count(*)` of bookings, by what is kept of them and what has changed since (migrations/0051). Asked once in a
 * query of its own: beside the page it would be asked for each row. Of the dates given, unless others are named.
 */
export function totalOf(
  given: readonly FilterName[],
  from = given.includes('fromDate') ? ':fromDate' : 'null',
  to = given.includes('toDate') ? ':toDate' : 'null',
): string {
  const statuses = given.includes('status') ? 'array[:status]' : ALL_STATUSES;
  return `(select count_bookings(:partnerId, ${statuses}, ${from}, ${to}))`;
}

/** The partner's own, and the filters. */
export const whereOf = (given: readonly FilterName[], alias = 'b'): string =>
  ['partner_id = :partnerId', ...given.map((name) => CONDITIONS[name][1])]
    .map((condition) => `${alias}.${condition}`)
    .join(' and ');

/**
 * Where the page begins in an index, whatever the values are: its filter leads there, and its order is that of the index.
 * Its first pages have a limit in their text (REACH).
 */
const liesReady = ({ by }: BookingOrder, given: readonly FilterName[]): boolean =>
  given.length > 0 &&
  !given.includes('externalReference') &&
  (by === 'date' || ((by === 'createdAt' || by === 'status') && given.every((name) => name === 'status')));

/** By dates, with a status or without, in the order of creation, of which dates say little. */
const isByDates = ({ by }: BookingOrder, given: readonly FilterName[]): boolean =>
  by === 'createdAt' && given.includes('fromDate') && !given.includes('externalReference');

/** Whether there is a statement of its own for the first pages. */
export const hasReach = (order: BookingOrder, given: readonly FilterName[]): boolean =>
  liesReady(order, given) || isByDates(order, given);

/**
 * The bookings of the page, as SQL that may read the total from `counted`. `visible` is a condition that `asOf` adds. Those of
 * one status, or by status, are found by booking_statuses (migrations/0053), except among the few of a reference.
 */
export function pageOf(
  order: BookingOrder,
  given: readonly FilterName[],
  visible: string | null,
  isFirst: boolean,
): string {
  if (visible === null && isByDates(order, given)) return pageOfDates(order, given, isFirst);
  if (visible !== null && beginsAtDates(order, given)) visible += ` and b.created_at < ${MADE_BEFORE}`;
  const isByStatus = given.includes('status') || order.by === 'status';
  if (!isByStatus || given.includes('externalReference')) {
    const found = `select ${PAGE_COLUMNS} from bookings b where ${whereOf(given)}`;
    return limited(visible === null ? found : `${found} and ${visible}`, 'b', orderOf(order, 'b'), isFirst);
  }
  // Without a status nothing in the narrow table leads to the dates; order by reference and age are not in it.
  const isAlone =
    order.by !== 'externalReference' && visible === null && (given.includes('status') || given.length === 0);
  return isAlone ? pageOfStatus(order, given, isFirst) : pageBesideStatus(order, given, visible, isFirst);
}

/** So many of the dates are sorted in less time than the order is read to find 20 of them among a million. */
const FEW = 5_000;

/**
 * When the last bookings of the dates were made: before the day after, in Riyadh, as nobody books the past. Unless the partner
 * has one that says otherwise, because a clock was wrong: those are in an index of their own (migrations/0064).
 */
const MADE_BEFORE = `(
  select case when exists (
    select from bookings
    where partner_id = :partnerId and (created_at at time zone '${TIME_ZONE}')::date > service_date
  ) then 'infinity' else (:toDate::date + 1)::timestamp at time zone '${TIME_ZONE}' end)`;

/** With the newest first, the bookings of dates that are over begin where those dates end. */
const beginsAtDates = ({ by, direction }: BookingOrder, given: readonly FilterName[]): boolean =>
  by === 'createdAt' && direction === 'DESC' && given.includes('toDate');

/**
 * Either all bookings of the dates are sorted, or those in order are read until the page is full: the oldest first, whichever
 * reads less by the totals, as the order begins with bookings of earlier dates; the newest first, the order is read, and when
 * an eighth as much as there is of the dates does not fill the page, they are sorted.
 */
function pageOfDates(order: BookingOrder, given: readonly FilterName[], isFirst: boolean): string {
  const { direction } = order;
  const isOne = given.includes('status');
  const sorted = `s.created_at ${direction}, s.booking_id ${direction}`;
  const ofDates = [
    whereOf(
      given.filter((name) => name !== 'status'),
      's',
    ),
    isOne ? 's.status = :status' : `s.status = any (${ALL_STATUSES}::text[])`,
  ].join(' and ');
  const sorting = `
    select s.booking_id from (
      select s.booking_id, s.created_at from booking_statuses s where ${ofDates} offset 0
    ) s order by ${sorted} limit :limit offset :offset`;
  const ordered = isOne
    ? 'booking_statuses'
    : '(select id as booking_id, partner_id, service_date, created_at from bookings)';
  if (direction === 'ASC') {
    const found = `select s.booking_id, s.created_at from ${ordered} s where ${whereOf(given, 's')}`;
    const reading = `select s.booking_id from (${limited(found, 's', sorted, isFirst)}) s`;
    const outside = totalOf(given, 'null', ':fromDate::date - 1');
    return `
      select ${PAGE_COLUMNS}
      from unnest(
        case when (select total from counted) <= ${FEW} + 2 * ${outside} then array(${sorting}) else array(${reading}) end
      ) as found (id) join bookings b on b.id = found.id`;
  }
  const isOf = (names: readonly FilterName[]): string =>
    whereOf(
      given.filter((name) => names.includes(name)),
      's',
    );
  return `
    select ${PAGE_COLUMNS}
    from (
      with near as materialized (
        select s.booking_id, s.created_at from (
          select s.booking_id, s.partner_id, s.service_date, s.created_at from ${ordered} s
          where ${isOf(['status'])}${given.includes('toDate') ? ` and s.created_at < ${MADE_BEFORE}` : ''}
          order by ${sorted} limit (select greatest(${FEW}, total / 8) from counted)
        ) s where ${isOf(['fromDate', 'toDate'])}
        order by ${sorted} limit ${isFirst ? REACH : ':limit::bigint + :offset::bigint'}
      )
      select unnest(
        case when (select total from counted) > ${FEW}
          and (select count(*) from near) >= least(:limit::bigint + :offset::bigint, (select total from counted))
        then array(select s.booking_id from near s order by ${sorted} limit :limit offset :offset)
        else array(${sorting}) end
      ) as id
    ) as found join bookings b on b.id = found.id`;
}

/** Only the bookings of the page itself are read. */
function pageOfStatus(order: BookingOrder, given: readonly FilterName[], isFirst: boolean): string {
  const found = `
    select s.booking_id, s.status, s.service_date, s.created_at from booking_statuses s
    where ${whereOf(given, 's')}`;
  return `
    select ${PAGE_COLUMNS}
    from (${limited(found, 's', orderOfStatus(order, given), isFirst)}) s join bookings b on b.id = s.booking_id`;
}

/** Beginning with whichever of the two finds less. */
function pageBesideStatus(
  order: BookingOrder,
  given: readonly FilterName[],
  visible: string | null,
  isFirst: boolean,
): string {
  const isOne = given.includes('status');
  const conditions = [
    whereOf(given.filter((name) => name !== 'status')),
    whereOf(
      given.filter((name) => name === 'status'),
      's',
    ),
    ...(visible === null ? [] : [visible]),
  ];
  return limited(
    `select ${PAGE_COLUMNS} from bookings b join booking_statuses s
       on s.booking_id = b.id${isOne ? '' : ' and s.status = b.status'}
     where ${conditions.join(' and ')}`,
    'b',
    order.by === 'externalReference' ? orderOf(order, 'b') : orderOfStatus(order, given),
    isFirst,
  );
}

/** As the indexes have it: a status that is the same in all rows is no part of it. */
const orderOfStatus = ({ by, direction }: BookingOrder, given: readonly FilterName[]): string =>
  [...(by === 'status' && given.includes('status') ? [] : [SORT_COLUMNS[by]]), 'booking_id']
    .map((column) => `s.${column} ${direction}`)
    .join(', ');
