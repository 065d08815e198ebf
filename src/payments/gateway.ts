import type { Instant } from '../clock.ts';

/**
 * What the service needs of a payment gateway. Amounts are SAR as exact decimals (`150.00`), never floats.
 * Every call may be repeated: one whose response was lost is simply made again.
 */
export type LinkRequest = {
  paymentId: string;
  bookingId: string;
  /** SAR, exact: `150.00`. */
  amount: string;
  description: string;
  expiresAt: Instant;
  /** An earlier try may have made it: look for it before making one. */
  mayExist: boolean;
};

export type GatewayLink = { reference: string; url: string };

export type GatewayStatus = {
  reference: string;
  /** Ours, as it was given to the gateway with the link; null when the link carries none. */
  paymentId: string | null;
  /** `paid` also after a refund: see `refundedAmount`. */
  state: 'open' | 'paid' | 'failed' | 'closed';
  /** SAR paid, exact; null unless paid (or refunded). */
  paidAmount: string | null;
  currency: string | null;
  paidAt: Instant | null;
  /** SAR given back so far, exact. */
  refundedAmount: string;
};

/** A hint that the status of a link changed; only `readStatus` returns it. */
export type Notification = { reference: string; paymentId: string | null };

export type Gateway = {
  readonly name: 'sandbox' | 'moyasar';
  /** Idempotent by paymentId. */
  createLink(request: LinkRequest): Promise<GatewayLink>;
  /** Finds the link made for the payment when the response was lost; null: there is none. */
  findLink(paymentId: string): Promise<GatewayLink | null>;
  readStatus(reference: string): Promise<GatewayStatus>;
  /**
   * From now on an unpaid link cannot be paid. No error when it is closed already, nor when it was paid
   * meanwhile: the caller reads the status.
   */
  closeLink(reference: string): Promise<void>;
  /**
   * `amount` is what is to be given back in all (SAR): what has been given back already is not given back
   * again. Two calls at the same time for one link are the caller's to prevent.
   */
  refund(reference: string, amount: string): Promise<{ refundReference: string }>;
  /** Throws GatewayError when the gateway does not answer, or not to us (a wrong key). Changes nothing. */
  check(): Promise<void>;
  /** Null: not genuine (wrong or missing token), or not about a link. */
  parseNotification(body: unknown): Notification | null;
};

/** `temporary`: worth a retry later. Otherwise the gateway has refused this request permanently. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly temporary: boolean;

  constructor(message: string, temporary: boolean, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.temporary = temporary;
  }
}
