import type { Instant } from '../base/clock.ts';

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

/** A payment that the customer made, or tried to, by a link. Amounts are exact decimals of its currency. */
export type GatewayPayment = {
  /** The gateway's id of it. */
  reference: string;
  /** The gateway's word. */
  status: string;
  currency: string;
  amount: string;
  /** Really taken from the customer: 0 unless paid, less than `amount` when captured in part. */
  charged: string;
  /** Of that, given back or voided so far. */
  refunded: string;
  at: Instant;
};

export type GatewayStatus = {
  reference: string;
  /** Ours, as it was given to the gateway with the link; null when the link carries none. */
  paymentId: string | null;
  /** Can the link be paid (again)? `failed`: the gateway has ended it without money. */
  state: 'open' | 'failed' | 'closed';
  /** All of the link, oldest first. */
  payments: GatewayPayment[];
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
   * `amount` is what is to be given back of that payment in all: what has been given back already is not given back again.
   * Two calls at the same time for one link are the caller's to prevent.
   */
  refund(reference: string, payment: string, amount: string): Promise<void>;
  /** Throws GatewayError when the gateway does not answer, or not to us (a wrong key). Changes nothing. */
  check(): Promise<void>;
  /** `forged`: a wrong or missing token. `other`: genuine, and about nothing that a link of ours could be. */
  parseNotification(body: unknown): Notification | 'forged' | 'other';
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
