import type { Topic } from '../changes.ts';
import { type Query, useLoad } from '../query.ts';
import { type Answer, call, type Operation, type Takes } from './api.ts';

/**
 * Loads an operation's response, again when its arguments or one of the topics change. null for `takes`: nothing to
 * load.
 */
export function useQuery<Op extends Operation>(
  operation: Op,
  takes: Takes<Op> | null,
  topics: readonly Topic[] = [],
): Query<Answer<Op>> {
  return useLoad(
    takes === null ? null : `${operation} ${JSON.stringify(takes)}`,
    (signal) => call(operation, takes!, { signal }),
    topics,
  );
}
