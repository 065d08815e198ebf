import { createHash } from 'node:crypto';
import type { Sealer } from '../../db/sealing.ts';

/** 24 bytes. What looks different, a NUL and what the books hold included, never reaches the database. */
const TOKEN = /^[A-Za-z0-9_-]{32}$/;

/** Does it have the form of a token? */
export const isToken = (text: string): boolean => TOKEN.test(text);

/** The digest under which the sandbox gateway stores a token: it cannot open a checkout. */
export function referenceOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/**
 * The token of a payment's checkout, by each key of the sealer: it is kept nowhere, and the same whenever asked for.
 */
export function tokensOf(sealer: Sealer, paymentId: string): string[] {
  return sealer.derive(`checkout-token:${paymentId}`);
}
