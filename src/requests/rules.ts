import type { Instant } from '../base/clock.ts';
import type { ErrorCode } from '../base/errors.ts';

/** What is kept of a request. */
export type LoggedRequest = {
  /** Of the log itself: its batch and its place in that, as `481-12`. */
  id: string;
  /** When it was answered, business time. */
  at: Instant;
  requestId: string;
  partnerId: string;
  keyId: string;
  method: string;
  /** The route's pattern; null: there is none. */
  route: string | null;
  /** As it was sent, masked: with its query in a sandbox, without and of unknown routes only in production. */
  path: string | null;
  status: number;
  code: ErrorCode | null;
  message: string | null;
  /** Which check refused it, as `error.details.check` says. */
  check: string | null;
  /** What that check said; of a 401 what the public is not told (Refused in partners/rules.ts). */
  reason: string | null;
  hints: readonly string[];
  /** Names of query parameters that nothing read, masked; a few at most. */
  ignoredParameters: readonly string[];
  /** `error.details` without what is above, masked; null: nothing more, or too much. */
  details: Record<string, unknown> | null;
  /** From the first byte of the request to the end of the answer. */
  durationMs: number;
  /** The booking in the path or the answer. */
  bookingId: string | null;
  userAgent: string | null;
};

/** Texts of JSON, masked; null: there was none, or it was no JSON. */
export type Bodies = {
  request: string | null;
  response: string | null;
  requestCut: boolean;
  responseCut: boolean;
};

export type LoggedExchange = LoggedRequest & {
  /** Of a sandbox; null: production. */
  bodies: Bodies | null;
};

/** What waits to be written: the request and, in a sandbox, its bodies. */
export type NewEntry = Omit<LoggedRequest, 'id'> & { bodies: Bodies | null };

export type RequestFilter = {
  partnerId?: string;
  /** The id or its beginning. */
  requestId?: string;
  status?: number;
  /** The first digit; `refused`: 400 and above. */
  statusClass?: 2 | 3 | 4 | 5 | 'refused';
  code?: string;
  keyId?: string;
  method?: string;
  /** The pattern; with `method` it is found faster. */
  route?: string;
  bookingId?: string;
  /** From this instant on. */
  from?: Instant;
  /** Before this instant. */
  to?: Instant;
};

/** Is it one of those that are looked for? */
export function matches(request: LoggedRequest, filter: RequestFilter): boolean {
  const { requestId, status, statusClass, code, keyId, method, route, bookingId, from, to } = filter;
  return (
    (requestId === undefined || request.requestId.startsWith(requestId)) &&
    (status === undefined || request.status === status) &&
    (statusClass === undefined ||
      (statusClass === 'refused'
        ? request.status >= 400
        : Math.floor(request.status / 100) === statusClass)) &&
    (code === undefined || request.code === code) &&
    (keyId === undefined || request.keyId === keyId) &&
    (method === undefined || request.method === method) &&
    (route === undefined || request.route === route) &&
    (bookingId === undefined || request.bookingId === bookingId) &&
    (from === undefined || request.at >= from) &&
    (to === undefined || request.at < to)
  );
}

/** Characters of a body; the interface promises 16 KiB. */
export const MAX_BODY = 16 * 1024;
/** Characters of error.details as JSON. */
export const MAX_DETAILS = 2_000;
export const MAX_PATH = 500;
export const MAX_USER_AGENT = 200;
/** Ignored query parameters of a request that are kept, and characters of a name. */
export const MAX_IGNORED = 20;
export const MAX_PARAMETER = 100;

const ID = /^([1-9]\d{0,15})-(0|[1-9]\d{0,3})$/;

/** The batch and the place of an id; null: it is none of ours. */
export function parseId(id: string): { batch: number; place: number } | null {
  const [, batch, place] = ID.exec(id) ?? [];
  return batch === undefined || place === undefined ? null : { batch: Number(batch), place: Number(place) };
}

/** The id of a request: of its batch, and its place in it. */
export function formatId(batch: number, place: number): string {
  return `${batch}-${place}`;
}

/** What is refused before the limit is counted, or by it. */
const UNCOUNTED: ReadonlySet<string | null> = new Set([
  'https',
  'key',
  'address',
  'rate-limit',
  'failed-authentications',
]);

/** Does the limit of its key count the request? */
export function countsForLimit({ check }: Pick<LoggedRequest, 'check'>): boolean {
  return !UNCOUNTED.has(check);
}

/** How many requests that its limit counts each key made in which seconds of the epoch. */
export type SecondCounts = Record<string, readonly (readonly [second: number, count: number])[]>;

/** Requests of a key within 60 successive seconds, and when those began. */
export type Peak = { keyId: string; requests: number; from: Instant };

/** The most requests of each key in any 60 successive whole seconds. */
export function peaksOf(batches: readonly SecondCounts[]): Peak[] {
  const byKey = new Map<string, Map<number, number>>();
  for (const batch of batches) {
    for (const [keyId, counts] of Object.entries(batch)) {
      const seconds = byKey.get(keyId) ?? new Map<number, number>();
      byKey.set(keyId, seconds);
      for (const [second, count] of counts) seconds.set(second, (seconds.get(second) ?? 0) + count);
    }
  }
  return [...byKey].map(([keyId, seconds]) => ({ keyId, ...peakOf([...seconds]) }));
}

function peakOf(seconds: [second: number, count: number][]): { requests: number; from: Instant } {
  seconds.sort(([a], [b]) => a - b);
  let most = { requests: 0, from: 0 };
  let sum = 0;
  let first = 0;
  for (const [second, count] of seconds) {
    sum += count;
    for (let oldest = seconds[first]; oldest !== undefined && oldest[0] <= second - 60; ) {
      sum -= oldest[1];
      first++;
      oldest = seconds[first];
    }
    if (sum > most.requests) most = { requests: sum, from: seconds[first]![0] * 1000 };
  }
  return most;
}
