import { HOUR, type Instant } from '../base/clock.ts';
import { CREDENTIALS } from '../base/tokens.ts';
import { addressList } from '../http/proxies.ts';
import type { KeyStatus, Permission } from '../partners/key-rules.ts';

/** Milliseconds of a session. */
export const SESSION_DURATION = 8 * HOUR;

/** Seconds for which a link may be used. */
export const LINK_SECONDS = { min: 60, max: 7 * 24 * 3_600, usual: 24 * 3_600 } as const;

export const LINK_STATUSES = ['ACTIVE', 'USED', 'EXPIRED', 'REVOKED'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

type LinkTimes = { used_at: Instant | null; revoked_at: Instant | null; expires_at: Instant };

/** The status of a link; a revoked one has no session, also after its use. */
export function linkStatus({ used_at, revoked_at, expires_at }: LinkTimes, now: Instant): LinkStatus {
  if (revoked_at !== null) return 'REVOKED';
  if (used_at !== null) return 'USED';
  return expires_at <= now ? 'EXPIRED' : 'ACTIVE';
}

/** Beginnings of the tokens. */
export const TOKENS = { link: CREDENTIALS.portalLink, session: CREDENTIALS.portalSession } as const;

// ---------------------------------------------------------------------------
// Rights of sessions

/** The reasons for which a session is limited to refused requests, the first one wins. */
export const LIMITS = [
  'PARTNER_SUSPENDED',
  'KEY_REVOKED',
  'KEY_REPLACED',
  'KEY_EXPIRED',
  'ADDRESS_NOT_ALLOWED',
] as const;
export type Limit = (typeof LIMITS)[number];

/** The columns that decide the rights of a session; those of the key are null when a link opened it. */
export type SessionColumns = {
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
 * The reason for which the session is limited now; null: it is not. A key that is refused under /v1, also because of
 * the address, shows only the reason here.
 */
export function limitOf(session: SessionColumns, address: string, now: Instant): Limit | null {
  if (session.partner_status !== 'ACTIVE') return 'PARTNER_SUSPENDED';
  if (session.key_id === null) return null;
  if (session.key_status !== 'ACTIVE') return 'KEY_REVOKED';
  const isOverlap = session.is_previous === true && (session.previous_expires_at ?? 0) > now;
  if (session.is_current !== true && !isOverlap) return 'KEY_REPLACED';
  if (session.key_expires_at !== null && session.key_expires_at <= now) return 'KEY_EXPIRED';
  const list = session.ip_allowlist ?? [];
  return list.length === 0 || addressList(list).includes(address) ? null : 'ADDRESS_NOT_ALLOWED';
}

/** The rights that routes need: `any` is open to limited and read-only sessions. */
export const NEEDS = ['any', 'read', 'change'] as const;
export type Need = (typeof NEEDS)[number];

export type Rights = { limit: Limit | null; readOnly: boolean; permissions: ReadonlySet<Permission> };

/** The check that refuses the session; null: none. */
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
