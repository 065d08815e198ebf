import type { CalendarDate, Instant } from '../base/clock.ts';
import type { RefundStatus } from '../bookings/refund.ts';
import type { BookingStatus } from '../bookings/rules.ts';
import { SOLD_NAME, SOLD_NAME_AR } from '../catalogue/sold-names.ts';
import type { ContactLanguage } from '../contacts/table.ts';
import { each } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { first, hotStatement, pg, type Row, rows } from '../db/statement.ts';
import { type PaymentState, UNSENT_STEPS } from './rules.ts';
import { PAYMENTS } from './table.ts';

const { leased_until: _, decision_reason: __, decided_by: ___, decided_at: ____, ...OF_PAYMENT } = PAYMENTS;
const PAYMENT = `${each(OF_PAYMENT, (column) => `p.${column}`)}, a.starts_at, a.ends_at, a.name as appointment_name,
  b.service_date, b.status as booking_status,
  r.name as partner_name, ${SOLD_NAME} as service_name, ${SOLD_NAME_AR} as service_name_ar, c.phone as contact_phone, c.language as contact_language`;

const JOINS = `
  join bookings b on b.id = p.booking_id
  join appointments a on a.booking_id = p.booking_id
  join services s on s.id = b.service_id
  join partners r on r.id = p.partner_id
  join contacts c on c.id = b.contact_id`;

const PAYMENT_COLUMNS = {
  ...OF_PAYMENT,
  starts_at: pg.timestamptz,
  ends_at: pg.timestamptz,
  appointment_name: pg.text,
  service_date: pg.typed<CalendarDate>(pg.date),
  booking_status: pg.typed<BookingStatus>(pg.text),
  service_name: pg.text,
  service_name_ar: pg.nullable(pg.text),
  partner_name: pg.text,
  /** null: the customer was erased, which a booking that waits for payment prevents. */
  contact_phone: pg.nullable(pg.text),
  /** null: both. */
  contact_language: pg.nullable(pg.typed<ContactLanguage>(pg.text)),
};

export const FIND_PAYMENT = hotStatement({
  name: 'find-payment',
  takes: { id: pg.uuid },
  returns: PAYMENT_COLUMNS,
  text: `select ${PAYMENT} from payments p ${JOINS} where p.id = :id`,
});

export const LOCK_PAYMENT = hotStatement({
  ...FIND_PAYMENT,
  name: 'lock-payment',
  text: `select ${PAYMENT} from payments p ${JOINS} where p.id = :id for no key update of p`,
});

/** null: there is none of this id. */
export function findPayment(db: Queryable, id: string): Promise<PaymentRow | null> {
  return first(db, FIND_PAYMENT, { id });
}

/** Locks the payment until the end of the transaction. Its booking must be locked before it. */
export function lockPayment(tx: Tx, id: string): Promise<PaymentRow | null> {
  return first(tx, LOCK_PAYMENT, { id });
}

export const CLAIM_PAYMENTS = hotStatement({
  name: 'claim-payments',
  takes: {
    now: pg.timestamptz,
    realNow: pg.timestamptz,
    limit: pg.bigint,
    lease: pg.uuid,
    leasedUntil: pg.timestamptz,
  },
  returns: PAYMENT_COLUMNS,
  text: `
    with due as (
      select id from payments
      where due_at <= :now and (lease is null or leased_until <= :realNow)
      order by due_at limit :limit for update skip locked
    ), p as (
      update payments set lease = :lease, leased_until = :leasedUntil,
        tries = case when lease is null then tries + 1 else greatest(tries, 1) end,
        link_asks = link_asks + case when status = 'CREATED' then 1 else 0 end
      from due where payments.id = due.id returning payments.*
    )
    select ${PAYMENT} from p ${JOINS}`,
});

/**
 * A payment with the columns of its booking that the steps use. Amounts are SAR, exact; `news` counts changes during a
 * claim that make the payment due again.
 */
export type PaymentRow = Row<typeof CLAIM_PAYMENTS>;

/**
 * Claims due payments until `leasedUntil` (real time, as `realNow`). The request for a link is counted before it is
 * sent, so that after a crash the next worker searches for the link. A claim that expired does not count as a try.
 */
export function claimPayments(
  db: Queryable,
  now: Instant,
  realNow: Instant,
  claim: { limit: number; lease: string; leasedUntil: Instant },
): Promise<PaymentRow[]> {
  return rows(db, CLAIM_PAYMENTS, { now, realNow, ...claim });
}

export const FIND_OPEN_LINK = hotStatement({
  name: 'find-open-link',
  takes: { bookingId: pg.uuid },
  returns: { id: pg.uuid, link_url: pg.nullable(pg.text) },
  text: "select id, link_url from payments where booking_id = :bookingId and status = 'OPEN'",
});

/** The booking's payment with an open link, which is sealed; null: there is none. */
export function findOpenLink(db: Queryable, bookingId: string): Promise<Row<typeof FIND_OPEN_LINK> | null> {
  return first(db, FIND_OPEN_LINK, { bookingId });
}

export const COUNT_UNSETTLED = hotStatement({
  name: 'count-unsettled',
  takes: {},
  returns: {
    kind: pg.typed<'link' | 'refund'>(pg.text),
    status: pg.typed<PaymentState | RefundStatus | 'TO_DECIDE'>(pg.text),
    count: pg.bigint,
  },
  text: `
    select 'link' as kind, status, count(*) as count from payments
    where status in ('CREATED', 'OPEN') group by status
    union all
    select 'refund', refund_status, count(*) from payments
    where refund_status in ('PENDING', 'FAILED') group by refund_status
    union all
    select 'refund', 'TO_DECIDE', count(*) from payments where refund_to_decide`,
});

/** The numbers of payments and refunds in each status that is not final. */
export function countUnsettled(db: Queryable): Promise<Row<typeof COUNT_UNSETTLED>[]> {
  return rows(db, COUNT_UNSETTLED, {});
}

/** SQL over payments: the link is to be made or sent, found by an index. With NOTIFIER none the message is due at the end. */
export const UNSENT: Record<(typeof UNSENT_STEPS)[number], string> = {
  make: "status = 'CREATED'",
  send: "(status = 'OPEN' and sent_at is null and send_due_at is distinct from expires_at)",
};

export const READ_UNSENT = hotStatement({
  name: 'read-unsent',
  takes: {},
  returns: {
    step: pg.typed<keyof typeof UNSENT>(pg.text),
    count: pg.bigint,
    oldest: pg.nullable(pg.timestamptz),
  },
  text: UNSENT_STEPS.map(
    (step) =>
      `select '${step}' as step, count(*) as count, min(created_at) as oldest from payments where ${UNSENT[step]}`,
  ).join(' union all '),
});

/** The links to make and to send, and the creation of the oldest payment of them; null: there is none. */
export function readUnsent(db: Queryable): Promise<Row<typeof READ_UNSENT>[]> {
  return rows(db, READ_UNSENT, {});
}

export const FIND_TRACE_PARENT = hotStatement({
  name: 'find-trace-parent',
  takes: { bookingId: pg.uuid },
  returns: { trace_parent: pg.nullable(pg.text) },
  text: 'select trace_parent from events where booking_id = :bookingId order by sequence limit 1',
});

/** The trace of the booking's creation; null: it was not traced. */
export async function findTraceParent(db: Queryable, bookingId: string): Promise<string | null> {
  const row = await first(db, FIND_TRACE_PARENT, { bookingId });
  return row?.trace_parent ?? null;
}
