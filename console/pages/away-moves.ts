import { call } from '../api.ts';
import type { Appointment, ReassignmentPlanRow, ReassignmentProposal } from '../contract.ts';
import { failureText } from '../failure-text.ts';
import { t } from '../language.ts';
import { noteOwnChanges } from '../own-changes.ts';
import { asFailure } from '../query.ts';
import { statusesIn } from '../states.ts';

/** Groups and moves of the appointments of a team that is away. Pure, except for the undo. */

export type Group = 'sameTime' | 'otherTime' | 'noPlace';

const OVER = statusesIn('done', 'not done');

/** Whether something has to be done about it. */
export const isOpen = ({ appointment }: ReassignmentPlanRow): boolean => !OVER.includes(appointment.status);

export const optionsOf = ({ proposal, alternatives }: ReassignmentPlanRow): ReassignmentProposal[] =>
  proposal === null ? alternatives : [proposal, ...alternatives];

const isSameTime = ({ keepsDate, keepsTime }: ReassignmentProposal): boolean => keepsDate && keepsTime;

/** By the best place. */
export function groupOf(row: ReassignmentPlanRow): Group {
  const [best] = optionsOf(row);
  if (best === undefined) return 'noPlace';
  return isSameTime(best) ? 'sameTime' : 'otherTime';
}

/** The delay of the visit's start: `+3 h 30`, `−2 h`, `+1 d 2 h`; empty: at the same time. */
export function shiftText({ startsAt }: Appointment, { date, timeslot }: ReassignmentProposal): string {
  const later = (Date.parse(`${date}T${timeslot.startAt}:00+03:00`) - Date.parse(startsAt)) / 60_000;
  if (later === 0) return '';
  const sign = later > 0 ? '+' : '−';
  const [days, hours, minutes] = [
    Math.floor(Math.abs(later) / 1_440),
    Math.floor((Math.abs(later) % 1_440) / 60),
    Math.abs(later) % 60,
  ];
  const parts = [
    days > 0 ? t('away.days', { days }) : '',
    hours > 0 ? (minutes > 0 ? t('away.hoursAnd', { hours, minutes }) : t('away.hours', { hours })) : '',
    hours === 0 && minutes > 0 ? t('away.minutes', { minutes }) : '',
  ];
  return t('away.shift', { sign, length: parts.filter(Boolean).join(' ') });
}

/** The changes of one step: the time off that it added, and the appointments before and after their moves. */
export type Done = {
  timeOff: { teamId: string; id: string } | null;
  moved: readonly { before: Appointment; version: number; after: Appointment }[];
};

/** Moves the appointments back and removes the time off in one step; throws when nothing was undone. */
export async function undo({ timeOff, moved }: Done): Promise<void> {
  if (moved.length === 0 && timeOff !== null) {
    await call('removeTimeOff', { id: timeOff.teamId, timeOffId: timeOff.id }).catch((error: unknown) => {
      // It has been removed already.
      if (asFailure(error).status !== 404) throw error;
    });
    return;
  }
  // The last one first: it may have taken the time that the one before it left.
  const apply = moved.toReversed().map(({ before, after, version }) => {
    const { id, team, date, timeslot, status } = before;
    const place = {
      appointmentId: id,
      version,
      teamId: team.id,
      date,
      timeslot,
    };
    // A move to another time has taken the confirmation back.
    return status === 'Confirmed' && after.status !== status ? { ...place, status } : place;
  });
  const body = {
    apply,
    ...(timeOff !== null && { timeOff: { teamId: timeOff.teamId, timeOffId: timeOff.id } }),
  };
  const { data } = await call('undoReassignments', { body });
  noteOwnChanges(apply, data.appointments);
}

/** Why nothing was undone, with the appointment that was in the way. */
export function notUndoneText({ moved }: Done, error: unknown): string {
  const failure = asFailure(error);
  const { current, appointmentId } = failure.details;
  const id = appointmentId ?? (current as Partial<Appointment> | undefined)?.id;
  const name = moved.find(({ before }) => before.id === id)?.before.name;
  const why = failureText(failure);
  return name === undefined ? t('away.notUndone', { why }) : t('away.notUndoneBy', { name, why });
}
