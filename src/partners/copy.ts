import { type Instant, toUtcIso } from '../base/clock.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { changesTo } from '../db/tables.ts';
import { partnerRows } from './account-queries.ts';
import { conflictOnName, readPartner } from './accounts.ts';
import { keyRows, listAllKeys } from './key-queries.ts';
import { withTimestamp } from './keys.ts';
import type { KeyRow, PartnerRow } from './table.ts';
import { keyView, partnerView } from './view.ts';

/** A partner with its keys, in several deployments: one for each city (docs/SCALING.md#several-cities). */

export type PartnerCopy = { partner: PartnerRow; keys: KeyRow[] };

/** A partner with all its keys. Throws RESOURCE_NOT_FOUND. */
export async function readForCopy(db: Queryable, id: string): Promise<PartnerCopy> {
  return { partner: await readPartner(db, id), keys: await listAllKeys(db, id) };
}

/** `revoked`: keys that work where they come from, and are revoked here. */
export type Copied = { isNew: boolean; keys: { created: number; changed: number; revoked: number } };

/**
 * Makes the partner and its keys what they are in another deployment, with the same ids; a repetition writes only
 * differences. Services with their prices, links to the portal, webhooks and bookings are not copied; keys that were made
 * here stay, and a key that was revoked here stays revoked. Throws CONFLICT when another partner has the name here.
 */
export async function saveCopy(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { partner, keys }: PartnerCopy,
): Promise<Copied> {
  const isNew = await savePartner(tx, now, actor, partner);
  const outcomes: (keyof Copied['keys'] | null)[] = [];
  for (const key of keys) outcomes.push(await saveKey(tx, now, actor, key));
  const count = (wanted: keyof Copied['keys']) => outcomes.filter((outcome) => outcome === wanted).length;
  return {
    isNew,
    keys: { created: count('created'), changed: count('changed'), revoked: count('revoked') },
  };
}

/** Returns whether it is new here. */
async function savePartner(tx: Tx, now: Instant, actor: Actor, wanted: PartnerRow): Promise<boolean> {
  // Whether all services may be booked is decided where they are, with their prices.
  const { id, created_at, updated_at, service_restricted, services_version, ...columns } = wanted;
  const target = `partner:${id}`;
  const before = await partnerRows.lock(tx, id);
  if (before === null) {
    const row = await conflictOnName(partnerRows.insert(tx, now, { ...columns, id, service_restricted }));
    await audit(tx, now, { actor, action: 'partner.create', target, after: partnerView(row) });
    return true;
  }
  const changes = changesTo(before, columns);
  if (changes === null) return false;
  const after = await conflictOnName(partnerRows.update(tx, now, id, changes));
  await audit(tx, now, {
    actor,
    action: 'partner.update',
    target,
    before: partnerView(before),
    after: partnerView(after),
  });
  return false;
}

async function saveKey(
  tx: Tx,
  now: Instant,
  actor: Actor,
  wanted: KeyRow,
): Promise<keyof Copied['keys'] | null> {
  const { id, created_at, updated_at, last_used_at, ...columns } = wanted;
  const target = `key:${id}`;
  const before = await keyRows.lock(tx, id);
  if (before === null) {
    const row = await keyRows.insert(tx, now, { id, ...stamped(columns) });
    await audit(tx, now, { actor, action: 'key.create', target, after: keyView(row, now) });
    return 'created';
  }
  const changes = changesTo(before, columns);
  if (changes === null) return null;
  if (before.status === 'REVOKED') return wanted.status === 'REVOKED' ? null : 'revoked';
  const after = await keyRows.update(tx, now, id, stamped(changes));
  await audit(tx, now, {
    actor,
    action: 'key.update',
    target,
    before: keyView(before, now),
    after: keyView(after, now),
  });
  return 'changed';
}

/** With the times as texts. */
function stamped<Columns extends { expires_at?: Instant | null; previous_expires_at?: Instant | null }>(
  columns: Columns,
) {
  const { previous_expires_at, ...rest } = withTimestamp(columns);
  if (previous_expires_at === undefined) return rest;
  return { ...rest, previous_expires_at: previous_expires_at && toUtcIso(previous_expires_at) };
}
