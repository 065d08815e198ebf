import type { SealedColumn } from '../db/sealed-columns.ts';
import { isSealed, type Sealer } from '../db/sealing.ts';

/** A subscription's secrets are sealed for it (docs/decisions/secrets-at-rest.md). */
const secretContext = (subscriptionId: string): string => `webhook-secret:${subscriptionId}`;

export const WEBHOOK_SECRETS: readonly SealedColumn[] = ['secret', 'previous_secret'].map((column) => ({
  table: 'webhook_subscriptions',
  column,
  context: secretContext,
}));

/** The stored form: sealed for the subscription. */
export function sealSecret(sealer: Sealer, subscriptionId: string, secret: string): string {
  return sealer.seal(secret, secretContext(subscriptionId));
}

/** The plain secret of a stored one. Throws SealError. */
export function openSecret(sealer: Sealer, subscriptionId: string, stored: string): string {
  // Rows of versions that did not seal.
  return isSealed(stored) ? sealer.open(stored, secretContext(subscriptionId)) : stored;
}
