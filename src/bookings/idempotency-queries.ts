import type { Instant } from '../base/clock.ts';
import type { Db, Queryable, Tx } from '../db/connection.ts';
import { first, hotStatement, pg, type Row, rows } from '../db/statement.ts';
import { instant, rowsOf, tablesOf } from '../db/tables.ts';
import type { IdempotencyKeyTable } from './table.ts';

const tables = tablesOf<{ idempotency_keys: IdempotencyKeyTable }>();

export type IdempotentRequest = { partnerId: string; key: string; hash: Buffer; owner: string };

export const CLAIM_IDEMPOTENCY_KEY = hotStatement({
  name: 'claim-idempotency-key',
  takes: {
    partnerId: pg.uuid,
    key: pg.text,
    hash: pg.bytea,
    owner: pg.uuid,
    now: pg.timestamptz,
    abandonedBefore: pg.timestamptz,
    expiresAt: pg.timestamptz,
  },
  returns: {
    owner: pg.uuid,
    same_request: pg.boolean,
    response_status: pg.nullable(pg.int),
    response_body: pg.nullable(pg.text),
  },
  text: `
    insert into idempotency_keys as k (partner_id, key, request_hash, owner, claimed_at, expires_at)
    values (:partnerId, :key, :hash, :owner, :now, :expiresAt)
    on conflict (partner_id, key) do update set
      request_hash = case when k.expires_at <= :now then excluded.request_hash else k.request_hash end,
      response_status = case when k.expires_at <= :now then null else k.response_status end,
      response_body = case when k.expires_at <= :now then null else k.response_body end,
      owner = case when k.expires_at <= :now
        or (k.response_status is null and k.claimed_at <= :abandonedBefore
          and k.request_hash = excluded.request_hash)
        then excluded.owner else k.owner end,
      claimed_at = case when k.expires_at <= :now
        or (k.response_status is null and k.claimed_at <= :abandonedBefore
          and k.request_hash = excluded.request_hash)
        then excluded.claimed_at else k.claimed_at end,
      expires_at = case when k.expires_at <= :now then excluded.expires_at else k.expires_at end
    returning owner, request_hash = :hash as same_request, response_status, response_body`,
});
export type StoredRequest = Row<typeof CLAIM_IDEMPOTENCY_KEY>;

/**
 * Claims the key for the request, or returns the request that has it. A key is free when it is new, has expired, or its
 * request was the same and is unanswered since before `abandonedBefore`.
 */
export async function claimKey(
  db: Db,
  now: Instant,
  request: IdempotentRequest,
  times: { abandonedBefore: Instant; expiresAt: Instant },
): Promise<StoredRequest> {
  return (await first(db, CLAIM_IDEMPOTENCY_KEY, { ...request, ...times, now }))!;
}

export const STORE_RESPONSE = hotStatement({
  name: 'store-idempotent-response',
  takes: { partnerId: pg.uuid, key: pg.text, owner: pg.uuid, status: pg.int, body: pg.text },
  returns: { key: pg.text },
  text: `
    update idempotency_keys set response_status = :status, response_body = :body
    where partner_id = :partnerId and key = :key and owner = :owner and response_status is null returning key`,
});

/** Stores the response; false: another request has taken the key over, and nothing is stored. */
export async function storeResponse(
  db: Queryable | Tx,
  { partnerId, key, owner }: IdempotentRequest,
  response: { status: number; body: string },
): Promise<boolean> {
  return (await rows(db, STORE_RESPONSE, { partnerId, key, owner, ...response })).length === 1;
}

/** Releases the key without a response: a retry may succeed. */
export async function releaseKey(db: Db, { partnerId, key, owner }: IdempotentRequest): Promise<void> {
  const query = tables
    .deleteFrom('idempotency_keys')
    .where('partner_id', '=', partnerId)
    .where('key', '=', key)
    .where('owner', '=', owner)
    .where('response_status', 'is', null);
  await rowsOf(db, query);
}

/** Deletes expired keys; returns their number. */
export async function deleteExpiredKeys(db: Db, now: Instant): Promise<number> {
  const query = tables.deleteFrom('idempotency_keys').where('expires_at', '<=', instant(now));
  return (await rowsOf(db, query.returning('key'))).length;
}
