import type { SealedColumn } from '../db/sealed-columns.ts';
import { isSealed, type Sealer } from '../db/sealing.ts';

/** A link is sealed for its payment: it gives access to the booking (docs/decisions/secrets-at-rest.md). */
const linkContext = (paymentId: string): string => `payment-link:${paymentId}`;

export const PAYMENT_LINKS: SealedColumn = { table: 'payments', column: 'link_url', context: linkContext };

/** The stored form: sealed for the payment. */
export function sealLink(sealer: Sealer, paymentId: string, url: string): string {
  return sealer.seal(url, linkContext(paymentId));
}

/** The URL of a stored link. Throws SealError. */
export function openLink(sealer: Sealer, paymentId: string, stored: string): string {
  // Rows of versions that did not seal.
  return isSealed(stored) ? sealer.open(stored, linkContext(paymentId)) : stored;
}
