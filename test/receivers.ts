import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { OutboundRequest } from '../src/outbound/requests.ts';

export type Receiver = {
  port: number;
  /** Accepted TCP connections so far. */
  connections: number;
  /** Open ones. */
  open: Set<Socket>;
};

/** Listens and counts connections; closed after the test. */
export async function listen(t: TestContext, server: Server, host = '127.0.0.1'): Promise<Receiver> {
  const receiver: Receiver = { port: 0, connections: 0, open: new Set() };
  server.on('connection', (socket: Socket) => {
    receiver.connections++;
    receiver.open.add(socket);
    socket.on('close', () => receiver.open.delete(socket));
    socket.on('error', () => {}); // many tests are about senders that close the connection
  });
  server.listen(0, host);
  await once(server, 'listening');
  receiver.port = (server.address() as { port: number }).port;
  t.after(() => {
    server.close();
    for (const socket of receiver.open) socket.destroy();
  });
  return receiver;
}

/** A web server with the listener. */
export function receive(t: TestContext, listener: RequestListener, host?: string): Promise<Receiver> {
  return listen(t, createServer({ keepAliveTimeout: 30_000 }, listener), host);
}

/** Without HTTP: `answer` is called with the connection, once for each request. */
export function receiveRaw(t: TestContext, answer: (socket: Socket, nth: number) => void): Promise<Receiver> {
  let requests = 0;
  const server = createTcpServer((socket) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      // Bodies of `post` end with this.
      if (!text.endsWith('{"end":true}')) return;
      text = '';
      answer(socket, ++requests);
    });
  });
  return listen(t, server);
}

/** A POST with a time-out of a minute that reads at most 1,000 bytes. */
export function post(url: string, changes: Partial<OutboundRequest> = {}): OutboundRequest {
  return {
    url: new URL(url),
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"end":true}',
    timeout: 60_000,
    maxBody: 1_000,
    anyAddress: false,
    ...changes,
  };
}
