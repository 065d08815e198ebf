import { HOUR } from '../base/clock.ts';
import { setCookie } from '../http/cookies.ts';

/** Milliseconds of a session of the console. */
export const SESSION_DURATION = 12 * HOUR;

/** Milliseconds for which a link may be used. */
export const LINK_DURATION = 72 * HOUR;

/** The cookie of a session, sent to the operator's interface only. */
export const SESSION_COOKIE = 'pbs_console';

/** `Set-Cookie` of a session; null: removes the cookie. */
export const sessionCookie = (token: string | null, isSecure: boolean): string =>
  setCookie({ name: SESSION_COOKIE, path: '/operator', seconds: SESSION_DURATION / 1_000, isSecure }, token);
