import { createHash, randomBytes } from 'node:crypto';
import { HOUR, type Instant } from '../base/clock.ts';
import { addressList } from '../http/proxies.ts';
import type { KeyStatus, Permission } from '../partners/rules.ts';

/** How long a session lasts unless it is ended before. */
export const SESSION_LASTS = 8 * HOUR;

/** Seconds for which a link may be used: as the operator says, else a day. */
export const LINK_SECONDS = { min: 60, max: 7 * 24 * 3_600, usual: 24 * 3_600 } as const;

export const LINK_STATUSES = ['ACTIVE', 'USED', 'EXPIRED', 'REVOKED'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

type LinkTimes = { used_at: Instant | null; revoked_at: Instant | null; expires_at: Instant };

/** A link that was revoked after its use has ended the session, too. */
export function linkStatus({ used_at, revoked_at, expires_at }: LinkTimes, now: Instant): LinkStatus {
  if (revoked_at !== null) return 'REVOKED';
  if (used_at !== null) return 'USED';
  return expires_at <= now ? 'EXPIRED' : 'ACTIVE';
}

const TOKENS = { link: 'pbs_link_', session: 'pbs_portal_' } as const;

/** A new token: the plain text to show once, and what is stored of it. */
export function createToken(kind: keyof typeof TOKENS): { token: string; hash: Buffer } {
  const token = TOKENS[kind] + randomBytes(32).toString('base64url');
  return { token, hash: sha256(token) };
}

/** What is stored of a token. */
export const sha256 = (token: string): Buffer => createHash('sha256').update(token).digest();

// ---------------------------------------------------------------------------
// What a session may do

/** Why a session only sees what was refused, in the order in which they are told. */
export const LIMITS = [
  'PARTNER_SUSPENDED',
  'KEY_REVOKED',
  'KEY_REPLACED',
  'KEY_EXPIRED',
  'ADDRESS_NOT_ALLOWED',
] as const;
export type Limit = (typeof LIMITS)[number];

/** What says what the holder of a session may do; the fields of the key are null when a link opened it. */
export type SessionFacts = {
  partner_status: 'ACTIVE' | 'SUSPENDED';
  key_id: string | null;
  key_status: KeyStatus | null;
  key_expires_at: Instant | null;
  previous_expires_at: Instant | null;
  is_current: boolean | null;
  is_previous: boolean | null;
  ip_allowlist: readonly string[] | null;
};

/**
 * Why the session is limited now; null: it is not. A key that opens nothing under /v1, or not from this address, opens
 * nothing here but the reason: whoever found it learns no more than that.
 */
export function limitOf(session: SessionFacts, address: string, now: Instant): Limit | null {
  if (session.partner_status !== 'ACTIVE') return 'PARTNER_SUSPENDED';
  if (session.key_id === null) return null;
  if (session.key_status !== 'ACTIVE') return 'KEY_REVOKED';
  const isOverlap = session.is_previous === true && (session.previous_expires_at ?? 0) > now;
  if (session.is_current !== true && !isOverlap) return 'KEY_REPLACED';
  if (session.key_expires_at !== null && session.key_expires_at <= now) return 'KEY_EXPIRED';
  const list = session.ip_allowlist ?? [];
  return list.length === 0 || addressList(list).includes(address) ? null : 'ADDRESS_NOT_ALLOWED';
}

/** What a route asks of a session: `any` also of one that is limited or may only read. */
export const NEEDS = ['any', 'read', 'change'] as const;
export type Need = (typeof NEEDS)[number];

export type Rights = { limit: Limit | null; readOnly: boolean; permissions: ReadonlySet<Permission> };

/** Which check refuses the session; null: none. */
export function refusedBy(
  rights: Rights,
  need: Need,
  permission: Permission | undefined,
): 'session' | 'read-only' | 'permission' | null {
  if (need === 'any') return null;
  if (rights.limit !== null) return 'session';
  if (need === 'change' && rights.readOnly) return 'read-only';
  return permission === undefined || rights.permissions.has(permission) ? null : 'permission';
}
