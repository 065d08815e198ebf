import type { Instant } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import { touch } from '../db/last-times.ts';
import { addressList } from '../http/proxies.ts';
import { createCredentialCache } from '../runtime/credential-cache.ts';
import { recordLastUses } from '../runtime/last-uses.ts';
import type { VersionWatch } from '../runtime/versions.ts';
import { type AccessRow, findAccess, listFingerprints, TOUCH_KEYS } from './access-queries.ts';
import { hashKey, type Permission } from './key-rules.ts';
import type { PaymentResponsibility } from './rules.ts';

/** The access of a key, prepared for the guard. */
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
  requireHttpsWebhooks: boolean;
  /** Whether the partner's customers have a page. */
  trackingPage: boolean;
};

export type KeyCache = {
  /** The access of the key, or null: unknown, expired, revoked, or its partner suspended. */
  find(key: string, now: Instant): Access | null | Promise<Access | null>;
  /** Records a use of the key; written to the database periodically. */
  touch(keyId: string, now: Instant): void;
  close(): Promise<void>;
};

const MAX_CACHED = 20_000;

/** Caches keys, so that the guard needs no query. */
export function createKeyCache(db: Db, versions: VersionWatch, onError: (error: Error) => void): KeyCache {
  const keys = createCredentialCache(
    versions,
    (now) => listFingerprints(db, now),
    async (keyHash) => {
      const row = await findAccess(db, keyHash);
      return row && toAccess(row);
    },
    MAX_CACHED,
  );
  const lastUses = recordLastUses((used) => touch(db, TOUCH_KEYS, used), onError);

  return {
    find: (key, now) =>
      keys.find(hashKey(key), now, ({ validUntil }) => validUntil === null || validUntil > now),
    touch: lastUses.touch,
    close: lastUses.close,
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
    requireHttpsWebhooks: row.require_https_webhooks,
    trackingPage: row.tracking_page,
  };
}
