import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Addresses of the customers' pages. A token is the booking's id and a code over it under a key of the database's own:
 * nothing is stored for a booking, and every booking has its address from the beginning
 * (docs/decisions/customer-page.md).
 */
export type Tracking = {
  urlOf(bookingId: string): string;
  /** The booking of a token that `urlOf` made; null: another text. */
  bookingOf(token: string): string | null;
};

export const TRACKING_KEY_BYTES = 32;
const ID_BYTES = 16;
const CODE_BYTES = 24;
/** Characters of a token: 40 bytes in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{54}$/;

/** Made before the database answers; `useKey` comes before the first request. */
export function createTracking(publicUrl: () => string): Tracking & { useKey(key: Buffer): void } {
  let known: Buffer | null = null;
  const tokenOf = (id: Buffer): string => {
    if (known === null) throw new Error('the key of tracking addresses is not known yet');
    const code = createHmac('sha256', known).update('tracking:').update(id).digest().subarray(0, CODE_BYTES);
    return Buffer.concat([id, code]).toString('base64url');
  };
  return {
    useKey(key) {
      known = key;
    },
    urlOf: (bookingId) => `${publicUrl()}/t/${tokenOf(Buffer.from(bookingId.replaceAll('-', ''), 'hex'))}`,
    bookingOf(token) {
      if (!TOKEN.test(token)) return null;
      const id = Buffer.from(token, 'base64url').subarray(0, ID_BYTES);
      // The texts, because several texts decode to the same bytes.
      return timingSafeEqual(Buffer.from(tokenOf(id)), Buffer.from(token)) ? uuidOf(id) : null;
    },
  };
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
