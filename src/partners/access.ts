import type { Instant } from '../clock.ts';
import type { Db } from '../platform/db.ts';
import { addressList } from '../platform/proxies.ts';
import type { VersionWatch } from '../platform/versions.ts';
import { type AccessRow, findAccess, type PaymentResponsibility, touchKeys } from './queries.ts';
import { hashKey, isWellFormedKey, type Permission } from './rules.ts';

/** What a key opens, ready for the guard. */
export type Access = {
  keyId: string;
  partnerId: string;
  partnerName: string;
  paymentResponsibility: PaymentResponsibility;
  permissions: ReadonlySet<Permission>;
  /** null: any address. */
  addresses: { includes(address: string): boolean } | null;
  validUntil: Instant | null;
  rateLimitPerMinute: number | null;
  allowedDomains: readonly string[];
  sandboxDomains: readonly string[];
};

export type AccessBook = {
  /** What the key opens, or null: unknown, expired, revoked, or its partner suspended. */
  find(key: string, now: Instant): Access | null | Promise<Access | null>;
  /** Remembers that the key was used; written to the database every few seconds. */
  touch(keyId: string, now: Instant): void;
  close(): Promise<void>;
};

const MAX_CACHED = 20_000;
const FLUSH_EVERY = 5_000;

/**
 * Keys in memory, so that the guard needs no query. Everything cached is dropped when the change counter
 * `access` moves, and nothing cached is believed while the counter cannot be read (versions.ts).
 */
export function createAccessBook(
  db: Db,
  versions: VersionWatch,
  onError: (error: Error) => void,
): AccessBook {
  let cache = new Map<string, Access | null>();
  let cachedVersion: number | null = null;
  let used = new Map<string, Instant>();

  async function load(keyHash: string): Promise<Access | null> {
    const target = cache;
    const row = await findAccess(db, keyHash);
    const access = row && toAccess(row);
    if (target.size >= MAX_CACHED) target.clear();
    // Into the map of the version that was current when the query began: a newer version has a new map.
    target.set(keyHash, access);
    return access;
  }

  async function flush(): Promise<void> {
    if (used.size === 0) return;
    const batch = used;
    used = new Map();
    await touchKeys(db, batch).catch(onError);
  }
  const timer = setInterval(flush, FLUSH_EVERY);

  const unlessExpired = (access: Access | null, now: Instant): Access | null =>
    access?.validUntil != null && access.validUntil <= now ? null : access;

  return {
    find(key, now) {
      const keyHash = hashKey(key);
      const version = versions.current('access');
      if (version === null || version !== cachedVersion) {
        cache = new Map();
        cachedVersion = version;
      }
      const cached = cache.get(keyHash);
      if (cached !== undefined) return unlessExpired(cached, now);
      // Only what is not known yet has its checksum looked at: that costs more than the hash.
      if (!isWellFormedKey(key)) return null;
      return load(keyHash).then((access) => unlessExpired(access, now));
    },
    touch(keyId, now) {
      used.set(keyId, now);
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

function toAccess(row: AccessRow): Access {
  return {
    keyId: row.key_id,
    partnerId: row.partner_id,
    partnerName: row.partner_name,
    paymentResponsibility: row.payment_responsibility,
    permissions: new Set(row.permissions),
    addresses: row.ip_allowlist.length === 0 ? null : addressList(row.ip_allowlist),
    validUntil: row.valid_until,
    rateLimitPerMinute: row.rate_limit_per_minute,
    allowedDomains: row.allowed_domains,
    sandboxDomains: row.sandbox_domains,
  };
}
