import { HOUR } from '../base/clock.ts';

/** Milliseconds of a session of the console. */
export const SESSION_DURATION = 12 * HOUR;

/** Milliseconds for which a link may be used. */
export const LINK_DURATION = 72 * HOUR;

/** The cookie of a session, sent to the operator's interface only. */
export const SESSION_COOKIE = 'pbs_console';

/** `Set-Cookie` of a session; null: removes the cookie. */
export function sessionCookie(token: string | null, isSecure: boolean): string {
  const seconds = token === null ? 0 : SESSION_DURATION / 1_000;
  const secure = isSecure ? '; Secure' : '';
  return `${SESSION_COOKIE}=${token ?? ''}; Path=/operator; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}

/** First match wins: most browsers also name others. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOPT\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** The names of browser and system in a `User-Agent`; null: unknown. */
export function browserOf(userAgent: string): { browser: string | null; system: string | null } {
  const nameIn = (names: typeof BROWSERS) => names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
  return { browser: nameIn(BROWSERS), system: nameIn(SYSTEMS) };
}
