import type { RefundStatus } from '../bookings/refund.ts';
import { ERASED_NAME } from '../contacts/table.ts';
import { col, erased, kept, made, type TableOf } from '../db/columns.ts';
import type { PersonalTable } from '../db/personal.ts';
import { boolean, int, nullable, numeric, text, timestamptz, typed, uuid } from '../db/statement.ts';
import type { PaymentState } from './rules.ts';

const PAYMENTS = {
  id: made(uuid),
  booking_id: uuid,
  partner_id: uuid,
  /** SAR, an exact decimal; so is paid_amount. */
  amount: numeric,
  status: made(typed<PaymentState>(text)),
  /** These three are null together: there is no link yet. */
  gateway: nullable(text),
  gateway_reference: kept(nullable(text), 'REFERENCE', "the gateway's reference of what was paid"),
  /** Sealed. */
  link_url: kept(nullable(text), 'SEALED', 'leads to the gateway, encrypted, and has ended'),
  expires_at: timestamptz,
  link_closed_at: nullable(timestamptz),
  /** Requests for a link. */
  link_asks: made(int),
  /** Tries of the current step. */
  tries: made(int),
  due_at: nullable(timestamptz),
  lease: nullable(uuid),
  /** The end of a worker's claim (real time); null: none. */
  leased_until: nullable(timestamptz),
  notified_at: nullable(timestamptz),
  /** Counts changes that make the payment due during a claim. */
  news: made(int),
  sent_at: nullable(timestamptz),
  /** Tries of the message. */
  send_tries: made(int),
  send_due_at: nullable(timestamptz),
  resend_asked_at: nullable(timestamptz),
  looked_at: nullable(timestamptz),
  failure_reason: nullable(text),
  paid_at: nullable(timestamptz),
  paid_amount: nullable(numeric),
  /** null: of a version that refunded everything or nothing. */
  refunded_amount: nullable(numeric),
  refund_status: made(typed<RefundStatus>(text)),
  /** The whole refund; null: all that was paid. */
  refund_amount: nullable(numeric),
  refund_reference: kept(nullable(text), 'REFERENCE', "the bank's reference of what was paid back"),
  refund_error: erased(nullable(text), 'COPY'),
  refunded_at: nullable(timestamptz),
  refunded_by: nullable(text),
  refund_to_decide: made(boolean),
  /** The operator's decision: amount and reason; null together. */
  kept_amount: nullable(numeric),
  decision_reason: col(nullable(text), {
    personal: { holds: 'TEXT', erased: `case when decision_reason is not null then '${ERASED_NAME}' end` },
  }),
  decided_by: nullable(text),
  decided_at: nullable(timestamptz),
  created_at: timestamptz,
  updated_at: timestamptz,
};
export type PaymentTable = TableOf<typeof PAYMENTS>;

const GATEWAY_PAYMENTS = {
  payment_id: uuid,
  /** The gateway's id of it. */
  reference: kept(text, 'REFERENCE', "of the sandbox's gateway, which has no customers"),
  status: text,
  currency: text,
  /** Exact decimals of the currency. */
  amount: numeric,
  charged: numeric,
  refunded: numeric,
  by_hand: made(numeric),
  charged_at: timestamptz,
  seen_at: timestamptz,
  updated_at: timestamptz,
};
export type GatewayPaymentTable = TableOf<typeof GATEWAY_PAYMENTS>;

export const PERSONAL_PAYMENTS: readonly PersonalTable[] = [
  {
    table: 'payments',
    columns: PAYMENTS,
    what: 'link (encrypted), references of the gateway, its words about a refused refund, why a refund was decided',
    until: 'with the booking',
    hers: 'booking_id = any (:bookings)',
  },
  {
    table: 'gateway_payments',
    columns: GATEWAY_PAYMENTS,
    what: "references of the sandbox's gateway",
    until: 'sandbox only',
  },
];
