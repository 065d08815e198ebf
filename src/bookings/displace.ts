import type { HoldInTheWay } from '../availability/hold-in-the-way.ts';
import type { Instant } from '../base/clock.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Tx } from '../db/connection.ts';
import { displaceHold, giveOtherTeam, type TakenHold } from './displace-queries.ts';
import { findHold } from './hold-queries.ts';
import { auditedHold } from './hold-view.ts';

/** Slots that customers hold, in the way of a sold visit that the operator moves. */

/** The mover of the visit, and the holds that the operator has confirmed by name: they may end for it. */
export type Displacing = { by: Actor; holdIds: readonly string[]; groupId?: string | undefined };

/**
 * Gives holds that were taken out of a team's day other teams of their slots; where there is none, ends those that were confirmed,
 * each with an audit entry. Returns the others: then the transaction must be rolled back.
 */
export async function settleHolds(
  tx: Tx,
  now: Instant,
  taken: readonly TakenHold[],
  { by, holdIds, groupId }: Displacing,
): Promise<HoldInTheWay[]> {
  const confirmed = new Set(holdIds.map((id) => id.toLowerCase()));
  const left: HoldInTheWay[] = [];
  for (const hold of taken) {
    if (await giveOtherTeam(tx, now, hold)) continue;
    if (!confirmed.has(hold.id)) {
      left.push(hold);
      continue;
    }
    const before = (await findHold(tx, null, hold.id))!;
    await displaceHold(tx, now, hold.id);
    await audit(tx, now, {
      actor: by,
      action: 'hold.displace',
      target: `hold:${hold.id}`,
      before: auditedHold(before, now),
      groupId,
    });
  }
  return left;
}
