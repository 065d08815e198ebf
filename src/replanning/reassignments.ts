import { randomUUID } from 'node:crypto';
import type { TeamsOnDate } from '../availability/explain.ts';
import { holdInTheWayView } from '../availability/hold-in-the-way.ts';
import type { HeldRow } from '../availability/operator-queries.ts';
import type { TeamPlacements } from '../availability/placements.ts';
import type { PlanCache } from '../availability/plan.ts';
import { comparePlaces, isFirstChoice, type ProposedFirst } from '../availability/proposals.ts';
import type { Held } from '../availability/rules.ts';
import { lengthOf } from '../availability/sold.ts';
import { addDays, type CalendarDate, dateOf, type Instant, timeOf } from '../base/clock.ts';
import { ApiError, conflict } from '../base/errors.ts';
import { CLOSED_BOOKINGS, movability } from '../bookings/rules.ts';
import { wantedPeriod } from '../bookings/slot.ts';
import { lockCatalogue } from '../catalogue/queries.ts';
import type { Actor } from '../db/audit.ts';
import type { Db, Queryable } from '../db/connection.ts';
import { changeAppointment, readAppointment } from '../dispatch/appointments.ts';
import { findPlacements } from '../dispatch/placements.ts';
import type { AppointmentRow } from '../dispatch/queries.ts';
import { appointmentView } from '../dispatch/view.ts';
import { findTimeOff } from '../teams/queries.ts';
import { toPeriod } from '../teams/rules.ts';
import { readTeam, removeTimeOff } from '../teams/teams.ts';
import { inBatch, lockAppointments, moveAll } from './batch-moves.ts';
import { appointmentsBetween } from './reassignment-queries.ts';
import type { Reassign, ReassignMove, UndoReassignments } from './reassignment-schema.ts';

/** Proposals and moves for appointments that cannot stay where they are: of a team that is away, or chosen ones. */

/** Days that are searched for a place, from the appointment's own on. */
const SEARCHED_DAYS = 7;
/** The largest number of proposals for an appointment. */
const MAX_PLACES = 10;

/** Dependencies of plans: the database and the operator's preference. */
export type Planning = { db: Queryable; first: ProposedFirst };

type Proposal = {
  teamId: string;
  teamName: string;
  teamNameAr: string | null;
  date: CalendarDate;
  timeslot: { startAt: string; endAt: string };
  keepsDate: boolean;
  keepsTime: boolean;
  keepsLength: boolean;
  detourKm: number;
  usedMinutes: number;
  holds: ReturnType<typeof holdInTheWayView>[];
};

/**
 * Proposes places for the appointments of a team that is away, the best one and alternatives for each; read-only. A
 * proposed place counts as taken for the next appointment. Throws RESOURCE_NOT_FOUND (team).
 */
export async function planReassignments(planning: Planning, now: Instant, teamId: string, input: Reassign) {
  const { db } = planning;
  const team = await readTeam(db, teamId);
  const away = toPeriod({ startsAt: input.from, endsAt: input.to });
  const ids = await appointmentsBetween(db, team.id, away.startsAt, away.endsAt);
  return planMoves(planning, now, await inTurn(ids, (id) => readAppointment(db, id)), away.endsAt);
}

/** The same for chosen appointments, with their own teams at other times too. Throws RESOURCE_NOT_FOUND (appointment). */
export async function planChosen(planning: Planning, now: Instant, ids: readonly string[]) {
  const appointments = await inTurn(ids, (id) => readAppointment(planning.db, id));
  return planMoves(
    planning,
    now,
    appointments.toSorted((a, b) => a.starts_at - b.starts_at || (a.id < b.id ? -1 : 1)),
    now,
  );
}

async function inTurn<T>(ids: readonly string[], read: (id: string) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (const id of ids) all.push(await read(id));
  return all;
}

/** `backFrom`: when the appointments' own teams can take them again. */
async function planMoves(
  planning: Planning,
  now: Instant,
  appointments: readonly AppointmentRow[],
  backFrom: Instant,
) {
  const taken = new Map<string, HeldRow[]>();
  const movable = ({ status, booking_status }: AppointmentRow): boolean =>
    movability(status) !== 'begun' && !CLOSED_BOOKINGS.includes(booking_status);
  const found = new Map<string, Found[]>();
  // Visits of series choose first: their customers expect the crew and the time.
  for (const appointment of appointments.toSorted(
    (a, b) => Number(a.series_id === null) - Number(b.series_id === null),
  )) {
    if (!movable(appointment)) continue;
    const proposals = await proposalsFor(planning, now, appointment, { backFrom, taken });
    found.set(appointment.id, proposals);
    if (proposals[0] !== undefined) hold(taken, appointment, proposals[0]);
  }
  return appointments.map((appointment) => {
    const proposals = found.get(appointment.id) ?? [];
    const [proposal = null] = proposals;
    return {
      appointment: appointmentView(appointment),
      problem: movable(appointment)
        ? proposal === null
          ? ('NO_PLACE' as const)
          : null
        : ('NOT_MOVABLE' as const),
      proposal: proposal?.place ?? null,
      alternatives: proposals.slice(1).map(({ place }) => place),
    };
  });
}

type Found = { place: Proposal; held: Held };

/**
 * The best place of each other team, on the first date with any, and of the team itself once it is back, in the order of
 * `comparePlaces`.
 */
async function proposalsFor(
  { db, first }: Planning,
  now: Instant,
  appointment: AppointmentRow,
  { backFrom, taken }: { backFrom: Instant; taken: ReadonlyMap<string, readonly HeldRow[]> },
): Promise<Found[]> {
  const ownDate = dateOf(appointment.starts_at);
  const found: (Found & { rank: Best })[] = [];
  const hasFound = (own: boolean): boolean => found.some(({ rank }) => rank.keepsTeam === own);
  for (let days = 0; days < SEARCHED_DAYS && !(hasFound(true) && hasFound(false)); days++) {
    const date = addDays(ownDate, days);
    const wanted = { appointment, date, first, backFrom };
    const { day, teams } = await findPlacements(db, now, wanted, (rows) =>
      rows.map((row) => ({
        ...row,
        held: [...row.held, ...(taken.get(row.id) ?? [])].toSorted((a, b) => a.from - b.from),
      })),
    );
    if (day === null) return [];
    const isNew = [false, true].filter((own) => !hasFound(own));
    for (const team of teams)
      if (team.best !== null && isNew.includes(team.keepsTeam))
        found.push({ ...proposalAt(day, team, team.best, appointment), rank: team.best });
    if (days === 0 && found.some(({ rank }) => isFirstChoice(rank, first))) break;
  }
  return found.toSorted((a, b) => comparePlaces(a.rank, b.rank, first)).slice(0, MAX_PLACES);
}

type Best = NonNullable<TeamPlacements['best']>;

function proposalAt(
  day: TeamsOnDate,
  { each, usedMinutes, slots }: TeamPlacements,
  { start, detourKm }: Best,
  { starts_at, ends_at }: AppointmentRow,
): Found {
  const { durationMinutes } = day.rules;
  const timeslot = day.timesOf(start);
  return {
    place: {
      teamId: each.team.id,
      teamName: each.team.name,
      teamNameAr: each.team.nameAr,
      date: day.date,
      timeslot,
      keepsDate: day.date === dateOf(starts_at),
      keepsTime: timeslot.startAt === timeOf(starts_at),
      keepsLength: durationMinutes === lengthOf({ startsAt: starts_at, endsAt: ends_at }),
      detourKm,
      usedMinutes,
      holds: slots.find((slot) => slot.start === start)!.holds.map(holdInTheWayView),
    },
    held: {
      from: start,
      until: start + durationMinutes + each.team.bufferMinutes,
      bufferMinutes: each.team.bufferMinutes,
    },
  };
}

function hold(taken: Map<string, HeldRow[]>, { id, name, booking_id }: AppointmentRow, found: Found): void {
  const { teamId } = found.place;
  taken.set(teamId, [...(taken.get(teamId) ?? []), { id, name, booking_id, hold: null, ...found.held }]);
}

type Apply = { db: Db; plans: PlanCache };

/** Throws RESOURCE_NOT_FOUND (team); otherwise as `applyMoves`. */
export async function applyReassignments(
  deps: Apply,
  now: Instant,
  actor: Actor,
  { teamId, from, to, apply }: { teamId: string } & Reassign & { apply: readonly ReassignMove[] },
) {
  const team = await readTeam(deps.db, teamId);
  const { startsAt, endsAt } = toPeriod({ startsAt: from, endsAt: to });
  const isAffected = (row: AppointmentRow): boolean =>
    row.team_id === team.id && row.starts_at < endsAt && row.ends_at > startsAt;
  return applyMoves(deps, now, actor, { isAffected, apply });
}

/** As `applyMoves`: appointments that are not among the chosen ones are refused. */
export function applyChosen(
  deps: Apply,
  now: Instant,
  actor: Actor,
  { appointmentIds, apply }: { appointmentIds: readonly string[]; apply: readonly ReassignMove[] },
) {
  const chosen = new Set(appointmentIds.map((id) => id.toLowerCase()));
  return applyMoves(deps, now, actor, { isAffected: ({ id }) => chosen.has(id), apply });
}

/**
 * Makes the chosen moves one after the other, each as PATCH /operator/appointments/:id would, with the audit entries in
 * one group. A move that is stale or no longer possible is refused without effect on the others; one that was made
 * already is no change.
 */
async function applyMoves(
  deps: Apply,
  now: Instant,
  actor: Actor,
  { isAffected, apply }: { isAffected: (row: AppointmentRow) => boolean; apply: readonly ReassignMove[] },
) {
  const groupId = randomUUID();
  const results = [];
  for (const move of apply) results.push(await applyMove(deps, now, { actor, groupId, isAffected }, move));
  return { groupId, results };
}

async function applyMove(
  deps: Apply,
  now: Instant,
  {
    actor,
    groupId,
    isAffected,
  }: { actor: Actor; groupId: string; isAffected: (row: AppointmentRow) => boolean },
  { appointmentId, version, ...place }: ReassignMove,
) {
  const { db } = deps;
  try {
    const before = await readAppointment(db, appointmentId);
    if (isAlreadyThere(before, place)) {
      return {
        appointmentId,
        outcome: 'ALREADY_THERE' as const,
        refusal: null,
        appointment: appointmentView(before),
      };
    }
    if (!isAffected(before)) throw conflict('NOT_AFFECTED', 'It is none of these appointments any more');
    const change = { appointmentId, changes: place, wanted: [version], groupId };
    const row = await changeAppointment(deps, now, actor, change);
    return { appointmentId, outcome: 'MOVED' as const, refusal: null, appointment: appointmentView(row) };
  } catch (error) {
    return refusedResult(db, appointmentId, error);
  }
}

/** The result of one of many that is refused, with the appointment as it is. Throws other errors. */
export async function refusedResult(db: Db, appointmentId: string, error: unknown) {
  if (!(error instanceof ApiError)) throw error;
  const { code, message, details } = error;
  const reason = typeof details.reason === 'string' ? details.reason : null;
  const holds = (details.holds ?? []) as ReturnType<typeof holdInTheWayView>[];
  const isFound = code !== 'RESOURCE_NOT_FOUND';
  return {
    appointmentId,
    outcome: 'REFUSED' as const,
    refusal: { code, message, reason, holds },
    appointment: isFound ? appointmentView(await readAppointment(db, appointmentId)) : null,
  };
}

function isAlreadyThere(
  row: AppointmentRow,
  place: Pick<ReassignMove, 'teamId' | 'date' | 'timeslot'>,
): boolean {
  const { startsAt, endsAt } = wantedPeriod(row, place);
  return row.team_id === place.teamId.toLowerCase() && row.starts_at === startsAt && row.ends_at === endsAt;
}

/**
 * Moves appointments back and removes the time off, all or none, with the audit entries in one group. Time off that is
 * removed already is no obstacle. Throws RESOURCE_NOT_FOUND (appointment), CONFLICT (one has changed since),
 * VALIDATION_ERROR (unknown team), INVALID_TRANSITION and, with the name of the one that would overlap another,
 * BOOKING_CREATION_FAILED.
 */
export async function undoReassignments(
  { db, plans }: Apply,
  now: Instant,
  actor: Actor,
  { apply, timeOff }: UndoReassignments,
) {
  const groupId = randomUUID();
  const moved = await inBatch(db, async (tx) => {
    const visits = await lockAppointments(
      tx,
      apply.map(({ appointmentId }) => appointmentId),
    );
    const moves = apply.map(({ appointmentId, version, ...place }) => ({
      visit: visits.get(appointmentId.toLowerCase())!,
      version,
      changes: { ...place, force: true, reason: 'Reassignment undone' },
    }));
    const back = await moveAll({ tx, plans }, now, { actor, groupId }, moves);
    // Nobody else removes it between the two statements.
    if (timeOff !== undefined) await lockCatalogue(tx);
    if (timeOff !== undefined && (await findTimeOff(tx, timeOff.teamId, timeOff.timeOffId)) !== null)
      await removeTimeOff(tx, now, actor, { ...timeOff, groupId });
    return back;
  });
  return { appointments: moved.map(appointmentView), groupId };
}
