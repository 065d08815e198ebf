import { type InferResult, sql, type UpdateObject } from 'kysely';
import { addDays, type CalendarDate, type Instant, startOfDate, toUtcIso } from '../base/clock.ts';
import type { RefundStatus, ShownRefundStatus } from '../bookings/refund.ts';
import type { AppointmentTable, BookingTable } from '../bookings/table.ts';
import { ERASED_NAME } from '../contacts/table.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import type { Page, Window } from '../db/pages.ts';
import { detailedPageOf, firstOf, instant, isAmong, isOneOf, rowsOf, tablesOf } from '../db/tables.ts';
import type { PaymentsQuery } from './operator-schema.ts';
import { UNSENT } from './queries.ts';
import { FAILED_WITH_MONEY } from './rules.ts';
import type { GatewayPaymentTable, PaymentTable } from './table.ts';

/** The operator's view of all partners' payments by link. */

const tables = tablesOf<{
  payments: PaymentTable;
  gateway_payments: GatewayPaymentTable;
  bookings: BookingTable;
  appointments: AppointmentTable;
  partners: { id: string; name: string };
}>();

/** A payment of a link in JSON, for views: amounts are numbers. */
type ListedCharge = {
  reference: string;
  status: string;
  currency: string;
  amount: number;
  charged: number;
  refunded: number;
  by_hand: number;
  at: string;
};

const payments = tables
  .selectFrom('payments as p')
  .innerJoin('appointments as a', 'a.booking_id', 'p.booking_id')
  .innerJoin('bookings as b', 'b.id', 'p.booking_id')
  .innerJoin('partners as r', 'r.id', 'p.partner_id')
  .selectAll('p')
  .select([
    'a.name as tracking_reference',
    'a.starts_at',
    'a.status as appointment_status',
    'a.began_at',
    'b.status as booking_status',
    'r.name as partner_name',
    sql<ListedCharge[]>`coalesce((
      select jsonb_agg(jsonb_build_object('reference', g.reference, 'status', g.status, 'currency', g.currency,
        'amount', g.amount, 'charged', g.charged, 'refunded', g.refunded, 'by_hand', g.by_hand, 'at', g.charged_at)
        order by g.charged_at, g.reference)
      from gateway_payments g where g.payment_id = p.id), '[]')`.as('charges'),
  ]);

export type OperatorPaymentRow = InferResult<typeof payments>[number];

/** The payment of any partner; null: there is none. */
export function findOperatorPayment(db: Queryable, paymentId: string): Promise<OperatorPaymentRow | null> {
  return firstOf(db, payments.where('p.id', '=', paymentId));
}

/** Locks the payment, without its booking, until the end of the transaction. */
export function lockOperatorPayment(tx: Tx, paymentId: string): Promise<OperatorPaymentRow | null> {
  return firstOf(tx, payments.where('p.id', '=', paymentId).forNoKeyUpdate('p'));
}

/** The payments of the bookings, which may have none. */
export function listPaymentsOf(db: Queryable, bookingIds: readonly string[]): Promise<OperatorPaymentRow[]> {
  return rowsOf(db, payments.where(isOneOf('p.booking_id', bookingIds)));
}

/** As the query says it, but: */
export type PaymentFilter = Omit<PaymentsQuery, 'late' | 'unsent' | 'search' | 'page' | 'limit'> & {
  /** As isLate returns. */
  late?: boolean;
  /** Its link is to be made or sent, for longer than it takes. */
  unsent?: { step: keyof typeof UNSENT; before: Instant };
  /** An appointment's name, an id of a payment or booking, or a reference at the gateway. */
  search?: string;
};

// As isLate. Late money is refunded, so the index of refunds finds it.
const LATE = sql<boolean>`(p.refund_status <> 'NONE' and p.paid_at is not null and p.status <> 'PAID'
  and coalesce(p.failure_reason, '') <> all (${[...FAILED_WITH_MONEY]}::text[]))`;

/** As shownRefund. */
function hasRefund(status: ShownRefundStatus) {
  switch (status) {
    case 'TO_DECIDE':
      return sql<boolean>`p.refund_to_decide`;
    case 'DECLINED':
      return sql<boolean>`(p.refund_status = 'NONE' and p.kept_amount is not null and not p.refund_to_decide)`;
    case 'NONE':
      return sql<boolean>`(p.refund_status = 'NONE' and p.kept_amount is null and not p.refund_to_decide)`;
    default:
      return sql<boolean>`(p.refund_status = ${status} and not p.refund_to_decide)`;
  }
}

const PAYMENT_COLUMNS = {
  createdAt: 'p.created_at',
  updatedAt: 'p.updated_at',
  amount: 'p.amount',
  status: 'p.status',
} as const;

/** Payments of all partners, newest first unless sorted otherwise. */
export function listPaymentRows(
  db: Queryable,
  filter: PaymentFilter,
  page: Window,
): Promise<Page<OperatorPaymentRow>> {
  const column = PAYMENT_COLUMNS[filter.sortBy ?? 'createdAt'];
  const direction = filter.sortOrder === 'ASC' ? 'asc' : 'desc';
  const { status, refundStatus, gateway, partnerId, bookingId, fromDate, toDate, late, unsent, search } =
    filter;
  const from = (day: CalendarDate) => instant(startOfDate(day));
  const ids = tables
    .selectFrom('payments as p')
    .select('p.id')
    .$if(status !== undefined, (found) => found.where('status', '=', status!))
    .$if(refundStatus !== undefined, (found) => found.where(hasRefund(refundStatus!)))
    .$if(gateway !== undefined, (found) => found.where('gateway', '=', gateway!))
    .$if(partnerId !== undefined, (found) => found.where('partner_id', '=', partnerId!))
    .$if(bookingId !== undefined, (found) => found.where('booking_id', '=', bookingId!))
    .$if(fromDate !== undefined, (found) => found.where('created_at', '>=', from(fromDate!)))
    .$if(toDate !== undefined, (found) => found.where('created_at', '<', from(addDays(toDate!, 1))))
    .$if(late !== undefined, (found) => found.where(LATE, '=', late!))
    .$if(unsent !== undefined, (found) =>
      found.where(
        sql<boolean>`(${sql.raw(UNSENT[unsent!.step])} and created_at < ${instant(unsent!.before)})`,
      ),
    )
    .$if(search !== undefined, (found) =>
      found.where(sql<boolean>`(
        p.booking_id = (select booking_id from appointments where name = upper(${search}))
          or p.gateway_reference = ${search} or p.id::text = lower(${search}) or p.booking_id::text = lower(${search}))`),
    )
    .orderBy(column, direction)
    .orderBy('p.id', direction);
  return detailedPageOf(
    db,
    ids,
    (found) => payments.where(isAmong('p.id', found)).orderBy(column, direction).orderBy('p.id', direction),
    page,
  );
}

async function updatePayment(
  tx: Tx,
  now: Instant,
  id: string,
  columns: UpdateObject<{ payments: PaymentTable }, 'payments'>,
): Promise<void> {
  const query = tables.updateTable('payments').set({ ...columns, tries: 0, updated_at: toUtcIso(now) });
  await rowsOf(tx, query.where('id', '=', id));
}

/** Makes sending the link due now, again or for the first time, with all tries. Must be locked. */
export async function requestResend(
  tx: Tx,
  now: Instant,
  payment: Pick<OperatorPaymentRow, 'id' | 'sent_at'>,
): Promise<void> {
  const at = toUtcIso(now);
  await updatePayment(tx, now, payment.id, {
    resend_asked_at: payment.sent_at === null ? null : at,
    send_tries: 0,
    send_due_at: null,
    due_at: at,
  });
}

/** Makes the refund due now, with all tries. Must be locked. */
export async function requestRefund(
  tx: Tx,
  now: Instant,
  paymentId: string,
  refundStatus: RefundStatus,
): Promise<void> {
  await updatePayment(tx, now, paymentId, {
    refund_status: refundStatus,
    refund_error: null,
    due_at: toUtcIso(now),
  });
}

/** Saves a manual refund. Must be locked. */
export async function saveManualRefund(
  tx: Tx,
  now: Instant,
  paymentId: string,
  { status, reference, by, amount }: { status: RefundStatus; reference: string; by: string; amount: string },
): Promise<void> {
  await updatePayment(tx, now, paymentId, {
    refund_status: status,
    refunded_amount: amount,
    refund_amount: amount,
    refund_reference: reference,
    refunded_by: by,
    refund_error: null,
    refunded_at: toUtcIso(now),
    due_at: toUtcIso(now),
  });
}

type Refund = { status: RefundStatus; amount: string };

/** Saves the operator's decision on how much is kept; the worker makes the `refund`. Must be locked. */
export async function saveDecision(
  tx: Tx,
  now: Instant,
  paymentId: string,
  decision: { kept: string; reason: string; by: string; refund: Refund | null },
): Promise<void> {
  const { refund } = decision;
  const at = toUtcIso(now);
  await updatePayment(tx, now, paymentId, {
    refund_to_decide: false,
    kept_amount: decision.kept,
    decision_reason: sql<string>`case when is_erased(booking_id) then ${ERASED_NAME} else ${decision.reason} end`,
    decided_by: decision.by,
    decided_at: at,
    ...(refund !== null && {
      refund_status: refund.status,
      refund_amount: refund.amount,
      refund_reference: null,
      refund_error: null,
      refunded_at: null,
      refunded_by: null,
    }),
    due_at: at,
  });
}
