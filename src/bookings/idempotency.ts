import { createHash, randomUUID } from 'node:crypto';
import { HOUR, type Instant, MINUTE } from '../clock.ts';
import { ApiError, validationError } from '../errors.ts';
import type { Db, Tx } from '../platform/db.ts';
import { errorEnvelope } from '../platform/http.ts';
import { claimKey, type IdempotentRequest, releaseKey, storeAnswer } from './idempotency-queries.ts';

/** How long an answer is kept, and after how much silence an unanswered request counts as dead. */
const KEPT = 24 * HOUR;
const ABANDONED = 2 * MINUTE;

export type Answer = { status: number; body: string; replayed: boolean };

/** Does the work; must call `record` with the answer in the transaction that does it. */
export type RecordedWork = (record: (tx: Tx, answer: unknown) => Promise<void>) => Promise<unknown>;

/**
 * The Idempotency-Key of section 4, as docs/decisions/idempotency-key.md has it: the first answer to a key is stored
 * with the booking itself, in one transaction, and answered again for 24 hours; refusals are stored after the
 * fact, 5xx and 429 not at all. Throws VALIDATION_ERROR (the key's form), IDEMPOTENCY_KEY_CONFLICT (another body)
 * and IDEMPOTENCY_KEY_IN_PROGRESS (the first request still runs).
 */
export async function withIdempotencyKey(
  db: Db,
  now: Instant,
  request: { partnerId: string; key: string; body: unknown; requestId: string; docsUrl: string },
  work: RecordedWork,
): Promise<Answer> {
  if (!/^[!-~]{1,255}$/.test(request.key)) {
    throw validationError(['Idempotency-Key must be 1 to 255 visible ASCII characters']);
  }
  const claim: IdempotentRequest = {
    partnerId: request.partnerId,
    key: request.key,
    hash: createHash('sha256').update(canonical(request.body)).digest(),
    owner: randomUUID(),
  };
  const stored = await claimKey(db, now, claim, now - ABANDONED, now + KEPT);
  if (!stored.same_request) {
    throw new ApiError('IDEMPOTENCY_KEY_CONFLICT', 'The Idempotency-Key was used with another body');
  }
  if (stored.response_status !== null) {
    return { status: stored.response_status, body: stored.response_body!, replayed: true };
  }
  if (stored.owner !== claim.owner) throw inProgress();

  try {
    const answer = await work(async (tx, result) => {
      // Somebody took over because this request was silent for too long: theirs counts, this one is undone.
      if (!(await storeAnswer(tx, claim, { status: 200, body: JSON.stringify(result) }))) throw inProgress();
    });
    return { status: 200, body: JSON.stringify(answer), replayed: false };
  } catch (error) {
    if (error instanceof ApiError && error.status < 500 && error.code !== 'IDEMPOTENCY_KEY_IN_PROGRESS') {
      const body = JSON.stringify(errorEnvelope(error, request.requestId, request.docsUrl));
      await storeAnswer(db, claim, { status: error.status, body });
    } else {
      await releaseKey(db, claim);
    }
    throw error;
  }
}

function inProgress(): ApiError {
  return new ApiError(
    'IDEMPOTENCY_KEY_IN_PROGRESS',
    'The first request with this Idempotency-Key is still running',
  );
}

/** JSON with sorted keys: the same request in another order of fields is the same request. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item) =>
    item !== null && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
