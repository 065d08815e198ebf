import type { Clock } from '../base/clock.ts';
import { localFailures } from '../http/auth-failures.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { memoryRateLimiter, type RateLimiter } from '../runtime/rate-limit.ts';
import type { Config } from './config.ts';

/** The limiters of keys, and of failed authentications. */
export async function openRateLimiters(
  config: Config,
  clock: Clock,
  logger: Logger,
  metrics: Metrics,
): Promise<{ rateLimiter: RateLimiter; failures: Pick<RateLimiter, 'take'> }> {
  if (config.redisUrl === null) return { rateLimiter: memoryRateLimiter(), failures: localFailures() };
  const { redisRateLimiter } = await import('../runtime/redis-rate-limit.ts');
  let isShared = true;
  metrics.gauge('redis_up', 'Whether Redis answered last', 'used_for', async () => ({
    rate_limits: isShared ? 1 : 0,
  }));
  const rateLimiter = redisRateLimiter(config.redisUrl, clock.offset, (state, cause) => {
    isShared = state === 'shared';
    if (state === 'local')
      logger.warn({ err: cause }, 'Redis does not answer: each process counts rate limits on its own');
    else logger.info('Redis answers again: rate limits are shared');
  });
  return { rateLimiter, failures: rateLimiter.beside('failures', localFailures()) };
}
