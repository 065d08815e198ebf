import { formatMinutes } from '../base/clock.ts';
import type { ConflictRow } from '../catalogue/conflict-queries.ts';
import { maskedPhone } from '../contacts/rules.ts';
import { viewBy } from '../http/fields.ts';
import type { HitAppointmentRow } from './queries.ts';
import { HitAppointment, RecordedTimeOff, Team } from './schema.ts';
import type { TeamRow, TimeOffRow } from './table.ts';

/** A team in the operator's interface; shifts as times of the day. */
export const teamView = (row: TeamRow) =>
  viewBy(Team, row, {
    shifts: row.shifts.map(({ weekday, start, end }) => ({
      weekday,
      startAt: formatMinutes(start),
      endAt: formatMinutes(end),
    })),
  });

/** A team in the audit log, which nothing erases: its phone masked. */
export const auditedTeam = (row: TeamRow) => teamView({ ...row, phone: row.phone && maskedPhone(row.phone) });

/** A time off in the audit log: without the appointments that it affects, which change. */
export const timeOffView = (row: TimeOffRow) => viewBy(RecordedTimeOff, row);

/** A time off with the appointments that it affects. */
export function timeOffWithAppointmentsView({ hit, ...row }: TimeOffRow & { hit: HitAppointmentRow[] }) {
  return { ...timeOffView(row), appointments: hit.map(hitView) };
}

/** A team after a change, with the appointments that it can no longer do and the reasons. */
export const changedTeamView = (row: TeamRow, hit: readonly ConflictRow[]) => ({
  ...teamView(row),
  appointments: hit.map((visit) => ({ ...hitView(visit), reasons: visit.reasons })),
});

const hitView = (row: Omit<HitAppointmentRow, 'time_off_id'>) => viewBy(HitAppointment, row);
