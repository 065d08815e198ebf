import { randomBytes, randomUUID } from 'node:crypto';
import type { PlanCache } from '../availability/plan.ts';
import { type Clock, type Instant, MINUTE } from '../base/clock.ts';
import { ApiError, orNotFound, validationError } from '../base/errors.ts';
import type { Db } from '../db/connection.ts';
import { isUnavailable } from '../db/unavailable.ts';
import { advanceBooking } from '../simulator/advance.ts';
import { setFault } from '../simulator/faults.ts';
import { startRun } from '../simulator/runs.ts';
import { findSubscriptionOf } from '../webhooks/subscription-queries.ts';
import { evaluate } from './evaluate.ts';
import { gatherEvidence } from './evidence.ts';
import {
  claimStep,
  findBookingToMove,
  findCertification,
  findCertificationByToken,
  findRunning,
  finishCertification,
  insertCertification,
  listLatest,
  listRunning,
  listStepDeliveries,
  releaseStep,
  saveDecided,
} from './queries.ts';
import {
  DURATION,
  decidedOf,
  type Findings,
  isDecided,
  REACTION_TIME,
  STEP_LEASE,
  STEPS,
  type Step,
  WANTED_EVENTS,
} from './rules.ts';
import type { CertificationRow } from './table.ts';

const MAX_LISTED = 10;

export type Certification = { row: CertificationRow; findings: Findings };

/**
 * Starts a certification of the partner with this subscription; a running one is finished first with its findings.
 * Throws RESOURCE_NOT_FOUND, and VALIDATION_ERROR when the subscription is not active or not for WANTED_EVENTS.
 */
export async function startCertification(
  db: Db,
  now: Instant,
  partnerId: string,
  subscriptionId: string,
): Promise<Certification> {
  const subscription = await orNotFound(
    findSubscriptionOf(db, partnerId, subscriptionId),
    'Webhook subscription',
  );
  const missing = WANTED_EVENTS.filter((event) => !subscription.events.includes(event));
  if (subscription.status !== 'ACTIVE' || missing.length > 0)
    throw validationError(
      ['subscriptionId must be that of an active subscription to the events of a certification'],
      [`subscriptionId: it needs the status ACTIVE and the events ${WANTED_EVENTS.join(', ')}`],
    );
  const running = await findRunning(db, partnerId);
  const last = running && (await assess(db, now, running));
  const row = await db.transaction(async (tx) => {
    if (running !== null && last !== null) await finishCertification(tx, now, running.id, last);
    return insertCertification(tx, now, {
      id: randomUUID(),
      partner_id: partnerId,
      subscription_id: subscription.id,
      token: randomBytes(32).toString('base64url'),
    });
  });
  return withFindings(db, now, row);
}

/** Throws RESOURCE_NOT_FOUND. */
export async function readCertification(
  db: Db,
  now: Instant,
  partnerId: string,
  id: string,
): Promise<Certification> {
  return withFindings(db, now, await orNotFound(findCertification(db, partnerId, id), 'Certification'));
}

/** The partner's latest certifications, newest first. */
export async function listCertifications(db: Db, now: Instant, partnerId: string): Promise<Certification[]> {
  const found: Certification[] = [];
  // At most one is running: the findings of the others are in their rows.
  for (const row of await listLatest(db, partnerId, MAX_LISTED)) found.push(await withFindings(db, now, row));
  return found;
}

const TOKEN = /^[\w-]{43}$/;

/** The certification of a page; null: there is none. */
export async function viewCertification(db: Db, now: Instant, token: string): Promise<Certification | null> {
  // The database refuses some texts (NUL).
  if (!TOKEN.test(token)) return null;
  const row = await findCertificationByToken(db, token);
  return row && withFindings(db, now, row);
}

/** The current findings; decided points are never evaluated again. */
async function assess(db: Db, now: Instant, row: CertificationRow): Promise<Findings> {
  const found = { ...evaluate(await gatherEvidence(db, now, row)), ...row.decided };
  const decided = decidedOf(found);
  if (Object.keys(decided).length === Object.keys(row.decided).length) return found;
  return { ...found, ...(await saveDecided(db, row.id, decided)) };
}

async function withFindings(db: Db, now: Instant, row: CertificationRow): Promise<Certification> {
  return { row, findings: row.result ?? (await assess(db, now, row)) };
}

export type CertifierDeps = {
  db: Db;
  plans: PlanCache;
  clock: Clock;
  wake(): void;
  /** Called for a certification that could not be advanced. */
  onError(error: Error, id: string): void;
};

/** The largest number of certifications under way; others wait. */
const MAX_UNDER_WAY = 50;

/**
 * Provokes the next steps of running certifications and finishes those without further steps. A failure of one does not
 * affect the others. Throws when the database is not available.
 */
export async function advanceCertifications(deps: CertifierDeps): Promise<void> {
  for (const row of await listRunning(deps.db, MAX_UNDER_WAY)) {
    try {
      await advanceCertification(deps, row);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      deps.onError(error as Error, row.id);
    }
  }
}

async function advanceCertification(deps: CertifierDeps, row: CertificationRow): Promise<void> {
  const { db } = deps;
  const now = deps.clock.now();
  const step = STEPS[row.steps];
  const isOver = now >= row.started_at + DURATION || clockWentBack(now, row);
  if (step === undefined || isOver) {
    const findings = await assess(db, now, row);
    if (isDecided(findings) || isOver) await finishCertification(db, now, row.id, findings);
    return;
  }
  if (!(await isSettled(db, now, row))) return;
  const booking = await findBookingToMove(db, row.partner_id, row.started_at, step.from);
  // Read after the booking: bookings that are made after the removal of the subscription are not moved.
  if ((await findSubscriptionOf(db, row.partner_id, row.subscription_id)) === null) {
    await finishCertification(db, now, row.id, await assess(db, now, row));
    return;
  }
  if (booking === null || !(await claimStep(db, now, row, now + STEP_LEASE))) return;
  try {
    await provoke(deps, now, row, { step, bookingId: booking.id });
  } catch (error) {
    await releaseStep(db, row, null);
    // The partner changed the booking meanwhile: the next run decides again.
    if (error instanceof ApiError) return;
    throw error;
  }
  const { point } = step;
  await releaseStep(db, row, { point, bookingId: booking.id, afterSequence: booking.event_count, at: now });
  // Before the log's retention ends.
  await assess(db, now, row);
  deps.wake();
}

/** Whether the sandbox's clock was set to before the certification: its reactions would never be in time. */
const clockWentBack = (now: Instant, { started_at, provoked }: CertificationRow): boolean =>
  now < Math.max(started_at, provoked.at(-1)?.at ?? 0) - MINUTE;

/** Whether the last step's deliveries were attempted, or its time is over. */
async function isSettled(db: Db, now: Instant, row: CertificationRow): Promise<boolean> {
  const last = row.provoked.at(-1);
  const step = STEPS[row.steps - 1];
  if (last === undefined || step === undefined || now >= last.at + REACTION_TIME) return true;
  const { bookingId, afterSequence } = last;
  const wanted = { bookingId, afterSequence, limit: step.events };
  const deliveries = await listStepDeliveries(db, row.subscription_id, wanted);
  return (
    deliveries.length >= step.events &&
    deliveries.every(({ id, attempts }) => id === null || (attempts ?? []).length > 0)
  );
}

async function provoke(
  { db, plans }: CertifierDeps,
  now: Instant,
  { partner_id: partnerId, subscription_id: subscriptionId }: CertificationRow,
  { step: { act, fault, times }, bookingId }: { step: Step; bookingId: string },
): Promise<void> {
  const booking = { partnerId, bookingId };
  if (fault !== null) await setFault(db, now, { partnerId, subscriptionId }, { kind: fault, count: 1 });
  if (act !== 'advance') {
    await startRun(db, now, booking, { script: act, everySeconds: 0 });
    return;
  }
  for (let time = 0; time < times; time++) await advanceBooking({ db, plans }, now, booking);
}
