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

/** Failed authentications of one address in a window; the next is refused. */
const MAX_FAILURES = 100;
/** Addresses with a window; beyond, the oldest window is dropped. */
const MAX_ADDRESSES = 10_000;

/** Windows of failures in this process. */
export const localFailures = (): MemoryRateLimiter => memoryRateLimiter(MAX_ADDRESSES);

export type AuthFailures = {
  /** Counts a failure. Throws RATE_LIMIT_EXCEEDED for an address over the limit. */
  count(request: FastifyRequest, reply: FastifyReply, now: Instant): Promise<void>;
};

/**
 * Limits failed authentications by address: of partners, operators, readers of metrics, gateways, and links of
 * checkouts. Only failures are counted and refused, so valid credentials from the same address still work.
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

/** The address; of IPv6 its /64, which belongs to one subscriber. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  return ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString();
}
