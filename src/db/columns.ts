import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { Column, Shape } from './statement.ts';

/**
 * The columns of a table as data, said once, beside their slice (`table.ts`): the row's type, lists of SELECT, INSERT and
 * UPDATE, the erasure and docs/privacy.md follow from them. CONTRIBUTING has an example.
 */

/**
 * PLACE: where a customer lives. TEXT: what somebody wrote about the visit. REFERENCE: an identifier in another system.
 * SEALED: encrypted. COPY: of what was asked or answered, without names, phones and coordinates unless docs/privacy.md
 * says so.
 */
export type PersonalKind = 'NAME' | 'PHONE' | 'PLACE' | 'TEXT' | 'REFERENCE' | 'SEALED' | 'COPY';

/**
 * Something of a customer. It ends with `erased`, the SQL of its value once she is erased; with its row or by a function of
 * the slice (`PersonalTable`); or it stays, and `kept` says why.
 */
export type Personal = { readonly holds: PersonalKind } & (
  | { readonly erased: string }
  | { readonly ends: 'with its row' | 'by the slice' | 'when it is finished' }
  | { readonly kept: string }
);

/** `made`: by the database, as a default or always. `in`: the lists that have the column. */
type Facts = {
  readonly made?: 'default' | 'always';
  readonly personal?: Personal;
  readonly in?: readonly string[];
};

/** The column with facts about it. */
export const col = <Of extends Column<unknown>, const These extends Facts>(
  column: Of,
  facts: These,
): Of & These => ({ ...column, ...facts });

/** A column with a default. */
export const made = <Of extends Column<unknown>>(column: Of) => col(column, { made: 'default' });

/** Something of a customer, which is null once she is erased. */
export const erased = <Of extends Column<unknown>>(column: Of, holds: PersonalKind) =>
  col(column, { personal: { holds, erased: 'null' } });

/** Something of a customer, which stays. `why`: the reason, for docs/privacy.md. */
export const kept = <Of extends Column<unknown>>(column: Of, holds: PersonalKind, why: string) =>
  col(column, { personal: { holds, kept: why } });

type Stored<Of> =
  Of extends Column<infer T, infer Type>
    ? Type extends 'timestamptz'
      ? ColumnType<T, string | Extract<T, null>, string | Extract<T, null>>
      : T
    : never;

type Kept<Of> = Of extends { made: 'default' }
  ? Generated<Stored<Of>>
  : Of extends { made: 'always' }
    ? GeneratedAlways<Stored<Of>>
    : Stored<Of>;

/** The table's type for Kysely (tables.ts). */
export type TableOf<Columns extends Shape> = { -readonly [Name in keyof Columns]: Kept<Columns[Name]> };

/** The columns that are in the list. */
export type Listed<Columns extends Shape, List extends string> = {
  [Name in keyof Columns as Columns[Name] extends { in: readonly (infer In)[] }
    ? List extends In
      ? Name
      : never
    : never]: Columns[Name];
};

/** The columns that are in the list, in their order. */
export const listed = <Columns extends Shape, const List extends string>(
  columns: Columns,
  list: List,
): Listed<Columns, List> =>
  Object.fromEntries(
    Object.entries(columns as Record<string, Facts>).filter(([, facts]) => facts.in?.includes(list)),
  ) as Listed<Columns, List>;

/** Filters of the columns. */
export const some = <Columns extends Shape, const Name extends keyof Columns & string>(
  columns: Columns,
  names: readonly Name[],
): Pick<Columns, Name> =>
  Object.fromEntries(names.map((name) => [name, columns[name]])) as Pick<Columns, Name>;

/** SQL: each name by `termOf`, joined by commas. */
export const each = (columns: Shape, termOf: (name: string) => string = (name) => name): string =>
  Object.keys(columns).map(termOf).join(', ');

/** The columns with something of customers. */
export const personalOf = <Columns extends Shape>(columns: Columns): [keyof Columns & string, Personal][] =>
  Object.entries(columns as Record<string, Facts>).flatMap(([name, { personal }]) =>
    personal === undefined ? [] : [[name, personal]],
  );
