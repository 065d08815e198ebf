import type { FastifyRequest } from 'fastify';
import type { App } from '../http/edge.ts';
import { isRead } from '../http/methods.ts';
import type { Reads } from '../runtime/replica.ts';

/**
 * Marks the writes of keys, so that a key reads what it has written wherever it reads. The mark is on its way while the
 * write is done, and known to others before the answer leaves.
 */
export function markWrites(app: App, reads: Pick<Reads, 'begin' | 'end'>): void {
  const begun = new WeakMap<FastifyRequest, ReturnType<Reads['begin']>>();
  app.addHook('preHandler', (request, _reply, done) => {
    if (!isRead(request.method)) begun.set(request, reads.begin(request.caller.keyId));
    done();
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    const write = begun.get(request);
    const end = (): void => {
      if (write !== undefined) reads.end(request.caller.keyId, write.mark);
      done(null, payload);
    };
    if (write?.known === undefined) end();
    else write.known.then(end, end);
  });
}
