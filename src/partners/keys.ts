import { isDeepStrictEqual } from 'node:util';
import { type Instant, MINUTE } from '../clock.ts';
import { ApiError, notFound, validationError } from '../errors.ts';
import { type Actor, audit } from '../platform/audit.ts';
import type { Db, Queryable } from '../platform/db.ts';
import type { Page } from '../platform/envelope.ts';
import {
  findPartner,
  insertKey,
  type KeyFields,
  type KeyRow,
  listKeys,
  lockKey,
  replaceKeySecret,
  updateKey,
} from './queries.ts';
import {
  createKey,
  type KeyStatus,
  mayBecome,
  normalizeAddressRange,
  type Permission,
  parseExpiry,
} from './rules.ts';
import { keyView } from './view.ts';

/** Where keys are made for; it shows in how they begin. */
export type Deployment = 'sandbox' | 'production';

export type KeyInput = {
  name: string;
  permissions: Permission[];
  /** Addresses and CIDRs; empty: any address. */
  ipAllowlist?: string[];
  /** ISO 8601 with offset; null: never. */
  expiresAt?: string | null;
};
export type KeyChanges = Partial<KeyInput> & { status?: KeyStatus };

/** A key and its plain text, which nothing can show again. */
export type IssuedKey = { row: KeyRow; key: string };

/** Gives the partner a new key. Throws RESOURCE_NOT_FOUND (partner) and VALIDATION_ERROR (addresses, expiry). */
export async function issueKey(
  db: Db,
  now: Instant,
  actor: Actor,
  { partnerId, deployment, ...input }: KeyInput & { partnerId: string; deployment: Deployment },
): Promise<IssuedKey> {
  const fields = { ipAllowlist: [], expiresAt: null, ...normalized(input), name: input.name.trim() };
  const made = createKey(deployment);
  return db.transaction(async (tx) => {
    const partner = await findPartner(tx, partnerId);
    if (partner === null) throw notFound('Partner');
    const row = await insertKey(tx, now, partner.id, made, { ...fields, permissions: input.permissions });
    await audit(tx, now, { actor, action: 'key.create', target: `key:${row.id}`, after: keyView(row, now) });
    return { row, key: made.key };
  });
}

/** The partner's keys, newest first; `search` looks for a part of the name. Throws RESOURCE_NOT_FOUND (partner). */
export async function searchKeys(
  db: Queryable,
  partnerId: string,
  filter: { search?: string; status?: KeyStatus },
  page: { limit: number; offset: number },
): Promise<Page<KeyRow>> {
  if ((await findPartner(db, partnerId)) === null) throw notFound('Partner');
  return listKeys(db, partnerId, filter, page);
}

/**
 * Changes the fields that are given; what is already so is no change. Throws RESOURCE_NOT_FOUND,
 * VALIDATION_ERROR (addresses, expiry) and INVALID_TRANSITION when a revoked key should be active again.
 */
export async function changeKey(
  db: Db,
  now: Instant,
  actor: Actor,
  { id, changes }: { id: string; changes: KeyChanges },
): Promise<KeyRow> {
  const { status, ...input } = changes;
  const wanted = normalized(input);
  return db.transaction(async (tx) => {
    const before = await lockKey(tx, id);
    if (before === null) throw notFound('Key');
    if (status !== undefined && !mayBecome(before.status, status)) {
      throw new ApiError('INVALID_TRANSITION', 'A revoked key stays revoked: create a new one');
    }
    const current = { ...fieldsOf(before), status: before.status };
    const fields = { ...current, ...wanted, ...(status !== undefined && { status }) };
    if (isDeepStrictEqual(fields, current)) return before;
    const after = await updateKey(tx, now, before.id, fields);
    await audit(tx, now, {
      actor,
      action: 'key.update',
      target: `key:${before.id}`,
      before: keyView(before, now),
      after: keyView(after, now),
    });
    return after;
  });
}

/**
 * Gives the key a new secret. The one until now works for `overlapMinutes` more; one from a rotation before
 * that stops at once. Throws RESOURCE_NOT_FOUND and INVALID_TRANSITION (revoked key).
 */
export async function rotateKey(
  db: Db,
  now: Instant,
  actor: Actor,
  { id, overlapMinutes = 0, deployment }: { id: string; overlapMinutes?: number; deployment: Deployment },
): Promise<IssuedKey> {
  const made = createKey(deployment);
  return db.transaction(async (tx) => {
    const before = await lockKey(tx, id);
    if (before === null) throw notFound('Key');
    if (before.status === 'REVOKED') {
      throw new ApiError('INVALID_TRANSITION', 'A revoked key cannot be rotated: create a new one');
    }
    const overlapEnd = overlapMinutes === 0 ? null : now + overlapMinutes * MINUTE;
    const row = await replaceKeySecret(tx, now, before.id, made, overlapEnd);
    await audit(tx, now, {
      actor,
      action: 'key.rotate',
      target: `key:${row.id}`,
      before: keyView(before, now),
      after: keyView(row, now),
    });
    return { row, key: made.key };
  });
}

function fieldsOf(key: KeyRow): KeyFields {
  return {
    name: key.name,
    permissions: key.permissions,
    ipAllowlist: key.ip_allowlist,
    expiresAt: key.expires_at,
  };
}

/** The name trimmed, the addresses in one spelling and each once, the expiry as an instant. */
function normalized({ name, permissions, ipAllowlist, expiresAt }: Partial<KeyInput>): Partial<KeyFields> {
  const faults: string[] = [];
  const fields: Partial<KeyFields> = {};
  if (name !== undefined) fields.name = name.trim();
  if (permissions !== undefined) fields.permissions = permissions;
  if (ipAllowlist !== undefined) {
    const ranges = ipAllowlist.map((entry, index) => {
      const range = normalizeAddressRange(entry);
      if (range === null) faults.push(`ipAllowlist.${index} must be an IP address or a CIDR`);
      return range ?? entry;
    });
    fields.ipAllowlist = [...new Set(ranges)];
  }
  if (expiresAt !== undefined) {
    fields.expiresAt = expiresAt === null ? null : parseExpiry(expiresAt);
    if (expiresAt !== null && fields.expiresAt === null) {
      faults.push('expiresAt must be a date and time with offset in the years 2000 to 2100');
    }
  }
  if (faults.length > 0) throw validationError(faults);
  return fields;
}
