import { createHash, hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Every permission of section 5; the table there says which operations each opens. */
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
] as const;
export type Permission = (typeof PERMISSIONS)[number];

// ---------------------------------------------------------------------------
// API keys: pbs_test_ or pbs_live_, 43 base62 digits (256 random bits), 6 base62 digits of checksum.
// The checksum turns typing errors and made-up keys away without asking the database.

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

/** A new key: the plain text to show once, and what is stored of it. */
export function createKey(deployment: 'sandbox' | 'production'): NewKey {
  const start = deployment === 'sandbox' ? 'pbs_test_' : 'pbs_live_';
  const secret = start + base62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_DIGITS);
  const key = secret + checksum(secret);
  return {
    key,
    hash: createHash('sha256').update(key).digest(),
    prefix: key.slice(0, 13),
    last4: key.slice(-4),
  };
}

/** Could it be one of our keys? Form and checksum only. */
export function isWellFormedKey(key: string): boolean {
  return KEY.test(key) && checksum(key.slice(0, -CHECKSUM_DIGITS)) === key.slice(-CHECKSUM_DIGITS);
}

/** SHA-256 of the key in hex: what the database knows of it. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}

// ---------------------------------------------------------------------------
// Domains (section 5, check 4)

/** What a request says of the domain it comes from: nothing, something unreadable, or a host. */
export type DetectedDomain = null | { host: string | null };

function hostOfUrl(value: string): DetectedDomain {
  // URL strips the port and lower-cases; a scheme without a host ("about:blank") has none to match.
  return { host: URL.canParse(value) ? new URL(value).hostname || null : null };
}

/** The caller's domain: `Origin`, else `Referer`, else `x-partner-domain`. `Origin: null` counts as not sent. */
export function detectDomain(headers: Record<string, string | string[] | undefined>): DetectedDomain {
  const header = (name: string): string => String(headers[name] ?? '').trim();
  const origin = header('origin');
  if (origin !== '' && origin !== 'null') return hostOfUrl(origin);
  if (header('referer') !== '') return hostOfUrl(header('referer'));
  const named = header('x-partner-domain');
  if (named === '') return null;
  return hostOfUrl(named.includes('://') ? named : `https://${named}`);
}

/** Is the host one of the domains or a subdomain of one? Case and a final dot do not matter. */
export function matchesDomain(host: string, domains: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return domains.some((domain) => {
    const wanted = domain.toLowerCase();
    return name === wanted || name.endsWith(`.${wanted}`);
  });
}

export type DomainVerdict = 'ok' | 'INVALID_PARTNER_DOMAIN' | 'SANDBOX_DOMAIN_NOT_ALLOWED';

/** Section 5's table of situations. */
export function checkDomain(
  detected: DetectedDomain,
  allowed: readonly string[],
  sandbox: readonly string[],
  sandboxCheck: boolean,
): DomainVerdict {
  if (allowed.length === 0 || detected === null) return 'ok';
  if (detected.host === null || !matchesDomain(detected.host, allowed)) return 'INVALID_PARTNER_DOMAIN';
  if (sandboxCheck && matchesDomain(detected.host, sandbox)) return 'SANDBOX_DOMAIN_NOT_ALLOWED';
  return 'ok';
}
