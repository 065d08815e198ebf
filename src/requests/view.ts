import { toRiyadhIso } from '../clock.ts';
import type { KeyName } from '../partners/queries.ts';
import type { LoggedExchange, LoggedRequest } from './rules.ts';

/** Keys by id, as they may be shown. */
export type KeyNames = ReadonlyMap<string, KeyName>;

export function requestView(request: LoggedRequest, keys: KeyNames) {
  const key = keys.get(request.keyId);
  return {
    ...request,
    at: toRiyadhIso(request.at),
    hints: [...request.hints],
    key: key === undefined ? null : `${key.prefix}…${key.last4}`,
  };
}

export function exchangeView(exchange: LoggedExchange, keys: KeyNames) {
  return { ...requestView(exchange, keys), bodies: exchange.bodies };
}
