import type { Instant } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import { touchStatement } from '../db/last-times.ts';
import { first, hotStatement, pg, type Row, rows } from '../db/statement.ts';
import type { KeyStatus, Permission } from './key-rules.ts';
import type { PaymentResponsibility } from './rules.ts';
import type { PartnerRow } from './table.ts';

export const FIND_ACCESS = hotStatement({
  name: 'find-access',
  takes: { keyHash: pg.text },
  returns: {
    key_id: pg.uuid,
    partner_id: pg.uuid,
    partner_name: pg.text,
    payment_responsibility: pg.typed<PaymentResponsibility>(pg.text),
    permissions: pg.typed<Permission[]>(pg.texts),
    ip_allowlist: pg.texts,
    valid_until: pg.nullable(pg.timestamptz),
    rate_limit_per_minute: pg.nullable(pg.int),
    allowed_domains: pg.texts,
    sandbox_domains: pg.texts,
    require_https_webhooks: pg.boolean,
    tracking_page: pg.boolean,
  },
  text: `
    select k.id as key_id, p.id as partner_id, p.name as partner_name, p.payment_responsibility, k.permissions,
      k.ip_allowlist, p.rate_limit_per_minute, p.allowed_domains, p.sandbox_domains, p.require_https_webhooks,
      p.tracking_page,
      case when k.hash = decode(:keyHash, 'hex') then k.expires_at
        else least(k.expires_at, k.previous_expires_at) end as valid_until
    from api_keys k join partners p on p.id = k.partner_id
    where (k.hash = decode(:keyHash, 'hex') or k.previous_hash = decode(:keyHash, 'hex'))
      and k.status = 'ACTIVE' and p.status = 'ACTIVE'`,
});
export type AccessRow = Row<typeof FIND_ACCESS>;

/** The access of the key with this SHA-256 (hex), when key and partner are active; else null. */
export function findAccess(db: Queryable, keyHash: string): Promise<AccessRow | null> {
  return first(db, FIND_ACCESS, { keyHash });
}

export const LIST_FINGERPRINTS = hotStatement({
  name: 'list-fingerprints',
  takes: { now: pg.timestamptz },
  returns: { fingerprints: pg.nullable(pg.bytea) },
  text: `
    select string_agg(substring(known.hash from 1 for 8), ''::bytea) as fingerprints
    from api_keys k join partners p on p.id = k.partner_id,
      lateral (values (k.hash, k.expires_at), (k.previous_hash, least(k.expires_at, k.previous_expires_at)))
        known (hash, ends_at)
    where k.status = 'ACTIVE' and p.status = 'ACTIVE' and known.hash is not null
      and (known.ends_at is null or known.ends_at > :now)`,
});

/** The first 8 bytes of the hashes of all keys that are valid now or later, concatenated. */
export async function listFingerprints(db: Queryable, now: Instant): Promise<Buffer> {
  return (await first(db, LIST_FINGERPRINTS, { now }))?.fingerprints ?? Buffer.alloc(0);
}

export const FIND_KNOWN_KEYS = hotStatement({
  name: 'find-known-keys',
  takes: { hashes: pg.texts },
  returns: {
    hash: pg.text,
    id: pg.uuid,
    partner_id: pg.uuid,
    partner_status: pg.typed<PartnerRow['status']>(pg.text),
    status: pg.typed<KeyStatus>(pg.text),
    expires_at: pg.nullable(pg.timestamptz),
    replaced_at: pg.nullable(pg.timestamptz),
  },
  text: `
    select encode(asked.hash, 'hex') as hash, k.id, k.partner_id, p.status as partner_status, k.status, k.expires_at,
      case when k.hash = asked.hash then null else k.previous_expires_at end as replaced_at
    from (select decode(one, 'hex') as hash from unnest(:hashes::text[]) as one) asked,
      lateral (
        select * from api_keys where hash = asked.hash union all select * from api_keys where previous_hash = asked.hash
      ) k join partners p on p.id = k.partner_id`,
});
export type KnownKeyRow = Row<typeof FIND_KNOWN_KEYS>;

/** The existing keys with these SHA-256 (hex), valid or not. */
export function findKnownKeys(db: Queryable, hashes: readonly string[]): Promise<KnownKeyRow[]> {
  return rows(db, FIND_KNOWN_KEYS, { hashes: [...hashes] });
}

export const TOUCH_KEYS = touchStatement('touch-keys', 'api_keys', 'last_used_at');
