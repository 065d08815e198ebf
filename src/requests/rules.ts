import type { Instant } from '../base/clock.ts';
import type { ErrorCode } from '../base/errors.ts';

/** A request in the log. */
export type LoggedRequest = {
  /** The position in the log: `4811`. */
  id: string;
  /** When it was answered, business time. */
  at: Instant;
  requestId: string;
  partnerId: string;
  keyId: string;
  method: string;
  /** The route's pattern; null: unknown route. */
  route: string | null;
  /** As sent, masked: with its query in a sandbox; in production without it, and only of unknown routes. */
  path: string | null;
  status: number;
  code: ErrorCode | null;
  message: string | null;
  /** The check that refused it, as `error.details.check`. */
  check: string | null;
  /** The reason of that check; for a 401 one that the response does not reveal (`WhyRefused` in partners/key-rules.ts). */
  reason: string | null;
  hints: readonly string[];
  /** Unknown query parameters, masked and limited. */
  ignoredParameters: readonly string[];
  /** The rest of `error.details`, masked; null: nothing more, or too long. */
  details: Record<string, unknown> | null;
  /** From the first byte of the request to the end of the response. */
  durationMs: number;
  /** The booking in the path or the response. */
  bookingId: string | null;
  userAgent: string | null;
};

/** Texts of JSON, masked; null: none, or not JSON. */
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

/** A buffered request, with the JSON texts of its details and, in a sandbox, its bodies. */
export type NewRequest = Omit<LoggedRequest, 'id' | 'details'> & {
  details: string | null;
  bodies: string | null;
};

/** Characters of a body that are kept, as the API documents; and of its text with masks and brackets. */
export const MAX_BODY = 4 * 1024;
export const MAX_BODY_TEXT = 16 * 1024;
/** Characters of error.details as JSON. */
export const MAX_DETAILS = 2_000;
export const MAX_PATH = 500;
export const MAX_USER_AGENT = 200;
/** Ignored query parameters that are stored, and characters of a name. */
export const MAX_IGNORED = 20;
export const MAX_PARAMETER = 100;

/**
 * The checks before the limit of the key, and that limit itself: requests refused by one of these do not count for it.
 */
export const UNCOUNTED_CHECKS = ['https', 'key', 'address', 'rate-limit', 'failed-authentications'];

/** The text without characters that PostgreSQL cannot store: NUL, and lone surrogates. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}
