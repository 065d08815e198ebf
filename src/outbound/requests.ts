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
  /** Bytes of the response body that are read at most. */
  maxBody: number;
  /** The host is exempt from the rules for addresses (development); it is looked up as the machine sees it. */
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
  /** Of the final response, as soon as its headers came, whatever came of the body. */
  statusCode: number | null;
  /** Of a redirect, which is not followed: its `Location`, as it came. */
  location?: string;
  /** Null when the whole response came, whatever its status, or `maxBody` bytes of it. */
  error: OutboundError | null;
  durationMs: number;
  /** What was read, as it came: never decompressed. */
  body: Buffer;
  /** Where the connection led; null when there was none. */
  address: string | null;
  timings: {
    /** Null when the host is an address; next to nothing when the addresses of its name were known. */
    dnsMs: number | null;
    /** TCP and TLS; null when a kept-alive connection was used, or none was made. */
    connectMs: number | null;
  };
  tls: { protocol: string } | null;
};

export type OutboundOptions = {
  /** `127.0.0.1:5353`; the machine's own by default. */
  dnsServers?: string[];
  connectionsPerEndpoint?: number;
  /** Kept-alive connections to all hosts together. */
  idleConnections?: number;
  /** Certificates to trust instead of the usual roots (tests). */
  ca?: string;
  /** Which addresses may be connected to (tests). */
  isAllowed?: (address: string) => boolean;
};

export type Outbound = {
  /**
   * Sends the request to a public address of its host and reads the response; redirects are not followed.
   * Whatever the network does is in the outcome. Throws on what no network can cause: another scheme, header
   * values that are not allowed, a send after close.
   */
  send(request: OutboundRequest): Promise<OutboundOutcome>;
  /** Waits for the sends under way, and closes the connections. */
  close(): Promise<void>;
};

/** Requests to hosts that others name: nothing but the public internet is ever connected to. */
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
    // One that is not public is enough: a host that mixes them is after what lies behind.
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
      // A host may close a kept-alive connection just when it is used again: that is no failure of the host.
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
    // It may have moved: the next send asks anew.
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
