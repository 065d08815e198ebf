import type { Dispatcher } from 'undici';

export type Answer = {
  /** Of the final response; null when none started. */
  statusCode: number | null;
  /** The `Location` of a redirect, which is not followed. */
  location?: string;
  body: Buffer;
  error: 'TIMEOUT' | 'CONNECTION_LOST' | 'TLS_FAILED' | 'INVALID_ANSWER' | null;
  /** Whether any byte of the response arrived. */
  started: boolean;
  /** Whether it was read to its end, so that the connection can be reused. */
  complete: boolean;
};

/** Interim responses (1xx) that are ignored. */
const MAX_INTERIM = 10;

/** undici's errors of invalid calls, not of the network. */
const MISUSE = ['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH'];

/**
 * Sends the request on the client's connection and reads the response: until its end, until `maxBody` bytes of its
 * body, or until the signal aborts. Throws on an invalid request (MISUSE); network failures are in the result. Unless
 * the result is complete, the caller closes the connection.
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
        // It waited too long for a connection; aborting now would close that connection.
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
        // The protocol is never switched, and endless 1xx are no response.
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

/** The kind of failure: an invalid response, or none. */
function failureOf(error: Error, inBody: boolean): NonNullable<Answer['error']> {
  const code = codeOf(error);
  if (error.name === 'HTTPParserError') {
    // The connection ended before the announced end. undici has no code for it.
    return error.message.includes('Invalid EOF state') ? 'CONNECTION_LOST' : 'INVALID_ANSWER';
  }
  // undici's code both for a truncated body and for invalid headers after a content-length.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return inBody ? 'CONNECTION_LOST' : 'INVALID_ANSWER';
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'INVALID_ANSWER';
  if (code === 'UND_ERR_SOCKET' && /^bad (?:response|upgrade)$/.test(error.message)) return 'INVALID_ANSWER';
  // In TLS 1.3 a host refuses the client (without a certificate, say) after the handshake.
  return code.startsWith('ERR_SSL_') ? 'TLS_FAILED' : 'CONNECTION_LOST';
}
