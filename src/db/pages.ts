/**
 * After a column of names in `order by`: as people sort, in either language, whatever the database's own collation is
 * (docs/decisions/list-and-as-of.md).
 */
export const AS_PEOPLE_SORT = 'collate "und-x-icu"';

/** What statements have in common that list by optional filters. */

export type Page<T> = { rows: T[]; total: number };

export type Window = { limit: number; offset: number };

export type SortOrder = 'ASC' | 'DESC';

/** What a list is sorted by; without it the list has its usual order. */
export type Sorting<Name extends string> = { sortBy?: Name | undefined; sortOrder?: SortOrder | undefined };
