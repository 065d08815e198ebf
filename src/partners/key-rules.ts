import { createHash, hash, randomBytes } from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';
import { crc32 } from 'node:zlib';
import { type Instant, parseOffsetDateTime } from '../base/clock.ts';
import { CREDENTIALS } from '../base/tokens.ts';
import { normalizeAddress } from '../http/proxies.ts';
import type { Rule } from '../http/validation.ts';

/** Every permission of section 5; the table there lists the operations of each. */
export const PERMISSIONS = [
  'partner_bookings_create',
  'partner_bookings_read',
  'partner_bookings_update',
  'partner_bookings_cancel',
  'partner_bookings_confirm_payment',
  'partner_services_read',
  'partner_timeslots_read',
  'partner_contacts_read',
  'partner_pricing_read',
  'partner_webhooks_manage',
  'partner_contacts_erase',
  'partner_statements_read',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The orders of the operator's list. */
export const KEY_ORDERS = ['createdAt', 'name', 'expiresAt', 'lastUsedAt'] as const;

// Keys: pbs_test_ or pbs_live_, 43 base62 digits (256 random bits), 6 base62 digits of checksum.
// The checksum rejects typing errors and made-up keys without a query.

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_DIGITS = 43;
const CHECKSUM_DIGITS = 6;
const KEY = /^pbs_(?:test|live)_[0-9A-Za-z]{49}$/;

function base62(value: bigint, digits: number): string {
  let text = '';
  for (let rest = value; text.length < digits; rest /= 62n) text = BASE62[Number(rest % 62n)] + text;
  return text;
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), CHECKSUM_DIGITS);
}

export type NewKey = { key: string; hash: Buffer; prefix: string; last4: string };

/** A new key: the plain text to show once, and the values to store. */
export function createKey(deployment: 'sandbox' | 'production'): NewKey {
  const start = deployment === 'sandbox' ? CREDENTIALS.sandboxKey : CREDENTIALS.productionKey;
  const secret = start + base62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_DIGITS);
  const key = secret + checksum(secret);
  return {
    key,
    hash: createHash('sha256').update(key).digest(),
    prefix: key.slice(0, 13),
    last4: key.slice(-4),
  };
}

/** Whether form and checksum are those of a key. */
export function isWellFormedKey(key: string): boolean {
  return KEY.test(key) && checksum(key.slice(0, -CHECKSUM_DIGITS)) === key.slice(-CHECKSUM_DIGITS);
}

/** SHA-256 of the key in hex, which the database stores. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}

export type KeyStatus = 'ACTIVE' | 'REVOKED';

/** Moves of keys: a revoked one stays revoked, because its secret may be in the wrong hands. */
export const KEY_MOVES = {
  ACTIVE: ['REVOKED'],
  REVOKED: [],
} as const satisfies Record<KeyStatus, readonly KeyStatus[]>;

/** Whether a key may move from one status to the other. The same status is no move. */
export function mayBecome(from: KeyStatus, to: KeyStatus): boolean {
  const moves: readonly KeyStatus[] = KEY_MOVES[from];
  return from === to || moves.includes(to);
}

/** Why a known key is not valid; the response does not reveal it (unauthorized in guard.ts). */
export type WhyRefused = 'suspended' | 'revoked' | 'expired' | 'replaced';

/** Why the key was not valid at that time; null: it is valid now, so the cause is gone. */
export function refusalReason(
  key: {
    partner_status: 'ACTIVE' | 'SUSPENDED';
    status: KeyStatus;
    expires_at: Instant | null;
    /** When a rotation ended this secret; null: it is the current one. */
    replaced_at: Instant | null;
  },
  at: Instant,
): WhyRefused | null {
  if (key.partner_status === 'SUSPENDED') return 'suspended';
  if (key.status === 'REVOKED') return 'revoked';
  if (key.expires_at !== null && key.expires_at <= at) return 'expired';
  return key.replaced_at !== null && key.replaced_at <= at ? 'replaced' : null;
}

const FIRST_EXPIRY = Date.parse('2000-01-01T00:00:00+03:00');
const AFTER_LAST_EXPIRY = Date.parse('2101-01-01T00:00:00+03:00');

/** The instant of an ISO 8601 date and time with offset in the years 2000 to 2100, else null. */
export function parseExpiry(text: string): Instant | null {
  const instant = parseOffsetDateTime(text);
  return instant === null || instant < FIRST_EXPIRY || instant >= AFTER_LAST_EXPIRY ? null : instant;
}

export const EXPIRY: Rule<string> = {
  check: (text) => parseExpiry(text) !== null,
  message: 'must be a date and time with offset in the years 2000 to 2100',
};
export const ADDRESS_RANGE: Rule<string> = {
  check: (text) => normalizeAddressRange(text) !== null,
  message: 'must be an IP address or a CIDR',
};

/**
 * A normalized entry of an IP allowlist, or null when it is neither an address nor a CIDR. IPv4-mapped IPv6 becomes
 * IPv4; a mapped prefix shorter than 96 bits, which would mean every IPv4 address, is refused.
 */
export function normalizeAddressRange(entry: string): string | null {
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  // isIP accepts a zone ("fe80::1%eth0"), which is only valid on one machine.
  if (version === 0 || address.includes('%') || rest.length > 0) return null;
  const plain = normalizeAddress(address);
  if (plain === null || bits === undefined) return plain;
  if (!/^(?:0|[1-9]\d{0,2})$/.test(bits) || Number(bits) > (version === 4 ? 32 : 128)) return null;
  const length = Number(bits) - (version === 6 && isIPv4(plain) ? 96 : 0);
  return length < 0 ? null : `${plain}/${length}`;
}

/** Until when the secret before the last rotation is valid; null: it is not any more. */
export function previousSecretUntil(
  key: { previous_expires_at: Instant | null; expires_at: Instant | null; status: KeyStatus },
  now: Instant,
): Instant | null {
  if (key.previous_expires_at === null || key.status !== 'ACTIVE') return null;
  const until = Math.min(key.previous_expires_at, key.expires_at ?? Number.POSITIVE_INFINITY);
  return until > now ? until : null;
}
