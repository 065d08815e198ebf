import { type CalendarDate, type Instant, toUtcIso } from '../clock.ts';
import type { Queryable } from '../platform/db.ts';
import type { PaymentState } from './rules.ts';

/** The books of the sandbox gateway. */
export type CheckoutState = 'open' | 'paid' | 'failed' | 'closed';

export type CheckoutRow = {
  token: string;
  payment_id: string;
  /** SAR, exact; so is refunded. */
  amount: string;
  expires_at: Instant;
  state: CheckoutState;
  declines: number;
  paid_at: Instant | null;
  refunded: string;
};

const CHECKOUT = 'token, payment_id, amount, expires_at, state, declines, paid_at, refunded';

/** Opens a checkout for the payment, or finds the one it has; answers its token. */
export async function openCheckout(
  db: Queryable,
  now: Instant,
  checkout: { token: string; paymentId: string; amount: string; expiresAt: Instant },
): Promise<string> {
  // Updating nothing makes the statement answer the row that was there before.
  const row = await db.first<{ token: string }>({
    text: `
      insert into sandbox_checkouts (token, payment_id, amount, expires_at, created_at) values ($1, $2, $3, $4, $5)
      on conflict (payment_id) do update set payment_id = excluded.payment_id
      returning token`,
    values: [
      checkout.token,
      checkout.paymentId,
      checkout.amount,
      toUtcIso(checkout.expiresAt),
      toUtcIso(now),
    ],
  });
  return row!.token;
}

export function findCheckout(db: Queryable, token: string): Promise<CheckoutRow | null> {
  return db.first<CheckoutRow>({
    text: `select ${CHECKOUT} from sandbox_checkouts where token = $1`,
    values: [token],
  });
}

export async function findCheckoutOf(db: Queryable, paymentId: string): Promise<string | null> {
  const row = await db.first<{ token: string }>({
    text: 'select token from sandbox_checkouts where payment_id = $1',
    values: [paymentId],
  });
  return row?.token ?? null;
}

/** Ends an open checkout. Of two that try at once, one does. */
export async function endCheckout(
  db: Queryable,
  now: Instant,
  token: string,
  state: 'paid' | 'failed' | 'closed',
): Promise<boolean> {
  const row = await db.first({
    text: `
      update sandbox_checkouts set state = $2, paid_at = case when $2 = 'paid' then $3::timestamptz end
      where token = $1 and state = 'open' and ($2 = 'closed' or expires_at > $3) returning 1`,
    values: [token, state, toUtcIso(now)],
  });
  return row !== null;
}

export async function declineCheckout(db: Queryable, now: Instant, token: string): Promise<boolean> {
  const row = await db.first({
    text: `
      update sandbox_checkouts set declines = declines + 1
      where token = $1 and state = 'open' and expires_at > $2 returning 1`,
    values: [token, toUtcIso(now)],
  });
  return row !== null;
}

/** Gives back up to the amount in all; what has been given back already stays. */
export async function refundCheckout(db: Queryable, token: string, amount: string): Promise<boolean> {
  const row = await db.first({
    text: `
      update sandbox_checkouts set refunded = greatest(refunded, $2::numeric)
      where token = $1 and state = 'paid' and $2::numeric <= amount returning 1`,
    values: [token, amount],
  });
  return row !== null;
}

/** What the checkout page shows. */
export type CheckoutPageRow = CheckoutRow & {
  booking_id: string;
  payment_status: PaymentState;
  booking_status: string;
  service_name: string;
  service_date: CalendarDate;
  starts_at: Instant;
  ends_at: Instant;
  appointment_name: string;
};

export function findCheckoutPage(db: Queryable, token: string): Promise<CheckoutPageRow | null> {
  return db.first<CheckoutPageRow>({
    text: `
      select k.token, k.payment_id, k.amount, k.expires_at, k.state, k.declines, k.paid_at, k.refunded, p.booking_id,
        p.status as payment_status, b.status as booking_status, s.name as service_name, b.service_date, a.starts_at,
        a.ends_at, a.name as appointment_name
      from sandbox_checkouts k
      join payments p on p.id = k.payment_id
      join bookings b on b.id = p.booking_id
      join appointments a on a.booking_id = b.id
      join services s on s.id = b.service_id
      where k.token = $1`,
    values: [token],
  });
}
