import type { Clock } from '../../base/clock.ts';
import { toHalalas } from '../../base/money.ts';
import type { Db } from '../../db/connection.ts';
import type { Sealer } from '../../db/sealing.ts';
import { type Gateway, GatewayError, type GatewayLink, type GatewayStatus } from '../gateway.ts';
import { isToken, referenceOf, tokensOf } from './checkout-tokens.ts';
import {
  type CheckoutRow,
  endCheckout,
  findCheckout,
  findCheckoutOf,
  openCheckout,
  refundCheckout,
} from './sandbox-queries.ts';

/**
 * The gateway of sandboxes: its checkouts are a table, its page is `PUBLIC_URL/checkout/:token`, and no money moves.
 * The table does not have the tokens of the pages.
 */
export function sandboxGateway({
  db,
  sealer,
  clock,
  publicUrl,
}: {
  db: Db;
  sealer: Sealer;
  clock: Clock;
  publicUrl: () => string;
}): Gateway {
  const linkTo = (paymentId: string, reference: string): GatewayLink => {
    // Older versions stored the token itself.
    const token = isToken(reference)
      ? reference
      : tokensOf(sealer, paymentId).find((derived) => referenceOf(derived) === reference);
    if (token === undefined)
      throw new GatewayError(
        'the checkout is of a key that is neither SECRETS_KEY nor SECRETS_KEY_PREVIOUS',
        true,
      );
    return { reference, url: `${publicUrl()}/checkout/${token}` };
  };
  const existing = async (reference: string): Promise<CheckoutRow> => {
    const checkout = await findCheckout(db, reference);
    if (checkout === null) throw new GatewayError('there is no such checkout', false);
    return checkout;
  };
  return {
    name: 'sandbox',
    async createLink({ paymentId, amount, expiresAt }) {
      const reference = referenceOf(tokensOf(sealer, paymentId)[0]!);
      return linkTo(
        paymentId,
        await openCheckout(db, clock.now(), { reference, paymentId, amount, expiresAt }),
      );
    },
    async findLink(paymentId) {
      const reference = await findCheckoutOf(db, paymentId);
      return reference === null ? null : linkTo(paymentId, reference);
    },
    async readStatus(reference) {
      return statusOf(await existing(reference), clock.now());
    },
    async closeLink(reference) {
      await existing(reference);
      await endCheckout(db, clock.now(), reference, 'closed');
    },
    async refund(reference, _payment, amount) {
      if (!(await refundCheckout(db, reference, amount)))
        throw new GatewayError('the checkout was not paid, or less than that', false);
    },
    check: async () => {},
    // checkout.ts reads the status at once when the page is used.
    parseNotification: () => 'forged',
  };
}

function statusOf(checkout: CheckoutRow, now: number): GatewayStatus {
  const { state, amount, refunded, paid_at: paidAt } = checkout;
  const isOver = state === 'open' && checkout.expires_at <= now;
  return {
    reference: checkout.reference,
    paymentId: checkout.payment_id,
    state: state === 'paid' || isOver ? 'closed' : state,
    payments:
      paidAt === null
        ? []
        : [
            {
              reference: `payment-${nameOf(checkout.reference)}`,
              status: isAll(refunded, amount) ? 'refunded' : 'paid',
              currency: 'SAR',
              amount,
              charged: amount,
              refunded,
              at: paidAt,
            },
          ],
  };
}

const isAll = (part: string, amount: string): boolean => toHalalas(part) === toHalalas(amount);

/** Never the token, which older versions stored as the reference. */
const nameOf = (reference: string): string => (isToken(reference) ? referenceOf(reference) : reference);
