import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/**
 * The load generator, a separate process: a fixed number of connections, each sending its next request when the last
 * response has arrived. Written on bare sockets because on few cores a heavier client would take processor time from
 * the measured server, and so push every ratio towards 1.
 */

export type LoadRequest = { method: 'GET' | 'POST' | 'PATCH'; path: string; body?: unknown };

export type Round = {
  port: number;
  seconds: number;
  connections: number;
  headers: Record<string, string>;
  /** Sent cyclically in this order. */
  cycle: LoadRequest[];
  /** The index of the first one. */
  from: number;
};

export type RoundResult = {
  /** Responses with status 200; any other ends the round with an error. */
  done: number;
  seconds: number;
  /** Milliseconds of each response. */
  latencies: number[];
};

export type Reply = { result: RoundResult } | { error: string };

const EXPECTED = '200';
const END_OF_HEADERS = '\r\n\r\n';

async function fire(round: Round): Promise<RoundResult> {
  const cycle = round.cycle.map((request) => encode(request, round.headers));
  const sockets = await Promise.all(Array.from({ length: round.connections }, () => open(round.port)));
  const latencies: number[] = [];
  let next = round.from;
  const take = (): Buffer => cycle[next++ % cycle.length]!;

  const started = performance.now();
  const deadline = started + round.seconds * 1000;
  try {
    await Promise.all(sockets.map((socket) => sendUntil(deadline, socket, take, latencies)));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  return { done: latencies.length, seconds: (performance.now() - started) / 1000, latencies };
}

function encode({ method, path, body }: LoadRequest, headers: Record<string, string>): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body);
  const all = {
    host: '127.0.0.1',
    ...headers,
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    }),
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${text}`);
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  return socket;
}

function sendUntil(deadline: number, socket: Socket, take: () => Buffer, latencies: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0;
    let received = '';

    function send(): void {
      sentAt = performance.now();
      socket.write(take());
    }
    function read(chunk: string): void {
      received += chunk;
      const bodyAt = received.indexOf(END_OF_HEADERS) + END_OF_HEADERS.length;
      if (bodyAt < END_OF_HEADERS.length) return;
      const head = received.slice(0, bodyAt);
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
      if (length === undefined) throw new Error(`an answer without a length: ${head}`);
      if (received.length < bodyAt + Number(length)) return;
      // "HTTP/1.1 200": the status is at a fixed offset.
      if (head.slice(9, 12) !== EXPECTED) throw new Error(`unexpected answer: ${received}`);
      received = '';
      const now = performance.now();
      latencies.push(now - sentAt);
      if (now < deadline) send();
      else resolve();
    }
    // One character per byte, so that Content-Length counts characters.
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      try {
        read(chunk);
      } catch (error) {
        reject(error);
      }
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed a connection')));
    send();
  });
}

process.on('message', (round: Round) => {
  fire(round).then(
    (result) => process.send!({ result } satisfies Reply),
    (error: Error) => process.send!({ error: error.message } satisfies Reply),
  );
});
process.on('disconnect', () => process.exit(0));
