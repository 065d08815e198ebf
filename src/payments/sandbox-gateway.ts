import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Db } from '../platform/db.ts';
import { type Gateway, GatewayError, type GatewayStatus } from './gateway.ts';
import {
  type CheckoutRow,
  endCheckout,
  findCheckout,
  findCheckoutOf,
  openCheckout,
  refundCheckout,
} from './sandbox-queries.ts';

/**
 * The gateway of sandboxes: its books are a table of ours, its hosted page is `PUBLIC_URL/checkout/:token`, and no
 * money moves. To the rest of the service it is a gateway like any other.
 */
export function sandboxGateway({
  db,
  clock,
  publicUrl,
}: {
  db: Db;
  clock: Clock;
  publicUrl: () => string;
}): Gateway {
  const link = (token: string) => ({ reference: token, url: `${publicUrl()}/checkout/${token}` });
  const existing = async (reference: string): Promise<CheckoutRow> => {
    const checkout = await findCheckout(db, reference);
    if (checkout === null) throw new GatewayError('there is no such checkout', false);
    return checkout;
  };
  return {
    name: 'sandbox',
    async createLink({ paymentId, amount, expiresAt }) {
      const token = randomBytes(24).toString('base64url');
      return link(await openCheckout(db, clock.now(), { token, paymentId, amount, expiresAt }));
    },
    async findLink(paymentId) {
      const token = await findCheckoutOf(db, paymentId);
      return token === null ? null : link(token);
    },
    async readStatus(reference) {
      return statusOf(await existing(reference), clock.now());
    },
    async closeLink(reference) {
      await existing(reference);
      await endCheckout(db, clock.now(), reference, 'closed');
    },
    async refund(reference, amount) {
      if (!(await refundCheckout(db, reference, amount)))
        throw new GatewayError('the checkout was not paid, or less than that', false);
      return { refundReference: `refund-${reference}` };
    },
    check: async () => {},
    // It is asked at once when its page is used (checkout.ts).
    parseNotification: () => null,
  };
}

function statusOf(checkout: CheckoutRow, now: number): GatewayStatus {
  const paid = checkout.state === 'paid';
  return {
    reference: checkout.token,
    paymentId: checkout.payment_id,
    state: checkout.state === 'open' && checkout.expires_at <= now ? 'closed' : checkout.state,
    paidAmount: paid ? checkout.amount : null,
    currency: paid ? 'SAR' : null,
    paidAt: checkout.paid_at,
    refundedAmount: checkout.refunded,
  };
}
