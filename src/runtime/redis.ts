import { Redis } from 'ioredis';

/** Time-out of a command (milliseconds). */
const TIMEOUT = 250;
/** The pause after a failure before Redis is used again (milliseconds). */
export const REDIS_PAUSE = 1_000;

/** Whether the server refused the database of the URL. The client would continue with database 0. */
export const isDatabaseRefused = (error: Error & { command?: { name: string } }): boolean =>
  error.command?.name === 'select';

/**
 * A connection for requests: a command succeeds or fails soon, and none waits for Redis to come back. It is never ready
 * while the server lacks the database of the URL.
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
