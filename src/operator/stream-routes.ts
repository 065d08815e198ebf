import Type from 'typebox';
import type { Db } from '../db/connection.ts';
import type { App } from '../http/edge.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Wakeups } from '../runtime/wakeups.ts';
import { createChangeStreams, MAX_STREAMS, RETRY_AFTER } from './change-stream.ts';
import { TOPICS } from './changes.ts';

const StreamHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({
      format: 'text',
      maxLength: 100,
      description: 'The last `id` that was read: what happened since is sent first',
      examples: ['118-42-7-3'],
    }),
  ),
});

const Events = Type.String({
  maxLength: 1_000_000_000,
  pattern: '^[a-z]*:',
  description:
    'Server-sent events. `change`: `data` is `{ topic, ids }`, where `ids` names what changed, or is null when that is not ' +
    `known or too much; topics are ${TOPICS.join(', ')}. \`reset\`: what was missed is not known, load everything anew. ` +
    'Lines that begin with a colon are heartbeats',
  examples: [
    'event: change\ndata: {"topic":"bookings","ids":["5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10"]}\nid: 118-42-7-3\n\n',
  ],
});

const ResponseHeaders = {
  'X-Accel-Buffering': {
    schema: Type.Literal('no', { description: 'Proxies must pass events on at once', examples: ['no'] }),
    statuses: [200],
  },
};

type StreamDeps = { db: Db; wakeups: Wakeups; logger: Logger; isDraining: () => boolean };

/** The stream of changes. */
export function streamRoutes(app: App, deps: StreamDeps, heartbeat: number): void {
  const { db, wakeups, logger, isDraining } = deps;
  const streams = createChangeStreams({
    db,
    wakeups,
    isDraining,
    heartbeat,
    onError: (error) => logger.warn({ err: error }, 'streams of changes cannot read the database'),
  });
  app.addHook('preClose', (done) => {
    streams.close();
    done();
  });
  app.get(
    '/stream',
    {
      exposeHeadRoute: false,
      schema: {
        operationId: 'streamChanges',
        summary: 'Follow what changes, as server-sent events',
        description:
          'It does not end by itself. A heartbeat comes every 15 seconds. After it was lost, open it again with ' +
          '`Last-Event-ID`. It ends when the token is revoked or the session ends, and when the process stops. What is told has been ' +
          `committed; it may be told twice. A token has at most ${MAX_STREAMS} streams in one process, then it is 429.`,
        tags: ['Changes'],
        headers: StreamHeaders,
        response: { 200: Events },
        responseType: 'text/event-stream',
        responseHeaders: ResponseHeaders,
      },
      config: { role: 'viewer', isStream: true },
    },
    async (request, reply) => {
      const lastEventId = request.headers['last-event-id'];
      if (!streams.hasRoom(request.tokenId)) reply.header('retry-after', RETRY_AFTER);
      const stream = await streams.open(
        request.isStillValid,
        request.tokenId,
        lastEventId === undefined ? null : String(lastEventId),
      );
      reply.header('content-type', 'text/event-stream; charset=utf-8');
      reply.header('x-accel-buffering', 'no');
      // In the document its type is that of the events.
      return reply.send(stream as unknown as string);
    },
  );
}
