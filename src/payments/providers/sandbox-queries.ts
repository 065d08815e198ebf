import type { Instant } from '../../base/clock.ts';
import { SOLD_NAME, SOLD_NAME_AR } from '../../catalogue/sold-names.ts';
import type { Queryable } from '../../db/connection.ts';
import { first, hotStatement, pg, type Row, rows } from '../../db/statement.ts';
import type { PaymentState } from '../rules.ts';
import { referenceOf } from './checkout-tokens.ts';

/** The checkouts of the sandbox gateway. */
export type CheckoutState = 'open' | 'paid' | 'failed' | 'closed';

const CHECKOUT = `
  k.token as reference, k.payment_id, k.amount, k.expires_at, k.state, k.declines, k.paid_at, k.refunded`;
const CHECKOUT_COLUMNS = {
  reference: pg.text,
  payment_id: pg.uuid,
  /** SAR, exact; so is refunded. */
  amount: pg.numeric,
  expires_at: pg.timestamptz,
  state: pg.typed<CheckoutState>(pg.text),
  declines: pg.int,
  paid_at: pg.nullable(pg.timestamptz),
  refunded: pg.numeric,
} as const;

/** Also the token, which older versions stored as the reference. */
const namesOf = (reference: string): string[] => [reference, referenceOf(reference)];

export const OPEN_CHECKOUT = hotStatement({
  name: 'open-checkout',
  takes: {
    reference: pg.text,
    paymentId: pg.uuid,
    amount: pg.numeric,
    expiresAt: pg.timestamptz,
    now: pg.timestamptz,
  },
  returns: { reference: pg.text },
  // Updating nothing makes the statement return the existing row.
  text: `
    insert into sandbox_checkouts (token, payment_id, amount, expires_at, created_at)
    values (:reference, :paymentId, :amount, :expiresAt, :now)
    on conflict (payment_id) do update set payment_id = excluded.payment_id
    returning token as reference`,
});

/** Opens a checkout for the payment, or finds the existing one; returns its reference. */
export async function openCheckout(
  db: Queryable,
  now: Instant,
  checkout: { reference: string; paymentId: string; amount: string; expiresAt: Instant },
): Promise<string> {
  return (await first(db, OPEN_CHECKOUT, { ...checkout, now }))!.reference;
}

export const FIND_CHECKOUT = hotStatement({
  name: 'find-checkout',
  takes: { names: pg.texts },
  returns: CHECKOUT_COLUMNS,
  text: `select ${CHECKOUT} from sandbox_checkouts k where k.token = any (:names)`,
});

export type CheckoutRow = Row<typeof FIND_CHECKOUT>;

/** null: the gateway has none of this reference. */
export function findCheckout(db: Queryable, reference: string): Promise<CheckoutRow | null> {
  return first(db, FIND_CHECKOUT, { names: namesOf(reference) });
}

export const FIND_CHECKOUT_OF = hotStatement({
  name: 'find-checkout-of',
  takes: { paymentId: pg.uuid },
  returns: { reference: pg.text },
  text: 'select token as reference from sandbox_checkouts where payment_id = :paymentId',
});

/** The reference of the payment's checkout; null: it has none. */
export async function findCheckoutOf(db: Queryable, paymentId: string): Promise<string | null> {
  return (await first(db, FIND_CHECKOUT_OF, { paymentId }))?.reference ?? null;
}

export const END_CHECKOUT = hotStatement({
  name: 'end-checkout',
  takes: { names: pg.texts, state: pg.text, now: pg.timestamptz },
  returns: { reference: pg.text },
  text: `
    update sandbox_checkouts set state = :state, paid_at = case when :state = 'paid' then :now::timestamptz end
    where token = any (:names) and state = 'open' and (:state = 'closed' or expires_at > :now)
    returning token as reference`,
});

/** Ends an open checkout. Of two simultaneous calls one does. */
export async function endCheckout(
  db: Queryable,
  now: Instant,
  reference: string,
  state: 'paid' | 'failed' | 'closed',
): Promise<boolean> {
  return (await first(db, END_CHECKOUT, { names: namesOf(reference), state, now })) !== null;
}

export const DECLINE_CHECKOUT = hotStatement({
  name: 'decline-checkout',
  takes: { names: pg.texts, now: pg.timestamptz },
  returns: { reference: pg.text },
  text: `
    update sandbox_checkouts set declines = declines + 1
    where token = any (:names) and state = 'open' and expires_at > :now
    returning token as reference`,
});

/** Counts a declined payment of an open checkout, which stays open; false: there is none. */
export async function declineCheckout(db: Queryable, now: Instant, reference: string): Promise<boolean> {
  return (await first(db, DECLINE_CHECKOUT, { names: namesOf(reference), now })) !== null;
}

export const REFUND_CHECKOUT = hotStatement({
  name: 'refund-checkout',
  takes: { names: pg.texts, amount: pg.numeric },
  returns: { reference: pg.text },
  text: `
    update sandbox_checkouts set refunded = greatest(refunded, :amount)
    where token = any (:names) and state = 'paid' and :amount <= amount
    returning token as reference`,
});

/** Refunds up to `amount` in all, earlier refunds included. */
export async function refundCheckout(db: Queryable, reference: string, amount: string): Promise<boolean> {
  return (await first(db, REFUND_CHECKOUT, { names: namesOf(reference), amount })) !== null;
}

export const FIND_CHECKOUT_PAGE = hotStatement({
  name: 'find-checkout-page',
  takes: { names: pg.texts },
  returns: {
    ...CHECKOUT_COLUMNS,
    booking_id: pg.uuid,
    payment_status: pg.typed<PaymentState>(pg.text),
    booking_status: pg.text,
    partner_name: pg.text,
    service_name: pg.text,
    service_name_ar: pg.nullable(pg.text),
    service_date: pg.date,
    starts_at: pg.timestamptz,
    ends_at: pg.timestamptz,
    appointment_name: pg.text,
  },
  text: `
    select ${CHECKOUT}, p.booking_id, p.status as payment_status, b.status as booking_status, r.name as partner_name,
      ${SOLD_NAME} as service_name, ${SOLD_NAME_AR} as service_name_ar, b.service_date, a.starts_at, a.ends_at,
      a.name as appointment_name
    from sandbox_checkouts k
    join payments p on p.id = k.payment_id
    join bookings b on b.id = p.booking_id
    join appointments a on a.booking_id = b.id
    join services s on s.id = b.service_id
    join partners r on r.id = p.partner_id
    where k.token = any (:names)`,
});

export type CheckoutPageRow = Row<typeof FIND_CHECKOUT_PAGE>;

/** The checkout with its booking; null: there is none of this reference. */
export function findCheckoutPage(db: Queryable, reference: string): Promise<CheckoutPageRow | null> {
  return first(db, FIND_CHECKOUT_PAGE, { names: namesOf(reference) });
}

/** Plain tokens of older versions whose link has ended or is stored sealed with the payment. */
const PLAIN_TOKENS = `
  select k.token, k.payment_id from sandbox_checkouts k join payments p on p.id = k.payment_id
  where k.token ~ '^[A-Za-z0-9_-]{32}$' and (k.state <> 'open' or p.link_url is not null)`;

export const COUNT_PLAIN_TOKENS = hotStatement({
  name: 'count-plain-tokens',
  takes: {},
  returns: { count: pg.bigint },
  text: `select count(*) as count from (${PLAIN_TOKENS}) plain`,
});

/** The number of plain tokens. */
export async function countPlainTokens(db: Queryable): Promise<number> {
  return (await first(db, COUNT_PLAIN_TOKENS, {}))!.count;
}

export const HIDE_PLAIN_TOKENS = hotStatement({
  name: 'hide-plain-tokens',
  takes: {},
  returns: { reference: pg.text },
  text: `
    with plain as (
      select token, payment_id,
        translate(rtrim(encode(sha256(convert_to(token, 'UTF8')), 'base64'), '='), '+/', '-_') as reference
      from (${PLAIN_TOKENS}) plain
    ), known as (
      update payments p set gateway_reference = plain.reference from plain
      where p.id = plain.payment_id and p.gateway_reference = plain.token
    )
    update sandbox_checkouts k set token = plain.reference from plain where k.token = plain.token
    returning plain.reference`,
});

/** Replaces plain tokens by their references, so that their links still work; returns their number. */
export async function hidePlainTokens(db: Queryable): Promise<number> {
  return (await rows(db, HIDE_PLAIN_TOKENS, {})).length;
}
