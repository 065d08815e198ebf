import { isDeliveredTwice, resultIfDone, resultIfMade } from './already-done.ts';
import { type Answered, callOf, type ResponseInfo } from './call.ts';
import type { CallOptions, ConditionalOptions } from './call-options.ts';
import { ROUTES } from './contract.ts';
import { isCode } from './errors.ts';
import { exchange, type Outcome } from './exchange.ts';
import type { OperationName } from './model.ts';
import { type Resources, resourcesOf } from './resources.ts';
import { explainRateLimit, isRepeatable, isUnclear, pauseAfter, RATE_PAUSE, sleep } from './retries.ts';

/** The version of this package; a test compares it with package.json. */
export const VERSION = '0.6.0';

const TIMEOUT_MS = 30_000;
const RETRIES = 3;
/** The maximum delay of timers. */
const MAX_TIMEOUT_MS = 2_147_483_647;

export type ClientSettings = {
  /** Keep it on your servers: it allows to book in your name. */
  apiKey: string;
  /** The deployment's address with its version, such as `https://booking.example/v1`. */
  baseUrl: string;
  /** Time-out of one attempt in milliseconds; default: 30,000. */
  timeoutMs?: number | undefined;
  /** The most retries of a failed attempt; default: 3. */
  retries?: number | undefined;
  /** The longest `Retry-After` of a 429 that a call waits for, in milliseconds; default: 5,000. Else it throws at once. */
  rateLimitWaitMs?: number | undefined;
  /** Sent with every request, such as `x-partner-domain`. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Replaces the platform's fetch. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Called after every attempt, for logs and metrics. The call throws its errors. */
  onAttempt?: ((attempt: Attempt) => void) | undefined;
};

export type Attempt = {
  operation: OperationName;
  method: string;
  url: string;
  requestId: string;
  /** From 1. */
  number: number;
  /** The HTTP status; null: no response. */
  status: number | null;
  /** Milliseconds. */
  durationMs: number;
  /** Why it failed; null: it succeeded. */
  error: unknown;
  /** Milliseconds until the next attempt; null: there is none. */
  retryInMs: number | null;
};

/** Every operation, and the last response. */
export type Client = Resources & {
  /**
   * The response that arrived last, also of an error; null before there was one. With several pending calls it is any
   * of theirs: `withResponse()` of a call returns its own.
   */
  readonly lastResponse: ResponseInfo | null;
};

/** A client for one key. Sends nothing before the first call. Throws TypeError for invalid settings. */
export function createClient(settings: ClientSettings): Client {
  const {
    timeoutMs = TIMEOUT_MS,
    retries = RETRIES,
    rateLimitWaitMs = RATE_PAUSE,
    headers = {},
    onAttempt,
  } = settings;
  const base = baseOf(settings.baseUrl);
  const send = settings.fetch ?? globalThis.fetch;
  checkLimits(timeoutMs, retries, rateLimitWaitMs);
  headersOf(headers, settings.apiKey, 'id', false); // throws here rather than at every call
  let lastResponse: ResponseInfo | null = null;

  async function call(
    operation: OperationName,
    { ids, input }: Arguments,
    options: CallOptions & Partial<ConditionalOptions> = {},
  ): Promise<Answered<unknown>> {
    const route: Route = ROUTES[operation];
    const timeout = options.timeoutMs ?? timeoutMs;
    const most = options.retries ?? retries;
    const rateLimitWait = options.rateLimitWaitMs ?? rateLimitWaitMs;
    checkLimits(timeout, most, rateLimitWait);
    const requestId = options.requestId ?? crypto.randomUUID();
    const body = bodyOf(route, input);
    const more = { ...headers, ...options.headers };
    const sent = headersOf(more, options.apiKey ?? settings.apiKey, requestId, body !== null);
    if (route.answers === 'text') sent.set('accept', 'text/csv');
    if (route.answers === 'file') sent.set('accept', '*/*');
    if (options.ifNoneMatch !== undefined) sent.set('if-none-match', options.ifNoneMatch);
    const request = {
      operation,
      // Some platforms forbid to call it as a method of another object.
      fetch: (...args: Parameters<typeof fetch>) => send(...args),
      url: base + pathOf(route, ids) + (route.takes === 'query' ? queryOf(input) : ''),
      method: route.method,
      headers: sent,
      body,
      timeoutMs: timeout,
      signal: options.signal,
      requestId,
    };
    const repeatable = isRepeatable(operation, input);
    let unclear = false;
    let creationsFailed = 0;

    for (let number = 1; ; number++) {
      const began = performance.now();
      const outcome = await exchange(request);
      const { response, error = null } = outcome;
      if (response !== null) lastResponse = response;
      if (isCode(error, 'BOOKING_CREATION_FAILED')) creationsFailed++;
      const failure = {
        error,
        retryAfterMs: outcome.retryAfterMs,
        repeatable,
        attempts: number,
        creationsFailed,
        retries: most,
        rateLimitWaitMs: rateLimitWait,
      };
      const retryInMs = error === null ? null : pauseAfter(failure, Math.random());
      const { method, url } = request;
      const status = response?.status ?? null;
      const durationMs = performance.now() - began;
      onAttempt?.({ operation, method, url, requestId, number, status, durationMs, error, retryInMs });

      if (outcome.envelope !== undefined)
        return { data: answerOf(route, outcome), response: outcome.response };
      const again = { ...options, requestId };
      const done =
        (await resultIfMade(client, operation, error, again)) ??
        (unclear || isDeliveredTwice(error)
          ? await resultIfDone(client, { operation, ids }, error, again)
          : null);
      // Something is only found done by an answer, this one.
      if (done !== null) return { data: done, response: response! };
      if (retryInMs === null) {
        explainRateLimit(failure);
        throw error;
      }
      unclear ||= isUnclear(error);
      await sleep(retryInMs, options.signal);
    }
  }

  const resources = resourcesOf(
    (operation, ids, input, options) => callOf(call(operation, { ids, input }, options) as Promise<never>),
    (operation, input, options) => callOf(call(operation, { ids: [], input }, options) as Promise<never>),
  );
  const client: Client = Object.defineProperty(resources as Client, 'lastResponse', {
    enumerable: true,
    get: () => lastResponse,
  });
  return client;
}

type Route = (typeof ROUTES)[OperationName];
type Arguments = { ids: readonly string[]; input: unknown };

function baseOf(baseUrl: string): string {
  const url = new URL(baseUrl);
  if (!/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new TypeError(
      `baseUrl must be an http or https address without a query: ${url.protocol}//${url.host}`,
    );
  return url.href.replace(/\/+$/, '');
}

function checkLimits(timeoutMs: number, retries: number, rateLimitWaitMs: number): void {
  if (!(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS))
    throw new TypeError(`timeoutMs must be above 0 and at most ${MAX_TIMEOUT_MS}`);
  if (!(Number.isInteger(retries) && retries >= 0))
    throw new TypeError('retries must be 0 or a whole number above');
  if (!(rateLimitWaitMs >= 0 && rateLimitWaitMs <= MAX_TIMEOUT_MS))
    throw new TypeError(`rateLimitWaitMs must be from 0 to ${MAX_TIMEOUT_MS}`);
}

/** Throws TypeError for ids that would lead to another route. */
function pathOf(route: Route, values: readonly string[]): string {
  let index = 0;
  return route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[index++];
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new TypeError(`${name} must be an id`);
    return encodeURIComponent(value);
  });
}

function queryOf(input: unknown): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input ?? {})) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size === 0 ? '' : `?${query}`;
}

function bodyOf(route: Route, input: unknown): string | null {
  if (route.method === 'GET' || route.method === 'DELETE') return null;
  return JSON.stringify(route.takes === 'body' ? (input ?? {}) : {});
}

function headersOf(
  more: Readonly<Record<string, string>>,
  apiKey: string,
  requestId: string,
  hasBody: boolean,
): Headers {
  if (typeof apiKey !== 'string' || apiKey === '')
    throw new TypeError('apiKey must be the key of your account');
  const headers = new Headers(more);
  headers.set('accept', 'application/json');
  headers.set('x-api-key', apiKey);
  headers.set('x-request-id', requestId);
  if (hasBody) headers.set('content-type', 'application/json');
  // Browsers forbid to set it, and would send a preflight request for it.
  if (!('document' in globalThis)) headers.set('user-agent', `partner-booking-sdk/${VERSION}`);
  return headers;
}

function answerOf(route: Route, { envelope, response }: Extract<Outcome, { envelope: object }>): unknown {
  if (route.answers !== 'page' && route.answers !== 'feed') return envelope.data;
  const { data, meta } = envelope;
  const asOf = response.headers.get('x-list-as-of');
  return { data, meta, ...(asOf !== null && { asOf }) };
}
