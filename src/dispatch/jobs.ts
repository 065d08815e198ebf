import type { PlanCache } from '../availability/plan.ts';
import { HOUR, type Instant } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import { retryOnConflict } from '../bookings/attempts.ts';
import { type Change, lockBooking, saveBooking } from '../bookings/change-queries.ts';
import { type ClaimOutcome, moveAppointment } from '../bookings/claim-queries.ts';
import { appointmentEvents } from '../bookings/events.ts';
import type { BookingRow } from '../bookings/queries.ts';
import { ASSIGN_BEFORE_HOURS, appointmentAfter } from '../bookings/rules.ts';
import { audit } from '../db/audit.ts';
import type { Db, Tx } from '../db/connection.ts';
import { changeAppointment, readAppointment } from './appointments.ts';
import { listWithoutAbleTeam, lockUnassigned, teamsForVisit } from './assignment-queries.ts';
import { listFinished } from './queries.ts';
import { auditedAppointment } from './view.ts';

const BATCH = 50;
const WORKER = 'worker';

/**
 * Assigns the deferred appointments that start within ASSIGN_BEFORE_HOURS: New → Scheduled, with the event
 * booking.appointment_status_changed. When the held team cannot do the visit as it was sold, another team takes it
 * over; without one it stays unassigned. Returns the number of assigned ones.
 */
export async function confirmDueAssignments(db: Db, now: Instant): Promise<number> {
  const startsBefore = now + ASSIGN_BEFORE_HOURS * HOUR;
  let assigned = 0;
  for (let batch = BATCH; batch === BATCH; assigned += batch) {
    batch = await db.transaction(async (tx) => {
      const due = await lockUnassigned(tx, startsBefore, BATCH);
      for (const row of due) await assign(tx, now, row);
      return due.length;
    });
  }
  for (const bookingId of await listWithoutAbleTeam(db, now, startsBefore, BATCH)) {
    const outcome = await retryOnConflict(
      () => db.transaction((tx) => assignToAnother(tx, now, bookingId)),
      (result) => result === 'STALE',
    );
    if (outcome === 'CLAIMED') assigned++;
  }
  return assigned;
}

async function assign(tx: Tx, now: Instant, booking: BookingRow & Change['after']): Promise<void> {
  const after = {
    ...booking,
    appointment_status: appointmentAfter('assigned', booking.appointment_status)!,
    updated_at: now,
  };
  await saveBooking(tx, now, { after, events: appointmentEvents(booking, after, now), by: WORKER });
}

/** TAKEN: none of the teams is free. */
async function assignToAnother(tx: Tx, now: Instant, bookingId: string): Promise<ClaimOutcome> {
  const booking = await lockBooking(tx, null, bookingId);
  if (booking === null || appointmentAfter('assigned', booking.appointment_status) === null) return 'TAKEN';
  const { appointment_id: appointmentId, zone_id: zoneId, starts_at: startsAt, ends_at: endsAt } = booking;
  const teams = await teamsForVisit(tx, now, appointmentId);
  if (teams.length === 0) return 'TAKEN';
  const before = await readAppointment(tx, appointmentId);
  const outcome = await moveAppointment(tx, now, {
    catalogueVersion: teams[0]!.catalogue_version,
    teamIds: teams.map(({ id }) => id),
    appointmentId,
    zoneId,
    startsAt,
    endsAt,
  });
  if (outcome !== 'CLAIMED') return outcome;
  await assign(tx, now, booking);
  await audit(tx, now, {
    actor: WORKER,
    action: 'appointment.update',
    target: `appointment:${appointmentId}`,
    before: auditedAppointment(before),
    after: auditedAppointment(await readAppointment(tx, appointmentId)),
  });
  return outcome;
}

/**
 * Completes the appointments that have been finished for longer than `after` milliseconds, and whose start has passed.
 * Returns the number of completed ones.
 */
export async function completeFinished(
  deps: { db: Db; plans: PlanCache },
  now: Instant,
  after: number,
): Promise<number> {
  let completed = 0;
  for (let last: string | null = null, isMore = true; isMore; ) {
    const due = await listFinished(deps.db, { before: now - after, startsBefore: now, last }, BATCH);
    for (const { id, version } of due) {
      const change = { appointmentId: id, changes: { status: 'Completed' as const }, wanted: [version] };
      try {
        await changeAppointment(deps, now, WORKER, change);
        completed++;
      } catch (error) {
        // It was changed since it was listed.
        if (!(error instanceof ApiError)) throw error;
      }
      last = id;
    }
    isMore = due.length === BATCH;
  }
  return completed;
}
