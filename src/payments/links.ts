import { linkContext } from '../bookings/payment-links.ts';
import type { SealedColumn } from '../db/sealed-columns.ts';
import type { Sealer } from '../db/sealing.ts';

export const PAYMENT_LINKS: SealedColumn = { table: 'payments', column: 'link_url', context: linkContext };

/** The stored form: sealed for the payment. */
export function sealLink(sealer: Sealer, paymentId: string, url: string): string {
  return sealer.seal(url, linkContext(paymentId));
}
