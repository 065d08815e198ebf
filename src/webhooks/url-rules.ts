import { isPublicAddress } from '../outbound/public-addresses.ts';
import { isExempt } from './rules.ts';

export type UrlRules = {
  /** The partner's setting; without it http is allowed beside https. */
  requireHttps: boolean;
  /** `host` and `host:port` that are exempt from the rules of scheme and address (development). */
  allowHosts: readonly string[];
};

const MAX_LENGTH = 2048;

const NOT_A_URL = 'url must be a valid URL';
const PRIVATE = 'url must not point to this machine or a private network';

/** Scheme, two slashes and authority: parsers disagree on anything else. */
const FORM = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i;

/**
 * The fault of a subscription's URL (section 6), as the message of the field `url`; null: there is none. Checks the
 * text alone, in every spelling of a host that URL accepts; the addresses of a name are checked at every attempt.
 */
export function urlProblem(text: string, { requireHttps, allowHosts }: UrlRules): string | null {
  // Characters that parsers trim, drop or read as slashes.
  if (/[\s\\]|[\p{Cc}\p{Cf}]/u.test(text) || !URL.canParse(text)) return NOT_A_URL;
  const url = new URL(text);
  const exempt = isExempt(url, allowHosts);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return schemeProblem(requireHttps);
  if (url.protocol === 'http:' && requireHttps && !exempt) return schemeProblem(requireHttps);

  const authority = FORM.exec(text)?.[1];
  if (authority === undefined || !isName(url.hostname)) return NOT_A_URL;
  // Also empty ones, which the parsed URL no longer has.
  if (authority.includes('@')) return 'url must not contain credentials';
  if (!exempt && isPrivate(url.hostname)) return PRIVATE;
  return normalizeUrl(text).length > MAX_LENGTH
    ? `url must be shorter than or equal to ${MAX_LENGTH} characters`
    : null;
}

/** Hints beside a refused URL: how deliveries reach a receiver on a developer's own machine. */
export function urlHints(text: string): string[] {
  if (!URL.canParse(text) || !isPrivate(new URL(text).hostname)) return [];
  return [
    'url: for a receiver on your own machine run partner-booking listen, which forwards events to it; ' +
      'a sandbox of your own delivers to the hosts in WEBHOOK_ALLOW_HOSTS',
  ];
}

function schemeProblem(requireHttps: boolean): string {
  return requireHttps ? 'url must be an https URL' : 'url must be an http or https URL';
}

/** No empty label, at most the length of a DNS name; an IPv6 address in its brackets passes. */
function isName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  return name.length <= 253 && name.split('.').every((label) => label !== '' && label.length <= 63);
}

/** `hostname` of a URL: lower case, ASCII, an IPv4 address as four decimals. */
function isPrivate(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  if (name.startsWith('[')) return !isPublicAddress(name.slice(1, -1));
  // Only an address has a last label of digits: URL refuses others.
  return /(?:^|\.)\d+$/.test(name) && !isPublicAddress(name);
}

/** The stored spelling of a URL; a missing slash after the host stays missing. Throws TypeError. */
export function normalizeUrl(text: string): string {
  const { href } = new URL(text);
  return href === `${text}/` ? text : href;
}
