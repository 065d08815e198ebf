import { isDeepStrictEqual } from 'node:util';
import {
  type ColumnType,
  type Compilable,
  DummyDriver,
  type Expression,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from 'kysely';
import { type Instant, toUtcIso } from '../base/clock.ts';
import type { Queryable } from './connection.ts';
import { AS_PEOPLE_SORT, type Page, type Sorting, type SortOrder, type Window } from './pages.ts';

/**
 * Kysely builds the statements that are not hot from the slice's table types (`table.ts`), one type for each table:
 * rows, inserts and updates follow from it. connection.ts runs them, so that a transaction is still required by type
 * and the embedded database runs the same code.
 */

/** A timestamptz: read as an instant, written as text (`toUtcIso`). */
export type Timestamp = ColumnType<Instant, string, string>;
/** A timestamptz that may be null. */
export type NullableTimestamp = ColumnType<Instant | null, string | null, string | null>;

/** A query builder for the tables of a slice: `const tables = tablesOf<{ partners: PartnerTable }>()`. */
export function tablesOf<Tables>(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

/** Runs a built statement and returns its rows. */
export function rowsOf<Row>(db: Queryable, query: Compilable<Row>): Promise<Row[]> {
  const { sql: text, parameters } = query.compile();
  return db.rows<Row>({ text, values: parameters });
}

/** Runs a built statement and returns its first row, or null. */
export function firstOf<Row>(db: Queryable, query: Compilable<Row>): Promise<Row | null> {
  const { sql: text, parameters } = query.compile();
  return db.first<Row>({ text, values: parameters });
}

/** Runs a statement that always has a row (`insert … returning`, `update` of a locked row). Throws when it has none. */
export async function firstOrThrow<Row>(db: Queryable, query: Compilable<Row>): Promise<Row> {
  const row = await firstOf(db, query);
  if (row === null) throw new Error('a statement that must return a row returned none');
  return row;
}

/**
 * A page of an ordered query, and the total of its rows: both from one statement, so from one snapshot. Only for an
 * empty page the total needs a second statement. `total`: an expression that counts faster than the query.
 */
export function pageOf<Tables, Names extends keyof Tables, Row>(
  db: Queryable,
  query: SelectQueryBuilder<Tables, Names, Row>,
  { limit, offset }: Window,
  total = countOf(query),
): Promise<Page<Row>> {
  return pageWithTotal(db, query.limit(limit).offset(offset).select(total.as('total')), total, offset);
}

/**
 * The same for rows of several tables: `ids` has the filters and the order, and `detailsOf` reads the rows with the ids
 * of a page, in the same order. So neither counting nor sorting joins. A page that is not full is the last, so it gives
 * the total without counting.
 */
export function detailedPageOf<Tables, Names extends keyof Tables, Joined, From extends keyof Joined, Row>(
  db: Queryable,
  ids: SelectQueryBuilder<Tables, Names, { id: string }>,
  detailsOf: (
    page: SelectQueryBuilder<Tables, Names, { id: string }>,
  ) => SelectQueryBuilder<Joined, From, Row>,
  { limit, offset }: Window,
): Promise<Page<Row>> {
  const found = sql`count(*) over ()`;
  const total = countOf(ids);
  const onPage = detailsOf(ids.limit(limit).offset(offset));
  const known = sql<number>`case when ${found} < ${limit} then ${offset} + ${found} else ${total} end`;
  return pageWithTotal(db, onPage.select(known.as('total')), total, offset);
}

/** The rows of a page, each with the total, and the total, which an empty page does not have. */
async function pageWithTotal<Row>(
  db: Queryable,
  onPage: Compilable<unknown>,
  total: RawBuilder<number>,
  offset: number,
): Promise<Page<Row>> {
  const rows = await rowsOf(db, onPage as Compilable<Row & { total: number }>);
  if (rows.length > 0 || offset === 0) return { rows, total: rows[0]?.total ?? 0 };
  const counted = await firstOrThrow(db, tablesOf().selectNoFrom(total.as('total')));
  return { rows, total: counted.total };
}

/** The number of rows of a query, as an expression. */
export function countOf<Tables, Names extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Names, Row>,
): RawBuilder<number> {
  return sql<number>`(${query.clearSelect().clearOrderBy().select(countOfRows.as('total'))})`;
}

/** An instant as a value to compare with a timestamptz. */
export function instant(at: Instant): RawBuilder<Instant> {
  return sql<Instant>`${toUtcIso(at)}::timestamptz`;
}

/** Whether a text column, or one of several, contains the text, both folded as searches compare them. */
export function contains(column: string | readonly string[], part: string): RawBuilder<boolean> {
  const text =
    typeof column === 'string'
      ? sql.ref(column)
      : sql`concat_ws(' ', ${sql.join(column.map((one) => sql.ref(one)))})`;
  return sql<boolean>`strpos(search_fold(${text}), search_fold(${part})) > 0`;
}

/** Whether a column with a trigram index has one of the parts, as patterns, which that index supports. */
export function hasPart(column: string, parts: readonly string[]): RawBuilder<boolean> {
  const patterns = parts.map((part) => `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`);
  const each = patterns.map((pattern) => sql`${sql.ref(column)} ilike ${pattern}`);
  return sql<boolean>`(${sql.join(each, sql` or `)})`;
}

/**
 * Whether the query finds the id. It runs first, as a list: PostgreSQL then reads a row for each. As a join it could
 * run last, after all other joins (test/list-plans.test.ts).
 */
export function isAmong(column: string, ids: Expression<{ id: string }>): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} = any (array(${ids}))`;
}

/** Whether the id is in the list, which may be empty. */
export function isOneOf(column: string, ids: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} = any (${ids}::uuid[])`;
}

/** Counts rows; `.as(…)` names it. */
export const countOfRows = sql<number>`count(*)`;

/** A column of names by ICU's root collation, for every language (docs/decisions/list-and-as-of.md). */
export function nameOrder(column: string): RawBuilder<string> {
  return sql<string>`${sql.ref(column)} ${sql.raw(AS_PEOPLE_SORT)}`;
}

/** The orders of a list with their columns. Nullable ones are replaced by the value that null stands for. */
type Orders<Name extends string> = { readonly [Order in Name]: readonly (string | RawBuilder<unknown>)[] };

/** The query in the requested order, else in the default one; ties by `id`. */
export function sortedBy<Tables, Names extends keyof Tables, Row, Name extends string>(
  query: SelectQueryBuilder<Tables, Names, Row>,
  orders: Orders<Name>,
  { sortBy, sortOrder }: Sorting<Name>,
  usual: { by: NoInfer<Name>; order: SortOrder },
): SelectQueryBuilder<Tables, Names, Row> {
  const direction = (sortOrder ?? usual.order) === 'DESC' ? 'desc' : 'asc';
  const columns: readonly (string | RawBuilder<unknown>)[] = orders[sortBy ?? usual.by];
  let sorted = query;
  for (const column of [...columns, 'id'])
    sorted = sorted.orderBy(typeof column === 'string' ? sql.ref(column) : column, direction);
  return sorted;
}

/** The wanted values that differ from the row; null: none. */
export function changesTo<Wanted extends object>(
  row: { readonly [Name in keyof Wanted]-?: unknown },
  wanted: Wanted,
): Partial<Wanted> | null {
  const changed = Object.entries(wanted).filter(
    ([name, value]) => !isDeepStrictEqual(value, row[name as keyof Wanted]),
  );
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<Wanted>);
}

/** `rateLimitPerMinute` becomes `rate_limit_per_minute`. */
export type SnakeCase<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${SnakeCase<Rest>}`
  : Name;

export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The fields of a body by the names of their columns; optional ones may be missing. */
export type Columns<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : SnakeCase<Name & string>]: Fields[Name];
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? SnakeCase<Name & string> : never]?: Exclude<
    Fields[Name],
    undefined
  >;
};

/** The fields of a body by the names of their columns, without undefined ones. */
export function columnsOf<Fields extends object>(fields: Fields): Columns<Fields> {
  const columns: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    columns[snakeCase(name)] = value;
  }
  return columns as Columns<Fields>;
}
