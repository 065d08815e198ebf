import type { Db } from '../db/connection.ts';
import { within } from '../db/within.ts';
import type { App } from './edge.ts';

/** Why the process cannot serve, by part: `{ database: 'read-only' }`. Empty: it can. */
export type Faults = () => Record<string, string>;

/** Time-out of the database check (milliseconds). */
const MAX_WAIT = 200;

/** `/livez`, `/readyz`: without a key, outside `/v1`. */
export function probeRoutes(
  app: App,
  { db, build, faults, isDraining }: { db: Db; build: string; faults: Faults; isDraining: () => boolean },
): void {
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (request, reply) => {
    if (isDraining()) return reply.code(503).send({ status: 'stopping' });
    let found = faults();
    if (Object.keys(found).length === 0) {
      try {
        // A time-out means a busy pool, or an outage that is detected in a moment.
        await within(MAX_WAIT, db.first({ name: 'ready', text: 'select 1' }));
        found = faults();
        if (Object.keys(found).length === 0) return { status: 'ok', build };
      } catch (error) {
        request.log.warn({ err: error }, 'not ready: the database does not respond');
        found = { database: 'unreachable' };
      }
    }
    return reply.code(503).send({ status: 'unavailable', ...found });
  });
}
