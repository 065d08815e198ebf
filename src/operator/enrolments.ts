import { timingSafeEqual } from 'node:crypto';
import type { Instant } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import { CREDENTIALS, newToken, sha256 } from '../base/tokens.ts';
import type { Db, Tx } from '../db/connection.ts';
import { acceptPin, countPinTry, deleteEnrolment, insertEnrolment } from './session-queries.ts';
import { ENROLMENT_DURATION, MAX_PIN_FAILURES, pinHash } from './session-rules.ts';
import { tokenRows } from './tokens-queries.ts';

/** Enrols a browser of the link's person under the PIN for 90 days; `cookie` is its secret, which is not stored. */
export async function enrol(
  tx: Tx,
  now: Instant,
  { tokenId, expiresAt }: { tokenId: string; expiresAt: Instant | null },
  pin: string,
): Promise<{ tokenId: string; enrolmentId: string; endsAt: Instant; cookie: string }> {
  const { token: cookie, hash } = newToken(CREDENTIALS.operatorBrowser);
  const endsAt = Math.min(now + ENROLMENT_DURATION, expiresAt ?? Infinity);
  const enrolment = { tokenId, hash, pinHash: await pinHash(pin, cookie), expiresAt: endsAt };
  return { tokenId, endsAt, cookie, enrolmentId: await insertEnrolment(tx, now, enrolment) };
}

const refused = (message: string, details: object): ApiError =>
  new ApiError('UNAUTHORIZED', message, { check: 'pin', ...details });
const notEnrolled = (): ApiError =>
  refused('The browser is not enrolled: ask an administrator for a link', { reason: 'not-enrolled' });

/**
 * Checks the PIN of the browser with the cookie; the returned function accepts it, and the new PIN. Both throw UNAUTHORIZED.
 * The fifth wrong PIN in a row ends the enrolment.
 */
export async function provePin(
  db: Db,
  now: Instant,
  cookie: string | null,
  { pin, newPin }: { pin: string; newPin: string | undefined },
) {
  const tried = cookie === null ? null : await countPinTry(db, now, sha256(cookie));
  if (cookie === null || tried === null) throw notEnrolled();
  if (!timingSafeEqual(await pinHash(pin, cookie), tried.pin_hash)) {
    await deleteEnrolment(db, tried.id, MAX_PIN_FAILURES);
    throw refused('The PIN is wrong', { reason: 'wrong', triesLeft: MAX_PIN_FAILURES - tried.pin_failures });
  }
  const hash = newPin === undefined ? tried.pin_hash : await pinHash(newPin, cookie);
  return async (tx: Tx) => {
    if ((await tokenRows.lock(tx, tried.token_id)) === null || !(await acceptPin(tx, tried.id, hash)))
      throw notEnrolled();
    return { tokenId: tried.token_id, enrolmentId: tried.id, endsAt: tried.expires_at, cookie: null };
  };
}
