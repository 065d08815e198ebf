import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import type { Db } from '../db/connection.ts';
import type { App } from '../http/edge.ts';
import { isUuid } from '../http/validation.ts';
import { archiveBatch, BEGINNING, findOrRecall, type Place } from './queries.ts';

/** Appointments of one statement: few enough for the time-out of statements. */
const BATCH = 500;

/**
 * Moves bookings that are closed for good, and older than `months` months, to the archive (docs/SCALING.md#the-archive).
 * Returns their number.
 */
export async function archiveClosed(
  { db, clock }: { db: Db; clock: Clock },
  months: number,
): Promise<number> {
  const now = clock.now();
  let moved = 0;
  for (let place: Place | null = BEGINNING; place !== null; ) {
    const batch = await archiveBatch(db, now, months, { after: place, limit: BATCH });
    moved += batch.moved;
    place = batch.last;
  }
  return moved;
}

/**
 * Every route with an id in its path that is added from now on finds what is in the archive: when it throws
 * RESOURCE_NOT_FOUND, the booking of that id, or of that appointment or payment, comes back, and it is called again.
 */
export function recallWhenNotFound(app: App, db: Db): void {
  app.addHook('onRoute', (route) => {
    if (!route.url.includes('/:')) return;
    const answer = route.handler;
    route.handler = async function (this: unknown, request: FastifyRequest, reply: FastifyReply) {
      const ids = Object.values(request.params as Record<string, string>).filter(isUuid);
      const look = async (): Promise<{ value: unknown } | { missing: ApiError }> => {
        try {
          return { value: await (answer as (...given: unknown[]) => unknown).call(this, request, reply) };
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== 'RESOURCE_NOT_FOUND' || ids.length === 0)
            throw error;
          return { missing: error };
        }
      };
      const found = await findOrRecall(db, { ids }, { look, isFound: (result) => 'value' in result });
      if ('missing' in found) throw found.missing;
      return found.value;
    } as typeof route.handler;
  });
}
