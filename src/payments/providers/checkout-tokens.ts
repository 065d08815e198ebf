import { createHash } from 'node:crypto';
import type { Sealer } from '../../db/sealing.ts';

/** 24 bytes. Other texts, also a NUL, never reach the database. */
const TOKEN = /^[A-Za-z0-9_-]{32}$/;

export const isToken = (text: string): boolean => TOKEN.test(text);

/** The digest of a token, which is stored instead of it: it cannot open a checkout. */
export function referenceOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** The token of a payment's checkout by each key of the sealer: derived, never stored. */
export function tokensOf(sealer: Sealer, paymentId: string): string[] {
  return sealer.derive(`checkout-token:${paymentId}`);
}
