import { type Instant, toUtcIso } from '../base/clock.ts';
import type { AppointmentStatus } from '../bookings/rules.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { hotStatement, pg, type Row, rows } from '../db/statement.ts';
import { columnsOf, firstOf, firstOrThrow, rowsOf, tablesOf } from '../db/tables.ts';
import type { Action, PlannedStep, RunScript, Starter } from './rules.ts';
import type { ChosenSlot, RunRow, RunTable, RunWithSteps, StepTable } from './table.ts';

const tables = tablesOf<{ simulator_runs: RunTable; simulator_steps: StepTable }>();

export type NewRun = {
  partnerId: string;
  bookingId: string;
  script: RunScript;
  everySeconds: number;
  startedBy: Starter;
  steps: readonly PlannedStep[];
};

/** Inserts the run and its steps with their due times. Throws the violations of its unique keys. */
export async function insertRun(tx: Tx, now: Instant, run: NewRun): Promise<RunRow> {
  const { steps: planned, ...fields } = run;
  const values = { ...columnsOf(fields), created_at: toUtcIso(now) };
  const row = await firstOrThrow(tx, tables.insertInto('simulator_runs').values(values).returningAll());
  let dueAt = now;
  const steps = planned.map(({ action, to, after }, index) => {
    dueAt += after * 1000;
    return {
      run_id: row.id,
      number: index + 1,
      action,
      appointment_status: to,
      due_at: toUtcIso(dueAt),
    };
  });
  await rowsOf(tx, tables.insertInto('simulator_steps').values(steps));
  return row;
}

const runsOf = (partnerId: string, bookingId: string) =>
  tables
    .selectFrom('simulator_runs')
    .selectAll()
    .where('booking_id', '=', bookingId)
    .where('partner_id', '=', partnerId);

/** The runs of a booking with their steps, newest first, 100 at most. */
export async function listRunsOf(
  db: Queryable,
  partnerId: string,
  bookingId: string,
): Promise<RunWithSteps[]> {
  return withSteps(db, await rowsOf(db, runsOf(partnerId, bookingId).orderBy('position', 'desc').limit(100)));
}

/** The partner's runs that are under way, newest first, 100 at most. */
export async function listRunningOf(db: Queryable, partnerId: string): Promise<RunWithSteps[]> {
  const query = tables
    .selectFrom('simulator_runs')
    .selectAll()
    .where('partner_id', '=', partnerId)
    .where('status', '=', 'RUNNING')
    .orderBy('position', 'desc')
    .limit(100);
  return withSteps(db, await rowsOf(db, query));
}

/** The run with its steps; null: the partner's booking has no such run. */
export async function findRun(
  db: Queryable,
  partnerId: string,
  bookingId: string,
  runId: string,
): Promise<RunWithSteps | null> {
  const found = await firstOf(db, runsOf(partnerId, bookingId).where('id', '=', runId));
  return found === null ? null : ((await withSteps(db, [found]))[0] ?? null);
}

/** The booking's running run, without those of customers by phone number; null: there is none. */
export async function findRunning(db: Queryable, bookingId: string): Promise<RunRow | null> {
  const query = tables.selectFrom('simulator_runs').selectAll().where('booking_id', '=', bookingId);
  return firstOf(db, query.where('status', '=', 'RUNNING').where('started_by', '<>', 'phone'));
}

async function withSteps(db: Queryable, runs: readonly RunRow[]): Promise<RunWithSteps[]> {
  if (runs.length === 0) return [];
  const ids = runs.map(({ id }) => id);
  const query = tables.selectFrom('simulator_steps').selectAll().where('run_id', 'in', ids);
  const steps = await rowsOf(db, query.orderBy('number'));
  return runs.map((run) => ({ ...run, steps: steps.filter(({ run_id }) => run_id === run.id) }));
}

/** Locks the run; before its steps, everywhere. */
export function lockRun(tx: Tx, runId: string): Promise<RunRow | null> {
  return firstOf(tx, tables.selectFrom('simulator_runs').selectAll().where('id', '=', runId).forUpdate());
}

export type RunEnd =
  | { status: 'COMPLETED' | 'STOPPED' }
  | { status: 'FAILED'; code: string; message: string };

/** Ends the run; steps that were not done are skipped. It must be locked. */
export async function endRun(tx: Tx, now: Instant, runId: string, end: RunEnd): Promise<void> {
  const run = tables.updateTable('simulator_runs').set({
    status: end.status,
    finished_at: toUtcIso(now),
    reason_code: end.status === 'FAILED' ? end.code : null,
    reason_message: end.status === 'FAILED' ? end.message : null,
  });
  await rowsOf(tx, run.where('id', '=', runId));
  const steps = tables.updateTable('simulator_steps').set({ status: 'SKIPPED', lease: null });
  await rowsOf(tx, steps.where('run_id', '=', runId).where('status', '=', 'WAITING'));
}

/** Ends a step that this worker has claimed. Returns the number of waiting steps; null: the claim is over. */
export async function endStep(
  tx: Tx,
  now: Instant,
  { run_id, number, lease }: ClaimedStep,
  status: 'DONE' | 'FAILED',
): Promise<number | null> {
  const done = tables
    .updateTable('simulator_steps')
    .set({ status, done_at: status === 'DONE' ? toUtcIso(now) : null, lease: null, leased_until: null })
    .where('run_id', '=', run_id)
    .where('number', '=', number)
    .where('status', '=', 'WAITING')
    .where('lease', '=', lease)
    .returning('number');
  if ((await firstOf(tx, done)) === null) return null;
  const waiting = tables.selectFrom('simulator_steps').select('number').where('run_id', '=', run_id);
  return (await rowsOf(tx, waiting.where('status', '=', 'WAITING'))).length;
}

/** Saves the slot of a move before it is made, so that a repetition after a crash takes the same one. */
export async function saveSlot(
  db: Queryable,
  { run_id, number, lease }: ClaimedStep,
  slot: ChosenSlot | null,
): Promise<void> {
  const query = tables
    .updateTable('simulator_steps')
    .set({ slot: slot === null ? null : JSON.stringify(slot) })
    .where('run_id', '=', run_id)
    .where('number', '=', number);
  await rowsOf(db, query.where('lease', '=', lease));
}

// ---------------------------------------------------------------------------
// The queue

export const CLAIM_STEPS = hotStatement({
  name: 'claim-simulator-steps',
  takes: { now: pg.timestamptz, lease: pg.uuid, leaseSeconds: pg.float, limit: pg.int },
  returns: {
    run_id: pg.uuid,
    number: pg.int,
    action: pg.typed<Action>(pg.text),
    appointment_status: pg.nullable(pg.typed<AppointmentStatus>(pg.text)),
    slot: pg.nullable(pg.column<ChosenSlot>('jsonb')),
    tries: pg.int,
    lease: pg.uuid,
    booking_id: pg.uuid,
    partner_id: pg.uuid,
  },
  text: `
    select * from claim_simulator_steps(p_now => :now, p_lease => :lease, p_lease_seconds => :leaseSeconds,
      p_limit => :limit)`,
});

/** A step that this worker has claimed; `tries` counts this one. */
export type ClaimedStep = Row<typeof CLAIM_STEPS>;

/** Claims steps that are due by business time; leases are by the database's clock. */
export function claimSteps(
  db: Queryable,
  now: Instant,
  claim: { lease: string; leaseSeconds: number; limit: number },
): Promise<ClaimedStep[]> {
  return rows(db, CLAIM_STEPS, { now, ...claim });
}

export const RELEASE_STEP = hotStatement({
  name: 'release-simulator-step',
  takes: { runId: pg.uuid, number: pg.int, lease: pg.uuid, seconds: pg.float, tries: pg.int },
  returns: {},
  text: `
    update simulator_steps
    set lease = null, tries = :tries, leased_until = clock_timestamp() + make_interval(secs => :seconds)
    where run_id = :runId and number = :number and lease = :lease`,
});

/** Releases the step for the next try after `seconds` of real time. */
export async function releaseStep(
  db: Queryable,
  { run_id: runId, number, lease }: ClaimedStep,
  { tries, seconds }: { tries: number; seconds: number },
): Promise<void> {
  await rows(db, RELEASE_STEP, { runId, number, lease, tries, seconds });
}

export const RETURN_STEPS = hotStatement({
  name: 'return-simulator-steps',
  takes: { lease: pg.uuid },
  returns: {},
  text: `
    update simulator_steps set lease = null, leased_until = null, tries = greatest(tries - 1, 0)
    where lease = :lease and status = 'WAITING'`,
});

/** Releases a claim whose response was lost. */
export async function returnSteps(db: Queryable, lease: string): Promise<void> {
  await rows(db, RETURN_STEPS, { lease });
}
