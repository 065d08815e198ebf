import type { PlanCache } from '../availability/plan.ts';
import { type Instant, parseOffsetDateTime, toRiyadhIso } from '../base/clock.ts';
import { ApiError, notFound } from '../base/errors.ts';
import { audit } from '../db/audit.ts';
import type { Db, Tx } from '../db/connection.ts';
import { applyChange, type LockedVisit, lockVisit } from '../dispatch/appointments.ts';
import type { Refusal } from './rules.ts';
import { happenedAt, isSameStep, validateStep } from './rules.ts';
import type { TakeStep } from './schema.ts';
import type { Crew } from './sessions.ts';
import { findStep, findVisit, insertStep, saveVerdict, statusSince, type VisitRow } from './visit-queries.ts';

/** The crew that reports a step; `countsUntil` in business time. */
export type Reporter = Pick<Crew, 'teamId' | 'linkId' | 'actor' | 'countsUntil'>;

/** The result of a step, and the visit as it is now; null: it is not the team's any more. */
export type Taken = { refusal: Refusal | null; visit: VisitRow | null };

/**
 * Takes a step of a crew: the visit gets its status, with the event and the audit row of every change, at the time that
 * the telephone tells. A repeated key is the same step, and has the same result; with other content it is refused. What cannot be done is recorded with
 * the reason, for the office and the crew. Throws RESOURCE_NOT_FOUND.
 */
export function takeCrewStep(
  deps: { db: Db; plans: PlanCache },
  now: Instant,
  crew: Reporter,
  step: TakeStep & { appointmentId: string },
): Promise<Taken> {
  return deps.db.transaction(async (tx) => {
    // Two telephones, the office and the partner: one after the other. The visit is read when the lock has been waited for.
    const [locked, visit] = await Promise.all([
      lockVisit(tx, step.appointmentId),
      findVisit(tx, step.appointmentId),
    ]);
    if (locked === null || visit === null) throw notFound('Visit');
    const { refusal, status } = await takeOnce({ tx, plans: deps.plans }, now, crew, { step, visit, locked });
    const isShown = crew.countsUntil === null && visit.team_id === crew.teamId;
    return { refusal, visit: isShown ? { ...visit, status } : null };
  });
}

async function takeOnce(
  { tx, plans }: { tx: Tx; plans: PlanCache },
  now: Instant,
  crew: Reporter,
  { step, visit, locked }: { step: TakeStep; visit: VisitRow; locked: LockedVisit },
): Promise<{ refusal: Refusal | null; status: VisitRow['status'] }> {
  const { to, reason = null } = step;
  // Nothing is written about a customer who was erased.
  const text = visit.phone === null ? null : (step.text ?? null);
  const [happened, sent, startsAt] = [step.happenedAt, step.sentAt, step.startsAt].map(
    (stamp) => parseOffsetDateTime(stamp)!,
  ) as [Instant, Instant, Instant];
  const { at, isUncertain } = happenedAt(now, { happened, sent, ahead: step.ahead });
  const key = { team_id: crew.teamId, key: step.key };
  const content = { appointment_id: visit.id, status: to, reason, notes: text };
  const [isNew, since] = await Promise.all([
    insertStep(tx, {
      ...key,
      ...content,
      link_id: crew.linkId,
      startsAt,
      happenedAt: at,
      receivedAt: now,
      is_time_uncertain: isUncertain,
    }),
    statusSince(tx, visit.booking_id),
  ]);
  const { status } = visit;
  if (!isNew) {
    const known = await findStep(tx, key);
    const isSame = isSameStep(known, { ...content, starts_at: startsAt });
    return { refusal: isSame ? known.refusal : 'NOT_ALLOWED', status };
  }
  const verdict = validateStep(
    visit,
    { teamId: crew.teamId, countsUntil: crew.countsUntil ?? Infinity, to, startsAt, happenedAt: at },
    now,
  );
  if (verdict === 'SAME') return { refusal: null, status };
  // Not before the visit got the status that it has.
  const exact = Math.max(at, Math.min(now, since ?? at));
  const refusal = verdict === 'DONE' ? await apply() : verdict;
  await saveVerdict(tx, key, { refusal, happenedAt: refusal === null ? exact : at });
  if (refusal === null) return { refusal, status: to };
  await recordRefusal(refusal);
  return { refusal, status };

  async function apply(): Promise<Refusal | null> {
    try {
      await applyChange({ tx, plans }, now, crew.actor, {
        visit: locked,
        team: null,
        changes: {
          status: to,
          ...(reason !== null && { statusReason: reason }),
          ...(text !== null && { statusNotes: text }),
        },
        happenedAt: exact,
        isTimeUncertain: isUncertain,
      });
      return null;
    } catch (error) {
      // A rule that the verdict does not know; it refuses before it writes.
      if (error instanceof ApiError && error.code === 'INVALID_TRANSITION') return 'NOT_ALLOWED';
      throw error;
    }
  }

  /** The refused step in the visit's history, and in the audit log. */
  async function recordRefusal(refused: Refusal): Promise<void> {
    await audit(tx, now, {
      actor: crew.actor,
      action: 'crew-step.refuse',
      target: `appointment:${visit.id}`,
      after: {
        bookingId: visit.booking_id,
        trackingReference: visit.name,
        status: visit.status,
        wantedStatus: to,
        happenedAt: toRiyadhIso(at),
        ...(isUncertain && { isTimeUncertain: true }),
        refusal: refused,
        ...(reason !== null && { statusReason: reason }),
        ...(text !== null && { statusNotes: text }),
      },
    });
  }
}
