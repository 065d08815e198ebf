import Type, { type Static, type TOptional, type TSchema } from 'typebox';
import type { Column, Shape } from '../db/statement.ts';

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
