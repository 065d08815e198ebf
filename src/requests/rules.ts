import type { Instant } from '../base/clock.ts';
import type { ErrorCode } from '../base/errors.ts';

/** A request in the log. */
export type LoggedRequest = {
  /** Of the log itself, in the order of writing: `4811`. */
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

/** A request that waits to be written, with the JSON texts of its details and, in a sandbox, its bodies. */
export type NewRequest = Omit<LoggedRequest, 'id' | 'details'> & {
  details: string | null;
  bodies: string | null;
};

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
  /** The pattern. */
  route?: string;
  bookingId?: string;
  /** From this instant on. */
  from?: Instant;
  /** Before this instant. */
  to?: Instant;
};

/** Characters of a body; the interface promises 16 KiB. */
export const MAX_BODY = 16 * 1024;
/** Characters of error.details as JSON. */
export const MAX_DETAILS = 2_000;
export const MAX_PATH = 500;
export const MAX_USER_AGENT = 200;
/** Ignored query parameters of a request that are kept, and characters of a name. */
export const MAX_IGNORED = 20;
export const MAX_PARAMETER = 100;

/** The checks before the limit of the key, and that limit: a request that one of these refused is not counted by it. */
export const UNCOUNTED_CHECKS = ['https', 'key', 'address', 'rate-limit', 'failed-authentications'];

/** The text without what PostgreSQL cannot keep: NUL, and halves of surrogate pairs. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}
