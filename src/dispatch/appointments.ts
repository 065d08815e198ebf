import type { PlanCache } from '../availability/plan.ts';
import { dateOf, type Instant, toRiyadhIso } from '../base/clock.ts';
import { ApiError, notFound, orNotFound, validationError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { retryOnConflict } from '../bookings/attempts.ts';
import { type LockedBooking, lockBooking, type NewEvent, saveBooking } from '../bookings/change-queries.ts';
import { appointmentEvents } from '../bookings/events.ts';
import { assertFee, assertMovesLeft, feesAfter, feesAfterMove, quoteOf } from '../bookings/fees.ts';
import { saveOutcome } from '../bookings/outcome-queries.ts';
import { isLost, type NotMoved, reschedule, rescheduleRefused } from '../bookings/reschedule.ts';
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
import {
  type AppointmentRow,
  findAppointment,
  findBookingIdOf,
  listAppointmentRows,
  setWorkBegan,
} from './queries.ts';
import { outcomeOf } from './rules.ts';
import type { AppointmentsQuery, ChangeAppointment } from './schema.ts';
import { appointmentView, auditedAppointment } from './view.ts';

/** A page of all partners' appointments, by start. */
export function searchAppointments(
  db: Queryable,
  now: Instant,
  { attention, ...query }: AppointmentsQuery,
): Promise<Page<AppointmentRow>> {
  const filter = {
    ...query,
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

export type AppointmentChange = {
  appointmentId: string;
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
  change: AppointmentChange,
): Promise<AppointmentRow> {
  const result = await retryOnConflict<Changed>(
    () => db.transaction((tx) => applyChange({ tx, plans }, now, actor, change), change.appointmentId),
    isLost,
  );
  if (result === null) throw slotUnavailable();
  if (result.outcome === 'CHANGED') return result.row;
  const { teamId, date, timeslot } = change.changes;
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

/** The change inside of a transaction, which must end without another statement unless it returns CHANGED. */
export async function applyChange(
  { tx, plans }: { tx: Tx; plans: PlanCache },
  now: Instant,
  actor: Actor,
  change: AppointmentChange,
): Promise<Changed> {
  const { appointmentId, changes: input, wanted = null, groupId, correctedBecause, happenedAt } = change;
  const team = await wantedTeam(tx, input.teamId);
  const bookingId = await orNotFound(findBookingIdOf(tx, appointmentId), 'Appointment');
  const booking = await lockBooking(tx, null, bookingId);
  if (booking === null) throw notFound('Appointment');
  const before = await readAppointment(tx, appointmentId);
  await assertWanted(wanted, before.version, () => appointmentView(before));

  const period = wantedPeriod(booking, input);
  const rescheduled = period.startsAt !== booking.starts_at || period.endsAt !== booking.ends_at;
  const reassigned = team !== null && team.id !== booking.team_id;
  const wantedStatus = input.status ?? booking.appointment_status;
  if (!rescheduled && !reassigned && wantedStatus === booking.appointment_status)
    return { outcome: 'CHANGED', row: before };

  assertOpen(booking, wantedStatus);
  const { onBehalfOf } = input;
  // Fees are of the start: a change of the length is none.
  const isNewStart = period.startsAt !== booking.starts_at;
  const quoted = isNewStart && onBehalfOf !== undefined ? quoteOf('reschedule', booking, now) : null;
  if (quoted !== null) {
    assertMovesLeft(booking);
    assertFee(booking, 'reschedule', quoted, input.maxFee);
  }
  const feesOfMove = (): LockedBooking['fees'] =>
    onBehalfOf === undefined
      ? feesAfterMove(booking, now, { startsAt: period.startsAt, by: actor })
      : feesAfter(booking, quoted, now, { by: actor, on_behalf_of: onBehalfOf });
  if (rescheduled || reassigned) {
    assertMovable(booking);
    const to = { period, team, force: input.force ?? false };
    const result = await reschedule(tx, plans, now, { booking, to });
    if (result.outcome !== 'MOVED') return result;
  }
  if (
    !rescheduled &&
    !reassigned &&
    !input.force &&
    before.status === 'New' &&
    wantedStatus === 'Scheduled'
  ) {
    const [problem] = await findVisitRefusals(tx, appointmentId);
    const to = { period, team, force: false };
    if (problem !== undefined) return { outcome: 'REFUSED', problem, booking, to };
  }
  const moved: LockedBooking = {
    ...booking,
    service_date: dateOf(period.startsAt),
    starts_at: period.startsAt,
    ends_at: period.endsAt,
    fees: isNewStart ? feesOfMove() : booking.fees,
    appointment_status: statusAtNewTime(booking.appointment_status, isNewStart),
    updated_at: now,
  };
  const events: NewEvent[] = rescheduled
    ? [
        {
          id: newId(now),
          name: 'booking.updated',
          payload: { ...bookingView(moved), ...(onBehalfOf && { onBehalfOf }) },
        },
        ...appointmentEvents(booking, moved, now),
      ]
    : [];
  const status = input.status ?? moved.appointment_status;
  const advanced =
    status === moved.appointment_status
      ? moved
      : advance(now, moved, status, {
          force: input.force ?? false,
          isCorrection: correctedBecause !== undefined,
        });
  advanced.outcome = status === 'Cannot Complete' ? (moved.outcome ?? outcomeOf(input)) : null;
  if (advanced.outcome !== booking.outcome)
    await saveOutcome(tx, appointmentId, { outcome: advanced.outcome, isNewVisit: false });
  events.push(...appointmentEvents(moved, advanced, now, happenedAt));
  // Another team alone has no event: partners do not see teams.
  if (events.length > 0) await saveBooking(tx, now, { after: advanced, events, by: actor });
  if (happenedAt !== undefined && before.began_at === null && BEGUN.includes(status))
    await setWorkBegan(tx, before.id, happenedAt);

  const after = await readAppointment(tx, appointmentId);
  const { statusReason, statusNotes } = input;
  await audit(tx, now, {
    actor,
    action: correctedBecause === undefined ? 'appointment.update' : 'appointment.correct',
    target: `appointment:${before.id}`,
    before: auditedAppointment(before),
    after: {
      ...auditedAppointment(after),
      ...(input.force && { forced: true, forcedBecause: input.reason }),
      ...(onBehalfOf !== undefined && { onBehalfOf }),
      ...(statusReason !== undefined && { statusReason }),
      ...(statusNotes !== undefined && { statusNotes }),
      ...(correctedBecause !== undefined && { correctedBecause }),
      ...(happenedAt !== undefined && { happenedAt: toRiyadhIso(happenedAt) }),
      ...(change.isTimeUncertain && { isTimeUncertain: true }),
    },
    groupId,
  });
  return { outcome: 'CHANGED', row: after };
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
