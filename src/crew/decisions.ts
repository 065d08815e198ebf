import type { PlanCache } from '../availability/plan.ts';
import { type Instant, toRiyadhIso } from '../base/clock.ts';
import { ApiError, orNotFound } from '../base/errors.ts';
import { lockBooking } from '../bookings/change-queries.ts';
import { mayMoveAppointment } from '../bookings/rules.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Db, Tx } from '../db/connection.ts';
import { applyChange, lockVisit } from '../dispatch/appointments.ts';
import type { CrewStatus } from './rules.ts';
import type { CrewStepRow } from './table.ts';
import { findStepRow, listUndecidedSteps, saveDecision } from './visit-queries.ts';

/** What the office decides about a refused step. */
export type Decision = { teamId: string; key: string; decision: 'TAKE' | 'LEAVE' };

/**
 * Takes a refused step as the crew reported it, with its time, and the refused ones of the team before it; or leaves it
 * refused. Throws RESOURCE_NOT_FOUND, INVALID_TRANSITION (it was taken or decided, or the visit cannot change any more).
 */
export function decideStep(
  { db, plans }: { db: Db; plans: PlanCache },
  now: Instant,
  actor: Actor,
  { decision, ...id }: Decision,
): Promise<CrewStepRow> {
  return db.transaction(async (tx) => {
    const { appointment_id, booking_id } = await orNotFound(findStepRow(tx, id), 'Crew step');
    await lockBooking(tx, null, booking_id);
    const undecided = await listUndecidedSteps(tx, appointment_id, id.teamId);
    const place = undecided.findIndex(({ key }) => key === id.key);
    if (place < 0) throw new ApiError('INVALID_TRANSITION', 'The step was taken, or is decided already');
    const steps = decision === 'TAKE' ? undecided.slice(0, place + 1) : [undecided[place]!];
    for (const step of steps) {
      if (decision === 'TAKE') await takeAsReported({ tx, plans }, now, actor, step);
      await saveDecision(tx, step, decision === 'TAKE' ? 'TAKEN' : 'LEFT');
    }
    const after = await orNotFound(findStepRow(tx, id), 'Crew step');
    await audit(tx, now, {
      actor,
      action: decision === 'TAKE' ? 'crew-step.take' : 'crew-step.leave',
      target: `appointment:${appointment_id}`,
      after: {
        bookingId: booking_id,
        trackingReference: after.appointment_name,
        wantedStatus: after.status,
        happenedAt: toRiyadhIso(after.happened_at),
        refusal: after.refusal,
      },
    });
    return after;
  });
}

/** A move that does not follow the status is a correction: the status was set by who knew less. */
async function takeAsReported(
  deps: { tx: Tx; plans: PlanCache },
  now: Instant,
  actor: Actor,
  step: CrewStepRow,
): Promise<void> {
  const visit = await orNotFound(lockVisit(deps.tx, step.appointment_id), 'Visit');
  // Delays are not decided about.
  const status = step.status as CrewStatus;
  await applyChange(deps, now, actor, {
    visit,
    team: null,
    changes: {
      status,
      ...(step.reason !== null && { statusReason: step.reason }),
      ...(step.notes !== null && { statusNotes: step.notes }),
    },
    ...(!mayMoveAppointment(visit.row.status, status) && {
      correctedBecause: `As the crew reported it at ${toRiyadhIso(step.happened_at)}`,
    }),
    happenedAt: step.happened_at,
    isTimeUncertain: step.is_time_uncertain,
  });
}
