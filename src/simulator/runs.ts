import type { Instant } from '../base/clock.ts';
import { ApiError, conflict, notFound, orNotFound } from '../base/errors.ts';
import { lockBooking } from '../bookings/change-queries.ts';
import { type Db, isDbError, type Queryable, type Tx } from '../db/connection.ts';
import { findAppointmentOf } from './advance.ts';
import { type RunScript, SCRIPTS, type Situation, type Starter, stepsOf, type WantedRun } from './rules.ts';
import { endRun, findRun, findRunning, insertRun, listRunsOf, lockRun, type NewRun } from './run-queries.ts';
import type { RunRow, RunWithSteps } from './table.ts';

/**
 * Starts a script on the partner's booking; a worker plays its steps, the first after `everySeconds` of business time.
 * Throws RESOURCE_NOT_FOUND, INVALID_TRANSITION (the script cannot be played from here; `allowed` has those that can)
 * and CONFLICT (another run is under way).
 */
export async function startRun(
  db: Db,
  now: Instant,
  partnerId: string,
  bookingId: string,
  wanted: WantedRun,
): Promise<RunWithSteps> {
  try {
    const run = await db.transaction(
      (tx) => startRunIn(tx, now, partnerId, bookingId, wanted, 'request'),
      bookingId,
    );
    return await readRun(db, partnerId, bookingId, run.id);
  } catch (error) {
    if (!isDbError(error, 'uniqueViolation', 'simulator_runs_running_key')) throw error;
    throw await alreadyRunning(db, bookingId);
  }
}

/** The same, in the transaction of the caller, who may just have made the booking. */
export async function startRunIn(
  tx: Tx,
  now: Instant,
  partnerId: string,
  bookingId: string,
  { script, everySeconds }: { script: RunScript; everySeconds: number },
  startedBy: Starter,
): Promise<RunRow> {
  // Locked, so that the steps begin where the booking is.
  const booking = await lockBooking(tx, partnerId, bookingId);
  if (booking === null) throw notFound('Booking');
  const situation = { appointmentStatus: booking.appointment_status, bookingStatus: booking.status };
  const steps = stepsOf(script, situation, everySeconds);
  if (steps === null) throw notPlayable(script, situation);
  const run: NewRun = { partnerId, bookingId: booking.id, script, everySeconds, startedBy, steps };
  return insertRun(tx, now, run);
}

function notPlayable(script: string, situation: Situation): ApiError {
  const { appointmentStatus, bookingStatus } = situation;
  return new ApiError(
    'INVALID_TRANSITION',
    `The script ${script} cannot be played: the booking is ${bookingStatus}, its appointment ${appointmentStatus}`,
    {
      from: appointmentStatus,
      bookingStatus,
      allowed: SCRIPTS.filter((other) => stepsOf(other, situation, 0) !== null),
    },
  );
}

async function alreadyRunning(db: Queryable, bookingId: string): Promise<ApiError> {
  const running = await findRunning(db, bookingId);
  return conflict('Another run of this booking is under way', {
    ...(running !== null && { runId: running.id }),
    hints: ['DELETE it to stop it, or wait until it has ended'],
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

/** Ends a run; what it has done stays, and one that has ended stays as it is. Throws RESOURCE_NOT_FOUND. */
export async function stopRun(
  db: Db,
  now: Instant,
  partnerId: string,
  bookingId: string,
  runId: string,
): Promise<RunWithSteps> {
  const run = await readRun(db, partnerId, bookingId, runId);
  await db.transaction(async (tx) => {
    const locked = await lockRun(tx, run.id);
    if (locked?.status === 'RUNNING') await endRun(tx, now, run.id, { status: 'STOPPED' });
  });
  return readRun(db, partnerId, bookingId, run.id);
}
