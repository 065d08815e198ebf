import { resultIfDone } from './already-done.ts';
import type { CallOptions } from './call-options.ts';
import { OPERATIONS, type OperationName, type OperationRow, type Operations } from './contract.ts';
import { isCode } from './errors.ts';
import { exchange, type Outcome } from './exchange.ts';
import { allEvents, allPages } from './paging.ts';
import { isRepeatable, isUnclear, pauseAfter, sleep } from './retries.ts';

/** Of this package; a test compares it with package.json. */
export const VERSION = '0.1.0';

const TIMEOUT_MS = 30_000;
const RETRIES = 3;
/** The most that timers can wait for. */
const MOST_MS = 2_147_483_647;

export type ClientSettings = {
  /** Keep it on your servers: whoever has it can book in your name. */
  apiKey: string;
  /** The deployment's address with its version, such as `https://booking.example/v1`. */
  baseUrl: string;
  /** Milliseconds for one attempt; 30,000 unless given. */
  timeoutMs?: number | undefined;
  /** How often a failed attempt is repeated at most; 3 unless given. */
  retries?: number | undefined;
  /** Sent with every request, such as `x-partner-domain`. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** In place of the platform's own. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Called after every attempt, for logs and metrics. What it throws, the call throws. */
  onAttempt?: ((attempt: Attempt) => void) | undefined;
};

export type Attempt = {
  operation: OperationName;
  method: string;
  url: string;
  requestId: string;
  /** From 1. */
  number: number;
  /** Of HTTP; null: no answer. */
  status: number | null;
  /** Milliseconds. */
  durationMs: number;
  /** Why it failed; null: it did not. */
  error: unknown;
  /** Milliseconds until the next attempt; null: there is none. */
  retryInMs: number | null;
};

/** A client for one key. Nothing is sent before the first call. Throws TypeError for settings that cannot work. */
export function createClient(settings: ClientSettings): Client {
  const { apiKey, timeoutMs = TIMEOUT_MS, retries = RETRIES, headers = {}, onAttempt } = settings;
  if (typeof apiKey !== 'string' || apiKey === '')
    throw new TypeError('apiKey must be the key of your account');
  const base = baseOf(settings.baseUrl);
  const send = settings.fetch ?? globalThis.fetch;
  checkLimits(timeoutMs, retries);
  new Headers({ ...headers, 'x-api-key': apiKey }); // throws here rather than at every call

  async function call(
    operation: OperationName,
    row: OperationRow,
    { path, input }: Arguments,
    options: CallOptions,
  ): Promise<unknown> {
    const timeout = options.timeoutMs ?? timeoutMs;
    const most = options.retries ?? retries;
    checkLimits(timeout, most);
    const requestId = options.requestId ?? crypto.randomUUID();
    const body = bodyOf(row, input);
    const request = {
      // Some platforms forbid to call it as a method of anything else.
      fetch: (...args: Parameters<typeof fetch>) => send(...args),
      url: base + pathOf(row, path) + (row.takes === 'query' ? queryOf(input) : ''),
      method: row.method,
      headers: headersOf({ ...headers, ...options.headers }, apiKey, requestId, body !== null),
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
      const { status, error = null } = outcome;
      if (isCode(error, 'BOOKING_CREATION_FAILED')) creationsFailed++;
      const failure = {
        error,
        retryAfterMs: outcome.retryAfterMs,
        repeatable,
        attempts: number,
        creationsFailed,
        retries: most,
      };
      const retryInMs = error === null ? null : pauseAfter(failure, Math.random());
      const { method, url } = request;
      const durationMs = performance.now() - began;
      onAttempt?.({ operation, method, url, requestId, number, status, durationMs, error, retryInMs });

      if (outcome.envelope !== undefined) return answerOf(row, outcome);
      if (unclear) {
        const done = await resultIfDone(client, operation, error, { path, input }, { ...options, requestId });
        if (done !== null) return done;
      }
      if (retryInMs === null) throw error;
      unclear ||= isUnclear(error);
      await sleep(retryInMs, options.signal);
    }
  }

  const methods: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(OPERATIONS) as [OperationName, OperationRow][]) {
    const placeholders = row.path.match(/\{\w+\}/g)?.length ?? 0;
    const before = placeholders + (row.takes === 'nothing' ? 0 : 1);
    methods[name] = async (...args: unknown[]) => {
      const path = args.slice(0, placeholders) as string[];
      const input = row.takes === 'nothing' ? undefined : args[placeholders];
      return call(name, row, { path, input }, (args[before] ?? {}) as CallOptions);
    };
    if (row.iterate !== undefined)
      methods[row.iterate] = (row.answers === 'feed' ? allEvents : allPages).bind(
        null,
        methods[name] as never,
      );
  }
  // The methods and their types are printed from the same document (contract.ts).
  const client = methods as Operations;
  return client;
}

export type Client = Operations;

type Arguments = { path: readonly string[]; input: unknown };

function baseOf(baseUrl: string): string {
  const url = new URL(baseUrl);
  if (!/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new TypeError(
      `baseUrl must be an http or https address without a query: ${url.protocol}//${url.host}`,
    );
  return url.href.replace(/\/+$/, '');
}

function checkLimits(timeoutMs: number, retries: number): void {
  if (!(timeoutMs > 0 && timeoutMs <= MOST_MS))
    throw new TypeError(`timeoutMs must be above 0 and at most ${MOST_MS}`);
  if (!(Number.isInteger(retries) && retries >= 0))
    throw new TypeError('retries must be 0 or a whole number above');
}

/** Throws TypeError for ids that would lead to another route. */
function pathOf(row: OperationRow, values: readonly string[]): string {
  let index = 0;
  return row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
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

function bodyOf(row: OperationRow, input: unknown): string | null {
  if (row.method === 'GET' || row.method === 'DELETE') return null;
  return JSON.stringify(row.takes === 'body' ? (input ?? {}) : {});
}

function headersOf(
  more: Readonly<Record<string, string>>,
  apiKey: string,
  requestId: string,
  hasBody: boolean,
): Headers {
  const headers = new Headers(more);
  headers.set('accept', 'application/json');
  headers.set('x-api-key', apiKey);
  headers.set('x-request-id', requestId);
  if (hasBody) headers.set('content-type', 'application/json');
  // Pages in browsers may not choose it, and asking for it would cost them a request before each request.
  if (!('document' in globalThis)) headers.set('user-agent', `partner-booking-sdk/${VERSION}`);
  return headers;
}

function answerOf(row: OperationRow, { envelope, asOf }: Extract<Outcome, { envelope: object }>): unknown {
  if (row.answers === 'data') return envelope.data;
  const { data, meta } = envelope;
  return { data, meta, ...(asOf !== null && { asOf }) };
}
