import { type Instant, toUtcIso } from '../clock.ts';
import type { Db, Queryable, Tx } from '../platform/db.ts';

export type StoredRequest = {
  owner: string;
  same_request: boolean;
  response_status: number | null;
  response_body: string | null;
};

export type IdempotentRequest = { partnerId: string; key: string; hash: Buffer; owner: string };

/**
 * Claims the key for the request, or answers who has it. A key is free when it is new, has expired, or its request
 * was the same, never answered and has been silent since `abandonedBefore`.
 */
export async function claimKey(
  db: Db,
  now: Instant,
  request: IdempotentRequest,
  abandonedBefore: Instant,
  expiresAt: Instant,
): Promise<StoredRequest> {
  const row = await db.first<StoredRequest>({
    text: `
      insert into idempotency_keys as k (partner_id, key, request_hash, owner, claimed_at, expires_at)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (partner_id, key) do update set
        request_hash = case when k.expires_at <= $5 then excluded.request_hash else k.request_hash end,
        response_status = case when k.expires_at <= $5 then null else k.response_status end,
        response_body = case when k.expires_at <= $5 then null else k.response_body end,
        owner = case when k.expires_at <= $5
          or (k.response_status is null and k.claimed_at <= $7 and k.request_hash = excluded.request_hash)
          then excluded.owner else k.owner end,
        claimed_at = case when k.expires_at <= $5
          or (k.response_status is null and k.claimed_at <= $7 and k.request_hash = excluded.request_hash)
          then excluded.claimed_at else k.claimed_at end,
        expires_at = case when k.expires_at <= $5 then excluded.expires_at else k.expires_at end
      returning owner, request_hash = $3 as same_request, response_status, response_body`,
    values: [
      request.partnerId,
      request.key,
      request.hash,
      request.owner,
      toUtcIso(now),
      toUtcIso(expiresAt),
      toUtcIso(abandonedBefore),
    ],
  });
  return row!;
}

/** Stores the answer; false: another request has taken the key over, and nothing is stored. */
export async function storeAnswer(
  db: Queryable | Tx,
  request: IdempotentRequest,
  answer: { status: number; body: string },
): Promise<boolean> {
  const rows = await db.rows({
    text: `
      update idempotency_keys set response_status = $4, response_body = $5
      where partner_id = $1 and key = $2 and owner = $3 and response_status is null returning 1`,
    values: [request.partnerId, request.key, request.owner, answer.status, answer.body],
  });
  return rows.length === 1;
}

/** Gives the key back unanswered: the request failed in a way that a retry may mend. */
export async function releaseKey(db: Db, request: IdempotentRequest): Promise<void> {
  await db.rows({
    text: `
      delete from idempotency_keys
      where partner_id = $1 and key = $2 and owner = $3 and response_status is null`,
    values: [request.partnerId, request.key, request.owner],
  });
}

/** Deletes expired keys; answers how many. */
export async function deleteExpiredKeys(db: Db, now: Instant): Promise<number> {
  const rows = await db.rows({
    text: 'delete from idempotency_keys where expires_at <= $1 returning 1',
    values: [toUtcIso(now)],
  });
  return rows.length;
}
