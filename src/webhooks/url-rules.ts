import { isPublicAddress } from '../outbound/public-addresses.ts';
import { isExempt } from './rules.ts';

export type UrlRules = {
  /** The partner's setting; without it http is allowed beside https, and nothing else ever. */
  requireHttps: boolean;
  /** `host` and `host:port` that are exempt from the rules of scheme and address (development). */
  allowHosts: readonly string[];
};

const MAX_LENGTH = 2048;

const NOT_A_URL = 'url must be a valid URL';
const PRIVATE = 'url must not point to this machine or a private network';

/** Scheme, two slashes, then what names the host: parsers read anything else in ways of their own. */
const FORM = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i;

/**
 * What is wrong with a URL that deliveries are to go to (section 6), as the message of a fault of the field `url`, or
 * null. Judges the text alone, in every spelling of a host that URL accepts; the addresses behind a name are judged at
 * every attempt.
 */
export function urlProblem(text: string, { requireHttps, allowHosts }: UrlRules): string | null {
  // What parsers trim, drop or take for slashes.
  if (/[\s\\]|[\p{Cc}\p{Cf}]/u.test(text) || !URL.canParse(text)) return NOT_A_URL;
  const url = new URL(text);
  const exempt = isExempt(url, allowHosts);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return schemeProblem(requireHttps);
  if (url.protocol === 'http:' && requireHttps && !exempt) return schemeProblem(requireHttps);

  const authority = FORM.exec(text)?.[1];
  if (authority === undefined || !isName(url.hostname)) return NOT_A_URL;
  // Also empty ones, which the parsed URL shows no trace of.
  if (authority.includes('@')) return 'url must not contain credentials';
  if (!exempt && isPrivate(url.hostname)) return PRIVATE;
  return normalizeUrl(text).length > MAX_LENGTH
    ? `url must be shorter than or equal to ${MAX_LENGTH} characters`
    : null;
}

/** What helps who sends a refused URL: how events reach a receiver on a developer's own machine. */
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

/** No empty label, and not longer than names can be; an IPv6 address in its brackets passes. */
function isName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  return name.length <= 253 && name.split('.').every((label) => label !== '' && label.length <= 63);
}

/** `hostname` as URL gives it: lower case, ASCII, every spelling of an IPv4 address as four decimals. */
function isPrivate(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  if (name.startsWith('[')) return !isPublicAddress(name.slice(1, -1));
  // A last label of digits is always an address: URL refuses it otherwise.
  return /(?:^|\.)\d+$/.test(name) && !isPublicAddress(name);
}

/** The one spelling in which a URL is stored; a missing slash after the host stays missing. Throws TypeError. */
export function normalizeUrl(text: string): string {
  const { href } = new URL(text);
  return href === `${text}/` ? text : href;
}
