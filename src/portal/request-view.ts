import { toRiyadhIso } from '../base/clock.ts';
import type { KeyName } from '../partners/key-queries.ts';
import type { FailureGroup } from '../requests/queries.ts';
import type { Bodies, LoggedRequest } from '../requests/rules.ts';

/** Views of requests, apart from the operator's: fields that are added there do not appear here. */

/** A request with the name of its key. */
export function portalRequestView(request: LoggedRequest, keys: ReadonlyMap<string, KeyName>) {
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
export function portalBodiesView(bodies: Bodies | null) {
  if (bodies === null) return null;
  const { request, response, requestCut, responseCut } = bodies;
  return { request, response, requestCut, responseCut };
}

export function errorGroupView(group: FailureGroup) {
  const { code, status, method, route, count, lastAt, lastId } = group;
  return { code, status, method, route, count, lastAt: toRiyadhIso(lastAt), lastId };
}
