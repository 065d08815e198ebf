import type { ResponseInfo } from './call.ts';
import type { ErrorCode, ErrorDetails } from './contract.ts';

/** The required details of an error, by its code. */
type Certain = {
  VALIDATION_ERROR: 'message' | 'statusCode' | 'error';
  DUPLICATE_EXTERNAL_REFERENCE: 'externalReference';
  BOOKING_CREATION_FAILED: 'reason' | 'alternatives';
  FEE_CHANGED: 'quote';
  HOLD_CONSUMED: 'bookingId';
  RATE_LIMIT_EXCEEDED: 'limit' | 'window' | 'retryAfter';
};

/** The details of an error with this code. */
export type DetailsOf<Code extends ErrorCode> = Code extends keyof Certain
  ? ErrorDetails & { [Name in Certain[Code]]: Exclude<ErrorDetails[Name], undefined> }
  : ErrorDetails;

/** The service responded with an error. Branch on `code`; this version may not know every code. */
export class PartnerBookingError extends Error {
  override readonly name: string = 'PartnerBookingError';
  readonly code: ErrorCode | (string & {});
  /** The HTTP status. */
  readonly status: number;
  readonly details: ErrorDetails;
  /** The operator finds the request by it. */
  readonly requestId: string;
  readonly response: ResponseInfo;

  /** `operation` is the called method, such as `bookings.create`. */
  constructor(
    operation: string,
    refusal: { code: string; message: string; details: ErrorDetails; requestId: string },
    response: ResponseInfo,
  ) {
    const { code, message, details, requestId } = refusal;
    // Of VALIDATION_ERROR: each invalid field.
    const faults = Array.isArray(details.message) ? details.message.filter((fault) => fault !== message) : [];
    const text = [message, ...faults].filter((part) => part !== '').join('; ');
    super(`${operation} was refused with ${response.status} ${code}: ${text} (request ${requestId})`);
    this.code = code;
    this.status = response.status;
    this.details = details;
    this.requestId = requestId;
    this.response = response;
  }
}

/**
 * No response, or only a part of one: `cause` says why. Whether the service has processed the request is not known,
 * unless the operation only reads.
 */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError';
  readonly requestId: string;

  constructor(message: string, requestId: string, options?: { cause?: unknown }) {
    super(`${message}${causeOf(options?.cause)} (request ${requestId})`, options);
    this.requestId = requestId;
  }
}

/** No complete response in time; as unclear as any other ConnectionError. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';

  constructor(operation: string, timeoutMs: number, requestId: string) {
    super(`${operation} got no complete answer within ${timeoutMs} ms`, requestId);
  }
}

/**
 * A response that is not the service's: a proxy's page, a redirect, another program at this address, a page of a list that
 * leads nowhere.
 */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError';
  /** The HTTP status; 0 where the platform hides a redirect. */
  readonly status: number;
  /** The beginning of the body. */
  readonly text: string;
  readonly requestId: string;
  readonly response: ResponseInfo;

  /** `problem`: instead of the status and the beginning of the body. */
  constructor(operation: string, text: string, response: ResponseInfo, problem?: string) {
    const begins = text.slice(0, 80).replace(/\s+/g, ' ').trim();
    const body = begins === '' ? 'an empty body' : `a body that begins with ${JSON.stringify(begins)}`;
    super(
      `${operation} got an answer that is not the service's: ${problem ?? `status ${response.status}, ${body}`} ` +
        `(request ${response.requestId})`,
    );
    this.status = response.status;
    this.text = text.slice(0, 500);
    this.requestId = response.requestId;
    this.response = response;
  }
}

/** Fetch reports only that it failed; the causes of its error say why. */
function causeOf(cause: unknown): string {
  const messages: string[] = [];
  for (let one = cause; one instanceof Error && messages.length < 5; one = one.cause) {
    const { code } = one as { code?: unknown };
    // An error of several addresses has a code and no message.
    const message = one.message || (typeof code === 'string' ? code : one.name);
    if (!messages.includes(message)) messages.push(message);
  }
  return messages.map((message) => `: ${message}`).join('');
}

/**
 * Whether it is an error with this code; narrows the type of its details. Also true for errors of another copy of this
 * package.
 */
export function isCode<Code extends ErrorCode>(
  error: unknown,
  code: Code,
): error is PartnerBookingError & { code: Code; details: DetailsOf<Code> } {
  return (
    error instanceof Error && error.name === 'PartnerBookingError' && 'code' in error && error.code === code
  );
}
