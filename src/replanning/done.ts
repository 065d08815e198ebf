import { randomUUID } from 'node:crypto';
import type { PlanCache } from '../availability/plan.ts';
import { HOUR, type Instant, parseOffsetDateTime } from '../base/clock.ts';
import { ApiError, orNotFound } from '../base/errors.ts';
import { setWorkBegan } from '../bookings/change-queries.ts';
import { type AppointmentStatus, statusesIn } from '../bookings/rules.ts';
import type { Actor } from '../db/audit.ts';
import type { Db, Tx } from '../db/connection.ts';
import { applyChange, lockVisit } from '../dispatch/appointments.ts';
import type { AppointmentRow } from '../dispatch/queries.ts';
import { appointmentView } from '../dispatch/view.ts';
import { inBatch } from './batch-moves.ts';
import type { DoneVisit, ReportDone } from './done-schema.ts';
import { refusedResult } from './reassignments.ts';

/** Visits that were done, as their crews report by telephone. */

/** Of a visit that is done, in order. */
const WAY = statusesIn('planned', 'arriving', 'working', 'done');
const DONE = statusesIn('done');
/** Milliseconds by which work may lie outside of the visit's time, as in the steps of crews. */
const MAX_OUTSIDE = 12 * HOUR;

type Author = { actor: Actor; groupId: string };

/**
 * Takes each visit through the statuses that are left until Completed, in a transaction of its own; one that is refused does
 * not hold up the others. Sent again it changes nothing.
 */
export async function reportDone(
  { db, plans }: { db: Db; plans: PlanCache },
  now: Instant,
  actor: Actor,
  { visits, preview = false }: ReportDone,
) {
  const author = { actor, groupId: randomUUID() };
  const results = [];
  for (const visit of visits) {
    const complete = (tx: Tx) => completeVisit({ tx, plans }, now, author, visit);
    const { appointmentId } = visit;
    try {
      const { row, statuses } = await inBatch(db, complete, preview);
      const outcome = statuses.length === 0 ? ('ALREADY_DONE' as const) : ('DONE' as const);
      results.push({ appointmentId, outcome, statuses, refusal: null, appointment: appointmentView(row) });
    } catch (error) {
      results.push({ ...(await refusedResult(db, appointmentId, error)), statuses: [] });
    }
  }
  return { results, groupId: preview ? null : author.groupId };
}

async function completeVisit(
  deps: { tx: Tx; plans: PlanCache },
  now: Instant,
  { actor, groupId }: Author,
  { appointmentId, begin, end }: DoneVisit,
): Promise<{ row: AppointmentRow; statuses: AppointmentStatus[] }> {
  const lock = () => orNotFound(lockVisit(deps.tx, appointmentId), 'Appointment');
  let visit = await lock();
  const { status, starts_at, ends_at, began_at } = visit.row;
  if (status === 'Completed') return { row: visit.row, statuses: [] };
  const [began, ended] = [parseOffsetDateTime(begin)!, parseOffsetDateTime(end)!];
  const isFar = began < starts_at - MAX_OUTSIDE || ended > ends_at + MAX_OUTSIDE;
  const isBefore = began_at !== null && ended < began_at;
  const reason = ended > now ? 'FUTURE' : isFar ? 'OTHER_DAY' : isBefore ? 'BEFORE_BEGIN' : null;
  if (reason !== null) throw new ApiError('INVALID_TRANSITION', 'It was not done at these times', { reason });
  const statuses = WAY.includes(status) ? WAY.slice(WAY.indexOf(status) + 1) : [WAY.at(-1)!];
  for (const to of statuses) {
    // A crew may come, and be done, before its time.
    const changes = { status: to, ...(now < starts_at && { force: true, reason: 'Reported by telephone' }) };
    const happenedAt = DONE.includes(to) ? ended : began;
    const result = await applyChange(deps, now, actor, { visit, team: null, changes, groupId, happenedAt });
    if (result.outcome !== 'CHANGED')
      throw new ApiError('BOOKING_CREATION_FAILED', 'Its team cannot do it', { reason: result.problem });
    visit = await lock();
  }
  await setWorkBegan(deps.tx, visit.row.id, { at: visit.row.began_at!, reportedAt: now });
  return { row: visit.row, statuses };
}
