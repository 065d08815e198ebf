import type { PlanCache } from '../availability/plan.ts';
import { dateOf, type Instant, toRiyadhIso } from '../base/clock.ts';
import { ApiError, orNotFound, validationError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { retryOnConflict } from '../bookings/attempts.ts';
import {
  type LockedBooking,
  lockBookingOf,
  type NewEvent,
  saveBooking,
  setWorkBegan,
} from '../bookings/change-queries.ts';
import { appointmentEvents } from '../bookings/events.ts';
import { assertFee, assertMovesLeft, feesAfter, feesAfterMove, quoteOf } from '../bookings/fees.ts';
import { saveOutcome } from '../bookings/outcome-queries.ts';
import {
  type Destination,
  isLost,
  type NotMoved,
  reschedule,
  rescheduleRefused,
} from '../bookings/reschedule.ts';
import {
  APPOINTMENT_MOVES,
  type AppointmentStatus,
  BEGUN,
  bookingAfter,
  CLOSED_BOOKINGS,
  correctionsOf,
  MOVABLE_BY_OPERATOR,
  mayCorrectAppointment,
  mayMoveAppointment,
  statusAtNewTime,
  UNPAID_APPOINTMENT,
} from '../bookings/rules.ts';
import { slotUnavailable, wantedPeriod } from '../bookings/slot.ts';
import { bookingView } from '../bookings/view.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Db, Queryable, Tx } from '../db/connection.ts';
import type { Page } from '../db/pages.ts';
import { paging } from '../http/envelope.ts';
import { assertWanted, type WantedVersions } from '../http/if-match.ts';
import { findTeam } from '../teams/queries.ts';
import type { TeamRow } from '../teams/table.ts';
import { findVisitRefusals } from '../teams/visit-queries.ts';
import { limitsOf } from './attention-rules.ts';
import { type AppointmentRow, findAppointment, listAppointmentRows } from './queries.ts';
import { outcomeOf } from './rules.ts';
import type { AppointmentsQuery, ChangeAppointment } from './schema.ts';
import { appointmentView, auditedAppointment } from './view.ts';

/** A page of all partners' appointments, by start. */
export function searchAppointments(
  db: Queryable,
  now: Instant,
  { attention, ids, ...query }: AppointmentsQuery,
): Promise<Page<AppointmentRow>> {
  const filter = {
    ...query,
    ids: ids?.split(','),
    ...(attention !== undefined && { attention: { concern: attention, now, limits: limitsOf(query) } }),
  };
  return listAppointmentRows(db, filter, paging(query));
}

/** Throws RESOURCE_NOT_FOUND. */
export function readAppointment(db: Queryable, appointmentId: string): Promise<AppointmentRow> {
  return orNotFound(findAppointment(db, appointmentId), 'Appointment');
}

// ---------------------------------------------------------------------------
// Changes

/** A visit that is locked for a change: its booking, and the appointment as the operator sees it. */
export type LockedVisit = { booking: LockedBooking; row: AppointmentRow };

/** Locks the appointment with its booking until the end of the transaction; null: there is no such appointment. */
export async function lockVisit(tx: Tx, appointmentId: string): Promise<LockedVisit | null> {
  // In one round trip: the row is read when the lock has been waited for.
  const [booking, row] = await Promise.all([
    lockBookingOf(tx, appointmentId),
    findAppointment(tx, appointmentId),
  ]);
  return booking && row && { booking, row };
}

export type AppointmentChange = {
  changes: ChangeAppointment;
  wanted?: WantedVersions;
  /** The group of the audit entry. */
  groupId?: string;
  /** Why an administrator corrects the status: other moves are allowed then. */
  correctedBecause?: string;
  /** When the status changed, if that was earlier than now. */
  happenedAt?: Instant;
  isTimeUncertain?: boolean;
};

/** The result of the transaction; alternatives to a refused move are looked up outside it. */
type Changed = { outcome: 'CHANGED'; row: AppointmentRow } | NotMoved;

/**
 * Moves an appointment (team, date, timeslot) and changes its status in one transaction; without a difference nothing
 * is written. A status change and a new time have their events (section 6), every change an audit row. Throws
 * VALIDATION_ERROR (unknown team), RESOURCE_NOT_FOUND, CONFLICT (it has another version than those wanted),
 * INVALID_TRANSITION and, with reason and alternatives, BOOKING_CREATION_FAILED; on behalf of the customer FEE_CHANGED and
 * BOOKING_NOT_EDITABLE, too.
 */
export async function changeAppointment(
  { db, plans }: { db: Db; plans: PlanCache },
  now: Instant,
  actor: Actor,
  { appointmentId, ...change }: AppointmentChange & { appointmentId: string },
): Promise<AppointmentRow> {
  const { teamId, date, timeslot } = change.changes;
  const attempt = async (tx: Tx): Promise<Changed> => {
    const team = await wantedTeam(tx, teamId);
    const visit = await orNotFound(lockVisit(tx, appointmentId), 'Appointment');
    return applyChange({ tx, plans }, now, actor, { ...change, visit, team });
  };
  const result = await retryOnConflict(() => db.transaction(attempt, appointmentId), isLost);
  if (result === null) throw slotUnavailable();
  if (result.outcome === 'CHANGED') return result.row;
  const isMove = teamId !== undefined || date !== undefined || timeslot !== undefined;
  const message = isMove ? 'The appointment cannot be moved there' : 'The team cannot do the appointment';
  throw await rescheduleRefused({ db, plans }, now, result, message);
}

/**
 * Corrects the status of an appointment that was set wrongly, with the event and the audit row of a change. Throws as
 * changeAppointment does.
 */
export function correctAppointment(
  deps: { db: Db; plans: PlanCache },
  now: Instant,
  actor: Actor,
  {
    appointmentId,
    status,
    reason,
    wanted,
  }: { appointmentId: string; status: AppointmentStatus; reason: string; wanted: WantedVersions },
): Promise<AppointmentRow> {
  const change = { appointmentId, changes: { status }, wanted, correctedBecause: reason };
  return changeAppointment(deps, now, actor, change);
}

/** A change of a locked visit. `team`: the one that is asked for (wantedTeam). */
export type VisitChange = AppointmentChange & { visit: LockedVisit; team: TeamRow | null };

/** The change inside of a transaction, which must end without another statement unless it returns CHANGED. */
export async function applyChange(
  deps: { tx: Tx; plans: PlanCache },
  now: Instant,
  actor: Actor,
  change: VisitChange,
): Promise<Changed> {
  const { changes, visit, wanted = null, happenedAt } = change;
  const { booking, row: before } = visit;
  await assertWanted(wanted, before.version, () => appointmentView(before));
  const to: Destination = {
    period: wantedPeriod(booking, changes),
    team: change.team,
    force: changes.force ?? false,
    displacing: { by: actor, holdIds: changes.displaceHolds ?? [], groupId: change.groupId },
  };
  const wantedStatus = changes.status ?? booking.appointment_status;
  if (!isMove(booking, to) && wantedStatus === booking.appointment_status)
    return { outcome: 'CHANGED', row: before };
  assertOpen(booking, wantedStatus);
  const moved = await move(deps, now, actor, { change, to });
  if (moved.outcome !== 'MOVED') return moved;
  const after = withStatus(moved.booking, now, change);
  const events = [...moved.events, ...appointmentEvents(moved.booking, after, now, happenedAt)];
  const row = await saveVisit(deps.tx, now, { change, after, events, by: actor });
  await auditChange(deps.tx, now, { actor, change, row });
  return { outcome: 'CHANGED', row };
}

const isRescheduled = (booking: LockedBooking, { period }: Destination): boolean =>
  period.startsAt !== booking.starts_at || period.endsAt !== booking.ends_at;

/** Whether it is another time or team. */
const isMove = (booking: LockedBooking, to: Destination): boolean =>
  isRescheduled(booking, to) || (to.team !== null && to.team.id !== booking.team_id);

type Moved = { outcome: 'MOVED'; booking: LockedBooking; events: NewEvent[] };

/**
 * Moves the visit to its new time and team, if they are others; a team that is confirmed must be able to do it. Another team
 * alone has no event: partners do not see teams.
 */
async function move(
  { tx, plans }: { tx: Tx; plans: PlanCache },
  now: Instant,
  actor: Actor,
  { change, to }: { change: VisitChange; to: Destination },
): Promise<Moved | NotMoved> {
  const { changes, visit } = change;
  const { booking } = visit;
  const { onBehalfOf } = changes;
  const { startsAt, endsAt } = to.period;
  // Fees are of the start: a change of the length is none.
  const isNewStart = startsAt !== booking.starts_at;
  const quoted = isNewStart && onBehalfOf !== undefined ? quoteOf('reschedule', booking, now) : null;
  if (quoted !== null) {
    assertMovesLeft(booking);
    assertFee(booking, 'reschedule', quoted, changes.maxFee);
  }
  if (isMove(booking, to)) {
    assertMovable(booking);
    const result = await reschedule(tx, plans, now, { booking, to });
    if (result.outcome !== 'MOVED') return result;
  } else if (!to.force && booking.appointment_status === 'New' && changes.status === 'Scheduled') {
    const [problem] = await findVisitRefusals(tx, booking.appointment_id);
    if (problem !== undefined) return { outcome: 'REFUSED', problem, booking, to };
  }
  const feesOfMove = (): LockedBooking['fees'] =>
    onBehalfOf === undefined
      ? feesAfterMove(booking, now, { startsAt, by: actor })
      : feesAfter(booking, quoted, now, { by: actor, on_behalf_of: onBehalfOf });
  const moved: LockedBooking = {
    ...booking,
    service_date: dateOf(startsAt),
    starts_at: startsAt,
    ends_at: endsAt,
    fees: isNewStart ? feesOfMove() : booking.fees,
    appointment_status: statusAtNewTime(booking.appointment_status, isNewStart),
    updated_at: now,
  };
  if (!isRescheduled(booking, to)) return { outcome: 'MOVED', booking: moved, events: [] };
  const payload = { ...bookingView(moved), ...(onBehalfOf && { onBehalfOf }) };
  const updated: NewEvent = { id: newId(now), name: 'booking.updated', payload };
  return { outcome: 'MOVED', booking: moved, events: [updated, ...appointmentEvents(booking, moved, now)] };
}

/** The moved booking with the status that is asked for, and its outcome. Throws INVALID_TRANSITION. */
function withStatus(
  moved: LockedBooking,
  now: Instant,
  { changes, correctedBecause }: VisitChange,
): LockedBooking {
  const status = changes.status ?? moved.appointment_status;
  const options = { force: changes.force ?? false, isCorrection: correctedBecause !== undefined };
  const after = status === moved.appointment_status ? moved : advance(now, moved, status, options);
  return { ...after, outcome: status === 'Cannot Complete' ? (moved.outcome ?? outcomeOf(changes)) : null };
}

/** Saves the change and returns the appointment after it, in one round trip. */
async function saveVisit(
  tx: Tx,
  now: Instant,
  { change, ...save }: { change: VisitChange; after: LockedBooking; events: NewEvent[]; by: Actor },
): Promise<AppointmentRow> {
  const { visit, happenedAt } = change;
  const { booking, row } = visit;
  const { outcome, appointment_status: status } = save.after;
  const began = happenedAt !== undefined && row.began_at === null && BEGUN.includes(status);
  const [, , , after] = await Promise.all([
    outcome !== booking.outcome && saveOutcome(tx, row.id, { outcome, isNewVisit: false }),
    save.events.length > 0 && saveBooking(tx, now, save),
    began && setWorkBegan(tx, row.id, { at: happenedAt, reportedAt: null }),
    findAppointment(tx, row.id),
  ]);
  return after!;
}

async function auditChange(
  tx: Tx,
  now: Instant,
  { actor, change, row }: { actor: Actor; change: VisitChange; row: AppointmentRow },
): Promise<void> {
  const { changes, visit, groupId, correctedBecause, happenedAt, isTimeUncertain } = change;
  const { force, reason, onBehalfOf, statusReason, statusNotes } = changes;
  await audit(tx, now, {
    actor,
    action: correctedBecause === undefined ? 'appointment.update' : 'appointment.correct',
    target: `appointment:${row.id}`,
    before: auditedAppointment(visit.row),
    after: {
      ...auditedAppointment(row),
      ...(force && { forced: true, forcedBecause: reason }),
      ...(onBehalfOf !== undefined && { onBehalfOf }),
      ...(statusReason !== undefined && { statusReason }),
      ...(statusNotes !== undefined && { statusNotes }),
      ...(correctedBecause !== undefined && { correctedBecause }),
      ...(happenedAt !== undefined && { happenedAt: toRiyadhIso(happenedAt) }),
      ...(isTimeUncertain && { isTimeUncertain: true }),
    },
    groupId,
  });
}

/** The team that is asked for; null: none is. Throws VALIDATION_ERROR (unknown team). */
export async function wantedTeam(tx: Tx, teamId: string | undefined): Promise<TeamRow | null> {
  const team = teamId === undefined ? null : await findTeam(tx, teamId);
  if (teamId !== undefined && team === null) throw validationError(['teamId must be the id of a team']);
  return team;
}

function assertOpen(booking: LockedBooking, to: AppointmentStatus): void {
  if (!CLOSED_BOOKINGS.includes(booking.status)) return;
  throw new ApiError(
    'INVALID_TRANSITION',
    `The appointment of a booking that is ${booking.status} cannot change`,
    { from: booking.appointment_status, to, allowed: [], bookingStatus: booking.status },
  );
}

function assertMovable({ appointment_status: status }: LockedBooking): void {
  if (MOVABLE_BY_OPERATOR.includes(status)) return;
  throw new ApiError('INVALID_TRANSITION', `An appointment that is ${status} cannot be moved`, {
    status,
    movable: MOVABLE_BY_OPERATOR,
  });
}

/** Throws INVALID_TRANSITION when the booking waits for payment and the status needs a paid one. */
function assertPaidFor(booking: LockedBooking, to: AppointmentStatus): void {
  if (booking.status !== 'waiting payment' || UNPAID_APPOINTMENT.includes(to)) return;
  const from = booking.appointment_status;
  throw new ApiError(
    'INVALID_TRANSITION',
    `The booking waits for payment: its appointment cannot become ${to}`,
    {
      from,
      to,
      allowed: APPOINTMENT_MOVES[from].filter((status) => UNPAID_APPOINTMENT.includes(status)),
      bookingStatus: booking.status,
      hints: [
        to === 'Cancelled'
          ? `POST /operator/bookings/${booking.id}/cancel ends the booking, its appointment and its payment link`
          : 'once the customer has paid the appointment can go on',
      ],
    },
  );
}

/** The booking with its appointment in status `to`; Completed ends the booking too. Throws INVALID_TRANSITION. */
function advance(
  now: Instant,
  booking: LockedBooking,
  to: AppointmentStatus,
  { force, isCorrection }: { force: boolean; isCorrection: boolean },
): LockedBooking {
  const from = booking.appointment_status;
  if (!(isCorrection ? mayCorrectAppointment : mayMoveAppointment)(from, to)) {
    const message = isCorrection
      ? `An appointment that is ${from} cannot be corrected to ${to}`
      : `An appointment that is ${from} cannot become ${to}`;
    const allowed = isCorrection ? correctionsOf(from) : APPOINTMENT_MOVES[from];
    throw new ApiError('INVALID_TRANSITION', message, { from, to, allowed });
  }
  assertPaidFor(booking, to);
  if (to === 'Completed' && now < booking.starts_at && !force) {
    throw new ApiError('INVALID_TRANSITION', 'The appointment has not started yet', {
      from,
      to,
      allowed: [],
      hints: isCorrection ? [] : ['send force: true when it is completed all the same'],
    });
  }
  const status =
    to === 'Completed'
      ? (bookingAfter('appointmentCompleted', booking.status) ?? booking.status)
      : booking.status;
  return { ...booking, appointment_status: to, status };
}
