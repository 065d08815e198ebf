import { type CallOptions, type Route, request, save } from './calls.ts';
import { type Operations, ROUTES } from './contract.ts';

/** Calls of the operator API. */

export type Operation = keyof Operations;
export type Takes<Op extends Operation> = Operations[Op]['takes'];
export type Answer<Op extends Operation> = Operations[Op]['response'];

const routeOf = (operation: Operation): Route => ({ base: '/operator', ...ROUTES[operation] });

/** Resolves to the whole response of an operation. Throws as `request` does. */
export function call<Op extends Operation>(
  operation: Op,
  takes: Takes<Op>,
  options: CallOptions = {},
): Promise<Answer<Op>> {
  return request(routeOf(operation), takes, options);
}

/** Downloads a list as CSV. Throws as `save` does. */
export function download<Op extends Operation>(operation: Op, takes: Takes<Op>): Promise<void> {
  return save(routeOf(operation), takes);
}
