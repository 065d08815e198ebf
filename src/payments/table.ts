import type { RefundStatus } from '../bookings/refund.ts';
import { ERASED_NAME } from '../contacts/table.ts';
import { col, erased, kept, made, type TableOf } from '../db/columns.ts';
import type { PersonalTable } from '../db/personal.ts';
import { pg } from '../db/statement.ts';
import type { PaymentState } from './rules.ts';

export const PAYMENTS = {
  id: made(pg.uuid),
  booking_id: pg.uuid,
  partner_id: pg.uuid,
  /** SAR, an exact decimal; so is paid_amount. */
  amount: pg.numeric,
  status: made(pg.typed<PaymentState>(pg.text)),
  /** These three are null together: there is no link yet. */
  gateway: pg.nullable(pg.text),
  gateway_reference: kept(pg.nullable(pg.text), 'REFERENCE', "the gateway's reference of what was paid"),
  /** Sealed. */
  link_url: kept(pg.nullable(pg.text), 'SEALED', 'leads to the gateway, encrypted, and has ended'),
  expires_at: pg.timestamptz,
  link_closed_at: pg.nullable(pg.timestamptz),
  /** Requests for a link. */
  link_asks: made(pg.int),
  /** Tries of the current step. */
  tries: made(pg.int),
  due_at: pg.nullable(pg.timestamptz),
  lease: pg.nullable(pg.uuid),
  /** The end of a worker's claim (real time); null: none. */
  leased_until: pg.nullable(pg.timestamptz),
  notified_at: pg.nullable(pg.timestamptz),
  /** Counts changes that make the payment due during a claim. */
  news: made(pg.int),
  sent_at: pg.nullable(pg.timestamptz),
  /** The start of the visit that the message told. */
  told_starts_at: pg.nullable(pg.timestamptz),
  /** Tries of the message. */
  send_tries: made(pg.int),
  send_due_at: pg.nullable(pg.timestamptz),
  resend_asked_at: pg.nullable(pg.timestamptz),
  looked_at: pg.nullable(pg.timestamptz),
  failure_reason: pg.nullable(pg.text),
  paid_at: pg.nullable(pg.timestamptz),
  paid_amount: pg.nullable(pg.numeric),
  /** null: of a version that refunded everything or nothing. */
  refunded_amount: pg.nullable(pg.numeric),
  refund_status: made(pg.typed<RefundStatus>(pg.text)),
  /** The whole refund; null: all that was paid. */
  refund_amount: pg.nullable(pg.numeric),
  refund_reference: kept(pg.nullable(pg.text), 'REFERENCE', "the bank's reference of what was paid back"),
  refund_error: erased(pg.nullable(pg.text), 'COPY'),
  refunded_at: pg.nullable(pg.timestamptz),
  refunded_by: pg.nullable(pg.text),
  refund_to_decide: made(pg.boolean),
  /** The operator's decision: amount and reason; null together. */
  kept_amount: pg.nullable(pg.numeric),
  decision_reason: col(pg.nullable(pg.text), {
    personal: { holds: 'TEXT', erased: `case when decision_reason is not null then '${ERASED_NAME}' end` },
  }),
  decided_by: pg.nullable(pg.text),
  decided_at: pg.nullable(pg.timestamptz),
  created_at: pg.timestamptz,
  updated_at: pg.timestamptz,
};
export type PaymentTable = TableOf<typeof PAYMENTS>;

export const GATEWAY_PAYMENTS = {
  payment_id: pg.uuid,
  /** The gateway's id of it. */
  reference: kept(pg.text, 'REFERENCE', "of the sandbox's gateway, which has no customers"),
  status: pg.text,
  currency: pg.text,
  /** Exact decimals of the currency. */
  amount: pg.numeric,
  charged: pg.numeric,
  refunded: pg.numeric,
  by_hand: made(pg.numeric),
  charged_at: pg.timestamptz,
  seen_at: pg.timestamptz,
  updated_at: pg.timestamptz,
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
