import { type CallOptions, request } from '../calls.ts';
import { type Operations, ROUTES } from './contract.ts';

/** Calls of the portal API. */

export type Operation = keyof Operations;
export type Takes<Op extends Operation> = Operations[Op]['takes'];
export type Answer<Op extends Operation> = Operations[Op]['response'];

/** Resolves to the whole response of an operation. Throws as `request` does. */
export function call<Op extends Operation>(
  operation: Op,
  takes: Takes<Op>,
  options: CallOptions = {},
): Promise<Answer<Op>> {
  return request({ operation, base: '/portal/api', ...ROUTES[operation] }, takes, options);
}
