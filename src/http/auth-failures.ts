import { isIPv6 } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Instant } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import {
  type MemoryRateLimiter,
  memoryRateLimiter,
  type RateLimiter,
  WINDOW,
} from '../runtime/rate-limit.ts';
import { clientAddress } from './proxies.ts';

/** Failed authentications of one address in 60 seconds; the next is refused. */
const MAX_FAILURES = 100;
/** Addresses that are counted at once; beyond them the one counted longest is forgotten. */
const MAX_ADDRESSES = 10_000;

/** The windows of failures that a process keeps itself. */
export const localFailures = (): MemoryRateLimiter => memoryRateLimiter(MAX_ADDRESSES);

export type AuthFailures = {
  /** Counts a failure. Throws RATE_LIMIT_EXCEEDED for the address that has had too many. */
  count(request: FastifyRequest, reply: FastifyReply, now: Instant): Promise<void>;
};

/**
 * How often each address has failed to authenticate: as partner, operator, reader of metrics, gateway, or with the link
 * of a checkout. Only failures are counted and refused, so valid credentials from the same address go on working.
 */
export function createAuthFailures(
  limiter: Pick<RateLimiter, 'take'>,
  maxFailures = MAX_FAILURES,
): AuthFailures {
  return {
    async count(request, reply, now) {
      const network = networkOf(clientAddress(request));
      const { allowed, resetAfter } = await limiter.take(network, maxFailures, now);
      if (allowed) return;
      const retryAfter = Math.max(1, Math.ceil(resetAfter / 1000));
      reply.header('retry-after', retryAfter);
      throw new ApiError('RATE_LIMIT_EXCEEDED', 'Too many failed authentications from this address', {
        check: 'failed-authentications',
        limit: maxFailures,
        window: WINDOW / 1000,
        retryAfter,
      });
    },
  };
}

/** The address, of IPv6 its /64: one subscriber has all addresses of that. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  return ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString();
}
