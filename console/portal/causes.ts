import type { LoggedRequest } from './contract.ts';
import { p } from './language.ts';
import { PORTAL_TEXTS } from './texts.ts';

/** Texts of why a request was refused, and what to do. */

type Refused = Pick<LoggedRequest, 'check' | 'reason' | 'code' | 'message' | 'details'>;

/** From specific to general: the reason of a 401, the check of the guard, the code. */
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
  const placeholders = {
    resource: named in PORTAL_TEXTS ? p(named as 'resource.booking') : '',
    host: host ?? '?',
    domains: allowedDomains.length === 0 ? '–' : allowedDomains.join(', '),
    address: address ?? '?',
    domain: domain ?? '?',
    permission: permission ?? '?',
    limit: limit ?? '?',
  };
  // Placeholders that a text lacks are ignored.
  return p(key as 'cause.address', placeholders);
}

/** The cause; without a text for it the service's messages. */
export const causeOf = (request: Refused): string =>
  textOf('cause', request) ?? faultsOf(request) ?? request.message ?? '';

function faultsOf({ code, details }: Refused): string | null {
  const { message } = (details ?? {}) as { message?: unknown };
  return code === 'VALIDATION_ERROR' && Array.isArray(message) ? message.join('; ') : null;
}

/** The remedy; null: see the guide of the code. */
export const remedyOf = (request: Refused): string | null => textOf('todo', request);
