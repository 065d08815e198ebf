import type { Instant } from '../base/clock.ts';

/**
 * The interface of payment gateways. Amounts are SAR as exact decimals (`150.00`), never floats. Every call is
 * idempotent: it is repeated when its response was lost.
 */
export type LinkRequest = {
  paymentId: string;
  bookingId: string;
  /** SAR, exact: `150.00`. */
  amount: string;
  description: string;
  expiresAt: Instant;
  /** Whether an earlier try may have made it: then it is searched first. */
  mayExist: boolean;
};

export type GatewayLink = { reference: string; url: string };

/** A payment of the customer by a link, also a failed one. Amounts are exact decimals of its currency. */
export type GatewayPayment = {
  /** The gateway's id of it. */
  reference: string;
  /** The gateway's status. */
  status: string;
  currency: string;
  amount: string;
  /** Charged to the customer: 0 unless paid, less than `amount` when captured in part. */
  charged: string;
  /** The part of `charged` that was refunded or voided. */
  refunded: string;
  at: Instant;
};

export type GatewayStatus = {
  reference: string;
  /** Our payment's id in the link's metadata; null: there is none. */
  paymentId: string | null;
  /** `open`: it can be paid (again); `failed`: the gateway has ended it without money. */
  state: 'open' | 'failed' | 'closed';
  /** All payments of the link, oldest first. */
  payments: GatewayPayment[];
};

/** A hint that the status of a link changed; only `readStatus` returns it. */
export type Notification = { reference: string; paymentId: string | null };

export type Gateway = {
  readonly name: 'sandbox' | 'moyasar';
  /** Idempotent by paymentId. */
  createLink(request: LinkRequest): Promise<GatewayLink>;
  /** The payment's link, after a lost response; null: there is none. */
  findLink(paymentId: string): Promise<GatewayLink | null>;
  readStatus(reference: string): Promise<GatewayStatus>;
  /**
   * Closes an unpaid link. No error when it is closed already, nor when it was paid meanwhile: the caller reads the
   * status.
   */
  closeLink(reference: string): Promise<void>;
  /**
   * Refunds the payment up to `amount` in all, earlier refunds included. The caller must prevent simultaneous calls for
   * one link.
   */
  refund(reference: string, payment: string, amount: string): Promise<void>;
  /** Read-only. Throws GatewayError when the gateway does not respond or refuses the key. */
  check(): Promise<void>;
  /** `forged`: a wrong or missing token. `other`: genuine, but not about a payment link. */
  parseNotification(body: unknown): Notification | 'forged' | 'other';
};

/**
 * `temporary`: worth a retry later. Otherwise the provider has refused this request permanently. `keyRefused`: it refuses our
 * key, which an operator has to replace.
 */
export class ProviderError extends Error {
  readonly temporary: boolean;
  readonly keyRefused: boolean;

  constructor(message: string, temporary: boolean, cause?: unknown, keyRefused = false) {
    super(message, cause === undefined ? {} : { cause });
    this.temporary = temporary;
    this.keyRefused = keyRefused;
  }
}

export class GatewayError extends ProviderError {
  override readonly name = 'GatewayError';
}
