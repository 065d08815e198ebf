import { toRiyadhIso } from '../base/clock.ts';
import type { KeyName } from '../partners/key-queries.ts';
import type { LoggedExchange, LoggedRequest } from './rules.ts';

/** Keys by id, as they may be shown. */
export type KeyNames = ReadonlyMap<string, KeyName>;

/** A request as the portal and the operator see it; of its key what names it. */
export function requestView(request: LoggedRequest, keys: KeyNames) {
  const key = keys.get(request.keyId);
  return {
    ...request,
    at: toRiyadhIso(request.at),
    hints: [...request.hints],
    ignoredParameters: [...request.ignoredParameters],
    key: key === undefined ? null : `${key.prefix}…${key.last4}`,
  };
}

/** The same with the bodies that were kept (in a sandbox). */
export function exchangeView(exchange: LoggedExchange, keys: KeyNames) {
  return { ...requestView(exchange, keys), bodies: exchange.bodies };
}
