import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { afterwards } from './afterwards.ts';

/**
 * Failures of connections. `cut`: closed normally. `reset`: aborted (RST). `silent`: open without any traffic, as when
 * the other host is lost.
 */
export type Fault = 'cut' | 'reset' | 'silent';

/**
 * When a statement fails, by its text: the server never gets it; has just got it, and is processing it; has responded,
 * and the response is lost.
 */
export type Moment = 'before' | 'received' | 'answered';

export type TcpProxy = {
  port: number;
  /** The URL through the proxy. */
  through(url: string): string;
  /** Open connections, silent ones included. */
  connections(): number;
  /** Applies it to every open connection. New ones pass. */
  injectFault(fault: Fault): void;
  /** Applies it once, to the next connection whose client sends the text. Resolves when it has happened. */
  injectFaultAt(text: string, fault: Fault, moment?: Moment): Promise<void>;
  /** From now on nothing reaches the server on open connections; its responses pass. */
  blockServer(): void;
  /** From now on new connections are accepted and get nothing, and open ones get nothing more. */
  stall(): void;
  /** From now on the port is closed, and open connections are reset. */
  refuse(): Promise<void>;
  /** Ends `stall` and `refuse`: held back data passes, silent connections (`injectFault`) stay silent. */
  restore(): Promise<void>;
  close(): Promise<void>;
};

type Pair = {
  client: Socket;
  server: Socket;
  silent: boolean;
  /** Nothing reaches the server. */
  serverBlocked: boolean;
  /** Replaces the server's next response. */
  atAnswer: (() => void) | null;
};
type Trigger = { text: string; fault: Fault; moment: Moment; fired: () => void };

/** A TCP proxy on a free port before `target` (`postgres://host:port/...`, `redis://...`, any URL with a port). */
export async function openTcpProxy(target: string, allowHalfOpen = false): Promise<TcpProxy> {
  const { hostname, port: targetPort } = new URL(target);
  const pairs = new Set<Pair>();
  // A socket may outlive its pair: a silent one is not told of the end.
  const sockets = new Set<Socket>();
  const triggers: Trigger[] = [];
  let stalled = false;
  let port = 0;

  function apply(pair: Pair, fault: Fault): void {
    if (fault === 'silent') {
      pair.silent = true;
      pair.client.pause();
      pair.server.pause();
      return;
    }
    pairs.delete(pair);
    for (const socket of [pair.client, pair.server]) {
      if (fault === 'reset') socket.resetAndDestroy();
      else socket.end(() => socket.destroy());
    }
  }

  const flows = (pair: Pair): boolean => !stalled && !pair.silent;

  function pass(pair: Pair, from: Socket, to: Socket): void {
    from.on('data', (chunk: Buffer) => {
      const onWritten = from === pair.client ? takeTrigger(pair, chunk) : answer(pair);
      if (!pairs.has(pair) || pair.silent || (pair.serverBlocked && from === pair.client)) return;
      if (!to.write(chunk, onWritten)) from.pause();
    });
    to.on('drain', () => {
      if (flows(pair)) from.resume();
    });
    from.on('end', () => {
      if (!pair.serverBlocked || from === pair.server) to.end();
    });
    from.on('error', () => to.destroy()); // the other side sees the end of it
    from.on('close', () => {
      if (pair.silent) return; // both are kept until the proxy ends
      if (pairs.delete(pair)) to.destroy();
    });
  }

  /** Returns the action for when the server has the chunk. */
  function takeTrigger(pair: Pair, chunk: Buffer): (() => void) | undefined {
    const index = triggers.findIndex(({ text }) => chunk.includes(text));
    if (index === -1) return undefined;
    const [{ fault, moment, fired }] = triggers.splice(index, 1) as [Trigger];
    const inject = (): void => {
      apply(pair, fault);
      fired();
    };
    if (moment === 'received') return inject;
    if (moment === 'answered') pair.atAnswer = inject;
    else inject();
    return undefined;
  }

  function answer(pair: Pair): undefined {
    pair.atAnswer?.();
    pair.atAnswer = null;
  }

  const server = createServer({ allowHalfOpen }, (client) => {
    const pair: Pair = {
      client,
      server: connect({
        host: hostname.replace(/^\[|\]$/g, ''),
        port: Number(targetPort),
        allowHalfOpen,
      }),
      silent: false,
      serverBlocked: false,
      atAnswer: null,
    };
    pairs.add(pair);
    for (const socket of [client, pair.server]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
    client.setNoDelay(true);
    pair.server.setNoDelay(true);
    pass(pair, client, pair.server);
    pass(pair, pair.server, client);
    if (stalled) {
      client.pause();
      pair.server.pause();
    }
  });

  async function listen(): Promise<void> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  }
  async function refuse(): Promise<void> {
    for (const pair of [...pairs]) apply(pair, 'reset');
    for (const socket of sockets) socket.resetAndDestroy();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  }
  await listen();

  return {
    port,
    through(url) {
      const changed = new URL(url);
      changed.hostname = '127.0.0.1';
      changed.port = String(port);
      return changed.href;
    },
    connections: () => pairs.size,
    injectFault(fault) {
      for (const pair of [...pairs]) apply(pair, fault);
    },
    injectFaultAt: (text, fault, moment = 'before') =>
      new Promise((fired) => {
        triggers.push({ text, fault, moment, fired });
      }),
    blockServer() {
      for (const pair of pairs) pair.serverBlocked = true;
    },
    stall() {
      stalled = true;
      for (const { client, server: upstream } of pairs) {
        client.pause();
        upstream.pause();
      }
    },
    refuse,
    async restore() {
      stalled = false;
      if (!server.listening) await listen();
      for (const pair of pairs) {
        if (pair.silent) continue;
        pair.client.resume();
        pair.server.resume();
      }
    },
    close: refuse,
  };
}

/** The same, closed after the test. */
export async function startTcpProxy(
  t: TestContext,
  target: string,
  allowHalfOpen = false,
): Promise<TcpProxy> {
  const proxy = await openTcpProxy(target, allowHalfOpen);
  afterwards(t, proxy.close);
  return proxy;
}
