import { type IncomingMessage, maxHeaderSize } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify';
import type { Clock } from '../base/clock.ts';
import { ApiError, notFound, validationError } from '../base/errors.ts';
import type { Db } from '../db/connection.ts';
import type { HttpMetrics } from '../runtime/metrics.ts';
import type { Span, Tracing } from '../runtime/tracing.ts';
import { type Connection, endConnections, endMalformed, openConnection } from './connections.ts';
import { deprecationHeaders } from './deprecation.ts';
import { MAX_BODY, replyWithError } from './error-replies.ts';
import { type WantedVersions, wantedVersions } from './if-match.ts';
import { ignoredHeader, ignoredParameters } from './ignored-parameters.ts';
import { parseJson } from './json.ts';
import type { KnownRoute } from './path-hints.ts';
import { addressList } from './proxies.ts';
import { RESPONSE_HEADERS, requestId, respondToUnsupported } from './raw-responses.ts';
import { endUnreadResponses, hasBody } from './slow-peers.ts';
import { traceRequests } from './traces.ts';
import {
  createRequestChecker,
  type Format,
  type RequestCheck,
  type RequestFaults,
  type RequestSchemas,
} from './validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller in metrics and log lines. */
    callerId: string | null;
    /** The body as it was sent, valid JSON; null: none. */
    sentBody: Buffer | null;
    /** Whether the caller has shown a valid key or token. */
    authenticated: boolean;
    /** null: refused before routing. */
    connection: Connection | null;
    /** The request's position on its connection, from 1. */
    place: number;
    /** null: not traced. */
    span: Span | null;
    /** The error of the response; null: none so far. */
    refusal: ApiError | null;
    /**
     * The duration of the response in milliseconds; 0 until its end. Fastify's `elapsedTime` reads a clock each time.
     */
    durationMs: number;
    /** Query parameters that the route does not know; null: none. */
    ignoredParameters: readonly string[] | null;
    /** Whether the `onResponse` hooks have run. */
    isOver: boolean;
    /** Whether the client disconnected before the response was sent. */
    isUnsent: boolean;
    /**
     * The route's configuration; without `url` there is no such route. `routeOptions` creates an object on each access.
     */
    readonly routeConfig: Partial<FastifyRequest['routeOptions']['config']>;
    /** The versions of If-Match, of a route with `ifMatch`. */
    readonly wanted: WantedVersions;
    /** Cached by routeConfig. */
    knownConfig: FastifyRequest['routeConfig'] | null;
  }
  interface FastifyContextConfig {
    check?: RequestCheck;
    /** Its query parameters, for routes that report ignored ones. */
    parameters?: ReadonlySet<string>;
    /**
     * Rules of the body that need the caller or the configuration; their messages are returned together with all
     * others. They get the valid parts of the body (WellFormed), and must not throw.
     */
    rules?: (body: never, request: FastifyRequest) => readonly string[] | RequestFaults;
    /** A stream lasts as long as its reader wants, so its duration is not recorded. */
    isStream?: true;
    /** It creates no work for the workers. */
    makesNoWork?: true;
    /** Headers of a deprecated route: names and values. */
    deprecation?: readonly [string, string][];
  }
}

/** The parts of the process that most routes take, beside what they name themselves. */
export type RouteParts = { db: Db; clock: Clock };

/** Fastify with TypeBox's types: the argument of every slice's routes. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

export type HttpOptions = {
  logger: FastifyBaseLogger;
  metrics: HttpMetrics;
  /** null or absent: not traced. */
  tracing?: Tracing | null;
  /** CIDRs whose `X-Forwarded-*` is trusted. */
  trustedProxies: readonly string[];
  requireHttps: boolean;
  /** Base address of the documentation; errors link to its page `errors`. */
  docsUrl: string;
  formats?: Record<string, Format>;
  /** Hints for a request of an unknown path; `routes` are all routes. */
  pathHints?: (request: KnownRoute, routes: readonly KnownRoute[]) => string[];
  /** Paths whose responses name unknown query parameters in X-Ignored-Parameters, except the listed ones. */
  tellsIgnored?: Readonly<Record<string, readonly string[]>>;
  /** Prefixes of pages for people: browsers get an HTML page for 404. */
  readerPaths?: readonly string[];
  /** Whether the process is about to stop: connections then end with their responses. */
  isDraining?: () => boolean;
  /** Milliseconds; tests shorten them. */
  timeouts?: Partial<HttpTimeouts>;
};

export type HttpTimeouts = {
  headers: number;
  request: number;
  keepAlive: number;
  unread: number;
  check: number;
  heartbeat: number;
};

/** Characters of a path parameter. */
const MAX_PARAMETER_LENGTH = 1000;
/**
 * headers: from the first byte of a request to the end of its headers. request: to the end of its body. keepAlive: an
 * idle connection; longer than that of common load balancers, so that they close first. unread: a response that its
 * peer does not read. check: the interval of checks of sockets, which delays time-outs by as much. heartbeat: the
 * interval in a stream.
 */
export const TIMEOUTS: HttpTimeouts = {
  headers: 15_000,
  request: 30_000,
  keepAlive: 72_000,
  unread: 60_000,
  check: 5_000,
  heartbeat: 15_000,
};

/** Notes on sockets and requests, for the hooks that come later. */
type Seen = {
  /** Requests whose path is not validly percent-encoded. */
  undecodable: WeakSet<object>;
  /** Requests of clients that wait for `100 Continue` before they send the body. */
  awaitingContinue: WeakSet<object>;
};

/**
 * The HTTP edge, without routes: request ids, bodies, validation, the error envelope of section 7 for every response
 * (404, malformed HTTP and time-outs included), one log line for each request, metrics.
 */
export function createHttpApp(options: HttpOptions): App {
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const seen: Seen = {
    undecodable: new WeakSet(),
    awaitingContinue: new WeakSet(),
  };
  const app = createFastify(options, timeouts, seen);
  decorateRequests(app);
  if (options.tracing) traceRequests(app, options.tracing, isProbe);
  const stopChecking = endUnreadResponses(app.server, timeouts.unread, timeouts.check);
  app.addHook('onClose', async () => stopChecking());
  // JSON.stringify was faster than compiled serializers for our shapes (bench/serialize.ts).
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.setValidatorCompiler(() => () => true);
  const routes: KnownRoute[] = [];
  configureRoutes(app, options, routes);
  parseBodies(app);
  checkHeads(app, options);
  checkBodies(app, seen);
  checkInput(app, seen);
  endConnections(app, options);
  recordResponses(app, options);

  /** Adds hints to the refusal of an unknown path. */
  const hinted = (error: FastifyError | Error, { is404, method, url }: FastifyRequest): Error => {
    if (!is404 || !(error instanceof ApiError) || error.code !== 'RESOURCE_NOT_FOUND') return error;
    return notFound('Route', options.pathHints?.({ method, url: url.split('?', 1)[0]! }, routes));
  };
  app.setErrorHandler((error: FastifyError, request, reply) =>
    replyWithError(hinted(error, request), request, reply, options),
  );
  app.setNotFoundHandler(() => {
    throw notFound('Route');
  });
  app.server.on('checkContinue', (request, response) => {
    seen.awaitingContinue.add(request);
    app.server.emit('request', request, response);
  });
  respondToUnsupported(app.server, options.docsUrl);
  return app;
}

function createFastify(
  options: Pick<HttpOptions, 'logger' | 'trustedProxies' | 'docsUrl'>,
  timeouts: HttpTimeouts,
  seen: Seen,
): App {
  const proxies = addressList(options.trustedProxies);
  const malformed = endMalformed(options.docsUrl);
  const app = fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger for each request costs more than its line: lines carry the request's id instead.
    childLoggerFactory: (logger) => logger,
    trustProxy: (address: string | undefined) => proxies.includes(address),
    bodyLimit: MAX_BODY,
    // Longer than any URL: the router's own refusal would skip all hooks, authentication included.
    routerOptions: { maxParamLength: maxHeaderSize },
    rewriteUrl: (request) => decodableUrl(request.url!, () => seen.undecodable.add(request)),
    exposeHeadRoutes: true,
    genReqId: (request) => requestId(request),
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.keepAlive,
    connectionTimeout: 0,
    // During a stop, requests on open connections are still served, and the connections then closed.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: {
      headersTimeout: timeouts.headers,
      connectionsCheckingInterval: timeouts.check,
      // A request without Host is routed like any other: node:http would refuse it without the envelope.
      requireHostHeader: false,
    },
    clientErrorHandler: malformed.end,
  }).withTypeProvider<TypeBoxTypeProvider>();
  malformed.watch(app.server);
  return app;
}

function decorateRequests(app: App): void {
  app.decorateRequest('callerId', null);
  app.decorateRequest('sentBody', null);
  app.decorateRequest('authenticated', false);
  app.decorateRequest('connection', null);
  app.decorateRequest('place', 0);
  app.decorateRequest('span', null);
  app.decorateRequest('refusal', null);
  app.decorateRequest('knownConfig', null);
  app.decorateRequest('durationMs', 0);
  app.decorateRequest('ignoredParameters', null);
  app.decorateRequest('isOver', false);
  app.decorateRequest('isUnsent', false);
  app.decorateRequest('wanted', {
    getter() {
      return wantedVersions(this);
    },
  });
  app.decorateRequest('routeConfig', {
    getter() {
      this.knownConfig ??= this.routeOptions.config;
      return this.knownConfig;
    },
  });
}

/** Gives each route what is computed from its schema, and lists it in `routes`. */
function configureRoutes(
  app: App,
  options: Pick<HttpOptions, 'formats' | 'tellsIgnored'>,
  routes: KnownRoute[],
): void {
  const checkerFor = createRequestChecker(options.formats);
  const tellsIgnored = Object.entries(options.tellsIgnored ?? {});
  app.addHook('onRoute', (route) => {
    const { url } = route;
    for (const method of [route.method].flat()) if (method !== 'HEAD') routes.push({ method, url });
    const schemas = (route.schema ?? {}) as RequestSchemas;
    const [, readByGuard] = tellsIgnored.find(([below]) => url.startsWith(below)) ?? [];
    if (readByGuard !== undefined) {
      const named = Object.keys(
        (schemas.querystring as { properties?: object } | undefined)?.properties ?? {},
      );
      route.config = { ...route.config, parameters: new Set([...named, ...readByGuard]) };
    }
    if (schemas.params ?? schemas.querystring ?? schemas.body) {
      route.config = { ...route.config, check: checkerFor(schemas) };
    }
    const deprecated = route.schema?.deprecated;
    if (deprecated !== undefined) {
      const deprecation = deprecationHeaders(`${route.method} ${route.url}`, deprecated);
      route.config = { ...route.config, deprecation };
    }
  });
}

function parseBodies(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    try {
      const value = parseJson(body);
      request.sentBody = body;
      done(null, value);
    } catch (error) {
      done(error as Error);
    }
  });
}

/** Sets the headers of every response, and refuses what the head of a request shows before it is routed. */
function checkHeads(app: App, { requireHttps }: Pick<HttpOptions, 'requireHttps'>): void {
  const connections = new WeakMap<object, Connection>();
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    let connection = connections.get(socket);
    if (connection === undefined) {
      connection = openConnection(socket);
      connections.set(socket, connection);
    }
    request.connection = connection;
    request.place = ++connection.received;
    reply.header('x-request-id', request.id);
    reply.headers(RESPONSE_HEADERS);
    const { deprecation, parameters } = request.routeConfig;
    if (parameters !== undefined && request.url.includes('?')) {
      const ignored = ignoredParameters(request.query, parameters);
      if (ignored.length > 0) {
        request.ignoredParameters = ignored;
        reply.header('x-ignored-parameters', ignoredHeader(ignored));
      }
    }
    if (deprecation !== undefined) for (const [name, value] of deprecation) reply.header(name, value);
    const overTls = request.protocol.toLowerCase() === 'https';
    if (overTls) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
    // The previous response has announced the end of the connection, so the client ignores this one.
    if (connection.isEnding)
      return done(validationError(['the connection was closed by the response before']));
    const repeated = repeatedHeader(request.raw);
    if (repeated !== null) return done(validationError([`${repeated} must be sent once`]));
    if (/[\s,/\\?#@]/.test(request.headers.host ?? ''))
      return done(validationError(['Host must be a host name']));
    if (requireHttps && !overTls && !isProbe(request.url)) {
      done(new ApiError('FORBIDDEN', 'This service answers over HTTPS only', { check: 'https' }));
      return;
    }
    done();
  });
}

/** Refuses what the head alone shows, before the body is read or asked for. */
function checkBodies(app: App, { awaitingContinue }: Seen): void {
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { raw } = request;
    if (raw.method === 'GET' || raw.method === 'HEAD') return done();
    // Fastify would wait forever for the body of a client that disconnected before it was read.
    if (raw.errored !== null) return done(raw.errored);
    if (request.is404) return done(notFound('Route'));
    if (!hasBody(raw)) return done();
    const coded = codedBody(raw);
    if (coded !== null) return done(coded);
    if (awaitingContinue.has(raw) && willBeRead(request)) reply.raw.writeContinue();
    done();
  });
}

function checkInput(app: App, { undecodable }: Seen): void {
  app.addHook('preHandler', (request, _reply, done) => {
    if (undecodable.has(request.raw))
      return done(validationError(['the URL must be validly percent-encoded']));
    if (request.url.length > MAX_PARAMETER_LENGTH && hasLongParameter(request.params))
      return done(
        validationError([
          `parts of the path must be shorter than or equal to ${MAX_PARAMETER_LENGTH} characters`,
        ]),
      );
    const { check, rules } = request.routeConfig;
    const faults = check?.(request, rules && ((body) => rules(body as never, request))) ?? null;
    done(faults === null ? undefined : validationError(faults.messages, faults.hints));
  });
}

/** The metrics and the log line of each request. */
function recordResponses(app: App, { metrics }: Pick<HttpOptions, 'metrics'>): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.isOver = true;
    request.connection?.sending.delete(reply);
    request.durationMs = reply.elapsedTime;
    const route = request.routeConfig.url ?? 'unknown';
    const labels = {
      method: request.method,
      route,
      status: reply.statusCode,
      partner: request.callerId ?? '',
    };
    if (!request.routeConfig.isStream || reply.statusCode !== 200)
      metrics.observe(labels, request.durationMs / 1000, request.span);
    // The route, never the URL: query strings hold keys and coordinates.
    const durationMs = Math.round(request.durationMs * 10) / 10;
    const unsent = request.isUnsent && !request.routeConfig.isStream ? { unsent: true } : null;
    request.log.info(
      { requestId: request.id, ...labels, durationMs, ...unsent, ...request.span?.ids },
      'request',
    );
    done();
  });
}

/** Headers that we read and that must be unique: node:http would take the first of several. */
const SINGLE_HEADERS = ['Host', 'Content-Type', 'Authorization', 'Referer'];

/** The first repeated header that must be unique; null: none. */
function repeatedHeader({ rawHeaders, headers }: IncomingMessage): string | null {
  if (rawHeaders.length === 2 * Object.keys(headers).length) return null;
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const isRepeated = (name: string): boolean => names.indexOf(name) !== names.lastIndexOf(name);
  return SINGLE_HEADERS.find((name) => isRepeated(name.toLowerCase())) ?? null;
}

/** null, or the error for a body with a content coding. */
function codedBody({ headers }: IncomingMessage): ApiError | null {
  const hints = ['send the body as it is, without Content-Encoding: compressed bodies are not read'];
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    return validationError(['Content-Encoding must be identity'], hints);
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked')
    return validationError(['Transfer-Encoding must be chunked'], hints);
  return null;
}

/** Whether Fastify reads the body, decided by the headers as Fastify does. */
function willBeRead({ headers, server }: FastifyRequest): boolean {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  return server.hasContentTypeParser(type.trim()) && !(Number(headers['content-length']) > MAX_BODY);
}

/** Hook for routes without required fields: the body may be absent. */
export async function absentBodyIsEmpty(request: { body: unknown }): Promise<void> {
  if (request.body === undefined) request.body = {};
}

/** The URL; one with an undecodable path has every percent sign escaped, so that it can be routed, and is reported. */
function decodableUrl(url: string, tell: () => void): string {
  if (!url.includes('%')) return url;
  const [path = ''] = url.split('?', 1);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    tell();
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}

function hasLongParameter(params: unknown): boolean {
  return Object.values(params ?? {}).some(
    (value) => typeof value === 'string' && value.length > MAX_PARAMETER_LENGTH,
  );
}

/** Probes come from the machine itself, past the TLS proxy. */
function isProbe(url: string): boolean {
  const [path] = url.split('?', 1);
  return path === '/livez' || path === '/readyz' || path === '/metrics';
}
