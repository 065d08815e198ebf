/**
 * A collation after a column of names in `order by`: natural order in either language, whatever the database's
 * collation is (docs/decisions/list-and-as-of.md).
 */
export const AS_PEOPLE_SORT = 'collate "und-x-icu"';

/** Parts of statements that list by optional filters. */

export type Page<T> = { rows: T[]; total: number };

export type Window = { limit: number; offset: number };

export type SortOrder = 'ASC' | 'DESC';

/** The order of a list; absent: the default one. */
export type Sorting<Name extends string> = { sortBy?: Name | undefined; sortOrder?: SortOrder | undefined };
