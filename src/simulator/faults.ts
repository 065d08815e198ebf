import { type Clock, type Instant, toRiyadhIso } from '../base/clock.ts';
import { orNotFound } from '../base/errors.ts';
import type { Queryable } from '../db/connection.ts';
import type { DeliveryFaults } from '../webhooks/queue.ts';
import type { AttemptFault } from '../webhooks/rules.ts';
import { findSubscriptionOf } from '../webhooks/subscription-queries.ts';
import { deleteFaults, endFaults, listFaults, listTreated, saveFault, takeFaults } from './fault-queries.ts';
import { DEFAULT_DELAY, type FaultKind } from './fault-rules.ts';

export type Faults = Awaited<ReturnType<typeof readFaults>>;

/**
 * Has the next `count` deliveries of the partner's subscription treated so, those whose first attempt is yet to come.
 * It sets the count of the kind, so it may be repeated; of several kinds those that were set first come first. Throws
 * RESOURCE_NOT_FOUND.
 */
export async function setFault(
  db: Queryable,
  now: Instant,
  partnerId: string,
  subscriptionId: string,
  { kind, count, delaySeconds }: { kind: FaultKind; count: number; delaySeconds?: number },
): Promise<Faults> {
  const { id } = await findSubscription(db, partnerId, subscriptionId);
  const delay = kind === 'delay' ? (delaySeconds ?? DEFAULT_DELAY) : null;
  await saveFault(db, now, id, { kind, count, delaySeconds: delay });
  return readFaults(db, partnerId, id);
}

/** What is left of the faults, and which deliveries got one. Throws RESOURCE_NOT_FOUND. */
export async function readFaults(db: Queryable, partnerId: string, subscriptionId: string) {
  const { id } = await findSubscription(db, partnerId, subscriptionId);
  const faults = await listFaults(db, id);
  const treated = await listTreated(db, id);
  return {
    subscriptionId: id,
    faults: faults.map((fault) => ({
      kind: fault.kind,
      remaining: fault.remaining,
      delaySeconds: fault.delay_seconds,
      setAt: toRiyadhIso(fault.set_at),
    })),
    treated: treated.map((row) => ({
      deliveryId: row.delivery_id,
      eventId: row.event_id,
      bookingId: row.booking_id,
      kind: row.kind,
      treatedAt: toRiyadhIso(row.treated_at),
    })),
  };
}

/** Treats no more deliveries so; one that waits already goes its way. Throws RESOURCE_NOT_FOUND. */
export async function clearFaults(db: Queryable, partnerId: string, subscriptionId: string): Promise<Faults> {
  const { id } = await findSubscription(db, partnerId, subscriptionId);
  await deleteFaults(db, id);
  return readFaults(db, partnerId, id);
}

const findSubscription = (db: Queryable, partnerId: string, id: string) =>
  orNotFound(findSubscriptionOf(db, partnerId, id), 'Webhook subscription');

/** The faults that a sandbox's queue of deliveries makes. */
export function sandboxFaults(db: Queryable, clock: Clock): DeliveryFaults {
  return {
    async take(claimed) {
      const faults = new Map<string, AttemptFault | 'kept'>();
      if (claimed.length === 0) return faults;
      const taken = await takeFaults(
        db,
        clock.now(),
        claimed.map(({ id }) => id),
      );
      for (const { id, fault } of taken) if (fault !== null) faults.set(id, fault);
      return faults;
    },
    async settled(ids) {
      if (ids.length > 0) await endFaults(db, clock.now(), [...ids]);
    },
  };
}
