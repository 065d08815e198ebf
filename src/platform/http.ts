import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
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
import { ApiError, errorAnchor, notFound, validationError } from '../errors.ts';
import { deprecationHeaders } from './deprecation.ts';
import type { HttpMetrics } from './metrics.ts';
import { trustedPeers } from './proxies.ts';
import { createRequestChecker, type Format, type RequestCheck, type RequestSchemas } from './validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who the request's metrics and log line are filed under. */
    callerId: string | null;
  }
  interface FastifyContextConfig {
    check?: RequestCheck;
    /** Headers of a deprecated route: names and values. */
    deprecation?: readonly [string, string][];
  }
}

/** Fastify with TypeBox's types; what every slice's routes take. */
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
  /** CIDRs whose `X-Forwarded-*` is believed. */
  trustedProxies: readonly string[];
  requireHttps: boolean;
  /** Base address of the documentation; errors point into its page `errors`. */
  docsUrl: string;
  formats?: Record<string, Format>;
  /** Milliseconds; the tests shorten them. */
  timeouts?: Partial<HttpTimeouts>;
};

export type HttpTimeouts = { headers: number; request: number; keepAlive: number; check: number };

/** Characters of one parameter in a path. */
const LONGEST_PARAMETER = 1000;
const MAX_BODY = 1024 * 1024;
const API_VERSION = '1';

/**
 * headers: from the first byte of a request to the end of its headers. request: to the end of its body.
 * keepAlive: an idle connection; longer than the 60 s of common load balancers, so that they close first.
 * check: how often sockets are looked at, so a slow-loris socket ends at most this much late.
 */
const TIMEOUTS: HttpTimeouts = { headers: 15_000, request: 30_000, keepAlive: 72_000, check: 5_000 };

/**
 * The HTTP edge that knows no route: request ids, bodies, validation, the error envelope of section 7 for
 * every answer (404, malformed HTTP and time-outs included), one log line for each request, metrics.
 */
export function createHttpApp(options: HttpOptions): App {
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const peers = trustedPeers(options.trustedProxies);
  const checkerFor = createRequestChecker(options.formats);
  const refuse = (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void =>
    replyWithError(error, request, reply, options.docsUrl);

  // Sockets whose request was answered before its body had arrived: what follows gets no second answer.
  const answeredEarly = new WeakSet<object>();

  const app: App = fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // No logger of its own for each request, which costs more than its line: what is logged names the request.
    childLoggerFactory: (logger) => logger,
    bodyLimit: MAX_BODY,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    exposeHeadRoutes: false,
    genReqId: (request) => requestId(request),
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.keepAlive,
    connectionTimeout: 0,
    // While stopping, requests on open connections are answered like any other, and their connections closed.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: {
      headersTimeout: timeouts.headers,
      connectionsCheckingInterval: timeouts.check,
      // Answered here, in the envelope, instead of by node:http.
      requireHostHeader: false,
    },
    frameworkErrors: (error, request, reply) => {
      // Before routing, so before every hook: a URL that cannot be decoded, for instance.
      refuse(error, request as FastifyRequest, reply as unknown as FastifyReply);
    },
    clientErrorHandler(error, socket) {
      if (answeredEarly.has(socket)) socket.destroy();
      else answerMalformed(error, socket, options.docsUrl);
    },
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.decorateRequest('callerId', null);
  // JSON.stringify beat compiled serializers on our shapes (bench/serialize.ts), and says what was answered.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.setValidatorCompiler(() => () => true);
  app.addHook('onRoute', (route) => {
    const schemas = (route.schema ?? {}) as RequestSchemas;
    if (schemas.params ?? schemas.querystring ?? schemas.body) {
      route.config = { ...route.config, check: checkerFor(schemas) };
    }
    const deprecated = route.schema?.deprecated;
    if (deprecated !== undefined) {
      const deprecation = deprecationHeaders(`${route.method} ${route.url}`, deprecated);
      route.config = { ...route.config, deprecation };
    }
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body: Buffer, done) => {
    try {
      done(null, parseJson(body));
    } catch (error) {
      done(error as Error);
    }
  });

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    reply.header('x-api-version', API_VERSION);
    const { deprecation } = request.routeOptions.config;
    if (deprecation !== undefined) for (const [name, value] of deprecation) reply.header(name, value);
    const overTls = peers.isSecure(request.raw);
    if (overTls) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
    if (options.requireHttps && !overTls && !isProbe(request.url)) {
      done(new ApiError('FORBIDDEN', 'This service answers over HTTPS only', { check: 'https' }));
      return;
    }
    done();
  });
  app.addHook('preHandler', (request, _reply, done) => {
    const faults = request.routeOptions.config.check?.(request) ?? null;
    done(faults === null ? undefined : validationError(faults.messages, faults.hints));
  });
  let stopping = false;
  app.addHook('preClose', (done) => {
    stopping = true;
    done();
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // What was accepted before the stop is answered, and its connection with it comes to an end.
    if (stopping) reply.header('connection', 'close');
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (!request.raw.complete) answeredEarly.add(request.raw.socket);
    const route = request.routeOptions.url ?? 'unknown';
    const labels = {
      method: request.method,
      route,
      status: reply.statusCode,
      partner: request.callerId ?? '',
    };
    options.metrics.observe(labels, reply.elapsedTime / 1000);
    // The route, never the URL: query strings hold keys and coordinates.
    const durationMs = Math.round(reply.elapsedTime * 10) / 10;
    request.log.info({ requestId: request.id, ...labels, durationMs }, 'request');
    done();
  });

  app.setErrorHandler((error: FastifyError, request, reply) => refuse(error, request, reply));
  app.setNotFoundHandler((_request, _reply) => {
    throw notFound('Route');
  });

  app.server.on('checkExpectation', (request, response) => {
    const id = requestId(request);
    const body = rawBody(417, 'The expectation cannot be met', id, options.docsUrl);
    response.writeHead(417, { ...rawHeaders(id), 'content-length': Buffer.byteLength(body) });
    response.end(body);
  });
  app.server.on('connect', (request, socket) => {
    socket.end(rawAnswer(400, 'CONNECT is not supported', requestId(request), options.docsUrl));
  });
  return app;
}

/** Hook for routes whose body requires nothing: it may be absent altogether. */
export async function absentBodyIsEmpty(request: { body: unknown }): Promise<void> {
  if (request.body === undefined) request.body = {};
}

/** Probes come from the machine itself, past the TLS proxy. */
function isProbe(url: string): boolean {
  return url === '/livez' || url === '/readyz' || url === '/metrics';
}

/** The caller's id when it is 1 to 128 visible ASCII characters, else a new UUID. */
function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[!-~]{1,128}$/.test(given) ? given : randomUUID();
}

function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw validationError(['body must be valid UTF-8']);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw validationError(['body must be valid JSON']);
  }
}

/** What Fastify itself refuses, in the contract's words. */
function fromFastify(error: FastifyError): ApiError | null {
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
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return validationError([
        `parts of the path must be shorter than or equal to ${LONGEST_PARAMETER} characters`,
      ]);
    case 'FST_ERR_BAD_URL':
      return validationError(['the URL must be validly percent-encoded']);
    default:
      return null;
  }
}

function replyWithError(
  thrown: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
  docsUrl: string,
): void {
  const error = thrown instanceof ApiError ? thrown : fromFastify(thrown as FastifyError);
  // Also set here: errors before routing have not been through the hooks.
  reply.header('x-request-id', request.id);
  reply.header('x-api-version', API_VERSION);
  if (error === null) {
    request.log.error({ requestId: request.id, err: thrown }, 'unexpected error');
    const unexpected = new ApiError('INTERNAL_ERROR', 'An unexpected error occurred');
    reply.code(500).send(errorEnvelope(unexpected, request.id, docsUrl));
    return;
  }
  request.log.info({ requestId: request.id, code: error.code }, 'refused');
  reply.code(error.status).send(errorEnvelope(error, request.id, docsUrl));
}

/** The error envelope of section 7; `details.docUrl` is where the code is explained. */
export function errorEnvelope({ code, message, details }: ApiError, requestId: string, docsUrl: string) {
  const docUrl = `${docsUrl}/errors#${errorAnchor(code)}`;
  return { success: false as const, error: { code, message, details: { ...details, docUrl }, requestId } };
}

/** Node could not read a request from the socket: no request object exists, the answer is written by hand. */
function answerMalformed(error: Error & { code?: string }, socket: Socket, docsUrl: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? [408, 'The request did not arrive in time']
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? [431, 'The request headers are too large']
        : [400, 'The request is not valid HTTP'];
  socket.end(rawAnswer(status as number, message as string, randomUUID(), docsUrl));
}

function rawHeaders(id: string) {
  return {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': id,
    'x-api-version': API_VERSION,
    connection: 'close',
  };
}

function rawBody(status: number, message: string, id: string, docsUrl: string): string {
  const details = { message: [message], statusCode: status, error: STATUS_CODES[status] ?? '' };
  return JSON.stringify(
    errorEnvelope(new ApiError('VALIDATION_ERROR', message, details, status), id, docsUrl),
  );
}

function rawAnswer(status: number, message: string, id: string, docsUrl: string): string {
  const body = rawBody(status, message, id, docsUrl);
  const headers = Object.entries({ ...rawHeaders(id), 'content-length': Buffer.byteLength(body) });
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${body}`;
}
