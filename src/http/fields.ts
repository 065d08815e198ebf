import Type, { type Static, type TObject, type TOptional, type TSchema } from 'typebox';
import { type Instant, toRiyadhIso } from '../base/clock.ts';
import type { Column, Shape } from '../db/statement.ts';
import { type SnakeCase, snakeCase } from '../db/tables.ts';

/**
 * Fields that are stored and shown as they are, said once, at their column: bodies, responses and what is read for them
 * follow. The name on the wire is the column's, in camel case.
 */

/** `given`: its form in bodies; `shown`: in responses, to these readers. */
export type Field = { readonly given?: TSchema; readonly shown?: TSchema; readonly to?: readonly string[] };

/** The column with its field. */
export const withField = <Of extends Column<unknown>, const These extends Field>(
  column: Of,
  field: These,
): Of & { field: These } => ({ ...column, field });

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;
const camel = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

type IsGiven<Of> = Of extends { field: { given: infer S extends TSchema } } ? S : never;
type IsShown<Of, Reader extends string> = Of extends {
  field: { shown: infer S extends TSchema; to: readonly (infer To)[] };
}
  ? Reader extends To
    ? S
    : never
  : never;
type NameOf<Name, Schema> = [Schema] extends [never] ? never : Camel<Name & string>;

/** The fields in bodies: all may be left out. */
export type Given<Columns extends Shape> = {
  [Name in keyof Columns as NameOf<Name, IsGiven<Columns[Name]>>]?: Static<IsGiven<Columns[Name]>>;
};

const fieldsIn = (columns: Shape): [string, string, Field][] =>
  Object.entries(columns as Record<string, { field?: Field }>).flatMap(([name, { field }]) =>
    field === undefined ? [] : [[name, camel(name), field]],
  );
const fieldsFor = (columns: Shape, reader: string) =>
  fieldsIn(columns).filter(([, , { to }]) => to?.includes(reader));

/** Schemas of the fields in bodies. */
export const givenFields = <Columns extends Shape>(columns: Columns) =>
  Object.fromEntries(
    fieldsIn(columns).flatMap(([, wire, { given }]) =>
      given === undefined ? [] : [[wire, Type.Optional(given)]],
    ),
  ) as {
    [Name in keyof Columns as NameOf<Name, IsGiven<Columns[Name]>>]: TOptional<IsGiven<Columns[Name]>>;
  };

/** The columns as a body gives them; else as they were, and null in a new row. */
export const columnsGiven = <Columns extends Shape>(
  columns: Columns,
  input: Given<Columns>,
  before: { readonly [Name in keyof Columns]?: unknown } = {},
) =>
  Object.fromEntries(
    fieldsIn(columns).flatMap(([name, wire, { given }]) =>
      given === undefined ? [] : [[name, input[wire as keyof typeof input] ?? before[name] ?? null]],
    ),
  ) as {
    [Name in keyof Columns as [IsGiven<Columns[Name]>] extends [never]
      ? never
      : Name]: Columns[Name] extends Column<infer T> ? T : never;
  };

/** Schemas of the fields in responses to the reader. */
export const shownFields = <Columns extends Shape, const Reader extends string>(
  columns: Columns,
  reader: Reader,
) =>
  Object.fromEntries(fieldsFor(columns, reader).map(([, wire, { shown }]) => [wire, shown])) as {
    [Name in keyof Columns as NameOf<Name, IsShown<Columns[Name], Reader>>]: IsShown<Columns[Name], Reader>;
  };

/** The columns that are read for the reader. */
export const columnsShown = <Columns extends Shape, const Reader extends string>(
  columns: Columns,
  reader: Reader,
) =>
  fieldsFor(columns, reader).map(([name]) => name) as {
    [Name in keyof Columns]: [IsShown<Columns[Name], Reader>] extends [never] ? never : Name & string;
  }[keyof Columns][];

/** The same fields where the reader is not to see them: null. */
export const fieldsHidden = <Columns extends Shape, const Reader extends string>(
  columns: Columns,
  reader: Reader,
) =>
  Object.fromEntries(fieldsFor(columns, reader).map(([, wire]) => [wire, null])) as {
    [Name in keyof Columns as NameOf<Name, IsShown<Columns[Name], Reader>>]: null;
  };

/** The fields of the row in a response to the reader. */
export const fieldsShown = <Columns extends Shape, const Reader extends string>(
  columns: Columns,
  reader: Reader,
  row: { readonly [Name in ReturnType<typeof columnsShown<Columns, Reader>>[number]]: unknown },
) =>
  Object.fromEntries(
    fieldsFor(columns, reader).map(([name, wire]) => [wire, row[name as keyof typeof row]]),
  ) as {
    [Name in keyof Columns as NameOf<Name, IsShown<Columns[Name], Reader>>]: Columns[Name] extends Column<
      infer T
    >
      ? T
      : never;
  };

/** The stored form of a shown value: of an instant a number, of a decimal text. */
type Unshown<Value> =
  | Value
  | (Extract<Value, string> extends never ? never : Instant)
  | (Extract<Value, number> extends never ? never : string);

type ColumnsFor<Fields> = {
  readonly [Name in keyof Fields as SnakeCase<Name & string>]: Unshown<Fields[Name]>;
};

/**
 * The row by the fields of a response: each is the column of its name, an instant as text, a decimal as a number. `given`
 * has the fields that are no columns, or other than them.
 */
export function viewBy<Response extends TObject, Given extends Partial<Static<Response>> = object>(
  { properties }: Response,
  row: ColumnsFor<Omit<Static<Response>, keyof Given>>,
  given: Given = {} as Given,
): Static<Response> {
  const fields = Object.entries(properties as Record<string, { type?: unknown; format?: string }>);
  const view = fields.map(([name, { type, format }]) => {
    if (name in given) return [name, given[name as keyof Given]];
    const value: unknown = row[snakeCase(name) as keyof typeof row];
    if (typeof value === 'number' && format === 'date-time') return [name, toRiyadhIso(value)];
    const isDecimal = typeof value === 'string' && [type].flat().includes('number');
    return [name, isDecimal ? Number(value) : value];
  });
  return Object.fromEntries(view) as Static<Response>;
}
