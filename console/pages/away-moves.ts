import { call } from '../api.ts';
import { changed } from '../changes.ts';
import type { Appointment, ReassignmentPlanRow, ReassignmentProposal } from '../contract.ts';
import { failureText } from '../failure-text.ts';
import { t } from '../language.ts';
import { asFailure } from '../query.ts';

/** Groups and moves of the appointments of a team that is away. Pure, but for the undo. */

export type Group = 'sameTime' | 'otherTime' | 'noPlace';

const OVER: readonly Appointment['status'][] = ['Finished', 'Completed', 'Cannot Complete'];

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

/** How much later the visit would start: `+3 h 30`, `−2 h`, `+1 d 2 h`; empty: at the same time. */
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

/** What one step did: the time off that it added, and the appointments before and after their moves. */
export type Done = {
  timeOff: { teamId: string; id: string } | null;
  moved: readonly { before: Appointment; version: number; after: Appointment }[];
};

/** Removes the time off and moves the appointments back; resolves to those that could not be, with the reason. */
export async function undo({ timeOff, moved }: Done): Promise<{ id: string; why: string }[]> {
  const failed: { id: string; why: string }[] = [];
  if (timeOff !== null)
    await call('removeTimeOff', { id: timeOff.teamId, timeOffId: timeOff.id }).catch((error: unknown) => {
      const failure = asFailure(error);
      // Somebody else has removed it already.
      if (failure.status !== 404) throw failure;
    });
  for (const { before, after, version } of moved) {
    const { id, team, date, timeslot, status } = before;
    const body = {
      teamId: team.id,
      date,
      timeslot,
      force: true,
      reason: t('board.undoReason'),
      // A move to another time has taken the confirmation back.
      ...(status !== after.status && { status }),
    };
    try {
      await call('updateAppointment', { id, body }, { ifMatch: version });
    } catch (error) {
      failed.push({ id, why: failureText(asFailure(error)) });
    }
  }
  changed(['appointments', 'bookings', 'availability', 'audit']);
  return failed;
}
