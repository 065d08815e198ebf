import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { createConnections, hostOf, type Target } from './connections.ts';
import { type Address, asAddress, resolveByDns, resolveBySystem } from './dns.ts';
import { exchange } from './exchange.ts';
import { createNames } from './names.ts';
import { isPublicAddress } from './public-addresses.ts';

export type OutboundRequest = {
  /** http or https. */
  url: URL;
  method: 'POST';
  headers: Record<string, string>;
  body: Buffer | string;
  /** Milliseconds for everything together: DNS, waiting for a free connection, connect, headers, body. */
  timeout: number;
  /** Bytes of the response body to read. */
  maxBody: number;
  /** The host is exempt from the rules for addresses (development), and resolved by the system. */
  anyAddress: boolean;
};

export type OutboundError =
  | 'DNS_FAILED'
  | 'ADDRESS_NOT_PUBLIC'
  | 'CONNECTION_FAILED'
  | 'TLS_FAILED'
  | 'TIMEOUT'
  | 'CONNECTION_LOST'
  | 'INVALID_ANSWER';

export type OutboundOutcome = {
  /** Of the final response, set with its headers, also if the body failed. */
  statusCode: number | null;
  /** The `Location` of a redirect, which is not followed. */
  location?: string;
  /** Null when the whole response arrived, with any status, or `maxBody` bytes of it. */
  error: OutboundError | null;
  durationMs: number;
  /** The bytes that were read, never decompressed. */
  body: Buffer;
  /** The connected address; null when there was none. */
  address: string | null;
  timings: {
    /** Null when the host is an address; about 0 when the name was cached. */
    dnsMs: number | null;
    /** TCP and TLS; null when a connection was reused, or none was made. */
    connectMs: number | null;
  };
  tls: { protocol: string } | null;
};

export type OutboundOptions = {
  /** `127.0.0.1:5353`; default: those of the system. */
  dnsServers?: string[];
  connectionsPerEndpoint?: number;
  /** Idle connections to all hosts together. */
  idleConnections?: number;
  /** Certificates to trust instead of the default roots (tests). */
  ca?: string;
  /** The addresses that may be connected to (tests). */
  isAllowed?: (address: string) => boolean;
};

export type Outbound = {
  /**
   * Sends the request to a public address of its host and reads the response; redirects are not followed. Network
   * failures are in the outcome. Throws on errors of the caller: another scheme, invalid header values, a send after
   * close.
   */
  send(request: OutboundRequest): Promise<OutboundOutcome>;
  /** Waits for active sends, and closes the connections. */
  close(): Promise<void>;
};

/** Requests to hosts that partners choose: it connects to the public internet only. */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  const {
    dnsServers,
    isAllowed = isPublicAddress,
    connectionsPerEndpoint = 10,
    idleConnections = 500,
  } = options;
  const connections = createConnections(
    { perOrigin: connectionsPerEndpoint, idle: idleConnections },
    createSecureContext(options.ca === undefined ? {} : { ca: options.ca }),
  );
  const names = createNames((host, signal) => resolveByDns(host, dnsServers, signal));
  const underWay = new Set<Promise<unknown>>();
  let closed = false;

  async function addressesOf(request: OutboundRequest, signal: AbortSignal): Promise<Address[] | null> {
    const host = hostOf(request.url);
    if (isIP(host) !== 0) return [asAddress(host)];
    return request.anyAddress ? resolveBySystem(host, signal) : names.addressesOf(host, signal);
  }

  async function attempt(
    request: OutboundRequest,
    outcome: OutboundOutcome,
    signal: AbortSignal,
  ): Promise<OutboundError | null> {
    const started = performance.now();
    const addresses = await addressesOf(request, signal);
    if (isIP(hostOf(request.url)) === 0) outcome.timings.dnsMs = performance.now() - started;
    if (signal.aborted) return 'TIMEOUT';
    if (addresses === null) return 'DNS_FAILED';
    // One private address is enough to refuse: a host that mixes them aims at the internal network.
    if (!request.anyAddress && !addresses.every(({ address }) => isAllowed(address))) {
      return 'ADDRESS_NOT_PUBLIC';
    }
    let fresh: boolean = false;
    while (!signal.aborted) {
      const to: Target = { origin: request.url.origin, addresses, fresh, signal };
      const { answer, done } = await connections.use(to, (via) => exchange(via, request, signal));
      if (done.stale) continue;
      const { address, connectMs, protocol, failure } = done;
      outcome.statusCode = answer.statusCode;
      if (answer.location !== undefined) outcome.location = answer.location;
      outcome.body = answer.body;
      outcome.address = address;
      outcome.timings.connectMs = connectMs;
      outcome.tls = protocol === null ? null : { protocol };
      const lost = answer.error === 'CONNECTION_LOST';
      // A host may close an idle connection exactly when it is reused: that is no failure of the host.
      fresh = lost && connectMs === null && failure === null && !answer.started && !fresh;
      if (!fresh) return lost ? (failure ?? answer.error) : answer.error;
    }
    return 'TIMEOUT';
  }

  async function send(request: OutboundRequest): Promise<OutboundOutcome> {
    const started = performance.now();
    const outcome: OutboundOutcome = {
      statusCode: null,
      error: null,
      durationMs: 0,
      body: Buffer.alloc(0),
      address: null,
      timings: { dnsMs: null, connectMs: null },
      tls: null,
    };
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), request.timeout);
    try {
      outcome.error = await attempt(request, outcome, deadline.signal);
    } finally {
      clearTimeout(timer);
    }
    // The host may have moved: the next send resolves it again.
    if (outcome.statusCode === null) names.forget(hostOf(request.url));
    outcome.durationMs = performance.now() - started;
    return outcome;
  }

  return {
    async send(request) {
      if (closed) throw new Error('sent after close');
      if (!/^https?:$/.test(request.url.protocol)) throw new TypeError('neither http nor https');
      const sending = send(request);
      underWay.add(sending);
      return sending.finally(() => underWay.delete(sending));
    },
    async close() {
      closed = true;
      await Promise.allSettled(underWay);
      await connections.close();
    },
  };
}
