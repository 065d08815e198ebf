import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import { Agent, buildConnector, Client, type Dispatcher } from 'undici';
import type { Address } from './dns.ts';

/** Keep-alive of idle connections, in milliseconds; a server may ask for less. */
const KEEP_ALIVE = 4_000;
/** The delay before another address of the host is tried in parallel, in milliseconds. */
const NEXT_ADDRESS_AFTER = 500;
/** Bytes of header lines in a response. */
const MAX_HEADERS = 16_384;

/** The result of one try to send a request. */
export type Try = {
  socket: Socket | null;
  /** The connected address; null before it is connected. */
  address: string | null;
  protocol: string | null;
  /** TCP and TLS together, in milliseconds; null on a reused connection. */
  connectMs: number | null;
  /** Why the connection failed. */
  failure: 'CONNECTION_FAILED' | 'TLS_FAILED' | null;
  /** Nothing was sent: the connection led to an address that is not allowed any more, and is closed. */
  stale: boolean;
};

type Order = Target & { idle: Set<Socket>; done: Try };

/** undici reports connections by request and socket; these map them to their order. */
const current = new AsyncLocalStorage<Order>();
const orders = new WeakMap<object, Order>();
const connectTimes = new WeakMap<Socket, number>();

function noteOrder(message: unknown): void {
  const order = current.getStore();
  if (order !== undefined) orders.set((message as { request: object }).request, order);
}

/** Called before the first byte of a request is written: nothing is sent on a connection to another address. */
function checkSocket(message: unknown): void {
  const { request, socket } = message as { request: object; socket: Socket };
  const order = orders.get(request);
  if (order === undefined) return;
  const { addresses, idle, done } = order;
  idle.delete(socket);
  done.stale = !addresses.some(({ address }) => address === socket.remoteAddress);
  if (done.stale) {
    socket.destroy();
    return;
  }
  done.socket = socket;
  done.address = socket.remoteAddress ?? null;
  done.protocol = socket instanceof TLSSocket ? socket.getProtocol() : null;
  done.connectMs = connectTimes.get(socket) ?? null;
  connectTimes.delete(socket);
}

let isSubscribed = false;

/** Diagnostics channels belong to the process: subscribed once for all connections. */
function subscribeOnce(): void {
  if (isSubscribed) return;
  isSubscribed = true;
  subscribe('undici:request:create', noteOrder);
  subscribe('undici:client:sendHeaders', checkSocket);
}

export type Target = {
  origin: string;
  /** The addresses that were just checked: the only allowed ones. */
  addresses: readonly Address[];
  /** Not on a reused connection. */
  fresh: boolean;
  signal: AbortSignal;
};

export type ConnectionLimits = { perOrigin: number; idle: number };

/**
 * Keep-alive connections. One is reused only when it leads to an address that the send has just checked. At most
 * `perOrigin` to an origin are kept, and beyond `idle` unused ones the least recently used closes.
 */
export function createConnections(limits: ConnectionLimits, secureContext: SecureContext) {
  subscribeOnce();
  /** Idle ones, the least recently used first. */
  const idle = new Set<Socket>();
  const buildOptions = {
    lookup: lookupChecked,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER,
    allowH2: false,
    secureContext,
    rejectUnauthorized: true,
  };
  const connectTo = buildConnector(buildOptions as buildConnector.BuildOptions);

  function connect(options: buildConnector.Options, callback: buildConnector.Callback): void {
    const { signal, done } = current.getStore()!;
    const ended = new Error('not for a send that is under way');
    // A kept connection that closes during its reuse is replaced by undici, in the async context of its creator.
    if (signal.aborted || done.socket !== null) {
      callback(ended, null);
      return;
    }
    const started = performance.now();
    let failure: Try['failure'] = 'CONNECTION_FAILED';
    const end = (): void => void socket.destroy(ended);
    // An address is no server name; the certificate is then checked against the address.
    const name = isIP(options.hostname) === 0 && { servername: options.hostname.replace(/\.$/, '') };
    const socket = connectTo({ ...options, ...name }, (error, connected) => {
      signal.removeEventListener('abort', end);
      if (error !== null) {
        done.failure = failure;
        callback(error, null);
      } else {
        connectTimes.set(connected, performance.now() - started);
        callback(null, connected);
      }
    }) as unknown as Socket;
    signal.addEventListener('abort', end);
    socket.once('connect', () => {
      failure = 'TLS_FAILED';
    });
    // After the handshake, a TLS error alone does not close the socket.
    socket.on('error', () => socket.destroy());
    socket.once('close', () => idle.delete(socket));
  }

  const options = {
    connect,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE,
    keepAliveMaxTimeout: KEEP_ALIVE,
    maxHeaderSize: MAX_HEADERS,
    // The send has one time-out for everything.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const agent = new Agent({ ...options, connections: limits.perOrigin });

  return {
    /**
     * Lets `exchange` send on a kept or new connection to one of the addresses; with `fresh` on a new one that is not
     * kept. A connection with a complete response can be reused.
     */
    async use<Answer extends { complete: boolean }>(
      to: Target,
      exchange: (via: Dispatcher) => Promise<Answer>,
    ): Promise<{ answer: Answer; done: Try }> {
      const done: Try = {
        socket: null,
        address: null,
        protocol: null,
        connectMs: null,
        failure: null,
        stale: false,
      };
      const via = to.fresh ? new Client(to.origin, options) : agent;
      try {
        const answer = await current.run({ ...to, idle, done }, exchange, via);
        if (answer.complete && done.socket?.destroyed === false) idle.add(done.socket);
        const [longestUnused] = idle;
        if (idle.size > limits.idle) longestUnused?.destroy();
        return { answer, done };
      } finally {
        if (via !== agent) await via.destroy();
      }
    },

    /** The number of known origins. */
    count: (): number => Object.keys(agent.stats).length,

    /** Closes all connections. */
    close: (): Promise<void> => agent.destroy(),
  };
}

/** The host of a URL, without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Replaces a second resolution of the name, which could return other addresses. */
const lookupChecked: LookupFunction = (_hostname, options, callback) => {
  const { addresses } = current.getStore()!;
  const [first] = addresses;
  if (options.all) callback(null, [...addresses]);
  else callback(null, first?.address ?? '', first?.family);
};
