import { onAbort } from './abort.ts';
import { type ResponseInfo, responseInfoOf } from './call.ts';
import type { ErrorDetails } from './contract.ts';
import { ConnectionError, PartnerBookingError, TimeoutError, UnexpectedAnswerError } from './errors.ts';
import { retryAfterOf } from './retries.ts';

/** One request and its response. */
export type Exchange = {
  /** The called method, for messages. */
  operation: string;
  fetch: typeof globalThis.fetch;
  url: string;
  method: string;
  headers: Headers;
  /** JSON. */
  body: string | null;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  requestId: string;
};

// biome-ignore lint/suspicious/noExplicitAny: the document says what it is, not this file
export type Envelope = { data: any; meta?: any };

export type Outcome = { retryAfterMs: number | null } & (
  | { envelope: Envelope; response: ResponseInfo; error?: never }
  | { envelope?: never; response: ResponseInfo | null; error: unknown }
);

/** Sends the request once. Throws only the reason of the caller's signal; every other failure is in the outcome. */
export async function exchange(wanted: Exchange): Promise<Outcome> {
  const { operation, signal, timeoutMs, requestId } = wanted;
  signal?.throwIfAborted();
  const controller = new AbortController();
  const forget = onAbort(signal, () => controller.abort());
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    controller.abort();
  }, timeoutMs);
  try {
    const response = await wanted.fetch(wanted.url, {
      method: wanted.method,
      headers: wanted.headers,
      body: wanted.body,
      // Following a redirect would send the key to its target.
      redirect: 'manual',
      signal: controller.signal,
    });
    if (response.ok && wanted.headers.get('accept') !== 'application/json' && isFile(response))
      return fileOf(wanted, response, new Uint8Array(await response.arrayBuffer()));
    return outcomeOf(wanted, response, await response.text());
  } catch (cause) {
    signal?.throwIfAborted();
    const error = late
      ? new TimeoutError(operation, timeoutMs, requestId)
      : new ConnectionError(`${operation} lost its connection`, requestId, { cause });
    return { retryAfterMs: null, response: null, error };
  } finally {
    clearTimeout(timer);
    forget();
  }
}

/** A page of a network in between has no name. */
const isFile = ({ headers }: Response): boolean =>
  headers.has('content-disposition') || /^text\/csv\b/.test(headers.get('content-type') ?? '');

/** A file is its bytes: as a text it would lose its byte order mark. */
function fileOf({ requestId }: Exchange, received: Response, data: Uint8Array): Outcome {
  return { retryAfterMs: null, response: responseInfoOf(received, requestId, null), envelope: { data } };
}

function outcomeOf(
  { operation, requestId, headers: sent }: Exchange,
  received: Response,
  text: string,
): Outcome {
  const { ok, status, headers } = received;
  const retryAfterMs = retryAfterOf(headers.get('retry-after'), Date.now());
  const answer = parse(text);
  const reason = (answer as Partial<Envelope> | null)?.meta?.reason ?? null;
  const response = responseInfoOf(received, requestId, reason);
  if (status === 304 && sent.has('if-none-match'))
    return { retryAfterMs, response, envelope: { data: null } };
  if (ok && answer?.success === true && 'data' in answer)
    return { retryAfterMs, response, envelope: answer as Envelope };
  const refusal = answer?.success === false ? (answer.error as Partial<Refusal> | undefined) : undefined;
  if (ok || typeof refusal?.code !== 'string')
    return { retryAfterMs, response, error: new UnexpectedAnswerError(operation, text, response) };
  const complete = {
    code: refusal.code,
    message: refusal.message ?? '',
    details: refusal.details ?? ({} as ErrorDetails),
    requestId: refusal.requestId ?? requestId,
  };
  return { retryAfterMs, response, error: new PartnerBookingError(operation, complete, response) };
}

type Refusal = { code: string; message: string; details: ErrorDetails; requestId: string };

/** The object of a JSON text, or null. */
function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null; // not the service's response
  }
}
