import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Bytes that a peer must read within the time-out, so that a trickle does not hold a connection. */
const MIN_PROGRESS = 64 * 1024;

/**
 * Ends connections whose peer does not read its responses: less than MIN_PROGRESS of the waiting bytes in `timeout`
 * milliseconds of `clock`. Checks every `check` milliseconds. Returns a function that stops the checks.
 */
export function endUnreadResponses(
  server: Server,
  timeout: number,
  check: number,
  clock = () => performance.now(),
): () => void {
  const sockets = new Set<Socket>();
  const waiting = new WeakMap<Socket, { since: number; taken: number; queued: number }>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const timer = setInterval(() => {
    const now = clock();
    for (const socket of sockets) {
      if (socket.writableLength === 0) {
        waiting.delete(socket);
        continue;
      }
      const taken = socket.bytesWritten - socket.writableLength;
      const queued = queuedBytes(socket);
      const known = waiting.get(socket);
      const moved = known === undefined ? MIN_PROGRESS : taken - known.taken || known.queued - queued;
      if (known === undefined || moved >= MIN_PROGRESS) waiting.set(socket, { since: now, taken, queued });
      else if (now - known.since >= timeout) socket.destroy();
    }
  }, check);
  timer.unref();
  return () => clearInterval(timer);
}

/** Bytes of the current write that the kernel has not accepted, as node:http counts them. */
function queuedBytes(socket: Socket): number {
  return (socket as { _handle?: { writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0;
}

/** Whether the headers announce a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Handles the rest of a request after an early response. It is read and discarded: closing with unread bytes would
 * reset the connection, and a client that sends everything first would lose the response. After `most` bytes the
 * connection is closed anyway; slow requests end by their time-out. `cut`: there may be more than `most`.
 */
export function discardRest(request: IncomingMessage, most: number): 'read' | 'cut' {
  if (!hasBody(request)) return 'read';
  const { socket, headers } = request;
  let discarded = 0;
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > most) socket.destroy();
  });
  // Node ends the connection this way after a response with Connection: close.
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (request.complete || socket.destroyed) {
      destroySoon();
      return;
    }
    socket.end();
    request.once('end', destroySoon);
  };
  request.once('end', () => Reflect.deleteProperty(socket, 'destroySoon'));
  return Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) > most ? 'cut' : 'read';
}
