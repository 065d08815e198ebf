import { toRiyadhIso } from '../base/clock.ts';
import type { KeyName } from '../partners/key-queries.ts';
import type { LoggedExchange, LoggedRequest } from './rules.ts';

/** Names of keys by id. */
export type KeyNames = ReadonlyMap<string, KeyName>;

/** A request in the portal and the operator API; of its key only the name. */
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

/** The same with the stored bodies (in a sandbox). */
export function exchangeView(exchange: LoggedExchange, keys: KeyNames) {
  return { ...requestView(exchange, keys), bodies: exchange.bodies };
}
