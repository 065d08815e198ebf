import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, validationError } from '../base/errors.ts';
import { isUnavailable } from '../db/unavailable.ts';
import { errorEnvelope } from './error-envelope.ts';
import { missingPage } from './missing-page.ts';
import { RESPONSE_HEADERS } from './raw-responses.ts';

/** Responses to errors: the envelope of section 7, and pages for people. */

/** Bytes of a request's body. */
export const MAX_BODY = 1024 * 1024;
/** Seconds of Retry-After while the database is unavailable or the resource is locked. */
const RETRY_AFTER_SECONDS = 2;

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

/** Sends the response to an error, which is logged and noted in `request.refusal`. */
export function replyWithError(
  thrown: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
  { docsUrl, readerPaths = [] }: { docsUrl: string; readerPaths?: readonly string[] },
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
