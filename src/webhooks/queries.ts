import type { EventName } from '../bookings/rules.ts';
import { type Instant, toUtcIso } from '../clock.ts';
import type { Queryable, Tx } from '../platform/db.ts';
import type { Page } from '../platform/envelope.ts';
import { pageOf, type Window, whereOf } from '../platform/listing.ts';
import type { SubscriptionStatus } from './rules.ts';

/** A subscription without its secret. Those that were removed are found by none of these statements. */
export type SubscriptionRow = {
  id: string;
  partner_id: string;
  url: string;
  events: EventName[];
  status: SubscriptionStatus;
  failures_in_a_row: number;
  paused_until: Instant | null;
  created_at: Instant;
  updated_at: Instant;
};

export type SubscriptionFields = { url: string; events: EventName[]; status: SubscriptionStatus };

const SUBSCRIPTION = `s.id, s.partner_id, s.url, s.events, s.status, s.failures_in_a_row, s.paused_until, s.created_at,
  s.updated_at`;

/** How many subscriptions the partner has, active or not. */
export async function countSubscriptions(tx: Tx, partnerId: string): Promise<number> {
  const row = await tx.first<{ total: number }>({
    text: 'select count(*) as total from webhook_subscriptions where partner_id = $1 and removed_at is null',
    values: [partnerId],
  });
  return row!.total;
}

export async function insertSubscription(
  tx: Tx,
  now: Instant,
  partnerId: string,
  secret: string,
  { url, events }: Pick<SubscriptionFields, 'url' | 'events'>,
): Promise<SubscriptionRow> {
  const rows = await tx.rows<SubscriptionRow>({
    text: `
      insert into webhook_subscriptions as s (partner_id, url, events, secret, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $5) returning ${SUBSCRIPTION}`,
    values: [partnerId, url, events, secret, toUtcIso(now)],
  });
  return rows[0]!;
}

/** The partner's active subscriptions, newest first. */
export function listActiveSubscriptions(db: Queryable, partnerId: string): Promise<SubscriptionRow[]> {
  return db.rows<SubscriptionRow>({
    text: `
      select ${SUBSCRIPTION} from webhook_subscriptions s
      where s.partner_id = $1 and s.removed_at is null and s.status = 'ACTIVE'
      order by s.created_at desc, s.id desc`,
    values: [partnerId],
  });
}

/** Locks the partner's subscription against other changes of it, not against deliveries that begin to refer to it. */
export function lockSubscription(tx: Tx, partnerId: string, id: string): Promise<SubscriptionRow | null> {
  return tx.first<SubscriptionRow>({
    text: `
      select ${SUBSCRIPTION} from webhook_subscriptions s
      where s.id = $1 and s.partner_id = $2 and s.removed_at is null for no key update`,
    values: [id, partnerId],
  });
}

/** With `closeBreaker` earlier failures are forgotten, and a pause because of them ends. */
export async function updateSubscription(
  tx: Tx,
  now: Instant,
  id: string,
  { url, events, status }: SubscriptionFields,
  closeBreaker: boolean,
): Promise<SubscriptionRow> {
  const rows = await tx.rows<SubscriptionRow>({
    text: `
      update webhook_subscriptions s set url = $2, events = $3, status = $4, updated_at = $5,
        failures_in_a_row = case when $6 then 0 else failures_in_a_row end,
        pauses = case when $6 then 0 else pauses end,
        paused_until = case when $6 then null else paused_until end
      where id = $1 returning ${SUBSCRIPTION}`,
    values: [id, url, events, status, toUtcIso(now), closeBreaker],
  });
  return rows[0]!;
}

export async function updateSecret(
  db: Queryable,
  now: Instant,
  partnerId: string,
  id: string,
  secret: string,
): Promise<SubscriptionRow | null> {
  return db.first<SubscriptionRow>({
    text: `
      update webhook_subscriptions s set secret = $3, updated_at = $4
      where id = $1 and partner_id = $2 and removed_at is null returning ${SUBSCRIPTION}`,
    values: [id, partnerId, secret, toUtcIso(now)],
  });
}

/** Marks the partner's subscription as removed; answers its id, or null when there is none. */
export async function markRemoved(
  tx: Tx,
  now: Instant,
  partnerId: string,
  id: string,
): Promise<string | null> {
  const row = await tx.first<{ id: string }>({
    text: `
      update webhook_subscriptions set removed_at = $3
      where id = $1 and partner_id = $2 and removed_at is null returning id`,
    values: [id, partnerId, toUtcIso(now)],
  });
  return row?.id ?? null;
}

/** Where a subscription's deliveries go, the secret they are signed with, and what the account allows. */
export type TargetRow = {
  id: string;
  url: string;
  secret: string;
  allowed_webhook_domains: string[];
  require_https_webhooks: boolean;
};

/** `partnerId` null: whoever's it is. */
export function findTarget(db: Queryable, partnerId: string | null, id: string): Promise<TargetRow | null> {
  return db.first<TargetRow>({
    text: `
      select s.id, s.url, s.secret, p.allowed_webhook_domains, p.require_https_webhooks
      from webhook_subscriptions s join partners p on p.id = s.partner_id
      where s.id = $1 and ($2::uuid is null or s.partner_id = $2) and s.removed_at is null`,
    values: [id, partnerId],
  });
}

// ---------------------------------------------------------------------------
// What the operator sees, whoever's they are

export type OperatorSubscriptionRow = SubscriptionRow & { partner_name: string };

export type SubscriptionFilter = {
  partnerId?: string;
  status?: SubscriptionStatus;
  /** A part of the URL, whatever its case. */
  search?: string;
};

export function findSubscription(db: Queryable, id: string): Promise<OperatorSubscriptionRow | null> {
  return db.first<OperatorSubscriptionRow>({
    text: `
      select ${SUBSCRIPTION}, p.name as partner_name
      from webhook_subscriptions s join partners p on p.id = s.partner_id
      where s.id = $1 and s.removed_at is null`,
    values: [id],
  });
}

const THERE = '(select * from webhook_subscriptions where removed_at is null)';

/** Subscriptions of all partners, newest first. */
export function listSubscriptionRows(
  db: Queryable,
  filter: SubscriptionFilter,
  page: Window,
): Promise<Page<OperatorSubscriptionRow>> {
  const { where, values } = whereOf([
    ['s.partner_id = ?', filter.partnerId],
    ['s.status = ?', filter.status],
    ['strpos(lower(s.url), lower(?)) > 0', filter.search],
  ]);
  return pageOf(
    db,
    `
      with page as (
        select ${SUBSCRIPTION}, p.name as partner_name
        from ${THERE} s join partners p on p.id = s.partner_id ${where}
        order by s.created_at desc, s.id desc limit $${values.length + 1} offset $${values.length + 2}
      ), counted as (
        select count(*) as total from ${THERE} s ${where}
      )
      select counted.total, page.* from counted left join page on true
      order by page.created_at desc, page.id desc`,
    [...values, page.limit, page.offset],
  );
}
