import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Addresses of the customers' pages. A token is the booking's id and a code over it under a key of the database's own:
 * nothing is stored for a booking, and every booking has its address from the beginning
 * (docs/decisions/customer-page.md).
 */
export type Tracking = {
  urlOf(bookingId: string): string;
  /** A short one, of the visit's number and twelve characters, for messages. */
  shortUrlOf(visit: Numbered): string;
  /** The visit of a token of either: the booking's id or the appointment's name; null: another text. */
  visitOf(token: string): VisitKey | null;
};

export type VisitKey = { bookingId: string; name: null } | { bookingId: null; name: string };
type Numbered = { booking_id: string; appointment_name: string };

export const TRACKING_KEY_BYTES = 32;
const ID_BYTES = 16;
const CODE_BYTES = 24;
/** Characters of a token: 40 bytes in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{54}$/;
/** A number, and 9 bytes in base64url: 72 bits, which failures limit. */
const SHORT_TOKEN = /^(\d{4,16})-[A-Za-z0-9_-]{12}$/;
const SHORT_CODE_BYTES = 9;
const NAME = /^SA-(\d{4,16})$/;

/** Made before the database answers; `useKey` comes before the first request. */
export function createTracking(publicUrl: () => string): Tracking & { useKey(key: Buffer): void } {
  let known: Buffer | null = null;
  const codeOf = (kind: string, subject: Buffer | string, bytes: number): Buffer => {
    if (known === null) throw new Error('the key of tracking addresses is not known yet');
    return createHmac('sha256', known).update(kind).update(subject).digest().subarray(0, bytes);
  };
  const tokenOf = (id: Buffer): string =>
    Buffer.concat([id, codeOf('tracking:', id, CODE_BYTES)]).toString('base64url');
  const shortTokenOf = (number: string): string =>
    `${number}-${codeOf('short:', number, SHORT_CODE_BYTES).toString('base64url')}`;
  const urlOf = (bookingId: string): string =>
    `${publicUrl()}/t/${tokenOf(Buffer.from(bookingId.replaceAll('-', ''), 'hex'))}`;
  const isOurs = (token: string, ours: string): boolean =>
    timingSafeEqual(Buffer.from(ours), Buffer.from(token));
  return {
    useKey(key) {
      known = key;
    },
    urlOf,
    shortUrlOf({ booking_id, appointment_name }) {
      const number = NAME.exec(appointment_name)?.[1];
      return number === undefined ? urlOf(booking_id) : `${publicUrl()}/t/${shortTokenOf(number)}`;
    },
    visitOf(token) {
      const number = SHORT_TOKEN.exec(token)?.[1];
      if (number !== undefined)
        return isOurs(token, shortTokenOf(number)) ? { bookingId: null, name: `SA-${number}` } : null;
      if (!TOKEN.test(token)) return null;
      const id = Buffer.from(token, 'base64url').subarray(0, ID_BYTES);
      // The texts, because several texts decode to the same bytes.
      return isOurs(token, tokenOf(id)) ? { bookingId: uuidOf(id), name: null } : null;
    },
  };
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
