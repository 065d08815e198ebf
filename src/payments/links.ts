import type { SealedColumn } from '../db/sealed-columns.ts';
import { isSealed, type Sealer } from '../db/sealing.ts';

/** A payment's link is sealed for it: who has the link sees the booking, and can pay (docs/decisions/secrets-at-rest.md). */
const linkContext = (paymentId: string): string => `payment-link:${paymentId}`;

export const PAYMENT_LINKS: SealedColumn = { table: 'payments', column: 'link_url', context: linkContext };

/** The link as it is stored: sealed for its payment. */
export function sealLink(sealer: Sealer, paymentId: string, url: string): string {
  return sealer.seal(url, linkContext(paymentId));
}

/** The link as the customer gets it. Throws SealError. */
export function openLink(sealer: Sealer, paymentId: string, stored: string): string {
  // Written by a version that did not seal yet.
  return isSealed(stored) ? sealer.open(stored, linkContext(paymentId)) : stored;
}
