import { type CallOptions, type Route, request, save } from './calls.ts';
import { type Operations, ROUTES } from './contract.ts';

/** Calls of the operator's interface. */

export type Operation = keyof Operations;
export type Takes<Op extends Operation> = Operations[Op]['takes'];
export type Answer<Op extends Operation> = Operations[Op]['response'];

const routeOf = (operation: Operation): Route => ({ base: '/operator', ...ROUTES[operation] });

/** The whole answer of an operation. Throws as `request` does. */
export function call<Op extends Operation>(
  operation: Op,
  takes: Takes<Op>,
  options: CallOptions = {},
): Promise<Answer<Op>> {
  return request(routeOf(operation), takes, options);
}

/** Saves a list as a file of CSV. Throws as `save` does. */
export function download<Op extends Operation>(operation: Op, takes: Takes<Op>): Promise<void> {
  return save(routeOf(operation), takes);
}
