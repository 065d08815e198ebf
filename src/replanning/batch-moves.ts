import type { PlanCache } from '../availability/plan.ts';
import type { Instant } from '../base/clock.ts';
import { ApiError, orNotFound } from '../base/errors.ts';
import { retryOnConflict } from '../bookings/attempts.ts';
import { heldDetails } from '../bookings/reschedule.ts';
import { MOVABLE_BY_OPERATOR } from '../bookings/rules.ts';
import { slotUnavailable } from '../bookings/slot.ts';
import type { Actor } from '../db/audit.ts';
import type { Db, Tx } from '../db/connection.ts';
import { unlessPreview } from '../db/preview.ts';
import { applyChange, type LockedVisit, lockVisit, wantedTeam } from '../dispatch/appointments.ts';
import type { AppointmentRow } from '../dispatch/queries.ts';
import type { ChangeAppointment } from '../dispatch/schema.ts';
import { STALE } from '../http/if-match.ts';
import { noMove } from '../http/routes.ts';

/** For `errors` of what moves several appointments. */
export const MOVES_REFUSED = [
  noMove('An appointment that is Cancelled cannot be moved', {
    status: 'Cancelled',
    movable: [...MOVABLE_BY_OPERATOR],
  }),
  {
    code: 'BOOKING_CREATION_FAILED' as const,
    message: 'SA-0042 cannot be moved there',
    details: { reason: 'BUSY', appointmentId: '0198c2a4-5d0e-4c5b-8f5e-6a1d2b3c4d61' },
  },
  STALE,
];

/** Moves of several appointments in one transaction: all or none. */

export type BatchMove = { visit: LockedVisit; version: number; changes: ChangeAppointment };

/** Repeats the transaction while it loses to a concurrent change; a preview is rolled back. */
export async function inBatch<T>(db: Db, attempt: (tx: Tx) => Promise<T>, isPreview = false): Promise<T> {
  const result = await retryOnConflict(
    () => unlessPreview(db, isPreview, attempt),
    () => false,
  );
  if (result === null) throw slotUnavailable();
  return result;
}

/**
 * Locks the appointments' bookings in the order of the ids, so that two batches do not wait for each other. Throws
 * RESOURCE_NOT_FOUND.
 */
export async function lockAppointments(
  tx: Tx,
  appointmentIds: readonly string[],
): Promise<Map<string, LockedVisit>> {
  const locked = new Map<string, LockedVisit>();
  for (const id of appointmentIds.map((given) => given.toLowerCase()).toSorted()) {
    locked.set(id, await orNotFound(lockVisit(tx, id), 'Appointment'));
  }
  return locked;
}

/**
 * Makes the moves in their order, the audit entries in one group. Throws CONFLICT (one has another version),
 * INVALID_TRANSITION and, with the name of the one that would overlap another, BOOKING_CREATION_FAILED.
 */
export async function moveAll(
  deps: { tx: Tx; plans: PlanCache },
  now: Instant,
  { actor, groupId }: { actor: Actor; groupId: string },
  moves: readonly BatchMove[],
): Promise<AppointmentRow[]> {
  const moved: AppointmentRow[] = [];
  for (const { visit, version, changes } of moves) {
    const { row } = visit;
    const team = await wantedTeam(deps.tx, changes.teamId);
    const change = { visit, team, wanted: [version], groupId, changes };
    const result = await applyChange(deps, now, actor, change);
    if (result.outcome !== 'CHANGED')
      throw new ApiError('BOOKING_CREATION_FAILED', `${row.name} cannot be moved there`, {
        reason: result.problem,
        appointmentId: row.id,
        ...heldDetails(result),
      });
    moved.push(result.row);
  }
  return moved.toSorted((a, b) => a.starts_at - b.starts_at);
}
