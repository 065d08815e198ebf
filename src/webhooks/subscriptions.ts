import { randomUUID } from 'node:crypto';
import { HOUR, type Instant } from '../base/clock.ts';
import { ApiError, orNotFound, validationError } from '../base/errors.ts';
import type { Db, Queryable } from '../db/connection.ts';
import type { Sealer } from '../db/sealing.ts';
import { changesTo } from '../db/tables.ts';
import { partnerRows } from '../partners/account-queries.ts';
import { matchesDomain } from '../partners/domain-rules.ts';
import type { PartnerRow } from '../partners/table.ts';
import { failRemoved } from './delivery-queries.ts';
import { MAX_SUBSCRIPTIONS } from './rules.ts';
import { sealSecret } from './secrets.ts';
import { createSecret } from './signature.ts';
import {
  countSubscriptions,
  findSubscriptionOf,
  insertSubscription,
  lockSubscription,
  markRemoved,
  updateSecret,
  updateSubscription,
} from './subscription-queries.ts';
import type { SubscriptionRow } from './table.ts';
import { normalizeUrl, urlHints, urlProblem } from './url-rules.ts';

/** Section 4.15: the subscriptions of a partner. */

/** `allowHosts`: hosts that are exempt from the rules of scheme and address. */
type UrlRules = { allowHosts: readonly string[] };

export type SubscriptionWithSecret = { row: SubscriptionRow; secret: string };

/** A subscription of the partner, active or not. Throws RESOURCE_NOT_FOUND. */
export function readOwnSubscription(db: Queryable, partnerId: string, id: string): Promise<SubscriptionRow> {
  return orNotFound(findSubscriptionOf(db, partnerId, id), 'Webhook subscription');
}

/**
 * Creates a subscription; `secret` can be shown this once. Throws VALIDATION_ERROR (rules of URLs),
 * WEBHOOK_DOMAIN_NOT_ALLOWED and WEBHOOK_LIMIT_REACHED.
 */
export function createSubscription(
  { db, sealer, allowHosts }: { db: Db; sealer: Sealer } & UrlRules,
  now: Instant,
  partnerId: string,
  input: Pick<SubscriptionRow, 'url' | 'events'>,
): Promise<SubscriptionWithSecret> {
  return db.transaction(async (tx) => {
    // Locked, so that simultaneous creations count one after the other.
    const partner = await orNotFound(partnerRows.lock(tx, partnerId), 'Partner');
    const url = checkedUrl(input.url, partner, allowHosts);
    assertAllowedDomain(url, partner);
    if ((await countSubscriptions(tx, partnerId)) >= MAX_SUBSCRIPTIONS) {
      throw new ApiError(
        'WEBHOOK_LIMIT_REACHED',
        `The limit of ${MAX_SUBSCRIPTIONS} webhook subscriptions is reached: remove one first`,
      );
    }
    const [id, secret] = [randomUUID(), createSecret()];
    const row = await insertSubscription(tx, now, {
      id,
      partner_id: partnerId,
      secret: sealSecret(sealer, id, secret),
      url,
      events: input.events,
    });
    return { row, secret };
  });
}

/**
 * Changes the given fields; without a difference nothing is written. A new URL and a reactivation reset the count of
 * failures. Throws VALIDATION_ERROR (rules of URLs), RESOURCE_NOT_FOUND and
 * WEBHOOK_DOMAIN_NOT_ALLOWED.
 */
export function changeSubscription(
  { db, allowHosts }: { db: Db } & UrlRules,
  now: Instant,
  partnerId: string,
  { id, changes }: { id: string; changes: Partial<Pick<SubscriptionRow, 'url' | 'events' | 'status'>> },
): Promise<SubscriptionRow> {
  return db.transaction(async (tx) => {
    const partner = await orNotFound(partnerRows.find(tx, partnerId), 'Partner');
    const wanted = { ...changes };
    if (changes.url !== undefined) wanted.url = checkedUrl(changes.url, partner, allowHosts);
    const before = await orNotFound(lockSubscription(tx, partnerId, id), 'Webhook subscription');
    if (wanted.url !== undefined) assertAllowedDomain(wanted.url, partner);

    const changed = changesTo(before, wanted);
    if (changed === null) return before;
    const resetsFailures = changed.url !== undefined || changed.status === 'ACTIVE';
    return updateSubscription(tx, now, before.id, {
      ...changed,
      ...(resetsFailures && { failures_in_a_row: 0 }),
    });
  });
}

/** The largest number of deliveries that end in the transaction of the removal; the rest ends after it. */
const MAX_IN_REMOVAL = 1_000;

/**
 * Removes a subscription. Its pending deliveries end as FAILED; those whose result is being written at this moment are
 * ended by failRemoved later. The history stays. Throws RESOURCE_NOT_FOUND.
 */
export async function removeSubscription(
  db: Db,
  now: Instant,
  partnerId: string,
  id: string,
): Promise<{ id: string }> {
  const { removed, failed } = await db.transaction(async (tx) => {
    const removed = await orNotFound(markRemoved(tx, now, partnerId, id), 'Webhook subscription');
    return { removed, failed: await failRemoved(tx, now, removed, MAX_IN_REMOVAL) };
  });
  // Without the lock on the subscription: results of its attempts wait for that lock, and the rest of the queue for
  // them.
  if (failed === MAX_IN_REMOVAL) await failRemoved(db, now, removed);
  return { id: removed };
}

/**
 * Gives the subscription a new secret, which signs every attempt from now on; the previous one signs as well for
 * `overlapHours`. Throws RESOURCE_NOT_FOUND.
 */
export async function rotateSecret(
  { db, sealer }: { db: Queryable; sealer: Sealer },
  now: Instant,
  partnerId: string,
  { id, overlapHours = 0 }: { id: string; overlapHours?: number | undefined },
): Promise<SubscriptionWithSecret> {
  const secret = createSecret();
  const overlapEndsAt = overlapHours === 0 ? null : now + overlapHours * HOUR;
  const row = await orNotFound(
    updateSecret(db, now, { partnerId, id }, { secret: sealSecret(sealer, id, secret), overlapEndsAt }),
    'Webhook subscription',
  );
  return { row, secret };
}

/** The stored form of the URL. Throws VALIDATION_ERROR. */
function checkedUrl(text: string, partner: PartnerRow, allowHosts: readonly string[]): string {
  const problem = urlProblem(text, { requireHttps: partner.require_https_webhooks, allowHosts });
  if (problem !== null) throw validationError([problem], urlHints(text));
  return normalizeUrl(text);
}

/** Throws WEBHOOK_DOMAIN_NOT_ALLOWED, also when the account has no domains at all. */
function assertAllowedDomain(url: string, { allowed_webhook_domains: allowed }: PartnerRow): void {
  const host = new URL(url).hostname;
  if (matchesDomain(host, allowed)) return;
  throw new ApiError(
    'WEBHOOK_DOMAIN_NOT_ALLOWED',
    "The URL's host is in none of the account's allowed webhook domains",
    {
      check: 'webhook-domain',
      host,
      allowedDomains: allowed,
      hints: [
        allowed.length === 0
          ? `the account has no webhook domains yet: ask the operator to allow ${host}`
          : `use a host in one of allowedDomains, or ask the operator to allow ${host}`,
      ],
    },
  );
}
