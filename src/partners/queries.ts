import { type Instant, toUtcIso } from '../clock.ts';
import type { Queryable, Tx } from '../platform/db.ts';
import type { Page } from '../platform/envelope.ts';
import type { NewKey, Permission } from './rules.ts';

export type PaymentResponsibility = 'PARTNER' | 'PLATFORM';

export type PartnerRow = {
  id: string;
  name: string;
  status: 'ACTIVE' | 'SUSPENDED';
  payment_responsibility: PaymentResponsibility;
  rate_limit_per_minute: number | null;
  allowed_domains: string[];
  sandbox_domains: string[];
  allowed_webhook_domains: string[];
  require_https_webhooks: boolean;
  created_at: Instant;
  updated_at: Instant;
};

export type KeyRow = {
  id: string;
  partner_id: string;
  name: string;
  prefix: string;
  last4: string;
  previous_expires_at: Instant | null;
  permissions: Permission[];
  ip_allowlist: string[];
  expires_at: Instant | null;
  status: 'ACTIVE' | 'REVOKED';
  last_used_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
};

const PARTNER = `id, name, status, payment_responsibility, rate_limit_per_minute, allowed_domains, sandbox_domains,
  allowed_webhook_domains, require_https_webhooks, created_at, updated_at`;
const KEY = `id, partner_id, name, prefix, last4, previous_expires_at, permissions, ip_allowlist, expires_at, status,
  last_used_at, created_at, updated_at`;

export type AccessRow = {
  key_id: string;
  partner_id: string;
  partner_name: string;
  payment_responsibility: PaymentResponsibility;
  permissions: Permission[];
  ip_allowlist: string[];
  valid_until: Instant | null;
  rate_limit_per_minute: number | null;
  allowed_domains: string[];
  sandbox_domains: string[];
};

/** What the guard needs of the key with this hash, when key and partner are active; else null. */
export function findAccess(db: Queryable, keyHash: string): Promise<AccessRow | null> {
  return db.first<AccessRow>({
    name: 'find-access',
    text: `
      select k.id as key_id, p.id as partner_id, p.name as partner_name, p.payment_responsibility, k.permissions,
        k.ip_allowlist, p.rate_limit_per_minute, p.allowed_domains, p.sandbox_domains,
        case when k.hash = decode($1, 'hex') then k.expires_at
          else least(k.expires_at, k.previous_expires_at) end as valid_until
      from api_keys k join partners p on p.id = k.partner_id
      where (k.hash = decode($1, 'hex') or k.previous_hash = decode($1, 'hex'))
        and k.status = 'ACTIVE' and p.status = 'ACTIVE'`,
    values: [keyHash],
  });
}

/** Notes when keys were last used. Times only move forward, whichever process writes last. */
export async function touchKeys(db: Queryable, used: ReadonlyMap<string, Instant>): Promise<void> {
  await db.rows({
    text: `
      with used as (
        select * from unnest($1::uuid[], $2::timestamptz[]) as used (id, at)
      ), locked as (
        -- In one order, so that processes that flush at the same time do not lock each other out.
        select id from api_keys where id in (select id from used) order by id for no key update
      )
      update api_keys set last_used_at = greatest(last_used_at, used.at)
      from used join locked using (id) where api_keys.id = used.id`,
    values: [[...used.keys()], [...used.values()].map(toUtcIso)],
  });
}

export type PartnerFields = {
  name: string;
  status: 'ACTIVE' | 'SUSPENDED';
  paymentResponsibility: PaymentResponsibility;
  rateLimitPerMinute: number | null;
  allowedDomains: string[];
  sandboxDomains: string[];
  allowedWebhookDomains: string[];
  requireHttpsWebhooks: boolean;
};

function partnerValues(fields: PartnerFields): unknown[] {
  return [
    fields.name,
    fields.status,
    fields.paymentResponsibility,
    fields.rateLimitPerMinute,
    fields.allowedDomains,
    fields.sandboxDomains,
    fields.allowedWebhookDomains,
    fields.requireHttpsWebhooks,
  ];
}

export async function insertPartner(tx: Tx, now: Instant, fields: PartnerFields): Promise<PartnerRow> {
  const rows = await tx.rows<PartnerRow>({
    text: `
      insert into partners (name, status, payment_responsibility, rate_limit_per_minute, allowed_domains,
        sandbox_domains, allowed_webhook_domains, require_https_webhooks, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning ${PARTNER}`,
    values: [...partnerValues(fields), toUtcIso(now)],
  });
  return rows[0]!;
}

export async function updatePartner(
  tx: Tx,
  now: Instant,
  id: string,
  fields: PartnerFields,
): Promise<PartnerRow> {
  const rows = await tx.rows<PartnerRow>({
    text: `
      update partners set name = $1, status = $2, payment_responsibility = $3, rate_limit_per_minute = $4,
        allowed_domains = $5, sandbox_domains = $6, allowed_webhook_domains = $7, require_https_webhooks = $8,
        updated_at = $9
      where id = $10 returning ${PARTNER}`,
    values: [...partnerValues(fields), toUtcIso(now), id],
  });
  return rows[0]!;
}

export function findPartner(db: Queryable, id: string): Promise<PartnerRow | null> {
  return db.first<PartnerRow>({ text: `select ${PARTNER} from partners where id = $1`, values: [id] });
}

/**
 * Locks the partner against other changes of it, not against rows that refer to it: a booking being written
 * holds what setServices waits for, and its foreign key would wait for a stronger lock here (a deadlock).
 */
export function lockPartner(tx: Tx, id: string): Promise<PartnerRow | null> {
  return tx.first<PartnerRow>({
    text: `select ${PARTNER} from partners where id = $1 for no key update`,
    values: [id],
  });
}

export function findPartnerByName(db: Queryable, name: string): Promise<PartnerRow | null> {
  return db.first<PartnerRow>({
    text: `select ${PARTNER} from partners where lower(name) = lower($1)`,
    values: [name],
  });
}

/** Partners, newest first; `search` looks for a part of the name. */
export async function listPartners(
  db: Queryable,
  filter: { search?: string; status?: string },
  page: { limit: number; offset: number },
): Promise<Page<PartnerRow>> {
  const where = `where ($1::text is null or strpos(lower(name), lower($1)) > 0) and ($2::text is null or status = $2)`;
  const values = [filter.search ?? null, filter.status ?? null];
  const rows = await db.rows<PartnerRow>({
    text: `select ${PARTNER} from partners ${where} order by created_at desc, id desc limit $3 offset $4`,
    values: [...values, page.limit, page.offset],
  });
  const count = await db.first<{ total: number }>({
    text: `select count(*) as total from partners ${where}`,
    values,
  });
  return { rows, total: count!.total };
}

export type KeyFields = {
  name: string;
  permissions: Permission[];
  ipAllowlist: string[];
  expiresAt: Instant | null;
};

export async function insertKey(
  tx: Tx,
  now: Instant,
  partnerId: string,
  made: NewKey,
  fields: KeyFields,
): Promise<KeyRow> {
  const rows = await tx.rows<KeyRow>({
    text: `
      insert into api_keys (partner_id, name, hash, prefix, last4, permissions, ip_allowlist, expires_at,
        created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning ${KEY}`,
    values: [
      partnerId,
      fields.name,
      made.hash,
      made.prefix,
      made.last4,
      fields.permissions,
      fields.ipAllowlist,
      fields.expiresAt === null ? null : toUtcIso(fields.expiresAt),
      toUtcIso(now),
    ],
  });
  return rows[0]!;
}

export function lockKey(tx: Tx, id: string): Promise<KeyRow | null> {
  return tx.first<KeyRow>({ text: `select ${KEY} from api_keys where id = $1 for update`, values: [id] });
}

export async function updateKey(
  tx: Tx,
  now: Instant,
  id: string,
  fields: KeyFields & { status: 'ACTIVE' | 'REVOKED' },
): Promise<KeyRow> {
  const rows = await tx.rows<KeyRow>({
    text: `
      update api_keys set name = $2, permissions = $3, ip_allowlist = $4, expires_at = $5, status = $6, updated_at = $7
      where id = $1 returning ${KEY}`,
    values: [
      id,
      fields.name,
      fields.permissions,
      fields.ipAllowlist,
      fields.expiresAt === null ? null : toUtcIso(fields.expiresAt),
      fields.status,
      toUtcIso(now),
    ],
  });
  return rows[0]!;
}

/** Gives the key a new secret; the old one works until `previousExpiresAt` (null: not any more). */
export async function replaceKeySecret(
  tx: Tx,
  now: Instant,
  id: string,
  made: NewKey,
  previousExpiresAt: Instant | null,
): Promise<KeyRow> {
  const rows = await tx.rows<KeyRow>({
    text: `
      update api_keys set previous_hash = case when $2::timestamptz is null then null else hash end,
        previous_expires_at = $2, hash = $3, prefix = $4, last4 = $5, updated_at = $6
      where id = $1 returning ${KEY}`,
    values: [
      id,
      previousExpiresAt === null ? null : toUtcIso(previousExpiresAt),
      made.hash,
      made.prefix,
      made.last4,
      toUtcIso(now),
    ],
  });
  return rows[0]!;
}

/** The partner's keys, newest first; `search` looks for a part of the name. */
export async function listKeys(
  db: Queryable,
  partnerId: string,
  filter: { search?: string; status?: string },
  page: { limit: number; offset: number },
): Promise<Page<KeyRow>> {
  const where = `where partner_id = $1 and ($2::text is null or strpos(lower(name), lower($2)) > 0)
    and ($3::text is null or status = $3)`;
  const values = [partnerId, filter.search ?? null, filter.status ?? null];
  const rows = await db.rows<KeyRow>({
    text: `select ${KEY} from api_keys ${where} order by created_at desc, id desc limit $4 offset $5`,
    values: [...values, page.limit, page.offset],
  });
  const count = await db.first<{ total: number }>({
    text: `select count(*) as total from api_keys ${where}`,
    values,
  });
  return { rows, total: count!.total };
}

/** `price` is SAR as an exact decimal, null: the service's default price. */
export type PartnerServiceRow = { service_id: string; price: string | null };
export type PartnerServicesRow = { restricted: boolean; services: PartnerServiceRow[] };

/** Whether the partner is restricted to services of its own, and which and at what prices; null: no such partner. */
export function findPartnerServices(db: Queryable, partnerId: string): Promise<PartnerServicesRow | null> {
  return db.first<PartnerServicesRow>({
    // Prices as text: inside JSON they would come out as floating point numbers.
    text: `
      select p.service_restricted as restricted, coalesce(
        (select json_agg(json_build_object('service_id', ps.service_id, 'price', ps.price::text)
            order by s.name, s.id)
          from partner_services ps join services s on s.id = ps.service_id where ps.partner_id = p.id),
        '[]') as services
      from partners p where p.id = $1`,
    values: [partnerId],
  });
}

/**
 * Puts these services in the place of the partner's; answers the ids that are services. The caller holds the
 * partner (lockPartner) and rolls back when one is missing.
 */
export async function replacePartnerServices(
  tx: Tx,
  now: Instant,
  partnerId: string,
  { restricted, services }: PartnerServicesRow,
): Promise<string[]> {
  await tx.rows({
    text: 'update partners set service_restricted = $2, updated_at = $3 where id = $1',
    values: [partnerId, restricted, toUtcIso(now)],
  });
  await tx.rows({ text: 'delete from partner_services where partner_id = $1', values: [partnerId] });
  const rows = await tx.rows<{ service_id: string }>({
    text: `
      insert into partner_services (partner_id, service_id, price)
      select $1, s.id, wanted.price
      from unnest($2::uuid[], $3::numeric[]) as wanted (service_id, price)
      join services s on s.id = wanted.service_id
      returning service_id`,
    values: [
      partnerId,
      services.map((service) => service.service_id),
      services.map((service) => service.price),
    ],
  });
  return rows.map((row) => row.service_id);
}
