import type { Redis } from 'ioredis';
import {
  type MemoryRateLimiter,
  memoryRateLimiter,
  type RateLimiter,
  type Verdict,
  WINDOW,
} from './rate-limit.ts';
import { connectRedis, REDIS_PAUSE } from './redis.ts';

/**
 * The log is a list of timestamps, oldest first, by the clock of Redis, plus the sandbox's offset: the clocks of
 * processes may differ. One script, so that two processes never take the same place.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[3])
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local newest = redis.call('LINDEX', KEYS[1], -1)
if newest and tonumber(newest) > now + window then redis.call('DEL', KEYS[1]) end
local oldest = redis.call('LINDEX', KEYS[1], 0)
while oldest and tonumber(oldest) <= now - window do
  redis.call('LPOP', KEYS[1])
  oldest = redis.call('LINDEX', KEYS[1], 0)
end
local length = redis.call('LLEN', KEYS[1])
local allowed = 0
if length < limit then
  redis.call('RPUSH', KEYS[1], string.format('%d', now))
  redis.call('PEXPIRE', KEYS[1], window)
  length = length + 1
  allowed = 1
end
local blocker = redis.call('LINDEX', KEYS[1], math.max(0, length - limit)) or now
return { allowed, math.max(0, limit - length), blocker + window - now }
`;

type Scripted = Redis & {
  takePlace(key: string, limit: number, window: number, offset: number): Promise<[number, number, number]>;
};

export type SharedRateLimiter = RateLimiter & {
  /** Windows of another kind over the same connection; those of `local` while Redis is unavailable. */
  beside(kind: string, local: MemoryRateLimiter): Pick<RateLimiter, 'take'>;
};

/**
 * Windows shared between processes. While Redis is unavailable, requests are served with the windows of this process: a
 * partner could then use its limit once per process, which harms less than refusing everyone
 * (docs/decisions/api-keys.md). `offset` is business time minus real time (milliseconds).
 */
export function redisRateLimiter(
  url: string,
  offset: () => number,
  onChange: (state: 'shared' | 'local', cause?: Error) => void,
): SharedRateLimiter {
  const redis = connectRedis(url) as Scripted;
  redis.defineCommand('takePlace', { numberOfKeys: 1, lua: TAKE });

  let pausedUntil = 0;
  let state: 'shared' | 'local' = 'shared';
  let reached = false;
  redis.on('ready', () => {
    reached = true;
  });
  // Logged at the start, when there may be no request for long; later by the request that fails.
  redis.on('error', (error) => {
    if (!reached) enter('local', error);
  });

  function enter(next: typeof state, cause?: Error): void {
    if (state !== next) onChange(next, cause);
    state = next;
  }

  const windows = (kind: string, local: MemoryRateLimiter): Pick<RateLimiter, 'take'> => ({
    async take(key, limit, now): Promise<Verdict> {
      if (performance.now() >= pausedUntil) {
        try {
          const [allowed, remaining, resetAfter] = await redis.takePlace(
            `${kind}:${key}`,
            limit,
            WINDOW,
            offset(),
          );
          enter('shared');
          return { allowed: allowed === 1, remaining, resetAfter };
        } catch (error) {
          pausedUntil = performance.now() + REDIS_PAUSE;
          enter('local', error as Error);
        }
      }
      return local.take(key, limit, now);
    },
  });

  return {
    ...windows('rate', memoryRateLimiter()),
    beside: windows,
    async close() {
      redis.disconnect();
    },
  };
}
