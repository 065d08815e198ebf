import { type IncomingMessage, maxHeaderSize } from 'node:http';
import type { Socket } from 'node:net';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify';
import { ApiError, notFound, validationError } from '../base/errors.ts';
import { isUnavailable } from '../db/unavailable.ts';
import type { HttpMetrics } from '../runtime/metrics.ts';
import type { Span, Tracing } from '../runtime/tracing.ts';
import { deprecationHeaders } from './deprecation.ts';
import { errorEnvelope } from './error-envelope.ts';
import { ignoredHeader, ignoredParameters } from './ignored-parameters.ts';
import { parseJson } from './json.ts';
import { missingPage } from './missing-page.ts';
import type { KnownRoute } from './path-hints.ts';
import { addressList } from './proxies.ts';
import { RESPONSE_HEADERS, requestId, respondToMalformed, respondToUnsupported } from './raw-responses.ts';
import { discardRest, endUnreadResponses, hasBody } from './slow-peers.ts';
import { traceRequests } from './traces.ts';
import {
  createRequestChecker,
  type Format,
  type RequestCheck,
  type RequestFaults,
  type RequestSchemas,
} from './validation.ts';

type Connection = {
  /** The number of requests so far. */
  received: number;
  /** Replies that are being sent. */
  sending: Set<FastifyReply>;
  isClosed: boolean;
  /** Whether a response has announced the end of the connection. */
  isEnding: boolean;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller in metrics and log lines. */
    callerId: string | null;
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
const MAX_BODY = 1024 * 1024;
/**
 * Bytes of a request that are read and discarded after an early response: for authenticated callers, and for others.
 */
const MAX_DISCARDED = 32 * 1024 * 1024;
const MAX_DISCARDED_OF_STRANGERS = 1024 * 1024;
/** Seconds of Retry-After while the database is unavailable or the resource is locked. */
const RETRY_AFTER_SECONDS = 2;

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
  /** Sockets with a response sent before the end of the request's body: the rest gets no second response. */
  answeredEarly: WeakSet<object>;
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
    answeredEarly: new WeakSet(),
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
  recordResponses(app, options, seen);

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
  return fastify({
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
    clientErrorHandler(error, socket) {
      if (seen.answeredEarly.has(socket)) socket.destroy();
      else respondToMalformed(error, socket, options.docsUrl);
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
}

function decorateRequests(app: App): void {
  app.decorateRequest('callerId', null);
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
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body: Buffer, done) => {
    try {
      done(null, parseJson(body));
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

/** Ends connections with their last responses: of a process that stops, and of a request that is not read to its end. */
function endConnections(app: App, { isDraining }: Pick<HttpOptions, 'isDraining'>): void {
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

/** The metrics and the log line of each request. */
function recordResponses(app: App, { metrics }: Pick<HttpOptions, 'metrics'>, { answeredEarly }: Seen): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.isOver = true;
    request.connection?.sending.delete(reply);
    if (!request.raw.complete) answeredEarly.add(request.raw.socket);
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

function openConnection(socket: Socket): Connection {
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

/** Whether the client disconnected or timed out during its body, so that no response can be sent. */
const isCutOff = ({ raw }: FastifyRequest, error: Error): boolean => raw.errored === error;

/** Fastify's own errors in the wording of the contract. */
function fromFastify(error: FastifyError, request: FastifyRequest): ApiError | null {
  if (isCutOff(request, error)) return validationError(['body must arrive completely']);
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return validationError(['Content-Type must be application/json']);
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError(
        'VALIDATION_ERROR',
        'The request body is too large',
        {
          message: [`body must not be larger than ${MAX_BODY} bytes`],
          statusCode: 413,
          error: 'Payload Too Large',
        },
        413,
      );
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return validationError(['body must be as long as Content-Length says']);
    default:
      return null;
  }
}

function replyWithError(
  thrown: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
  { docsUrl, readerPaths = [] }: Pick<HttpOptions, 'docsUrl' | 'readerPaths'>,
): void {
  const error = thrown instanceof ApiError ? thrown : fromFastify(thrown as FastifyError, request);
  // Set here too: errors before routing skip the hooks, and an error must not have the caching of its page.
  reply.header('x-request-id', request.id);
  reply.headers(RESPONSE_HEADERS);
  if (error === null && isUnavailable(thrown)) {
    // One line each: the outage itself is already logged, and the response has Retry-After.
    request.log.warn({ requestId: request.id, err: thrown }, 'refused: the database is not available');
    reply.header('retry-after', RETRY_AFTER_SECONDS);
    const unavailable = new ApiError('INTERNAL_ERROR', 'The service cannot answer at the moment: try again');
    request.refusal = unavailable;
    reply.code(500).send(errorEnvelope(unavailable, request.id, docsUrl));
    return;
  }
  if (error === null) {
    request.log.error({ requestId: request.id, err: thrown }, 'unexpected error');
    const unexpected = new ApiError('INTERNAL_ERROR', 'An unexpected error occurred');
    request.refusal = unexpected;
    reply.code(500).send(errorEnvelope(unexpected, request.id, docsUrl));
    return;
  }
  const why = isCutOff(request, thrown) ? 'refused: the connection ended before the body' : 'refused';
  request.log.info({ requestId: request.id, code: error.code }, why);
  request.refusal = error;
  if (error.details?.check === 'https' && isPage(request)) {
    reply.code(403).type('text/plain; charset=utf-8').send(HTTPS_ONLY);
    return;
  }
  if (error.status === 404 && isRead(request, readerPaths)) {
    const { headers, body } = missingPage(request.headers['accept-language']);
    reply.code(404).headers(headers).send(body);
    return;
  }
  reply.code(error.status).send(errorEnvelope(error, request.id, docsUrl));
}

/** For people in a browser, in place of the envelope. */
const HTTPS_ONLY = `This page is served over HTTPS only. Open it at its https:// address, through the proxy that ends TLS.

هذه الصفحة متاحة عبر HTTPS فقط. افتحها بعنوانها الذي يبدأ بـ https://
`;

/** Whether a browser asks for a page: none of the partner interface. */
function isPage({ method, url, headers }: FastifyRequest): boolean {
  return method === 'GET' && !url.startsWith('/v1/') && /\btext\/html\b/.test(headers.accept ?? '');
}

/** Whether a browser displays the response to a person. */
function isRead(request: FastifyRequest, readerPaths: readonly string[]): boolean {
  return isPage(request) && readerPaths.some((path) => request.url.startsWith(path));
}
