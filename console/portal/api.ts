import { type CallOptions, request } from '../calls.ts';
import { type Operations, ROUTES } from './contract.ts';
import { TITLES } from './titles.ts';

/** Calls of the portal API. */

export type Operation = keyof Operations;
export type Takes<Op extends Operation> = Operations[Op]['takes'];
export type Answer<Op extends Operation> = Operations[Op]['response'];

const SIGN_IN = { UNAUTHORIZED: 'failure.signIn' } as const;

/** Resolves to the whole response of an operation. Throws as `request` does. */
export function call<Op extends Operation>(
  operation: Op,
  takes: Takes<Op>,
  options: CallOptions = {},
): Promise<Answer<Op>> {
  const refusals = operation === 'signIn' ? SIGN_IN : undefined;
  const route = { base: '/portal/api', title: TITLES[operation], refusals, ...ROUTES[operation] };
  return request(route, takes, options);
}
