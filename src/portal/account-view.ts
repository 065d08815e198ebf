import { type Instant, toRiyadhIso } from '../base/clock.ts';
import { previousSecretUntil } from '../partners/key-rules.ts';
import type { KeyRow, PartnerRow } from '../partners/table.ts';

/** Views of the partner and its keys, apart from the operator's: fields that are added there do not appear here. */

const stampOrNull = (at: Instant | null): string | null => (at === null ? null : toRiyadhIso(at));

export function portalPartnerView(partner: PartnerRow) {
  return {
    id: partner.id,
    name: partner.name,
    status: partner.status,
    paymentResponsibility: partner.payment_responsibility,
    rateLimitPerMinute: partner.rate_limit_per_minute,
    allowedDomains: partner.allowed_domains,
    sandboxDomains: partner.sandbox_domains,
    allowedWebhookDomains: partner.allowed_webhook_domains,
    requireHttpsWebhooks: partner.require_https_webhooks,
    language: partner.language,
    createdAt: toRiyadhIso(partner.created_at),
    updatedAt: toRiyadhIso(partner.updated_at),
  };
}

/** A key without its secret and the hash. */
export function portalKeyView(key: KeyRow, now: Instant) {
  return {
    id: key.id,
    partnerId: key.partner_id,
    name: key.name,
    permissions: key.permissions,
    ipAllowlist: key.ip_allowlist,
    expiresAt: stampOrNull(key.expires_at),
    status: key.status,
    lastUsedAt: stampOrNull(key.last_used_at),
    prefix: key.prefix,
    last4: key.last4,
    previousExpiresAt: stampOrNull(previousSecretUntil(key, now)),
    createdAt: toRiyadhIso(key.created_at),
    updatedAt: toRiyadhIso(key.updated_at),
  };
}
