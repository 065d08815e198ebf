import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock, Instant } from '../base/clock.ts';
import { ApiError, notFound } from '../base/errors.ts';
import type { AuthFailures } from '../http/auth-failures.ts';
import type { IsOwnOrigin } from '../http/origins.ts';
import { clientAddress } from '../http/proxies.ts';
import type { RateLimiter, Verdict } from '../runtime/rate-limit.ts';
import type { Access, KeyCache } from './access.ts';
import { checkDomain, detectDomain } from './domain-rules.ts';
import { isWellFormedKey, type Permission } from './key-rules.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The partner behind the request; set by the guard on every route under /v1. */
    caller: Access;
    /** The partner of a request; set on every route under /v1, and under /portal/api after its session is found. */
    account: Pick<Access, 'partnerId' | 'trackingPage'>;
  }
  interface FastifyContextConfig {
    permission?: Permission;
    /** An additional permission for an option of the request; null: none. */
    additionalPermission?(request: FastifyRequest): Permission | null;
  }
}

export type GuardDeps = {
  keys: KeyCache;
  rateLimiter: RateLimiter;
  failures: AuthFailures;
  clock: Clock;
  sandboxDomainCheck: boolean;
  isOwnOrigin: IsOwnOrigin;
};

function notPermitted(permission: Permission | null = null): ApiError {
  const details = { check: 'permission', permission };
  return new ApiError('FORBIDDEN', 'The API key lacks the permission this operation needs', details);
}

/**
 * Section 5, in its exact order: key, IP allowlist, rate limit, domain, permission. An unknown route is only visible to
 * authenticated callers. Works from a cache; queries the database once for each unknown key. The details of an error
 * have the failed check and data of the request, nothing of accounts. Throws UNAUTHORIZED, FORBIDDEN,
 * RATE_LIMIT_EXCEEDED, INVALID_PARTNER_DOMAIN, SANDBOX_DOMAIN_NOT_ALLOWED.
 */
export function createGuard({
  keys,
  rateLimiter,
  failures,
  clock,
  sandboxDomainCheck,
  isOwnOrigin,
}: GuardDeps) {
  /** The checks after the key; a promise when the rate limit is in Redis. */
  function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Access,
    now: Instant,
  ): Promise<void> | undefined {
    request.caller = caller;
    request.account = caller;
    request.callerId = caller.partnerId;
    request.authenticated = true;

    if (caller.addresses && !caller.addresses.includes(clientAddress(request))) {
      throw new ApiError('FORBIDDEN', 'This key may not be used from this address', {
        check: 'address',
        address: clientAddress(request),
      });
    }
    keys.touch(caller.keyId, now);

    const limit = caller.rateLimitPerMinute;
    if (limit !== null) {
      const taken = rateLimiter.take(caller.keyId, limit, now);
      if (taken instanceof Promise) {
        return taken.then((verdict) => {
          limitHeaders(reply, limit, verdict);
          assertPermitted(request, caller);
        });
      }
      limitHeaders(reply, limit, taken);
    }
    assertPermitted(request, caller);
    return undefined;
  }

  function assertPermitted(request: FastifyRequest, caller: Access): void {
    const detected = detectDomain(request.headers, (address) =>
      isOwnOrigin(address, request.raw.socket.localPort),
    );
    const domain = checkDomain(detected, caller.allowedDomains, caller.sandboxDomains, sandboxDomainCheck);
    if (domain !== 'ok') {
      throw new ApiError(domain, 'Requests from this domain are not allowed', {
        check: 'domain',
        domain: detected?.host ?? null,
        source: detected?.source,
      });
    }

    if (request.is404) throw notFound('Route');
    const { permission, additionalPermission } = request.routeConfig;
    if (permission === undefined || !caller.permissions.has(permission)) throw notPermitted(permission);
    const beside = additionalPermission?.(request) ?? null;
    if (beside !== null && !caller.permissions.has(beside)) throw notPermitted(beside);
  }

  async function refuse(request: FastifyRequest, reply: FastifyReply, now: Instant) {
    await failures.count(request, reply, now);
    throw unauthorized(presentedKey(request));
  }

  async function admitFound(
    request: FastifyRequest,
    reply: FastifyReply,
    found: Promise<Access | null>,
    now: Instant,
  ): Promise<void> {
    const caller = await found;
    if (caller === null) await refuse(request, reply, now);
    else await admit(request, reply, caller, now);
  }

  /** Synchronous when everything is cached, as for all but the first request of a key. */
  return function guard(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const now = clock.now();
    let waited: Promise<void> | undefined;
    try {
      const key = presentedKey(request);
      const found = key === null ? null : keys.find(key, now);
      if (key === null || found === null) waited = refuse(request, reply, now);
      else if (found instanceof Promise) waited = admitFound(request, reply, found, now);
      else waited = admit(request, reply, found, now);
    } catch (error) {
      done(error as Error);
      return;
    }
    if (waited === undefined) done();
    else waited.then(() => done(), done);
  };
}

/** The header, else the query parameter `api_key`; null unless it is exactly one string. */
export function presentedKey(request: FastifyRequest): string | null {
  const header = request.headers['x-api-key'];
  if (header !== undefined) return typeof header === 'string' ? header : null;
  const parameter = (request.query as { api_key?: unknown } | null)?.api_key;
  return typeof parameter === 'string' ? parameter : null;
}

/** Unknown, expired, revoked and suspended get one response: whether a key ever existed is not disclosed. */
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
