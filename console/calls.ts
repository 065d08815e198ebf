import { signal } from '@preact/signals';
import type { ErrorCode, ErrorDetails } from './contract.ts';
import { type PlainKey, t } from './language.ts';
import { authorization, refuse, token, visit } from './session.ts';

/** HTTP calls of an API, shared by the console and the portal. */

const TIMEOUT = 30_000;

/** The number of pending requests: a thin bar shows slow ones. */
export const pending = signal(0);

type FailureOptions = {
  details?: Partial<ErrorDetails> | undefined;
  requestId?: string | null;
  route?: Route | null;
  /** Whether the message is a text of the console, not of the service. */
  isWorded?: boolean;
};

/** Why a call failed. */
export class Failure extends Error {
  override readonly name = 'Failure';
  /** 0: there was no response. */
  readonly status: number;
  readonly code: ErrorCode | 'NO_RESPONSE';
  readonly details: Partial<ErrorDetails>;
  readonly requestId: string | null;
  /** The called route; null: none was. */
  readonly route: Route | null;
  readonly isWorded: boolean;

  constructor(
    status: number,
    code: ErrorCode | 'NO_RESPONSE',
    message: string,
    { details = {}, requestId = null, route = null, isWorded = false }: FailureOptions = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.route = route;
    this.isWorded = isWorded;
  }
}

/** A text in both languages. */
export type Title = { en: string; ar: string };

/** Method and path of an operation, the title of its failures, and more specific wordings of error codes. */
export type Route = {
  base: string;
  method: string;
  path: string;
  title?: Title | undefined;
  refusals?: Partial<Record<string, PlainKey>> | undefined;
};

type Parts = { query?: Record<string, unknown>; body?: unknown };

export type CallOptions = {
  signal?: AbortSignal;
  ifMatch?: number | undefined;
  idempotencyKey?: string;
  /** Sends it even if the page is left meanwhile. */
  keepalive?: boolean;
};

/**
 * Resolves to the whole response of an operation. `ifMatch` is the version to change: another one is refused with 409.
 * A repeated `idempotencyKey` is not processed twice, where the deployment supports it. Throws Failure, and an
 * AbortError when `signal` is aborted.
 */
export async function request<Answer>(
  route: Route,
  takes: object,
  options: CallOptions = {},
): Promise<Answer> {
  return responseTo(route, takes, options, async (response) => {
    const answer = await response.json().catch(() => null);
    if (response.ok && answer !== null) return answer;
    throw failureOf(route, response, answer);
  });
}

/** Downloads a list as CSV, under the file name of the response. Throws Failure. */
export async function save(
  route: Route,
  takes: object,
  as = { accept: 'text/csv', name: 'list.csv' },
): Promise<void> {
  await responseTo(route, takes, { accept: as.accept }, async (response) => {
    if (!response.ok) throw failureOf(route, response, await response.json().catch(() => null));
    const [, name = as.name] =
      /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await response.blob());
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), TIMEOUT);
  });
}

async function responseTo<T>(
  route: Route,
  takes: object,
  options: CallOptions & { accept?: string },
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { base, path } = route;
  const asked = visit.peek();
  const isSignedIn = token.peek() !== null;
  const { query = {}, body } = takes as Parts;
  const ids = takes as Record<string, string>;
  const filled = path.replace(/\{(\w+)\}/g, (_part, name: string) => encodeURIComponent(ids[name] ?? ''));
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '') given.set(name, String(value));
  pending.value++;
  try {
    const response = await send(
      route,
      `${base}${filled}${given.size === 0 ? '' : `?${given}`}`,
      body,
      options,
    );
    // A sign-in that is refused says so itself.
    if (response.status !== 401 || !isSignedIn || (path === '/sessions' && body !== undefined))
      return await read(response);
    refuse(asked);
    throw signInFailure(route, response, await response.json().catch(() => null));
  } finally {
    pending.value--;
  }
}

async function send(
  route: Route,
  path: string,
  body: unknown,
  {
    signal: aborted,
    ifMatch,
    idempotencyKey,
    keepalive = false,
    accept = 'application/json',
  }: CallOptions & { accept?: string },
): Promise<Response> {
  const limit = AbortSignal.timeout(TIMEOUT);
  try {
    return await fetch(path, {
      method: route.method,
      keepalive,
      headers: {
        ...authorization(),
        accept,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: aborted === undefined ? limit : AbortSignal.any([aborted, limit]),
    });
  } catch (error) {
    if (aborted?.aborted) throw error;
    throw new Failure(0, 'NO_RESPONSE', String(error), { route });
  }
}

type ErrorEnvelope = {
  error?: { code?: ErrorCode; message?: string; details?: ErrorDetails; requestId?: string };
};

/** The service's message is about headers, for programs; here the text is for a person who had signed in. */
function signInFailure(route: Route, response: Response, answer: ErrorEnvelope | null): Failure {
  const { status, code, requestId } = failureOf(route, response, answer);
  return new Failure(status, code, t('error.signIn'), { requestId, route, isWorded: true });
}

function failureOf(route: Route, response: Response, answer: ErrorEnvelope | null): Failure {
  const { code = 'INTERNAL_ERROR', message, details, requestId } = answer?.error ?? {};
  return new Failure(response.status, code, message ?? t('error.unreadable', { status: response.status }), {
    details,
    route,
    isWorded: message === undefined,
    requestId: requestId ?? response.headers.get('x-request-id'),
  });
}
