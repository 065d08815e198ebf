import { Redis } from 'ioredis';

/** How long a request waits for Redis (milliseconds). */
const TIMEOUT = 250;
/** How long a failing Redis is left alone (milliseconds). */
export const REDIS_PAUSE = 1_000;

/** A connection for requests: a command is answered soon or fails, and none waits for Redis to come back. */
export function connectRedis(url: string): Redis {
  return new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: TIMEOUT,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  });
}
