import { type HoldInTheWay, holdInTheWayView } from '../availability/hold-in-the-way.ts';
import type { PlanCache } from '../availability/plan.ts';
import { type Refusal, refusal, type SlotProblem, shiftsOn, type Team } from '../availability/rules.ts';
import { freeTeams, loadMoveContext } from '../availability/slots.ts';
import { allowedZones, lengthOf, type Period, type Sold } from '../availability/sold.ts';
import { dateOf, type Instant, MINUTE } from '../base/clock.ts';
import type { ApiError } from '../base/errors.ts';
import { type Db, isDbError, type Tx } from '../db/connection.ts';
import type { TeamRow } from '../teams/table.ts';
import type { LockedBooking } from './change-queries.ts';
import { type Claim, type ClaimOutcome, moveAppointment } from './claim-queries.ts';
import { type Displacing, settleHolds } from './displace.ts';
import { takeHoldsOut } from './displace-queries.ts';
import { slotRefused } from './slot.ts';

/** The reasons for which a requested team cannot take an appointment. */
export type TeamProblem = Refusal | 'HELD' | 'INACTIVE' | 'NOT_IN_ZONE' | 'NO_SKILL';

/** The wanted time and team; `team` null: any free one, the appointment's own first. */
export type Destination = {
  period: Period;
  team: TeamRow | null;
  /** Ignores the rules: only an overlap is refused. */
  force: boolean;
  /** Days by which the service's horizon is further away: visits of a series. */
  daysAhead?: number;
  /** Of the operator: holds of others give way. Left out: they count. */
  displacing?: Displacing;
};

/** The locked booking and the destination of its appointment. */
export type Reschedule = { booking: LockedBooking; to: Destination };

/** A move that was not made. */
export type NotMoved = Reschedule & {
  /** TAKEN, STALE: lost to a concurrent change, another attempt may succeed. REFUSED: it cannot. */
  outcome: 'TAKEN' | 'STALE' | 'REFUSED';
  problem: SlotProblem | TeamProblem;
  /** With HELD: those that no other team can take, and that were not confirmed. */
  holds?: readonly HoldInTheWay[];
};
export type Rescheduled = { outcome: 'MOVED' } | NotMoved;

/**
 * Moves the hold of the locked booking's appointment to the destination. Unless it returns MOVED, nothing is written
 * and the transaction must end without another statement, which PostgreSQL would refuse after an overlap.
 */
export async function reschedule(
  tx: Tx,
  plans: PlanCache,
  now: Instant,
  { booking, to }: Reschedule,
): Promise<Rescheduled> {
  const found = to.force ? forcedTarget(booking, to) : await offeredTarget(tx, plans, now, { booking, to });
  if ('outcome' in found) return { ...found, booking, to };
  const moved = await moveTo(tx, now, { booking, to }, found).catch((error) => {
    // Appointments around midnight lock different days: there the constraint decides.
    if (isDbError(error, 'exclusionViolation', 'appointments_no_overlap')) return 'TAKEN' as const;
    throw error;
  });
  if (moved === 'CLAIMED') return { outcome: 'MOVED' };
  if (typeof moved !== 'string') return { outcome: 'REFUSED', problem: 'HELD', holds: moved, booking, to };
  if (to.force) return { outcome: 'REFUSED', problem: 'BUSY', booking, to };
  return { outcome: moved, problem: takenProblem(to), booking, to };
}

/**
 * Claims one of the teams that nobody holds; else, for the operator, the first of them, whose holds go to other teams. Returns those
 * that cannot.
 */
async function moveTo(
  tx: Tx,
  now: Instant,
  { booking, to: { period, displacing } }: Reschedule,
  target: Target,
): Promise<ClaimOutcome | readonly HoldInTheWay[]> {
  const { startsAt, endsAt } = period;
  const move = { ...target, appointmentId: booking.appointment_id, startsAt, endsAt };
  const outcome = await moveAppointment(tx, now, move);
  const [teamId] = target.teamIds;
  if (outcome !== 'TAKEN' || displacing === undefined || teamId === undefined) return outcome;
  const { contact_id: contactId, service_id: serviceId } = booking;
  await tx.rows({ text: 'savepoint before_displacing' });
  const held = await takeHoldsOut(tx, now, { teamId, startsAt, endsAt, contactId, serviceId });
  if (held.length === 0) return outcome;
  const again = await moveAppointment(tx, now, { ...move, teamIds: [teamId] });
  // After the move, because the team that the visit leaves may be free for one.
  const left = again === 'CLAIMED' ? await settleHolds(tx, now, held, displacing) : [];
  if (again === 'CLAIMED' && left.length === 0) return again;
  await tx.rows({ text: 'rollback to savepoint before_displacing' });
  return left.length > 0 ? left : again;
}

/** `details` of the error: the holds in the way, and how to confirm them. */
export const heldDetails = ({ holds }: NotMoved) =>
  holds && {
    holds: holds.map(holdInTheWayView),
    hints: [
      'customers hold the slot, and no other team is free for it: displaceHolds names the holds that may end',
    ],
  };

/** Why the booking could not be moved to the destination now; null: it could. */
export async function findMoveRefusal(
  tx: Tx,
  plans: PlanCache,
  now: Instant,
  move: Reschedule,
): Promise<NotMoved | null> {
  const found = await offeredTarget(tx, plans, now, move);
  return 'outcome' in found ? { ...found, ...move } : null;
}

/** Whether another attempt may succeed. */
export function isLost(result: { outcome: string }): boolean {
  return result.outcome === 'TAKEN' || result.outcome === 'STALE';
}

/** 422 with the reason and the nearest free slots (ALTERNATIVE_DAYS) of the requested team, else of any. */
export function rescheduleRefused(
  deps: { db: Db; plans: PlanCache },
  now: Instant,
  refused: NotMoved,
  message?: string,
): Promise<ApiError> {
  const { problem, booking, to } = refused;
  const { hints = [], ...details } = heldDetails(refused) ?? {};
  return slotRefused(deps, now, slotQueryOf(booking), {
    wanted: to.period.startsAt,
    reason: problem,
    teamId: to.team?.id,
    // Another team at its own time is one.
    ...(to.period.startsAt !== booking.starts_at && { own: booking.starts_at }),
    message,
    hints: [...lengthHints(booking, to), ...hints],
    details,
  });
}

/** A booking keeps its length, also when the service's duration has changed since. */
function lengthHints(booking: LockedBooking, { period }: Destination): string[] {
  const sold = lengthOf(soldOf(booking));
  return lengthOf(period) === sold ? [] : [`the booking keeps the length it was made with: ${sold} minutes`];
}

const takenProblem = ({ team }: Destination) => (team === null ? 'SLOT_UNAVAILABLE' : 'BUSY');

type Target = Pick<Claim, 'catalogueVersion' | 'teamIds'> & { zoneId: string };
type NoTarget = Pick<NotMoved, 'outcome' | 'problem'>;

const refused = (problem: NotMoved['problem']): NoTarget => ({ outcome: 'REFUSED', problem });

/** The requested team, else the appointment's own, in the appointment's zone. */
function forcedTarget(booking: LockedBooking, { team }: Destination): Target {
  return { catalogueVersion: null, teamIds: [team?.id ?? booking.team_id], zoneId: booking.zone_id };
}

/** The teams that the rules of changes (allowedZones) admit, with the booking's own hold counted as free. */
async function offeredTarget(
  tx: Tx,
  plans: PlanCache,
  now: Instant,
  { booking, to }: Reschedule,
): Promise<Target | NoTarget> {
  const { period, team } = to;
  const query = { ...slotQueryOf(booking), daysAhead: to.daysAhead ?? 0 };
  const context = await loadMoveContext(tx, plans, query, dateOf(period.startsAt));
  const { plan, zoneId, place, isEnabled } = context;
  // Without holds: the claim asks for them.
  const busy = context.busyAt(to.displacing === undefined ? now : Number.POSITIVE_INFINITY);
  const offer = { zoneId, rules: isEnabled && place !== null ? place.rules : null };
  const asked = allowedZones(soldOf(booking), period, offer, now);
  if (asked.problem !== null) return refused(asked.problem);
  const { zoneIds } = asked;
  const able = zoneIds.flatMap((id) => plan.teamsFor(id, booking.service_id));
  let candidates: readonly Team[];
  if (team === null) {
    const free = freeTeams(able, period, busy);
    if (free.problem !== null) return refused(free.problem);
    candidates = free.teams.toSorted(
      (a, b) => Number(b.id === booking.team_id) - Number(a.id === booking.team_id),
    );
  } else {
    const planned = able.find(({ id }) => id === team.id);
    const problem =
      planned === undefined
        ? inability(team, booking.service_id, zoneIds)
        : refusal(planned, shiftsOn(planned, dateOf(period.startsAt)), busy, minutesOf(period));
    // The catalogue changed between the reads of the team and of the plan.
    if (planned === undefined && problem === null) return { outcome: 'STALE', problem: takenProblem(to) };
    if (problem !== null) return refused(problem);
    candidates = [planned!];
  }
  return {
    catalogueVersion: plan.version,
    teamIds: candidates.map(({ id }) => id),
    // An unchanged time keeps the zone of the sale, unless the team serves only today's zone.
    zoneId: zoneIds.find((id) => candidates[0]!.zoneIds.has(id))!,
  };
}

/** The reason why the requested team can do the visit at no time; null: there is none. */
function inability(team: TeamRow, serviceId: string, zoneIds: readonly string[]): TeamProblem | null {
  if (!team.is_active) return 'INACTIVE';
  if (!zoneIds.some((id) => team.zone_ids.includes(id))) return 'NOT_IN_ZONE';
  return team.service_ids.includes(serviceId) ? null : 'NO_SKILL';
}

const minutesOf = ({ startsAt, endsAt }: Period) => ({ from: startsAt / MINUTE, until: endsAt / MINUTE });

const soldOf = ({ starts_at, ends_at, zone_id }: LockedBooking): Sold => ({
  startsAt: starts_at,
  endsAt: ends_at,
  zoneId: zone_id,
});

function slotQueryOf(booking: LockedBooking) {
  return {
    partnerId: booking.partner_id,
    addressId: booking.address_id,
    serviceId: booking.service_id,
    movingBookingId: booking.id,
    durationMinutes: lengthOf(soldOf(booking)),
  };
}
