import { parseOffsetDateTime } from '../base/clock.ts';
import { maskText } from '../runtime/masking.ts';
import type { RequestFilter } from './rules.ts';
import type { RequestsQuery } from './schema.ts';

const OUTCOMES = { success: 2, refused: 'refused', error: 5 } as const;

/** The filter that a query says. */
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
    // As it is kept.
    ...(exact.requestId !== undefined && { requestId: maskText(exact.requestId) }),
    ...(outcome !== undefined && { statusClass: OUTCOMES[outcome] }),
    ...(from !== undefined && { from: recordable(from) }),
    ...(to !== undefined && { to: recordable(to) }),
  };
}

/** The instant, brought into the years in which there can be requests. */
function recordable(text: string): number {
  return Math.min(Math.max(parseOffsetDateTime(text)!, Date.UTC(2000, 0, 1)), Date.UTC(2101, 0, 1));
}
