import type { Db } from './db.ts';
import type { App } from './http.ts';
import type { Metrics } from './metrics.ts';

/** `/livez`, `/readyz`, `/metrics`: no key, outside `/v1`. */
export function probeRoutes(app: App, { db, metrics }: { db: Db; metrics: Metrics }): void {
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (request, reply) => {
    try {
      await db.first({ name: 'ready', text: 'select 1' });
      return { status: 'ok' };
    } catch (error) {
      request.log.warn({ err: error }, 'not ready: the database does not answer');
      return reply.code(503).send({ status: 'unavailable', database: 'unreachable' });
    }
  });
  app.get('/metrics', async (_request, reply) => {
    const text = await metrics.registry.metrics();
    return reply
      .type(metrics.registry.contentType)
      .serializer((body: string) => body)
      .send(text);
  });
}
