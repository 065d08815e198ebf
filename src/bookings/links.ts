import { SealError, type Sealer } from '../db/sealing.ts';
import { openLink, type StoredLink } from './payment-links.ts';
import type { Tracking } from './tracking.ts';

/** The links in the bookings of one partner. */
export type Links = {
  /** null: without payment links. */
  sealer: Sealer | null;
  /** null: the partner's account has no page for its customers. */
  tracking: Pick<Tracking, 'urlOf'> | null;
};

export const NO_LINKS: Links = { sealer: null, tracking: null };

/** The links in bookings of this partner. */
export function linksOf(
  { sealer, tracking }: { sealer: Sealer | null; tracking: Tracking },
  { trackingPage }: { trackingPage: boolean },
): Links {
  return { sealer, tracking: trackingPage ? tracking : null };
}

type PaymentLink = { url: string; expiresAt: string };
/** `isErased`: its customer, who has no page any more. */
type WithStoredLink = { bookingId: string; paymentLink: StoredLink | null; isErased?: boolean };
type WithLinks<T> = Omit<T, 'paymentLink' | 'trackingUrl' | 'isErased'> & {
  paymentLink: PaymentLink | null;
  trackingUrl: string | null;
};

/**
 * The booking with its links. null also instead of a payment link under a key that is no longer known: payloads of
 * events are not sealed again when the key changes, and by then their links are over.
 */
export function withLinks<T extends WithStoredLink>({ sealer, tracking }: Links, booking: T): WithLinks<T> {
  const { isErased = false, ...shown } = booking;
  const { bookingId, paymentLink } = booking;
  return {
    ...shown,
    paymentLink: paymentLink && sealer && opened(sealer, paymentLink),
    trackingUrl: tracking === null || isErased ? null : tracking.urlOf(bookingId),
  } as WithLinks<T>;
}

function opened(sealer: Sealer, { paymentId, stored, expiresAt }: StoredLink): PaymentLink | null {
  try {
    return { url: openLink(sealer, paymentId, stored), expiresAt };
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

/** The payload of an event as it goes over the wire: a booking has its links of now. */
export function openPayload(links: Links, payload: unknown): unknown {
  if (!isBooking(payload)) return payload;
  // Payloads of versions without payment links.
  if (payload.paymentLink === undefined) {
    const { paymentLink: _none, ...booking } = withLinks(links, { ...payload, paymentLink: null });
    return booking;
  }
  return withLinks(links, payload as WithStoredLink);
}

function isBooking(payload: unknown): payload is { bookingId: string; paymentLink?: StoredLink | null } {
  return (
    typeof payload === 'object' &&
    payload !== null &&
    'bookingId' in payload &&
    'trackingReference' in payload
  );
}
