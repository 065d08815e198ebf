import { holdInTheWayView } from '../availability/hold-in-the-way.ts';
import { shiftsOn, toTeam } from '../availability/rules.ts';
import { addDays, type CalendarDate, type Instant, MINUTE, startOfDate, toRiyadhIso } from '../base/clock.ts';
import { notFound } from '../base/errors.ts';
import { BOOKINGS } from '../bookings/table.ts';
import { addressView } from '../contacts/view.ts';
import type { Queryable } from '../db/connection.ts';
import { VisitCall } from '../dispatch/schema.ts';
import { fieldsShown, viewBy } from '../http/fields.ts';
import type { Schedule } from '../teams/schedule-rules.ts';
import { type BoardAppointment, type BoardTeam, loadBoard } from './queries.ts';
import { TeamOnBoard, TimeOffOnBoard, ZoneOnBoard } from './schema.ts';

/**
 * The day of the teams: their shifts, times off, appointments and held slots on the date, also those that begin on the day before
 * or end on the next one. Throws RESOURCE_NOT_FOUND (zone).
 */
export async function readBoard(
  db: Queryable,
  now: Instant,
  { date, zoneId }: { date: CalendarDate; zoneId?: string | undefined },
) {
  const [from, until] = [startOfDate(date), startOfDate(addDays(date, 1))];
  const board = await loadBoard(db, now, { from, until, zoneId: zoneId ?? null });
  const { zones, teams, appointments, holds, schedules } = board;
  if (zoneId !== undefined && zones.length === 0) throw notFound('Zone');
  return {
    date,
    from: toRiyadhIso(from),
    until: toRiyadhIso(until),
    zones: zones.map((zone) => viewBy(ZoneOnBoard, zone)),
    teams: teams.map((team) => teamOnBoard(team, schedules, date)),
    appointments: appointments.map(appointmentOnBoard),
    holds: holds.map(({ team_id, hold }) => ({ teamId: team_id, ...holdInTheWayView(hold) })),
  };
}

function teamOnBoard(row: BoardTeam, schedules: readonly Schedule[], date: CalendarDate) {
  const shifts = shiftsOn(toTeam({ ...row, time_off: [] }, schedules), date);
  return viewBy(TeamOnBoard, row, {
    shifts: shifts
      .map((shift) => ({
        startsAt: toRiyadhIso(shift.from * MINUTE),
        endsAt: toRiyadhIso(shift.until * MINUTE),
      }))
      .sort((a, b) => (a.startsAt < b.startsAt ? -1 : 1)),
    timeOff: row.time_off.map((one) => viewBy(TimeOffOnBoard, one)),
  });
}

function appointmentOnBoard(row: BoardAppointment) {
  return {
    id: row.id,
    version: row.version,
    name: row.name,
    status: row.status,
    isAssigned: row.status !== 'New',
    teamId: row.team_id,
    zoneId: row.zone_id,
    startsAt: toRiyadhIso(row.starts_at),
    endsAt: toRiyadhIso(row.ends_at),
    busyUntil: toRiyadhIso(row.busy_until),
    problem: row.problem,
    lateMinutes: row.late_minutes,
    lastCall: row.last_call && viewBy(VisitCall, row.last_call),
    booking: {
      id: row.booking_id,
      version: row.booking_version,
      status: row.booking_status,
      paymentStatus: row.payment_status,
      paymentResponsibility: row.payment_responsibility,
      amount: row.amount,
      ...fieldsShown(BOOKINGS, 'operator', row),
    },
    partner: { id: row.partner_id, name: row.partner_name },
    service: {
      id: row.service_id,
      nameEn: row.service_name,
      nameAr: row.service_name_ar ?? row.service_name,
    },
    contact: { id: row.contact_id, name: row.contact_name, phone: row.phone },
    address: addressView({ ...row, id: row.address_id }),
  };
}
