import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock, Instant } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { AuthFailures } from './auth-failures.ts';
import { bearerToken } from './bearer.ts';
import type { App } from './edge.ts';

/** What `partner-booking watch` says that it is. */
export const WATCHER = 'partner-booking-watch';

/** When the watcher has read the figures of this process last; null: never. */
export type Watched = { at: Instant | null };

/** `token` null: anybody may read them. */
type MetricsGuard = { token: string | null; failures: AuthFailures; clock: Clock; watched: Watched };

/**
 * `/metrics` for Prometheus, outside `/v1`, without a key. With a token only for callers that send it as bearer token;
 * app.ts chooses the listener. Throws UNAUTHORIZED, RATE_LIMIT_EXCEEDED.
 */
export function metricsRoute(
  app: App,
  { text, contentType }: Pick<Metrics, 'text' | 'contentType'>,
  { token: expected, failures, clock, watched }: MetricsGuard,
): void {
  const wanted = expected === null ? null : digest(expected);
  app.get('/metrics', async (request, reply) => {
    if (wanted !== null) {
      const token = bearerToken(request);
      // Digests have equal length, so the time of the comparison reveals nothing.
      if (token === null || !timingSafeEqual(digest(token), wanted)) {
        await failures.count(request, reply, clock.now());
        throw new ApiError('UNAUTHORIZED', 'The metrics token is missing or not valid', {
          check: 'token',
          reason: token === null ? 'missing' : 'not-valid',
          ...(token === null && {
            hints: ['send METRICS_TOKEN in the header Authorization: Bearer <token>'],
          }),
        });
      }
    }
    if (request.headers['user-agent'] === WATCHER) watched.at = clock.now();
    return reply
      .type(contentType)
      .serializer((body: string) => body)
      .send(await text());
  });
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
