import type { PlanCache } from '../availability/plan.ts';
import { type Refusal, refusal, type SlotProblem, shiftsOn, startProblem } from '../availability/rules.ts';
import { candidatesFor, findSlotContext, onlyTeam, type SlotContext } from '../availability/slots.ts';
import { dateOf, type Instant, MINUTE } from '../clock.ts';
import { type Db, isDbError, type Tx } from '../db/connection.ts';
import { type ApiError, orNotFound } from '../errors.ts';
import type { TeamRow } from '../teams/table.ts';
import type { LockedBooking } from './queries.ts';
import { findTeamBuffer, type Move, moveAppointment } from './reschedule-queries.ts';
import { type Period, slotRefused } from './slot.ts';

/** Why a team that was asked for cannot take an appointment. */
export type TeamProblem = Refusal | 'INACTIVE' | 'NOT_IN_ZONE' | 'NO_SKILL';

/** Where an appointment is to go; without a team: to any that is free, its own first. */
export type Destination = {
  period: Period;
  team: TeamRow | null;
  /** Whatever the rules say: only an overlap is refused. */
  force: boolean;
};

/** The appointment has not moved, and why. */
export type NotMoved = {
  /** TAKEN, STALE: another change was faster, a further attempt may end otherwise. REFUSED: it will not. */
  outcome: 'TAKEN' | 'STALE' | 'REFUSED';
  problem: SlotProblem | TeamProblem;
  booking: LockedBooking;
  to: Destination;
};
export type Rescheduled = { outcome: 'MOVED' } | NotMoved;

/**
 * Holds the destination for the locked booking's appointment instead of what it holds now. Unless it has MOVED, nothing
 * is written, and the transaction must end without another statement: after an overlap PostgreSQL takes none.
 */
export async function reschedule(
  tx: Tx,
  plans: PlanCache,
  now: Instant,
  booking: LockedBooking,
  to: Destination,
): Promise<Rescheduled> {
  const found = to.force
    ? await forcedTarget(tx, booking, to)
    : await offeredTarget(tx, plans, now, booking, to);
  if ('outcome' in found) return { ...found, booking, to };
  const outcome = await moveAppointment(tx, now, {
    ...found,
    appointmentId: booking.appointment_id,
    startsAt: to.period.startsAt,
    endsAt: to.period.endsAt,
  }).catch((error) => {
    // Appointments around midnight lock different days: there the constraint alone decides.
    if (isDbError(error, 'exclusionViolation', 'appointments_no_overlap')) return 'TAKEN' as const;
    throw error;
  });
  if (outcome === 'MOVED') return { outcome };
  // Forced, it looked at nothing that could have changed but the catalogue.
  if (to.force && outcome === 'TAKEN') return { outcome: 'REFUSED', problem: 'BUSY', booking, to };
  return { outcome, problem: takenProblem(to), booking, to };
}

/** Is the result one that another attempt may change? */
export function isLost(result: { outcome: string }): boolean {
  return result.outcome === 'TAKEN' || result.outcome === 'STALE';
}

/** 422 with the reason and the nearest free slots of seven days: of the team asked for, else of any. */
export function rescheduleRefused(
  db: Db,
  plans: PlanCache,
  now: Instant,
  { problem, booking, to }: NotMoved,
  message?: string,
): Promise<ApiError> {
  return slotRefused(db, plans, now, slotQueryOf(booking), {
    wanted: to.period.startsAt,
    reason: problem,
    teamId: to.team?.id,
    message,
  });
}

const takenProblem = ({ team }: Destination) => (team === null ? 'SLOT_UNAVAILABLE' : 'BUSY');

type Target = Pick<Move, 'catalogueVersion' | 'candidates' | 'zoneId'>;
type NoTarget = Pick<NotMoved, 'outcome' | 'problem'>;

const refused = (problem: NotMoved['problem']): NoTarget => ({ outcome: 'REFUSED', problem });

/** The team asked for, else the appointment's own, in the zone it is in. */
async function forcedTarget(tx: Tx, booking: LockedBooking, { period, team }: Destination): Promise<Target> {
  const teamId = team?.id ?? booking.team_id;
  const found = await orNotFound(findTeamBuffer(tx, teamId), 'Team');
  const busyUntil = period.endsAt + found.travel_buffer_minutes * MINUTE;
  return {
    catalogueVersion: found.catalogue_version,
    candidates: [{ teamId, busyUntil }],
    zoneId: booking.zone_id,
  };
}

/** The rules that hold for creating a booking (section 4.5), with the booking's own slot counted as free. */
async function offeredTarget(
  tx: Tx,
  plans: PlanCache,
  now: Instant,
  booking: LockedBooking,
  to: Destination,
): Promise<Target | NoTarget> {
  const { period, team } = to;
  const context = await findSlotContext(tx, plans, slotQueryOf(booking), dateOf(period.startsAt), 1);
  if (!context?.place) return refused('SLOT_NOT_OFFERED');
  if (team !== null) {
    const problem = teamProblem(context, booking.service_id, team, period, now);
    // The catalogue changed between the looks at the team and at the plan.
    if (problem === 'STALE') return { outcome: 'STALE', problem: takenProblem(to) };
    if (problem !== null) return refused(problem);
  }
  const found = candidatesFor(team === null ? context : onlyTeam(context, team.id), period, now);
  if (found.problem !== null) return refused(found.problem);
  const teams = found.teams.toSorted(
    (a, b) => Number(b.id === booking.team_id) - Number(a.id === booking.team_id),
  );
  return {
    catalogueVersion: context.plan.version,
    candidates: teams.map(({ id, bufferMinutes }) => ({
      teamId: id,
      busyUntil: period.endsAt + bufferMinutes * MINUTE,
    })),
    zoneId: context.place.zoneId,
  };
}

/** Why the team that was asked for cannot take the period: first what holds for every team, then what for it. */
function teamProblem(
  { place, busy }: SlotContext,
  serviceId: string,
  team: TeamRow,
  period: Period,
  now: Instant,
): SlotProblem | TeamProblem | 'STALE' | null {
  const { rules, teams, zoneId } = place!;
  const date = dateOf(period.startsAt);
  const slot = { from: period.startsAt / MINUTE, until: period.endsAt / MINUTE };
  const problem = startProblem(rules, dateOf(now), date, slot.from, now);
  if (problem !== null) return problem;
  if (slot.until - slot.from !== rules.durationMinutes) return 'SLOT_NOT_OFFERED';

  const planned = teams.find(({ id }) => id === team.id);
  if (planned !== undefined) return refusal(planned, shiftsOn(planned, date), busy, slot);
  if (!team.is_active) return 'INACTIVE';
  if (!team.zone_ids.includes(zoneId)) return 'NOT_IN_ZONE';
  if (!team.service_ids.includes(serviceId)) return 'NO_SKILL';
  return 'STALE';
}

function slotQueryOf(booking: LockedBooking) {
  return {
    partnerId: booking.partner_id,
    addressId: booking.address_id,
    serviceId: booking.service_id,
    movingBookingId: booking.id,
  };
}
