import type { ErrorCode, ErrorDetails } from './contract.ts';

/** What is always there, of the details of a refusal, by its code. */
type Certain = {
  VALIDATION_ERROR: 'message' | 'statusCode' | 'error';
  DUPLICATE_EXTERNAL_REFERENCE: 'externalReference';
  BOOKING_CREATION_FAILED: 'reason' | 'alternatives';
  RATE_LIMIT_EXCEEDED: 'limit' | 'window' | 'retryAfter';
};

/** The details of an error with this code. */
export type DetailsOf<Code extends ErrorCode> = Code extends keyof Certain
  ? ErrorDetails & Required<Pick<ErrorDetails, Certain[Code]>>
  : ErrorDetails;

/** The service answered, and refused. Branch on `code`; codes that this version does not know may come. */
export class PartnerBookingError extends Error {
  override readonly name: string = 'PartnerBookingError';
  readonly code: ErrorCode | (string & {});
  /** Of HTTP. */
  readonly status: number;
  readonly details: ErrorDetails;
  /** What the operator finds the request by. */
  readonly requestId: string;

  constructor(
    refusal: { code: string; message: string; details: ErrorDetails; requestId: string },
    status: number,
  ) {
    super(`${refusal.code}: ${refusal.message} (request ${refusal.requestId})`);
    this.code = refusal.code;
    this.status = status;
    this.details = refusal.details;
    this.requestId = refusal.requestId;
  }
}

/**
 * No answer, or only a part of one: `cause` says why. Whether the service did what it was asked is not known, unless
 * the operation only reads.
 */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError';
  readonly requestId: string;

  constructor(message: string, requestId: string, options?: { cause?: unknown }) {
    super(`${message} (request ${requestId})`, options);
    this.requestId = requestId;
  }
}

/** No complete answer in time; as unclear as any other ConnectionError. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';

  constructor(timeoutMs: number, requestId: string) {
    super(`No complete answer within ${timeoutMs} ms`, requestId);
  }
}

/** An answer that is not the service's: a proxy's page, a redirect, another program at this address. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError';
  /** Of HTTP; 0 where the platform hides a redirect. */
  readonly status: number;
  /** The beginning of the body. */
  readonly text: string;
  readonly requestId: string;

  constructor(status: number, text: string, requestId: string) {
    super(`The answer with status ${status} is not one of the service (request ${requestId})`);
    this.status = status;
    this.text = text.slice(0, 500);
    this.requestId = requestId;
  }
}

/** Is it a refusal with this code? Its details are then typed. */
export function isCode<Code extends ErrorCode>(
  error: unknown,
  code: Code,
): error is PartnerBookingError & { code: Code; details: DetailsOf<Code> } {
  return error instanceof PartnerBookingError && error.code === code;
}
