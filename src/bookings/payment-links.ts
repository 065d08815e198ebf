import { isSealed, SealError, type Sealer } from '../db/sealing.ts';

/** A payment link as the database has it, in rows and in payloads of events. */
export type StoredLink = { paymentId: string; stored: string; expiresAt: string };
type PaymentLink = { url: string; expiresAt: string };

/** The URL is sealed for its payment: it gives access to the booking (docs/decisions/secrets-at-rest.md). */
export const linkContext = (paymentId: string): string => `payment-link:${paymentId}`;

/** The URL of a stored link. Throws SealError. */
export function openLink(sealer: Sealer, paymentId: string, stored: string): string {
  // Rows of versions that did not seal.
  return isSealed(stored) ? sealer.open(stored, linkContext(paymentId)) : stored;
}

type WithStoredLink = { paymentLink: StoredLink | null };
type WithLink<T> = Omit<T, 'paymentLink'> & { paymentLink: PaymentLink | null };

/**
 * The booking with the URL of its link; without a sealer, without the link. null also instead of a link under a key that
 * is no longer known: payloads of events are not sealed again when the key changes, and by then their links are over.
 */
export function withOpenLink<T extends WithStoredLink>(sealer: Sealer | null, booking: T): WithLink<T> {
  const { paymentLink } = booking;
  return { ...booking, paymentLink: paymentLink && sealer && opened(sealer, paymentLink) };
}

function opened(sealer: Sealer, { paymentId, stored, expiresAt }: StoredLink): PaymentLink | null {
  try {
    return { url: openLink(sealer, paymentId, stored), expiresAt };
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

/** The payload of an event as it goes over the wire. */
export function openPayload(sealer: Sealer | null, payload: unknown): unknown {
  return hasLink(payload) ? withOpenLink(sealer, payload) : payload;
}

function hasLink(payload: unknown): payload is { paymentLink: StoredLink } {
  const { paymentLink } = (payload ?? {}) as { paymentLink?: unknown };
  return typeof paymentLink === 'object' && paymentLink !== null;
}
