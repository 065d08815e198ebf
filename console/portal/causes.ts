import type { LoggedRequest } from './contract.ts';
import { p } from './language.ts';
import { PORTAL_TEXTS } from './texts.ts';

/** Why a request was refused, and what to do, in words. */

type Refused = Pick<LoggedRequest, 'check' | 'reason' | 'code' | 'message' | 'details'>;

/** What tells of it best: the reason of a 401, else the check of the guard, else the code. */
function keysOf({ check, reason, code }: Refused): string[] {
  return [check === 'key' ? reason : null, check, code].filter((key) => key !== null);
}

function textOf(kind: 'cause' | 'todo', request: Refused): string | null {
  const key = keysOf(request)
    .map((one) => `${kind}.${one}`)
    .find((one) => one in PORTAL_TEXTS);
  if (key === undefined) return null;
  const details = (request.details ?? {}) as Record<string, string> & { allowedDomains?: string[] };
  const { address, domain, permission, limit, host, allowedDomains = [], resource } = details;
  const named = `resource.${resource}`;
  if (key === 'cause.RESOURCE_NOT_FOUND' && !(named in PORTAL_TEXTS)) return null;
  const gaps = {
    resource: named in PORTAL_TEXTS ? p(named as 'resource.booking') : '',
    host: host ?? '?',
    domains: allowedDomains.length === 0 ? '–' : allowedDomains.join(', '),
    address: address ?? '?',
    domain: domain ?? '?',
    permission: permission ?? '?',
    limit: limit ?? '?',
  };
  // Each text takes those of the gaps that it has.
  return p(key as 'cause.address', gaps);
}

/** Why; what the service has answered when there is nothing better, each fault of a request that is not valid. */
export const causeOf = (request: Refused): string =>
  textOf('cause', request) ?? faultsOf(request) ?? request.message ?? '';

function faultsOf({ code, details }: Refused): string | null {
  const { message } = (details ?? {}) as { message?: unknown };
  return code === 'VALIDATION_ERROR' && Array.isArray(message) ? message.join('; ') : null;
}

/** What to do; null: the guide of the code tells. */
export const remedyOf = (request: Refused): string | null => textOf('todo', request);
