import { Redis } from 'ioredis';

/** How long a request waits for Redis (milliseconds). */
const TIMEOUT = 250;
/** How long a failing Redis is left alone (milliseconds). */
export const REDIS_PAUSE = 1_000;

/** Has the server refused the database that the URL names? The client would go on with database 0. */
export const isDatabaseRefused = (error: Error & { command?: { name: string } }): boolean =>
  error.command?.name === 'select';

/**
 * A connection for requests: a command is answered soon or fails, and none waits for Redis to come back. It is never ready
 * while the server lacks the database that the URL names.
 */
export function connectRedis(url: string): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: TIMEOUT,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  });
  redis.on('error', (error) => {
    if (isDatabaseRefused(error)) redis.disconnect(true);
  });
  return redis;
}
