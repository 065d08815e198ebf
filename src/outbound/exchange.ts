import type { Dispatcher } from 'undici';

export type Answer = {
  /** Of the final response; null when none began. */
  statusCode: number | null;
  /** Of a redirect, which is not followed: its `Location`, as it came. */
  location?: string;
  body: Buffer;
  error: 'TIMEOUT' | 'CONNECTION_LOST' | 'TLS_FAILED' | 'INVALID_ANSWER' | null;
  /** Did any of the response come at all? */
  started: boolean;
  /** Was it read to its end, so that the connection may serve another request? */
  complete: boolean;
};

/** Responses before the final one (1xx) that are passed over. */
const MAX_INTERIM = 10;

/** Errors of undici that say what is wrong with the call, not with the network. */
const MISUSE = ['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH'];

/**
 * Sends the request on the client's connection and reads the response: until its end, until `maxBody` bytes of
 * its body, or until the signal. Throws on a request that cannot be sent (MISUSE); whatever the network
 * does is in the response. Unless that is complete, the caller closes the connection.
 */
export function exchange(
  client: Dispatcher,
  request: {
    url: URL;
    method: 'POST';
    headers: Record<string, string>;
    body: Buffer | string;
    maxBody: number;
  },
  signal: AbortSignal,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const chunks: Buffer[] = [];
  let length = 0;
  let interim = 0;
  let statusCode: number | null = null;
  let location: string | undefined;
  let started = false;
  let ended = false;
  let abort: ((reason: Error) => void) | undefined;

  function end(error: Answer['error'], complete = false): void {
    if (ended) return;
    ended = true;
    if (!complete) abort?.(new Error('the send has ended'));
    signal.removeEventListener('abort', onAbort);
    const answer = { statusCode, body: Buffer.concat(chunks), error, started, complete };
    resolve(location === undefined ? answer : { ...answer, location });
  }
  const onAbort = (): void => end('TIMEOUT');
  signal.addEventListener('abort', onAbort, { once: true });

  const { url, method, headers, body, maxBody } = request;
  client.dispatch(
    { origin: url.origin, path: url.pathname + url.search, method, headers, body },
    {
      onRequestStart(controller) {
        // It has waited for a connection too long; one that is aborted would take the connection with it.
        if (ended) throw new Error('the send has ended');
        abort = (reason) => controller.abort(reason);
      },
      onResponseStarted() {
        started = true;
      },
      onResponseStart(_controller, status, { location: to }) {
        if (status >= 200) {
          statusCode = status;
          if (status >= 300 && status < 400 && to !== undefined) [location] = [to].flat();
        }
        // The protocol is never switched, and a host that keeps sending 1xx sends no response.
        else if (status === 101 || ++interim > MAX_INTERIM) end('INVALID_ANSWER');
      },
      onResponseData(_controller, chunk) {
        const wanted = chunk.subarray(0, maxBody - length);
        chunks.push(wanted);
        length += wanted.length;
        if (length >= maxBody) end(null);
      },
      onResponseEnd() {
        end(null, true);
      },
      onResponseError(_controller, error) {
        if (ended) return;
        if (MISUSE.includes(codeOf(error))) {
          signal.removeEventListener('abort', onAbort);
          reject(error);
        } else {
          end(failureOf(error, statusCode !== null));
        }
      },
    },
  );
  return promise;
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}

/** Did the host say something that is not HTTP, or nothing any more? */
function failureOf(error: Error, inBody: boolean): NonNullable<Answer['error']> {
  const code = codeOf(error);
  if (error.name === 'HTTPParserError') {
    // The end came while more was announced. There is no code for it.
    return error.message.includes('Invalid EOF state') ? 'CONNECTION_LOST' : 'INVALID_ANSWER';
  }
  // undici's word both for a body cut short and for headers it cannot read after a content-length.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return inBody ? 'CONNECTION_LOST' : 'INVALID_ANSWER';
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'INVALID_ANSWER';
  if (code === 'UND_ERR_SOCKET' && /^bad (?:response|upgrade)$/.test(error.message)) return 'INVALID_ANSWER';
  // In TLS 1.3 a host refuses us (no client certificate, say) after the handshake.
  return code.startsWith('ERR_SSL_') ? 'TLS_FAILED' : 'CONNECTION_LOST';
}
