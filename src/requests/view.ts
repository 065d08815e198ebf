import { toRiyadhIso } from '../base/clock.ts';
import type { KeyName } from '../partners/key-queries.ts';
import type { FailureGroup } from './queries.ts';
import type { Bodies, LoggedRequest } from './rules.ts';

/**
 * The log as the operator and, in the portal, the partner itself read it: fields are listed, so that a new one is shown
 * to neither by itself. One for the operator alone goes into a view of its own.
 */

/** Names of keys by id. */
export type KeyNames = ReadonlyMap<string, KeyName>;

/** A request; of its key only the name. */
export function requestView(request: LoggedRequest, keys: KeyNames) {
  const key = keys.get(request.keyId);
  return {
    id: request.id,
    at: toRiyadhIso(request.at),
    requestId: request.requestId,
    partnerId: request.partnerId,
    keyId: request.keyId,
    key: key === undefined ? null : `${key.prefix}…${key.last4}`,
    method: request.method,
    route: request.route,
    path: request.path,
    status: request.status,
    code: request.code,
    message: request.message,
    check: request.check,
    reason: request.reason,
    hints: [...request.hints],
    ignoredParameters: [...request.ignoredParameters],
    details: request.details,
    durationMs: request.durationMs,
    bookingId: request.bookingId,
    userAgent: request.userAgent,
  };
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
