import type { Page } from '../db/pages.ts';
/** The response envelope of section 2. */
export type Success<T> = { success: true; data: T };
export type PageQueryValues = { page?: number; limit?: number };

/** The envelope of section 2. */
export function success<T>(data: T): Success<T> {
  return { success: true, data };
}

export const DEFAULT_LIMIT = 20;

/** The same, with the reason why the data is empty in `meta`; null: without `meta`. */
export function successBecause<T, Reason extends string>(
  data: T,
  reason: Reason | null,
): Success<T> & { meta?: { reason: Reason } } {
  return reason === null ? success(data) : { ...success(data), meta: { reason } };
}

/** `page` and `limit` with their defaults, and the rows to skip. */
export function paging(query: PageQueryValues): { page: number; limit: number; offset: number } {
  const page = query.page ?? 1;
  const limit = query.limit ?? DEFAULT_LIMIT;
  return { page, limit, offset: (page - 1) * limit };
}

/** A page of a list with its `meta`. */
export function successPage<Row>(query: PageQueryValues, { rows, total }: Page<Row>) {
  const { page, limit } = paging(query);
  return {
    success: true as const,
    data: rows,
    meta: { page, limit, total, totalPages: Math.ceil(total / limit) },
  };
}

/** The page with the views of its rows. */
export function pageOf<Row, View>({ rows, total }: Page<Row>, view: (row: Row) => View): Page<View> {
  return { rows: rows.map(view), total };
}

/** The answer of a removal. */
export function removed({ id }: { id: string }): { id: string; removed: true } {
  return { id, removed: true };
}
