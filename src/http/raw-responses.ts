import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../base/errors.ts';
import { errorEnvelope } from './error-envelope.ts';

/** Headers of every response, by Fastify or raw: responses must not be cached or shared. */
export const RESPONSE_HEADERS = {
  'x-api-version': '1',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

/** The caller's id when it is 1 to 128 visible ASCII characters, else a new UUID. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[!-~]{1,128}$/.test(given) ? given : randomUUID();
}

/** Sends an error with the envelope for requests that node:http accepts and Fastify does not. */
export function respondToUnsupported(server: Server, docsUrl: string): void {
  server.on('checkExpectation', (request, response) => {
    const id = requestId(request);
    const body = rawBody(417, 'The expectation cannot be met', id, docsUrl);
    response.writeHead(417, { ...rawHeaders(id), 'content-length': Buffer.byteLength(body) });
    response.end(body);
  });
  server.on('connect', (request, socket) => {
    socket.end(rawAnswer(400, 'CONNECT is not supported', requestId(request), docsUrl));
  });
}

/** node:http could not parse a request: there is no request object, so the response is written to the socket. */
export function respondToMalformed(error: Error & { code?: string }, socket: Socket, docsUrl: string): void {
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
    ...RESPONSE_HEADERS,
    'x-request-id': id,
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
