import type { Generated } from 'kysely';
import type { RefundStatus } from '../bookings/refund.ts';
import type { NullableTimestamp, Timestamp } from '../db/tables.ts';
import type { PaymentState } from './rules.ts';

export type PaymentTable = {
  id: Generated<string>;
  booking_id: string;
  partner_id: string;
  /** SAR, an exact decimal; so is paid_amount. */
  amount: string;
  status: Generated<PaymentState>;
  /** These three are null together: there is no link yet. */
  gateway: string | null;
  gateway_reference: string | null;
  /** Sealed. */
  link_url: string | null;
  expires_at: Timestamp;
  link_closed_at: NullableTimestamp;
  /** Requests for a link. */
  link_asks: Generated<number>;
  /** Tries of the current step. */
  tries: Generated<number>;
  due_at: NullableTimestamp;
  lease: string | null;
  /** The end of a worker's claim (real time); null: none. */
  leased_until: NullableTimestamp;
  notified_at: NullableTimestamp;
  /** Counts changes that make the payment due during a claim. */
  news: Generated<number>;
  sent_at: NullableTimestamp;
  /** Tries of the message. */
  send_tries: Generated<number>;
  send_due_at: NullableTimestamp;
  resend_asked_at: NullableTimestamp;
  looked_at: NullableTimestamp;
  failure_reason: string | null;
  paid_at: NullableTimestamp;
  paid_amount: string | null;
  /** null: of a version that refunded everything or nothing. */
  refunded_amount: string | null;
  refund_status: Generated<RefundStatus>;
  /** The whole refund; null: all that was paid. */
  refund_amount: string | null;
  refund_reference: string | null;
  refund_error: string | null;
  refunded_at: NullableTimestamp;
  refunded_by: string | null;
  refund_to_decide: Generated<boolean>;
  /** The operator's decision: amount and reason; null together. */
  kept_amount: string | null;
  decision_reason: string | null;
  decided_by: string | null;
  decided_at: NullableTimestamp;
  created_at: Timestamp;
  updated_at: Timestamp;
};

export type GatewayPaymentTable = {
  payment_id: string;
  /** The gateway's id of it. */
  reference: string;
  status: string;
  currency: string;
  /** Exact decimals of the currency. */
  amount: string;
  charged: string;
  refunded: string;
  by_hand: Generated<string>;
  charged_at: Timestamp;
  seen_at: Timestamp;
  updated_at: Timestamp;
};
