import { type CalendarDate, type Instant, toUtcIso } from '../clock.ts';
import type { Queryable, Tx } from '../platform/db.ts';
import type { GatewayLink } from './gateway.ts';
import type { PaymentState, RefundStatus, StepFacts } from './rules.ts';

/** A payment with what its steps need of its booking. */
export type PaymentRow = StepFacts & {
  id: string;
  booking_id: string;
  partner_id: string;
  /** SAR, exact; so is paid_amount. */
  amount: string;
  gateway: string | null;
  link_url: string | null;
  tries: number;
  /** How much has happened so far that had to be looked at. */
  news: number;
  lease: string | null;
  due_at: Instant | null;
  failure_reason: string | null;
  paid_amount: string | null;
  refund_reference: string | null;
  refund_error: string | null;
  refunded_at: Instant | null;
  refunded_by: string | null;
  created_at: Instant;
  updated_at: Instant;
  ends_at: Instant;
  service_date: CalendarDate;
  appointment_name: string;
  service_name: string;
  contact_phone: string;
};

const PAYMENT = `p.id, p.booking_id, p.partner_id, p.amount, p.status, p.gateway, p.gateway_reference, p.link_url,
  p.expires_at, p.link_asks, p.tries, p.news, p.lease, p.due_at, p.notified_at, p.sent_at, p.resend_asked_at,
  p.link_closed_at, p.failure_reason, p.paid_at, p.paid_amount, p.refund_status, p.refund_reference, p.refund_error,
  p.refunded_at,
  p.refunded_by, p.created_at, p.updated_at, a.starts_at, a.ends_at, a.name as appointment_name, b.service_date,
  s.name as service_name, c.phone as contact_phone`;

const JOINS = `
  join bookings b on b.id = p.booking_id
  join appointments a on a.booking_id = p.booking_id
  join services s on s.id = b.service_id
  join contacts c on c.id = b.contact_id`;

export function findPayment(db: Queryable, paymentId: string): Promise<PaymentRow | null> {
  return db.first<PaymentRow>({
    text: `select ${PAYMENT} from payments p ${JOINS} where p.id = $1`,
    values: [paymentId],
  });
}

/** Locks the payment until the end of the transaction. Its booking must be locked before it. */
export function lockPayment(tx: Tx, paymentId: string): Promise<PaymentRow | null> {
  return tx.first<PaymentRow>({
    text: `select ${PAYMENT} from payments p ${JOINS} where p.id = $1 for no key update of p`,
    values: [paymentId],
  });
}

/**
 * Claims payments on which something is due for this worker, until `leasedUntil` (real time, as `realNow`). Counts
 * the try before anything is tried, so that whoever comes after a crash knows that there was one.
 */
export function claimPayments(
  db: Queryable,
  now: Instant,
  realNow: Instant,
  { limit, lease, leasedUntil }: { limit: number; lease: string; leasedUntil: Instant },
): Promise<PaymentRow[]> {
  return db.rows<PaymentRow>({
    name: 'claim-payments',
    text: `
      with due as (
        select id from payments
        where due_at <= $1 and (lease is null or leased_until <= $2)
        order by due_at limit $3 for update skip locked
      ), p as (
        update payments set lease = $4, leased_until = $5, tries = tries + 1,
          link_asks = link_asks + case when status = 'CREATED' then 1 else 0 end
        from due where payments.id = due.id returning payments.*
      )
      select ${PAYMENT} from p ${JOINS}`,
    values: [toUtcIso(now), toUtcIso(realNow), limit, lease, toUtcIso(leasedUntil)],
  });
}

/**
 * Ends this worker's claim; what is due next is due at `dueAt` (null: nothing), or now when meanwhile the gateway had
 * news, the booking was canceled or the operator asked for something, and at the latest when the link ends. `tries`
 * begins anew when the step is done.
 */
export async function releasePayment(
  db: Queryable,
  now: Instant,
  payment: PaymentRow,
  dueAt: Instant | null,
  done: boolean,
): Promise<void> {
  await db.rows({
    text: `
      update payments set lease = null, leased_until = null,
        tries = case when $5 then 0 else tries end,
        due_at = case
          when news <> $6 or status <> $7 or refund_status <> $8
            or (resend_asked_at is not null and resend_asked_at is distinct from $9::timestamptz)
            then $3::timestamptz
          when status in ('CREATED', 'OPEN') then least($4::timestamptz, expires_at,
            (select starts_at from appointments a where a.booking_id = payments.booking_id))
          else $4::timestamptz end
      where id = $1 and lease = $2`,
    values: [
      payment.id,
      payment.lease,
      toUtcIso(now),
      dueAt === null ? null : toUtcIso(dueAt),
      done,
      payment.news,
      payment.status,
      payment.refund_status,
      payment.resend_asked_at === null ? null : toUtcIso(payment.resend_asked_at),
    ],
  });
}

/** Renews the claims on payments that are under way. */
export async function renewClaims(
  db: Queryable,
  claims: readonly PaymentRow[],
  leasedUntil: Instant,
): Promise<void> {
  await db.rows({
    text: `
      update payments p set leased_until = $3
      from unnest($1::uuid[], $2::uuid[]) as claim (id, lease) where p.id = claim.id and p.lease = claim.lease`,
    values: [claims.map(({ id }) => id), claims.map(({ lease }) => lease), toUtcIso(leasedUntil)],
  });
}

/** Keeps the link, unless this worker's claim is over. A payment that ended meanwhile stays ended. */
export async function saveLink(
  db: Queryable,
  now: Instant,
  payment: PaymentRow,
  gateway: string,
  link: GatewayLink,
): Promise<boolean> {
  const row = await db.first({
    text: `
      update payments set gateway = $3, gateway_reference = $4, link_url = $5, updated_at = $6,
        status = case when status = 'CREATED' then 'OPEN' else status end
      where id = $1 and lease = $2 returning 1`,
    values: [payment.id, payment.lease, gateway, link.reference, link.url, toUtcIso(now)],
  });
  return row !== null;
}

/** The link is on its way to the customer, unless the operator asked for it once more since the claim. */
export async function markSent(db: Queryable, now: Instant, payment: PaymentRow): Promise<void> {
  await db.rows({
    text: `
      update payments set sent_at = $2, updated_at = $2, resend_asked_at = nullif(resend_asked_at, $3::timestamptz)
      where id = $1`,
    values: [
      payment.id,
      toUtcIso(now),
      payment.resend_asked_at === null ? null : toUtcIso(payment.resend_asked_at),
    ],
  });
}

/** Gives up sending the link once more, unless that was asked for again since the claim. */
export async function clearResend(db: Queryable, payment: PaymentRow): Promise<void> {
  if (payment.resend_asked_at === null) return;
  await db.rows({
    text: 'update payments set resend_asked_at = null where id = $1 and resend_asked_at = $2',
    values: [payment.id, toUtcIso(payment.resend_asked_at)],
  });
}

/** Nothing can be paid by the link any more, since now or already since earlier. */
export async function markLinkClosed(db: Queryable, now: Instant, paymentId: string): Promise<void> {
  await db.rows({
    text: 'update payments set link_closed_at = $2, updated_at = $2 where id = $1 and link_closed_at is null',
    values: [paymentId, toUtcIso(now)],
  });
}

/** Forgets the news that has been looked at, unless there is newer. */
export async function clearNotified(db: Queryable, payment: PaymentRow): Promise<void> {
  if (payment.notified_at === null) return;
  await db.rows({
    text: 'update payments set notified_at = null where id = $1 and news = $2',
    values: [payment.id, payment.news],
  });
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The gateway has news of a payment (its id, or its reference at the gateway): it is looked at now. Answers its id. */
export async function markNotified(
  db: Queryable,
  now: Instant,
  gateway: string,
  { reference, paymentId }: { reference: string; paymentId: string | null },
): Promise<string | null> {
  // It comes from outside, and may be anything.
  const id = paymentId !== null && UUID.test(paymentId) ? paymentId : null;
  const row = await db.first<{ id: string }>({
    text: `
      update payments set notified_at = $4, news = news + 1, due_at = $4
      where id = $1 or (gateway = $2 and gateway_reference = $3) returning id`,
    values: [id, gateway, reference, toUtcIso(now)],
  });
  return row?.id ?? null;
}

export type Ending = {
  status: PaymentState;
  failureReason: string | null;
  paid: { at: Instant; amount: string } | null;
  refundStatus: RefundStatus;
};

/** Writes what became of a payment. It must be locked by the transaction. */
export async function saveEnding(
  tx: Tx,
  now: Instant,
  paymentId: string,
  { status, failureReason, paid, refundStatus }: Ending,
): Promise<void> {
  await tx.rows({
    text: `
      update payments set status = $2, failure_reason = coalesce($3::text, failure_reason), updated_at = $4,
        paid_at = coalesce($5::timestamptz, paid_at), paid_amount = coalesce($6::numeric, paid_amount), refund_status = $7, due_at = $4,
        tries = 0
      where id = $1`,
    values: [
      paymentId,
      status,
      failureReason,
      toUtcIso(now),
      paid === null ? null : toUtcIso(paid.at),
      paid?.amount ?? null,
      refundStatus,
    ],
  });
}

/** Is the refund still this worker's to make? */
export async function holdsRefund(db: Queryable, payment: PaymentRow): Promise<boolean> {
  const row = await db.first({
    text: `select 1 as held from payments where id = $1 and lease = $2 and refund_status = 'PENDING'`,
    values: [payment.id, payment.lease],
  });
  return row !== null;
}

export type RefundEnding =
  | { status: 'DONE'; reference: string | null; by: string }
  | { status: 'FAILED'; error: string };

/**
 * Writes what became of a refund that is pending; answers whether it was. What has been given back is written whoever
 * has the claim now, that it was given up only by the worker that has it: another one may be at it.
 */
export async function saveRefund(
  db: Queryable,
  now: Instant,
  payment: PaymentRow,
  ending: RefundEnding,
): Promise<boolean> {
  const done = ending.status === 'DONE' ? ending : null;
  const row = await db.first({
    text: `
      update payments set refund_status = $2, refund_reference = $3, refunded_by = $4, refund_error = $5,
        refunded_at = case when $2 = 'DONE' then $6::timestamptz end, updated_at = $6, tries = 0, due_at = null
      where id = $1 and refund_status = 'PENDING' and ($2 = 'DONE' or lease = $7) returning 1 as saved`,
    values: [
      payment.id,
      ending.status,
      done?.reference ?? null,
      done?.by ?? null,
      ending.status === 'FAILED' ? ending.error : null,
      toUtcIso(now),
      payment.lease,
    ],
  });
  return row !== null;
}

/** How many payments and refunds are in each status that waits for something. */
export function countUnsettled(
  db: Queryable,
): Promise<{ kind: 'link' | 'refund'; status: PaymentState | RefundStatus; count: number }[]> {
  // Something is due on every payment that waits: the index of what is due is all that is read.
  return db.rows({
    text: `
      select 'link' as kind, status, count(*) as count from payments
      where due_at is not null and status in ('CREATED', 'OPEN') group by status
      union all
      select 'refund', refund_status, count(*) from payments
      where refund_status in ('PENDING', 'FAILED') group by refund_status`,
  });
}
