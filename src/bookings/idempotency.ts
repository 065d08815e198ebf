import { createHash, randomUUID } from 'node:crypto';
import { canonicalJson } from '../base/canonical-json.ts';
import { HOUR, type Instant, MINUTE } from '../base/clock.ts';
import { ApiError, throwIfInvalid } from '../base/errors.ts';
import type { Db, Tx } from '../db/connection.ts';
import { claimKey, type IdempotentRequest, releaseKey, storeResponse } from './idempotency-queries.ts';

/** How long a response is kept, and after how long an unfinished request counts as abandoned. */
const RETENTION = 24 * HOUR;
const ABANDONED = 2 * MINUTE;

export type Answer = { status: number; body: string; replayed: boolean };

/** What is wrong with an Idempotency-Key as it was sent. */
export function keyFaults(key: unknown): string[] {
  if (key === undefined || /^[!-~]{1,255}$/.test(String(key))) return [];
  return ['Idempotency-Key must be 1 to 255 visible ASCII characters'];
}

/** Does the work; must call `record` with the response in the same transaction. */
export type RecordedWork = (record: (tx: Tx, answer: unknown) => Promise<void>) => Promise<unknown>;

/**
 * The Idempotency-Key of section 4, as docs/decisions/idempotency-key.md has it: the first response to a key is stored
 * with the booking itself, in one transaction, and sent again for 24 hours; refusals are stored after the
 * fact, those that are to be retried not at all. Throws VALIDATION_ERROR (the key's form), IDEMPOTENCY_KEY_CONFLICT (another body)
 * and IDEMPOTENCY_KEY_IN_PROGRESS (the first request still runs). Keys of the partner and of the operator are apart.
 */
export async function withIdempotencyKey(
  db: Db,
  now: Instant,
  request: {
    partnerId: string;
    key: string;
    by: 'partner' | 'operator';
    body: unknown;
    /** The response that a refusal is sent as. */
    refusalBody(error: ApiError): unknown;
  },
  work: RecordedWork,
): Promise<Answer> {
  throwIfInvalid(keyFaults(request.key));
  const claim: IdempotentRequest = {
    partnerId: request.partnerId,
    key: request.by === 'partner' ? request.key : operatorsKey(request.key),
    // The same request in another order of fields is the same request.
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
      // Another request took over because this one was silent for too long: that one counts, this one is undone.
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

/** Another try may end otherwise: what section 7 has clients retry, and a key that another request has taken over. */
function isRetryable({ status, code }: ApiError): boolean {
  return (
    status >= 500 ||
    status === 429 ||
    code === 'BOOKING_CREATION_FAILED' ||
    code === 'IDEMPOTENCY_KEY_IN_PROGRESS'
  );
}

/** No partner can send it: it has a blank. */
const operatorsKey = (key: string): string => `operator ${createHash('sha256').update(key).digest('hex')}`;

function inProgress(): ApiError {
  return new ApiError(
    'IDEMPOTENCY_KEY_IN_PROGRESS',
    'The first request with this Idempotency-Key is still running',
  );
}
