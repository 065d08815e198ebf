import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext, TLSSocket } from 'node:tls';
import { type buildConnector, Client } from 'undici';
import type { Address } from './outbound-dns.ts';

/** How long a connection without a request stays open, in milliseconds; a server may ask for less. */
const KEEP_ALIVE = 4_000;
/** Before the next address of the host is tried beside the first, in milliseconds. */
const NEXT_ADDRESS_AFTER = 500;
/** Bytes of header lines in an answer. */
const MOST_HEADERS = 16_384;

/** One connection to one origin, which serves one send at a time. */
export type Connection = {
  readonly client: Client;
  readonly origin: string;
  /** What the send that it serves has checked just now: it may lead to nowhere else. */
  addresses: readonly Address[];
  socket: Socket | null;
  /** Where it leads; null before it is connected. */
  address: string | null;
  protocol: string | null;
  /** TCP and TLS together, in milliseconds; null when this send did not have to connect. */
  connectMs: number | null;
  /** Why the connection could not be made. */
  failure: 'CONNECTION_FAILED' | 'TLS_FAILED' | null;
};

type Waiter = {
  url: URL;
  addresses: readonly Address[];
  /** Not one that has been used before. */
  fresh: boolean;
  resolve(connection: Connection | null): void;
};

type Endpoint = { connections: Set<Connection>; waiting: Waiter[] };

export type ConnectionLimits = { perOrigin: number; idle: number };

/**
 * Kept-alive connections. One is taken again only when it leads to an address that the taker has just checked;
 * more than `perOrigin` to an origin are never open, and beyond `idle` unused ones the longest unused closes.
 * Not undici's Pool: a request that waits there cannot leave, and one connection there cannot be closed.
 */
export function createConnections(limits: ConnectionLimits, secureContext: SecureContext) {
  const endpoints = new Map<string, Endpoint>();
  /** Those without a request, the longest unused first. */
  const idle = new Set<Connection>();
  const closing = new Set<Promise<void>>();

  function open(url: URL, addresses: readonly Address[]): Connection {
    const client: Client = new Client(url.origin, {
      connect: (_options, callback) => connectTo(url, connection, secureContext, callback),
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE,
      keepAliveMaxTimeout: KEEP_ALIVE,
      maxHeaderSize: MOST_HEADERS,
      // The time of a send is counted as a whole, by the send.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const connection: Connection = {
      client,
      origin: url.origin,
      addresses,
      socket: null,
      address: null,
      protocol: null,
      connectMs: null,
      failure: null,
    };
    client.on('disconnect', () => {
      if (idle.has(connection)) discard(connection);
    });
    return connection;
  }

  /** A connection for the first of those who wait, or null when it has to wait on. */
  function claim(endpoint: Endpoint, { url, addresses, fresh }: Waiter): Connection | null {
    const unused = [...endpoint.connections].filter((connection) => idle.has(connection));
    const kept = fresh ? undefined : unused.find((connection) => leadsTo(connection, addresses));
    if (kept !== undefined) {
      idle.delete(kept);
      kept.addresses = addresses;
      kept.connectMs = null;
      return kept;
    }
    if (endpoint.connections.size >= limits.perOrigin) {
      if (unused[0] === undefined) return null;
      drop(unused[0]);
    }
    const connection = open(url, addresses);
    endpoint.connections.add(connection);
    endpoints.set(connection.origin, endpoint);
    return connection;
  }

  function serve(endpoint: Endpoint): void {
    for (let next = endpoint.waiting[0]; next !== undefined; next = endpoint.waiting[0]) {
      const connection = claim(endpoint, next);
      if (connection === null) return;
      endpoint.waiting.shift();
      next.resolve(connection);
    }
  }

  function drop(connection: Connection): void {
    const endpoint = endpoints.get(connection.origin);
    endpoint?.connections.delete(connection);
    if (endpoint?.connections.size === 0 && endpoint.waiting.length === 0)
      endpoints.delete(connection.origin);
    idle.delete(connection);
    connection.socket?.destroy(); // undici leaves one alone that is still connecting
    const gone = connection.client.destroy().finally(() => closing.delete(gone));
    closing.add(gone);
  }

  function discard(connection: Connection): void {
    drop(connection);
    const endpoint = endpoints.get(connection.origin);
    if (endpoint !== undefined) serve(endpoint);
  }

  return {
    /** A connection to the origin for one send alone; null when the signal ended the wait for it. */
    async take(
      url: URL,
      addresses: readonly Address[],
      fresh: boolean,
      signal: AbortSignal,
    ): Promise<Connection | null> {
      if (signal.aborted) return null;
      const endpoint = endpoints.get(url.origin) ?? { connections: new Set(), waiting: [] };
      const { promise, resolve } = Promise.withResolvers<Connection | null>();
      const waiter: Waiter = { url, addresses, fresh, resolve };
      endpoint.waiting.push(waiter);
      serve(endpoint);
      const leave = (): void => {
        endpoint.waiting = endpoint.waiting.filter((other) => other !== waiter);
        resolve(null);
      };
      signal.addEventListener('abort', leave, { once: true });
      const connection = await promise;
      signal.removeEventListener('abort', leave);
      return connection;
    },

    /** Gives it back after an answer that left it in order. */
    release(connection: Connection): void {
      idle.add(connection);
      const [longestUnused] = idle;
      if (idle.size > limits.idle && longestUnused !== undefined) discard(longestUnused);
      const endpoint = endpoints.get(connection.origin);
      if (endpoint !== undefined) serve(endpoint);
    },

    /** Closes it at once. */
    discard,

    /** How many are open, used or not. */
    count: (): number => endpoints.values().reduce((total, endpoint) => total + endpoint.connections.size, 0),

    /** Closes those without a request. */
    async close(): Promise<void> {
      for (const connection of [...idle]) drop(connection);
      await Promise.all(closing);
    },
  };
}

function leadsTo(connection: Connection, addresses: readonly Address[]): boolean {
  return addresses.some(({ address }) => address === connection.address);
}

/** The host of a URL, without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/**
 * Connects to one of the checked addresses, and nowhere else. The socket is made here, so that no setting of
 * the environment (a proxy, certificates left unchecked) can have a say in it.
 */
function connectTo(
  url: URL,
  connection: Connection,
  secureContext: SecureContext,
  callback: buildConnector.Callback,
): void {
  const started = performance.now();
  const host = hostOf(url);
  const secure = url.protocol === 'https:';
  const options = {
    host,
    port: Number(url.port) || (secure ? 443 : 80),
    lookup: answering(connection.addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER,
  };
  const socket = secure
    ? connectTls({
        ...options,
        // An address is no server name; the certificate is then checked against the address.
        ...(isIP(host) === 0 && { servername: host.replace(/\.$/, '') }),
        secureContext,
        ALPNProtocols: ['http/1.1'],
        rejectUnauthorized: true,
      })
    : connect(options);
  let state: 'connecting' | 'reached' | 'ready' = 'connecting';
  connection.socket = socket;
  socket.setNoDelay(true);
  socket.once('connect', () => {
    state = 'reached';
  });
  socket.once(secure ? 'secureConnect' : 'connect', () => {
    state = 'ready';
    connection.connectMs = performance.now() - started;
    connection.address = socket.remoteAddress ?? null;
    connection.protocol = socket instanceof TLSSocket ? socket.getProtocol() : null;
    callback(null, socket);
  });
  socket.on('error', (error) => {
    if (state === 'ready') {
      // The client hears of it itself, unless it came before the client had taken the socket over: then nobody
      // would, and the send would wait until its time is up.
      void connection.client.destroy(error);
      return;
    }
    connection.failure = state === 'reached' ? 'TLS_FAILED' : 'CONNECTION_FAILED';
    callback(error, null);
  });
}

/** Stands where the name would be resolved a second time, to who knows what. */
function answering(addresses: readonly Address[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}
