import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import { ApiError, notFound } from '../errors.ts';
import type { trustedPeers } from '../platform/proxies.ts';
import type { RateLimiter, Verdict } from '../platform/rate-limit.ts';
import type { Access, AccessBook } from './access.ts';
import { checkDomain, detectDomain, isWellFormedKey, type Permission } from './rules.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The partner behind the request; set by the guard on every route under /v1. */
    caller: Access;
  }
  interface FastifyContextConfig {
    permission?: Permission;
  }
}

export type GuardDeps = {
  access: AccessBook;
  rateLimiter: RateLimiter;
  peers: ReturnType<typeof trustedPeers>;
  clock: Clock;
  sandboxDomainCheck: boolean;
};

/**
 * Section 5, in its exact order: key, IP allowlist, rate limit, domain, permission. An unknown route is
 * told only to those who pass. Answers from memory; asks the database once for each key it has not seen.
 * A refusal says in its details which check it was and what was seen of the request, and nothing of accounts.
 * Throws UNAUTHORIZED, FORBIDDEN, RATE_LIMIT_EXCEEDED, INVALID_PARTNER_DOMAIN, SANDBOX_DOMAIN_NOT_ALLOWED.
 */
export function createGuard({ access, rateLimiter, peers, clock, sandboxDomainCheck }: GuardDeps) {
  return async function guard(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const now = clock.now();

    const key = presentedKey(request);
    const found = key === null ? null : access.find(key, now);
    const caller = found instanceof Promise ? await found : found;
    if (caller === null) throw unauthorized(key);
    request.caller = caller;
    request.callerId = caller.partnerId;

    if (caller.addresses && !caller.addresses.includes(peers.clientAddress(request.raw))) {
      throw new ApiError('FORBIDDEN', 'This key may not be used from this address', {
        check: 'address',
        address: peers.clientAddress(request.raw),
      });
    }
    access.touch(caller.keyId, now);

    const limit = caller.rateLimitPerMinute;
    if (limit !== null) {
      const taken = rateLimiter.take(caller.keyId, limit, now);
      limitHeaders(reply, limit, taken instanceof Promise ? await taken : taken);
    }

    const detected = detectDomain(request.headers);
    const domain = checkDomain(detected, caller.allowedDomains, caller.sandboxDomains, sandboxDomainCheck);
    if (domain !== 'ok') {
      throw new ApiError(domain, 'Requests from this domain are not allowed', {
        check: 'domain',
        domain: detected?.host ?? null,
        source: detected?.source,
      });
    }

    if (request.is404) throw notFound('Route');
    const { permission } = request.routeOptions.config;
    if (permission === undefined || !caller.permissions.has(permission)) {
      throw new ApiError('FORBIDDEN', 'The API key lacks the permission this operation needs', {
        check: 'permission',
        permission: permission ?? null,
      });
    }
  };
}

/** The header, else the query parameter `api_key`. Anything but one string is no key. */
function presentedKey(request: FastifyRequest): string | null {
  const header = request.headers['x-api-key'];
  if (header !== undefined) return typeof header === 'string' ? header : null;
  const parameter = (request.query as { api_key?: unknown } | null)?.api_key;
  return typeof parameter === 'string' ? parameter : null;
}

/** Unknown, expired, revoked and suspended are one answer: whether a key ever existed is nobody's business. */
function unauthorized(key: string | null): ApiError {
  const reason = key === null || key === '' ? 'missing' : isWellFormedKey(key) ? 'not-valid' : 'malformed';
  return new ApiError('UNAUTHORIZED', 'The API key is missing or not valid', {
    check: 'key',
    reason,
    ...(reason === 'missing' && { hints: ['send the key in the header x-api-key'] }),
  });
}

function limitHeaders(reply: FastifyReply, limit: number, { allowed, remaining, resetAfter }: Verdict): void {
  const seconds = Math.max(1, Math.ceil(resetAfter / 1000));
  reply.header('ratelimit-limit', limit);
  reply.header('ratelimit-remaining', remaining);
  reply.header('ratelimit-reset', seconds);
  if (allowed) return;
  reply.header('retry-after', seconds);
  throw new ApiError('RATE_LIMIT_EXCEEDED', `The limit of ${limit} requests in 60 seconds is used up`, {
    check: 'rate-limit',
    limit,
    window: 60,
    retryAfter: seconds,
  });
}
