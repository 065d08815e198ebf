import { addDays, type CalendarDate, type Instant, startOfDate, toUtcIso } from '../clock.ts';
import type { Queryable, Tx } from '../platform/db.ts';
import type { Page } from '../platform/envelope.ts';
import { pageOf, type Window, whereOf } from '../platform/listing.ts';
import type { PaymentState, RefundStatus } from './rules.ts';

/** What the operator sees of payments by link, whoever's they are. */
export type OperatorPaymentRow = {
  id: string;
  booking_id: string;
  /** The appointment's. */
  tracking_reference: string;
  partner_id: string;
  partner_name: string;
  /** SAR, exact; so is paid_amount. */
  amount: string;
  status: PaymentState;
  gateway: string | null;
  gateway_reference: string | null;
  link_url: string | null;
  expires_at: Instant;
  /** Of the appointment. */
  starts_at: Instant;
  sent_at: Instant | null;
  paid_at: Instant | null;
  paid_amount: string | null;
  failure_reason: string | null;
  refund_status: RefundStatus;
  refund_reference: string | null;
  refund_error: string | null;
  refunded_at: Instant | null;
  refunded_by: string | null;
  tries: number;
  /** Until when a worker has it in hand (real time); null: none has. */
  leased_until: Instant | null;
  created_at: Instant;
  updated_at: Instant;
};

const PAYMENT = `p.id, p.booking_id, a.name as tracking_reference, p.partner_id, r.name as partner_name, p.amount,
  p.status, p.gateway, p.gateway_reference, p.link_url, p.expires_at, a.starts_at, p.sent_at, p.paid_at, p.paid_amount,
  p.failure_reason, p.refund_status, p.refund_reference, p.refund_error, p.refunded_at, p.refunded_by, p.tries,
  p.leased_until, p.created_at, p.updated_at`;

const JOINS = `
  join appointments a on a.booking_id = p.booking_id
  join partners r on r.id = p.partner_id`;

export function findOperatorPayment(db: Queryable, paymentId: string): Promise<OperatorPaymentRow | null> {
  return db.first<OperatorPaymentRow>({
    text: `select ${PAYMENT} from payments p ${JOINS} where p.id = $1`,
    values: [paymentId],
  });
}

/** Locks the payment, and nothing else, until the end of the transaction. */
export function lockOperatorPayment(tx: Tx, paymentId: string): Promise<OperatorPaymentRow | null> {
  return tx.first<OperatorPaymentRow>({
    text: `select ${PAYMENT} from payments p ${JOINS} where p.id = $1 for no key update of p`,
    values: [paymentId],
  });
}

/** The payments of those of the bookings that have one. */
export function listPaymentsOf(db: Queryable, bookingIds: readonly string[]): Promise<OperatorPaymentRow[]> {
  return db.rows<OperatorPaymentRow>({
    text: `select ${PAYMENT} from payments p ${JOINS} where p.booking_id = any ($1::uuid[])`,
    values: [bookingIds],
  });
}

export type PaymentFilter = {
  status?: PaymentState;
  refundStatus?: RefundStatus;
  gateway?: string;
  partnerId?: string;
  bookingId?: string;
  /** Created on this Riyadh date or later. */
  fromDate?: CalendarDate;
  /** Created on this Riyadh date or earlier. */
  toDate?: CalendarDate;
  /** As isLate says. */
  late?: boolean;
  /** An appointment's name, an id of a payment or booking, or a reference at the gateway. */
  search?: string;
};

// As isLate. Money that came late goes back, which is what the index of refunds finds it by.
const LATE = `p.refund_status <> 'NONE' and p.paid_at is not null and p.status <> 'PAID'
  and p.failure_reason is distinct from 'AMOUNT_MISMATCH'`;

/** Payments of all partners, newest first. */
export function listPaymentRows(
  db: Queryable,
  filter: PaymentFilter,
  page: Window,
): Promise<Page<OperatorPaymentRow>> {
  const { where, values } = whereOf([
    ['p.status = ?', filter.status],
    ['p.refund_status = ?', filter.refundStatus],
    ['p.gateway = ?', filter.gateway],
    ['p.partner_id = ?', filter.partnerId],
    ['p.booking_id = ?', filter.bookingId],
    ['p.created_at >= ?', filter.fromDate && toUtcIso(startOfDate(filter.fromDate))],
    ['p.created_at < ?', filter.toDate && toUtcIso(startOfDate(addDays(filter.toDate, 1)))],
    [`(${LATE}) = ?`, filter.late],
    [
      `(p.booking_id = (select booking_id from appointments where name = upper(?)) or p.gateway_reference = ?
        or p.id::text = lower(?) or p.booking_id::text = lower(?))`,
      filter.search,
    ],
  ]);
  return pageOf(
    db,
    `
      with page as (
        select p.id from payments p ${where}
        order by p.created_at desc, p.id desc limit $${values.length + 1} offset $${values.length + 2}
      ), counted as (
        select count(*) as total from payments p ${where}
      ), found as (
        select ${PAYMENT} from page join payments p on p.id = page.id ${JOINS}
      )
      select counted.total, found.* from counted left join found on true
      order by found.created_at desc, found.id desc`,
    [...values, page.limit, page.offset],
  );
}

/** Has the worker send the link now: once more, or for the first time with all its tries. Must be locked. */
export async function askForResend(tx: Tx, now: Instant, paymentId: string): Promise<void> {
  await tx.rows({
    text: `
      update payments set resend_asked_at = case when sent_at is null then null else $2::timestamptz end,
        due_at = $2, tries = 0, updated_at = $2
      where id = $1`,
    values: [paymentId, toUtcIso(now)],
  });
}

/** Has the worker give the money back, with all its tries. Must be locked. */
export async function askForRefund(
  tx: Tx,
  now: Instant,
  paymentId: string,
  refundStatus: RefundStatus,
): Promise<void> {
  await tx.rows({
    text: `
      update payments set refund_status = $3, refund_error = null, due_at = $2, tries = 0, updated_at = $2
      where id = $1`,
    values: [paymentId, toUtcIso(now), refundStatus],
  });
}

/** The money has been given back by hand. Must be locked. */
export async function saveRefundByHand(
  tx: Tx,
  now: Instant,
  paymentId: string,
  { status, reference, by }: { status: RefundStatus; reference: string; by: string },
): Promise<void> {
  await tx.rows({
    text: `
      update payments set refund_status = $3, refund_reference = $4, refunded_by = $5, refund_error = null,
        refunded_at = $2, due_at = null, tries = 0, updated_at = $2
      where id = $1`,
    values: [paymentId, toUtcIso(now), status, reference, by],
  });
}
