import { type Instant, toRiyadhIso } from '../base/clock.ts';
import { previousSecretUntil } from './key-rules.ts';
import type { KeyRow, PartnerRow, PartnerServicesRow } from './table.ts';

/** A partner in the operator API. */
export function partnerView(partner: PartnerRow) {
  return {
    id: partner.id,
    name: partner.name,
    status: partner.status,
    paymentResponsibility: partner.payment_responsibility,
    rateLimitPerMinute: partner.rate_limit_per_minute,
    maxHolds: partner.max_holds,
    allowedDomains: partner.allowed_domains,
    sandboxDomains: partner.sandbox_domains,
    allowedWebhookDomains: partner.allowed_webhook_domains,
    requireHttpsWebhooks: partner.require_https_webhooks,
    language: partner.language,
    trackingPage: partner.tracking_page,
    pageColour: partner.page_colour,
    contactTextEn: partner.contact_text_en,
    contactTextAr: partner.contact_text_ar,
    contactNumber: partner.contact_number,
    customerMessages: partner.customer_messages,
    createdAt: toRiyadhIso(partner.created_at),
    updatedAt: toRiyadhIso(partner.updated_at),
  };
}

/** A key in the operator API: never the secret, nor its hash. */
export function keyView(key: KeyRow, now: Instant) {
  const previousUntil = previousSecretUntil(key, now);
  return {
    id: key.id,
    partnerId: key.partner_id,
    name: key.name,
    permissions: key.permissions,
    ipAllowlist: key.ip_allowlist,
    expiresAt: key.expires_at === null ? null : toRiyadhIso(key.expires_at),
    status: key.status,
    lastUsedAt: key.last_used_at === null ? null : toRiyadhIso(key.last_used_at),
    prefix: key.prefix,
    last4: key.last4,
    previousExpiresAt: previousUntil === null ? null : toRiyadhIso(previousUntil),
    createdAt: toRiyadhIso(key.created_at),
    updatedAt: toRiyadhIso(key.updated_at),
  };
}

/** The services of a partner; prices in SAR, null: the service's default price. */
export function partnerServicesView({ version, restricted, services }: PartnerServicesRow) {
  return {
    version,
    restricted,
    services: services.map((service) => ({
      serviceId: service.service_id,
      price: service.price === null ? null : Number(service.price),
    })),
  };
}
