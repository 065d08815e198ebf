import { formatMinutes } from '../base/clock.ts';
import { viewBy } from '../http/fields.ts';
import type { HitAppointmentRow } from './queries.ts';
import { HitAppointment, RecordedTimeOff, Team } from './schema.ts';
import type { TeamRow, TimeOffRow } from './table.ts';
import type { UnassignableVisitRow } from './visit-queries.ts';

/** A team in the operator's interface and the audit log; shifts as times of the day. */
export const teamView = (row: TeamRow) =>
  viewBy(Team, row, {
    shifts: row.shifts.map(({ weekday, start, end }) => ({
      weekday,
      startAt: formatMinutes(start),
      endAt: formatMinutes(end),
    })),
  });

/** A time off in the audit log: without the appointments that it affects, which change. */
export const timeOffView = (row: TimeOffRow) => viewBy(RecordedTimeOff, row);

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

const hitView = (row: Omit<HitAppointmentRow, 'time_off_id'>) => viewBy(HitAppointment, row);
