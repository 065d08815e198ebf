import { type CallOptions, type Route, request, save } from '../calls.ts';
import { type Operations, ROUTES } from './contract.ts';
import { TITLES } from './titles.ts';

/** Calls of the portal API. */

export type Operation = keyof Operations;
export type Takes<Op extends Operation> = Operations[Op]['takes'];
export type Answer<Op extends Operation> = Operations[Op]['response'];

const SIGN_IN = { UNAUTHORIZED: 'failure.signIn' } as const;

function routeOf(operation: Operation): Route {
  const refusals = operation === 'signIn' ? SIGN_IN : undefined;
  return { base: '/portal/api', title: TITLES[operation], refusals, ...ROUTES[operation] };
}

/** Resolves to the whole response of an operation. Throws as `request` does. */
export function call<Op extends Operation>(
  operation: Op,
  takes: Takes<Op>,
  options: CallOptions = {},
): Promise<Answer<Op>> {
  return request(routeOf(operation), takes, options);
}

/** Downloads a file of a statement, whatever its format. Throws as `save` does. */
export function downloadStatement(statementId: string, name: string): Promise<void> {
  const path = `/statements/{statementId}/${name}`;
  return save({ ...routeOf('downloadStatementInvoices'), path }, { statementId }, { accept: '*/*', name });
}

/** Downloads a response as the file `as`. Throws as `save` does. */
export function download<Op extends Operation>(
  operation: Op,
  takes: Takes<Op>,
  as: { accept: string; name: string },
): Promise<void> {
  return save(routeOf(operation), takes, as);
}
