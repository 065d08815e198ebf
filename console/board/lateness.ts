import type { Appointment } from '../contract.ts';
import { statusesIn } from '../states.ts';

/** Late visits, and those of the running day. Pure; times are epoch milliseconds. */

type Status = Appointment['status'];
type Timed = { status: Status; startsAt: string; endsAt: string };

const MINUTE = 60_000;
/** The horizon of Today. */
const AHEAD = 4 * 60 * MINUTE;

const BEFORE_WORK = statusesIn('planned', 'arriving');
const UNDER_WAY = statusesIn('arriving', 'working');

/** `late`: it should have begun; `over`: it should have ended. Whole minutes, at least one. */
export type Lateness = { is: 'late' | 'over'; minutes: number };

/** null: it is on time, or its work is over. */
export function latenessOf({ status, startsAt, endsAt }: Timed, now: number): Lateness | null {
  const since = (at: string): number => Math.floor((now - Date.parse(at)) / MINUTE);
  if (BEFORE_WORK.includes(status) && since(startsAt) > 0) return { is: 'late', minutes: since(startsAt) };
  if (status === 'In Progress' && since(endsAt) > 0) return { is: 'over', minutes: since(endsAt) };
  return null;
}

/** The delay in minutes that the crew has reported, until it is there; null: none. */
export const delayOf = ({
  status,
  lateMinutes,
}: {
  status: Status;
  lateMinutes: number | null;
}): number | null => (BEFORE_WORK.includes(status) && status !== 'In The location' ? lateMinutes : null);

/**
 * Whether Today lists it: what is under way until somebody closes it, what has not begun from four hours before its
 * start on, and finished work until its planned end. After that `not-completed` of the attention lists has it.
 */
export function isOfNow(visit: Timed, now: number): boolean {
  const { status, startsAt, endsAt } = visit;
  if (UNDER_WAY.includes(status)) return true;
  const isSoon = Date.parse(startsAt) < now + AHEAD;
  return isSoon && (BEFORE_WORK.includes(status) || (status === 'Finished' && Date.parse(endsAt) > now));
}

/** Late ones first, the latest before the others, then by start. */
export function byUrgency<Visit extends Timed>(visits: readonly Visit[], now: number): Visit[] {
  const minutes = (visit: Visit): number => latenessOf(visit, now)?.minutes ?? 0;
  return visits.toSorted(
    (one, other) => minutes(other) - minutes(one) || Date.parse(one.startsAt) - Date.parse(other.startsAt),
  );
}

/** Minutes after midnight in which Today needs the board of the day before, whose late visits no list has yet. */
const AFTER_MIDNIGHT = 60 * MINUTE;

/** Whether visits of the day before may be in no list but its board. */
export const needsDayBefore = (now: number): boolean =>
  (now + 3 * 60 * MINUTE) % (24 * 60 * MINUTE) < AFTER_MIDNIGHT;
