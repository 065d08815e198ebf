import { type CallOptions, type Route, request, save } from './calls.ts';
import { type Operations, ROUTES } from './contract.ts';
import { afterOwnChanges, noteOwnChange } from './own-changes.ts';
import { REFUSALS, TITLES } from './titles.ts';

/** Calls of the operator API. */

export type Operation = keyof Operations;
export type Takes<Op extends Operation> = Operations[Op]['takes'];
export type Answer<Op extends Operation> = Operations[Op]['response'];

const routeOf = (operation: Operation): Route => ({
  base: '/operator',
  title: TITLES[operation],
  refusals: REFUSALS[operation],
  ...ROUTES[operation],
});

/**
 * Resolves to the whole response of an operation. Throws as `request` does. `ifMatch` is the version that the user saw;
 * this tab's own changes of it do not count as a conflict.
 */
export async function call<Op extends Operation>(
  operation: Op,
  takes: Takes<Op>,
  options: CallOptions = {},
): Promise<Answer<Op>> {
  const { ifMatch } = options;
  const id = (takes as { id?: string }).id;
  if (ifMatch === undefined || id === undefined) return request(routeOf(operation), takes, options);
  const version = afterOwnChanges(id, ifMatch);
  const answer: Answer<Op> = await request(routeOf(operation), takes, { ...options, ifMatch: version });
  const { data } = answer as { data?: { id?: string; version?: number; isApplied?: boolean } };
  // A preview has the version that saving would make.
  if (data?.id === id && data.version !== undefined && data.isApplied !== false)
    noteOwnChange(id, version, data.version);
  return answer;
}

/** Downloads a list as CSV, or a response as the file `as`. Throws as `save` does. */
export function download<Op extends Operation>(
  operation: Op,
  takes: Takes<Op>,
  as?: { accept: string; name: string },
): Promise<void> {
  return save(routeOf(operation), takes, as);
}
