import { isSealed, type Sealer } from '../db/sealing.ts';

/** A payment link as the database has it, in rows and in payloads of events. */
export type StoredLink = { paymentId: string; stored: string; expiresAt: string };

/** The URL is sealed for its payment: it gives access to the booking (docs/decisions/secrets-at-rest.md). */
export const linkContext = (paymentId: string): string => `payment-link:${paymentId}`;

/** The URL of a stored link. Throws SealError. */
export function openLink(sealer: Sealer, paymentId: string, stored: string): string {
  // Rows of versions that did not seal.
  return isSealed(stored) ? sealer.open(stored, linkContext(paymentId)) : stored;
}
