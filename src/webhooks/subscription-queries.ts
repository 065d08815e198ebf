import { type Insertable, sql, type Updateable } from 'kysely';
import { type Instant, toUtcIso } from '../base/clock.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import type { Page, Sorting, Window } from '../db/pages.ts';
import { first, hotStatement, pg } from '../db/statement.ts';
import {
  contains,
  countOfRows,
  firstOf,
  firstOrThrow,
  instant,
  pageOf,
  rowsOf,
  sortedBy,
  tablesOf,
} from '../db/tables.ts';
import { type PageQueryValues, paging } from '../http/envelope.ts';
import type { SUBSCRIPTION_ORDERS, SubscriptionStatus } from './rules.ts';
import { SUBSCRIPTION_COLUMNS, type SubscriptionRow, type SubscriptionTable } from './table.ts';

const tables = tablesOf<{
  webhook_subscriptions: SubscriptionTable;
  partners: { id: string; name: string; allowed_webhook_domains: string[]; require_https_webhooks: boolean };
}>();

/** Without the removed ones. */
const subscriptions = tables.selectFrom('webhook_subscriptions').where('removed_at', 'is', null);
const ofPartner = (partnerId: string, id: string) =>
  subscriptions.select(SUBSCRIPTION_COLUMNS).where('id', '=', id).where('partner_id', '=', partnerId);

/** The number of the partner's subscriptions, active or not. */
export async function countSubscriptions(tx: Tx, partnerId: string): Promise<number> {
  const query = subscriptions.select(countOfRows.as('total')).where('partner_id', '=', partnerId);
  return (await firstOrThrow(tx, query)).total;
}

type NewSubscription = Pick<Insertable<SubscriptionTable>, 'partner_id' | 'url' | 'events' | 'secret'> & {
  /** The secret is sealed for this id. */
  id: string;
};

/** The new subscription, without its secrets. */
export function insertSubscription(tx: Tx, now: Instant, columns: NewSubscription): Promise<SubscriptionRow> {
  const at = toUtcIso(now);
  const query = tables
    .insertInto('webhook_subscriptions')
    .values({ ...columns, created_at: at, updated_at: at });
  return firstOrThrow(tx, query.returning(SUBSCRIPTION_COLUMNS));
}

/** The partner's subscriptions of one status, newest first; the contract's list has the active ones. */
export function listSubscriptionsOf(
  db: Queryable,
  partnerId: string,
  status: SubscriptionStatus = 'ACTIVE',
): Promise<SubscriptionRow[]> {
  const query = subscriptions
    .select(SUBSCRIPTION_COLUMNS)
    .where('partner_id', '=', partnerId)
    .where('status', '=', status);
  return rowsOf(db, query.orderBy('created_at', 'desc').orderBy('id', 'desc'));
}

/** The partner's subscription, without its secrets; null: there is none. */
export function findSubscriptionOf(
  db: Queryable,
  partnerId: string,
  id: string,
): Promise<SubscriptionRow | null> {
  return firstOf(db, ofPartner(partnerId, id));
}

/** Locks the partner's subscription against other changes, not against new deliveries; null: there is none. */
export function lockSubscription(tx: Tx, partnerId: string, id: string): Promise<SubscriptionRow | null> {
  return firstOf(tx, ofPartner(partnerId, id).forNoKeyUpdate());
}

/** Changes a subscription, which must exist, and returns it without its secrets. */
export function updateSubscription(
  tx: Tx,
  now: Instant,
  id: string,
  columns: Updateable<SubscriptionTable>,
): Promise<SubscriptionRow> {
  const query = tables
    .updateTable('webhook_subscriptions')
    .set({ ...columns, updated_at: toUtcIso(now) })
    .where('id', '=', id);
  return firstOrThrow(tx, query.returning(SUBSCRIPTION_COLUMNS));
}

/**
 * The previous secret signs as well until `overlapEndsAt`; null: it ends at once. A rotation during an overlap keeps
 * the secret from before the overlap, because receivers may not know the one in between.
 */
export function updateSecret(
  db: Queryable,
  now: Instant,
  { partnerId, id }: { partnerId: string; id: string },
  { secret, overlapEndsAt }: { secret: string; overlapEndsAt: Instant | null },
): Promise<SubscriptionRow | null> {
  const overlapping = sql<string>`
    case when previous_secret_until > ${instant(now)} then previous_secret else secret end`;
  const query = tables
    .updateTable('webhook_subscriptions')
    .set({
      secret,
      updated_at: toUtcIso(now),
      previous_secret: overlapEndsAt === null ? null : overlapping,
      previous_secret_until: overlapEndsAt === null ? null : toUtcIso(overlapEndsAt),
    })
    .where('id', '=', id)
    .where('partner_id', '=', partnerId)
    .where('removed_at', 'is', null);
  return firstOf(db, query.returning(SUBSCRIPTION_COLUMNS));
}

export const DELETE_PREVIOUS_SECRETS = hotStatement({
  name: 'delete-previous-secrets',
  takes: { now: pg.timestamptz },
  returns: { forgotten: pg.bigint },
  text: `
    with forgotten as (
      update webhook_subscriptions set previous_secret = null, previous_secret_until = null
      where previous_secret_until <= :now returning 1
    )
    select count(*) as forgotten from forgotten`,
});

/** Deletes the previous secrets whose overlap has ended; returns their number. */
export async function deletePreviousSecrets(db: Queryable, now: Instant): Promise<number> {
  return (await first(db, DELETE_PREVIOUS_SECRETS, { now }))!.forgotten;
}

/** Marks the partner's subscription as removed; returns its id, or null when there is none. */
export async function markRemoved(
  tx: Tx,
  now: Instant,
  partnerId: string,
  id: string,
): Promise<string | null> {
  const query = tables
    .updateTable('webhook_subscriptions')
    .set({ removed_at: toUtcIso(now) })
    .where('id', '=', id)
    .where('partner_id', '=', partnerId)
    .where('removed_at', 'is', null);
  return (await firstOf(tx, query.returning('id')))?.id ?? null;
}

/**
 * The URL and sealed secrets of a subscription with the rules of its account; null: there is none. `partnerId` null: of
 * any partner.
 */
export function findTarget(db: Queryable, now: Instant, partnerId: string | null, id: string) {
  const previous = sql<
    string | null
  >`case when previous_secret_until > ${instant(now)} then previous_secret end`;
  const query = subscriptions
    .innerJoin('partners', 'partners.id', 'webhook_subscriptions.partner_id')
    .select([
      'webhook_subscriptions.id',
      'url',
      'secret',
      previous.as('previous_secret'),
      'allowed_webhook_domains',
      'require_https_webhooks',
    ])
    .where('webhook_subscriptions.id', '=', id)
    .$if(partnerId !== null, (found) => found.where('partner_id', '=', partnerId!));
  return firstOf(db, query);
}

// ---------------------------------------------------------------------------
// The operator's view, of all partners

export type OperatorSubscriptionRow = SubscriptionRow & { partner_name: string };

export type SubscriptionFilter = Sorting<(typeof SUBSCRIPTION_ORDERS)[number]> & {
  partnerId?: string;
  status?: SubscriptionStatus;
  /** A part of the URL; ignores case. */
  search?: string;
};

// Not joined: counting would join, too.
const operatorSubscriptions = subscriptions
  .select(SUBSCRIPTION_COLUMNS)
  .select(sql<string>`(select name from partners where partners.id = partner_id)`.as('partner_name'));

/** The subscription of any partner; null: there is none. */
export function findSubscription(db: Queryable, id: string): Promise<OperatorSubscriptionRow | null> {
  return firstOf(db, operatorSubscriptions.where('id', '=', id));
}

const ORDERS = {
  createdAt: ['created_at'],
  url: ['url'],
  status: ['status', 'created_at'],
  failures: ['failures_in_a_row', 'created_at'],
};

/** A page of the subscriptions of all partners, newest first unless sorted otherwise. */
export function listSubscriptionRows(
  db: Queryable,
  { partnerId, status, search, ...sorting }: SubscriptionFilter & PageQueryValues,
  page: Window = paging(sorting),
): Promise<Page<OperatorSubscriptionRow>> {
  const query = operatorSubscriptions
    .$if(partnerId !== undefined, (found) => found.where('partner_id', '=', partnerId!))
    .$if(status !== undefined, (found) => found.where('status', '=', status!))
    .$if(search !== undefined, (found) => found.where(contains('url', search!)));
  return pageOf(db, sortedBy(query, ORDERS, sorting, { by: 'createdAt', order: 'DESC' }), page);
}
