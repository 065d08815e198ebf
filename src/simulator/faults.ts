import type { Clock, Instant } from '../base/clock.ts';
import { orNotFound } from '../base/errors.ts';
import type { Queryable } from '../db/connection.ts';
import { viewBy } from '../http/fields.ts';
import type { DeliveryFaults } from '../webhooks/queue.ts';
import type { AttemptFault } from '../webhooks/rules.ts';
import { findSubscriptionOf } from '../webhooks/subscription-queries.ts';
import { deleteFaults, endFaults, listFaults, listTreated, saveFault, takeFaults } from './fault-queries.ts';
import { DEFAULT_DELAY, type FaultKind } from './fault-rules.ts';
import { Fault, Treated } from './schema.ts';

export type Faults = Awaited<ReturnType<typeof readFaults>>;

/**
 * Gives the fault to the next `count` deliveries of the partner's subscription whose first attempt is yet to come. It
 * replaces the count of the kind, so it may be repeated; of several kinds the one that was set first is used first.
 * Throws RESOURCE_NOT_FOUND.
 */
export async function setFault(
  db: Queryable,
  now: Instant,
  { partnerId, subscriptionId }: { partnerId: string; subscriptionId: string },
  { kind, count, delaySeconds }: { kind: FaultKind; count: number; delaySeconds?: number },
): Promise<Faults> {
  const { id } = await findSubscription(db, partnerId, subscriptionId);
  const delay = kind === 'delay' ? (delaySeconds ?? DEFAULT_DELAY) : null;
  await saveFault(db, now, id, { kind, count, delaySeconds: delay });
  return readFaults(db, partnerId, id);
}

/** The remaining faults, and the deliveries that got one. Throws RESOURCE_NOT_FOUND. */
export async function readFaults(db: Queryable, partnerId: string, subscriptionId: string) {
  const { id } = await findSubscription(db, partnerId, subscriptionId);
  return {
    subscriptionId: id,
    faults: (await listFaults(db, id)).map((row) => viewBy(Fault, row)),
    treated: (await listTreated(db, id)).map((row) => viewBy(Treated, row)),
  };
}

/** Removes the remaining faults; deliveries that have one already keep it. Throws RESOURCE_NOT_FOUND. */
export async function clearFaults(db: Queryable, partnerId: string, subscriptionId: string): Promise<Faults> {
  const { id } = await findSubscription(db, partnerId, subscriptionId);
  await deleteFaults(db, id);
  return readFaults(db, partnerId, id);
}

const findSubscription = (db: Queryable, partnerId: string, id: string) =>
  orNotFound(findSubscriptionOf(db, partnerId, id), 'Webhook subscription');

/** The faults of a sandbox's queue of deliveries. */
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
