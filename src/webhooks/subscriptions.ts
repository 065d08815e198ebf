import { isDeepStrictEqual } from 'node:util';
import { existing } from '../catalogue/admin.ts';
import type { Instant } from '../clock.ts';
import { ApiError, validationError } from '../errors.ts';
import { findPartner, lockPartner, type PartnerRow } from '../partners/queries.ts';
import { matchesDomain } from '../partners/rules.ts';
import type { Db, Queryable } from '../platform/db.ts';
import { failRemoved } from './delivery-queries.ts';
import {
  countSubscriptions,
  insertSubscription,
  listActiveSubscriptions,
  lockSubscription,
  markRemoved,
  type SubscriptionFields,
  type SubscriptionRow,
  updateSecret,
  updateSubscription,
} from './queries.ts';
import { MOST_SUBSCRIPTIONS } from './rules.ts';
import { createSecret } from './signature.ts';
import { normalizeUrl, urlProblem } from './url-rules.ts';

/** Section 4.15: the subscriptions of a partner. */

export type SubscriptionWithSecret = { row: SubscriptionRow; secret: string };

/** Only the active ones, newest first. */
export function listSubscriptions(db: Queryable, partnerId: string): Promise<SubscriptionRow[]> {
  return listActiveSubscriptions(db, partnerId);
}

/**
 * Creates a subscription; `secret` can be shown this once. Throws VALIDATION_ERROR (rules of URLs),
 * WEBHOOK_DOMAIN_NOT_ALLOWED and WEBHOOK_LIMIT_REACHED.
 */
export function createSubscription(
  db: Db,
  now: Instant,
  partnerId: string,
  input: Pick<SubscriptionFields, 'url' | 'events'>,
  allowHosts: readonly string[],
): Promise<SubscriptionWithSecret> {
  return db.transaction(async (tx) => {
    // Held so that simultaneous creations count one after the other.
    const partner = await existing(lockPartner(tx, partnerId), 'Partner');
    const url = checkedUrl(input.url, partner, allowHosts);
    demandAllowedDomain(url, partner);
    if ((await countSubscriptions(tx, partnerId)) >= MOST_SUBSCRIPTIONS) {
      throw new ApiError(
        'WEBHOOK_LIMIT_REACHED',
        `The limit of ${MOST_SUBSCRIPTIONS} webhook subscriptions is reached: remove one first`,
      );
    }
    const secret = createSecret();
    const row = await insertSubscription(tx, now, partnerId, secret, { url, events: input.events });
    return { row, secret };
  });
}

/**
 * Changes the given fields; nothing new, nothing done. With a new URL, or active again, a subscription starts afresh:
 * its circuit breaker closes. Throws VALIDATION_ERROR (rules of URLs), RESOURCE_NOT_FOUND and
 * WEBHOOK_DOMAIN_NOT_ALLOWED.
 */
export function changeSubscription(
  db: Db,
  now: Instant,
  partnerId: string,
  { id, changes }: { id: string; changes: Partial<SubscriptionFields> },
  allowHosts: readonly string[],
): Promise<SubscriptionRow> {
  return db.transaction(async (tx) => {
    const partner = await existing(findPartner(tx, partnerId), 'Partner');
    const wanted = { ...changes };
    if (changes.url !== undefined) wanted.url = checkedUrl(changes.url, partner, allowHosts);
    const before = await existing(lockSubscription(tx, partnerId, id), 'Webhook subscription');
    if (wanted.url !== undefined) demandAllowedDomain(wanted.url, partner);

    const current = { url: before.url, events: before.events, status: before.status };
    const fields = { ...current, ...wanted };
    if (isDeepStrictEqual(fields, current)) return before;
    const afresh = fields.url !== before.url || (fields.status === 'ACTIVE' && before.status === 'INACTIVE');
    return updateSubscription(tx, now, before.id, fields, afresh);
  });
}

/** How many deliveries end together with their subscription; more of them end right after it. */
const MOST_TOGETHER = 1_000;

/**
 * Removes a subscription. Its pending deliveries end as FAILED, but for those whose result is being written at this
 * moment, which failRemoved ends later; the history stays. Throws RESOURCE_NOT_FOUND.
 */
export async function removeSubscription(
  db: Db,
  now: Instant,
  partnerId: string,
  id: string,
): Promise<{ id: string }> {
  const { removed, failed } = await db.transaction(async (tx) => {
    const removed = await existing(markRemoved(tx, now, partnerId, id), 'Webhook subscription');
    return { removed, failed: await failRemoved(tx, now, removed, MOST_TOGETHER) };
  });
  // Without the lock on the subscription, for which results of its attempts wait, and all others behind them:
  // 100,000 take 9 seconds.
  if (failed === MOST_TOGETHER) await failRemoved(db, now, removed);
  return { id: removed };
}

/** Gives the subscription a new secret, which signs every attempt from now on. Throws RESOURCE_NOT_FOUND. */
export async function rotateSecret(
  db: Queryable,
  now: Instant,
  partnerId: string,
  id: string,
): Promise<SubscriptionWithSecret> {
  const secret = createSecret();
  const row = await existing(updateSecret(db, now, partnerId, id, secret), 'Webhook subscription');
  return { row, secret };
}

/** The URL as it is stored. Throws VALIDATION_ERROR. */
function checkedUrl(text: string, partner: PartnerRow, allowHosts: readonly string[]): string {
  const problem = urlProblem(text, { requireHttps: partner.require_https_webhooks, allowHosts });
  if (problem !== null) throw validationError([problem]);
  return normalizeUrl(text);
}

/** Throws WEBHOOK_DOMAIN_NOT_ALLOWED, also when the account has no domains at all. */
function demandAllowedDomain(url: string, partner: PartnerRow): void {
  if (matchesDomain(new URL(url).hostname, partner.allowed_webhook_domains)) return;
  throw new ApiError(
    'WEBHOOK_DOMAIN_NOT_ALLOWED',
    "The URL's host is in none of the account's allowed webhook domains",
  );
}
