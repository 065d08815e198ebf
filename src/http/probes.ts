import type { Db } from '../db/connection.ts';
import { within } from '../db/within.ts';
import type { App } from './edge.ts';

/** What keeps the process from serving, by part: `{ database: 'read-only' }`. Empty: nothing. */
export type Faults = () => Record<string, string>;

/** How long the database has for the question whether it is there (milliseconds). */
const MAX_WAIT = 200;

/** `/livez`, `/readyz`: no key, outside `/v1`. */
export function probeRoutes(
  app: App,
  { db, faults, isDraining }: { db: Db; faults: Faults; isDraining: () => boolean },
): void {
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (request, reply) => {
    if (isDraining()) return reply.code(503).send({ status: 'stopping' });
    let found = faults();
    if (Object.keys(found).length === 0) {
      try {
        // A time-out means a busy pool, or a database that will be found to be unavailable in a moment.
        await within(MAX_WAIT, db.first({ name: 'ready', text: 'select 1' }));
        found = faults();
        if (Object.keys(found).length === 0) return { status: 'ok' };
      } catch (error) {
        request.log.warn({ err: error }, 'not ready: the database does not respond');
        found = { database: 'unreachable' };
      }
    }
    return reply.code(503).send({ status: 'unavailable', ...found });
  });
}
