import { setTimeout as sleep } from 'node:timers/promises';
import type { Instant } from '../base/clock.ts';
import { openLink } from '../bookings/payment-links.ts';
import { listPaymentsOf } from '../payments/operator-queries.ts';
import { type CheckoutOutcome, useCheckout } from '../payments/providers/checkout.ts';
import type { Deps } from '../program/deps.ts';
import { createSubscription } from '../webhooks/subscriptions.ts';

/** Milliseconds between two polls, and their number. */
const LOOK_EVERY = 50;
const MAX_LOOKS = 200;
/** A name that no resolver knows (RFC 2606): deliveries fail, and nothing is sent. */
const NOWHERE = 'https://hooks.demo-platform.invalid/bookings';

type PlatformDeps = Pick<Deps, 'db' | 'sealer' | 'gateways' | 'wakeups' | 'logger' | 'isDraining'>;

/** Pays a booking's link as its customer, once a worker has created it; without a link it does nothing. */
export async function payByLink(
  { db, sealer, gateways, wakeups, logger, isDraining }: PlatformDeps,
  now: Instant,
  bookingId: string,
  outcome: CheckoutOutcome,
): Promise<void> {
  for (let look = 0; look < MAX_LOOKS && !isDraining(); look++) {
    const [payment] = await listPaymentsOf(db, [bookingId]);
    if (payment?.link_url != null) {
      const token = openLink(sealer, payment.id, payment.link_url).split('/').at(-1)!;
      await useCheckout({ db, gateway: gateways.current(), logger }, now, token, outcome);
      return;
    }
    wakeups.wake();
    await sleep(LOOK_EVERY);
  }
}

/** Creates a subscription of the partner whose deliveries fail. */
export async function subscribeNowhere(deps: PlatformDeps, now: Instant, partnerId: string): Promise<void> {
  const events = ['booking.cancelled' as const, 'booking.payment_failed' as const];
  await createSubscription({ ...deps, allowHosts: [] }, now, partnerId, { url: NOWHERE, events });
}
