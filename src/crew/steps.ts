import type { PlanCache } from '../availability/plan.ts';
import { type Instant, parseOffsetDateTime, toRiyadhIso } from '../base/clock.ts';
import { ApiError, notFound } from '../base/errors.ts';
import { reportLateness } from '../bookings/late-queries.ts';
import { audit } from '../db/audit.ts';
import type { Db, Tx } from '../db/connection.ts';
import { applyChange, type LockedVisit, lockVisit } from '../dispatch/appointments.ts';
import type { CrewStatus, Refusal } from './rules.ts';
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
    const { refusal, ...after } = await takeOnce({ tx, plans: deps.plans }, now, crew, {
      step,
      visit,
      locked,
    });
    const isShown = crew.countsUntil === null && visit.team_id === crew.teamId;
    return { refusal, visit: isShown ? { ...visit, ...after } : null };
  });
}

async function takeOnce(
  { tx, plans }: { tx: Tx; plans: PlanCache },
  now: Instant,
  crew: Reporter,
  { step, visit, locked }: { step: TakeStep; visit: VisitRow; locked: LockedVisit },
): Promise<{ refusal: Refusal | null } & Partial<Pick<VisitRow, 'status' | 'late_minutes'>>> {
  const { to, reason = null, minutes = null } = step;
  // Nothing is written about a customer who was erased.
  const text = visit.phone === null ? null : (step.text ?? null);
  const [happened, sent, startsAt] = [step.happenedAt, step.sentAt, step.startsAt].map(
    (stamp) => parseOffsetDateTime(stamp)!,
  ) as [Instant, Instant, Instant];
  const { at, isUncertain } = happenedAt(now, { happened, sent, ahead: step.ahead });
  const key = { team_id: crew.teamId, key: step.key };
  const content = { appointment_id: visit.id, status: to, reason, notes: text, late_minutes: minutes };
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
  if (!isNew) {
    const known = await findStep(tx, key);
    const isSame = isSameStep(known, { ...content, starts_at: startsAt });
    return { refusal: isSame ? known.refusal : 'NOT_ALLOWED' };
  }
  const reported = {
    bookingId: visit.booking_id,
    trackingReference: visit.name,
    happenedAt: toRiyadhIso(at),
    ...(isUncertain && { isTimeUncertain: true }),
  };
  const verdict = validateStep(
    visit,
    { teamId: crew.teamId, countsUntil: crew.countsUntil ?? Infinity, to, startsAt, happenedAt: at },
    now,
  );
  if (verdict === 'SAME') return { refusal: null };
  // Not before the visit got the status that it has.
  const exact = Math.max(at, Math.min(now, since ?? at));
  /** In the visit's history and in the audit log. */
  const record = ({ action, after }: { action: string; after: object }): Promise<void> =>
    audit(tx, now, {
      actor: crew.actor,
      action,
      target: `appointment:${visit.id}`,
      after: { ...reported, ...after },
    });
  if (verdict === 'DONE' && to === 'Late') {
    await saveVerdict(tx, key, { refusal: null, happenedAt: at });
    // A later report is known.
    if (!(await reportLateness(tx, visit.booking_id!, minutes!, at))) return { refusal: null };
    await record({ action: 'crew-step.late', after: { lateMinutes: minutes } });
    return { refusal: null, late_minutes: minutes || null };
  }
  const refusal = verdict === 'DONE' ? await apply(to as CrewStatus) : verdict;
  await saveVerdict(tx, key, { refusal, happenedAt: refusal === null ? exact : at });
  if (refusal === null) return { refusal, status: to as CrewStatus };
  await record({
    action: 'crew-step.refuse',
    after: {
      status: visit.status,
      wantedStatus: to,
      ...(minutes !== null && { lateMinutes: minutes }),
      refusal,
      ...(reason !== null && { statusReason: reason }),
      ...(text !== null && { statusNotes: text }),
    },
  });
  return { refusal };

  async function apply(status: CrewStatus): Promise<Refusal | null> {
    try {
      await applyChange({ tx, plans }, now, crew.actor, {
        visit: locked,
        team: null,
        changes: {
          status,
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
}
