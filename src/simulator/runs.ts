import type { Instant } from '../base/clock.ts';
import { ApiError, conflict, notFound, orNotFound } from '../base/errors.ts';
import type { PartnerBookingKey } from '../bookings/change.ts';
import { lockBooking } from '../bookings/change-queries.ts';
import { type Db, isDbError, type Queryable, type Tx } from '../db/connection.ts';
import { findAppointmentOf } from './advance.ts';
import { type RunScript, SCRIPTS, type Starter, type Statuses, stepsOf, type WantedRun } from './rules.ts';
import { endRun, findRun, findRunning, insertRun, listRunsOf, lockRun, type NewRun } from './run-queries.ts';
import type { RunRow, RunWithSteps } from './table.ts';

/**
 * Starts a script on the partner's booking; a worker plays its steps, the first after `everySeconds` of business time.
 * Throws RESOURCE_NOT_FOUND, INVALID_TRANSITION (the statuses do not allow the script; `allowed` has those that fit)
 * and CONFLICT (another run is under way).
 */
export async function startRun(
  db: Db,
  now: Instant,
  booking: PartnerBookingKey,
  wanted: WantedRun,
): Promise<RunWithSteps> {
  try {
    const run = await db.transaction(
      (tx) => startRunIn(tx, now, booking, { ...wanted, startedBy: 'request' }),
      booking.bookingId,
    );
    return await readRun(db, booking.partnerId, booking.bookingId, run.id);
  } catch (error) {
    if (!isDbError(error, 'uniqueViolation', 'simulator_runs_running_key')) throw error;
    throw await alreadyRunning(db, booking.bookingId);
  }
}

/** startRun in the caller's transaction, which may have made the booking. Does not throw CONFLICT. */
export async function startRunIn(
  tx: Tx,
  now: Instant,
  { partnerId, bookingId }: PartnerBookingKey,
  { script, everySeconds, startedBy }: { script: RunScript; everySeconds: number; startedBy: Starter },
): Promise<RunRow> {
  // Locked, so that the steps follow from its statuses.
  const booking = await lockBooking(tx, partnerId, bookingId);
  if (booking === null) throw notFound('Booking');
  const statuses = { appointmentStatus: booking.appointment_status, bookingStatus: booking.status };
  const steps = stepsOf(script, statuses, everySeconds);
  if (steps === null) throw notPlayable(script, statuses);
  const run: NewRun = { partnerId, bookingId: booking.id, script, everySeconds, startedBy, steps };
  return insertRun(tx, now, run);
}

function notPlayable(script: string, statuses: Statuses): ApiError {
  const { appointmentStatus, bookingStatus } = statuses;
  return new ApiError(
    'INVALID_TRANSITION',
    `The script ${script} cannot be played: the booking is ${bookingStatus}, its appointment ${appointmentStatus}`,
    {
      from: appointmentStatus,
      bookingStatus,
      allowed: SCRIPTS.filter((other) => stepsOf(other, statuses, 0) !== null),
    },
  );
}

async function alreadyRunning(db: Queryable, bookingId: string): Promise<ApiError> {
  const running = await findRunning(db, bookingId);
  return conflict('RUN_UNDER_WAY', 'Another run of this booking is under way', {
    ...(running !== null && { runId: running.id }),
    hints: ['DELETE /partners/sandbox/bookings/:bookingId/runs/:runId stops it; or wait until it has ended'],
  });
}

/** Throws RESOURCE_NOT_FOUND (booking, run). */
export async function readRun(
  db: Queryable,
  partnerId: string,
  bookingId: string,
  runId: string,
): Promise<RunWithSteps> {
  await findAppointmentOf(db, partnerId, bookingId);
  return orNotFound(findRun(db, partnerId, bookingId, runId), 'Run');
}

/** The runs of the partner's booking, newest first. Throws RESOURCE_NOT_FOUND. */
export async function listRuns(db: Queryable, partnerId: string, bookingId: string): Promise<RunWithSteps[]> {
  await findAppointmentOf(db, partnerId, bookingId);
  return listRunsOf(db, partnerId, bookingId);
}

/** Ends a run; its steps so far are not undone. A run that has ended is not changed. Throws RESOURCE_NOT_FOUND. */
export async function stopRun(
  db: Db,
  now: Instant,
  { partnerId, bookingId }: PartnerBookingKey,
  runId: string,
): Promise<RunWithSteps> {
  const run = await readRun(db, partnerId, bookingId, runId);
  await db.transaction(async (tx) => {
    const locked = await lockRun(tx, run.id);
    if (locked?.status === 'RUNNING') await endRun(tx, now, run.id, { status: 'STOPPED' });
  });
  return readRun(db, partnerId, bookingId, run.id);
}
