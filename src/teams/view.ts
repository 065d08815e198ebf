import { formatMinutes, toRiyadhIso } from '../base/clock.ts';
import type { HitAppointmentRow } from './queries.ts';
import type { TeamRow, TimeOffRow } from './table.ts';
import type { UnassignableVisitRow } from './visit-queries.ts';

/** A team in the operator's interface and the audit log; shifts as times of the day. */
export function teamView(row: TeamRow) {
  return {
    id: row.id,
    name: row.name,
    nameAr: row.name_ar,
    zoneIds: row.zone_ids,
    homeZoneId: row.home_zone_id,
    serviceIds: row.service_ids,
    travelBufferMinutes: row.travel_buffer_minutes,
    shifts: row.shifts.map(({ weekday, start, end }) => ({
      weekday,
      startAt: formatMinutes(start),
      endAt: formatMinutes(end),
    })),
    isActive: row.is_active,
    version: row.version,
    createdAt: toRiyadhIso(row.created_at),
    updatedAt: toRiyadhIso(row.updated_at),
  };
}

/** A time off in the audit log: without the appointments that it affects, which change. */
export function timeOffView(row: TimeOffRow) {
  return {
    id: row.id,
    teamId: row.team_id,
    startsAt: toRiyadhIso(row.starts_at),
    endsAt: toRiyadhIso(row.ends_at),
    reason: row.reason,
    createdAt: toRiyadhIso(row.created_at),
  };
}

/** A time off with the appointments that it affects. */
export function timeOffWithAppointmentsView({ hit, ...row }: TimeOffRow & { hit: HitAppointmentRow[] }) {
  return { ...timeOffView(row), appointments: hit.map(hitView) };
}

/** A team after a change, with the appointments that it can no longer do and the reasons. */
export function changedTeamView({
  unassignable,
  ...row
}: TeamRow & { unassignable: UnassignableVisitRow[] }) {
  return {
    ...teamView(row),
    appointments: unassignable.map((visit) => ({ ...hitView(visit), reasons: visit.reasons })),
  };
}

function hitView(row: Omit<HitAppointmentRow, 'time_off_id'>) {
  return {
    id: row.id,
    name: row.name,
    bookingId: row.booking_id,
    startsAt: toRiyadhIso(row.starts_at),
    endsAt: toRiyadhIso(row.ends_at),
    status: row.status,
  };
}
