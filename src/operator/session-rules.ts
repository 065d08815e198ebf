import { scrypt } from 'node:crypto';
import { DAY, HOUR } from '../base/clock.ts';
import { setCookie } from '../http/cookies.ts';

/** Milliseconds of a session of the console; of one in an enrolled browser, since it was last used. */
export const SESSION_DURATION = 14 * HOUR;

/** Milliseconds for which a browser stays enrolled after a person's link was opened in it. */
export const ENROLMENT_DURATION = 90 * DAY;

/** Milliseconds for which a link may be used. */
export const LINK_DURATION = 72 * HOUR;

/** Wrong PINs in a row that end a browser's enrolment. */
export const MAX_PIN_FAILURES = 5;

/** The cookies of a session and of an enrolled browser, sent to the operator's interface only. */
export const SESSION_COOKIE = 'pbs_console';
export const ENROLMENT_COOKIE = 'pbs_browser';

type Lasting = { duration: number; isSecure: boolean };

/** `Set-Cookie` for so many milliseconds; null: removes the cookie. */
export const consoleCookie = (name: string, token: string | null, { duration, isSecure }: Lasting): string =>
  setCookie({ name, path: '/operator', seconds: Math.floor(duration / 1_000), isSecure }, token);

/** The stored hash of a PIN: slow, and salted with the browser's cookie, which is stored nowhere. */
export const pinHash = (pin: string, cookie: string): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(pin, cookie, 32, (error, hash) => (error === null ? resolve(hash) : reject(error))),
  );

/** Whether a PIN is among the first that are guessed: one to three digits repeated, or a run of them. */
export function isEasyPin(pin: string): boolean {
  const steps = new Set([...pin].slice(1).map((digit, index) => Number(digit) - Number(pin[index])));
  return /^(\d{1,3})\1+$/.test(pin) || (steps.size === 1 && Math.abs([...steps][0]!) === 1);
}
