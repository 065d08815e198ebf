import type { Instant } from '../base/clock.ts';
import { sqlAfter, sqlBefore } from '../base/moves.ts';
import type { RefundStatus } from '../bookings/refund.ts';
import { some } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { first, hotStatement, pg, type Row, type RowOf, rowList, rows } from '../db/statement.ts';
import { snakeCase } from '../db/tables.ts';
import { isUuid } from '../http/validation.ts';
import type { GatewayLink, GatewayPayment } from './gateway.ts';
import type { PaymentRow } from './queries.ts';
import { LINK_MOVES, type PaymentState, REFUND_MOVES } from './rules.ts';
import { GATEWAY_PAYMENTS } from './table.ts';

type StepEnd = 'done' | 'refused' | 'fault';

export const RELEASE_PAYMENT = hotStatement({
  name: 'release-payment',
  takes: {
    id: pg.uuid,
    lease: pg.nullable(pg.uuid),
    now: pg.timestamptz,
    dueAt: pg.nullable(pg.timestamptz),
    end: pg.typed<StepEnd>(pg.text),
    news: pg.int,
    status: pg.typed<PaymentState>(pg.text),
    refundStatus: pg.typed<RefundStatus>(pg.text),
    resendAskedAt: pg.nullable(pg.timestamptz),
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
 * Ends this worker's claim. The next step is due at `dueAt` (null: there is none), at the latest when the link ends,
 * and now when meanwhile the gateway notified, the booking was canceled or the operator requested a step. 'done' resets
 * `tries`; 'fault', an internal error, is not counted.
 */
export async function releasePayment(
  db: Queryable,
  now: Instant,
  payment: PaymentRow,
  { dueAt, end }: { dueAt: Instant | null; end: StepEnd },
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
  takes: { lease: pg.uuid },
  returns: {},
  text: `
    update payments set lease = null, leased_until = null, tries = greatest(tries - 1, 0)
    where lease = :lease and due_at is not null`,
});

/** Ends a claim whose response was lost, so that its payments are unknown. */
export async function releaseClaim(db: Queryable, lease: string): Promise<void> {
  await rows(db, RELEASE_CLAIM, { lease });
}

export const RENEW_CLAIMS = hotStatement({
  name: 'renew-claims',
  takes: { ids: pg.uuids, leases: pg.typed<(string | null)[]>(pg.uuids), leasedUntil: pg.timestamptz },
  returns: {},
  text: `
    with held as (
      select p.id from payments p join unnest(:ids::uuid[], :leases::uuid[]) as claim (id, lease)
        on p.id = claim.id and p.lease = claim.lease
      for no key update of p skip locked
    )
    update payments p set leased_until = :leasedUntil from held where p.id = held.id`,
});

/**
 * Renews the claims on payments with a step under way. One that is locked is left to the next call: to wait for several
 * could be a deadlock with a transaction that cancels several bookings.
 */
export async function renewClaims(
  db: Queryable,
  claims: readonly PaymentRow[],
  leasedUntil: Instant,
): Promise<void> {
  const ids = claims.map(({ id }) => id);
  await rows(db, RENEW_CLAIMS, { ids, leases: claims.map(({ lease }) => lease), leasedUntil });
}

/** SQL: locks the booking, everywhere before its payment, whose change changes it too. */
const LOCKED = 'locked as materialized (select id from bookings where id = :bookingId for no key update)';

export const SAVE_LINK = hotStatement({
  name: 'save-link',
  takes: {
    id: pg.uuid,
    bookingId: pg.uuid,
    lease: pg.nullable(pg.uuid),
    gateway: pg.text,
    reference: pg.text,
    url: pg.text,
    now: pg.timestamptz,
  },
  returns: { id: pg.uuid },
  text: `
    with ${LOCKED}
    update payments set gateway = :gateway, gateway_reference = :reference, link_url = :url, updated_at = :now,
      status = ${sqlAfter('status', LINK_MOVES.linkMade)}
    from locked where payments.id = :id and lease = :lease returning payments.id`,
});

/**
 * Saves the link, whose URL is sealed, and returns true; false when this worker's claim is over. A payment that ended
 * meanwhile stays ended.
 */
export async function saveLink(
  db: Queryable,
  now: Instant,
  { id, booking_id: bookingId, lease }: PaymentRow,
  { gateway, reference, url }: { gateway: string } & GatewayLink,
): Promise<boolean> {
  return (await first(db, SAVE_LINK, { id, bookingId, lease, gateway, reference, url, now })) !== null;
}

export const MARK_SENT = hotStatement({
  name: 'mark-sent',
  takes: {
    id: pg.uuid,
    now: pg.timestamptz,
    startsAt: pg.timestamptz,
    resendAskedAt: pg.nullable(pg.timestamptz),
  },
  returns: {},
  text: `
    update payments set sent_at = :now, told_starts_at = :startsAt, updated_at = :now, send_tries = 0, send_due_at = null,
      resend_asked_at = nullif(resend_asked_at, :resendAskedAt::timestamptz)
    where id = :id`,
});

/** Marks the message as sent, with the start that it told; a request to send it again that came after the claim stays. */
export async function markSent(db: Queryable, now: Instant, payment: PaymentRow): Promise<void> {
  const { id, starts_at: startsAt, resend_asked_at: resendAskedAt } = payment;
  await rows(db, MARK_SENT, { id, now, startsAt, resendAskedAt });
}

export const DELAY_SENDING = hotStatement({
  name: 'put-off-sending',
  takes: { id: pg.uuid, tries: pg.int, dueAt: pg.timestamptz, resendAskedAt: pg.nullable(pg.timestamptz) },
  returns: {},
  text: `
    update payments set send_tries = :tries, send_due_at = :dueAt
    where id = :id and resend_asked_at is not distinct from :resendAskedAt::timestamptz`,
});

/** Delays the next try of the message, unless the operator has requested to send it again since the claim. */
export async function delaySending(
  db: Queryable,
  { id, resend_asked_at: resendAskedAt }: PaymentRow,
  { dueAt, tries }: { dueAt: Instant; tries: number },
): Promise<void> {
  await rows(db, DELAY_SENDING, { id, tries, dueAt, resendAskedAt });
}

export const CLEAR_RESEND = hotStatement({
  name: 'clear-resend',
  takes: { id: pg.uuid, askedAt: pg.timestamptz },
  returns: {},
  text: `
    update payments set resend_asked_at = null, send_tries = 0, send_due_at = null
    where id = :id and resend_asked_at = :askedAt`,
});

/** Clears the request to send the link again, unless there is a newer one since the claim. */
export async function clearResend(db: Queryable, payment: PaymentRow): Promise<void> {
  const askedAt = payment.resend_asked_at;
  if (askedAt !== null) await rows(db, CLEAR_RESEND, { id: payment.id, askedAt });
}

export const MARK_LINK_CLOSED = hotStatement({
  name: 'mark-link-closed',
  takes: { id: pg.uuid, now: pg.timestamptz },
  returns: {},
  text: 'update payments set link_closed_at = :now, updated_at = :now where id = :id and link_closed_at is null',
});

/** Marks the link as closed, now unless it was closed earlier. */
export async function markLinkClosed(db: Queryable, now: Instant, id: string): Promise<void> {
  await rows(db, MARK_LINK_CLOSED, { id, now });
}

export const MARK_POLLED = hotStatement({
  name: 'mark-looked',
  takes: { id: pg.uuid, news: pg.int, now: pg.timestamptz, isAnswered: pg.boolean },
  returns: {},
  text: `
    update payments set looked_at = :now,
      notified_at = case when :isAnswered and news = :news then null else notified_at end
    where id = :id`,
});

/**
 * Notes the poll. When the gateway has responded, the notification is done, unless a newer one came since the claim.
 */
export async function markPolled(
  db: Queryable,
  now: Instant,
  { id, news }: PaymentRow,
  isAnswered: boolean,
): Promise<void> {
  await rows(db, MARK_POLLED, { id, news, now, isAnswered });
}

export const MARK_NOTIFIED = hotStatement({
  name: 'mark-notified',
  takes: { id: pg.nullable(pg.uuid), gateway: pg.text, reference: pg.text, now: pg.timestamptz },
  returns: { id: pg.uuid },
  text: `
    update payments set notified_at = :now, news = news + 1, due_at = :now
    where id = :id or (gateway = :gateway and gateway_reference = :reference) returning id`,
});

/** Makes a payment due now (by its id, or its reference at the gateway) after a notification. Returns its id. */
export async function markNotified(
  db: Queryable,
  now: Instant,
  gateway: string,
  { reference, paymentId }: { reference: string; paymentId: string | null },
): Promise<string | null> {
  // From the notification, so it may have any form.
  const id = paymentId !== null && isUuid(paymentId) ? paymentId : null;
  const row = await first(db, MARK_NOTIFIED, { id, gateway, reference, now });
  return row?.id ?? null;
}

const CHARGES = rowList({
  reference: pg.text,
  status: pg.text,
  currency: pg.text,
  amount: pg.numeric,
  charged: pg.numeric,
  refunded: pg.numeric,
  at: pg.timestamptz,
});

export const SAVE_CHARGES = hotStatement({
  name: 'save-charges',
  takes: { paymentId: pg.uuid, isByHand: pg.boolean, now: pg.timestamptz, ...CHARGES.takes },
  returns: {},
  // Refunds never decrease: an older response may come later. A manual refund that was made at the gateway shows there
  // later.
  text: `
    insert into gateway_payments as g (payment_id, reference, status, currency, amount, charged, refunded, by_hand,
      charged_at, seen_at, updated_at)
    select :paymentId, item.reference, item.status, item.currency, item.amount, item.charged, item.refunded,
      case when :isByHand then greatest(item.charged - item.refunded, 0) else 0 end, item.at, :now, :now
    from ${CHARGES.as('item')}
    on conflict (payment_id, reference) do update set status = excluded.status, currency = excluded.currency,
      amount = excluded.amount, charged = excluded.charged, refunded = greatest(g.refunded, excluded.refunded),
      by_hand = greatest(0, g.by_hand - greatest(0, excluded.refunded - g.refunded)), updated_at = :now
    where (g.status, g.currency, g.amount, g.charged)
      is distinct from (excluded.status, excluded.currency, excluded.amount, excluded.charged)
      or g.refunded < excluded.refunded`,
});

/**
 * Saves the payments of a link as the gateway returned them. `isByHand`: the rest of the unknown ones was refunded by
 * hand by a version that kept no rows of them.
 */
export async function saveCharges(
  tx: Tx,
  now: Instant,
  paymentId: string,
  { payments, isByHand }: { payments: readonly GatewayPayment[]; isByHand: boolean },
): Promise<void> {
  await rows(tx, SAVE_CHARGES, { paymentId, isByHand, now, ...CHARGES.valuesOf(payments) });
}

export const LIST_CHARGES = hotStatement({
  name: 'list-charges',
  takes: { paymentId: pg.uuid },
  returns: some(GATEWAY_PAYMENTS, ['reference', 'currency', 'charged', 'refunded', 'by_hand', 'charged_at']),
  text: `
    select reference, currency, charged, refunded, by_hand, charged_at from gateway_payments
    where payment_id = :paymentId order by charged_at, reference`,
});

/** The known payments of the link, oldest first. */
export function listCharges(db: Queryable, paymentId: string): Promise<Row<typeof LIST_CHARGES>[]> {
  return rows(db, LIST_CHARGES, { paymentId });
}

export const ADD_MANUAL_REFUNDS = hotStatement({
  name: 'add-by-hand',
  takes: { paymentId: pg.uuid, references: pg.texts, amounts: pg.numerics, now: pg.timestamptz },
  returns: {},
  text: `
    update gateway_payments g set by_hand = g.by_hand + given.amount, updated_at = :now
    from unnest(:references::text[], :amounts::numeric[]) as given (reference, amount)
    where g.payment_id = :paymentId and g.reference = given.reference`,
});

/** Adds manual refunds to the payments. */
export async function addManualRefunds(
  tx: Tx,
  now: Instant,
  paymentId: string,
  shares: readonly { reference: string; amount: string }[],
): Promise<void> {
  const references = shares.map(({ reference }) => reference);
  await rows(tx, ADD_MANUAL_REFUNDS, {
    paymentId,
    references,
    amounts: shares.map(({ amount }) => amount),
    now,
  });
}

const SETTLEMENT = {
  status: pg.typed<PaymentState>(pg.text),
  failureReason: pg.nullable(pg.text),
  paidAt: pg.nullable(pg.timestamptz),
  paidAmount: pg.nullable(pg.numeric),
  refundedAmount: pg.nullable(pg.numeric),
  refundStatus: pg.typed<RefundStatus>(pg.text),
  refundAmount: pg.nullable(pg.numeric),
  refundReference: pg.nullable(pg.text),
  refundError: pg.nullable(pg.text),
  refundedAt: pg.nullable(pg.timestamptz),
  refundedBy: pg.nullable(pg.text),
  refundToDecide: pg.boolean,
};
export type Settlement = RowOf<typeof SETTLEMENT>;

export const SAVE_SETTLEMENT = hotStatement({
  name: 'save-ending',
  takes: { id: pg.uuid, now: pg.timestamptz, ...SETTLEMENT },
  returns: {},
  text: `
    update payments set status = :status, failure_reason = :failureReason, updated_at = :now, paid_at = :paidAt,
      paid_amount = :paidAmount, refunded_amount = :refundedAmount, refund_status = :refundStatus,
      refund_amount = :refundAmount, refund_reference = :refundReference, refund_error = :refundError,
      refunded_at = :refundedAt, refunded_by = :refundedBy, refund_to_decide = :refundToDecide, due_at = :now,
      tries = case when status = :status and refund_status = :refundStatus then tries else 0 end
    where id = :id`,
});

/** The current values of a payment for saveSettlement. */
export const settlementOf = (row: PaymentRow): Settlement =>
  Object.fromEntries(
    Object.keys(SETTLEMENT).map((name) => [name, row[snakeCase(name) as keyof PaymentRow]]),
  ) as Settlement;

/** Saves the status, money and refund of a payment and makes it due. It must be locked by the transaction. */
export async function saveSettlement(tx: Tx, now: Instant, id: string, ending: Settlement): Promise<void> {
  await rows(tx, SAVE_SETTLEMENT, { id, now, ...ending });
}

export const HOLDS_REFUND = hotStatement({
  name: 'holds-refund',
  takes: { id: pg.uuid, lease: pg.nullable(pg.uuid) },
  returns: { id: pg.uuid },
  text: `
    select id from payments
    where id = :id and lease = :lease and ${sqlBefore('refund_status', REFUND_MOVES.givenUp)}`,
});

/** Whether this worker's claim on the refund still holds. */
export async function holdsRefund(db: Queryable, { id, lease }: PaymentRow): Promise<boolean> {
  return (await first(db, HOLDS_REFUND, { id, lease })) !== null;
}

export const FAIL_REFUND = hotStatement({
  name: 'give-refund-up',
  takes: {
    id: pg.uuid,
    bookingId: pg.uuid,
    error: pg.text,
    refundAmount: pg.nullable(pg.numeric),
    now: pg.timestamptz,
    lease: pg.nullable(pg.uuid),
  },
  returns: { id: pg.uuid },
  text: `
    with ${LOCKED}
    update payments set refund_status = ${sqlAfter('refund_status', REFUND_MOVES.givenUp)},
      refund_error = case when is_erased(:bookingId) then null else :error end,
      updated_at = :now, tries = 0, due_at = null
    from locked
    where payments.id = :id and ${sqlBefore('refund_status', REFUND_MOVES.givenUp)} and lease = :lease
      and refund_amount is not distinct from :refundAmount returning payments.id`,
});

/**
 * Fails the refund of this amount, which is left to the operator; false: the lease is over, or another amount is to go back
 * meanwhile (a cancellation), which was not tried yet.
 */
export async function failRefund(
  db: Queryable,
  now: Instant,
  { id, booking_id: bookingId, lease, refund_amount: refundAmount }: PaymentRow,
  error: string,
): Promise<boolean> {
  return (await first(db, FAIL_REFUND, { id, bookingId, lease, refundAmount, error, now })) !== null;
}
