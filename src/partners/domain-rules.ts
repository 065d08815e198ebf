import { isIPv4 } from 'node:net';
import type { Rule } from '../http/validation.ts';

/** The domain check of section 5. */

export const DOMAIN: Rule<string> = {
  check: (text) => normalizeHost(text) !== null,
  message: 'must be a bare host name (no scheme, port, path or wildcard)',
};

const HOST = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/**
 * A normalized bare host name (lower case, ASCII), or null: not a host, or more than one (scheme, port, path,
 * wildcard). IPv4 addresses are hosts, their shorthands are not.
 */
export function normalizeHost(text: string): string | null {
  // Characters that URL would treat as other parts, decode or silently drop.
  if (/[\s/\\?#@:[\]%]|\p{Cc}/u.test(text) || !URL.canParse(`https://${text}`)) return null;
  const host = new URL(`https://${text}`).hostname.replace(/\.$/, '');
  if (!HOST.test(host)) return null;
  return isIPv4(host) && !isIPv4(text) ? null : host;
}

export type DomainSource = 'Origin' | 'Referer' | 'x-partner-domain';
/** The domain that a request claims, and its header: none, unreadable, or a host. */
export type DetectedDomain = null | { host: string | null; source: DomainSource };

function hostOfUrl(value: string, source: DomainSource): DetectedDomain {
  // URL strips the port and lower-cases; a scheme without a host ("about:blank") has none to match.
  return { host: URL.canParse(value) ? new URL(value).hostname || null : null, source };
}

/**
 * The caller's domain: `Origin`, else `Referer`, else `x-partner-domain`. `Origin: null` counts as not sent, and so
 * does the service's own origin: requests from its reference page come from no partner's domain.
 */
export function detectDomain(
  headers: Record<string, string | string[] | undefined>,
  isOwn: (address: string) => boolean = () => false,
): DetectedDomain {
  const header = (name: string): string => String(headers[name] ?? '').trim();
  const origin = header('origin');
  if (origin !== '' && origin !== 'null' && !isOwn(origin)) return hostOfUrl(origin, 'Origin');
  const referer = header('referer');
  if (referer !== '' && !isOwn(referer)) return hostOfUrl(referer, 'Referer');
  const named = header('x-partner-domain');
  if (named === '') return null;
  return hostOfUrl(named.includes('://') ? named : `https://${named}`, 'x-partner-domain');
}

/** Whether the host is one of the domains or a subdomain of one, ignoring case and a final dot. */
export function matchesDomain(host: string, domains: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return domains.some((domain) => {
    const wanted = domain.toLowerCase();
    return name === wanted || name.endsWith(`.${wanted}`);
  });
}

export type DomainVerdict = 'ok' | 'INVALID_PARTNER_DOMAIN' | 'SANDBOX_DOMAIN_NOT_ALLOWED';

/** The table of section 5. */
export function checkDomain(
  detected: { host: string | null } | null,
  allowed: readonly string[],
  sandbox: readonly string[],
  sandboxCheck: boolean,
): DomainVerdict {
  if (allowed.length === 0 || detected === null) return 'ok';
  if (detected.host === null || !matchesDomain(detected.host, allowed)) return 'INVALID_PARTNER_DOMAIN';
  if (sandboxCheck && matchesDomain(detected.host, sandbox)) return 'SANDBOX_DOMAIN_NOT_ALLOWED';
  return 'ok';
}
