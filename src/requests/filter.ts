import { type Instant, parseOffsetDateTime } from '../base/clock.ts';
import { maskText } from '../runtime/masking.ts';
import type { RequestsQuery } from './schema.ts';

/** As the query says it, but: */
export type RequestFilter = Omit<RequestsQuery, 'outcome' | 'from' | 'to' | 'before' | 'limit'> & {
  /** The first digit; `refused`: 400 and above. */
  statusClass?: 2 | 3 | 4 | 5 | 'refused';
  /** Inclusive. */
  from?: Instant;
  /** Exclusive. */
  to?: Instant;
};

const OUTCOMES = { success: 2, refused: 'refused', error: 5 } as const;

/** The filter of a query. */
export function filterOf({
  before: _,
  limit: __,
  outcome,
  from,
  to,
  ...exact
}: RequestsQuery): RequestFilter {
  return {
    ...exact,
    // As stored.
    ...(exact.requestId !== undefined && { requestId: maskText(exact.requestId) }),
    ...(outcome !== undefined && { statusClass: OUTCOMES[outcome] }),
    ...(from !== undefined && { from: recordable(from) }),
    ...(to !== undefined && { to: recordable(to) }),
  };
}

/** Clamps the instant to the years of requests. */
function recordable(text: string): number {
  return Math.min(Math.max(parseOffsetDateTime(text)!, Date.UTC(2000, 0, 1)), Date.UTC(2101, 0, 1));
}
