import { randomUUID } from 'node:crypto';
import { findTeam, type TeamRow } from '../availability/admin-queries.ts';
import type { PlanBook } from '../availability/plan.ts';
import { type Refusal, refusal, type SlotProblem, shiftsOn, startProblem } from '../availability/rules.ts';
import {
  ALTERNATIVE_DAYS,
  alternativesTo,
  candidatesFor,
  loadProspect,
  type Prospect,
} from '../availability/slots.ts';
import { existing } from '../catalogue/admin.ts';
import { type CalendarDate, dateOf, type Instant, MINUTE } from '../clock.ts';
import { normalizePhone } from '../contacts/rules.ts';
import { ApiError, notFound, validationError } from '../errors.ts';
import { type Actor, audit } from '../platform/audit.ts';
import { type Db, isDbError, type Queryable, type Tx } from '../platform/db.ts';
import { type Page, paging } from '../platform/envelope.ts';
import {
  type AppointmentRow,
  findAppointment,
  findBookingIdOf,
  findOperatorBooking,
  findTeamBuffer,
  type HistoryEvent,
  listAppointmentRows,
  listHistoryEvents,
  listOperatorBookings,
  listRecordedChanges,
  type OperatorBookingRow,
  type RecordedChange,
  setBookingStatus,
} from './operate-queries.ts';
import type { AppointmentsQuery, ChangeAppointment, OperatorBookingsQuery } from './operate-schema.ts';
import { appointmentView } from './operate-view.ts';
import {
  insertEvent,
  type LockedBooking,
  lockBooking,
  type Move,
  moveAppointment,
  saveUpdate,
  setAppointmentStatus,
} from './queries.ts';
import {
  APPOINTMENT_MOVES,
  type AppointmentStatus,
  type BookingStatus,
  bookingAfter,
  mayMoveAppointment,
} from './rules.ts';
import { MOST_ATTEMPTS, wantedPeriod } from './slot.ts';
import { appointmentStatusChangedView, bookingView } from './view.ts';

/** A page of all partners' bookings, newest first. */
export function searchOperatorBookings(
  db: Queryable,
  { phone, search, ...query }: OperatorBookingsQuery,
): Promise<Page<OperatorBookingRow>> {
  const wanted = search?.trim();
  const filter = {
    ...query,
    ...(phone !== undefined && { phone: normalizePhone(phone)! }),
    ...(wanted && { search: wanted }),
  };
  return listOperatorBookings(db, filter, paging(query));
}

/** A booking of any partner with what happened to it. Throws RESOURCE_NOT_FOUND. */
export async function readOperatorBooking(
  db: Queryable,
  bookingId: string,
): Promise<{ row: OperatorBookingRow; events: HistoryEvent[]; changes: RecordedChange[] }> {
  const row = await existing(findOperatorBooking(db, bookingId), 'Booking');
  return {
    row,
    events: await listHistoryEvents(db, row.id),
    changes: await listRecordedChanges(db, row.id, row.appointment_id),
  };
}

/** A page of all partners' appointments, by start. */
export function searchAppointments(db: Queryable, query: AppointmentsQuery): Promise<Page<AppointmentRow>> {
  return listAppointmentRows(db, query, paging(query));
}

/** Throws RESOURCE_NOT_FOUND. */
export function readAppointment(db: Queryable, appointmentId: string): Promise<AppointmentRow> {
  return existing(findAppointment(db, appointmentId), 'Appointment');
}

// ---------------------------------------------------------------------------
// Changes

/** Why a team that was asked for cannot take an appointment. */
type TeamProblem = Refusal | 'INACTIVE' | 'NOT_IN_ZONE' | 'NO_SKILL';
type Period = { startsAt: Instant; endsAt: Instant };
/** Where an appointment is to go; without a team: to any that is free, its own first. */
type Destination = { period: Period; team: TeamRow | null; force: boolean };

/** A move that was refused inside the transaction; the answer with its alternatives is made outside. */
class MoveRefused extends Error {
  readonly booking: LockedBooking;
  readonly to: Destination;
  readonly problem: SlotProblem | TeamProblem | 'RETRY';
  constructor(booking: LockedBooking, to: Destination, problem: SlotProblem | TeamProblem | 'RETRY') {
    super(problem);
    this.booking = booking;
    this.to = to;
    this.problem = problem;
  }
}

/**
 * Moves an appointment (team, date, timeslot), then changes its status; both or nothing. What is already so is no
 * change. A status change and a new time have their events (section 6), and everything its audit row. Throws
 * VALIDATION_ERROR (unknown team), RESOURCE_NOT_FOUND, INVALID_TRANSITION and, with reason and alternatives,
 * BOOKING_CREATION_FAILED.
 */
export async function changeAppointment(
  db: Db,
  plans: PlanBook,
  now: Instant,
  actor: Actor,
  appointmentId: string,
  input: ChangeAppointment,
): Promise<AppointmentRow> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction((tx) => change(tx, plans, now, actor, appointmentId, input));
    } catch (error) {
      const lost =
        isDbError(error, 'deadlock') || (error instanceof MoveRefused && error.problem === 'RETRY');
      if (lost && attempt < MOST_ATTEMPTS) continue;
      throw error instanceof MoveRefused ? await refusedMove(db, plans, now, error) : error;
    }
  }
}

async function change(
  tx: Tx,
  plans: PlanBook,
  now: Instant,
  actor: Actor,
  appointmentId: string,
  input: ChangeAppointment,
): Promise<AppointmentRow> {
  const team = input.teamId === undefined ? null : await findTeam(tx, input.teamId);
  if (input.teamId !== undefined && team === null) throw validationError(['teamId must be the id of a team']);
  const bookingId = await existing(findBookingIdOf(tx, appointmentId), 'Appointment');
  const booking = await lockBooking(tx, null, bookingId);
  if (booking === null) throw notFound('Appointment');
  const before = await readAppointment(tx, appointmentId);

  const period = wantedPeriod(booking, input);
  const rescheduled = period.startsAt !== booking.starts_at || period.endsAt !== booking.ends_at;
  const reassigned = team !== null && team.id !== booking.team_id;
  const status = input.status ?? booking.appointment_status;
  const advanced = status !== booking.appointment_status;
  if (!rescheduled && !reassigned && !advanced) return before;

  demandOpen(booking, status);
  if (rescheduled || reassigned) {
    demandMovable(booking);
    await move(tx, plans, now, booking, before.zone_id, { period, team, force: input.force ?? false });
  }
  const moved: LockedBooking = {
    ...booking,
    service_date: dateOf(period.startsAt),
    starts_at: period.startsAt,
    ends_at: period.endsAt,
  };
  if (rescheduled) await saveReschedule(tx, now, actor, moved);
  if (advanced) await advance(tx, now, actor, moved, status);

  const after = await readAppointment(tx, appointmentId);
  await audit(tx, now, {
    actor,
    action: 'appointment.update',
    target: `appointment:${before.id}`,
    before: appointmentView(before),
    after: appointmentView(after),
  });
  return after;
}

/** Bookings whose appointments stay as they are. */
const CLOSED: readonly BookingStatus[] = ['canceled', 'failed'];
/** Appointments that can still be given another time or team. */
const MOVABLE: readonly AppointmentStatus[] = [
  'New',
  'Scheduled',
  'Confirmed',
  'In The Way',
  'In The location',
  'In Progress',
];

function demandOpen(booking: LockedBooking, to: AppointmentStatus): void {
  if (!CLOSED.includes(booking.status)) return;
  throw new ApiError(
    'INVALID_TRANSITION',
    `The appointment of a booking that is ${booking.status} cannot change`,
    { from: booking.appointment_status, to, allowed: [], bookingStatus: booking.status },
  );
}

function demandMovable({ appointment_status: status }: LockedBooking): void {
  if (MOVABLE.includes(status)) return;
  throw new ApiError('INVALID_TRANSITION', `An appointment that is ${status} cannot be moved`, {
    status,
    movable: MOVABLE,
  });
}

async function saveReschedule(tx: Tx, now: Instant, actor: Actor, moved: LockedBooking): Promise<void> {
  const { external_reference: externalReference, notes, service_date: serviceDate } = moved;
  await saveUpdate(
    tx,
    now,
    moved,
    { externalReference, notes, serviceDate },
    { id: randomUUID(), name: 'booking.updated', payload: bookingView(moved), actor },
  );
}

/** Changes the appointment's status, and with the last one the booking's. */
async function advance(
  tx: Tx,
  now: Instant,
  actor: Actor,
  booking: LockedBooking,
  to: AppointmentStatus,
): Promise<void> {
  const from = booking.appointment_status;
  if (!mayMoveAppointment(from, to)) {
    throw new ApiError('INVALID_TRANSITION', `An appointment that is ${from} cannot become ${to}`, {
      from,
      to,
      allowed: APPOINTMENT_MOVES[from],
    });
  }
  await setAppointmentStatus(tx, now, booking.appointment_id, to);
  const status =
    to === 'Completed'
      ? (bookingAfter('appointmentCompleted', booking.status) ?? booking.status)
      : booking.status;
  if (status !== booking.status) await setBookingStatus(tx, now, booking.id, status);
  const after = { ...booking, appointment_status: to, status };
  await insertEvent(tx, now, booking, {
    id: randomUUID(),
    name: 'booking.appointment_status_changed',
    payload: appointmentStatusChangedView(after, { from, to, changedAt: now }),
    actor,
  });
}

// ---------------------------------------------------------------------------
// Moves

/** Holds the destination instead of what the appointment holds now; throws MoveRefused. */
async function move(
  tx: Tx,
  plans: PlanBook,
  now: Instant,
  booking: LockedBooking,
  zoneId: string,
  to: Destination,
): Promise<void> {
  const target = to.force
    ? await forcedTarget(tx, booking, zoneId, to)
    : await offeredTarget(tx, plans, now, booking, to);
  const outcome = await moveAppointment(tx, now, {
    ...target,
    appointmentId: booking.appointment_id,
    startsAt: to.period.startsAt,
    endsAt: to.period.endsAt,
  }).catch((error) => {
    // Appointments around midnight lock different days: there the constraint alone decides.
    if (isDbError(error, 'exclusionViolation', 'appointments_no_overlap')) return 'TAKEN';
    throw error;
  });
  if (outcome === 'MOVED') return;
  // Somebody else was faster: the whole change begins anew, with what is there then. Forced, it looked at nothing
  // that could have changed but the catalogue.
  throw new MoveRefused(booking, to, to.force && outcome === 'TAKEN' ? 'BUSY' : 'RETRY');
}

type Target = Pick<Move, 'catalogueVersion' | 'candidates' | 'zoneId'>;

/** Whatever the rules say: the team asked for, else the appointment's own, in the zone it is in. */
async function forcedTarget(
  tx: Tx,
  booking: LockedBooking,
  zoneId: string,
  { period, team }: Destination,
): Promise<Target> {
  const teamId = team?.id ?? booking.team_id;
  const found = await existing(findTeamBuffer(tx, teamId), 'Team');
  const busyUntil = period.endsAt + found.travel_buffer_minutes * MINUTE;
  return { catalogueVersion: found.catalogue_version, candidates: [{ teamId, busyUntil }], zoneId };
}

/** The rules that hold for creating a booking (section 4.5), with the booking's own slot counted as free. */
async function offeredTarget(
  tx: Tx,
  plans: PlanBook,
  now: Instant,
  booking: LockedBooking,
  to: Destination,
): Promise<Target> {
  const { period, team } = to;
  const prospect = await prospectOf(tx, plans, booking, dateOf(period.startsAt), 1);
  if (!prospect?.place) throw new MoveRefused(booking, to, 'SLOT_NOT_OFFERED');
  const problem = team && teamProblem(prospect, booking.service_id, team, period, now);
  if (problem) throw new MoveRefused(booking, to, problem);
  const found = candidatesFor(onlyTeam(prospect, team), period, now);
  if (found.problem !== null) throw new MoveRefused(booking, to, found.problem);
  const teams = found.teams.toSorted(
    (a, b) => Number(b.id === booking.team_id) - Number(a.id === booking.team_id),
  );
  return {
    catalogueVersion: prospect.plan.version,
    candidates: teams.map(({ id, bufferMinutes }) => ({
      teamId: id,
      busyUntil: period.endsAt + bufferMinutes * MINUTE,
    })),
    zoneId: prospect.place.zoneId,
  };
}

/** Why the team that was asked for cannot take the period: first what holds for every team, then what for it. */
function teamProblem(
  { place, busy }: Prospect,
  serviceId: string,
  team: TeamRow,
  period: Period,
  now: Instant,
): SlotProblem | TeamProblem | 'RETRY' | null {
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
  return 'RETRY'; // the catalogue changed between the looks at the team and at the plan
}

function onlyTeam(prospect: Prospect, team: TeamRow | null): Prospect {
  const { place } = prospect;
  if (team === null || place === null) return prospect;
  return { ...prospect, place: { ...place, teams: place.teams.filter(({ id }) => id === team.id) } };
}

/** Null: the booking's partner may not use the service any more, so none of its slots is offered. */
async function prospectOf(
  db: Db | Tx,
  plans: PlanBook,
  booking: LockedBooking,
  date: CalendarDate,
  days: number,
): Promise<Prospect | null> {
  const query = {
    partnerId: booking.partner_id,
    addressId: booking.address_id,
    serviceId: booking.service_id,
    movingBookingId: booking.id,
  };
  try {
    return await loadProspect(db, plans, query, date, days);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'SERVICE_NOT_ALLOWED') return null;
    throw error;
  }
}

/** 422 with the reason and the nearest free slots of seven days: of the team asked for, else of any. */
async function refusedMove(
  db: Db,
  plans: PlanBook,
  now: Instant,
  { booking, to, problem }: MoveRefused,
): Promise<ApiError> {
  const wanted = to.period.startsAt;
  const from = dateOf(Math.max(wanted, now));
  const prospect = await prospectOf(db, plans, booking, from, ALTERNATIVE_DAYS);
  const taken = to.team === null ? 'SLOT_UNAVAILABLE' : 'BUSY';
  return new ApiError('BOOKING_CREATION_FAILED', 'The appointment cannot be moved there', {
    reason: problem === 'RETRY' ? taken : problem,
    alternatives: prospect === null ? [] : alternativesTo(onlyTeam(prospect, to.team), wanted, from, now),
  });
}
