import { createHash, randomUUID } from 'node:crypto';
import { canonicalJson } from '../base/canonical-json.ts';
import { HOUR, type Instant, MINUTE } from '../base/clock.ts';
import { ApiError, throwIfInvalid } from '../base/errors.ts';
import type { Db, Tx } from '../db/connection.ts';
import { claimKey, type IdempotentRequest, releaseKey, storeResponse } from './idempotency-queries.ts';

/** Milliseconds for which a response is kept, and after which an unfinished request counts as abandoned. */
const RETENTION = 24 * HOUR;
const ABANDONED = 2 * MINUTE;

export type Answer = { status: number; body: string; replayed: boolean };

/** Faults of the header Idempotency-Key. */
export function keyFaults(key: unknown): string[] {
  if (key === undefined || /^[!-~]{1,255}$/.test(String(key))) return [];
  return ['Idempotency-Key must be 1 to 255 visible ASCII characters'];
}

/** Must call `record` with the response in the transaction of the work. */
export type RecordedWork = (record: (tx: Tx, answer: unknown) => Promise<void>) => Promise<unknown>;

/**
 * The Idempotency-Key of section 4 (docs/decisions/idempotency-key.md): the first response to a key is stored in the
 * transaction of the booking and sent again for RETENTION; refusals are stored after it, those that clients retry not
 * at all. Keys of the partner and of the operator are apart. Throws VALIDATION_ERROR (the key's form),
 * IDEMPOTENCY_KEY_CONFLICT (another body) and IDEMPOTENCY_KEY_IN_PROGRESS (the first request still runs).
 */
export async function withIdempotencyKey(
  db: Db,
  now: Instant,
  request: {
    partnerId: string;
    key: string;
    by: 'partner' | 'operator';
    body: unknown;
    /** The body of a refusal's response. */
    refusalBody(error: ApiError): unknown;
  },
  work: RecordedWork,
): Promise<Answer> {
  throwIfInvalid(keyFaults(request.key));
  const claim: IdempotentRequest = {
    partnerId: request.partnerId,
    key: request.by === 'partner' ? request.key : operatorsKey(request.key),
    // Independent of the order of fields.
    hash: createHash('sha256').update(canonicalJson(request.body)).digest(),
    owner: randomUUID(),
  };
  const stored = await claimKey(db, now, claim, {
    abandonedBefore: now - ABANDONED,
    expiresAt: now + RETENTION,
  });
  if (!stored.same_request) {
    throw new ApiError('IDEMPOTENCY_KEY_CONFLICT', 'The Idempotency-Key was used with another body');
  }
  if (stored.response_status !== null) {
    return { status: stored.response_status, body: stored.response_body!, replayed: true };
  }
  if (stored.owner !== claim.owner) throw inProgress();

  try {
    const answer = await work(async (tx, result) => {
      // Another request has taken the key over from this one, which counted as abandoned: roll back.
      if (!(await storeResponse(tx, claim, { status: 200, body: JSON.stringify(result) })))
        throw inProgress();
    });
    return { status: 200, body: JSON.stringify(answer), replayed: false };
  } catch (error) {
    if (error instanceof ApiError && !isRetryable(error)) {
      const body = JSON.stringify(request.refusalBody(error));
      await storeResponse(db, claim, { status: error.status, body });
    } else {
      await releaseKey(db, claim);
    }
    throw error;
  }
}

/** Refusals that are not stored: those that clients retry (section 7), and a key that was taken over. */
function isRetryable({ status, code }: ApiError): boolean {
  return (
    status >= 500 ||
    status === 429 ||
    code === 'BOOKING_CREATION_FAILED' ||
    code === 'HOLD_LIMIT_REACHED' ||
    code === 'IDEMPOTENCY_KEY_IN_PROGRESS'
  );
}

/** Partners cannot send it: it has a blank. */
const operatorsKey = (key: string): string => `operator ${createHash('sha256').update(key).digest('hex')}`;

function inProgress(): ApiError {
  return new ApiError(
    'IDEMPOTENCY_KEY_IN_PROGRESS',
    'The first request with this Idempotency-Key is still running',
  );
}
