import { randomUUID } from 'node:crypto';
import { holdInTheWayView } from '../availability/hold-in-the-way.ts';
import type { PlanCache } from '../availability/plan.ts';
import { addDays, dateOf, type Instant, MINUTE, startOfDate, timeOf, toRiyadhIso } from '../base/clock.ts';
import { conflict } from '../base/errors.ts';
import type { Actor } from '../db/audit.ts';
import type { Db, Queryable, Tx } from '../db/connection.ts';
import { readAppointment } from '../dispatch/appointments.ts';
import { NOT_UNDER_WAY } from '../dispatch/attention-rules.ts';
import { appointmentView } from '../dispatch/view.ts';
import { readTeam } from '../teams/teams.ts';
import { type BatchMove, inBatch, lockAppointments, moveAll } from './batch-moves.ts';
import { listDelayedVisits } from './delay-queries.ts';
import type { Delay, DelayedVisit } from './delay-schema.ts';

/** The rest of the day of a team that runs late. */

/**
 * What the team has to begin yet on the date, at its present and its later time; read-only. Throws RESOURCE_NOT_FOUND
 * (team).
 */
export async function planDelay(db: Queryable, now: Instant, teamId: string, { date, minutes }: Delay) {
  const team = await readTeam(db, teamId);
  const day = { from: startOfDate(date), until: startOfDate(addDays(date, 1)) };
  const plan = [];
  for (const { id, problem, holds } of await listDelayedVisits(db, now, {
    teamId: team.id,
    ...day,
    minutes,
  })) {
    const row = await readAppointment(db, id);
    plan.push({
      appointment: appointmentView(row),
      startsAt: toRiyadhIso(row.starts_at + minutes * MINUTE),
      endsAt: toRiyadhIso(row.ends_at + minutes * MINUTE),
      problem: NOT_UNDER_WAY.includes(row.status) ? problem : ('UNDER_WAY' as const),
      holds: holds.map(holdInTheWayView),
    });
  }
  return plan;
}

/**
 * Moves the named appointments of the team by the minutes, all or none, each as a forced PATCH
 * /operator/appointments/:id would, with the audit entries in one group. Throws RESOURCE_NOT_FOUND (team, appointment),
 * CONFLICT (one has changed since, or is not the team's any more), INVALID_TRANSITION and, with the name of the
 * one that would overlap another, BOOKING_CREATION_FAILED.
 */
export async function applyDelay(
  { db, plans }: { db: Db; plans: PlanCache },
  now: Instant,
  actor: Actor,
  { teamId, minutes, apply }: Delay & { teamId: string; apply: readonly DelayedVisit[] },
) {
  const team = await readTeam(db, teamId);
  const groupId = randomUUID();
  const moved = await inBatch(db, async (tx) => {
    const moves = await delayedMoves(tx, { teamId: team.id, minutes }, apply);
    return moveAll({ tx, plans }, now, { actor, groupId }, moves);
  });
  return { appointments: moved.map(appointmentView), groupId };
}

/** Throws RESOURCE_NOT_FOUND, CONFLICT. */
async function delayedMoves(
  tx: Tx,
  { teamId, minutes }: { teamId: string; minutes: number },
  apply: readonly DelayedVisit[],
): Promise<BatchMove[]> {
  const visits = await lockAppointments(
    tx,
    apply.map(({ appointmentId }) => appointmentId),
  );
  const moves = apply.map(({ appointmentId, version, status, displaceHolds }): BatchMove => {
    const visit = visits.get(appointmentId.toLowerCase())!;
    const { row } = visit;
    if (row.team_id !== teamId)
      throw conflict('NOT_AFFECTED', 'It is not an appointment of the team any more', {
        appointmentId: row.id,
        current: appointmentView(row),
      });
    const startsAt = row.starts_at + minutes * MINUTE;
    const changes = {
      date: dateOf(startsAt),
      timeslot: { startAt: timeOf(startsAt), endAt: timeOf(row.ends_at + minutes * MINUTE) },
      force: true,
      reason: `The team runs ${minutes} minutes late`,
      ...(status && { status }),
      ...(displaceHolds && { displaceHolds }),
    };
    return { visit, version, changes };
  });
  // The last one first when all start later: each moves into the time that the one before it has left.
  return moves.toSorted((a, b) => (b.visit.row.starts_at - a.visit.row.starts_at) * Math.sign(minutes));
}
