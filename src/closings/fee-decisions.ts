import { DAY, type Instant } from '../base/clock.ts';
import { ApiError, validationError } from '../base/errors.ts';
import { toDecimal, toHalalas, toSar } from '../base/money.ts';
import { changeBooking } from '../bookings/change.ts';
import { type LockedBooking, lockBooking } from '../bookings/change-queries.ts';
import { saveFees } from '../bookings/fee-changes.ts';
import { keptAfterDecision, ledgerOf, waivable } from '../bookings/fees.ts';
import { saveOutcome } from '../bookings/outcome-queries.ts';
import { CLOSED_BOOKINGS } from '../bookings/rules.ts';
import { bookingRecord } from '../bookings/view.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Db, Tx } from '../db/connection.ts';
import { listUndecided } from '../dispatch/fee-queries.ts';
import { assertBookingWanted } from '../dispatch/version.ts';
import type { WantedVersions } from '../http/if-match.ts';
import { type FeeEntry, givenBack, isUndecided, totalOf, withTotal } from '../policies/ledger.ts';
import type { Outcome } from '../policies/words.ts';

/** Decisions of the operator on what is kept: why a visit was not done, and what is given back. */

/** Milliseconds after the end in which an outcome can be corrected. */
const CORRECTABLE_FOR = 30 * DAY;
/** Milliseconds after which nothing is kept of what nobody has decided on. */
const DECIDED_AFTER = 7 * DAY;
const BATCH = 50;
const WORKER = 'worker';

export const OUTCOME_HINT =
  'only of a visit that could not be done, or was cancelled after its start without a report, until 30 days after the end';
export const NO_FEE_HINT =
  'cancellation.kept says what is kept; a fee that is to be decided follows the outcome';

type Decision<Given> = { bookingId: string; wanted?: WantedVersions; given: Given };

/**
 * Records why the visit could not be done. Of a booking that has ended the fee follows: the first decision sets it, a later
 * one lowers it. Repeated, it changes nothing. Throws RESOURCE_NOT_FOUND, CONFLICT (version) and INVALID_TRANSITION.
 */
export async function recordOutcome(
  db: Db,
  now: Instant,
  actor: Actor,
  { bookingId, wanted = null, given }: Decision<{ outcome: Outcome; reason: string }>,
): Promise<void> {
  const { outcome, reason } = given;
  await changeBooking(db, { partnerId: null, bookingId }, async (tx, booking) => {
    await assertBookingWanted(tx, wanted, booking);
    if (booking.outcome === outcome && !isUndecided(booking.fees)) return;
    assertOutcomeOpen(booking, now);
    await saveOutcome(tx, booking.appointment_id, { outcome, isNewVisit: false });
    const fees = feesByOutcome(booking, outcome, { at: now, by: actor });
    const after = await saveFees(tx, now, { ...booking, outcome }, { fees, cause: 'DECIDED', by: actor });
    await audit(tx, now, {
      actor,
      action: 'booking.outcome',
      target: `booking:${booking.id}`,
      before: bookingRecord(booking),
      after: { ...bookingRecord(after), reason },
    });
  });
}

/** Without a policy, before the end, and where the fee stays, the ledger is as it was. */
function feesByOutcome(
  booking: LockedBooking,
  outcome: Outcome,
  entry: { at: Instant; by: string },
): FeeEntry[] | null {
  const { fees, status, terms } = booking;
  if (fees === null || terms === null || status !== 'canceled') return fees;
  const kept = keptAfterDecision(booking, outcome);
  if (!isUndecided(fees) && kept === totalOf(fees)) return fees;
  return withTotal(fees, kept, { ...entry, action: 'decide', outcome });
}

function assertOutcomeOpen(booking: LockedBooking, now: Instant): void {
  const { appointment_status: from, cancelled_at: endedAt, fees, outcome, status } = booking;
  if (from === 'Cannot Complete' && !CLOSED_BOOKINGS.includes(status)) return;
  const isKnown = outcome !== null || isUndecided(fees);
  if (status === 'canceled' && isKnown && now <= (endedAt ?? 0) + CORRECTABLE_FOR) return;
  throw new ApiError('INVALID_TRANSITION', 'The visit has no outcome that can be recorded', {
    from,
    bookingStatus: status,
    hints: [OUTCOME_HINT],
  });
}

/**
 * Gives fees back: `amount` (SAR) is the sum of all waivers of the booking, so that the request can be repeated. What was paid
 * by link goes back by a refund. Throws RESOURCE_NOT_FOUND, CONFLICT (version), INVALID_TRANSITION (there is none) and
 * VALIDATION_ERROR.
 */
export async function waiveFees(
  db: Db,
  now: Instant,
  actor: Actor,
  { bookingId, wanted = null, given }: Decision<{ amount: number; reason: string }>,
): Promise<void> {
  await changeBooking(db, { partnerId: null, bookingId }, async (tx, booking) => {
    await assertBookingWanted(tx, wanted, booking);
    const fees = ledgerOf(booking);
    const amount = toHalalas(toDecimal(given.amount));
    const before = givenBack(fees);
    if (amount === before) return;
    const most = isUndecided(fees) ? 0 : waivable(booking);
    if (before === 0 && most === 0)
      throw new ApiError('INVALID_TRANSITION', 'There is no fee to give back', {
        bookingStatus: booking.status,
        hints: [NO_FEE_HINT],
      });
    assertBetween(amount, before, before + most);
    const entry: FeeEntry = {
      action: 'waive',
      amount: toSar(0),
      lowers: toSar(amount - before),
      at: now,
      by: actor,
    };
    const after = await saveFees(tx, now, booking, { fees: [...fees, entry], cause: 'WAIVED', by: actor });
    await audit(tx, now, {
      actor,
      action: 'booking.waive',
      target: `booking:${booking.id}`,
      before: bookingRecord(booking),
      after: { ...bookingRecord(after), amount: given.amount, reason: given.reason },
    });
  });
}

function assertBetween(amount: number, least: number, most: number): void {
  if (amount >= least && amount <= most) return;
  const [from, to] = [toSar(least), toSar(most)];
  throw validationError(
    [`amount must be from ${from} to ${to}`],
    [`amount: the sum of all waivers: ${from} SAR were given back, and ${to} SAR can be in all`],
  );
}

/** Ends the wait for decisions after seven days: nothing is kept. Returns the number of bookings. */
export async function decideOverdue(db: Db, now: Instant): Promise<number> {
  const ids = await listUndecided(db, now - DECIDED_AFTER, BATCH);
  for (const id of ids) await db.transaction((tx) => keepNothing(tx, now, id), id);
  return ids.length;
}

async function keepNothing(tx: Tx, now: Instant, bookingId: string): Promise<void> {
  const booking = await lockBooking(tx, null, bookingId);
  if (booking === null || !isUndecided(booking.fees)) return;
  const fees = withTotal(booking.fees!, 0, { action: 'decide', at: now });
  await saveFees(tx, now, booking, { fees, cause: 'DECIDED', by: WORKER });
}
