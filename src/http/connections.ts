import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { finished } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { respondToMalformed } from './raw-responses.ts';
import { discardRest } from './slow-peers.ts';

/** Connections, which end with their last responses. */

export type Connection = {
  /** The number of requests so far. */
  received: number;
  /** Replies that are being sent. */
  sending: Set<FastifyReply>;
  isClosed: boolean;
  /** Whether a response has announced the end of the connection. */
  isEnding: boolean;
};

/**
 * Bytes of a request that are read and discarded after an early response: for authenticated callers, and for others.
 */
const MAX_DISCARDED = 32 * 1024 * 1024;
const MAX_DISCARDED_OF_STRANGERS = 1024 * 1024;

/** A new connection; its replies that are being sent end with it. */
export function openConnection(socket: Socket): Connection {
  const connection: Connection = { received: 0, sending: new Set(), isClosed: false, isEnding: false };
  socket.once('close', () => {
    connection.isClosed = true;
    for (const reply of connection.sending) endUnsent(reply);
  });
  return connection;
}

/**
 * Fastify ends a request when its response was sent or failed. With a disconnected client neither happens, though the
 * request was processed: it is logged, counted and followed by its jobs like every other.
 */
function endUnsent({ request, raw }: FastifyReply): void {
  // Deferred, so that an open stream is closed first and reports no error.
  process.nextTick(() => {
    // Fastify's listener is gone if an earlier `onResponse` hook failed.
    if (request.isOver || raw.listenerCount('error') === 0) return;
    request.isUnsent = true;
    raw.emit('error', new Error('the client has gone'));
  });
}

/**
 * Remembers the last responses of each connection, and returns what ends one whose bytes are not HTTP: after the responses
 * before, and with a response of its own unless the malformed request has one already.
 */
export function endMalformed(docsUrl: string): {
  watch(server: Server): void;
  end(error: Error, socket: Socket): void;
} {
  const responses = new WeakMap<Socket, { last: ServerResponse; previous: ServerResponse | undefined }>();
  const waiting = new WeakSet<Socket>();
  const remember = ({ socket }: { socket: Socket }, last: ServerResponse): void => {
    const previous = responses.get(socket)?.last;
    responses.set(socket, { last, previous: previous?.writableFinished ? undefined : previous });
  };
  return {
    watch(server) {
      server.prependListener('request', remember).prependListener('checkExpectation', remember);
    },
    end(error, socket) {
      if (waiting.has(socket)) return;
      const { last, previous } = responses.get(socket) ?? {};
      // A request that has not arrived whole is the malformed one.
      const own = last?.req.complete === false ? last : undefined;
      const before = own === undefined ? last : previous;
      const end = (): void => {
        waiting.delete(socket);
        if (own?.headersSent) finished(own, () => socket.destroy());
        else respondToMalformed(error, socket, docsUrl);
      };
      if (before === undefined || before.writableFinished) return end();
      waiting.add(socket);
      finished(before, end);
    },
  };
}

/** Ends connections with their last responses: of a process that stops, and of a request that is not read to its end. */
export function endConnections(
  app: Pick<FastifyInstance, 'addHook'>,
  { isDraining }: { isDraining?: () => boolean },
): void {
  let stopping = false;
  app.addHook('preClose', (done) => {
    stopping = true;
    done();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    // Fastify closes after every error of a body, also of one that was read completely.
    if (request.raw.complete) reply.removeHeader('connection');
    if (stopping || isDraining?.()) {
      // Requests accepted before the stop are served, also pipelined ones: the last response ends the connection.
      if (request.connection?.received === request.place) reply.header('connection', 'close');
      else reply.raw.removeHeader('connection');
    }
    if (!request.raw.complete) {
      const most = request.authenticated ? MAX_DISCARDED : MAX_DISCARDED_OF_STRANGERS;
      if (discardRest(request.raw, most) === 'cut') reply.header('connection', 'close');
    }
    if (request.connection !== null && reply.getHeader('connection') === 'close')
      request.connection.isEnding = true;
    if (request.connection?.isClosed) endUnsent(reply);
    else request.connection?.sending.add(reply);
    done();
  });
}
