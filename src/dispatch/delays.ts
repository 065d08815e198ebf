import { randomUUID } from 'node:crypto';
import type { PlanCache } from '../availability/plan.ts';
import { addDays, dateOf, type Instant, MINUTE, startOfDate, timeOf, toRiyadhIso } from '../base/clock.ts';
import { ApiError, orNotFound } from '../base/errors.ts';
import { retryOnConflict } from '../bookings/attempts.ts';
import { lockBooking } from '../bookings/change-queries.ts';
import { slotUnavailable } from '../bookings/slot.ts';
import type { Actor } from '../db/audit.ts';
import type { Db, Queryable, Tx } from '../db/connection.ts';
import { readTeam } from '../teams/teams.ts';
import { applyChange, readAppointment } from './appointments.ts';
import { NOT_UNDER_WAY } from './attention-rules.ts';
import { listDelayedVisits } from './delay-queries.ts';
import type { Delay, DelayedVisit } from './delay-schema.ts';
import { type AppointmentRow, findBookingIdOf } from './queries.ts';
import { appointmentView } from './view.ts';

/** The rest of the day of a team that runs late. */

/**
 * What the team has to begin yet on the date, at its present and its later time; read-only. Throws RESOURCE_NOT_FOUND
 * (team).
 */
export async function planDelay(db: Queryable, now: Instant, teamId: string, { date, minutes }: Delay) {
  const team = await readTeam(db, teamId);
  const day = { from: startOfDate(date), until: startOfDate(addDays(date, 1)) };
  const plan = [];
  for (const { id, problem } of await listDelayedVisits(db, now, { teamId: team.id, ...day, minutes })) {
    const row = await readAppointment(db, id);
    plan.push({
      appointment: appointmentView(row),
      startsAt: toRiyadhIso(row.starts_at + minutes * MINUTE),
      endsAt: toRiyadhIso(row.ends_at + minutes * MINUTE),
      problem: NOT_UNDER_WAY.includes(row.status) ? problem : ('UNDER_WAY' as const),
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
  const how = { actor, groupId: randomUUID(), teamId: team.id, minutes };
  const moved = await retryOnConflict(
    () => db.transaction((tx) => moveAll({ tx, plans }, now, how, apply)),
    () => false,
  );
  if (moved === null) throw slotUnavailable();
  const appointments = moved.toSorted((a, b) => a.starts_at - b.starts_at).map(appointmentView);
  return { appointments, groupId: how.groupId };
}

type How = { actor: Actor; groupId: string; teamId: string; minutes: number };

async function moveAll(
  deps: { tx: Tx; plans: PlanCache },
  now: Instant,
  { actor, groupId, teamId, minutes }: How,
  apply: readonly DelayedVisit[],
): Promise<AppointmentRow[]> {
  const visits = await lockVisits(deps.tx, teamId, apply);
  // The last one first when all start later: each moves into the time that the one before it has left.
  visits.sort((a, b) => (b.row.starts_at - a.row.starts_at) * Math.sign(minutes));
  const moved: AppointmentRow[] = [];
  for (const { row, visit } of visits) {
    const startsAt = row.starts_at + minutes * MINUTE;
    const result = await applyChange(deps, now, actor, {
      appointmentId: row.id,
      wanted: [visit.version],
      groupId,
      changes: {
        date: dateOf(startsAt),
        timeslot: { startAt: timeOf(startsAt), endAt: timeOf(row.ends_at + minutes * MINUTE) },
        force: true,
        reason: `The team runs ${minutes} minutes late`,
        ...(visit.status && { status: visit.status }),
      },
    });
    if (result.outcome !== 'CHANGED')
      throw new ApiError('BOOKING_CREATION_FAILED', `${row.name} cannot be moved there`, {
        reason: result.problem,
      });
    moved.push(result.row);
  }
  return moved;
}

/** In the order of their ids, so that two of these do not wait for each other. Throws RESOURCE_NOT_FOUND, CONFLICT. */
async function lockVisits(tx: Tx, teamId: string, apply: readonly DelayedVisit[]) {
  const visits = [];
  for (const visit of apply.toSorted((a, b) => (a.appointmentId < b.appointmentId ? -1 : 1))) {
    await lockBooking(tx, null, await orNotFound(findBookingIdOf(tx, visit.appointmentId), 'Appointment'));
    const row = await readAppointment(tx, visit.appointmentId);
    if (row.team_id !== teamId)
      throw new ApiError('CONFLICT', 'It is not an appointment of the team any more', {
        reason: 'NOT_AFFECTED',
        current: appointmentView(row),
      });
    visits.push({ row, visit });
  }
  return visits;
}
