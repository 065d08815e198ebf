import { toRiyadhIso } from '../base/clock.ts';
import { viewBy } from '../http/fields.ts';
import type { KeyName } from '../partners/key-queries.ts';
import type { FailureGroup } from './queries.ts';
import type { Bodies, LoggedRequest } from './rules.ts';
import { LoggedRequestView } from './schema.ts';

/**
 * The log as the operator and, in the portal, the partner itself read it: with the fields of the schema, so that a new one
 * is shown to neither by itself. One for the operator alone goes into a view of its own.
 */

/** Names of keys by id. */
export type KeyNames = ReadonlyMap<string, KeyName>;

/** A request; of its key only the name. */
export function requestView(request: LoggedRequest, keys: KeyNames) {
  const key = keys.get(request.keyId);
  const masked = key === undefined ? null : `${key.prefix}…${key.last4}`;
  const hints = [...request.hints];
  const ignoredParameters = [...request.ignoredParameters];
  const shown = { ...request, at: toRiyadhIso(request.at), key: masked, hints, ignoredParameters };
  return viewBy(LoggedRequestView, {}, shown);
}

/** The kept bodies; null: there are none, or they may not be shown. */
export function bodiesView(bodies: Bodies | null) {
  if (bodies === null) return null;
  const { request, response, requestCut, responseCut } = bodies;
  return { request, response, requestCut, responseCut };
}

/** Refused requests with the same code and route. */
export function errorGroupView(group: FailureGroup) {
  const { code, status, method, route, count, lastAt, lastId } = group;
  return { code, status, method, route, count, lastAt: toRiyadhIso(lastAt), lastId };
}
