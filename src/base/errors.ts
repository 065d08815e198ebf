/**
 * The closed set of error codes (contract, section 7; ours beside them, see docs/decisions) and the one error class,
 * which the HTTP edge turns into a response.
 */
export const ERROR_STATUS = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  INVALID_PARTNER_DOMAIN: 403,
  SANDBOX_DOMAIN_NOT_ALLOWED: 403,
  WEBHOOK_DOMAIN_NOT_ALLOWED: 403,
  RESOURCE_NOT_FOUND: 404,
  SERVICE_NOT_ALLOWED: 404,
  DUPLICATE_EXTERNAL_REFERENCE: 409,
  IDEMPOTENCY_KEY_CONFLICT: 409,
  IDEMPOTENCY_KEY_IN_PROGRESS: 409,
  HOLD_MISMATCH: 409,
  HOLD_CONSUMED: 409,
  HOLD_ENDED: 409,
  FEE_CHANGED: 409,
  CONFLICT: 409,
  BOOKING_CREATION_FAILED: 422,
  HOLD_LIMIT_REACHED: 422,
  BOOKING_ALREADY_CANCELLED: 422,
  BOOKING_NOT_PAYABLE: 422,
  PAYMENT_RESPONSIBILITY_MISMATCH: 422,
  PAYMENT_ALREADY_CONFIRMED: 422,
  BOOKING_NOT_EDITABLE: 422,
  BOOKING_APPOINTMENT_NOT_FOUND: 422,
  INVALID_TRANSITION: 422,
  WEBHOOK_LIMIT_REACHED: 422,
  DELIVERY_NOT_RETRYABLE: 422,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;
export type ErrorDetails = Record<string, unknown>;

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ErrorDetails;

  constructor(
    code: ErrorCode,
    message: string,
    details: ErrorDetails = {},
    status: number = ERROR_STATUS[code],
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

/**
 * 400 `VALIDATION_ERROR` with every message, in the shape of section 7. `hints` say what to do; they are separate,
 * because clients compare the messages.
 */
export function validationError(messages: readonly string[], hints: readonly string[] = []): ApiError {
  return new ApiError('VALIDATION_ERROR', 'The request is not valid', {
    message: messages,
    statusCode: 400,
    error: 'Bad Request',
    ...(hints.length > 0 && { hints }),
  });
}

/** 400: the partner's address has no coordinates, so it cannot be booked (sections 4.2, 4.4). */
export function addressWithoutCoordinates(): ApiError {
  return validationError(
    ['addressId must belong to an address with coordinates'],
    ['addressId: send latitude and longitude to POST /partners/contacts and use the addressId it answers'],
  );
}

/** 404 `RESOURCE_NOT_FOUND`; `what` starts the sentence: `Booking not found`. */
export function notFound(what: string, hints: readonly string[] = []): ApiError {
  return new ApiError('RESOURCE_NOT_FOUND', `${what} not found`, {
    resource: what.toLowerCase(),
    ...(hints.length > 0 && { hints }),
  });
}

/** The anchor of the code in docs/errors.md. */
export function errorAnchor(code: ErrorCode): string {
  return code.toLowerCase().replaceAll('_', '-');
}

/** `details.reason` of every `CONFLICT`: a closed set in the code, open for clients. */
export const CONFLICT_REASONS = [
  'NAME_TAKEN',
  'CODE_TAKEN',
  'IN_USE',
  'STALE',
  'ZONES_OVERLAP',
  'TIERS_OVERLAP',
  'ADDRESS_EXISTS',
  'REFERENCE_TAKEN',
  'OPEN_BOOKINGS',
  'POLICY_ASSIGNED',
  'PARTNER_SUSPENDED',
  'NOT_AFFECTED',
  'RUN_UNDER_WAY',
  'NO_CANCELLATION_REASON',
  'REQUEST_OPEN',
  'OTHER_ZONE',
] as const;
export type ConflictReason = (typeof CONFLICT_REASONS)[number];

/** 409 `CONFLICT`, with the reason in its details; IN_USE counts the users (`details.usedBy`). */
export function conflict(reason: ConflictReason, message: string, details: ErrorDetails = {}): ApiError {
  return new ApiError('CONFLICT', message, { reason, ...details });
}

/** The resource, or 404 `RESOURCE_NOT_FOUND`; `what` starts the sentence: `Zone not found`. */
export async function orNotFound<Row>(row: Promise<Row | null>, what: string): Promise<Row> {
  const found = await row;
  if (found === null) throw notFound(what);
  return found;
}

/** Throws VALIDATION_ERROR when there are messages. */
export function throwIfInvalid(faults: readonly string[]): void {
  if (faults.length > 0) throw validationError([...faults]);
}
