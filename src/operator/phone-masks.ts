import type { FastifyReply, FastifyRequest } from 'fastify';
import { maskedPhone } from '../contacts/rules.ts';
import type { App } from '../http/edge.ts';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/**
 * Masks customers' phones in the responses to viewers, of every route that is added from now on: fields called `phone`,
 * wherever they stand. A route with `config.showsPhone` sends them in full.
 */
export function maskPhonesForViewers(app: App): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.role !== 'viewer' || route.config.showsPhone) return;
    const answer = route.handler.bind(app) as unknown as Handler;
    route.handler = (async (request: FastifyRequest, reply: FastifyReply) => {
      const response = await answer(request, reply);
      // A stream is sent already; none has phones.
      return request.role === 'viewer' && response !== reply ? masked(response) : response;
    }) as unknown as typeof route.handler;
  });
}

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      name === 'phone' && typeof field === 'string' ? maskedPhone(field) : masked(field),
    ]),
  );
}
