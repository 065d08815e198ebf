import { sql } from 'kysely';
import { type Instant, toUtcIso } from '../base/clock.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { AS_PEOPLE_SORT, type Page, type Sorting, type Window } from '../db/pages.ts';
import { stampedRows } from '../db/stamped-rows.ts';
import {
  boolean,
  bytea,
  first,
  hotStatement,
  int,
  nullable,
  type Row,
  rows,
  text,
  texts,
  timestamps,
  timestamptz,
  typed,
  uuid,
  uuids,
} from '../db/statement.ts';
import {
  contains,
  firstOf,
  firstOrThrow,
  isOneOf,
  nameOrder,
  pageOf,
  rowsOf,
  sortedBy,
  tablesOf,
} from '../db/tables.ts';
import type {
  KEY_ORDERS,
  KeyStatus,
  NewKey,
  PARTNER_ORDERS,
  PaymentResponsibility,
  Permission,
} from './rules.ts';
import type {
  KeyRow,
  KeyTable,
  PartnerRow,
  PartnerServicesRow,
  PartnerServiceTable,
  PartnerTable,
} from './table.ts';

const tables = tablesOf<{
  partners: PartnerTable;
  api_keys: KeyTable;
  partner_services: PartnerServiceTable;
  services: { id: string };
}>();

// ---------------------------------------------------------------------------
// Queries of the guard

export const FIND_ACCESS = hotStatement({
  name: 'find-access',
  takes: { keyHash: text },
  returns: {
    key_id: uuid,
    partner_id: uuid,
    partner_name: text,
    payment_responsibility: typed<PaymentResponsibility>(text),
    permissions: typed<Permission[]>(texts),
    ip_allowlist: texts,
    valid_until: nullable(timestamptz),
    rate_limit_per_minute: nullable(int),
    allowed_domains: texts,
    sandbox_domains: texts,
    require_https_webhooks: boolean,
  },
  text: `
    select k.id as key_id, p.id as partner_id, p.name as partner_name, p.payment_responsibility, k.permissions,
      k.ip_allowlist, p.rate_limit_per_minute, p.allowed_domains, p.sandbox_domains, p.require_https_webhooks,
      case when k.hash = decode(:keyHash, 'hex') then k.expires_at
        else least(k.expires_at, k.previous_expires_at) end as valid_until
    from api_keys k join partners p on p.id = k.partner_id
    where (k.hash = decode(:keyHash, 'hex') or k.previous_hash = decode(:keyHash, 'hex'))
      and k.status = 'ACTIVE' and p.status = 'ACTIVE'`,
});
export type AccessRow = Row<typeof FIND_ACCESS>;

/** What the guard needs of the key with this SHA-256 (hex), when key and partner are active; else null. */
export function findAccess(db: Queryable, keyHash: string): Promise<AccessRow | null> {
  return first(db, FIND_ACCESS, { keyHash });
}

export const LIST_FINGERPRINTS = hotStatement({
  name: 'list-fingerprints',
  takes: { now: timestamptz },
  returns: { fingerprints: nullable(bytea) },
  text: `
    select string_agg(substring(known.hash from 1 for 8), ''::bytea) as fingerprints
    from api_keys k join partners p on p.id = k.partner_id,
      lateral (values (k.hash, k.expires_at), (k.previous_hash, least(k.expires_at, k.previous_expires_at)))
        known (hash, ends_at)
    where k.status = 'ACTIVE' and p.status = 'ACTIVE' and known.hash is not null
      and (known.ends_at is null or known.ends_at > :now)`,
});

/** The first 8 bytes of the hashes of all keys that open something now or will, one after the other. */
export async function listFingerprints(db: Queryable, now: Instant): Promise<Buffer> {
  return (await first(db, LIST_FINGERPRINTS, { now }))?.fingerprints ?? Buffer.alloc(0);
}

export const FIND_KNOWN_KEYS = hotStatement({
  name: 'find-known-keys',
  takes: { hashes: texts },
  returns: {
    hash: text,
    id: uuid,
    partner_id: uuid,
    partner_status: typed<PartnerRow['status']>(text),
    status: typed<KeyStatus>(text),
    expires_at: nullable(timestamptz),
    replaced_at: nullable(timestamptz),
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

/** The keys with these SHA-256 (hex) that there are, whether they open anything or not. */
export function findKnownKeys(db: Queryable, hashes: readonly string[]): Promise<KnownKeyRow[]> {
  return rows(db, FIND_KNOWN_KEYS, { hashes: [...hashes] });
}

// Locked in one order, so that processes that flush at the same time do not lock each other out.
export const TOUCH_KEYS = hotStatement({
  name: 'touch-keys',
  takes: { ids: uuids, times: timestamps },
  returns: {},
  text: `
    with used as (
      select * from unnest(:ids::uuid[], :times::timestamptz[]) as used (id, at)
    ), locked as (
      select id from api_keys where id in (select id from used) order by id for no key update
    )
    update api_keys set last_used_at = greatest(last_used_at, used.at)
    from used join locked using (id) where api_keys.id = used.id`,
});

/** Notes when keys were last used. Times only move forward, whichever process writes last. */
export async function touchKeys(db: Queryable, used: ReadonlyMap<string, Instant>): Promise<void> {
  await rows(db, TOUCH_KEYS, { ids: [...used.keys()], times: [...used.values()] });
}

export type KeyName = Pick<KeyRow, 'id' | 'name' | 'prefix' | 'last4'>;

/** What may be shown of the keys with these ids, by id. */
export async function listKeyNames(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, KeyName>> {
  const query = tables
    .selectFrom('api_keys')
    .select(['id', 'name', 'prefix', 'last4'])
    .where(isOneOf('id', ids));
  return new Map((await rowsOf(db, query)).map((key) => [key.id, key]));
}

// ---------------------------------------------------------------------------
// Partners

export const partnerRows = stampedRows<PartnerTable>('partners');

const partners = tables.selectFrom('partners').selectAll();

/** The partner of this name, in any case. */
export function findPartnerByName(db: Queryable, name: string): Promise<PartnerRow | null> {
  return firstOf(db, partners.where(sql<boolean>`lower(name) = lower(${name})`));
}

export type PartnerFilter = Sorting<(typeof PARTNER_ORDERS)[number]> & {
  search?: string;
  status?: PartnerRow['status'];
};

const SORTED_PARTNERS = {
  createdAt: ['created_at'],
  name: [nameOrder('name')],
  status: ['status', nameOrder('name')],
  paymentResponsibility: ['payment_responsibility', nameOrder('name')],
  // null: no limit.
  rateLimitPerMinute: [sql`coalesce(rate_limit_per_minute, 2147483647)`, nameOrder('name')],
};

/** Partners, newest first unless sorted otherwise; `search` looks for a part of the name. */
export function listPartners(
  db: Queryable,
  { search, status, ...sorting }: PartnerFilter,
  page: Window,
): Promise<Page<PartnerRow>> {
  const query = partners
    .$if(search !== undefined, (found) => found.where(contains('name', search!)))
    .$if(status !== undefined, (found) => found.where('status', '=', status!));
  return pageOf(db, sortedBy(query, SORTED_PARTNERS, sorting, { by: 'createdAt', order: 'DESC' }), page);
}

// ---------------------------------------------------------------------------
// Keys

export const keyRows = stampedRows<KeyTable>('api_keys');

/** Gives the key a new secret; the old one works until `previousExpiresAt` (null: not any more). */
export function replaceKeySecret(
  tx: Tx,
  now: Instant,
  id: string,
  { hash, prefix, last4 }: Omit<NewKey, 'key'>,
  previousExpiresAt: Instant | null,
): Promise<KeyRow> {
  const query = tables.updateTable('api_keys').set((row) => ({
    previous_hash: previousExpiresAt === null ? null : row.ref('hash'),
    previous_expires_at: previousExpiresAt === null ? null : toUtcIso(previousExpiresAt),
    hash,
    prefix,
    last4,
    updated_at: toUtcIso(now),
  }));
  return firstOrThrow(tx, query.where('id', '=', id).returningAll());
}

export type KeyFilter = Sorting<(typeof KEY_ORDERS)[number]> & { search?: string; status?: KeyStatus };

const SORTED_KEYS = {
  createdAt: ['created_at'],
  name: [nameOrder('name')],
  // null: it never expires, and was never used.
  expiresAt: [sql`coalesce(expires_at, 'infinity')`],
  lastUsedAt: [sql`coalesce(last_used_at, '-infinity')`],
};

/** The partner's keys, newest first unless sorted otherwise; `search` looks for a part of the name. */
export function listKeys(
  db: Queryable,
  partnerId: string,
  { search, status, ...sorting }: KeyFilter,
  page: Window,
): Promise<Page<KeyRow>> {
  const query = tables
    .selectFrom('api_keys')
    .selectAll()
    .where('partner_id', '=', partnerId)
    .$if(search !== undefined, (found) => found.where(contains('name', search!)))
    .$if(status !== undefined, (found) => found.where('status', '=', status!));
  return pageOf(db, sortedBy(query, SORTED_KEYS, sorting, { by: 'createdAt', order: 'DESC' }), page);
}

// ---------------------------------------------------------------------------
// Services of a partner

/** Whether the partner is restricted to services of its own, and which and at what prices; null: no such partner. */
export function findPartnerServices(db: Queryable, partnerId: string): Promise<PartnerServicesRow | null> {
  // Prices as text: inside JSON they would come out as floating point numbers.
  const services = sql<PartnerServicesRow['services']>`(
    select coalesce(json_agg(json_build_object('service_id', ps.service_id, 'price', ps.price::text)
      order by s.name ${sql.raw(AS_PEOPLE_SORT)}, s.id), '[]')
    from partner_services ps join services s on s.id = ps.service_id where ps.partner_id = partners.id)`;
  const query = tables
    .selectFrom('partners')
    .select(['services_version as version', 'service_restricted as restricted', services.as('services')])
    .where('id', '=', partnerId);
  return firstOf(db, query);
}

/**
 * Puts these services in the place of the partner's, and returns the ids that are services. The caller holds the
 * partner (lockPartner) and rolls back when one is missing.
 */
export async function replacePartnerServices(
  tx: Tx,
  now: Instant,
  partnerId: string,
  { restricted, services }: Omit<PartnerServicesRow, 'version'>,
): Promise<ReadonlySet<string>> {
  // Its trigger waits for changes of the catalogue: from here on no service goes away.
  const changed = tables
    .updateTable('partners')
    .set({
      service_restricted: restricted,
      services_version: sql<number>`services_version + 1`,
      updated_at: toUtcIso(now),
    })
    .where('id', '=', partnerId);
  await rowsOf(tx, changed);
  await rowsOf(tx, tables.deleteFrom('partner_services').where('partner_id', '=', partnerId));
  const ids = services.map(({ service_id }) => service_id);
  const found = await rowsOf(tx, tables.selectFrom('services').select('id').where(isOneOf('id', ids)));
  const known = new Set(found.map(({ id }) => id));
  const values = services
    .filter(({ service_id }) => known.has(service_id))
    .map((service) => ({ partner_id: partnerId, ...service }));
  if (values.length > 0) await rowsOf(tx, tables.insertInto('partner_services').values(values));
  return known;
}
