import { type Instant, toUtcIso } from '../base/clock.ts';
import type { Queryable } from './connection.ts';

/**
 * Hot statements are plain SQL with a name. Each declares its parameters and columns as data, from which the TypeScript
 * types follow; test/statements.test.ts prepares every one and compares these with PostgreSQL's description.
 */

declare const shape: unique symbol;
/** A type of PostgreSQL (`uuid`, `timestamptz`, `_text` for text[]) and the TypeScript type of its values. */
export type Column<T, Type extends string = string> = { readonly type: Type; readonly [shape]?: T };

const column = <T>(type: string): Column<T> => ({ type });

/** Types of parameters and columns: `pg.uuid`, `pg.nullable(pg.text)`. */
export const pg = {
  /** Any type of PostgreSQL, with the TypeScript type T. */
  column,
  uuid: column<string>('uuid'),
  text: column<string>('text'),
  int: column<number>('int4'),
  bigint: column<number>('int8'),
  float: column<number>('float8'),
  boolean: column<boolean>('bool'),
  /** An exact decimal, as text. */
  numeric: column<string>('numeric'),
  /** An instant in both directions. */
  timestamptz: { type: 'timestamptz' } as Column<Instant, 'timestamptz'>,
  date: column<string>('date'),
  bytea: column<Buffer>('bytea'),
  texts: column<string[]>('_text'),
  uuids: column<string[]>('_uuid'),
  ints: column<number[]>('_int4'),
  xid8: column<string>('xid8'),
  timestamps: column<Instant[]>('_timestamptz'),
  dates: column<string[]>('_date'),
  numerics: column<string[]>('_numeric'),
  /** Values that the program knows better than PostgreSQL does: `typed<Permission[]>(texts)`. */
  typed: <T>({ type }: Column<unknown>): Column<T> => column<T>(type),
  json: <T>(): Column<T> => column<T>('json'),
  jsonb: <T>(): Column<T> => column<T>('jsonb'),
  /** The same, or null. */
  nullable: <T, Type extends string>({ type }: Column<T, Type>): Column<T | null, Type> => ({
    type,
  }),
};

export type Shape = Readonly<Record<string, Column<unknown>>>;
/** A row with these columns. */
export type RowOf<Columns extends Shape> = {
  -readonly [Name in keyof Columns]: Columns[Name] extends Column<infer T> ? T : never;
};
/** The row type of a hot statement: `type AccessRow = Row<typeof FIND_ACCESS>`. */
export type Row<S> = S extends HotStatement<Shape, infer Returns> ? RowOf<Returns> : never;

export type HotStatement<Takes extends Shape, Returns extends Shape> = {
  readonly name: string;
  readonly text: string;
  /** It writes an event outside a transaction (connection.ts). */
  readonly writesEvent?: boolean;
  /** The parameter that identifies the row it may wait for (Statement.key). */
  readonly waitsFor?: string;
  readonly takes: Takes;
  readonly returns: Returns;
};

/**
 * A named statement. Its text has parameters by name (`:partnerId`), so that two of one type cannot be swapped. Throws
 * when the text has an undeclared one, or leaves one out.
 */
export function hotStatement<const Takes extends Shape, const Returns extends Shape>(definition: {
  name: string;
  takes: Takes;
  returns: Returns;
  text: string;
  writesEvent?: boolean;
  waitsFor?: string;
}): HotStatement<Takes, Returns> {
  const names = Object.keys(definition.takes);
  const used = new Set<string>();
  const numbered = definition.text.replace(/(?<![:\w]):([a-z]\w*)/gi, (_, name: string) => {
    const index = names.indexOf(name);
    if (index < 0) throw new Error(`${definition.name}: parameter ${name} is not declared`);
    used.add(name);
    return `$${index + 1}`;
  });
  for (const name of names) {
    if (!used.has(name)) throw new Error(`${definition.name}: parameter ${name} is not used`);
  }
  const { waitsFor } = definition;
  if (waitsFor !== undefined && !names.includes(waitsFor))
    throw new Error(`${definition.name}: parameter ${waitsFor} is not declared`);
  return { ...definition, text: numbered };
}

type ListOf<Columns extends Shape> = {
  -readonly [Name in keyof Columns]: Columns[Name] extends Column<infer T> ? Column<T[]> : never;
};

/**
 * Rows as parameters of a hot statement: an array for each column, by the column's name. `takes` are its parameters,
 * `as(alias)` the rows for a `from`, with their place from 1, and `valuesOf` the values. JSON is given as values.
 */
export function rowList<const Columns extends Shape>(columns: Columns) {
  const all = Object.entries(columns);
  const names = all.map(([name]) => name);
  // Parameters are selected: otherwise PostgreSQL would plan again for each list.
  const arrays = all.map(([name, { type }]) => `(select :${name}::${type}[])`).join(', ');
  return {
    takes: Object.fromEntries(all.map(([name, { type }]) => [name, column(`_${type}`)])) as ListOf<Columns>,
    as: (alias: string): string =>
      `unnest(${arrays}) with ordinality as ${alias} (${[...names, 'place'].join(', ')})`,
    valuesOf: (listed: readonly RowOf<Columns>[]): RowOf<ListOf<Columns>> =>
      Object.fromEntries(
        all.map(([name, { type }]) => [
          name,
          listed.map((row) => {
            const value = row[name];
            return type === 'jsonb' && value !== null ? JSON.stringify(value) : value;
          }),
        ]),
      ) as RowOf<ListOf<Columns>>,
  };
}

/** A timestamp is passed as text: PostgreSQL would read a number as a year. */
function toParameter(type: string, value: unknown): unknown {
  if (type === 'timestamptz' && typeof value === 'number') return toUtcIso(value);
  if (type === '_timestamptz' && Array.isArray(value))
    return value.map((at) => toParameter('timestamptz', at));
  return value;
}

/** A statement with its values, for connection.ts. */
export type Bound = { name: string; text: string; values: unknown[]; writesEvent: boolean; key?: string };

/**
 * Binds the values in the order of the statement's parameters: instants as text, and the key of the row it may wait
 * for. Values are not checked: `rows` and `first` do so by type.
 */
function bind(statement: HotStatement<Shape, Shape>, values: Readonly<Record<string, unknown>>): Bound {
  const { name, text, takes, writesEvent = false, waitsFor } = statement;
  return {
    name,
    writesEvent,
    ...(waitsFor !== undefined && { key: values[waitsFor] as string }),
    text,
    values: Object.entries(takes).map(([parameter, { type }]) => toParameter(type, values[parameter])),
  };
}

/** Runs a hot statement and returns its rows. `commits`: the last one of its transaction (Statement.commits). */
export function rows<Takes extends Shape, Returns extends Shape>(
  db: Queryable,
  statement: HotStatement<Takes, Returns>,
  values: RowOf<Takes>,
  { commits = false }: { commits?: boolean } = {},
): Promise<RowOf<Returns>[]> {
  const bound = bind(statement, values);
  return db.rows<RowOf<Returns>>(commits ? { ...bound, commits } : bound);
}

/** Runs a hot statement and returns its first row, or null. */
export function first<Takes extends Shape, Returns extends Shape>(
  db: Queryable,
  statement: HotStatement<Takes, Returns>,
  values: RowOf<Takes>,
): Promise<RowOf<Returns> | null> {
  return db.first<RowOf<Returns>>(bind(statement, values));
}
