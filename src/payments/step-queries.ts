import type { Instant } from '../clock.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import {
  boolean,
  first,
  hotStatement,
  int,
  nullable,
  numeric,
  rows,
  text,
  timestamptz,
  typed,
  uuid,
  uuids,
} from '../db/statement.ts';
import { isUuid } from '../http/validation.ts';
import { sqlAfter, sqlBefore } from '../moves.ts';
import type { GatewayLink } from './gateway.ts';
import type { PaymentRow } from './queries.ts';
import { LINK_MOVES, type PaymentState, REFUND_MOVES, type RefundStatus } from './rules.ts';

/** What the steps of a payment write. */
type StepEnd = 'done' | 'refused' | 'fault';

export const RELEASE_PAYMENT = hotStatement({
  name: 'release-payment',
  takes: {
    id: uuid,
    lease: nullable(uuid),
    now: timestamptz,
    dueAt: nullable(timestamptz),
    end: typed<StepEnd>(text),
    news: int,
    status: typed<PaymentState>(text),
    refundStatus: typed<RefundStatus>(text),
    resendAskedAt: nullable(timestamptz),
  },
  returns: {},
  text: `
    update payments set lease = null, leased_until = null,
      tries = case :end::text when 'done' then 0 when 'fault' then greatest(tries - 1, 0) else tries end,
      due_at = case
        when news <> :news or status <> :status or refund_status <> :refundStatus
          or (resend_asked_at is not null and resend_asked_at is distinct from :resendAskedAt::timestamptz)
          then :now::timestamptz
        when status in ('CREATED', 'OPEN') then least(:dueAt::timestamptz, expires_at,
          (select starts_at from appointments a where a.booking_id = payments.booking_id))
        else :dueAt::timestamptz end
    where id = :id and lease = :lease`,
});

/**
 * Ends this worker's claim; what is due next is due at `dueAt` (null: nothing), or now when meanwhile the gateway had
 * news, the booking was canceled or the operator asked for something, and at the latest when the link ends. `tries`
 * begins anew when the step is done, and does not count one that failed by a fault of ours.
 */
export async function releasePayment(
  db: Queryable,
  now: Instant,
  payment: PaymentRow,
  dueAt: Instant | null,
  end: StepEnd,
): Promise<void> {
  const { id, lease, news, status } = payment;
  await rows(db, RELEASE_PAYMENT, {
    id,
    lease,
    now,
    dueAt,
    end,
    news,
    status,
    refundStatus: payment.refund_status,
    resendAskedAt: payment.resend_asked_at,
  });
}

export const RELEASE_CLAIM = hotStatement({
  name: 'release-claim',
  takes: { lease: uuid },
  returns: {},
  text: `
    update payments set lease = null, leased_until = null, tries = greatest(tries - 1, 0)
    where lease = :lease and due_at is not null`,
});

/** Ends a claim whose result was lost, so that no worker knows what it has claimed. */
export async function releaseClaim(db: Queryable, lease: string): Promise<void> {
  await rows(db, RELEASE_CLAIM, { lease });
}

export const RENEW_CLAIMS = hotStatement({
  name: 'renew-claims',
  takes: { ids: uuids, leases: typed<(string | null)[]>(uuids), leasedUntil: timestamptz },
  returns: {},
  text: `
    update payments p set leased_until = :leasedUntil
    from unnest(:ids::uuid[], :leases::uuid[]) as claim (id, lease)
    where p.id = claim.id and p.lease = claim.lease`,
});

/** Renews the claims on payments that are under way. */
export async function renewClaims(
  db: Queryable,
  claims: readonly PaymentRow[],
  leasedUntil: Instant,
): Promise<void> {
  const ids = claims.map(({ id }) => id);
  await rows(db, RENEW_CLAIMS, { ids, leases: claims.map(({ lease }) => lease), leasedUntil });
}

export const SAVE_LINK = hotStatement({
  name: 'save-link',
  takes: { id: uuid, lease: nullable(uuid), gateway: text, reference: text, url: text, now: timestamptz },
  returns: { id: uuid },
  text: `
    update payments set gateway = :gateway, gateway_reference = :reference, link_url = :url, updated_at = :now,
      status = ${sqlAfter('status', LINK_MOVES.linkMade)}
    where id = :id and lease = :lease returning id`,
});

/**
 * Keeps the link, whose URL is sealed, unless this worker's claim is over. A payment that ended meanwhile stays ended.
 */
export async function saveLink(
  db: Queryable,
  now: Instant,
  { id, lease }: PaymentRow,
  gateway: string,
  { reference, url }: GatewayLink,
): Promise<boolean> {
  return (await first(db, SAVE_LINK, { id, lease, gateway, reference, url, now })) !== null;
}

export const MARK_SENT = hotStatement({
  name: 'mark-sent',
  takes: { id: uuid, now: timestamptz, resendAskedAt: nullable(timestamptz) },
  returns: {},
  text: `
    update payments set sent_at = :now, updated_at = :now,
      resend_asked_at = nullif(resend_asked_at, :resendAskedAt::timestamptz)
    where id = :id`,
});

/** The link is on its way to the customer, unless the operator asked for it once more since the claim. */
export async function markSent(db: Queryable, now: Instant, payment: PaymentRow): Promise<void> {
  await rows(db, MARK_SENT, { id: payment.id, now, resendAskedAt: payment.resend_asked_at });
}

export const CLEAR_RESEND = hotStatement({
  name: 'clear-resend',
  takes: { id: uuid, askedAt: timestamptz },
  returns: {},
  text: 'update payments set resend_asked_at = null where id = :id and resend_asked_at = :askedAt',
});

/** Gives up sending the link once more, unless that was asked for again since the claim. */
export async function clearResend(db: Queryable, payment: PaymentRow): Promise<void> {
  const askedAt = payment.resend_asked_at;
  if (askedAt !== null) await rows(db, CLEAR_RESEND, { id: payment.id, askedAt });
}

export const MARK_LINK_CLOSED = hotStatement({
  name: 'mark-link-closed',
  takes: { id: uuid, now: timestamptz },
  returns: {},
  text: 'update payments set link_closed_at = :now, updated_at = :now where id = :id and link_closed_at is null',
});

/** Nothing can be paid by the link any more, since now or already since earlier. */
export async function markLinkClosed(db: Queryable, now: Instant, id: string): Promise<void> {
  await rows(db, MARK_LINK_CLOSED, { id, now });
}

export const CLEAR_NOTIFIED = hotStatement({
  name: 'clear-notified',
  takes: { id: uuid, news: int },
  returns: {},
  text: 'update payments set notified_at = null where id = :id and news = :news',
});

/** Forgets the news that has been looked at, unless there is newer. */
export async function clearNotified(db: Queryable, { id, news, notified_at }: PaymentRow): Promise<void> {
  if (notified_at !== null) await rows(db, CLEAR_NOTIFIED, { id, news });
}

export const MARK_NOTIFIED = hotStatement({
  name: 'mark-notified',
  takes: { id: nullable(uuid), gateway: text, reference: text, now: timestamptz },
  returns: { id: uuid },
  text: `
    update payments set notified_at = :now, news = news + 1, due_at = :now
    where id = :id or (gateway = :gateway and gateway_reference = :reference) returning id`,
});

/** The gateway has news of a payment (its id, or its reference at the gateway): it is due now. Returns its id. */
export async function markNotified(
  db: Queryable,
  now: Instant,
  gateway: string,
  { reference, paymentId }: { reference: string; paymentId: string | null },
): Promise<string | null> {
  // It comes from outside, and may be anything.
  const id = paymentId !== null && isUuid(paymentId) ? paymentId : null;
  const row = await first(db, MARK_NOTIFIED, { id, gateway, reference, now });
  return row?.id ?? null;
}

export type Ending = {
  status: PaymentState;
  failureReason: string | null;
  paid: { at: Instant; amount: string } | null;
  refundStatus: RefundStatus;
};

export const SAVE_ENDING = hotStatement({
  name: 'save-ending',
  takes: {
    id: uuid,
    status: typed<PaymentState>(text),
    failureReason: nullable(text),
    now: timestamptz,
    paidAt: nullable(timestamptz),
    paidAmount: nullable(numeric),
    refundStatus: typed<RefundStatus>(text),
  },
  returns: {},
  text: `
    update payments set status = :status, failure_reason = coalesce(:failureReason::text, failure_reason),
      updated_at = :now, paid_at = coalesce(:paidAt::timestamptz, paid_at),
      paid_amount = coalesce(:paidAmount::numeric, paid_amount), refund_status = :refundStatus, due_at = :now, tries = 0
    where id = :id`,
});

/** Writes what became of a payment. It must be locked by the transaction. */
export async function saveEnding(
  tx: Tx,
  now: Instant,
  id: string,
  { paid, ...ending }: Ending,
): Promise<void> {
  const paidAt = paid?.at ?? null;
  await rows(tx, SAVE_ENDING, { id, now, ...ending, paidAt, paidAmount: paid?.amount ?? null });
}

export const HOLDS_REFUND = hotStatement({
  name: 'holds-refund',
  takes: { id: uuid, lease: nullable(uuid) },
  returns: { id: uuid },
  text: `
    select id from payments
    where id = :id and lease = :lease and ${sqlBefore('refund_status', REFUND_MOVES.done)}`,
});

/** Is the refund still this worker's to make? */
export async function holdsRefund(db: Queryable, { id, lease }: PaymentRow): Promise<boolean> {
  return (await first(db, HOLDS_REFUND, { id, lease })) !== null;
}

export type RefundEnding =
  | { status: 'DONE'; reference: string | null; by: string }
  | { status: 'FAILED'; error: string };

const saveRefundAs = (name: string, move: (typeof REFUND_MOVES)['done' | 'givenUp']) =>
  hotStatement({
    name,
    takes: {
      id: uuid,
      isDone: boolean,
      reference: nullable(text),
      by: nullable(text),
      error: nullable(text),
      now: timestamptz,
      lease: nullable(uuid),
    },
    returns: { id: uuid },
    text: `
      update payments set refund_status = ${sqlAfter('refund_status', move)}, refund_reference = :reference,
        refunded_by = :by, refund_error = :error, refunded_at = case when :isDone then :now::timestamptz end,
        updated_at = :now, tries = 0, due_at = null
      where id = :id and ${sqlBefore('refund_status', move)} and (:isDone or lease = :lease) returning id`,
  });

export const SAVE_REFUND_DONE = saveRefundAs('save-refund-done', REFUND_MOVES.done);
export const SAVE_REFUND_GIVEN_UP = saveRefundAs('save-refund-given-up', REFUND_MOVES.givenUp);

/**
 * Writes the outcome of a pending refund; returns whether it was pending. A completed refund is written even if
 * another worker has the claim by now; that it was given up is written only by the worker that has the claim.
 */
export async function saveRefund(
  db: Queryable,
  now: Instant,
  { id, lease }: PaymentRow,
  ending: RefundEnding,
): Promise<boolean> {
  const isDone = ending.status === 'DONE';
  const saved = await first(db, isDone ? SAVE_REFUND_DONE : SAVE_REFUND_GIVEN_UP, {
    id,
    isDone,
    reference: isDone ? ending.reference : null,
    by: isDone ? ending.by : null,
    error: isDone ? null : ending.error,
    now,
    lease,
  });
  return saved !== null;
}
